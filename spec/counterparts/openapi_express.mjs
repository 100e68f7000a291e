// A service on Express that answers with what Express, qs and cookie have read from a request: openapi_express.mjs INSTALLED
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "node_modules", "index.js"));
const express = require("express");
const cookie = require("cookie");

const app = express();
app.set("query parser", "extended");
app.use(express.json({ strict: false }));
app.use(express.urlencoded({ extended: true }));
app.use(express.text({ type: "text/*" }));
app.use(express.raw({ type: "application/octet-stream" }));

const read = (request) => ({
  method: request.method,
  params: { ...request.params },
  query: request.query,
  cookies: { ...cookie.parse(request.headers.cookie ?? "") },
  header: request.headers["x-list"] ?? null,
  authorization: request.headers.authorization ?? null,
  body: Buffer.isBuffer(request.body) ? [...request.body] : request.body ?? null,
});

app.all("/v1/echo/:value", (request, response) => response.json(read(request)));
app.all("/v1/echo", (request, response) => response.json(read(request)));
app.get("/v1/secret", (request, response) => {
  if (request.headers["x-api-key"] !== "key-of-the-host") return response.status(401).json({ error: "no key" });
  response.json({ query: request.query });
});
app.get("/v1/pets", (request, response) => {
  const page = Number(request.query.page ?? 1);
  if (page < 4) response.links({ next: `/v1/pets?page=${page + 1}`, last: "/v1/pets?page=4" });
  response.json([{ id: page }]);
});
let attempts = 0;
app.get("/v1/busy", (request, response) => {
  attempts += 1;
  if (attempts < 3) return response.status(503).set("retry-after", "0").end();
  response.json({ attempts });
});
app.get("/v1/missing", (request, response) => response.status(404).json({ reason: "there is none" }));
app.get("/v1/away", (request, response) => response.redirect("http://169.254.169.254/latest/meta-data"));
app.get("/v1/huge", (request, response) => response.type("text/plain").send("x".repeat(20 << 20)));

const server = app.listen(0, "127.0.0.1", () => console.log(server.address().port));
