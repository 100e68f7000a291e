#!/usr/bin/env python3
"""Rules about the tree that no linter knows: where unsafe may be, how long files get, tests that nothing compiles, files that
import each other in a circle, marks of unfinished work, links of documents that lead nowhere."""

import re
import subprocess
import sys
from pathlib import Path

from links import broken_links

ROOT = Path(__file__).resolve().parent.parent
CODE = {".rs", ".c", ".js", ".mjs", ".py", ".ts"}
MAX_LINES = 500

def main() -> None:
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
    for manifest in (name for name in listed.split() if name.endswith("Cargo.toml")):
        problems += circles((ROOT / manifest).parent / "src")
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


def circles(source: Path) -> list[str]:
    """Files of a crate that import each other in a circle. Tests do not count: they import what they test."""
    files = {module_of(path, source): path for path in source.rglob("*.rs") if "test" not in path.stem}
    names = exported(source / "lib.rs")
    imports = {module: imported(module, path.read_text(), files, names) for module, path in files.items()}
    found, done = [], set()

    def follow(module: str, way: list[str]) -> None:
        if module in way:
            circle = way[way.index(module) :] + [module]
            found.append(f"{source.relative_to(ROOT)}: {' -> '.join(circle)}: files that import each other")
        elif module not in done:
            for other in sorted(imports[module]):
                follow(other, [*way, module])
            done.add(module)

    for module in sorted(imports):
        follow(module, [])
    return found


def module_of(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return "::".join(parts[:-1] if parts[-1] == "mod" else parts)


def exported(root: Path) -> dict[str, str]:
    """What the root of a crate has from its modules, each with the module."""
    text = root.read_text() if root.exists() else ""
    return {
        path.rpartition("::")[2]: path.rpartition("::")[0]
        for tree in re.findall(r"\bpub use ([^;]*);", text)
        for path in paths(tree)
    }


def imported(module: str, text: str, files: dict[str, Path], names: dict[str, str]) -> set[str]:
    found = set()
    text = re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", text)[0]
    for tree in re.findall(r"\buse ((?:crate|super)::[^;]*);", text):
        for path in paths(tree):
            start, _, rest = path.partition("::")
            above = module.rpartition("::")[0] if start == "super" else ""
            parts = (f"{above}::{rest}" if above else rest).split("::")
            if parts[0] in names and parts[0] not in files:
                parts = names[parts[0]].split("::") + parts
            while parts and "::".join(parts) not in files:
                parts.pop()
            if parts:
                found.add("::".join(parts))
    return found - {module, "lib", "main"}


def paths(tree: str) -> list[str]:
    """The paths of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    tree = " ".join(tree.split())
    if not tree.endswith("}"):
        return [tree.split(" as ")[0]]
    start, _, inside = tree[:-1].partition("{")
    parts, depth = [""], 0
    for character in inside:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [start + path for part in parts if part.strip() for path in paths(part.strip())]


if __name__ == "__main__":
    main()
