"""A matrix as a heat map: the number in every cell, the larger the denser."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tertium.report.svg.colours import DENSITIES, HUE, LINE, density, letters_on
from tertium.report.svg.elements import element, escape, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.sizes import SIZE, text_width
from tertium.results.blocks import NOTHING, Matrix
from tertium.results.texts import shown, visible

EMPTY = "∅"
_SIZES = ((12, 46.0, 30.0), (math.inf, 32.0, 24.0))  # up to so many columns: least width, height
_MOST = 96.0  # how wide a cell may be made by its label
_PAGE = 800.0  # how wide a matrix may be made by its labels
_LABEL = 190.0  # the longest label that is shown whole
_PAD, _APART = 8.0, 5.0  # beside labels; before the row and column of nothing
_STEP = 18.0  # the width of a colour in the scale
_SLOPE = math.radians(45)


def heat_map(matrix: Matrix, links: Sequence[str] = ()) -> Drawing:
    """Gold labels down, system labels across, nothing last and a little apart.

    `links` are the addresses of cells, row by row; empty where there is none.
    """
    return _Layout(matrix, links).drawing()


class _Layout:
    """Where everything stands; all sizes follow from the labels and the numbers."""

    def __init__(self, matrix: Matrix, links: Sequence[str] = ()) -> None:
        self.matrix, self.links = matrix, links
        self.rows = [EMPTY if name is None else visible(name) for name in matrix.rows]
        self.columns = [EMPTY if name is None else visible(name) for name in matrix.columns]
        self.row_axis, self.column_axis = visible(matrix.row_axis), visible(matrix.column_axis)
        self.cells = [[shown(v, matrix.kind) for v in row] for row in matrix.values]
        values = [abs(v) for row in matrix.values for v in row if v is not None]
        self.largest = max(values, default=0) if matrix.largest is None else matrix.largest
        widest = max((text_width(text) for row in self.cells for text in row), default=0)
        heads = min(max(map(text_width, self.columns), default=0), _LABEL)
        least, self.height = next(s[1:] for s in _SIZES if len(self.columns) <= s[0])
        upright = max(least, widest + _PAD, heads + _PAD)
        self.slanted = upright > least and (
            heads + _PAD > _MOST or upright * len(self.columns) > _PAGE
        )
        self.width = max(least, widest + _PAD) if self.slanted else upright
        names = min(max(map(text_width, self.rows), default=0), _LABEL)
        self.left = max(names, text_width(self.row_axis)) + _PAD
        self.axis = SIZE * 1.8 if self.column_axis else 0
        self.head = heads * math.sin(_SLOPE) + SIZE if self.slanted else SIZE * 1.4
        self.top = self.axis + self.head + _PAD / 2
        self.beyond = heads * math.cos(_SLOPE) if self.slanted else 0  # the last label leans out

    def x(self, column: int) -> float:
        """The left edge of a column."""
        apart = _APART if None in self.matrix.columns[: column + 1] else 0
        return self.left + column * self.width + apart

    def y(self, row: int) -> float:
        """The upper edge of a row."""
        apart = _APART if None in self.matrix.rows[: row + 1] else 0
        return self.top + row * self.height + apart

    @property
    def right(self) -> float:
        """Where the last column ends."""
        return self.x(len(self.columns) - 1) + self.width if self.columns else self.left

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.y(len(self.rows) - 1) + self.height if self.rows else self.top

    def drawing(self) -> Drawing:
        """All of it."""
        needed = self.left + text_width(self.column_axis)
        width = max(self.right + max(0.0, self.beyond - self.width / 2), needed) + 2
        body = [*self._heads(), *self._names(), *self._numbers()]
        height = self.bottom + 2
        if self.matrix.smallest:
            scale, end = self._scale(height + _PAD)
            body += scale
            width, height = max(width, end), height + _PAD + SIZE + 4
        return Drawing(width, height, tuple(body), self._description())

    def _scale(self, y: float) -> tuple[list[str], float]:
        """What the colours mean, from the smallest number to the largest, and where that ends."""
        kind = self.matrix.kind
        first, last = (shown(v, kind) for v in (self.matrix.smallest, self.largest))
        x, base = self.left, y + SIZE * 0.85
        body = [words(first, x, base, look="faint")]
        x += text_width(first) + _PAD / 2
        for dense in DENSITIES:
            box: dict[str, str | float] = {
                "class": "cell",
                "x": x,
                "y": y,
                "width": _STEP,
                "height": SIZE,
                "fill": HUE,
                "fill-opacity": dense,
                "stroke": LINE,
            }
            body.append(element("rect", box))
            x += _STEP
        body.append(words(last, x + _PAD / 2, base, look="faint"))
        return body, x + _PAD / 2 + text_width(last) + 2

    def _heads(self) -> Iterator[str]:
        axis = self.column_axis
        if axis:
            middle = max((self.left + self.right) / 2, self.left + text_width(axis) / 2)
            yield words(axis, middle, SIZE, anchor="middle", look="faint")
        for column, name in enumerate(self.columns):
            x, y = self.x(column) + self.width / 2, self.top - _PAD
            if self.slanted:
                turned = f"rotate(-45 {x:.1f} {y:.1f})"
                yield words(name, x, y, room=_LABEL, transform=turned)
            else:
                yield words(name, x, y, anchor="middle", room=_LABEL)

    def _names(self) -> Iterator[str]:
        end = self.left - _PAD
        if self.row_axis:
            yield words(self.row_axis, end, self.top - _PAD, anchor="end", look="faint")
        for row, name in enumerate(self.rows):
            yield words(name, end, self._base(row), anchor="end", room=_LABEL)

    def _base(self, row: int) -> float:
        """The base line of letters in the middle of a row."""
        return self.y(row) + self.height / 2 + SIZE * 0.36

    def _numbers(self) -> Iterator[str]:
        for row, values in enumerate(self.matrix.values):
            for column, value in enumerate(values):
                if value is None:
                    continue
                dense = density(value, self.largest, self.matrix.smallest)
                box: dict[str, str | float] = {
                    "class": "cell",
                    "x": self.x(column),
                    "y": self.y(row),
                    "width": self.width,
                    "height": self.height,
                    "fill": HUE,
                    "fill-opacity": dense,
                    "stroke": LINE,
                }
                look = letters_on(dense) if value else "faint"
                at = self.x(column) + self.width / 2, self._base(row)
                text = words(self.cells[row][column], *at, anchor="middle", look=look)
                tip = element("title", {}, escape(self._told(row, column)))
                cell = element("g", {}, tip, element("rect", box), text)
                yield linked(self.links, row * len(values) + column, cell)

    def _told(self, row: int, column: int) -> str:
        """One number in words."""
        matrix = self.matrix
        sides = (
            (matrix.row_axis, matrix.rows[row]),
            (matrix.column_axis, matrix.columns[column]),
        )
        where = [f"{axis} {NOTHING if n is None else n}".strip() for axis, n in sides]
        return f"{', '.join(where)}: {self.cells[row][column]}"

    def _description(self) -> str:
        size = f"A heat map of {len(self.rows)} rows and {len(self.columns)} columns"
        places = (
            (-abs(value), row, column)
            for row, values in enumerate(self.matrix.values)
            for column, value in enumerate(values)
            if value
        )
        first = min(places, default=None)
        if first is None:
            return f"{size}, all zero or empty."
        return f"{size}; the largest number is at {self._told(first[1], first[2])}."
