#!/usr/bin/env python3
"""Builds the preparer image: the front end in crates/isobox-program -> isobox-preparer.wasm, and what it was built from.

    guest/build_preparer.py            build the image and keep it
    guest/build_preparer.py --check    build it and fail unless it is, byte for byte, the one that is kept
    guest/build_preparer.py --sources  fail unless the image that is kept was built from the sources as they are

Needs a Rust compiler for wasm32-unknown-unknown. Debian's rustc-web brings one with the sources of its standard library,
which is built along; it is installed where it is missing. Its version is kept beside the image: another one makes other
bytes, so that --check then says that it has not compared them.

The sources are copied into a workspace of their own in target/ and built there: cargo hashes the place of a crate relative to
its workspace, but the whole path of a crate outside of it, so that every checkout would make an image of its own.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

GUEST = Path(__file__).resolve().parent
ROOT = GUEST.parent
CRATE = GUEST / "preparer"
PROGRAM = ROOT / "crates" / "isobox-program"
WORK = ROOT / "target" / "preparer"
STAGE = WORK / "workspace"
IMAGE = GUEST / "isobox-preparer.wasm"
ORIGIN = GUEST / "isobox-preparer.wasm.origin"

PACKAGES = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"]
COMPILER = Path("/usr/bin/rustc")
LINKER = Path("/usr/lib/llvm-22/bin/wasm-ld")
STANDARD_LIBRARY = Path("/usr/src")

# The stack of the image lies at the bottom of its memory, so that an overflow is a trap.
STACK_SIZE = 8 * 1024 * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--sources", action="store_true")
    options = parser.parse_args()
    if options.sources:
        check_sources()
        return
    install()
    version = compiler_version()
    if options.check:
        check_sources()
        kept = read_origin()["compiler"]
        if kept != version:
            print(f"NOT REBUILT: {IMAGE.name} was built by {kept}, and this machine has {version}. It is the image that "
                  f"{ORIGIN.name} names, of these sources; guest/build_preparer.py builds and keeps it anew.")
            return
    image = build()
    if options.check:
        if image.read_bytes() != IMAGE.read_bytes():
            sys.exit(f"{image} is not {IMAGE}: build it anew and keep it")
        print(f"{IMAGE.name} is what its sources make")
        return
    shutil.copyfile(image, IMAGE)
    ORIGIN.write_text(
        f"image {digest(IMAGE.read_bytes())}\nsources {digest_of_sources()}\ncompiler {version}\n"
    )
    print(f"{IMAGE.name}: {IMAGE.stat().st_size} bytes")


def install():
    if COMPILER.exists() and LINKER.exists() and standard_library():
        return
    subprocess.run(["apt-get", "update", "--quiet=2"], check=True)
    subprocess.run(["apt-get", "install", "--quiet=2", "--yes", "--no-install-recommends", *PACKAGES], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def standard_library():
    return any(STANDARD_LIBRARY.glob("rustc*/library/std"))


def compiler_version():
    return subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True).stdout.strip()


def build():
    shutil.rmtree(STAGE, ignore_errors=True)
    for name, content in workspace().items():
        file = STAGE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    remaps = [(home, "/cargo"), (STANDARD_LIBRARY, "/src"), (STAGE, "/isobox"), (WORK, "/work")]
    flags = [f"-Clink-arg=-zstack-size={STACK_SIZE}", "-Clink-arg=--stack-first",
             *(f"--remap-path-prefix={path}={name}" for path, name in remaps)]
    environment = {
        "PATH": f"{COMPILER.parent}:/bin",
        "HOME": str(Path.home()),
        "CARGO_HOME": str(home),
        "CARGO_TARGET_DIR": str(WORK),
        # What builds a standard library is not stable, and needs to be asked for this way.
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": str(LINKER),
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
    }
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-Zbuild-std=std,panic_abort",
                    "--target", "wasm32-unknown-unknown"], check=True, cwd=STAGE, env=environment)
    return WORK / "wasm32-unknown-unknown" / "release" / "isobox_preparer.wasm"


def check_sources():
    origin = read_origin()
    if origin["image"] != digest(IMAGE.read_bytes()):
        sys.exit(f"{IMAGE.name} is not the image that {ORIGIN.name} speaks of: run guest/build_preparer.py")
    if origin["sources"] != digest_of_sources():
        sys.exit(f"{IMAGE.name} was built from other sources: run guest/build_preparer.py, and keep what it builds")
    print(f"{IMAGE.name} was built from these sources by {origin['compiler']}")


def read_origin():
    return dict(line.split(" ", 1) for line in ORIGIN.read_text().splitlines())


def digest_of_sources():
    """Hashes all that decides what the image is, beside the compiler. The lock names every dependency by its hash."""
    files = {**workspace(), Path(__file__).name: Path(__file__).read_bytes()}
    return digest("\n".join(f"{name} {digest(content)}" for name, content in sorted(files.items())).encode())


def workspace():
    """Returns the files that the image is built from, by their names in a workspace that has nothing else."""
    manifest = (CRATE / "Cargo.toml").read_text()
    package, profile = manifest.split("[profile.release]\n")
    package = package[package.index("[package]"):]
    files = {
        "Cargo.toml": f"{workspace_manifest()}\n[profile.release]\n{profile}".encode(),
        "Cargo.lock": (CRATE / "Cargo.lock").read_bytes(),
        "guest/preparer/Cargo.toml": package.encode(),
        "crates/isobox-program/Cargo.toml": (PROGRAM / "Cargo.toml").read_bytes(),
    }
    for source in [*CRATE.glob("src/**/*.rs"), *PROGRAM.glob("src/**/*.*")]:
        files[source.relative_to(ROOT).as_posix()] = source.read_bytes()
    return files


def workspace_manifest():
    """Returns the manifest of that workspace, with what the crates inherit from the manifest of the project."""
    project = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
    inherited = tomllib.loads((PROGRAM / "Cargo.toml").read_text())["dependencies"]
    lines = ["[workspace]", 'resolver = "3"', 'members = ["crates/isobox-program", "guest/preparer"]', "[workspace.lints]",
             "[workspace.package]", *(f"{key} = {as_toml(value)}" for key, value in sorted(project["package"].items())),
             "[workspace.dependencies]"]
    for name, dependency in sorted(inherited.items()):
        if dependency.get("workspace"):
            lines.append(f"{name} = {as_toml(project['dependencies'][name])}")
    return "\n".join(lines) + "\n"


def as_toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {as_toml(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value)


def digest(content):
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main()
