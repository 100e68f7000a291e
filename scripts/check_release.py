#!/usr/bin/env python3
"""Packs a program with ./release and fails unless the archive is as docs/releasing.md says: check_release.py ISOBOX"""

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "LIMITATIONS.md", "NOTICE.md", "README.md", "THIRD-PARTY.txt", "isobox"]
TARGET = subprocess.run(["rustc", "--print", "host-tuple"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
# The targets that ./release builds for.
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
# Parts that are linked, that are in an image, and that are C.
NAMED = ["wasmtime ", "oxc_parser ", "libsqlite3-sys ", "zstd-sys "]


def main() -> None:
    binary = Path(sys.argv[1]).absolute()
    if TARGET not in TARGETS:
        sys.exit(f"This check packs a program of this machine, which is {TARGET}. It needs a target that releases are built for: "
                 f"{', '.join(TARGETS)}. `rustup default stable-{TARGETS[0]}` selects one where the machine can run it.")
    with tempfile.TemporaryDirectory(prefix="isobox-release-") as temporary:
        folders = [Path(temporary) / name for name in ("first", "second")]
        for folder in folders:
            ended = release("--binary", binary, "--output", folder, TARGET)
            assert ended.returncode == 0, ended.stderr
        archive = next(folders[0].glob("*.tar.gz"))
        assert archive.read_bytes() == (folders[1] / archive.name).read_bytes(), "two archives of one program differ"
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folders[0], check=True)
        check_contents(archive, binary)
    check_refusals()
    print(f"ok      {archive.name}")


def check_contents(archive: Path, binary: Path) -> None:
    folder = archive.name.removesuffix(".tar.gz")
    version = folder.removeprefix("isobox-").removesuffix(f"-{TARGET}")
    with tarfile.open(archive) as opened:
        entries = opened.getmembers()
        assert [entry.name for entry in entries] == [f"{folder}/{name}" for name in CONTENTS], entries
        for entry in entries:
            assert (entry.uid, entry.gid, entry.mtime) == (0, 0, 0), entry.name
            assert entry.mode == (0o755 if entry.name.endswith("/isobox") else 0o644), entry.name
        assert opened.extractfile(f"{folder}/isobox").read() == binary.read_bytes(), "the program is another one"
        licences = opened.extractfile(f"{folder}/THIRD-PARTY.txt").read().decode()
    missing = [name for name in NAMED if f"\n{name}" not in licences]
    assert not missing, f"THIRD-PARTY.txt lacks {missing}"
    said = subprocess.run([binary, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said == f"isobox {version}\n", f"the archive is of {version}, and the program says {said}"


def check_refusals() -> None:
    linker = f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_LINKER"
    for arguments, variables, sentence in [
        (["x86_64-apple-darwin"], {}, "Isobox cannot be built for x86_64-apple-darwin: "),
        (["x86_64-unknown-linux-musl"], {}, "Isobox cannot be built for x86_64-unknown-linux-musl: "),
        ([TARGET], {linker: "no-such-linker"}, f"The linker for {TARGET}, no-such-linker, is not "),
        (["--binary", "no-such-file", TARGET], {}, "no-such-file is not a file."),
    ]:
        ended = release(*arguments, **variables)
        assert ended.returncode == 1 and ended.stderr.startswith(sentence) and ended.stderr.count("\n") == 1, ended.stderr


def release(*arguments: object, **variables: str) -> subprocess.CompletedProcess:
    command = [ROOT / "release", *map(str, arguments)]
    return subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=120)


if __name__ == "__main__":
    main()
