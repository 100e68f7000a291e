#!/usr/bin/env python3
"""Tries Isobox with MCP servers over HTTP: the reference server, and one of the official Python package behind a real authorization
server.

    remote.py ISOBOX FOLDER INSTALLED
"""

import contextlib
import html.parser
import http.cookiejar
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
isobox, folder, installed = (Path(argument) for argument in sys.argv[1:4])
# The interpreter that starts the servers in the configuration that run.py has made.
node = json.loads((folder / "isobox.json").read_text())["mcpServers"]["everything"]["command"]


def main() -> None:
    reference()
    official()
    with_login()


def reference() -> None:
    """The reference server, by streamable HTTP and by server-sent events."""
    script = installed / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    for transport, path in [("streamableHttp", "mcp"), ("sse", "sse")]:
        port = free_port()
        with running([node, script, transport], port, environment={"PORT": str(port)}):
            configure({"everything": {"url": f"http://localhost:{port}/{path}"}})
            check(f"{transport}: echo", call("everything.echo", {"message": "hi"}), "Echo: hi")
            image = call("everything.get_tiny_image", {})
            check(f"{transport}: image", [block["type"] for block in image["content"]].count("image"), 1)
            progress = run("return await tools.everything.trigger_long_running_operation({ duration: 1, steps: 2 })")
            check(f"{transport}: long operation", "completed" in json.dumps(progress).lower(), True)
            both = run("return await Promise.all([1, 2, 3].map((a) => tools.everything.get_sum({ a, b: 1 })))")
            research = call("everything.simulate_research_query", {"topic": "tea"})
            check(f"{transport}: a task", "tea" in json.dumps(research), True)
            # The server waits for the answer in the connection of a process that has ended.
            lost = answered("return await tools.everything.trigger_elicitation_request({})", "inputs", {"name": "Ada"})
            check(f"{transport}: a question whose connection is lost", lost["pending"][0]["kind"], "in-doubt")
            check(f"{transport}: concurrently", [re.findall(r"\d+", text)[-1] for text in both], ["2", "3", "4"])


def official() -> None:
    """A server of the official Python package, which speaks both protocols over HTTP."""
    port = free_port()
    python = installed / "python" / "bin" / "python"
    with running([python, HERE / "remote_server.py", str(port)], port):
        configure({"remote": {"url": f"http://127.0.0.1:{port}/mcp", "timeout": "1s", "resetTimeoutOnProgress": True}})
        check("official: a number", call("remote.now", {})["result"] > 1e9, True)
        check("official: progress prolongs a call", call("remote.slow", {"steps": 4})["result"], "done")
        configure({"remote": {"url": f"http://127.0.0.1:{port}/mcp", "timeout": "1s"}})
        failed = command("tools", "call", "remote.slow", '{"steps": 4}', status=1)
        check("official: or does not", "did not answer within 1s" in failed.stderr, True)
        # The server does not wait for the answer, so the question survives the end of the process that asked it.
        outcome = answered("return await tools.remote.weather({})", "Which city?", {"city": "Rome"})
        check("official: asks, and gets the answer", outcome["result"], {"result": "asked for a city: sunny in Rome"})


def answered(source: str, message: str, content: dict) -> dict:
    """Runs a program until it asks, and answers in another process. Returns the outcome."""
    store = ["--json", "--store", "sqlite:s.db"]
    paused = json.loads(command("run", program(source), *store, status=3).stdout)
    pending = paused["pending"][0]
    check("asks a person", (pending["kind"], message in pending["payload"]["message"]), ("interrupt", True))
    answer = json.dumps({"action": "accept", "content": content})
    shown = [paused["executionId"], pending["seq"], "--revision", str(paused["revision"])]
    return json.loads(command("executions", "resolve", *shown, answer, *store, status=None).stdout)


