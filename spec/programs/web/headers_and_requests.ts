const headers = new Headers({ "Content-Type": "application/json", Accept: "*/*" });
headers.append("X-Tag", "one");
headers.append("x-tag", "two");
headers.set("accept", "text/html");
const request = new Request("https://api.example.com/items", { method: "POST", headers, body: JSON.stringify({ a: 1 }) });
const response = new Response(JSON.stringify({ ok: true }), { status: 201, headers: { "content-type": "application/json" } });
return {
  list: [...headers],
  has: headers.has("ACCEPT"),
  method: request.method,
  body: await request.json(),
  status: response.status,
  ok: response.ok,
  data: await response.clone().json(),
  text: (await response.text()).length,
  redirect: Response.json({ x: 1 }, { status: 404 }).status,
};
