#!/usr/bin/env python3
"""Builds unpatched.c with the engine's sources as they are released, and prints where the program is.

    spec/test262/build_unpatched.py

The sources are those that the guest is built from, without its changes. Needs a C compiler."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "guest"))
import build  # noqa: E402 (where the sources are is known there)

OPTIONS = ["-O2", "-DNDEBUG", "-D_GNU_SOURCE", "-std=gnu11", "-funsigned-char", "-fwrapv", "-w"]


def main() -> None:
    source = HERE / "unpatched.c"
    sources = build.find_sources() / "quickjs"
    folder = ROOT / "target" / "test262"
    folder.mkdir(parents=True, exist_ok=True)
    program, made_from = folder / "unpatched", folder / "unpatched.from"
    key = f"{sources}\n{source.read_text()}"
    if not program.exists() or not made_from.exists() or made_from.read_text() != key:
        made_from.unlink(missing_ok=True)
        files = [source, *(sources / name for name in build.SOURCES)]
        command = [os.environ.get("CC", "cc"), *OPTIONS, f"-I{sources}", *files, "-lm", "-lpthread", "-o", program]
        if subprocess.run(command, stdout=sys.stderr).returncode:
            sys.exit("the engine could not be compiled")
        made_from.write_text(key)
    print(program)


if __name__ == "__main__":
    main()