def with_login() -> None:
    """The same behind an authorization server."""
    port, issuer_port = free_port(), free_port()
    resource, issuer = f"http://127.0.0.1:{port}/mcp", f"http://127.0.0.1:{issuer_port}"
    python = installed / "python" / "bin" / "python"
    with (
        running([node, HERE / "authorization.mjs", installed, str(issuer_port), resource], issuer_port),
        running([python, HERE / "remote_server.py", str(port), issuer], port),
    ):
        configure({"remote": {"url": resource}})
        listed = command("tools", "list", "--refresh", status=1)
        check("login: is needed", "isobox login remote" in listed.stderr, True)
        log_in()
        check("login: is used", call("remote.now", {})["result"] > 1e9, True)
        time.sleep(2.5)
        check("login: is refreshed", call("remote.now", {})["result"] > 1e9, True)
        refreshes = "for (let i = 0; i < 3; i++) { await tools.remote.slow({ steps: 3 }); } return 'refreshed'"
        check("login: is refreshed in the middle of a program", run(refreshes), "refreshed")
        files = list((folder / "state" / "isobox" / "logins").iterdir())
        check("login: is kept for this user alone", [oct(file.stat().st_mode & 0o777) for file in files], ["0o600"])
        check("logout", "logged out" in command("logout", "remote").stdout, True)
        paused = json.loads(command("run", program("return await tools.remote.now({})"), "--json", "--store", "sqlite:s.db", status=3).stdout)
        payload = paused["pending"][0]["payload"]
        check("login: a call asks for it", (payload["type"], payload["url"].startswith(issuer)), ("login", True))
        log_in()
        shown = [paused["executionId"], paused["pending"][0]["seq"], "--revision", str(paused["revision"])]
        arguments = ["resolve", *shown, "null", "--json", "--store", "sqlite:s.db"]
        outcome = json.loads(command("executions", *arguments).stdout)
        check("login: and goes on", outcome["result"]["result"] > 1e9, True)
        machine = {"grant": "client_credentials", "clientId": "machine", "clientSecret": "${MACHINE_SECRET}", "issuer": issuer,
                   "scopes": ["tools"]}
        configure({"remote": {"url": resource, "oauth": machine}})
        os.environ["MACHINE_SECRET"] = "the-secret-of-the-machine"
        check("client credentials: are used", call("remote.now", {})["result"] > 1e9, True)
        check("client credentials: are used again", run(refreshes), "refreshed")
        os.environ["MACHINE_SECRET"] = "wrong-secret"
        refused = command("tools", "list", "--refresh", status=1)
        check("client credentials: are refused", ("cannot be used with the configured client" in refused.stderr, "wrong-secret" in refused.stderr),
              (True, False))


def log_in() -> None:
    """Runs `isobox login`, and does what a person does in a browser."""
    process = subprocess.Popen([isobox, "login", "remote", "--no-browser", "--config", "remote.json"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    url = next(line.strip() for line in process.stderr if line.strip().startswith("http"))
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    page = browser.open(url, timeout=30)
    # One page asks who it is, the next one whether the client may.
    while "You are logged in" not in (text := page.read().decode()):
        form = Form(text)
        fields = form.fields | ({"login": "ada", "password": "x"} if form.fields.get("prompt") == "login" else {})
        page = browser.open(urllib.parse.urljoin(page.url, form.action), urllib.parse.urlencode(fields).encode(), timeout=30)
    check("login: is completed", (process.wait(30), "logged in" in process.stdout.read()), (0, True))


class Form(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)
        if self.action is None:
            sys.exit(f"there is no form in:\n{text}")

    def handle_starttag(self, tag: str, attributes: list) -> None:
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes["action"]
        if tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes.get("value", "")


def configure(servers: dict) -> None:
    (folder / "remote.json").write_text(json.dumps({"mcpServers": servers}))


def program(source: str) -> str:
    path = folder / "program.js"
    path.write_text(source)
    return str(path)


def command(*arguments: object, status: int | None = 0) -> subprocess.CompletedProcess:
    words = [str(isobox), *map(str, arguments), "--config", "remote.json"]
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    if status is not None and ended.returncode != status:
        sys.exit(f"{words} ended with {ended.returncode} instead of {status}\n{ended.stdout}\n{ended.stderr}")
    return ended


def call(path: str, value: object) -> object:
    return json.loads(command("tools", "call", path, json.dumps(value)).stdout)


def run(source: str) -> object:
    return json.loads(command("run", program(source), "--store", "none").stdout)


def check(what: str, found: object, expected: object) -> None:
    if found != expected:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")
    print(f"  {what}", flush=True)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def running(words: list, port: int, environment: dict | None = None):
    """Runs a server, and waits until it listens."""
    import os
    log = open(folder / f"server-{port}.log", "w+")
    process = subprocess.Popen(list(map(str, words)), cwd=folder, env=os.environ | (environment or {}), stdout=log, stderr=log)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if process.poll() is not None:
                sys.exit(f"{words} ended:\n{Path(log.name).read_text()}")
            time.sleep(0.1)
        else:
            sys.exit(f"{words} does not listen at {port}:\n{Path(log.name).read_text()}")
        yield
    except SystemExit:
        print(Path(log.name).read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        process.terminate()
        process.wait(20)
        log.close()


if __name__ == "__main__":
    main()
