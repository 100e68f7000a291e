#!/usr/bin/env python3
"""An MCP server that behaves as it is told, and misbehaves as it is told. It speaks JSON-RPC by hand, so that it can also
say what no library would. What it receives is written to a journal for the tests to read."""

import argparse
import json
import os
import subprocess
import sys
import time

options = argparse.ArgumentParser()
options.add_argument("--journal", help="where to write what is received")
options.add_argument("--era", default="handshake", choices=["handshake", "discovery", "none"])
options.add_argument("--version", help="the version of the protocol to answer the handshake with, instead of the one that is asked for")
options.add_argument("--exit-at-start", type=int, help="end with this status before saying anything")
options.add_argument("--exit-at-start-while", help="the same with status 9, as long as this file exists")
options.add_argument("--silent", action="store_true", help="never answer anything")
options.add_argument("--chatty", action="store_true", help="say things on standard output that are no messages")
options.add_argument("--list", default="plain", choices=["plain", "pages", "endless", "circular", "million", "slow", "large", "none", "error", "silent"])
options.add_argument("--tools", help="list the tools in this file, if it exists")
options.add_argument("--tasks", help="call every tool as a task, whose status is in this file")
options.add_argument("--stubborn", action="store_true", help="do not end when standard input does, or when asked to")
arguments = options.parse_args()

INSTRUCTIONS = "Be gentle."
SCHEMA = {"type": "object", "properties": {"a": {"type": "number"}}}
TOOLS = [
    {"name": "echo", "description": "Says it again.", "inputSchema": SCHEMA, "outputSchema": SCHEMA,
     "annotations": {"readOnlyHint": True, "openWorldHint": False}},
    {"name": "fail", "title": "Fails", "inputSchema": SCHEMA, "annotations": {"destructiveHint": True}},
    {"name": "echo", "description": "The same name again.", "inputSchema": SCHEMA},
]


def main() -> None:
    write_journal({"event": "start", "pid": os.getpid(), "cwd": os.getcwd(), "environment": dict(os.environ)})
    print("\x1b[31mstarting\x1b[0m", os.environ.get("TOKEN", ""), file=sys.stderr, flush=True)
    if arguments.exit_at_start is not None:
        sys.exit(arguments.exit_at_start)
    if arguments.exit_at_start_while and os.path.exists(arguments.exit_at_start_while):
        sys.exit(9)
    if arguments.stubborn:
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if arguments.chatty:
        say("Listening on standard input …")
        say("")
        say("[1, 2")
        say('"text"')
        say('{"jsonrpc": "2.0"}')
    for line in sys.stdin:
        message = json.loads(line)
        write_journal({"event": "message", "message": message})
        if not arguments.silent:
            receive(message)
    while arguments.stubborn:
        time.sleep(1)


def receive(message: dict) -> None:
    method, id, params = message.get("method"), message.get("id"), message.get("params", {})
    if method is None or id is None:
        return
    if method == "initialize" and arguments.era == "handshake":
        answer(id, {"protocolVersion": arguments.version or params["protocolVersion"],
                    "capabilities": {"tools": {"listChanged": True}},
                    "serverInfo": {"name": "fake", "version": "1"}, "instructions": INSTRUCTIONS})
    elif method == "server/discover" and arguments.era == "discovery":
        answer(id, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                    "instructions": INSTRUCTIONS, "ttlMs": 0, "cacheScope": "private",
                    "serverInfo": {"name": "fake", "version": "1"}})
    elif method == "subscriptions/listen" and arguments.era == "discovery":
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        notify("notifications/subscriptions/acknowledged",
               {"notifications": {"toolsListChanged": True}, "_meta": meta})
        notify("notifications/tools/list_changed", {"_meta": meta})
    elif method == "tools/list":
        list_tools(id, params or {})
    elif arguments.tasks and (method == "tools/call" or method.startswith("tasks/")):
        handle_task(id, method, params)
    elif method == "tools/call":
        CALLS[params["name"]](id, params.get("arguments", {}), params)
    else:
        error(id, -32601, f"Method not found: {method}")


def list_tools(id, params: dict) -> None:
    page = int(params.get("cursor", 0))
    match arguments.list:
        case "plain":
            tools = TOOLS
            if arguments.tools and os.path.exists(arguments.tools):
                with open(arguments.tools, encoding="utf-8") as file:
                    tools = json.load(file)
            answer(id, {"tools": tools})
        case "pages":
            tools = [{"name": f"tool_{page}_{number}", "inputSchema": SCHEMA} for number in range(3)]
            answer(id, {"tools": tools} | ({"nextCursor": str(page + 1)} if page < 4 else {}))
        case "endless":
            answer(id, {"tools": [], "nextCursor": str(page + 1)})
        case "circular":
            answer(id, {"tools": [], "nextCursor": "1"})
        case "million":
            answer(id, {"tools": [{"name": f"tool_{page}_{number}"} for number in range(5_000)], "nextCursor": str(page + 1)})
        case "slow":
            if page == 0:
                answer(id, {"tools": [{"name": "only"}], "nextCursor": "1"})
        case "large":
            answer(id, {"tools": [{"name": "large", "description": "x" * 10_000_000}]})
        case "none":
            error(id, -32601, "Method not found")
        case "error":
            error(id, -32603, "The list is \x1b[31mlost")
        case "silent":
            pass


