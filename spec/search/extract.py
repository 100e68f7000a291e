#!/usr/bin/env python3
"""Makes tools.jsonl out of a folder of OpenAPI documents: one line for each operation.

    python3 spec/search/extract.py FOLDER > spec/search/tools.jsonl

Needs PyYAML. The folder is not part of the repository (see NOTICE.md); the tests read the file alone.
"""

import html
import json
import re
import sys
from pathlib import Path

import yaml

METHODS = ("get", "put", "post", "delete", "patch", "head", "options")
MAX_DESCRIPTION = 200
MAX_PARAMETERS = 16
SHORT = {"amazonaws": "aws", "googleapis": "google"}


def main() -> None:
    for file in sorted(Path(sys.argv[1]).glob("*.yaml")):
        document = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        namespace = namespace_of(file.name)
        taken = set()
        for route, item in (document.get("paths") or {}).items():
            for method in METHODS:
                operation = (item or {}).get(method)
                if not isinstance(operation, dict):
                    continue
                path = unique(f"{namespace}.{tool_name(namespace, method, route, operation)}", taken)
                tool = {
                    "path": path,
                    "description": description_of(operation),
                    "parameters": parameters_of(document, item, operation),
                }
                print(json.dumps(tool, ensure_ascii=False, separators=(",", ":")))


def namespace_of(file_name: str) -> str:
    """`azure.com_network-routeTable_2015-06-15.swagger.yaml` is `azure_network_routeTable`."""
    stem = re.sub(r"\.(openapi|swagger)\.yaml$", "", file_name)
    provider, *service = stem.split("_")[:-1] if re.search(r"_v?\d", stem) else stem.split("_")
    provider = provider.split(".")[0]
    names = [SHORT.get(provider, provider), *service]
    names = [name for name in names if not re.fullmatch(r"v?\d[\w.]*", name)]
    if len(names) > 1 and names[1].lower().startswith(names[0].lower()):
        names = names[1:]
    return re.sub(r"[^A-Za-z0-9]+", "_", "_".join(names)).strip("_")


def tool_name(namespace: str, method: str, route: str, operation: dict) -> str:
    """The id of the operation, whose dots make namespaces; without one the method and the route."""
    name = operation.get("operationId")
    if not name:
        name = method + "_" + re.sub(r"[{}]", "", route)
    segments = [re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]+", "_", part)).strip("_") for part in name.split(".")]
    segments = [("_" + part if part[0].isdigit() else part) for part in segments if part]
    if len(segments) > 1 and namespace.lower().endswith(segments[0].lower()):
        segments = segments[1:]
    return ".".join(segments)


def unique(path: str, taken: set) -> str:
    candidate, number = path, 1
    while candidate in taken:
        number += 1
        candidate = f"{path}_{number}"
    taken.add(candidate)
    return candidate


def description_of(operation: dict) -> str:
    summary = plain(operation.get("summary") or "")
    description = plain(operation.get("description") or "")
    if summary and description and not description.lower().startswith(summary.lower().rstrip(".")):
        description = f"{summary.rstrip('.')}. {description}"
    text = description or summary
    return text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1] + "…"


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text))).strip()


def parameters_of(document: dict, item: dict, operation: dict) -> list:
    names = []
    for parameter in [*(item.get("parameters") or []), *(operation.get("parameters") or [])]:
        parameter = resolved(document, parameter)
        if parameter.get("in") in ("path", "query", "formData"):
            names.append(parameter.get("name"))
        elif parameter.get("in") == "body":
            names += properties_of(document, parameter.get("schema"))
    body = resolved(document, operation.get("requestBody") or {})
    for content in (body.get("content") or {}).values():
        names += properties_of(document, content.get("schema"))
        break
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))[:MAX_PARAMETERS]


def properties_of(document: dict, schema, depth: int = 0) -> list:
    schema = resolved(document, schema or {})
    names = list(schema.get("properties") or {})
    if depth < 4:
        for part in schema.get("allOf") or []:
            names += properties_of(document, part, depth + 1)
    return names


def resolved(document: dict, node: dict) -> dict:
    for _ in range(8):
        reference = node.get("$ref") if isinstance(node, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        target = document
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, dict) else {}
        node = target
    return node if isinstance(node, dict) else {}


if __name__ == "__main__":
    main()
