#!/usr/bin/env python3
"""Runs a command with a folder of public API descriptions.

    scripts/with_openapi_sample.py cargo test --release --workspace --test openapi

The command finds the folder in ISOBOX_OPENAPI_SAMPLE. The documents are not part of this repository: before,
ISOBOX_OPENAPI_SAMPLE may name a folder; otherwise `../shared/openapi-sample`, beside this checkout, is used. Where there is
neither, the command runs without, and says what it skips."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "ISOBOX_OPENAPI_SAMPLE"


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    named = os.environ.get(NAME)
    place = Path(named) if named else ROOT.parent / "shared" / "openapi-sample"
    environment = dict(os.environ)
    environment.pop(NAME, None)
    if place.is_dir():
        environment[NAME] = str(place.resolve())
    elif named:
        sys.exit(f"{NAME} names {named}, which is not a folder")
    sys.exit(subprocess.run(sys.argv[1:], env=environment).returncode)


if __name__ == "__main__":
    main()
