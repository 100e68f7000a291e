"""Runs the commands of a page, in order, and compares what they print: pages.py ISOBOX FOLDER INSTALLED PAGE [--write]

The commands run in a folder that has the examples, as a checkout does. What the page shows of a block is compared with what the
commands print, except for IDs, times, the user and the bars of a timeline. `…` stands for the rest of a line, or for lines.

- ```console: commands after `$ `, each with what it prints. On a page of TERMINAL they run on a terminal, and what the page shows
  after a question is typed.
- ```sh: commands that have to succeed.
- Save … as `NAME`, and a block after that: a file.

With --write, a block that has changed is replaced by what its commands print.
"""

import difflib
import getpass
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from terminal import on_a_terminal

ROOT = Path(__file__).resolve().parents[2]
TERMINAL = {"docs/getting-started.md"}
# On the pages.
HOME = "/home/ada"
PERSON = "ada"
STATE = [".isobox", "graph.jsonl", "reports", "letter-*", "undo.json"]
BLOCK = re.compile(r"(?P<before>[^\n]*\n+)```(?P<language>\w+)\n(?P<text>.*?)```\n", re.DOTALL)
ID = re.compile(r"exec_(?P<digits>[0-9a-f]{44}|[0-9a-f]{8})(?![0-9a-f])")


class Machine:
    """What a reader has: a checkout with the examples, and the commands that the pages use."""

    def __init__(self, folder: Path, installed: Path, *, terminal: bool) -> None:
        self.home, self.terminal = folder / "home", terminal
        self.here = self.home / "isobox"
        shutil.copytree(ROOT / "examples", self.here / "examples", ignore=shutil.ignore_patterns(*STATE))
        self.environment = {
            "PATH": f"{folder / 'bin'}:{installed / 'python' / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home), "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
        }
        # The IDs of this run, by those of the page: with all digits or with the last eight.
        self.ids: dict[str, str] = {}

    def run(self, commands: str, answers: str | None = None) -> tuple[int, str]:
        """Runs commands where the ones before have ended, with what they exported. Returns their status and what they print."""
        commands = ID.sub(lambda one: f"exec_{self.real(one['digits'])}", commands)
        commands = commands.replace(HOME, str(self.home))
        ended_in, exported = self.home / "ended-in", self.home / "exported"
        exported.touch()
        shell = ["bash", "-c", f". '{exported}'\n{commands}\nstatus=$?\npwd >'{ended_in}'\nexport -p >'{exported}'\nexit $status"]
        if answers is None:
            ended = subprocess.run(shell, cwd=self.here, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            status, output = ended.returncode, ended.stdout
        else:
            status, output = on_a_terminal(shell, self.here, self.environment, plain(answers).split("\n"), plain)
        self.here = Path(ended_in.read_text().strip())
        output = output.replace(str(self.home), HOME)
        user = re.escape(getpass.getuser())
        output = re.sub(rf"(?<=by ){user}\b|\b{user}(?= (approved|denied|answered)\b)", PERSON, output)
        return status, output if not output or output.endswith("\n") else f"{output}\n"

    def block(self, text: str) -> str:
        """Runs the commands of a block, and returns it as the page has it if that is what they print."""
        told = ""
        for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE):
            if not part:
                continue
            command, _, expected = part.partition("\n")
            _, output = self.run(command.removeprefix("$ "), expected if self.terminal else None)
            found = re.fullmatch(self.pattern(expected), plain(output))
            shown = {name.removeprefix("id_"): real for name, real in found.groupdict().items()} if found else {}
            if found and all(self.page(real)[-8:] in (page[-8:], real[-8:]) for page, real in shown.items()):
                self.ids |= shown
                told += part
            else:
                told += f"{command}\n" + ID.sub(lambda one: f"exec_{self.page(one['digits'])}", output)
        return told

    def real(self, digits: str) -> str:
        """The digits of this run for those of the page."""
        return other(digits, self.ids)

    def page(self, digits: str) -> str:
        """The digits of the page for those of this run."""
        return other(digits, {real: page for page, real in self.ids.items()})

    def pattern(self, expected: str) -> str:
        """The regular expression of what the page shows. Its groups are the IDs that it shows for the first time."""
        pattern, end = "", 0
        expected = plain(expected)
        shown: set[str] = set()
        for found in ID.finditer(expected):
            digits = found["digits"]
            pattern += elided(expected[end : found.start()]) + "exec_"
            last = [real[-8:] for page, real in self.ids.items() if page[-8:] == digits[-8:]]
            if digits in self.ids or (last and len(digits) == 8):
                pattern += self.real(digits)
            elif digits in shown:
                pattern += f"(?P=id_{digits})"
            else:
                end_of_known = last[0] if last else "[0-9a-f]{8}"
                pattern += f"(?P<id_{digits}>[0-9a-f]{{{len(digits) - 8}}}{end_of_known})"
                shown.add(digits)
            end = found.end()
        return pattern + elided(expected[end:])


def main() -> None:
    folder, installed, name = Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    page = ROOT / name
    machine = Machine(folder, installed, terminal=name in TERMINAL)
    written = page.read_text()

    def follow(block: re.Match) -> str:
        match block["language"]:
            case "console":
                return block[0].replace(block["text"], machine.block(block["text"]))
            case "sh":
                status, output = machine.run(block["text"])
                assert status == 0, f"{name} says\n{block['text']}and that ends with status {status}:\n{output}"
            case _:
                if saved := re.search(r"\bSave\b.* as `([\w.]+)`", block["before"]):
                    (machine.here / saved[1]).write_text(block["text"].replace(HOME, str(machine.home)))
        return block[0]

    told = BLOCK.sub(follow, written)
    if "--write" in sys.argv:
        page.write_text(told)
    elif told != written:
        difference = difflib.unified_diff(written.split("\n"), told.split("\n"), name, "what is printed", lineterm="", n=1)
        sys.exit("\n".join(difference))
    print(f"ok      {name}")


def other(digits: str, ids: dict[str, str]) -> str:
    """The other digits of an ID, of which all or the last eight may be known: then the rest stays."""
    same = [other for one, other in ids.items() if one[-8:] == digits[-8:]]
    longest = max(same, key=len, default=digits)
    return longest[-len(digits) :] if len(longest) >= len(digits) else digits[: -len(longest)] + longest


def elided(text: str) -> str:
    """The regular expression of a text with elisions."""
    text = re.escape(text).replace("\\\n", "\n")
    return re.sub(r"(?m)^…\n", r"(?:[^\\n]*\\n)*?", text).replace("…", r"[^\n]*")


def plain(text: str) -> str:
    """Replaces what differs from run to run: times, the word of a question, the bars of a timeline, and the widths of columns."""
    text = re.sub(r"(\b\d{4}-\d\d-\d\d )?\b\d\d:\d\d:\d\d\.\d+\b", "TIME", text)
    text = re.sub(r"\b\d+(\.\d+)? ?(ms|s|m|min|h|d)\b", "TIME", text)
    text = re.sub(r"(?m)\bType ([a-z]{4}) to\b(.*: )\1$", r"Type WORD to\2WORD", text)
    text = re.sub(r"\bType [a-z]{4} to\b", "Type WORD to", text)
    text = re.sub(r"[█░·┊× ]*[█░┊][█░·┊× ]*", " BAR ", text)
    return re.sub(r" +", " ", text)


if __name__ == "__main__":
    main()
