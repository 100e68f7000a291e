// Headers, Request, Response, Blob, File, FormData, URLPattern.

const quoted = JSON.stringify;

const PATTERN_INPUTS = [
  [`{ pathname: "/books/:id" }`, ["https://example.com/books/123", "https://example.com/books/", "https://example.com/books/1/2"]],
  [`{ pathname: "/books/:id(\\\\d+)" }`, ["https://example.com/books/123", "https://example.com/books/abc"]],
  [`{ pathname: "/files/*" }`, ["https://x.y/files/a/b.txt", "https://x.y/files", "https://x.y/files/"]],
  [`{ pathname: "/a/:b?" }`, ["https://x/a", "https://x/a/c", "https://x/a/"]],
  [`{ pathname: "/a/:b+" }`, ["https://x/a", "https://x/a/c/d"]],
  [`{ pathname: "/a/:b*" }`, ["https://x/a", "https://x/a/c/d"]],
  [`{ pathname: "/{a/}?b" }`, ["https://x/b", "https://x/a/b"]],
  [`{ pathname: "/x{/y}*" }`, ["https://x/x", "https://x/x/y/y"]],
  [`{ hostname: "*.example.com" }`, ["https://a.example.com/", "https://example.com/", "https://a.b.example.com/x"]],
  [`{ hostname: ":sub.example.:tld" }`, ["https://a.example.org/"]],
  [`{ protocol: "http{s}?" }`, ["https://a/", "http://a/", "ftp://a/"]],
  [`{ search: "q=:term" }`, ["https://a/?q=x", "https://a/?z=x"]],
  [`{ hash: "section-*" }`, ["https://a/#section-2", "https://a/#x"]],
  [`"https://example.com/books/:id"`, ["https://example.com/books/9", "http://example.com/books/9", "https://example.com/books/9?x=1"]],
  [`"https://*.example.com:8080/foo/*?q=*#*"`, ["https://a.example.com:8080/foo/x?q=1#h"]],
  [`"/api/:version/users/:id?", "https://api.example.com"`, ["https://api.example.com/api/v1/users", "https://api.example.com/api/v1/users/7"]],
  [`"https://user:pass@example.com/x"`, ["https://user:pass@example.com/x", "https://example.com/x"]],
  [`"data\\\\:foobar"`, ["data:foobar"]],
  [`{ pathname: "/:a-:b" }`, ["https://x/1-2", "https://x/1"]],
  [`{ pathname: "/(foo|bar)/:x" }`, ["https://x/foo/1", "https://x/baz/1"]],
  [`{ pathname: "/*.:ext" }`, ["https://x/a/b.png"]],
  [`{ pathname: "/:name.json" }`, ["https://x/data.json"]],
  [`{ pathname: "/é" }`, ["https://x/%C3%A9", "https://x/é"]],
  [`{ pathname: "/A/b" }, { ignoreCase: true }`, ["https://x/a/B"]],
  [`{ pathname: "b", baseURL: "https://x/a/" }`, ["https://x/a/b"]],
  [`{ port: "80", protocol: "http" }`, ["http://x/", "http://x:81/"]],
  [`{}`, ["https://a/b"]],
  [`"https://example.com"`, ["https://example.com/", "https://example.com/x"]],
  [`"https://example.com/"`, ["https://example.com/", "https://example.com/x", "https://example.com/?a#b"]],
  [`"https://example.com/a?b=:c"`, ["https://example.com/a?b=1", "https://example.com/a?b=1#x"]],
  [`"https://example.com/*"`, ["https://example.com/a/b", "https://example.com/a/b?x#y"]],
  [`"http{s}?://{:sub.}?example.com/(x|y)"`, ["https://a.example.com/x", "http://example.com/y"]],
  [`{ pathname: "/a\\\\:b" }`, ["https://x/a:b"]],
];

