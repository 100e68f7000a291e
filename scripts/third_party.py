"""Collects the licences of everything that the program `isobox`, or the native part of the npm package, contains."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

NAMES = ("licen", "copying", "notice", "unlicense", "copyright")
CODE = (".c", ".h", ".html", ".json", ".py", ".rs", ".toml")
HEAD = """\
{what} contains the packages below, each under the licence beside it. The texts of the licences follow, each once. NOTICE.md
lists what the images and the table of meanings inside the program contain besides. The program also contains parts of the Rust standard library (MIT OR Apache-2.0).
"""
LINE = "-" * 100 + "\n"


def third_party(root: Path, target: str, program: str = "isobox-cli") -> str:
    """Returns the list of packages and the texts of their licences. `program` is the package whose build is shipped."""
    # The preparer is built apart, and ships inside its image.
    packages = {(package["name"], package["version"]): package
                for package in [*shipped(root, program, target),
                                *shipped(root / "guest" / "preparer", "isobox-preparer", "wasm32-unknown-unknown")]}
    table, texts = "", {}
    for (name, version), package in sorted(packages.items()):
        numbers = []
        for file in licences(package):
            text = "\n".join(line.rstrip() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()).strip() + "\n"
            digest = hashlib.sha256(text.encode()).hexdigest()
            number = texts.setdefault(digest, (len(texts) + 1, text))[0]
            numbers.append(str(number))
        where = f"text {', '.join(dict.fromkeys(numbers))}" if numbers else f"by {', '.join(package['authors']) or 'its authors'}"
        table += f'{name} {version}: {package["license"]} ({where})\n'
    head = HEAD.format(what="The program `isobox`" if program == "isobox-cli" else "The native part of the npm package `isobox`")
    return f"{head}\n{table}" + "".join(f"\n{LINE}Text {number}\n{LINE}\n{text}" for number, text in texts.values())


def shipped(folder: Path, name: str, target: str) -> list[dict]:
    """Returns the packages of others that a package is linked with: neither those of tests nor those of build scripts."""
    listed = cargo(folder, "tree", "--package", name, "--target", target, "--edges", "normal", "--prefix", "none", "--format", "{p}")
    linked = {tuple(line.split()[:2]) for line in listed.splitlines() if line}
    metadata = json.loads(cargo(folder, "metadata", "--format-version", "1", "--filter-platform", target))
    return [package for package in metadata["packages"]
            if package["source"] and (package["name"], f"v{package['version']}") in linked]


def cargo(folder: Path, *arguments: str) -> str:
    """Asks cargo about a workspace. Nothing is downloaded: the archive depends on what the program was built from."""
    ended = subprocess.run(["cargo", *arguments, "--locked", "--offline"], cwd=folder, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{ended.stderr}The packages of {folder} are not all on this machine: run `cargo fetch --locked` there.")
    return ended.stdout


def licences(package: dict) -> list[Path]:
    """Returns the files of a package, and of the libraries inside it, that look like licences."""
    folder = Path(package["manifest_path"]).parent
    return sorted(file for pattern in ("*", "*/*") for file in folder.glob(pattern)
                  if file.is_file() and file.name.lower().startswith(NAMES) and file.suffix not in CODE)
