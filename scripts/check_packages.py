#!/usr/bin/env python3
"""Packages every crate that can be published, without building it, and fails if a package lacks something: metadata, licences, or a
file that its sources include. (`cargo package` also builds each package, which takes as long as building Isobox.)"""

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
# The limit of crates.io.
MAX_BYTES = 10 * 1024 * 1024
FILES = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]
# What the build script of a crate uses, for every target and feature, and notices that go with what it contains.
USED = {
    "isobox-core": ["src/tools/search/NOTICE.md"],
    "isobox-sandbox": [
        "compile.rs", "guest/NOTICE.md", "guest/isobox-guest.wasm", "guest/isobox-guest.wasm.sha256",
        "guest/isobox-preparer.wasm",
        "guest/code/x86_64-linux/guest.cwasm", "guest/code/x86_64-linux/preparer.cwasm",
        "guest/code/aarch64-linux/guest.cwasm", "guest/code/aarch64-linux/preparer.cwasm",
    ],
}
INCLUDED = re.compile(r'\binclude(?:_str|_bytes)?!\(\s*"([^"]+)"\s*,?\s*\)|^\s*#\[path = "([^"]+)"\]', re.M)


def main() -> None:
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--no-deps"))
    problems = []
    published, kept = [], []
    for package in metadata["packages"]:
        is_published = package["publish"] is None
        (published if is_published else kept).append(package)
        if is_published != (ROOT / "crates" in Path(package["manifest_path"]).parents):
            problems.append(f'{package["name"]}: the crates in crates/ are published, and the others say `publish = false`')
    excluded = [argument for package in sorted(kept, key=lambda package: package["name"]) for argument in ("--exclude", package["name"])]
    written = " ".join(["cargo package --workspace", *excluded])
    if f"{written}\n" not in (ROOT / "docs/releasing.md").read_text(encoding="utf-8"):
        problems.append(f"docs/releasing.md does not have the command: {written}")
    cargo("package", "--workspace", *excluded, "--no-verify", "--allow-dirty")
    for package in published:
        archive = Path(metadata["target_directory"]) / "package" / f'{package["name"]}-{package["version"]}.crate'
        problems += [f'{package["name"]}: {problem}' for problem in [*in_metadata(package), *in_archive(package["name"], archive)]]
    if problems:
        sys.exit("\n".join(problems))
    print(f"packaged {len(published)} crates")


def cargo(*arguments: str) -> str:
    ended = subprocess.run(["cargo", *arguments, "--locked", "--offline"], cwd=ROOT, capture_output=True, text=True)
    if ended.returncode != 0:
        # Warnings come before it.
        sys.exit(ended.stderr[max(ended.stderr.find("error:"), 0):])
    return ended.stdout


def in_metadata(package: dict) -> list[str]:
    """What is missing in a manifest."""
    return [f"there is no `{key}`" for key in ("description", "license", "readme", "rust_version") if not package[key]]


def in_archive(name: str, archive: Path) -> list[str]:
    """What is missing in a package."""
    problems = []
    size = archive.stat().st_size
    if size > MAX_BYTES:
        problems.append(f"the package has {size} bytes, and crates.io takes {MAX_BYTES}")
    with tarfile.open(archive) as package:
        files = {PurePosixPath(*PurePosixPath(member.name).parts[1:]): member for member in package}
        names = {str(path) for path in files}
        problems += [f"{file} is not in the package" for file in [*FILES, *USED.get(name, [])] if file not in names]
        problems += [f"{path} is not a file" for path, member in files.items() if not member.isfile()]
        for path, member in files.items():
            if path.suffix != ".rs" or not member.isfile():
                continue
            for found in INCLUDED.finditer(package.extractfile(member).read().decode()):
                included = found[1] or found[2]
                if normal(path.parent / included) not in names:
                    problems.append(f"{path} includes {included}, which is not in the package")
    return problems


def normal(path: PurePosixPath) -> str:
    """Resolves `..`. What is outside the package keeps its first `..`, so that no file has this name."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


if __name__ == "__main__":
    main()
