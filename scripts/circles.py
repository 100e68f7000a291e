"""Files of a crate that import each other in a circle.

A module and what is below it are one unit: a parent may use its children while they use the parent, and that is no circle. The root
of a crate (`lib.rs` or `main.rs`) is a module like any other, beside those that it declares. What a file re-exports counts as an
import of the file that defines it. Tests do not count: they import what they test."""

import re
import tempfile
import tomllib
from collections import deque
from dataclasses import dataclass
from pathlib import Path

ROOT = ("(root)",)
# Comments, strings and characters: what they contain is no code.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|\b[bc]?r(#*)".*?"\1|"(?:\\.|[^"\\])*"|\'(?:\\.[^\']*|[^\\\'])\'', re.S)
TEST = re.compile(r"#\[cfg\((?:test|all\(test,[^\]]*)\)\]\s*(?:#\[[^\]]*\]\s*)*")
PATH_FOR_SERDE = re.compile(r'\b\w*with = "([\w:]+)"')
INLINE_MODULE = re.compile(r"\bmod (\w+)\s*(?=\{)")
IMPORT = re.compile(r"\b(pub(?:\([^)]*\))? )?use ([\w{][^;]*);")
INLINE_PATH = re.compile(r"(?<![\w:$])\w+(?:\s*::\s*\w+)+")

# The parts of a path from the root of the crate.
Names = tuple[str, ...]


@dataclass
class Module:
    """A module: of a file, or written inside of one."""

    file: Names
    """The module that the file is."""
    text: str
    """Its code, without imports and without tests."""
    imports: list[tuple[str, Names]]
    """What it imports, with the names that it gives to it."""
    passed_on: set[str]
    """The names that it imports for others."""


def crate_roots(manifest: Path) -> list[Path]:
    """The files with which the library and the programs of a package begin."""
    package, tables = manifest.parent, tomllib.loads(manifest.read_text())
    named = [package / table["path"] for table in [tables.get("lib", {}), *tables.get("bin", [])] if "path" in table]
    usual = [package / "src/lib.rs", package / "src/main.rs", *package.glob("src/bin/*.rs"), *package.glob("src/bin/*/main.rs")]
    return [root for root in dict.fromkeys(named + usual) if root.exists()]


def circles(root: Path) -> list[str]:
    """The circles of a crate: one of each group of files that all lead to each other."""
    files, modules = {}, {}
    read(root, (), root.parent, files, modules)
    graph = {path or ROOT: set() for path in files}
    for path, module in modules.items():
        graph[module.file or ROOT] |= {file or ROOT for file in imported(path, modules)} - {module.file or ROOT}
    files[ROOT] = root
    found = []
    for parent in {path[:end] for path in graph for end in range(len(path))}:
        below = {path for path in graph if path[: len(parent)] == parent and path != parent}
        for circle in circles_below(len(parent), below, graph):
            names = " -> ".join(str(files[path].relative_to(root.parent)) for path in circle)
            found.append(f"{root.parent}: {names}: files that import each other")
    return sorted(found)


def read(file: Path, path: Names, folder: Path, files: dict[Names, Path], modules: dict[Names, Module]) -> None:
    """Reads a file, and those of the modules that it declares, except for tests. `folder` contains the latter."""
    files[path] = file
    text = PATH_FOR_SERDE.sub(r"\1::with", file.read_text(encoding="utf-8"))
    text = NO_CODE.sub(lambda found: "" if found[0].startswith("/") else '""', text)
    text = re.sub(r"\bpub\(in [^)]*\)", "pub", without_items(TEST, text)[0])
    for inner, code in modules_inside((), text).items():
        code = without_items(INLINE_MODULE, code)[0]
        found = [(public, *each) for public, tree in IMPORT.findall(code) for each in paths(tree)]
        imports = [(name, imported) for _, imported, name in found if imported != (name,)]
        modules[path + inner] = Module(path, IMPORT.sub("", code), imports, {name for public, _, name in found if public})
    for name in re.findall(r"\bmod (\w+);", text):
        for child in (folder / f"{name}.rs", folder / name / "mod.rs"):
            if child.exists():
                read(child, (*path, name), folder / name, files, modules)


