#!/usr/bin/env python3
"""Runs a command with test262, the conformance tests of ECMAScript, unpacked in a folder.

    scripts/with_test262.py cargo test --release --workspace --test test262

The command finds the folder in ISOBOX_TEST262. The tests are not part of this repository: before, ISOBOX_TEST262 may name a
checkout or an archive of one; otherwise `../shared/test262.tar.xz`, beside this checkout, is used. Where there is neither, the
command runs without, and says what it skips."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "ISOBOX_TEST262"


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    named = os.environ.get(NAME)
    place = Path(named) if named else ROOT.parent / "shared" / "test262.tar.xz"
    environment = dict(os.environ)
    environment.pop(NAME, None)
    if place.is_dir():
        environment[NAME] = str(place.resolve())
    elif place.exists():
        environment[NAME] = str(unpack(place))
    elif named:
        sys.exit(f"{NAME} names {named}, which does not exist")
    sys.exit(subprocess.run(sys.argv[1:], env=environment).returncode)


def unpack(archive: Path) -> Path:
    """The folder with the archive's files, unpacked once."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:12]
    folder = ROOT / "target" / "test262" / f"tests-{digest}"
    marker = folder / "complete"
    if not marker.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        marker.touch()
    return folder


if __name__ == "__main__":
    main()
