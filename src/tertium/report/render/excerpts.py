"""The part of a sentence that fits on a line, and the columns of its characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len

from tertium.comparison.errors.instances import Range

LONGEST_PIECE = 16  # characters of a word that is never cut
_CHUNK = 8


@dataclass(frozen=True)
class Excerpt:
    """Pieces of a text in one line, with signs where something is left out.

    `places` are the pieces: first character, end, and the column where the piece begins.
    """

    text: str
    line: str
    width: int
    places: tuple[tuple[int, int, int], ...]
    show: Callable[[str], str]

    def columns(self, place: Range) -> Range:
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


def excerpt(
    text: str,
    ranges: Sequence[Range],
    width: int,
    *,
    cut: tuple[bool, bool],
    sign: str,
    show: Callable[[str], str],
) -> Excerpt:
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
    return Excerpt(text, "".join(parts), column, tuple(places) or ((0, 0, 0),), show)


def _pieces(text: str) -> Iterator[Range]:
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
