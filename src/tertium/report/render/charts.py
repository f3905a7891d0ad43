"""Stacked bars in text: every category has a pattern of its own, colour comes on top."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from rich.cells import cell_len
from rich.text import Text as Line

from tertium.report.render.grid import GAP, folded
from tertium.results.blocks import Bars
from tertium.results.texts import ASCII_FILLS, COLOURS, FILLS, visible


def bar_lines(bars: Bars, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """A bar a line, all as long as each other, and the legend. Names that take more than a third of
    the line are folded."""
    fills = ASCII_FILLS if ascii else FILLS
    names = [[line.rstrip() for line in folded(visible(n), width // 3)] for n in bars.names]
    left = max((cell_len(line) for name in names for line in name), default=0)
    room = width - left - GAP
    yield Line()
    for name, shares in zip(names, bars.shares(), strict=True):
        for number, text in enumerate(name):
            line = Line(text + " " * (left - cell_len(text) + GAP))
            if number == 0:
                for place, size in enumerate(_cells([share or 0 for share in shares], room)):
                    line.append(_fill(fills, place) * size, style=_colour(place))
            yield line
    yield Line()
    yield from legend(
        [(_fill(fills, p), c, _colour(p)) for p, c in enumerate(bars.categories)], width
    )


def _cells(shares: Sequence[float], room: int) -> list[int]:
    """How many of `room` cells each share takes, by the largest remainders: bars are equally long,
    and no part is off by more than a cell.

    >>> _cells([0.5, 0.3, 0.2], 8)
    [4, 2, 2]
    """
    exact = [share * room for share in shares]
    cells = [math.floor(size) for size in exact]
    left = round(sum(exact)) - sum(cells)
    order = sorted(range(len(exact)), key=lambda i: (cells[i] - exact[i], i))
    for place in order[:left]:
        cells[place] += 1
    return cells


def legend(entries: Sequence[tuple[str, str, str]], width: int) -> Iterator[Line]:
    """Signs with their names and colours, as many on a line as fit."""
    line = Line()
    for sign, name, colour in entries:
        pieces = folded(visible(name), width - 2)
        entry = 2 + cell_len(pieces[0])
        if line and line.cell_len + GAP + entry > width:
            yield line
            line = Line()
        if line:
            line.append(" " * GAP)
        line.append(sign, style=colour)
        line.append(f" {pieces[0]}")
        for piece in pieces[1:]:
            yield line
            line = Line(f"  {piece}")
    yield line


def _fill(fills: str, place: int) -> str:
    """The sign of a category; letters come to help where the patterns run out."""
    signs = fills + ascii_lowercase
    return signs[place % len(signs)]


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]
