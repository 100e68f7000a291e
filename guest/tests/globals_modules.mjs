// path, url, querystring, events, assert.

const PATHS = [
  "", ".", "..", "/", "//", "a", "a/", "/a", "/a/b", "/a/b/", "a/b/c.txt", "./a", "../a", "a/../b", "/../a", "a//b", "/a/./b/../c", ".bashrc", "a.b.c", "a.", ".a.b", "/.a", "a/.b", "..a", "a/..", "//a", "//a//b//",
  "/a/b.html/", "x/y.tar.gz", "...", "a/...", "./", "../", "../../x", "/..", "a/b/../../..", "file.", "/foo/bar/baz/asdf/quux.html",
];
const quoted = JSON.stringify;

const URLS = [
  "https://user:pass@example.com:8080/p/a/t/h?query=string#hash", "/a?b=1#c", "http://example.com", "http://EXAMPLE.com/Path?x=1", "mailto:a@b.c", "file:///etc/hosts", "//host/path", "a/b", "?x=1", "#h", "", "http://a.com:80?x", "javascript:alert(1)",
  "http://[::1]:3000/x", "ftp://u@h/x", "HTTP://a.b/c d", "http://x.com/a'b?c'd",
];

export const MODULES = [
  ...PATHS.flatMap((one) => ["normalize", "dirname", "basename", "extname", "isAbsolute", "parse"].map((name) => `require("path").${name}(${quoted(one)})`)),
  ...PATHS.flatMap((one) => [`require("path").join(${quoted(one)}, "x")`, `require("path").join("r", ${quoted(one)}, "../y")`, `require("path").resolve("/base", ${quoted(one)})`, `require("path").relative("/a/b", require("path").resolve("/", ${quoted(one)}))`,
    `require("path").format(require("path").parse(${quoted(one)}))`, `require("path").basename(${quoted(one)}, ".txt")`]),
  `require("path").join()`, `require("path").join(1)`, `require("path").basename(5)`, `require("path").relative("/a/b/c", "/a/d")`, `require("path").basename("a.txt", "a.txt")`, `require("path").format({ dir: "/x", name: "f", ext: "txt" })`,
  `require("path").format({ root: "/", base: "f" })`, `require("path").sep + require("path").delimiter`, `require("path").posix === require("path")`, `require("node:path/posix").join("a", "b")`,
  ...URLS.flatMap((url) => [`({ ...require("url").parse(${quoted(url)}) })`, `require("url").parse(${quoted(url)}, true).query`, `require("url").format(require("url").parse(${quoted(url)}))`]),
  `require("url").resolve("http://a.com/b/c", "../d?x=1")`, `require("url").resolve("/one/two/three", "four")`, `require("url").resolve("http://example.com/", "/one")`,
  `require("url").format({ protocol: "https", hostname: "a.b", port: 8080, pathname: "/x", query: { a: 1, b: ["c", "d"] } })`, `require("url").format(new URL("http://u:p@a.b/c?d#e"), { auth: false, fragment: false, search: false })`,
  `require("url").fileURLToPath("file:///a%20b/c")`, `require("url").fileURLToPath("http://x")`, `require("url").pathToFileURL("/a b/c#?").href`, `new (require("url").URL)("http://a/b").href`, `require("url").domainToASCII("español.com")`,
  `require("url").urlToHttpOptions(new URL("https://a:b@測試.com/p?q#h")).auth`,
  ...["a=1&b=2", "a=1&a=2&a=3", "a", "=x", "a=b=c", "a=%20+b", "a=%zz", "", "&&a=1&", "a[]=1&a[]=2", "%E4%BD%A0=%F0%9F%98%80", "a=%ff"].map((text) => `({ ...require("querystring").parse(${quoted(text)}) })`),
  `({ ...require("querystring").parse("a:1;b:2", ";", ":") })`, `require("querystring").stringify({ a: 1, b: ["x", "y z"], c: true, d: null, e: undefined, f: NaN, g: { h: 1 }, i: 10n })`, `require("querystring").stringify({ "ä&": "=€!'()*~" })`,
  `require("querystring").escape("a b&c/é")`, `require("querystring").unescape("a%20b%E9")`, `require("querystring").stringify("x")`, `require("querystring").stringify({ a: 1, b: 2 }, ";", ":")`,
  `(() => { const E = require("events"); const e = new E(); const seen = []; e.on("a", (x, y) => seen.push(["on", x, y])); e.once("a", (x) => seen.push(["once", x])); e.prependListener("a", () => seen.push("first")); return [e.emit("a", 1, 2), e.emit("a", 3), e.emit("b"), seen, e.listenerCount("a"), e.eventNames()] })()`,
  `(() => { const { EventEmitter } = require("node:events"); const e = new EventEmitter(); const f = () => {}; e.on("x", f).on("x", f).off("x", f); return [e.listenerCount("x"), e.listeners("x")[0] === f, e.removeAllListeners("x").eventNames()] })()`,
  `new (require("events"))().emit("error", new RangeError("no handler"))`, `new (require("events"))().emit("error", "text")`, `new (require("events"))().on("x", 5)`, `(() => { const E = require("events"); class My extends E { constructor() { super(); this.v = 1 } } const m = new My(); let got; m.on("x", function () { got = this === m }); m.emit("x"); return [got, m instanceof E, m.v] })()`,
  `(() => { const util = require("util"), E = require("events"); function Old() { E.call(this) } util.inherits(Old, E); let n = 0; const o = new Old(); o.on("x", () => n++); o.emit("x"); return n })()`,
  `(async () => { const E = require("events"); const e = new E(); setTimeout(() => e.emit("ready", 1, 2), 1); return E.once(e, "ready") })()`, `(async () => { const E = require("events"); const e = new E(); setTimeout(() => e.emit("error", new TypeError("bad")), 1); return E.once(e, "ready") })()`,
  `(() => { const e = new (require("events"))(); const seen = []; e.on("newListener", (name) => seen.push(name)); e.on("a", () => {}); e.once("b", () => {}); return seen })()`,
  `require("events") === require("events").EventEmitter`,
  `(async () => { const { EventEmitter, on } = require("events"); const e = new EventEmitter(), seen = []; const it = on(e, "q"); e.emit("q", 1, 2); e.emit("q", 3); e.emit("error", new RangeError("r")); seen.push((await it.next()).value, (await it.next()).value); try { await it.next() } catch (x) { seen.push(x.name) } return [...seen, (await it.next()).done, e.listenerCount("q"), e.listenerCount("error")] })()`,
  `(async () => { const { EventEmitter, on } = require("events"); const e = new EventEmitter(), c = new AbortController(), seen = []; queueMicrotask(() => { e.emit("a", 1); queueMicrotask(() => c.abort()) }); try { for await (const v of on(e, "a", { signal: c.signal })) seen.push(v) } catch (x) { seen.push(x.name, x.code) } return [seen, e.listenerCount("a")] })()`,
  `(async () => { const { EventEmitter, on } = require("events"); const e = new EventEmitter(), seen = []; queueMicrotask(() => { e.emit("b", 1); e.emit("b", 2); e.emit("end") }); for await (const [v] of on(e, "b", { close: ["end"] })) seen.push(v); const it = on(e, "z"), next = it.next(); it.return(); return [seen, await next, e.eventNames()] })()`,
  `(() => { try { require("events").on(new (require("events"))(), "a", { signal: AbortSignal.abort() }) } catch (x) { return x.name } })()`,
  ...[`ok(1)`, `ok(0, "message")`, `equal(1, "1")`, `equal(1, 2)`, `strictEqual(1, 1)`, `strictEqual(1, 2)`, `strictEqual("a", "b", "own message")`, `notStrictEqual(1, 1)`, `notEqual(1, 1)`, `throws(() => { throw new TypeError("x") })`, `throws(() => { throw new TypeError("x") }, TypeError)`, `throws(() => { throw new TypeError("x") }, /x/)`,
    `throws(() => { throw new TypeError("x") }, { name: "TypeError", message: "x" })`, `throws(() => {})`, `throws(() => { throw new Error("x") }, (e) => e.message === "x")`, `doesNotThrow(() => 1)`, `match("abc", /b/)`, `match("abc", /x/)`, `doesNotMatch("abc", /x/)`, `fail()`, `fail("f")`, `ifError(null)`, `ifError(new Error("e"))`,
    `rejects(Promise.reject(new Error("r")))`, `rejects(async () => {})`, `rejects(async () => { throw new RangeError("q") }, RangeError)`, `strict.equal(1, "1")`, `deepStrictEqual([1, { a: 2 }], [1, { a: 2 }])`, `doesNotReject(async () => 1)`, `ok(null, new RangeError("given"))`,
    `strictEqual(1, "1", "")`, `strictEqual(undefined, null, "m")`, `deepStrictEqual([1, 2, 3], [1, 3], "m")`, `deepStrictEqual({ a: 1, b: [1, { c: 2 }] }, { a: 2, b: [1, { c: 3 }] })`, `strictEqual({ a: 1 }, { a: 1 })`,
    `strictEqual("hello", "world")`, `deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]]))`, `strictEqual(NaN, 0)`, `strictEqual([1], [1], "m")`, `deepStrictEqual({ b: 1, a: 2 }, { a: 2 })`, `notDeepStrictEqual({ a: 1 }, { a: 1 })`, `deepEqual({ a: 1 }, { a: "1" })`].map((call) => `require("assert").${call}`),
  `(() => { try { require("assert").deepStrictEqual({ a: 1 }, { a: 2 }) } catch (e) { return [e.name, e.code, e.actual, e.expected, e.operator, e.generatedMessage, e instanceof Error] } })()`,
  `(() => { try { require("assert")(0) } catch (e) { return [e.name, e.code, e.actual, e.expected, e.operator] } })()`, `require("assert/strict").equal(1, 1)`, `require("node:assert").AssertionError.name`,
  `import("node:path").then((m) => [typeof m.default.join, m.join("a", "b")])`, `import("node:events").then((m) => typeof m.EventEmitter + typeof m.default)`, `import("util").then((m) => m.inspect([1]))`, `import("timers/promises").then((m) => m.setTimeout(1, 5))`,
  `require("node:buffer").Buffer === Buffer`, `require("perf_hooks").performance === performance`, `require("process") === process`, `require("timers").setTimeout === setTimeout`,
];
