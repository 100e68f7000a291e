#!/usr/bin/env python3
"""Builds the guest image: QuickJS-ng + shim.c + prelude/ -> isobox-guest.wasm, and its hash.

    guest/build.py            build the image and keep it
    guest/build.py --check    build it and fail unless it is, byte for byte, the one that is kept
    guest/build.py --prelude  print the prelude and its parts as JSON, for the tests

Needs cargo and python. The compiler is zig, pinned and installed from PyPI into target/; the QuickJS-ng sources are
those inside the crate rquickjs-sys, pinned by builder/Cargo.lock. The build is reproducible: same inputs, same bytes.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

GUEST = Path(__file__).resolve().parent
WORK = GUEST.parent / "target" / "guest"
IMAGE = GUEST / "isobox-guest.wasm"
HASH = GUEST / "isobox-guest.wasm.sha256"
PACKAGES = GUEST.parent / "crates" / "isobox-program" / "src" / "front" / "packages.txt"

# The shadow stack of the image. The stack limit of a program is checked against it; the rest is room for the C code
# that runs after the last check.
STACK_SIZE = 1024 * 1024 + 128 * 1024

SOURCES = ["libregexp.c", "libunicode.c", "dtoa.c"]
COMPILE = [
    "--target=wasm32-wasi", "-std=gnu11", "-O3", "-DNDEBUG", "-D_GNU_SOURCE", "-DEMSCRIPTEN=1", "-mbulk-memory",
    "-mmutable-globals", "-fno-sanitize=all", "-funsigned-char", "-fwrapv", "-w",
]
LINK = [
    "--no-entry", "--stack-first", "-z", f"stack-size={STACK_SIZE}", "--gc-sections", "--strip-all",
    "--export=__stack_pointer",
]

# The prelude is one function of these, in this order; see shim.c for what it is given.
PRELUDE = [
    "intrinsics.js", "parts.js", "format.js", "console.js", "encoding.js", "clone.js", "timers.js", "bytes.js", "events.js",
    "crypto.js", "process.js", "punycode.js", "url_host.js", "url_parser.js", "url.js", "url_search_params.js", "plain.js", "failure.js",
    "intl.js", "intl_locale.js", "modules.js", "main.js",
]

# Parts of the prelude that are compiled when a program first uses them: packed texts until then. See prelude/parts.js.
PARTS = {
    "absent": ["absent.js"],
    "assert": ["node_assert.js"],
    "buffer": ["node_buffer.js"],
    "bytes": ["buffer.js"],
    "crypto": ["node_crypto.js"],
    "equality": ["deep_equal.js"],
    "events": ["node_events.js"],
    "inspect": ["inspect.js", "inspect_objects.js", "inspect_web.js"],
    "path": ["node_path.js"],
    "pattern": ["url_pattern_parser.js", "url_pattern.js"],
    "querystring": ["node_querystring.js"],
    "table": ["table.js"],
    "timers": ["node_timers.js"],
    "url": ["node_url.js"],
    "util": ["node_util.js"],
    "web": ["blob.js", "headers.js", "request.js", "fetch.js"],
}

# What is changed in the scratch copy of QuickJS-ng, in this order: files in changes/, each for one purpose.
CHANGES = ["stack.txt", "memory.txt", "errors.txt", "positions.txt", "messages.txt", "behaviour.txt",
           "speed.txt"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the kept image instead of replacing it")
    parser.add_argument("--prelude", action="store_true", help="print the prelude as JSON and build nothing")
    arguments = parser.parse_args()
    if arguments.prelude:
        main, parts = join_prelude()
        json.dump({"main": main, "parts": parts}, sys.stdout)
        return

    zig = install_zig()
    crate = find_sources()
    scratch = prepare_sources(crate)
    linked = compile_guest(zig, crate, scratch)
    image = pre_initialise(linked)
    digest = hashlib.sha256(image.read_bytes()).hexdigest()

    if arguments.check:
        kept = hashlib.sha256(IMAGE.read_bytes()).hexdigest()
        recorded = HASH.read_text().split()[0]
        if not digest == kept == recorded:
            sys.exit(f"the kept guest image is not what build.py builds:\n  built    {digest}\n  kept     {kept}\n"
                     f"  recorded {recorded}\nRun guest/build.py and commit the result.")
        print(f"guest image {digest[:16]} is what build.py builds ({image.stat().st_size} bytes)")
    else:
        shutil.copyfile(image, IMAGE)
        HASH.write_text(f"{digest}  {IMAGE.name}\n")
        print(f"wrote {IMAGE.name}: {image.stat().st_size} bytes, sha256 {digest}")


def install_zig() -> list[str]:
    requirements = GUEST / "requirements.txt"
    home = WORK / ("zig-" + hashlib.sha256(requirements.read_bytes()).hexdigest()[:12])
    python = home / "bin" / "python"
    marker = home / "complete"
    if not marker.exists():
        print("installing zig from PyPI …", flush=True)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
             "-r", requirements])
        marker.touch()
    return [str(python), "-m", "ziglang"]


def find_sources() -> Path:
    manifest = GUEST / "builder" / "Cargo.toml"
    run(["cargo", "fetch", "--quiet", "--locked", "--manifest-path", manifest])
    metadata = json.loads(run(["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", manifest],
                              capture=True))
    for package in metadata["packages"]:
        if package["name"] == "rquickjs-sys":
            return Path(package["manifest_path"]).parent
    sys.exit("rquickjs-sys is not in builder/Cargo.lock")


def prepare_sources(crate: Path) -> Path:
    scratch = WORK / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(crate / "quickjs", scratch, ignore=lambda _, names: [
        name for name in names if not name.endswith((".c", ".h"))])
    (scratch / "prelude.h").write_text(prelude_header(*join_prelude()))
    for name in CHANGES:
        apply_changes(scratch, GUEST / "changes" / name)
    shutil.copyfile(GUEST / "shim.c", scratch / "shim.c")
    shutil.copytree(GUEST / "shim", scratch / "shim")
    return scratch


def join_prelude() -> tuple[str, dict[str, str]]:
    """The prelude as one function, and its parts as functions of the names of the prelude that they use."""
    main = "\n".join((GUEST / "prelude" / name).read_text("utf-8") for name in PRELUDE)
    known = declared_names(main)
    used: set[str] = set()
    parts = {}
    for part, files in PARTS.items():
        text = "\n".join((GUEST / "prelude" / "parts" / name).read_text("utf-8") for name in files)
        data = f"{package_advice()}\n" if part == "absent" else ""
        own = declared_names(data + text)
        text = without_comments(text)
        needed = sorted(set(re.findall(r"[A-Za-z_$][\w$]*", text)) & known - own)
        used.update(needed)
        parts[part] = (f"(function (shared) {{\nconst {{ {', '.join(needed)} }} = shared;\n{data}{text}\n"
                       f"return {{ {', '.join(sorted(own))} }};\n}})\n")
    main = (f"(function (host) {{\n{main}\nconst shared = {{ {', '.join(sorted(used))} }};\n"
            "return { runModule, runStep, iteratePages, describe, importModule, runTicks, toPlain, failureParts, offerFetch, restart };\n})\n")
    return main, parts


def package_advice() -> str:
    """The advice about modules that are not available, as an object of the prelude: name -> advice."""
    rows = [line.split(": ", 1) for line in PACKAGES.read_text("utf-8").splitlines() if not line.startswith("#")]
    advice = f"const ADVICE = {json.dumps([text for _, text in rows], ensure_ascii=False)};"
    names = ", ".join(f"{json.dumps(name)}: ADVICE[{index}]" for index, (names, _) in enumerate(rows) for name in names.split())
    return f"{advice}\nconst INSTEAD = {{ __proto__: null, {names} }};"


def declared_names(text: str) -> set[str]:
    """The names that a text declares outside of all functions: such a declaration starts its line."""
    names = set(re.findall(r"^(?:const|let|class|(?:async )?function\*?) ([A-Za-z_$][\w$]*)", text, re.MULTILINE))
    for pattern in re.findall(r"^const \{([^}]*)\} =", text, re.MULTILINE):
        names.update(name.split(":")[-1].strip() for name in pattern.split(",") if name.strip())
    return names


def without_comments(text: str) -> str:
    """Leaves out lines that are nothing but a comment, and the indentation of the others."""
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**", "* ", "*/")))


def prelude_header(main: str, parts: dict[str, str]) -> str:
    def array(name: str, content: bytes, qualifier: str) -> str:
        rows = [", ".join(str(byte) for byte in content[at:at + 24]) for at in range(0, len(content), 24)]
        return f"static {qualifier}{name}[] = {{\n" + ",\n".join(rows) + "\n};\n"

    # In a section of its own: it is empty in the image, and lies apart from the variables that every program changes.
    header = array("prelude_source", main.encode() + b"\0", "__attribute__((section(\".prelude\"))) char ")
    rows = []
    for name, text in parts.items():
        content = text.encode()
        header += array(f"packed_{name}", pack(content), "const uint8_t ")
        rows.append(f'    {{ "{name}", packed_{name}, sizeof packed_{name}, {len(content)} }},\n')
    return header + ("static const struct prelude_part {\n    const char *name;\n    const uint8_t *packed;\n"
                     "    size_t packed_size, size;\n} prelude_parts[] = {\n" + "".join(rows) + "};\n")


def pack(content: bytes) -> bytes:
    """Packs a text of less than 64 KiB: runs of new bytes, each followed by a copy of bytes that came before.

    A copy starts with a byte whose upper half is the number of new bytes before it and whose lower half is its length
    less four; 15 means that further bytes, the last of them below 255, are added. Its distance follows in two bytes.
    """
    def number(value: int) -> bytes:
        return bytes([255] * ((value - 15) // 255) + [(value - 15) % 255]) if value >= 15 else b""

    packed = bytearray()
    places: dict[bytes, list[int]] = {}
    at = start = 0
    while at < len(content):
        best = distance = 0
        for place in reversed(places.get(content[at:at + 4], [])[-256:]):
            length = 4
            while at + length < len(content) and content[place + length] == content[at + length]:
                length += 1
            if length > best:
                best, distance = length, at - place
        step = best if best >= 4 and at + 4 <= len(content) else 1
        if step > 1:
            new = content[start:at]
            packed.append(min(len(new), 15) << 4 | min(best - 4, 15))
            packed += number(len(new)) + new + distance.to_bytes(2, "little") + number(best - 4)
        for place in range(at, at + step):
            places.setdefault(content[place:place + 4], []).append(place)
        at += step
        if step > 1:
            start = at
    new = content[start:]
    packed.append(min(len(new), 15) << 4)
    packed += number(len(new)) + new
    return bytes(packed)
def apply_changes(scratch: Path, changes: Path) -> None:
    """Applies a file of changes. A change starts with `@@ FILE`; its lines are those of a diff without line numbers, and
    the lines that it replaces occur exactly once in that file. `#` starts a comment between changes."""
    target, lines = None, []
    for line in [*changes.read_text("utf-8").splitlines(), "@@ "]:
        if not line.startswith(("#", "@@ ")):
            lines.append(line)
            continue
        if target:
            apply_change(target, changes.name, "\n".join(lines).rstrip().split("\n"))
        target, lines = scratch / line[3:] if line.startswith("@@ ") else None, []


def apply_change(target: Path, origin: str, lines: list[str]) -> None:
    if not all(line[:1] in ("", " ", "-", "+") for line in lines):
        sys.exit(f"{origin}: not a change of {target.name}:\n" + "\n".join(lines))
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    text = target.read_text("utf-8")
    if text.count(f"\n{old}") != 1:
        sys.exit(f"{origin}: {target.name} has {text.count(old)} instead of one of this text:\n{old}")
    target.write_text(text.replace(f"\n{old}", f"\n{new}"), "utf-8")


def compile_guest(zig: list[str], crate: Path, scratch: Path) -> Path:
    libc = crate / "vendor" / "wasi-libc"
    environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=str(WORK / "zig-cache"), ZIG_LOCAL_CACHE_DIR=str(WORK / "zig-cache"))
    objects = []
    for source in ["shim.c", *SOURCES]:
        target = Path(source).with_suffix(".o")
        objects.append(str(target))
        # Relative paths, from inside the scratch folder: no path of this machine can enter the image.
        run([*zig, "cc", *COMPILE, "-nostdinc", "-isystem", libc / "include", *builtin_headers(zig),
             "-c", source, "-o", target], cwd=scratch, env=environment)
    run([*zig, "wasm-ld", *LINK, *objects, libc / "lib" / "libc.a", "-o", "guest.wasm"], cwd=scratch, env=environment)
    return scratch / "guest.wasm"


def builtin_headers(zig: list[str]) -> list[str]:
    """The compiler's own headers (stddef.h, stdarg.h …), which libc's rely on."""
    site = run([zig[0], "-c", "import ziglang, os; print(os.path.dirname(ziglang.__file__))"], capture=True).strip()
    return ["-isystem", str(Path(site) / "lib" / "include")]


def pre_initialise(linked: Path) -> Path:
    image = WORK / "isobox-guest.wasm"
    run(["cargo", "run", "--quiet", "--locked", "--manifest-path", GUEST / "builder" / "Cargo.toml",
         "--target-dir", WORK / "builder", "--", "initialise", linked, image])
    return image


def run(command: list, capture: bool = False, **options) -> str:
    words = [str(word) for word in command]
    result = subprocess.run(words, stdout=subprocess.PIPE if capture else None, text=True, **options)
    if result.returncode:
        sys.exit(f"failed with status {result.returncode}: {' '.join(words)}")
    return result.stdout if capture else ""


if __name__ == "__main__":
    main()
