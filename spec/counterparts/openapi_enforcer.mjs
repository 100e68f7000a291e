// A service that OpenAPI Enforcer makes from an OpenAPI document: openapi_enforcer.mjs INSTALLED DOCUMENT
// It answers with what it has read from a request: each parameter as the type that the document gives it.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , installed, file] = process.argv;
const enforcer = createRequire(join(installed, "node_modules", "index.js"))("openapi-enforcer");

const api = await enforcer(file, { hideWarnings: true });
const server = createServer(({ method, url, headers }, response) => {
  const [read, error] = api.request({ method, path: url, headers });
  response.writeHead(error ? 400 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(error ? { error: String(error) } : { path: read.path, query: read.query, header: read.headers, cookie: read.cookie }));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
