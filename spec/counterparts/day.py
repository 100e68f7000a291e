"""Runs the commands of docs/a-day.md and compares what they print: day.py ISOBOX FOLDER INSTALLED [--write]"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from examples import EXAMPLES, configure

PAGE = EXAMPLES.parent / "docs" / "a-day.md"
SLOW = """\
await tools.files.create_directory({ path: "reports" });
await tools.files.write_file({ path: "reports/started.md", content: "" });
await tools.demo.wait({ ms: 60_000 });
return "it was worth waiting for";
"""
CRASH = """\
isobox run --demo --config isobox.json slow.ts </dev/null >/dev/null 2>&1 &
until [ -e data/reports/started.md ]; do sleep 0.1; done
sleep 1
kill -9 $!
"""


# The IDs that were printed so far.
seen: list[str] = []


def main() -> None:
    isobox, folder, installed = (Path(argument) for argument in sys.argv[1:4])
    here = folder / "day"
    here.mkdir()
    shutil.copytree(EXAMPLES / "data", here / "data")
    for program in EXAMPLES.glob("*.ts"):
        shutil.copy(program, here)
    configure(here, folder, installed)
    (here / "slow.ts").write_text(SLOW)
    (here / "crash.sh").write_text(CRASH)
    (folder / "bin").mkdir()
    (folder / "bin" / "isobox").symlink_to(isobox.absolute())
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C"}
    written = PAGE.read_text()
    told = re.sub(r"(?<=```console\n)(.*?)(?=```\n)", lambda block: run(block[1], here, environment), written, flags=re.S)
    if "--write" in sys.argv:
        PAGE.write_text(told)
        return
    for expected, line in zip(plain(written).split("\n"), plain(told).split("\n"), strict=False):
        assert expected == line, f"docs/a-day.md says\n  {expected}\nand it is\n  {line}"
    assert plain(written) == plain(told), "docs/a-day.md has more or fewer lines"
    print("ok      docs/a-day.md")


def run(block: str, here: Path, environment: dict) -> str:
    """Runs the commands of a block, and returns them with what they print."""
    told = ""
    for line in block.splitlines():
        environment["ID"] = seen[-1] if seen else ""
        if not line.startswith("$ "):
            continue
        ended = subprocess.run(["bash", "-c", line[2:]], cwd=here, env=environment, stdin=subprocess.DEVNULL, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        seen.extend(re.findall(r"exec_[0-9a-f]{44}", ended.stdout))
        output = ended.stdout if not ended.stdout or ended.stdout.endswith("\n") else ended.stdout + "\n"
        told += f"{line}\n{short(output.replace(str(here), '.'))}"
    return told


def short(text: str) -> str:
    return re.sub(r"exec_[0-9a-f]{36}([0-9a-f]{8})", r"exec_\1", text)


def plain(text: str) -> str:
    """Replaces what differs from run to run: IDs, times, and the widths of columns."""
    text = re.sub(r"exec_[0-9a-f]+", "ID", text)
    text = re.sub(r"\b\d+(\.\d+)? ?(ms|s|m|min|h|d)\b", "TIME", text)
    return re.sub(r" +", " ", text)


if __name__ == "__main__":
    main()
