"""Runs the programs of examples/ over the servers that their configuration names: examples.py ISOBOX FOLDER INSTALLED"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def call(*arguments: str) -> tuple[int, dict]:
    folder = Path(sys.argv[2])
    command = ["isobox", *arguments, "--json"]
    # `npx` there starts the installed servers.
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    ended = subprocess.run(command, cwd=folder / "examples", env=environment, capture_output=True, text=True, timeout=120,
                           stdin=subprocess.DEVNULL)
    assert ended.stdout.strip(), (command, ended.stderr)
    return ended.returncode, json.loads(ended.stdout)


def run(name: str, *options: str) -> dict:
    status, outcome = call("run", str(EXAMPLES / f"{name}.ts"), *options)
    assert status in (0, 3), (name, outcome)
    return outcome


def completed(name: str, *options: str) -> object:
    outcome = run(name, *options)
    assert outcome["status"] == "completed" and "warnings" not in outcome, (name, outcome)
    return outcome["result"]


def main() -> None:
    here = Path(sys.argv[2]) / "examples"
    here.mkdir()
    shutil.copytree(EXAMPLES / "data", here / "data")
    shutil.copy(EXAMPLES / "isobox.json", here)
    servers = ["--config", "isobox.json"]
    tried = set()

    def shows(name: str, expected: object, *options: str) -> None:
        result = completed(name, *options)
        assert result == expected, (name, result)
        tried.add(name)
        print(f"ok      {name}")

    shows("graph_from_notes", {"notes": 2, "topics": ["Ada", "Analytical Engine", "Compilers", "Engines", "Grace"]}, *servers)
    shows("join_two_servers", [
        {"name": "Ada", "city": "London", "team": "engines", "known": ["mentioned in 2 notes"]},
        {"name": "Grace", "city": "New York", "team": "compilers", "known": ["mentioned in 1 notes"]},
        {"name": "Edsger", "city": "Austin", "team": "structure", "known": []},
    ], *servers)
    shows("nightly_report", {"days": 2, "orders": 6, "best": "Grace", "total": "54.70"}, *servers)
    assert "- Grace: 33.00" in (here / "data" / "reports" / "orders.md").read_text()
    shows("find_the_tool", {"tool": "files.list_directory", "entries": True}, *servers)
    days = {"wanted": 60, "found": ["2026-11-14", "2026-11-15"], "failed": 58, "codes": ["TOOL"]}
    shows("many_at_once", days, *servers)

    paused = run("batch_with_approvals", *servers)
    assert paused["status"] == "paused" and len(paused["pending"]) == 3, paused
    identity = paused["executionId"]
    denied, going = call("executions", "deny", identity, paused["pending"][1]["seq"], "--reason", "not to her", *servers)
    assert denied == 3 and len(going["pending"]) == 2, going
    status, outcome = call("executions", "approve", identity, "--all", "--revision", str(going["revision"]), *servers)
    letters = ["written", "APPROVAL_DENIED", "written"]
    assert status == 0 and [one["letter"] for one in outcome["result"]] == letters, outcome
    written = sorted(path.name for path in (here / "data").glob("letter-*.txt"))
    assert written == ["letter-ada.txt", "letter-edsger.txt"], written
    tried.add("batch_with_approvals")
    print("ok      batch_with_approvals")

    paused = run("thank_best_customer", *servers)
    shown = [paused["pending"][0]["seq"], "--revision", str(paused["revision"])]
    status, outcome = call("executions", "approve", paused["executionId"], *shown, *servers)
    assert status == 0 and outcome["result"] == {"thanked": "Grace"}, outcome
    tried.add("thank_best_customer")
    print("ok      thank_best_customer")

    shows("migration_with_undo", {"migrated": 2, "undone": False}, *servers, "--approve", "files.*")
    assert (here / "data" / "orders" / "day-2026-11-14.csv").exists()
    shows("first_answer_wins", {"first": {"city": "Rome", "celsius": 21, "sky": "sun"}}, "--demo", "--trust")
    result = completed("tour", "--demo", "--trust")
    assert result["missing"] == ["Atlantis"], result
    tried.add("tour")
    # docs/a-day.md kills it.
    tried.add("slow")
    left = {path.stem for path in EXAMPLES.glob("*.ts")} - tried
    assert not left, f"no test runs {left}"


if __name__ == "__main__":
    main()
