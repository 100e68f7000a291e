#!/usr/bin/env python3
"""Rules about the tree that no linter knows: where unsafe may be, how long files get, tests that nothing compiles, files that
import each other in a circle, marks of unfinished work, links of documents that lead nowhere."""

import re
import subprocess
import sys
from pathlib import Path

from circles import check_circles, circles, crate_roots
from links import broken_links

ROOT = Path(__file__).resolve().parent.parent
CODE = {".rs", ".c", ".js", ".mjs", ".py", ".ts"}
MAX_LINES = 500

def main() -> None:
    check_circles()
    problems = []
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in listed.split():
        path = ROOT / name
        if path.suffix not in CODE or not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > MAX_LINES and not name.startswith("spec/"):
            problems.append(f"{name}: {lines} lines; more than {MAX_LINES} is a design question")
        if name == "scripts/check_tree.py":
            continue
        # The preparer is a module of its own behind the wall; what it exports needs the word.
        if path.suffix == ".rs" and not name.startswith(("crates/isobox-sandbox/", "guest/preparer/src/")):
            if re.search(r"\bunsafe\b(?!_code)", re.sub(r"//.*", "", text)):
                problems.append(f"{name}: unsafe belongs in isobox-sandbox alone")
        if path.suffix == ".rs" and "/tests/" in name and not is_compiled(path):
            problems.append(f"{name}: no `mod` names it, so that it is not compiled")
        if name.startswith(("sim/src/", "spec/src/")) and re.search(r"#\[(tokio::)?test\b", text):
            problems.append(f"{name}: Cargo.toml says that there are no tests in here")
        for mark in re.finditer(r"\b(TODO|FIXME|XXX)\b|todo!\(|unimplemented!\(|#\[ignore", text):
            problems.append(f"{name}: unfinished work: {mark.group()}")
    for manifest in (ROOT / name for name in listed.split() if name.endswith("Cargo.toml")):
        problems += [circle for root in crate_roots(manifest) for circle in circles(root)]
    problems += broken_links(ROOT, listed.split())
    if problems:
        sys.exit("\n".join(problems))
    print(f"checked {len(listed.split())} files")


def is_compiled(path: Path) -> bool:
    """Whether a file below a folder of tests is a program, or a module that its parent names."""
    folder = path.parent
    if path.name == "mod.rs":
        path, folder = folder, folder.parent
    if folder.name == "tests" or path.name == "main.rs":
        return True
    parents = [folder / "main.rs", folder / "mod.rs", folder.with_suffix(".rs")]
    return any(re.search(rf"^mod {path.stem};", parent.read_text(), re.M) for parent in parents if parent.exists())


if __name__ == "__main__":
    main()
