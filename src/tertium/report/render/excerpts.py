"""Excerpts for terminals and logs: the part of a sentence that fits on a line, and under its words
what each side has."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rich.cells import cell_len, chop_cells

from tertium.report.render.signs import ASCII, UNICODE, Signs, TextLook
from tertium.results.blocks import Excerpt, Stretch, Underline
from tertium.results.texts import runs_right_to_left

INDENT = len("system") + 2
LONGEST_PIECE = 16  # characters of a word that is never cut
_CHUNK = 8
_ASCII = replace(ASCII, below="++^", dotted=".", cut="...")


@dataclass(frozen=True)
class Strip:
    """Pieces of a text in one line, with signs where something is left out.

    `places` are the pieces: first character, end, and the column where the piece begins.
    """

    text: str
    line: str
    width: int
    places: tuple[tuple[int, int, int], ...]
    show: Callable[[str], str]

    def columns(self, place: Stretch) -> Stretch:
        """The columns of some characters; at least one."""
        first = self._column(place[0], 0)
        last = self._column(max(place[1] - 1, place[0]), 1)
        return first, max(last, first + 1)

    def _column(self, character: int, after: int) -> int:
        """Where a character begins, or with `after` where it ends."""
        at = bisect_right(self.places, character, key=lambda piece: piece[0]) - 1
        start, end, column = self.places[max(at, 0)]
        upto = min(max(character + after, start), end)
        return column + cell_len(self.show(self.text[start:upto]))


def strip_of(
    text: str,
    ranges: Sequence[Stretch],
    width: int,
    *,
    cut: tuple[bool, bool],
    sign: str,
    show: Callable[[str], str],
) -> Strip:
    """As much of a text as fits into `width` cells: the ends of all ranges, then their neighbours.

    `cut` says whether the text itself is cut off at its ends, `sign` stands for what is left out,
    `show` makes text fit to be printed. Where even the ends of the ranges are too long for the
    line, they are shown all the same.
    """
    pieces = list(_pieces(text))
    cells = [cell_len(show(text[a:z])) for a, z in pieces]
    gap = cell_len(sign) + 1
    room = width - gap * sum(cut)
    kept: Sequence[int] = range(len(pieces))
    if sum(cells) > room:
        starts = [a for a, _ in pieces]
        ends = (c for a, z in ranges for c in (a, max(z - 1, a)))
        anchors = sorted({max(bisect_right(starts, c) - 1, 0) for c in ends}) or [0]
        kept = _kept(cells, anchors, width, gap, cut)
    parts: list[str] = []
    places: list[tuple[int, int, int]] = []
    column, before = 0, -1
    for piece in kept:
        if piece != before + 1 or (before < 0 and cut[0]):
            parts.append(f"{sign} ")
            column += gap
        start, end = pieces[piece]
        parts.append(show(text[start:end]))
        places.append((start, end, column))
        column += cells[piece]
        before = piece
    if before + 1 < len(pieces) or cut[1]:
        if parts and not parts[-1].endswith(" "):
            parts.append(" ")
            column += 1
        parts.append(sign)
        column += gap - 1
    return Strip(text, "".join(parts), column, tuple(places) or ((0, 0, 0),), show)


def _pieces(text: str) -> Iterator[Stretch]:
    """Words with the white space after them; very long ones in parts."""
    for match in re.finditer(r"\S+\s*|\s+", text):
        start, end = match.span()
        while end - start > LONGEST_PIECE:
            yield start, start + _CHUNK
            start += _CHUNK
        yield start, end


def _kept(
    cells: Sequence[int], anchors: Sequence[int], width: int, gap: int, cut: tuple[bool, bool]
) -> list[int]:
    """Pieces to show: the anchors, and around each as many neighbours as fit."""
    kept = set(anchors)
    last = len(cells) - 1
    inner = sum(b != a + 1 for a, b in pairwise(anchors))
    left_out = inner + (anchors[0] > 0 or cut[0]) + (anchors[-1] < last or cut[1])
    used = sum(cells[a] for a in anchors) + gap * left_out
    for distance in range(1, last + 1):
        ring = [p for a in anchors for p in (a - distance, a + distance) if 0 <= p <= last]
        for piece in ring:
            sides = (piece - 1 in kept, piece + 1 in kept)
            if piece in kept or not any(sides):
                continue
            before = sides[0] or (piece == 0 and not cut[0])
            after = sides[1] or (piece == last and not cut[1])
            # Between two kept pieces the sign for what is left out goes.
            cost = cells[piece] - gap * (before and after)
            if used + cost <= width:
                kept.add(piece)
                used += cost
        if not kept.intersection(ring):
            break
    return sorted(kept)


class ExcerptText(TextLook):
    """How excerpts look as text; only unbroken words may be wider than `width`.

    `color` sets what an excerpt is in bold.
    """

    def draw(self, excerpt: Excerpt) -> str:
        """What it is, the sentence with both sides marked, and an empty line."""
        lines = [*self.heading(excerpt.heading), *self._sentence(excerpt)]
        return "\n".join(line.rstrip() for line in lines) + "\n\n"

    def heading(self, parts: Sequence[str]) -> Iterator[str]:
        """What it is and what else is to be said, over several lines where it is long."""
        kind, *rest = map(self.show, parts)
        line = kind
        for part in rest:
            if line and cell_len(f"{line}  {part}") > self.width:
                yield self._bold(line, kind)
                line, kind = " " * INDENT + part, ""
            else:
                line = f"{line}  {part}"
        yield self._bold(line, kind)

    @property
    def signs(self) -> Signs:
        """Those of figures, but for some in ASCII."""
        return _ASCII if self.ascii else UNICODE

    def _bold(self, line: str, kind: str) -> str:
        if not self.color or not kind:
            return line
        return f"\x1b[1m{kind}\x1b[0m{line[len(kind) :]}"

    def _sentence(self, excerpt: Excerpt) -> Iterator[str]:
        width = self.width - INDENT
        marks = _joined(excerpt.marks)
        if runs_right_to_left(excerpt.text):
            # A terminal may turn the words of Arabic or Hebrew around, and marks below them would
            # point at others; signs between the words move with them.
            for mark in marks:
                text, places = _bracketed(excerpt.text, mark.places)
                line = self._strip(excerpt, text, places, width).line
                yield from _folded([(mark.side, line)], width)
            return
        lines = self._drawn(excerpt, marks, width)
        if any(cell_len(line) > width for _, line in lines):
            # A mark may take the whole line and leave no room for its label.
            longest = max((cell_len(self.show(mark.label)) for mark in marks), default=0)
            lines = self._drawn(excerpt, marks, max(width - longest - 1, width // 2))
        yield from _folded(lines, width)

    def _drawn(
        self, excerpt: Excerpt, marks: Sequence[Underline], room: int
    ) -> list[tuple[str, str]]:
        """The words and the marks below them, each with the name of its side."""
        places = [p for mark in marks for p in (*mark.places, mark.head) if p is not None]
        strip = self._strip(excerpt, excerpt.text, places, room)
        lines = [("tokens" if excerpt.has_numbers else "", strip.line)]
        for mark in marks:
            draw = _arc if mark.has_head else _brackets
            cells, first, last = draw(mark, strip, self.signs) if mark.places else ("", 0, 0)
            label = self.show(mark.label)
            lines.append((mark.side, _labelled(cells, first, last, label, self.width - INDENT)))
        return lines

    def _strip(self, excerpt: Excerpt, text: str, places: Sequence[Stretch], width: int) -> Strip:
        sign = self.signs.cut
        return strip_of(text, places, width, cut=excerpt.cut, sign=sign, show=self.show)


def _joined(marks: Sequence[Underline]) -> Sequence[Underline]:
    """One line for both sides where they differ in nothing but the label."""
    if len(marks) == 2:
        ours, theirs = marks
        if (ours.places, ours.head) == (theirs.places, theirs.head):
            label = f"{ours.side} {ours.label}, {theirs.side} {theirs.label}"
            return [replace(ours, side="", label=label)]
    return marks


def _brackets(mark: Underline, shown: Strip, signs: Signs) -> tuple[str, int, int]:
    """`└────┘` below the words, parts of one span joined by `┄`; with its first and last column."""
    cells = [" "] * shown.width
    columns = [shown.columns(r) for r in mark.places]
    for (_, end), (start, _) in pairwise(columns):
        cells[end:start] = signs.dotted * (start - end)
    left, right, point = (*signs.below,)
    for start, end in columns:
        size = end - start
        cells[start:end] = left + signs.line * (size - 2) + right if size > 1 else point
    return "".join(cells), columns[0][0], columns[-1][1]


def _arc(mark: Underline, shown: Strip, signs: Signs) -> tuple[str, int, int]:
    """`└────▲` from the head to the word, `▲` alone where the head is no word here."""
    cells = [" "] * shown.width
    word = _middle(shown.columns(mark.places[0]))
    head = _middle(shown.columns(mark.head)) if mark.head else word
    first, last = min(word, head), max(word, head)
    cells[first:last] = signs.line * (last - first)
    left, right, point = (*signs.below,)
    cells[head] = left if head < word else right
    cells[word] = point
    return "".join(cells), first, last + 1


def _middle(columns: Stretch) -> int:
    return (columns[0] + columns[1] - 1) // 2


def _labelled(cells: str, first: int, last: int, label: str, width: int) -> str:
    """The label behind the mark, or before it where only there is room."""
    size = cell_len(label)
    if last + 1 + size > width and first > size:
        return " " * (first - 1 - size) + label + " " + cells[first:last]
    return f"{cells[:last]} {label}" if last else label


def _bracketed(text: str, ranges: Sequence[Stretch]) -> tuple[str, list[Stretch]]:
    """The text with brackets around the ranges, and where the ranges are then."""
    parts, places, done = [], [], 0
    for number, (start, end) in enumerate(ranges):
        parts += [text[done:start], "[", text[start:end], "]"]
        places.append((start + 2 * number, end + 2 * number + 2))
        done = end
    return "".join([*parts, text[done:]]), places


def _folded(lines: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Lines that belong together, cut at the same columns where they are too wide."""
    widest = max(cell_len(line) for _, line in lines)
    if widest <= width:
        yield from (f"{name:<{INDENT}}{line}" for name, line in lines)
        return
    rows = [(name, chop_cells(line, width)) for name, line in lines]
    for number in range(max(len(parts) for _, parts in rows)):
        for name, parts in rows:
            part = parts[number] if number < len(parts) else ""
            if part.strip():
                yield f"{name:<{INDENT}}{part}"
