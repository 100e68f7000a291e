#!/usr/bin/env python3
"""Tries Isobox with real counterparts: the reference MCP servers and web services behind it, the official clients in front of it.
Compares the recorded meaning of the TypeScript corpus with the TypeScript compiler.

    run.py ISOBOX NODE INSTALLED

ISOBOX and NODE are executables; INSTALLED is the folder that has `node_modules` of package-lock.json and, as `python`, a
virtual environment of requirements.txt. Each client gets a configuration, files and a memory of its own.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The Python client prefers the protocol without a handshake and falls back to `initialize`; both are tried.
CLIENTS = {
    "the TypeScript client": ("node", "client.mjs", []),
    "content of servers": ("node", "content.mjs", []),
    "the Python client": ("python", "client.py", ["auto"]),
    "the Python client, with a handshake": ("python", "client.py", ["legacy"]),
    "the examples": ("python", "examples.py", []),
    "a day": ("python", "pages.py", ["docs/a-day.md"]),
    "getting started": ("python", "pages.py", ["docs/getting-started.md"]),
    "several servers": ("python", "pages.py", ["docs/guides/several-servers.md"]),
    "pauses without a store": ("python", "pages.py", ["docs/guides/stateless.md"]),
    "services with OpenAPI documents": ("python", "openapi.py", []),
    "a service made from its document": ("python", "openapi_exegesis.py", []),
    "remote servers and logins": ("python", "remote.py", []),
    "a GraphQL service": ("python", "graphql.py", []),
}


def main() -> None:
    isobox, node, installed = (Path(argument).absolute() for argument in sys.argv[1:])
    interpreters = {"node": node, "python": installed / "python" / "bin" / "python"}
    for name, (interpreter, script, arguments) in CLIENTS.items():
        print(f"\n{name}", flush=True)
        with tempfile.TemporaryDirectory(prefix="isobox-counterparts-") as temporary:
            # The filesystem server compares resolved paths.
            folder = Path(temporary).resolve()
            prepare(folder, node, installed / "node_modules")
            stand_in(folder / "bin", isobox, node, installed / "node_modules")
            command = [interpreters[interpreter], HERE / script, isobox, folder, installed, *arguments]
            # Longer than every wait inside together.
            environment = os.environ | {"ISOBOX_DECIDE_KEY_FILE": str(folder / "decide.key"), "XDG_STATE_HOME": str(folder / "state")}
            ended = subprocess.run(command, timeout=300, env=environment)
        if ended.returncode != 0:
            sys.exit(f"{name}: failed")
    print("\nthe TypeScript compiler", flush=True)
    if subprocess.run([node, HERE / "typescript.mjs", installed], timeout=300).returncode != 0:
        sys.exit("the TypeScript compiler: failed")


def prepare(folder: Path, node: Path, modules: Path) -> None:
    """Makes what a client finds: `files/`, `memory/` and `isobox.json`."""
    (folder / "files").mkdir()
    (folder / "memory").mkdir()
    (folder / "files" / "people.csv").write_text("name,city\nAda,London\nGrace,New York\n")
    (folder / "outside.txt").write_text("not for the server\n")

    def server(package: str, *arguments: object, **more: object) -> dict:
        script = modules / "@modelcontextprotocol" / package / "dist" / "index.js"
        return {"command": str(node), "args": [str(script), *map(str, arguments)], **more}

    config = {
        "mcpServers": {
            "everything": server("server-everything", env={"GREETING": "hello from the configuration"}),
            "filesystem": server("server-filesystem", folder / "files"),
            "memory": server("server-memory", env={"MEMORY_FILE_PATH": str(folder / "memory" / "graph.jsonl")}),
        },
        "policy": [
            {"tools": "filesystem.write*", "require": "approval"},
            # Its server says of this one that it destroys nothing: it is the rule that asks.
            {"tools": "filesystem.create_directory", "require": "approval"},
        ],
    }
    (folder / "isobox.json").write_text(json.dumps(config, indent=2))


def stand_in(binaries: Path, isobox: Path, node: Path, modules: Path) -> None:
    """Makes the commands of the documents: `isobox`, `npx` without a registry, and `cargo` without a build."""
    scripts = {
        "isobox": f'exec "{isobox}" "$@"',
        # npx -y PACKAGE ARGUMENT…
        "npx": f'package=$2; shift 2; exec "{node}" "{modules}/$package/dist/index.js" "$@"',
        # cargo run … -- ARGUMENT…, and cargo install.
        "cargo": 'while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; [ $# -eq 0 ] || { shift; exec isobox "$@"; }',
    }
    binaries.mkdir()
    for name, script in scripts.items():
        (binaries / name).write_text(f"#!/bin/sh\n{script}\n")
        (binaries / name).chmod(0o755)


if __name__ == "__main__":
    main()
