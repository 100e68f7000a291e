"""A recording of a terminal, and the animated picture of it: SVG with CSS alone, so that it also moves in a README."""

import re
from dataclasses import dataclass, field
from html import escape

COLUMNS, ROWS = 118, 30
# Seconds: for a key, before and after a command, for each line that is read, and at the end.
KEY, ENTER, LOOK, LINE, END = 0.045, 0.3, 1.0, 0.18, 5.0
# Pixels: a character, a line, the margin, the bar of the window.
WIDTH, HEIGHT, MARGIN, BAR = 8.4, 20, 18, 34
# The looks that Isobox paints with (style.rs), by their codes.
LOOKS = {"": "", "0": "", "1": "strong", "2": "faint", "33": "warning", "1;31": "error", "1;34": "mark"}
STYLE = f"""\
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d5dae3; white-space: pre }}
.strong {{ fill: #ffffff; font-weight: bold }} .faint {{ fill: #939cab }} .warning {{ fill: #e3b341 }}
.error {{ fill: #ff7b72; font-weight: bold }} .mark {{ fill: #79b8ff; font-weight: bold }} .prompt {{ fill: #7ee787 }}
.cover {{ visibility: hidden }}
"""


@dataclass
class Piece:
    """Text of one line that appears at one time, at once or key by key."""

    row: int
    column: int
    at: float
    spans: list[tuple[str, str]]
    is_typed: bool = False

    def length(self) -> int:
        return sum(len(text) for _, text in self.spans)


@dataclass
class Recording:
    """What was to be seen, and when. Time passes only here: for keys, for reading, and as long as the commands took."""

    pieces: list[Piece] = field(default_factory=list)
    now: float = 0.0
    row: int = 0
    column: int = 0
    begun: float = 0.0
    unread: int = 0
    look: str = ""

    def prompt(self) -> None:
        self.add([("prompt", "$ ")])
        self.now += ENTER

    def type(self, text: str) -> None:
        """Types a line."""
        self.add([("faint" if text.startswith("#") else "", text)], is_typed=True)
        self.now += KEY * len(text) + ENTER
        self.begun = self.now
        self.end_line()

    def print(self, line: str, after: float) -> None:
        """Prints a line, so many seconds after the last one was typed."""
        self.now = max(self.now, self.begun + round(after, 1))
        self.add([(self.look, text) for text in self.split(line.rstrip("\r\n"))])
        if line.endswith("\n"):
            self.end_line()
            self.unread += 1

    def read(self) -> None:
        """Waits until what is new has been read."""
        self.now += LOOK + LINE * self.unread
        self.unread = 0

    def split(self, line: str):
        """Gives the parts of a line, and sets the look of each."""
        for number, part in enumerate(re.split("\x1b\\[([0-9;]*)m", line)):
            if (number % 2 and part not in LOOKS) or (number % 2 == 0 and re.search("[\x00-\x1f]", part)):
                raise ValueError(f"the recording does not know what {part!r} does")
            if number % 2:
                self.look = LOOKS[part]
            elif part:
                yield part

    def add(self, spans: list[tuple[str, str]], is_typed: bool = False) -> None:
        """Adds text at the cursor. What does not fit into the line continues in the next one."""
        piece = Piece(self.row, self.column, self.now, [], is_typed)
        for look, text in spans:
            while text:
                room = COLUMNS - self.column
                if room == 0:
                    self.pieces.append(piece)
                    self.end_line()
                    piece = Piece(self.row, 0, self.now, [], is_typed)
                    continue
                piece.spans.append((look, text[:room]))
                self.column += len(text[:room])
                text = text[room:]
        if piece.spans:
            self.pieces.append(piece)

    def end_line(self) -> None:
        self.row += 1
        self.column = 0


