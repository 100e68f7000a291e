#!/usr/bin/env python3
"""Compiles the images to machine code for the usual targets: isobox-*.wasm -> code/TARGET/*.cwasm, and what it was made from.

    guest/compile.py            compile the images and keep the machine code
    guest/compile.py --check    compile them and fail unless the result is, byte for byte, what is kept
    guest/compile.py --check --here    the same, only for the processor of this machine
    guest/compile.py --sources  fail unless what is kept was made from the images and settings as they are

The compiler is wasmtime's, pinned by builder/Cargo.lock, and gives the same bytes on every machine.
"""

import argparse
import hashlib
import platform
import shutil
import subprocess
import sys
from pathlib import Path

GUEST = Path(__file__).resolve().parent
ROOT = GUEST.parent
WORK = ROOT / "target" / "guest"
CODE = GUEST / "code"
ORIGIN = CODE / "origin"

IMAGES = ["guest", "preparer"]
# By the names that the build script of isobox-sandbox looks for.
TARGETS = {"x86_64-linux": "x86_64-unknown-linux-gnu", "aarch64-linux": "aarch64-unknown-linux-gnu"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--sources", action="store_true")
    parser.add_argument("--here", action="store_true")
    options = parser.parse_args()
    if options.here and not options.check:
        parser.error("--here goes with --check: what is kept is for every target")
    if options.check or options.sources:
        check_origin()
    if options.sources:
        return
    here = f"{platform.machine()}-linux"
    targets = {here: TARGETS[here]} if options.here and here in TARGETS else TARGETS
    for name, target in targets.items():
        for image in IMAGES:
            made = compile_image(image, name, target)
            kept = CODE / name / made.name
            if options.check:
                if made.read_bytes() != kept.read_bytes():
                    sys.exit(f"{kept.relative_to(ROOT)} is not what isobox-{image}.wasm compiles to: run guest/compile.py")
                print(f"{kept.relative_to(ROOT)} is what isobox-{image}.wasm compiles to")
            else:
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(made, kept)
                print(f"wrote {kept.relative_to(ROOT)}: {kept.stat().st_size} bytes")
    if not options.check:
        ORIGIN.write_text(origin())


def compile_image(image: str, name: str, target: str) -> Path:
    made = WORK / "code" / name / f"{image}.cwasm"
    made.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cargo", "run", "--quiet", "--locked", "--manifest-path", GUEST / "builder" / "Cargo.toml",
                    "--target-dir", WORK / "builder", "--",
                    "compile", GUEST / f"isobox-{image}.wasm", made, target], check=True)
    return made


def origin() -> str:
    """Names all that decides what the machine code is, and the machine code itself, by their hashes."""
    builder = GUEST / "builder"
    files = [*(GUEST / f"isobox-{image}.wasm" for image in IMAGES), ROOT / "crates/isobox-sandbox/src/codegen.rs",
             ROOT / "crates/isobox-sandbox/compile.rs", builder / "Cargo.lock",
             *(CODE / name / f"{image}.cwasm" for name in TARGETS for image in IMAGES)]
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT)}\n" for file in files)


def check_origin() -> None:
    missing = [file for name in TARGETS for image in IMAGES if not (file := CODE / name / f"{image}.cwasm").is_file()]
    if missing or ORIGIN.read_text() != origin():
        sys.exit(f"{CODE.relative_to(ROOT)} was made from other images or settings: run guest/compile.py, and keep what it makes")
    print(f"{CODE.relative_to(ROOT)} was made from these images and settings")


if __name__ == "__main__":
    main()
