#!/usr/bin/env python3
"""Runs a command with the test data that is not part of this repository.

    scripts/with_corpora.py cargo test --release --workspace --test test262 --test openapi

The command finds each folder in a variable: test262, the conformance tests of ECMAScript, in ISOBOX_TEST262, and public API
descriptions in ISOBOX_OPENAPI_SAMPLE. Before, a variable may name a folder, or an archive of one; otherwise `../shared`, beside
this checkout, is looked at. Where there is neither, the command runs without, and says what it skips."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPORA = {"ISOBOX_TEST262": "test262.tar.xz", "ISOBOX_OPENAPI_SAMPLE": "openapi-sample"}


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    environment = dict(os.environ)
    for variable, name in CORPORA.items():
        named = environment.pop(variable, None)
        place = Path(named) if named else ROOT.parent / "shared" / name
        if place.is_dir():
            environment[variable] = str(place.resolve())
        elif place.exists():
            environment[variable] = str(unpack(place))
        elif named:
            sys.exit(f"{variable} names {named}, which does not exist")
    sys.exit(subprocess.run(sys.argv[1:], env=environment).returncode)


def unpack(archive: Path) -> Path:
    """The folder with the archive's files, unpacked once."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:12]
    folder = ROOT / "target" / "corpora" / f"{archive.name.split('.')[0]}-{digest}"
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
