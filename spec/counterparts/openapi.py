"""Calls services through OpenAPI documents: openapi.py ISOBOX FOLDER INSTALLED

The services run on Express and Starlette. They answer with what they have read from a request, so that every style of parameter
is checked by a parser that is not ours."""

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIST, OBJECT = ["a b", "c,d", "é&="], {"R": 100, "G": "x y"}


def parameter(name: str, place: str, style: str, explode: bool, **more: object) -> dict:
    return {"name": name, "in": place, "style": style, "explode": explode, "required": place == "path", "schema": {}, **more}


def echo(path: str, *parameters: dict) -> dict:
    return {path: {"get": {"parameters": list(parameters), "responses": {"200": {"content": {"application/json": {}}}}}}}


def express_document() -> dict:
    """A document with an operation for every style of every part of a request."""
    paths = {}
    for place, styles in {
        "path": ["simple", "label", "matrix"],
        "query": ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
        "header": ["simple"],
        "cookie": ["form"],
    }.items():
        for style in styles:
            for explode in (True, False):
                name = {"path": "value", "header": "X-List"}.get(place, "value")
                operation = f"{place}_{style}_{'exploded' if explode else 'joined'}"
                where = "/echo/{value}" if place == "path" else "/echo"
                # Different operations on one path need different methods, so the path has a fixed query.
                item = echo(where, parameter(name, place, style, explode))[where]
                item["get"]["operationId"] = operation
                paths[f"{where}?for={operation}"] = item
    body = {"content": {one: {} for one in ("application/json", "application/x-www-form-urlencoded", "text/plain", "application/octet-stream")}}
    paths["/echo"] = {"post": {"operationId": "send", "requestBody": body}, "delete": {"operationId": "remove"}}
    paths["/secret"] = {"get": {"operationId": "secret", "security": [{"key": []}], "parameters": [{"name": "X-Api-Key", "in": "header", "schema": {"type": "string"}}]}}
    listed = {"200": {"headers": {"Link": {}}, "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}
    paths["/pets"] = {"get": {"operationId": "pets", "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}], "responses": listed}}
    for name in ("busy", "missing", "away", "huge"):
        paths[f"/{name}"] = {"get": {"operationId": name}}
    pet = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "parent": {"$ref": "#/components/schemas/Pet"}}}
    schemes = {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}
    return {"openapi": "3.0.3", "paths": paths, "components": {"schemas": {"Pet": pet}, "securitySchemes": schemes}}


STARLETTE = """\
swagger: "2.0"
paths:
  /echo/{value}:
    get:
      operationId: read
      parameters:
        - {name: value, in: path, type: string, required: true}
        - {name: multi, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: tabs, in: query, type: array, items: {type: string}, collectionFormat: tsv}
        - {name: X-List, in: header, type: array, items: {type: integer}}
  /form:
    post:
      operationId: upload
      consumes: [multipart/form-data]
      parameters:
        - {name: title, in: formData, type: string, required: true}
        - {name: tags, in: formData, type: array, items: {type: string}}
        - {name: pipes, in: formData, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: multi, in: formData, type: array, items: {type: string}, collectionFormat: multi}
        - {name: photo, in: formData, type: file}
  /form?encoded:
    post:
      operationId: submit
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - {name: tags, in: formData, type: array, items: {type: string}}
        - {name: pipes, in: formData, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: multi, in: formData, type: array, items: {type: string}, collectionFormat: multi}
  /image:
    get: {operationId: image, produces: [image/png], responses: {200: {schema: {type: file}}}}
  /raw:
    put:
      operationId: raw
      consumes: [application/octet-stream]
      parameters: [{name: content, in: body, schema: {type: string, format: binary}}]
"""

PROGRAM = """
const LIST = %s, OBJECT = %s;
const query = async (name: string, value: unknown) => (await tools.express[name]({ value })).query.value;
const tryTo = async (work: () => Promise<unknown>) => { try { return await work(); } catch (error) { return error.message; } };
const exploded = (await tools.express.query_form_exploded({ value: OBJECT })).query;
const pages = await tools.express.pets.pages({ maxPages: 2 });
return {
  path: {
    simple: (await tools.express.path_simple_joined({ value: LIST })).params.value,
    simpleObject: (await tools.express.path_simple_exploded({ value: OBJECT })).params.value,
    label: (await tools.express.path_label_exploded({ value: LIST })).params.value,
    labelObject: (await tools.express.path_label_joined({ value: OBJECT })).params.value,
    matrix: (await tools.express.path_matrix_exploded({ value: LIST })).params.value,
    matrixObject: (await tools.express.path_matrix_joined({ value: OBJECT })).params.value,
    slash: (await tools.express.path_simple_joined({ value: "a/b" })).params.value,
    climbing: await tryTo(() => tools.express.path_simple_joined({ value: "../secret" })),
  },
  query: {
    exploded: await query("query_form_exploded", LIST),
    one: await query("query_form_exploded", "x=y&z"),
    joined: await query("query_form_joined", LIST),
    fields: [exploded.R, exploded.G],
    joinedFields: await query("query_form_joined", OBJECT),
    spaces: await query("query_spaceDelimited_joined", ["a", "b"]),
    pipes: await query("query_pipeDelimited_joined", ["a", "b"]),
    deep: await query("query_deepObject_exploded", { a: { b: ["x", "y z"] }, c: 1 }),
  },
  header: (await tools.express.header_simple_joined({ "X-List": [1, 2] })).header,
  headerObject: (await tools.express.header_simple_exploded({ "X-List": OBJECT })).header,
  cookie: (await tools.express.cookie_form_joined({ value: "x; y=é" })).cookies,
  bodies: [
    (await tools.express.send({ body: { a: [1, null] } })).body,
    (await tools.express.send({ body: { a: [1, 2], b: "x&y" }, contentType: "application/x-www-form-urlencoded" })).body,
    (await tools.express.send({ body: "Hello", contentType: "text/plain" })).body,
    (await tools.express.send({ body: { data: "AP8=" }, contentType: "application/octet-stream" })).body,
  ],
  secret: await tools.express.secret(),
  pages: pages.pages,
  rest: (await tools.express.pets.pages(pages.next)).pages,
  busy: await tools.express.busy(),
  missing: await tryTo(() => tools.express.missing()),
  missingError: await tools.express.missing().catch((error: any) => [error.status, error.body]),
  everyPage: await (async () => { const ids = []; for await (const page of tools.express.pets.pages({ page: 2 })) ids.push(page[0].id); return ids; })(),
  somePages: await (async () => { const ids = []; for await (const page of tools.express.pets.pages({ maxPages: 3 })) ids.push(page[0].id); return ids; })(),
  missingStatus: (await tools.express.request({ path: "/missing" })).status,
  unknown: await tryTo(() => tools.express.request({ path: "/v2/other" })),
  denied: await tryTo(() => tools.express.request({ method: "DELETE", path: "/echo" })),
  away: await tryTo(() => tools.express.away()),
  huge: await tryTo(() => tools.express.huge()),
  spec: await tools.express.spec({ pointer: "#/components/schemas/Pet" }),
  starlette: await tools.starlette.read({ value: "x y", multi: ["a", "b&"], tabs: ["c", "d"], "X-List": [1, 2] }),
  lists: await tools.starlette.upload({ body: { title: "T", tags: ["a", "b c"], pipes: ["a", "b"], multi: ["a,b", "c"] } }),
  encodedLists: await tools.starlette.submit({ body: { tags: ["a", "b c"], pipes: ["a", "b"], multi: ["a,b", "c"] } }),
  upload: await tools.starlette.upload({ body: { title: "T", photo: { data: "AAH/", mimeType: "image/png", fileName: "p.png" } } }),
  image: await tools.starlette.image(),
  raw: await tools.starlette.raw({ body: { data: "AP8=" } }),
};
"""

EXPECTED = {
    "path": {
        "simple": "a b,c,d,é&=",
        "simpleObject": "R=100,G=x y",
        "label": ".a b.c,d.é&=",
        "labelObject": ".R,100,G,x y",
        "matrix": ";value=a b;value=c,d;value=é&=",
        "matrixObject": ";value=R,100,G,x y",
        "slash": "a/b",
        "climbing": "express: `value` contains `.` or `..` as a segment, which would be another path",
    },
    "query": {
        "exploded": LIST,
        "one": "x=y&z",
        "joined": "a b,c,d,é&=",
        "fields": ["100", "x y"],
        "joinedFields": "R,100,G,x y",
        "spaces": "a b",
        "pipes": "a|b",
        "deep": {"a": {"b": ["x", "y z"]}, "c": "1"},
    },
    "header": "1,2",
    "headerObject": "R=100,G=x y",
    "cookie": {"value": "x; y=é"},
    "bodies": [{"a": [1, None]}, {"a": ["1", "2"], "b": "x&y"}, "Hello", [0, 255]],
    "secret": {"query": {}},
    "pages": [[{"id": 1}], [{"id": 2}]],
    "rest": [[{"id": 3}], [{"id": 4}]],
    "busy": {"attempts": 3},
    "missing": 'express: GET /missing: 404 Not Found: {"reason":"there is none"}',
    "missingError": [404, {"reason": "there is none"}],
    "everyPage": [2, 3, 4],
    "somePages": [1, 2, 3],
    "missingStatus": 404,
    "unknown": "express: no operation of the document is GET /v2/other",
    "denied": "the policy forbids this call of `express.remove`: rule 1 (`express.remove`) denies it",
    "away": "express: GET /away: 302 Found: Found. Redirecting to http://169.254.169.254/latest/meta-data "
    "(redirects are not followed; the operator allows them with `redirects`)",
    "spec": express_document()["components"]["schemas"]["Pet"],
    "starlette": {"path": {"value": "x y"}, "query": [["multi", "a"], ["multi", "b&"], ["tabs", "c\td"]], "cookies": {}, "header": "1,2"},
    "lists": [["title", "T"], ["tags", "a,b c"], ["pipes", "a|b"], ["multi", "a,b"], ["multi", "c"]],
    "encodedLists": [["tags", "a,b c"], ["pipes", "a|b"], ["multi", "a,b"], ["multi", "c"]],
    "upload": [["title", "T"], ["photo", {"file": "p.png", "type": "image/png", "data": "AAH/"}]],
    "image": {"type": "image", "mimeType": "image/png", "data": "iVBORwD/"},
    "raw": {"type": "application/octet-stream", "body": "AP8="},
}


def guide(isobox: Path, folder: Path, express: str) -> None:
    """Runs the example of the guide."""
    page = (HERE.parents[1] / "docs" / "guides" / "openapi.md").read_text()
    blocks = {language: text for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S)}
    here = folder / "guide"
    here.mkdir()
    (here / "shop.yaml").write_text(blocks["yaml"])
    config = blocks["jsonc"].replace("https://shop.example.com", express).replace("${SHOP_TOKEN}", "token")
    assert express in config, config
    (here / "isobox.json").write_text(config)
    (here / "program.ts").write_text(blocks["typescript"])
    outcome, stderr = run(isobox, here, "program.ts", "isobox.json")
    assert outcome["result"] == json.loads(blocks["json"]), (outcome, stderr)
    (here / "remove.ts").write_text('return await tools.shop.request({ method: "DELETE", path: "/echo/7" });')
    outcome, stderr = run(isobox, here, "remove.ts", "isobox.json")
    assert outcome["status"] == "paused", (outcome, stderr)


def run(isobox: Path, folder: Path, program: str, config: str) -> tuple[dict, str]:
    command = [isobox, "run", program, "--config", config, "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=folder)
    assert ended.stdout.strip(), ended.stderr
    return json.loads(ended.stdout), ended.stderr


def start(*command: object) -> tuple[subprocess.Popen, str]:
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    return process, f"http://127.0.0.1:{process.stdout.readline().strip()}"


def main() -> None:
    isobox, folder, installed = (Path(argument) for argument in sys.argv[1:4])
    node = json.loads((folder / "isobox.json").read_text())["mcpServers"]["memory"]["command"]
    express, express_url = start(node, HERE / "openapi_express.mjs", installed)
    starlette, starlette_url = start(sys.executable, HERE / "openapi_starlette.py")
    try:
        call(isobox, folder, express_url, starlette_url)
        guide(isobox, folder, express_url)
    finally:
        for process in (express, starlette):
            process.terminate()
            process.wait()


def call(isobox: Path, folder: Path, express: str, starlette: str) -> None:
    (folder / "express.json").write_text(json.dumps(express_document()))
    (folder / "starlette.yaml").write_text(STARLETTE)
    config = {
        "openapi": {
            "express": {"spec": "./express.json", "baseUrl": f"{express}/v1", "auth": {"apiKey": "key-of-the-host"}},
            "starlette": {"spec": "./starlette.yaml", "baseUrl": starlette},
            "dead": {"spec": "./none.yaml", "baseUrl": "https://api.example.com"},
        },
        "policy": [{"tools": "express.remove", "deny": True}],
    }
    (folder / "openapi.json").write_text(json.dumps(config))
    (folder / "openapi.ts").write_text(PROGRAM % (json.dumps(LIST), json.dumps(OBJECT)))
    outcome, stderr = run(isobox, folder, "openapi.ts", "openapi.json")
    assert outcome["status"] == "completed", (outcome, stderr)
    result = outcome["result"]
    assert result.pop("huge").startswith("express: the response is larger than "), result
    differing = {key: (result.get(key), EXPECTED.get(key)) for key in result.keys() | EXPECTED if result.get(key) != EXPECTED.get(key)}
    assert not differing, json.dumps(differing, indent=2, ensure_ascii=False)
    assert "`dead`" in stderr and "there is no such file" in stderr, stderr
    print(f"checked {len(EXPECTED) + 1} groups of calls against Express and Starlette")


if __name__ == "__main__":
    main()
