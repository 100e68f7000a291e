#!/usr/bin/env python3
"""Rules about the tree that no linter knows: where unsafe may be, how long files get, tests that nothing compiles, files that
import each other in a circle, marks of unfinished work, links of documents that lead nowhere."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

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
    passed_on = {module: passes_on(module, path.read_text()) for module, path in files.items()}
    passed_on[""] = passed_on.pop("lib", {})
    imports = {
        module: imported(module, path.read_text(), passed_on) for module, path in files.items() if module not in ("lib", "main")
    }
    found, done = [], set()

    def follow(module: str, way: list[str]) -> None:
        if module in way:
            found.append(f"{source}: {' -> '.join([*way[way.index(module) :], module])}: files that import each other")
        elif module not in done:
            for other in sorted(imports.get(module, ())):
                follow(other, [*way, module])
            done.add(module)

    for module in sorted(imports):
        follow(module, [])
    return found


def module_of(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return "::".join(parts[:-1] if parts[-1] == "mod" else parts)


def absolute(module: str, path: str) -> str:
    """The path from the root of the crate. What a file names without a prefix is below it."""
    parts, base = path.split("::"), module.split("::") if module not in ("", "lib") else []
    if parts[0] == "crate":
        parts, base = parts[1:], []
    while parts and parts[0] in ("self", "super"):
        base = base[:-1] if parts.pop(0) == "super" else base
    return "::".join(base + parts)


def passes_on(module: str, text: str) -> dict[str, str]:
    """What a file has from others and lets its own importers have, each with where it is."""
    trees = re.findall(r"\bpub(?:\([^)]*\))? use ([^;]*);", text)
    return {path.rpartition("::")[2]: absolute(module, path) for tree in trees for path in paths(tree)}


def imported(module: str, text: str, passed_on: dict[str, dict[str, str]]) -> set[str]:
    """The files that define what a file imports, wherever it has it from."""
    text = re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", text)[0]
    trees = re.findall(r"\buse ((?:crate|super)::[^;]*);", text)
    found = {defining(absolute(module, path), passed_on) for tree in trees for path in paths(tree)}
    return found - {module, ""}


def defining(path: str, passed_on: dict[str, dict[str, str]]) -> str:
    for _ in range(8):
        module, rest = path, []
        while module not in passed_on:
            module, _, name = module.rpartition("::")
            rest.insert(0, name)
        if not rest or rest[0] not in passed_on[module]:
            return module
        path = "::".join([passed_on[module][rest[0]], *rest[1:]])
    return module


def check_circles() -> None:
    """Tries the check itself: a circle through a folder that passes names on is one, a way without return is none."""
    files = {"lib.rs": "pub use a::A;", "a/mod.rs": "pub use one::A;", "a/one.rs": "use crate::b::B;", "b.rs": "use crate::A;", "c.rs": "use crate::A;"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).parent.mkdir(exist_ok=True)
            (Path(folder) / name).write_text(text)
        assert len(circles(Path(folder))) == 1, circles(Path(folder))
        (Path(folder) / "b.rs").write_text("pub struct B;")
        assert not circles(Path(folder))


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
