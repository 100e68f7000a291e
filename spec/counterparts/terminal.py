"""Runs a command on a terminal of its own, as a person does who reads a page."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path

ROWS, COLUMNS = 50, 120
SECONDS = 120
# How long nothing is printed after a question.
QUIET = 0.5
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(
    command: list[str], folder: Path, environment: dict, expected: list[str], plain: Callable[[str], str]
) -> tuple[int, str]:
    """Types what the expected lines have after the beginning that is a question. Returns the status and what is to be seen."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(folder)
        os.execvpe(command[0], command, environment)
    printed, decoder, end = "", codecs.getincrementaldecoder("utf-8")(), time.monotonic() + SECONDS
    while True:
        ready, _, _ = select.select([terminal], [], [], QUIET)
        if ready:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break
            if not data:
                break
            printed += decoder.decode(data)
            continue
        asked = shown(printed).rpartition("\n")[2]
        question = plain(asked)
        if question.endswith(": "):
            answer = next((line.removeprefix(question) for line in expected if line.startswith(question)), None)
            if answer is None or time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                break
            # The word that approves is another one every time.
            word = re.search(r"\bType ([a-z]{4}) to\b", asked)
            os.write(terminal, f"{word[1] if word and answer == 'WORD' else answer}\n".encode())
        elif time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return status, shown(printed)


def shown(printed: str) -> str:
    """What is to be seen on the terminal: without sequences, and without lines that were written over."""
    lines = SEQUENCE.sub("", printed).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rpartition("\r")[2] for line in lines)
