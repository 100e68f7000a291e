"""Relative links of Markdown files: every one leads to a committed file or folder, and to a heading if it names one."""

import os
import re
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)=\"([^\"]+)\"", re.M)
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2`*~*\s*?$", re.M | re.S)
CODE = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\1(?!`)", re.S)


def broken_links(root: Path, committed: list[str]) -> list[str]:
    names = set(committed)
    folders = {str(folder) for name in names for folder in PurePosixPath(name).parents}
    problems = []
    for name in sorted(name for name in names if name.endswith(".md") and (root / name).exists()):
        for line, target in links(root / name):
            path, _, heading = target.partition("#")
            found = os.path.normpath(os.path.join(os.path.dirname(name), unquote(path))) if path else name
            if found not in names and found not in folders:
                problems.append(f"{name}:{line}: the link to {target} leads to nothing that is committed")
            elif heading and found.endswith(".md") and unquote(heading) not in headings(root / found):
                problems.append(f"{name}:{line}: the link to {target} names no heading of {found}")
    return problems


def links(path: Path) -> list[tuple[int, str]]:
    """The relative links of a file, with their lines. What is code is no link."""
    text = blank(CODE, blank(FENCE, path.read_text(encoding="utf-8")))
    found = ((text.count("\n", 0, link.start()) + 1, next(filter(None, link.groups()))) for link in LINK.finditer(text))
    return [(line, target) for line, target in found if not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.I)]


@cache
def headings(path: Path) -> set[str]:
    """The anchors that GitHub makes of the headings of a file."""
    text = blank(FENCE, path.read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    for title in re.findall(r"^#+ +(.+?)(?: +#*)?$", text, re.M):
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = found.get(anchor, 0)
        found[anchor] = number + 1
        if number:
            found[f"{anchor}-{number}"] = 1
    return set(found) | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def blank(pattern: re.Pattern, text: str) -> str:
    """Leaves only the line breaks of what matches."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