def modules_inside(path: Names, text: str) -> dict[Names, str]:
    """A module, and those that are written inside of it, each with its text."""
    found = {path: text}
    for start, item in without_items(INLINE_MODULE, text)[1]:
        found |= modules_inside((*path, start[1]), item[1:-1])
    return found


def without_items(start: re.Pattern[str], text: str) -> tuple[str, list[tuple[re.Match[str], str]]]:
    """The text without the items that begin like this, and these items with what follows their beginning."""
    kept, items, place = [], [], 0
    while found := start.search(text, place):
        start_of_kept, place = place, end_of(text, found.end())
        kept.append(text[start_of_kept : found.start()])
        items.append((found, text[found.end() : place]))
    return "".join([*kept, text[place:]]), items


def end_of(text: str, place: int) -> int:
    """The end of an item: a semicolon, or the brace that closes its body. What ends in another way ends with what contains it."""
    depth = 0
    for place in range(place, len(text)):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(text[place], 0)
        if depth < 0:
            return place
        if depth == 0 and text[place] in ";}":
            return place + 1
    return len(text)


def imported(path: Names, modules: dict[Names, Module]) -> set[Names]:
    """The files that define what a module imports or names, wherever it has it from."""
    module = modules[path]
    named = [tuple(re.split(r"\s*::\s*", inline)) for inline in INLINE_PATH.findall(module.text)]
    named += [target for name, target in module.imports if name not in module.passed_on or re.search(rf"\b{name}\b", module.text)]
    return {modules[found].file for each in named for start in absolute(path, each, modules) for found in defining(start, modules)}


def absolute(module: Names, path: Names, modules: dict[Names, Module]) -> set[Names]:
    """A path from the root of the crate. There is none if it leads out of the crate, or begins with an item of the module itself;
    there are several if the module has several imports of the same name, each for another platform for example."""
    first, rest = path[0], path[1:]
    if first == "crate":
        return {rest}
    if first in ("self", "super"):
        while path and path[0] in ("self", "super"):
            module, path = (module[:-1] if path[0] == "super" else module), path[1:]
        return {module + path}
    if (*module, first) in modules:
        return {module + path}
    targets = [target for name, target in modules[module].imports if name == first and target[0] != first]
    return {start + rest for target in targets for start in absolute(module, target, modules)}


def defining(path: Names, modules: dict[Names, Module], steps: int = 8) -> set[Names]:
    """The modules that define what a path leads to. There is none if that is itself a module, or outside of the crate."""
    if path == () or steps == 0:
        return set()
    # A function may have the name of a module beside it.
    module = path[:-1]
    while module not in modules:
        module = module[:-1]
    name, rest = path[len(module)], path[len(module) + 1 :]
    targets = [target for each, target in modules[module].imports if each == name]
    if not targets:
        return set() if path in modules else {module}
    starts = {start for target in targets for start in absolute(module, target, modules)}
    return {found for start in starts for found in defining(start + rest, modules, steps - 1)}


def circles_below(depth: int, below: set[Names], graph: dict[Names, set[Names]]) -> list[list[Names]]:
    """The circles through at least two of the units below a module, which has this depth."""
    found, done = [], set()
    for path in sorted(below):
        for other in sorted(graph[path] & below):
            if path not in done and path[depth] != other[depth] and (back := way(other, path, below, graph)):
                found.append([path, *back])
                done |= {each for each in below if way(each, path, below, graph) and way(path, each, below, graph)}
    return found


def way(start: Names, end: Names, below: set[Names], graph: dict[Names, set[Names]]) -> list[Names]:
    """A shortest way from one file to another; nothing if there is none."""
    ways, queue = {start: [start]}, deque([start])
    while queue and end not in ways:
        path = queue.popleft()
        for other in sorted(graph[path] & below - ways.keys()):
            ways[other] = [*ways[path], other]
            queue.append(other)
    return ways.get(end, [])