def draw(recording: Recording) -> str:
    """Draws a recording. Without animations the picture shows its end."""
    whole = recording.now + END
    times = sorted({piece.at for piece in recording.pieces})
    rules = [f"@keyframes a{number} {{ 0% {{ opacity: 0 }} {share(at, whole)} {{ opacity: 1 }} }} .t{number} {{ animation-name: a{number} }}"
             for number, at in enumerate(times)]
    texts, covers = [], []
    for piece in recording.pieces:
        texts += texts_of(piece, times.index(piece.at))
        if piece.is_typed:
            rules.append(typing(piece, len(covers), whole))
            covers.append(cover_of(piece, len(covers)))
    rules.append(scrolling(recording.pieces, whole))
    width, height = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN + BAR
    rules.append(f"text, .cover, .page {{ animation-duration: {whole:.1f}s; animation-timing-function: step-end; "
                 "animation-iteration-count: infinite }\n@media (prefers-reduced-motion: reduce) { * { animation: none !important } }")
    lines = "\n".join([*texts, *covers])
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img">
<title>A program pauses for approval, and resumes when it is approved</title>
<style>
{STYLE}{chr(10).join(rules)}
</style>
<clipPath id="screen"><rect x="{MARGIN}" y="{BAR}" width="{COLUMNS * WIDTH:.0f}" height="{ROWS * HEIGHT + MARGIN}"/></clipPath>
<rect width="{width:.0f}" height="{height}" rx="9" fill="#191d25"/>
<circle cx="22" cy="18" r="6" fill="#ff5f57"/><circle cx="42" cy="18" r="6" fill="#febc2e"/><circle cx="62" cy="18" r="6" fill="#28c840"/>
<g clip-path="url(#screen)"><g class="page" transform="translate(0 {-HEIGHT * max(0, recording.pieces[-1].row - ROWS + 1)})">
{lines}
</g></g>
</svg>
"""


def texts_of(piece: Piece, time: int) -> list[str]:
    """Draws a piece. Each look has an element of its own, with its place and length, whatever the font is."""
    texts, column = [], piece.column
    for look, text in piece.spans:
        # Spaces at the end are counted by some programs and not by others.
        if drawn := text.rstrip():
            texts.append(f'<text class="{f"t{time} {look}".strip()}" x="{MARGIN + column * WIDTH:.1f}" y="{top(piece.row) + 15}" '
                         f'textLength="{len(drawn) * WIDTH:.1f}" xml:space="preserve">{escape(drawn, quote=False)}</text>')
        column += len(text)
    return texts


def cover_of(piece: Piece, number: int) -> str:
    """Draws what hides the keys that were not pressed yet, with the cursor at its left end."""
    x, y = MARGIN + piece.column * WIDTH, top(piece.row)
    return (f'<g class="cover c{number}"><rect x="{x:.1f}" y="{y}" width="{(piece.length() + 1) * WIDTH:.1f}" height="{HEIGHT}" '
            f'fill="#191d25"/><rect x="{x:.1f}" y="{y + 1}" width="{WIDTH}" height="{HEIGHT - 2}" fill="#d5dae3"/></g>')


def typing(piece: Piece, number: int, whole: float) -> str:
    keys = piece.length()
    begin, end = share(piece.at, whole), share(piece.at + KEY * keys, whole)
    after = share(piece.at + KEY * keys + ENTER, whole)
    moved = f"transform: translateX({keys * WIDTH:.1f}px)"
    return (f"@keyframes k{number} {{ 0% {{ visibility: hidden }} {begin} {{ visibility: visible; transform: none; "
            f"animation-timing-function: steps({keys}) }} {end} {{ visibility: visible; {moved} }} "
            f"{after}, 100% {{ visibility: hidden; {moved} }} }} .c{number} {{ animation-name: k{number} }}")


def scrolling(pieces: list[Piece], whole: float) -> str:
    """Moves the page up so far that the last line is to be seen."""
    steps, last = ["0% { transform: none }"], 0
    for piece in pieces:
        if piece.row >= ROWS and piece.row - ROWS + 1 > last:
            last = piece.row - ROWS + 1
            steps.append(f"{share(piece.at, whole)} {{ transform: translateY({-last * HEIGHT}px) }}")
    return f"@keyframes page {{ {' '.join(steps)} }} .page {{ animation-name: page }}"


def top(row: int) -> int:
    return BAR + row * HEIGHT


def share(at: float, whole: float) -> str:
    return f"{100 * at / whole:.2f}%"
