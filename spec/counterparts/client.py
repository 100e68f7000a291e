"""The official Python client in front of `isobox mcp`. See run.py.

    client.py ISOBOX FOLDER INSTALLED auto|legacy
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

isobox, folder, mode = sys.argv[1], Path(sys.argv[2]), sys.argv[4]
serve = [isobox, "mcp", "--config", str(folder / "isobox.json")]
people = json.dumps(str(folder / "files" / "people.csv"))
outside = json.dumps(str(folder / "outside.txt"))


async def main() -> None:
    # Without a cache, so that every list comes from Isobox.
    async with Client(StdioServerParameters(command=serve[0], args=serve[1:]), mode=mode, cache=None) as client:
        assert client.server_info.name == "isobox", client.server_info
        print(f"ok      connected with protocol {client.protocol_version}")
        await tools_are_listed(client)
        await tools_are_found(client)
        await a_program_joins_two_servers(client)
        await calls_run_side_by_side(client)
        await progress_of_a_server_reaches_the_client(client)
        await errors_can_be_acted_on(client)
        await a_person_approves(client)
        processes = children_of_isobox()
    gone(processes)
    print("ok      closing ends isobox and all servers")
    if mode == "legacy":
        closing_standard_input_is_enough()


async def tools_are_listed(client: Client) -> None:
    lists = [(await client.list_tools()).model_dump_json() for _ in range(2)]
    assert lists[0] == lists[1]
    tools = json.loads(lists[0])["tools"]
    assert [tool["name"] for tool in tools] == ["execute", "search", "resume"], tools
    for namespace in ["everything", "filesystem", "memory"]:
        assert re.search(rf"\b{namespace} \(\d+\)", tools[0]["description"]), tools[0]["description"]
    print("ok      there are exactly two tools, and the first names the namespaces")


async def tools_are_found(client: Client) -> None:
    async def search(query: str, limit: int) -> list[str]:
        found = await client.call_tool("search", {"query": query, "limit": limit})
        assert not found.is_error, found
        return [one["path"] for one in found.structured_content["results"]]

    assert "filesystem.read_text_file" in await search("read a text file", 3)
    assert await search("create entities in the knowledge graph", 1) == ["memory.create_entities"]
    print("ok      search finds tools of all servers")


async def a_program_joins_two_servers(client: Client) -> None:
    result = await completed(client, f"""
        const {{ content }} = await tools.filesystem.read_text_file({{ path: {people} }});
        const rows = content.trim().split("\\n").slice(1).map((line: string) => line.split(","));
        await tools.memory.create_entities({{ entities: rows.map(([name, city]) =>
            ({{ name, entityType: "person", observations: [city] }})) }});
        await tools.memory.create_relations({{ relations: [{{ from: "Ada", to: "Grace", relationType: "precedes" }}] }});
        const {{ entities, relations }} = await tools.memory.read_graph();
        return {{ cities: entities.map((one) => one.observations[0]), relations }};
    """)
    relations = [{"from": "Ada", "to": "Grace", "relationType": "precedes"}]
    assert result == {"cities": ["London", "New York"], "relations": relations}, result
    assert "Grace" in (folder / "memory" / "graph.jsonl").read_text()
    print("ok      a program joins two servers")


async def calls_run_side_by_side(client: Client) -> None:
    result = await completed(client, """
        const [sum, graph] = await Promise.all([tools.everything.get_sum({ a: 1, b: 2 }), tools.memory.read_graph()]);
        return [sum, graph.entities.length];
    """)
    assert result == ["The sum of 1 and 2 is 3.", 2], result
    print("ok      calls of several servers run side by side")


async def progress_of_a_server_reaches_the_client(client: Client) -> None:
    told = []

    async def tell(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    code = "return await tools.everything.trigger_long_running_operation({ duration: 1, steps: 2 })"
    answer = await client.call_tool("execute", {"code": code}, progress_callback=tell)
    assert not answer.is_error, answer
    path = "everything.trigger_long_running_operation"
    assert [message for _, message in told][:2] == [path, f"{path}: 1/2"], told
    assert [progress for progress, _ in told] == sorted({progress for progress, _ in told}), told
    print("ok      the progress of a server reaches the client")


async def errors_can_be_acted_on(client: Client) -> None:
    for code, expected, message in [
        (f"return await tools.filesystem.read_text_file({{ path: {outside} }})", "TOOL",
         r"^Access denied - path outside allowed directories: .*outside\.txt"),
        ("const a = 1;\nconst b = ;", "SYNTAX", r"`;`"),
        ("return await tools.memory.read_grap()", "CHECK", r"did you mean `memory\.read_graph`"),
        ("return await tools.memory.search_nodes({ qury: 'Ada' })", "CHECK", r'"query" .*`qury`'),
        ("const graph = await tools.memory.read_graph();\nreturn graph.nothing.at(0)", "CHECK", r"has no property `nothing`"),
        ("const { relations } = await tools.memory.read_graph();\nreturn relations[99].from", "THROWN", r'"from" of undefined: relations\[99\] is undefined'),
    ]:
        error = await failed(client, code)
        assert error["code"] == expected, error
        assert re.search(message, error["message"]), error
        assert error["line"] == code.count("\n") + 1 and error["column"] > 1, error
    wrong = await client.call_tool("execute", {"code": 7})
    assert wrong.is_error and "`code` has to be a string" in wrong.content[0].text, wrong
    print("ok      errors can be acted on")


async def a_person_approves(client: Client) -> None:
    path = folder / "files" / "made.txt"
    code = f"return await tools.filesystem.write_file({{ path: {json.dumps(str(path))}, content: 'x' }})"
    paused = (await client.call_tool("execute", {"code": code})).structured_content
    assert paused["status"] == "paused" and "`filesystem.write*`" in paused["pending"][0]["why"], paused
    assert not path.exists()
    resume = {"executionId": paused["executionId"]}
    assert (await client.call_tool("resume", resume)).structured_content["status"] == "paused"
    shown = ["--revision", str(paused["revision"]), "--config", str(folder / "isobox.json")]
    approve = [isobox, "executions", "approve", paused["executionId"], *shown]
    await anyio.run_process(approve)
    outcome = (await client.call_tool("resume", resume)).structured_content
    assert outcome["status"] == "completed" and path.read_text() == "x", outcome
    print("ok      a call that needs approval waits for a person, and its outcome is collected")


def closing_standard_input_is_enough() -> None:
    """Clients kill what does not end; so this is asked without one, and the bytes of the list are compared as they came."""
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        def send(message: dict) -> None:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()

        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}
        send({"id": 0, "method": "initialize", "params": client})
        assert '"protocolVersion":"2025-06-18"' in process.stdout.readline()
        send({"method": "notifications/initialized"})
        lists = []
        for number in [1, 2]:
            send({"id": number, "method": "tools/list"})
            lists.append(process.stdout.readline().replace(f'"id":{number}', '"id":0'))
        assert lists[0] == lists[1] and '"execute"' in lists[0], lists
        # The lists of tools are known from the first client: a server starts when one of its tools is called.
        assert children(process.pid) == []
        send({"id": 3, "method": "tools/call", "params": {"name": "execute", "arguments": {"code": "await tools.memory.read_graph({})"}}})
        assert '"completed"' in process.stdout.readline()
        servers = children(process.pid)
        assert len(servers) == 1, servers
        process.stdin.close()
        assert process.wait(timeout=30) == 0, process.returncode
        assert process.stdout.read() == ""
    gone(servers)
    print("ok      closing standard input is enough, and lists are the same bytes")


async def completed(client: Client, code: str) -> object:
    answer = await client.call_tool("execute", {"code": code})
    assert not answer.is_error, answer.content
    assert answer.structured_content["status"] == "completed", answer
    return answer.structured_content["result"]


async def failed(client: Client, code: str) -> dict:
    answer = await client.call_tool("execute", {"code": code})
    assert answer.is_error, answer
    assert answer.structured_content["status"] == "failed", answer
    error = answer.structured_content["error"]
    assert answer.content[0].text.startswith(f"{error['code']}: "), answer.content
    return error


def children_of_isobox() -> list[int]:
    """Isobox, the only child of this process, and its servers."""
    [parent] = children(os.getpid())
    servers = children(parent)
    assert len(servers) == 3, servers
    return [parent, *servers]


def children(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # After the name of the program, which is in parentheses and may contain anything: the state, then the parent.
        if int(status.rpartition(") ")[2].split()[1]) == parent:
            found.append(int(entry.name))
    return found


def gone(processes: list[int]) -> None:
    def left() -> list[int]:
        return [process for process in processes if Path("/proc", str(process)).exists()]

    end = time.monotonic() + 10
    while left():
        assert time.monotonic() < end, f"still there: {left()}"
        time.sleep(0.05)


anyio.run(main)
