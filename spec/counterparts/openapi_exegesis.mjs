// A service that Exegesis makes from an OpenAPI document: openapi_exegesis.mjs INSTALLED DOCUMENT
// It answers with what it has read from a request: each parameter as the type that the document gives it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , installed, file] = process.argv;
const exegesis = createRequire(join(installed, "node_modules", "index.js"))("exegesis");
const document = JSON.parse(readFileSync(file, "utf8"));

const read = ({ params, requestBody }) => ({ ...params, body: Buffer.isBuffer(requestBody) ? [...requestBody] : requestBody });
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
for (const operation of operations) operation["x-exegesis-controller"] = "service";
const service = Object.fromEntries(operations.map((operation) => [operation.operationId, read]));

const answer = await exegesis.compileApi(document, { controllers: { service }, controllersPattern: undefined });
const server = createServer((request, response) =>
  answer(request, response, (error) => {
    response.writeHead(error ? 500 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: String(error ?? "there is no such operation") }));
  }),
);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
