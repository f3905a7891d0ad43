"""A matrix as a heat map or as squares. `links` are the addresses of cells, row by row; empty where
there is none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tertium.report.svg.colours import DENSITIES, HUE, LINE, density, letters_on
from tertium.report.svg.elements import SIZE, box, linked, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.results.blocks import NOTHING, Hinton, Matrix
from tertium.results.texts import shown, visible

_PAD = 8.0  # beside texts
_LABEL = 190.0  # the longest label that is shown whole
_MIDDLE = SIZE * 0.36  # from the middle of letters to their base line


class HeatMap:
    """The number in every cell, the larger the denser: gold labels down, system labels across,
    nothing last and a little apart. All sizes follow from the labels and the numbers."""

    kind = "heat map"
    has_numbers = True
    sizes = ((12, 46.0, 30.0), (math.inf, 32.0, 24.0))  # up to so many columns: width, height
    widest = 96.0  # how wide a cell may be made by its label; wider ones stand on a slant
    page = 800.0  # how wide a matrix may be made by its labels
    apart = 5.0  # before the row and column of nothing
    step = 18.0  # the width of a colour in the scale
    slope = math.radians(45)

    def __init__(self, matrix: Matrix, links: Sequence[str]) -> None:
        self.matrix, self.links = matrix, links
        self.rows = [NOTHING if name is None else visible(name) for name in matrix.rows]
        self.columns = [NOTHING if name is None else visible(name) for name in matrix.columns]
        self.row_axis, self.column_axis = visible(matrix.row_axis), visible(matrix.column_axis)
        self.cells = [[shown(v, matrix.kind) for v in row] for row in matrix.values]
        values = [abs(v) for row in matrix.values for v in row if v is not None]
        self.largest = max(values, default=0) if matrix.largest is None else matrix.largest
        texts = [text for row in self.cells for text in row] if self.has_numbers else []
        widest = max(map(text_width, texts), default=0)
        heads = min(max(map(text_width, self.columns), default=0), _LABEL)
        least, self.height = next(s[1:] for s in self.sizes if len(self.columns) <= s[0])
        upright = max(least, widest + _PAD, heads + _PAD)
        self.slanted = upright > least and (
            heads + _PAD > self.widest or upright * len(self.columns) > self.page
        )
        self.width = max(least, widest + _PAD) if self.slanted else upright
        names = min(max(map(text_width, self.rows), default=0), _LABEL)
        self.left = max(names, text_width(self.row_axis)) + _PAD
        head = heads * math.sin(self.slope) + SIZE if self.slanted else SIZE * 1.4
        self.top = (SIZE * 1.8 if self.column_axis else 0) + head + _PAD / 2
        beyond = heads * math.cos(self.slope) if self.slanted else 0  # the last label leans out
        self.right = self._x(len(self.columns) - 1) + self.width if self.columns else self.left
        self.bottom = self._y(len(self.rows) - 1) + self.height if self.rows else self.top
        needed = self.left + text_width(self.column_axis)
        self.end = max(self.right + max(0.0, beyond - self.width / 2), needed) + 2

    def image(self) -> Image:
        """All of it."""
        body = [*self._heads(), *self._names(), *self._numbers()]
        width, height = self.end, self.bottom + 2
        if self.matrix.smallest:
            scale, end = self._scale(height + _PAD)
            body += scale
            width, height = max(width, end), height + _PAD + SIZE + 4
        return Image(width, height, tuple(body), self._description())

    def _x(self, column: int) -> float:
        """The left edge of a column."""
        apart = self.apart if None in self.matrix.columns[: column + 1] else 0
        return self.left + column * self.width + apart

    def _y(self, row: int) -> float:
        """The upper edge of a row."""
        apart = self.apart if None in self.matrix.rows[: row + 1] else 0
        return self.top + row * self.height + apart

    def _base(self, row: int) -> float:
        """The base line of letters in the middle of a row."""
        return self._y(row) + self.height / 2 + _MIDDLE

    def _scale(self, y: float) -> tuple[list[str], float]:
        """What the colours mean, from the smallest number to the largest, and where that ends."""
        kind = self.matrix.kind
        first, last = (shown(v, kind) for v in (self.matrix.smallest, self.largest))
        x, base = self.left, y + SIZE * 0.85
        body = [words(first, x, base, look="faint")]
        x += text_width(first) + _PAD / 2
        for dense in DENSITIES:
            body.append(_cell(x, y, self.step, SIZE, dense))
            x += self.step
        body.append(words(last, x + _PAD / 2, base, look="faint"))
        return body, x + _PAD / 2 + text_width(last) + 2

    def _heads(self) -> Iterator[str]:
        axis = self.column_axis
        if axis:
            middle = max((self.left + self.right) / 2, self.left + text_width(axis) / 2)
            yield words(axis, middle, SIZE, anchor="middle", look="faint")
        for column, name in enumerate(self.columns):
            x, y = self._x(column) + self.width / 2, self.top - _PAD
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

    def _numbers(self) -> Iterator[str]:
        for row, values in enumerate(self.matrix.values):
            for column, value in enumerate(values):
                if value is None:
                    continue
                dense = density(value, self.largest, self.matrix.smallest)
                look = letters_on(dense) if value else "faint"
                x = self._x(column)
                at = x + self.width / 2, self._base(row)
                text = words(self.cells[row][column], *at, anchor="middle", look=look)
                cell = _cell(x, self._y(row), self.width, self.height, dense)
                drawn = titled(self._told(row, column), cell, text)
                yield linked(self.links, row * len(values) + column, drawn)

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
        size = f"A {self.kind} of {len(self.rows)} rows and {len(self.columns)} columns"
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


class Squares(HeatMap):
    """A Hinton diagram: a square in every cell, its area as large as the number. Cells are square
    as well, so their labels do not make them wider."""

    kind = "Hinton diagram"
    sizes = ((12, 28.0, 28.0), (math.inf, 24.0, 24.0))
    widest = 0.0
    least_side = 2.0  # of what is not nothing
    has_numbers = False

    def __init__(self, matrix: Hinton, links: Sequence[str]) -> None:
        super().__init__(matrix, links)
        self.sides = matrix.sides

    def _numbers(self) -> Iterator[str]:
        room = self.width - 3
        for row, values in enumerate(self.matrix.values):
            for column, value in enumerate(values):
                x, y = self._x(column), self._y(row)
                drawn = [_cell(x, y, self.width, self.height, 0.0)]
                if value is None:
                    yield from drawn
                    continue
                if value:
                    side = max(room * self.sides[row][column], self.least_side)
                    left, top = x + (self.width - side) / 2, y + (self.height - side) / 2
                    drawn.append(box("cell", left, top, side, side, fill=HUE))
                told = titled(self._told(row, column), *drawn)
                yield linked(self.links, row * len(values) + column, told)


def _cell(x: float, y: float, width: float, height: float, dense: float) -> str:
    return box("cell", x, y, width, height, fill=HUE, fill_opacity=dense, stroke=LINE)