def handle_task(id, method: str, params: dict) -> None:
    """Keeps the status of the only task in a file, so that the next run of this server knows it."""
    is_old = arguments.era == "handshake"
    if method == "tools/call":
        with open(arguments.tasks, "w", encoding="utf-8") as file:
            file.write("working")
        task = {"taskId": "task-1", "status": "working", "pollInterval": 50, "pollIntervalMs": 50}
        return answer(id, {"task": task} if is_old else {"resultType": "task"} | task)
    if not os.path.exists(arguments.tasks):
        return error(id, -32602, "Task not found")
    result = {"content": [{"type": "text", "text": "rendered"}]}
    if method == "tasks/result":
        return answer(id, result)
    with open(arguments.tasks, encoding="utf-8") as file:
        status = file.read()
    answer(id, {"resultType": "complete", "taskId": "task-1", "status": status} | ({} if is_old else {"result": result}))


def call_echo(id, input, _params):
    answer(id, {"structuredContent": input, "content": [{"type": "text", "text": "unstructured"}]})


def call_raw(id, input, _params):
    answer(id, input["result"])


def call_fail(id, _input, _params):
    answer(id, {"isError": True, "content": [{"type": "text", "text": "No such"}, {"type": "text", "text": "thing."}]})


def call_error(id, _input, _params):
    error(id, -32602, "Unknown tool: x")


def call_leak(id, input, _params):
    """Says its token in an error, of the tool's or of the protocol."""
    text = f"bad token {os.environ['TOKEN']}"
    if input["protocol"]:
        error(id, -32602, text)
    else:
        answer(id, {"isError": True, "content": [{"type": "text", "text": text}]})


def call_meta(id, _input, params):
    answer(id, {"structuredContent": params["_meta"]})


def call_process(id, _input, _params):
    answer(id, {"structuredContent": {"pid": os.getpid()}})


def call_child(id, _input, _params):
    child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
    answer(id, {"structuredContent": {"pid": child.pid}})


def call_die(_id, _input, _params):
    print("dying of \x1b[1mshame, with", os.environ.get("TOKEN", ""), file=sys.stderr, flush=True)
    os._exit(3)


def call_close(_id, _input, _params):
    os.close(1)


def call_hang(_id, _input, _params):
    pass


def call_garbage(id, input, _params):
    for _ in range(1_000):
        say("this is no message")
        say('{"jsonrpc":"2.0","id":424242,"result":{}}')
        say('{"jsonrpc":"2.0","method":"notifications/progress","params":7}')
        say('{"jsonrpc":"2.0","method":"notifications/unheard_of"}')
    sys.stdout.buffer.write(b"\xff\xfe\x00\n")
    answer(id, {"structuredContent": input})


def call_flood(id, input, _params):
    line = "x" * 1_000 + "\n"
    for _ in range(input["kilobytes"]):
        sys.stderr.write(line)
    sys.stderr.flush()
    answer(id, {"structuredContent": input})


def call_huge(id, input, _params):
    text = "x" * input["bytes"]
    if input["id"] == "first":
        say('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%s"}]}}' % (id, text))
    elif input["id"] == "last":
        say('{"result":{"content":[{"type":"text","text":"%s"}]},"jsonrpc":"2.0","id":%d}' % (text, id))
    else:
        say('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%s"}}' % text)


def call_many(id, input, _params):
    say('{"jsonrpc":"2.0","id":%d,"result":{"structuredContent":[%s]}}' % (id, ",".join("0" * input["count"])))


def call_notifications(id, input, _params):
    for number in range(input["count"]):
        notify("notifications/tools/list_changed")
        notify("notifications/message", {"level": "info", "data": number})
    answer(id, {"structuredContent": input})


def call_deep(id, input, _params):
    depth = input["depth"]
    say('{"jsonrpc":"2.0","id":%d,"result":%s%s}' % (id, "[" * depth, "]" * depth))


def call_change(id, input, _params):
    notify("notifications/tools/list_changed")
    answer(id, {"structuredContent": input})


def call_steps(id, input, params):
    """Tells how far it is, step by step; of nobody's call as well."""
    global latest_token
    latest_token = params["_meta"]["progressToken"]
    for step in input["steps"]:
        notify("notifications/progress", {"progressToken": latest_token} | step)
        notify("notifications/progress", {"progressToken": latest_token + 1000} | step)
    answer(id, {"structuredContent": input})


def call_late(id, input, _params):
    notify("notifications/progress", {"progressToken": latest_token, "progress": 1e9})
    answer(id, {"structuredContent": input})


def call_ask(id, _input, _params):
    """Asks the client for something that it does not offer, and tells what it answered."""
    say(json.dumps({"jsonrpc": "2.0", "id": "question", "method": "sampling/createMessage",
                    "params": {"messages": [], "maxTokens": 1}}))
    reply = json.loads(sys.stdin.readline())
    answer(id, {"structuredContent": reply})


def call_elicit(id, input, _params):
    """Asks the person at the client for a city, and returns the answer."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    say(json.dumps({"jsonrpc": "2.0", "id": "question", "method": "elicitation/create",
                    "params": {"message": "Which city?", "requestedSchema": schema}}))
    reply = json.loads(sys.stdin.readline())
    answer(id, {"structuredContent": {"answer": reply["result"]}})


def call_pings(id, input, _params):
    """Asks very often whether the client is there, and does not read what it answers until it is done."""
    for number in range(input["count"]):
        say(json.dumps({"jsonrpc": "2.0", "id": f"ping {number}", "method": "ping"}))
    answer(id, {"structuredContent": input})


CALLS = {name.removeprefix("call_"): call for name, call in globals().items() if name.startswith("call_")}


def answer(id, result) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))


def error(id, code: int, message: str) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))


def notify(method: str, params=None) -> None:
    say(json.dumps({"jsonrpc": "2.0", "method": method} | ({"params": params} if params else {})))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write_journal(entry: dict) -> None:
    """Where nobody reads it, its folder may be gone already."""
    if arguments.journal and os.path.isdir(os.path.dirname(arguments.journal)):
        with open(arguments.journal, "a", encoding="utf-8") as journal:
            journal.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main()