export const PATTERNS = [
  ...PATTERN_INPUTS.flatMap(([init, urls]) => [
    `(() => { const p = new URLPattern(${init}); return [p.protocol, p.username, p.password, p.hostname, p.port, p.pathname, p.search, p.hash, p.hasRegExpGroups] })()`,
    ...urls.flatMap((url) => [`new URLPattern(${init}).test(${quoted(url)})`, `new URLPattern(${init}).exec(${quoted(url)})`]),
  ]),
  `new URLPattern({ pathname: "/a/:b" }).exec({ pathname: "/a/1" }).pathname`, `new URLPattern({ pathname: "/a/:b" }).test("/a/1", "https://x.y")`, `new URLPattern({ pathname: "/a/:b" }).test({ pathname: "/b" })`,
  ...[`"/relative"`, `{ pathname: "/(" }`, `{ pathname: "/{a" }`, `{ pathname: "/:a/:a" }`, `{ pathname: "/(?x)" }`, `{ hostname: "a b" }`, `{ port: "x" }`].map((init) => `(() => { try { new URLPattern(${init}); return "made" } catch (e) { return e.name } })()`),
];

const HEADERS = `new Headers({ "Content-Type": "text/plain", "X-Two": "a", accept: "b" })`;

export const WEB = [
  `[...${HEADERS}]`, `(() => { const h = ${HEADERS}; h.append("x-two", "b"); h.set("Accept", "c"); h.delete("content-type"); return [h.get("X-TWO"), h.has("accept"), h.get("nope"), [...h.keys()], [...h.values()]] })()`,
  `[...new Headers([["b", "1"], ["a", "2"], ["b", "3"]])]`, `(() => { const h = new Headers(); h.append("Set-Cookie", "a=1"); h.append("set-cookie", "b=2"); return [h.getSetCookie(), [...h], h.get("set-cookie")] })()`,
  `(() => { const seen = []; ${HEADERS}.forEach((value, name) => seen.push([name, value])); return seen })()`, `new Headers({ a: "  x  " }).get("a")`, `[...new Headers(new Headers({ a: "1" }))]`, `[...new Headers(new Map([["a", "1"]]))]`,
  ...[`new Headers({ "a b": "1" })`, `new Headers({ a: "x\\ny" })`, `new Headers([["a"]])`, `new Headers().get("")`, `new Headers("x")`, `new Headers({ a: "€" })`, `new Headers(null)`].map((code) => `(() => { try { ${code}; return "made" } catch (e) { return e.name } })()`),
  `(async () => { const r = new Response("héllo"); return [r.status, r.ok, r.statusText, r.type, r.url, r.redirected, r.bodyUsed, r.headers.get("content-type"), await r.text(), r.bodyUsed] })()`,
  `(async () => { const r = new Response(JSON.stringify({ a: [1] }), { status: 404, statusText: "Not Found", headers: { "X-A": "1" } }); return [r.status, r.ok, r.statusText, await r.json(), [...r.headers]] })()`,
  `(async () => { const r = Response.json({ a: 1 }, { status: 201 }); const c = r.clone(); return [r.status, r.headers.get("content-type"), await r.json(), await c.text()] })()`,
  `(async () => [...new Uint8Array(await new Response(new Uint8Array([1, 2])).arrayBuffer())])()`, `(async () => [...await new Response("ab").bytes()])()`, `(async () => { const b = await new Response("x", { headers: { "content-type": "text/html" } }).blob(); return [b.size, b.type] })()`,
  `(async () => { const r = new Response("x"); await r.text(); try { await r.text() } catch (e) { return e.name } })()`, `(async () => { const r = new Response("x"); await r.text(); try { r.clone() } catch (e) { return e.name } })()`,
  `(async () => [new Response().body, await new Response().text(), await new Response(null).text()])()`, `(async () => { try { await new Response("{").json() } catch (e) { return e.name } })()`,
  `(async () => new Response(new URLSearchParams({ a: "1 2" })).headers.get("content-type") + await new Response(new URLSearchParams({ a: "1 2" })).text())()`, `(async () => new Response(5).text())()`, `(async () => new Response({ a: 1 }).text())()`, `(async () => new Response("\\ufeffx").text())()`,
  ...[`new Response("x", { status: 204 })`, `new Response(null, { status: 204 })`, `new Response("", { status: 99 })`, `new Response("", { status: 600 })`, `Response.json(undefined)`, `Response.redirect("nope")`, `Response.redirect("http://a/", 200)`, `new Response("", { statusText: "a\\nb" })`].map((code) => `(() => { try { return ${code}.status } catch (e) { return e.name } })()`),
  `(() => { const r = Response.redirect("http://a/b", 301); return [r.status, r.headers.get("location"), Response.error().type, Response.error().status] })()`,
  `(async () => { const r = new Request("https://a.b/c?d#e", { method: "post", body: JSON.stringify({ x: 1 }), headers: { "content-type": "application/json" } }); return [r.url, r.method, r.headers.get("content-type"), r.mode, r.credentials, r.cache, r.redirect, r.referrer, r.keepalive, r.destination, await r.json()] })()`,
  `(async () => { const r = new Request("https://a/", { method: "PUT", body: "x" }); const c = new Request(r, { headers: { a: "1" } }); return [c.method, c.url, c.headers.get("a"), await c.text()] })()`, `(async () => { const r = new Request("https://a/", { method: "POST", body: "x" }).clone(); return r.text() })()`,
  `(async () => { const r = new Request("https://a/", { method: "POST", body: "x" }); const c = new Request(r); const again = (() => { try { return new Request(r).method } catch (e) { return e.name } })(); return [r.bodyUsed, c.bodyUsed, again, await c.text()] })()`,
  `(() => { const r = new Request("https://a/", { method: "POST", body: "x" }); r.clone(); new Request(r, { body: "y" }); const e = new Request("https://a/"); new Request(e); return [r.bodyUsed, e.bodyUsed, new Request(e).method] })()`,
  ...[`new Request("nope")`, `new Request("https://a/", { body: "x" })`, `new Request("https://u:p@a/")`, `new Request("https://a/", { method: "TRACE" })`, `new Request("https://a/", { method: "a b" })`, `new Request("https://a/", { method: "delete" })`, `new Request("https://a/", { method: "custom" })`].map((code) => `(() => { try { return ${code}.method } catch (e) { return e.name } })()`),
  `(async () => { const b = new Blob(["ab", new Uint8Array([99]), new Blob(["d"])], { type: "Text/Plain" }); return [b.size, b.type, await b.text(), [...new Uint8Array(await b.arrayBuffer())], await b.slice(1, 3, "x/y").text(), b.slice(1).type, await b.slice(-2).text()] })()`,
  `(() => { const f = new File(["abc"], "a.txt", { type: "text/plain", lastModified: 5 }); return [f.name, f.size, f.type, f.lastModified, f instanceof Blob] })()`, `(async () => { const f = new FormData(); f.append("a", 1); f.append("a", "2"); f.append("file", new Blob(["x"]), "n.txt"); f.set("b", "3"); return [f.get("a"), f.getAll("a"), f.has("b"), f.get("file").name, [...f.keys()], await f.get("file").text()] })()`,
  `(() => { const f = new FormData(); f.append("a", "1"); f.append("b", "2"); f.append("a", "3"); f.set("a", "4"); f.delete("b"); return [...f] })()`, `(async () => { const f = new FormData(); f.append("a", "1"); f.append("file", new File(["body"], "n.txt", { type: "text/plain" })); const r = new Response(f); const type = r.headers.get("content-type"); const g = await r.formData(); return [type.startsWith("multipart/form-data; boundary="), g.get("a"), g.get("file").name, g.get("file").type, await g.get("file").text()] })()`,
  `(async () => [...await new Response("a=1&b=%20", { headers: { "content-type": "application/x-www-form-urlencoded" } }).formData()])()`, `(() => { try { new Blob("x") } catch (e) { return e.name } })()`, `(() => { try { new File([]) } catch (e) { return e.name } })()`, `new Blob().size`, `Object.prototype.toString.call(new Response())`,
  `[typeof Headers, typeof Request, typeof Response, typeof Blob, typeof File, typeof FormData, typeof URLPattern]`, `require("util").inspect(new Headers({ a: "1" }))`,
];
