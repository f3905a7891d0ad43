"""Charts in text: stacked bars, bars side by side, and curves as lines of blocks in a table.

Parts and series have patterns of their own, colour comes on top. Other figures are their tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from string import ascii_lowercase

from rich.cells import cell_len
from rich.text import Text as Line

from tertium.report.render.grid import GAP, folded, superscript
from tertium.report.scales import axes_of, told
from tertium.results.blocks import Bars, Cell, Column, Lines, Shares, Table
from tertium.results.texts import ASCII_FILLS, COLOURS, FILLS, text_rows, visible

_BLOCKS, _ASCII_BLOCKS = "▁▂▃▄▅▆▇█", "_.-=+*%#"
_ENDS = ("first", "last", "lowest", "highest")
_LONGEST = 40  # cells of a line of blocks


def bar_lines(bars: Bars, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """A bar a line, all as long as each other, and the legend. Names that take more than a third of
    the line are folded."""
    fills = ASCII_FILLS if ascii else FILLS
    names = _folded_names(bars.names, width)
    left = _widest(names)
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
    yield from _legend(bars.categories, fills, width)


def share_lines(shares: Shares, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """A line per share: its number and its bar, below each other under one name; then the scale and
    the legend."""
    fills = ASCII_FILLS if ascii else FILLS
    rows = [row.cells for row in text_rows(shares.table())]
    names = _folded_names([row[0].text for row in rows], width)
    numbers = [[c.text + superscript(c.note) * bool(c.note) for c in row[1:]] for row in rows]
    left, middle = _widest(names), _widest(numbers)
    room = width - left - middle - 2 * GAP
    for name, row, shown in zip(names, rows, numbers, strict=True):
        for place, (text, number) in enumerate(zip_longest(name, shown, fillvalue="")):
            line = Line(text + " " * (left - cell_len(text) + GAP))
            line.append(number.rjust(middle) + " " * GAP)
            value = row[place + 1].value if place < len(shown) else None
            if isinstance(value, float | int):
                line.append(_fill(fills, place) * round(value * room), style=_colour(place))
            yield line
    yield Line(" " * (width - room) + "0%" + "100%".rjust(room - 2))
    yield Line()
    yield from _legend(shares.series, fills, width)


def _folded_names(names: Sequence[str], width: int) -> list[list[str]]:
    """Names of bars, folded where they take more than a third of the line."""
    return [[line.rstrip() for line in folded(visible(name), width // 3)] for name in names]


def _widest(texts: Sequence[Sequence[str]]) -> int:
    return max((cell_len(line) for lines in texts for line in lines), default=0)


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


def _legend(names: Sequence[str], fills: str, width: int) -> Iterator[Line]:
    """Signs with their names and colours, as many on a line as fit."""
    line = Line()
    for place, name in enumerate(names):
        pieces = folded(visible(name), width - 2)
        entry = 2 + cell_len(pieces[0])
        if line and line.cell_len + GAP + entry > width:
            yield line
            line = Line()
        if line:
            line.append(" " * GAP)
        line.append(_fill(fills, place), style=_colour(place))
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


def curve_table(lines: Lines, width: int, *, ascii: bool = False) -> Table:
    """A row per curve: its first, last, lowest and highest value, how many lie where pictures are
    shaded, and a line of blocks, all on one scale; where a curve has no value, the line has a
    gap."""
    xs = sorted({x for series in lines.series for x in series.xs})
    size = min(len(xs), _LONGEST, width // 3)
    cell_of = {x: number * size // len(xs) for number, x in enumerate(xs)}
    scale, below = axes_of(lines)[1], lines.shade_below
    blocks = _ASCII_BLOCKS if ascii else _BLOCKS
    rows: list[tuple[Cell, ...]] = []
    for series in lines.series:
        cells = [" "] * size
        for x, y in series.points:
            cells[cell_of[x]] = blocks[min(int(scale.place(y) * len(blocks)), len(blocks) - 1)]
        ends: list[Cell] = [*(series.ends or (None,) * 4)]
        if below is not None:
            ends.append(sum(y < below for _, y in series.points))
        rows.append((series.label, *ends, "".join(cells)))
    span = " to ".join(told(x, lines.x_kind) for x in (xs[0], xs[-1])) if xs else ""
    header = " ".join(filter(None, (lines.x_axis, span)))
    columns = [Column(""), *(Column(name, lines.y_axis, lines.y_kind) for name in _ENDS)]
    if below is not None:
        columns.append(Column(f"< {scale.labels([below])[0]}", lines.y_axis, "count"))
    columns.append(Column(header))
    return Table(tuple(columns), tuple(rows), title=lines.title, note=lines.note)
