#!/usr/bin/env python3
"""Fails if a dependency that ships has a licence that deny.toml does not allow. (`cargo deny check` does more; this needs
nothing installed.)"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    rules = tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]
    allowed = set(rules["allow"])
    # For packages that name a file instead of a licence.
    read = {clarified["crate"]: clarified["expression"] for clarified in rules.get("clarify", [])}
    # The preparer is built apart, and ships inside its image.
    packages = [*packages_of(ROOT, "x86_64-unknown-linux-gnu"), *packages_of(ROOT / "guest" / "preparer", "wasm32-unknown-unknown")]
    refused = [f'{package["name"]} {package["version"]}: {package["license"]}'
               for package in packages
               if not is_allowed(package["license"] or read.get(f'{package["name"]}@{package["version"]}', ""), allowed)]
    if refused:
        sys.exit("these licences are not in deny.toml:\n  " + "\n  ".join(refused))
    print(f"the licences of {len(packages)} packages are allowed")


def packages_of(folder: Path, platform: str) -> list[dict]:
    metadata = json.loads(subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", platform],
        cwd=folder, stdout=subprocess.PIPE, check=True).stdout)
    resolved = {node["id"] for node in metadata["resolve"]["nodes"]}
    return [package for package in metadata["packages"] if package["id"] in resolved]


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """SPDX as crates write it: OR of ANDs, parentheses around either, `/` for OR in old ones."""
    expression = expression.replace("/", " OR ").strip()
    if not expression:
        return False
    choices = split_top(expression, " OR ")
    if len(choices) > 1:
        return any(is_allowed(choice, allowed) for choice in choices)
    parts = split_top(expression, " AND ")
    if len(parts) > 1:
        return all(is_allowed(part, allowed) for part in parts)
    if expression.startswith("(") and expression.endswith(")"):
        return is_allowed(expression[1:-1], allowed)
    return re.sub(r"\s+", " ", expression) in allowed


def split_top(expression: str, word: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, character in enumerate(expression):
        depth += (character == "(") - (character == ")")
        if depth == 0 and expression.startswith(word, at):
            parts.append(expression[start:at])
            start = at + len(word)
    return [*parts, expression[start:]]


if __name__ == "__main__":
    main()
