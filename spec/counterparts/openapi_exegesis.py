"""Calls services that Exegesis and OpenAPI Enforcer make from OpenAPI documents: openapi_exegesis.py ISOBOX FOLDER INSTALLED

The documents have an operation for every style of every part of a request, for every kind of value. The services read requests by
the document, and have to read what a program has sent, in the same types. Exegesis knows neither `label` nor lists and objects in
cookies: these are for OpenAPI Enforcer."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# With the separators of all styles: each part is decoded after it was taken apart.
LIST = ["a b", "c,d", "é&=", "x|y", "50%", "p;q"]
VALUES = {"text": "x y/é,;=&", "number": 7, "list": LIST, "numbers": [1, 20, 300], "texts": ["a", "b,c"], "object": {"R": 100, "G": "x y,z"}}
# Nothing is escaped in a header.
PLAIN = {**VALUES, "text": "x y/,;=&", "list": ["a b", "&=", "x|y"], "texts": ["a;b", "c"], "object": {"R": 100, "G": "x y;z"}}
SCHEMAS = {
    "text": {"type": "string"},
    "number": {"type": "integer"},
    "list": {"type": "array", "items": {"type": "string"}},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "texts": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "string"}}, "required": ["R", "G"]},
}
LISTS, OBJECTS = ({kind: VALUES[kind] for kind in kinds} for kinds in (("numbers", "texts"), ("object",)))
EXEGESIS = {
    "path": {"simple": VALUES, "matrix": VALUES},
    "query": {"form": VALUES, "spaceDelimited": LISTS, "pipeDelimited": LISTS, "deepObject": OBJECTS},
    "header": {"simple": PLAIN},
}
# OpenAPI Enforcer decodes a path before it takes it apart, and does not decode cookies.
ENFORCER = {
    "path": {"label": {**VALUES, "list": ["a b", "é&=", "x|y", "50%", "p;q"], "texts": ["a", "b c"], "object": {"R": 100, "G": "x y;z"}}},
    "cookie": {"form": {"text": "plain", "number": 7, "list": ["a", "b"], "numbers": [1, 20, 300], "object": {"R": 100, "G": "x"}}},
}
RESPONSES = {"200": {"description": "What was read.", "content": {"application/json": {"schema": {"type": "object"}}}}}
BODIES = {
    "application/json": {"title": "T", "tags": ["a", "b"], "deep": {"n": [1, None]}},
    "application/x-www-form-urlencoded": {"title": "T & é", "tags": ["a b", "c,d"], "count": 3},
}


def is_possible(place: str, style: str, kind: str, explode: bool) -> bool:
    """Objects in brackets are always exploded. Only single values can be exploded in a cookie."""
    if place == "cookie":
        return not explode or kind in ("text", "number")
    return explode or style != "deepObject"


def parameters(of_service: dict[str, dict[str, dict]]) -> dict[str, tuple[dict, dict, dict]]:
    """Returns an item, an input, and what has to be read for every path."""
    paths = {}
    for place, styles in of_service.items():
        for style, values in styles.items():
            for explode in (False, True):
                for kind, value in values.items():
                    if not is_possible(place, style, kind, explode):
                        continue
                    name = "x-value" if place == "header" else "value"
                    parameter = {"name": name, "in": place, "style": style, "explode": explode, "required": True, "schema": SCHEMAS[kind]}
                    operation = f"{place}_{style}_{'exploded' if explode else 'joined'}_{kind}"
                    path = f"/{operation}" + ("/{value}" if place == "path" else "")
                    item = {"get": {"operationId": operation, "parameters": [parameter], "responses": RESPONSES}}
                    paths[path] = (item, {name: value}, {place: {name: value}})
    return paths


def bodies() -> dict[str, tuple[dict, dict, dict]]:
    paths = {}
    for number, (media, value) in enumerate(BODIES.items()):
        kinds = {str: SCHEMAS["text"], int: SCHEMAS["number"], list: SCHEMAS["list"], dict: {"type": "object"}}
        properties = {name: kinds[type(part)] for name, part in value.items()}
        schema = {"type": "object", "properties": properties, "required": list(value), "additionalProperties": False}
        body = {"required": True, "content": {media: {"schema": schema}}}
        item = {"post": {"operationId": f"body_{number}", "requestBody": body, "responses": RESPONSES}}
        paths[f"/body_{number}"] = (item, {"body": value}, {"body": value})
    return paths


# What a service would take apart in other places than those where it was put together.
REFUSED = {
    "exegesis": {
        "header_simple_joined_list": {"x-value": ["a,b"]},
        "header_simple_exploded_object": {"x-value": {"R": 1, "G": "a,b"}},
        "query_pipeDelimited_joined_texts": {"value": ["a|b"]},
        "query_spaceDelimited_joined_texts": {"value": ["a b"]},
    },
    "enforcer": {"path_label_exploded_list": {"value": ["a.b"]}, "path_label_exploded_object": {"value": {"R": 1, "G": "a.b"}}},
}

PROGRAM = """
const service = tools.%s;
const inputs: Record<string, object> = %s;
const read: Record<string, unknown> = {};
for (const [name, input] of Object.entries(inputs)) {
  try {
    read[name] = await service[name](input);
  } catch (error) {
    read[name] = { error: error.body ?? error.message };
  }
}
const refused: Record<string, object> = %s;
for (const [name, input] of Object.entries(refused)) {
  read[`${name} refused`] = await service[name](input).then(() => "sent", (error) => error.message.includes("separates values"));
}
return read;
"""


def main() -> None:
    isobox, folder, installed = (Path(argument) for argument in sys.argv[1:4])
    node = json.loads((folder / "isobox.json").read_text())["mcpServers"]["memory"]["command"]
    for name, paths in {"exegesis": parameters(EXEGESIS) | bodies(), "enforcer": parameters(ENFORCER)}.items():
        items = {path: item for path, (item, *_) in paths.items()}
        document = {"openapi": "3.0.3", "info": {"title": "Read", "version": "1"}, "paths": items}
        (folder / f"{name}.json").write_text(json.dumps(document))
        command = [node, HERE / f"openapi_{name}.mjs", installed, folder / f"{name}.json"]
        service = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        try:
            call(isobox, folder, name, f"http://127.0.0.1:{service.stdout.readline().strip()}", paths)
        finally:
            service.terminate()
            service.wait()


def call(isobox: Path, folder: Path, name: str, url: str, paths: dict[str, tuple[dict, dict, dict]]) -> None:
    config = {"openapi": {name: {"spec": f"./{name}.json", "baseUrl": url}}}
    (folder / f"{name}.config.json").write_text(json.dumps(config))
    sent, expected = {}, {}
    for item, value, read in paths.values():
        (operation,) = item.values()
        sent[operation["operationId"]], expected[operation["operationId"]] = value, read
    (folder / f"{name}.ts").write_text(PROGRAM % (name, json.dumps(sent), json.dumps(REFUSED[name])))
    command = [isobox, "run", f"{name}.ts", "--config", f"{name}.config.json", "--approve-all", "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=folder)
    assert ended.stdout.strip(), ended.stderr
    outcome = json.loads(ended.stdout)
    assert outcome["status"] == "completed", (outcome, ended.stderr)
    result = outcome["result"]
    assert all(result.pop(f"{operation} refused") is True for operation in REFUSED[name]), outcome["result"]
    read = {operation: {part: value for part, value in parts.items() if value} for operation, parts in result.items()}
    differing = {operation: (read.get(operation), expected[operation]) for operation in expected if read.get(operation) != expected[operation]}
    assert not differing, json.dumps(differing, indent=2, ensure_ascii=False)
    print(f"checked {len(paths)} operations against a service that {name} makes from their document")


if __name__ == "__main__":
    main()