def paths(tree: str) -> list[tuple[Names, str]]:
    """The paths of a tree of imports, with their names: `a::{b, c::d as e}` is `a::b` with the name `b` and `a::c::d` with `e`."""
    tree = " ".join(tree.split())
    if not tree.endswith("}"):
        path, _, name = tree.partition(" as ")
        parts = tuple(path.removesuffix("::self").split("::"))
        return [(parts, name or parts[-1])]
    start, _, inside = tree[:-1].partition("{")
    parts, depth = [""], 0
    for character in inside:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [path for part in parts if part.strip() for path in paths(start + part.strip())]


def check_circles() -> None:
    """Tries the check itself, with crates that have a circle and crates that have none."""
    through = {"lib.rs": "mod a; mod b; pub use a::A;", "a/mod.rs": "mod one; pub use one::A;", "a/one.rs": "use crate::b::B;"}
    pair = {"lib.rs": "mod a; mod b;", "b.rs": "use crate::a::A;"}
    unit = {"lib.rs": "mod a; mod b;", "a/mod.rs": "mod one; use one::A; pub const B: A = one::f();"}
    cases = [
        # Through a folder that passes names on; a way without return; a name that a folder has from elsewhere.
        (1, {**through, "b.rs": "use crate::A;"}),
        (0, {**through, "b.rs": "pub struct B;"}),
        (1, {**pair, "lib.rs": "mod a; mod b; use b::B;", "a.rs": "use super::B as C;"}),
        # By paths in code, also after the name of an imported module, and from a module that is written inside of a file.
        (1, {**pair, "a.rs": "fn a() { super::b::b() }"}),
        (1, {**pair, "a.rs": "use super::b; fn a() { b::b() }"}),
        (1, {**pair, "a.rs": "mod inner { const A: u8 = super::super::b::B; }"}),
        (0, {**pair, "a.rs": "//! crate::b::B\nconst A: &str = \"crate::b::B\"; /* crate::b::B */ fn a() { other::b::b() }"}),
        # By the name that a function shares with its module, and by a string for serde.
        (1, {"lib.rs": "mod a; mod b; pub use b::b;", "a.rs": "use crate::b;", "b.rs": "use crate::a::A;"}),
        (1, {**pair, "a.rs": "use super::b; #[serde(with = \"b\")] pub struct A;"}),
        (1, {**pair, "a.rs": "#[serde(deserialize_with = \"crate::b::b\")] pub struct A;"}),
        (1, {**pair, "a.rs": "use super::b::b; use other::b; b!(b())"}),
        # By one of several imports with the same name.
        (1, {"lib.rs": "mod a; mod b; mod c; pub use b::B; pub use c::B;", "a.rs": "use crate::B;", "b.rs": "", "c.rs": "use crate::a::A;"}),
        # In tests alone.
        (0, {**pair, "a.rs": "#[cfg(test)]\nmod tests { use crate::b::B; fn a() {} }\nfn a() {}"}),
        (1, {**pair, "a.rs": "#[cfg(test)]\nmod tests { fn a() {} }\nfn a() { crate::b::b() }"}),
        (1, {**pair, "a.rs": "struct A { #[cfg(test)] a: u8 } fn a() { crate::b::b() }"}),
        (0, {**pair, "a.rs": "#[cfg(test)]\nmod tests;", "a/tests.rs": "use crate::b::B;"}),
        # With what the root defines; a re-export is no use.
        (1, {"lib.rs": "mod a; use a::A; pub struct B(A);", "a.rs": "use crate::B; pub struct A;"}),
        (0, {"lib.rs": "mod a; pub use a::A; pub struct B;", "a.rs": "use crate::B; pub struct A;"}),
        # Within a unit; between two children; out of a unit and back to its parent.
        (0, {**unit, "a/one.rs": "pub struct A(super::B);", "b.rs": ""}),
        (1, {"lib.rs": "mod a;", "a/mod.rs": "mod one; mod two;", "a/one.rs": "use super::two::B;", "a/two.rs": "use super::one::A;"}),
        (1, {**unit, "a/one.rs": "use crate::b::C;", "b.rs": "use crate::a::B; pub struct C;"}),
    ]
    for expected, files in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (Path(folder) / name).parent.mkdir(exist_ok=True)
                (Path(folder) / name).write_text(text)
            found = circles(Path(folder) / "lib.rs")
            assert len(found) == expected, (files, found)
