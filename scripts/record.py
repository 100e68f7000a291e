#!/usr/bin/env python3
"""Records docs/recording.svg: a program that pauses for approval, and is approved.

    scripts/record.py ISOBOX            records the commands below, and writes the picture
    scripts/record.py ISOBOX --check    records them, and fails unless the picture shows what they print

ISOBOX is the program. It runs on a terminal of its own, so that it asks and has colours. The picture has the times of the recording.
IDs, ages and the word of the question differ from run to run, and are replaced.
"""

import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from recording import COLUMNS, ROWS, Recording, draw

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "recording.svg"
CONFIG = '{ "policy": [{ "tools": "mail.*", "require": "approval" }] }\n'
PROGRAM = """\
const cities = await tools.cities.list({ country: "Italy" });
const weather = await Promise.all(cities.map((city) => tools.weather.current({ city })));
const sunny = weather.filter((one) => one.sky === "sun").map((one) => one.city);
console.log(`the sun shines in ${sunny.join(", ")}`);
const mail = await tools.mail.send({ to: "ada", subject: `Come to ${sunny[0]}!` });
return { sunny, sent: mail.sent };
"""
# What is typed. A pair is a question of the last command and its answer; ID is the beginning of the last ID, and WORD the word
# that the question asks for.
STEPS = [
    "cat isobox.json trip.ts",
    "isobox run --demo trip.ts",
    ("leave it paused: ", "l"),
    "# The process has ended, and the program is a row in a database. Later, perhaps in another terminal:",
    "isobox executions list",
    "isobox executions approve ID --demo",
    ("leave it paused: ", "WORD"),
]
SAME_ID = "exec_01a1e79e2f4f50612fe032fced71585089d8ededcc52"
SAME_WORD = "reru"
PREFIX = len("exec_") + 8
COLOURS = re.compile("\x1b\\[[0-9;]*m")
WORD = re.compile(r"\bType ([a-z]{4}) to approve")


def main() -> None:
    isobox = Path(sys.argv[1]).absolute()
    # It takes seconds, unless a question is another one than expected.
    signal.alarm(120)
    picture = draw(record(isobox))
    if "--check" not in sys.argv:
        PICTURE.write_text(picture)
        print(f"wrote docs/{PICTURE.name}: {len(picture.encode())} bytes")
        return
    kept, now = shown(PICTURE.read_text()), shown(picture)
    for expected, line in zip(kept, now, strict=False):
        if expected != line:
            sys.exit(f"docs/{PICTURE.name} shows\n  {expected}\nand it is\n  {line}\nRun scripts/record.py {sys.argv[1]}.")
    if len(kept) != len(now):
        sys.exit(f"docs/{PICTURE.name} has {len(kept)} pieces of text, and there are {len(now)}. Run scripts/record.py {sys.argv[1]}.")
    print(f"ok      docs/{PICTURE.name}")


def record(isobox: Path) -> Recording:
    """Types the commands, one after the other, and records what is to be seen."""
    recording = Recording()
    with tempfile.TemporaryDirectory(prefix="isobox-recording-") as temporary:
        folder, binaries = Path(temporary) / "trip", Path(temporary) / "bin"
        folder.mkdir()
        binaries.mkdir()
        (binaries / "isobox").symlink_to(isobox)
        (folder / "isobox.json").write_text(CONFIG)
        (folder / "trip.ts").write_text(PROGRAM)
        environment = {"PATH": f"{binaries}:/usr/bin:/bin", "HOME": temporary, "USER": "ada", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        steps, seen = list(STEPS), []
        while steps:
            command, answers = steps.pop(0), []
            while steps and isinstance(steps[0], tuple):
                answers.append(steps.pop(0))
            recording.prompt()
            if not command.startswith("#"):
                # The real ID for the command, the one of the picture for the reader.
                run = command.replace("ID", seen[-1] if seen else "")
                recording.type(command.replace("ID", SAME_ID[:PREFIX]))
                seen += watch(run, answers, recording, folder, environment)
            else:
                recording.type(command)
            recording.read()
    return recording


def watch(command: str, answers: list, recording: Recording, folder: Path, environment: dict[str, str]) -> list[str]:
    """Runs a command on a terminal, answers its questions, and returns the IDs that it prints."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        settings = termios.tcgetattr(0)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, settings)
        os.chdir(folder)
        os.execve("/bin/sh", ["sh", "-c", command], environment)
    printed, begun = "", time.monotonic()
    pieces: list[tuple[float, str]] = []
    waiting = list(answers)
    decoder = codecs.getincrementaldecoder("utf-8")()
    while (data := read(terminal, decoder)) is not None:
        pieces.append((time.monotonic() - begun, data))
        printed += data
        if waiting and COLOURS.sub("", printed).endswith(waiting[0][0]):
            answer = waiting.pop(0)[1]
            show(pieces, recording)
            recording.read()
            recording.type(answer.replace("WORD", SAME_WORD))
            words = WORD.findall(COLOURS.sub("", printed))
            os.write(terminal, f"{answer.replace('WORD', words[-1])}\n".encode())
            pieces, printed, begun = [], "", time.monotonic()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if waiting or status not in (0, 3):
        sys.exit(f"{command} ended with status {status}, and printed\n{printed}")
    show(pieces, recording)
    return [found[:PREFIX] for found in re.findall(r"exec_[0-9a-f]{16,}", printed)]


def read(terminal: int, decoder: codecs.IncrementalDecoder) -> str | None:
    """Returns what was printed next, and nothing at the end."""
    try:
        data = os.read(terminal, 4096)
    except OSError:
        return None
    return decoder.decode(data) if data else None


def show(pieces: list[tuple[float, str]], recording: Recording) -> None:
    """Adds what was printed to a recording, each line at the time of its end, with what differs from run to run replaced."""
    printed, ends = "", []
    for after, piece in pieces:
        printed += piece
        ends.append((printed.count("\n"), after))
    for number, line in enumerate(normal(printed).splitlines(keepends=True)):
        recording.print(line, next((after for lines, after in ends if lines > number), ends[-1][1]))


def normal(text: str) -> str:
    """Replaces what differs from run to run by something of the same length."""
    text = re.sub(r"exec_[0-9a-f]+", lambda found: SAME_ID[:len(found[0])], text)
    text = re.sub(r"(?<![\[;\d])\d+[sm]\b +", lambda found: "5s".ljust(len(found[0])), text)
    for word in WORD.findall(COLOURS.sub("", text)):
        text = re.sub(rf"\b{word}\b", SAME_WORD, text)
    return text


def shown(picture: str) -> list[str]:
    """Returns the pieces of text of a picture, without their times."""
    return [re.sub(r'(?<=class=")t\d+', "", text) for text in re.findall(r"<text.*?</text>", picture, re.S)]


if __name__ == "__main__":
    main()
