#!/usr/bin/env python3
"""An MCP server with resources, prompts, pictures and logs, of either era of the protocol. It speaks JSON-RPC by hand. What
it receives is written to a journal for the tests to read."""

import argparse
import json
import os
import sys

options = argparse.ArgumentParser()
options.add_argument("--journal", help="where to write what is received")
options.add_argument("--era", default="handshake", choices=["handshake", "discovery"])
options.add_argument("--resources", type=int, default=2, help="how many there are")
options.add_argument("--broken", action="store_true", help="declare lists, and refuse to give them")
options.add_argument("--silent", action="store_true", help="declare lists, and never answer")
arguments = options.parse_args()

IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": "UklGRgAAAABXQVZF", "mimeType": "audio/wav"}
CAPABILITIES = {"tools": {"listChanged": True}, "resources": {"listChanged": True}, "prompts": {"listChanged": True}, "logging": {}}
CLOSED = {"type": "object", "properties": {"width": {"type": "number"}}, "required": ["width"], "additionalProperties": False}
TOOLS = [
    {"name": "chart", "description": "Draws a chart.", "outputSchema": CLOSED},
    {"name": "resources", "description": "A tool with the name of a namespace."},
    {"name": "resources/read", "description": "A tool with the name of a function."},
    {"name": "announce", "description": "Says that a list has changed."},
    {"name": "log", "description": "Logs."},
]
PROMPTS = [
    {"name": "code-review", "title": "Review", "description": "Reviews some code.",
     "arguments": [{"name": "code", "description": "The code.", "required": True}, {"name": "tone"}]},
    {"name": "list"},
    {"name": "list"},
]


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        write_journal({"event": "message", "message": message})
        receive(message)


def receive(message: dict) -> None:
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method is None or id is None:
        return
    is_list = method.endswith("/list") and method != "tools/list"
    if is_list and arguments.broken:
        error(id, -32603, f"no {method} with {os.environ.get('TOKEN')}")
    elif is_list and arguments.silent:
        pass
    elif method == "initialize" and arguments.era == "handshake":
        answer(id, {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES,
                    "serverInfo": {"name": "content", "version": "1"}})
    elif method == "server/discover" and arguments.era == "discovery":
        answer(id, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES,
                    "ttlMs": 0, "cacheScope": "private", "serverInfo": {"name": "content", "version": "1"}})
    elif method == "subscriptions/listen" and arguments.era == "discovery":
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        notify("notifications/subscriptions/acknowledged", {"notifications": params["notifications"], "_meta": meta})
        globals()["subscription"] = meta
    elif method == "logging/setLevel":
        answer(id, {})
    elif method == "tools/list":
        answer(id, complete({"tools": TOOLS}))
    elif method == "resources/list":
        page = int(params.get("cursor", 0))
        first, last = 10 * page, min(10 * page + 10, arguments.resources)
        resources = [{"uri": f"docs://{number}", "name": f"document-{number}", "title": f"Handbook {number}"} for number in range(first, last)]
        answer(id, complete({"resources": resources} | ({"nextCursor": str(page + 1)} if last < arguments.resources else {})))
    elif method == "resources/templates/list":
        answer(id, complete({"resourceTemplates": [{"uriTemplate": "docs://{number}", "name": "document"}]}))
    elif method == "resources/read":
        uri = params["uri"]
        if uri == "docs://missing":
            error(id, -32002, f"Resource not found: {uri}")
        else:
            contents = [{"uri": uri, "mimeType": "text/plain", "text": "hello"}, {"uri": uri, "blob": "aGk="}]
            answer(id, complete({"contents": contents, "_meta": {"internal": True}}))
    elif method == "prompts/list":
        answer(id, complete({"prompts": PROMPTS}))
    elif method == "prompts/get":
        text = json.dumps({"name": params["name"], "arguments": params.get("arguments")})
        answer(id, complete({"description": "A prompt.", "messages": [{"role": "user", "content": {"type": "text", "text": text}}]}))
    elif method == "tools/call":
        call(id, params)
    else:
        error(id, -32601, f"Method not found: {method}")


def call(id, params: dict) -> None:
    input = params.get("arguments", {})
    match params["name"]:
        case "chart":
            answer(id, complete({"structuredContent": {"width": 7}, "content": [{"type": "text", "text": "{}"}, IMAGE]}))
        case "speak":
            content = [{"type": "text", "text": "spoken"}, AUDIO]
            answer(id, complete({"content": content} | ({"structuredContent": input["beside"]} if input["beside"] else {})))
        case "announce":
            meta = {"_meta": globals()["subscription"]} if arguments.era == "discovery" else None
            notify(f"notifications/{input['list']}/list_changed", meta)
            answer(id, complete({"structuredContent": {}}))
        case "log":
            for number in range(input["count"]):
                data = {"number": number, "token": os.environ.get("TOKEN")}
                notify("notifications/message", {"level": "warning", "logger": "worker", "data": data})
            answer(id, complete({"structuredContent": {"meta": params["_meta"]}}))
        case name:
            answer(id, complete({"structuredContent": {"tool": name}}))


def complete(result: dict) -> dict:
    return result if arguments.era == "handshake" else {"resultType": "complete"} | result


def answer(id, result) -> None:
    say({"id": id, "result": result})


def error(id, code: int, message: str) -> None:
    say({"id": id, "error": {"code": code, "message": message}})


def notify(method: str, params=None) -> None:
    say({"method": method} | ({"params": params} if params else {}))


def say(message: dict) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
    sys.stdout.flush()


def write_journal(entry: dict) -> None:
    """Where nobody reads it, its folder may be gone already."""
    if arguments.journal and os.path.isdir(os.path.dirname(arguments.journal)):
        with open(arguments.journal, "a", encoding="utf-8") as journal:
            journal.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
