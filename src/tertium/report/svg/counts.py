"""Charts of counts: a matrix as a heat map or as squares, shares as stacked bars, sets as bars over
dots (UpSet).

`links` are the addresses of cells, row by row, of parts, bar by bar, or of combinations in their
order; empty where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from tertium.report.svg.axes import SMALL, circle, flow
from tertium.report.svg.colours import (
    DENSITIES,
    FAINT,
    GROUND,
    HUE,
    INK,
    LINE,
    density,
    hatching,
    letters_on,
    part,
)
from tertium.report.svg.elements import SIZE, box, element, linked, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.results.blocks import NOTHING, Bars, Hinton, Intersections, Matrix
from tertium.results.texts import shown, visible

_PAD = 8.0  # beside texts
_LABEL = 190.0  # the longest label that is shown whole
_MIDDLE = SIZE * 0.36  # from the middle of letters to their base line
SWATCH = 16.0  # of a legend


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


class StackedBars:
    """One bar below the other on a scale of percent, with colour and hatching, and in words where
    they fit; the legend below."""

    length, height, gap = 520.0, 34.0, 12.0  # of a bar; between bars
    longest = 360.0  # name shown whole

    def __init__(self, bars: Bars, links: Sequence[str]) -> None:
        self.bars, self.links = bars, links
        self.names = [visible(name) for name in bars.names]
        self.totals = [visible(f"{shown(total, 'count')} {bars.unit}") for total in bars.totals()]
        self.left = min(max(map(text_width, self.names), default=0), self.longest) + _PAD
        beside = max(map(text_width, self.totals), default=0)
        self.right = self.left + self.length + _PAD + beside + _PAD  # digits may be wider

    def image(self) -> Image:
        """All of it."""
        body: list[str] = []
        y = 0.0
        rows = zip(self.names, self.bars.shares(), self.totals, strict=True)
        for number, (name, shares, total) in enumerate(rows):
            base = y + self.height / 2 + _MIDDLE
            body.append(words(name, self.left - _PAD, base, anchor="end", room=self.longest))
            body += self._bar(shares, y, self.links[number * len(shares) :])
            body.append(words(total, self.left + self.length + _PAD, base, look="faint"))
            y += self.height + self.gap
        body += self._scale(y - self.gap)
        y += SIZE * 1.4
        names = self.bars.categories
        legend, height = legend_of(names, _filled, self.left, self.right, y + _PAD)
        return Image(self.right, y + _PAD + height, (*body, *legend), self._description())

    def _bar(self, shares: Sequence[float | None], y: float, links: Sequence[str]) -> Iterator[str]:
        x = self.left
        for place, share in enumerate(shares):
            if share:
                yield linked(links, place, *self._part(place, share, x, y))
                x += share * self.length
        yield box("frame", self.left, y, self.length, self.height, fill="none", stroke=LINE)

    def _part(self, place: int, share: float, x: float, y: float) -> Iterator[str]:
        """A part of a bar. Its name and share stand in it where both fit, on the bare colour."""
        width = share * self.length
        yield from _filled(place, x, y, width, self.height)
        name, percent = visible(self.bars.categories[place]), f"{100 * share:.1f}%"
        widest = max(text_width(name, SMALL), text_width(percent, SMALL))
        if widest + 6 > width:
            return
        middle, bare = x + width / 2, part(place)[0]
        yield box("", middle - widest / 2 - 2, y + 4, widest + 4, self.height - 8, fill=bare)
        yield words(name, middle, y + 15, anchor="middle", size=SMALL, look="on-part")
        yield words(percent, middle, y + 27, anchor="middle", size=SMALL, look="on-part")

    def _scale(self, y: float) -> Iterator[str]:
        for tick in (0, 25, 50, 75, 100):
            x = self.left + self.length * tick / 100
            yield element("path", class_="tick", d=f"M{x:.1f} {y:.1f}v4", stroke=LINE)
            yield words(f"{tick}%", x, y + 16, anchor="middle", size=SMALL, look="faint")

    def _description(self) -> str:
        bars, told = self.bars, []
        for name, shares in zip(bars.names, bars.shares(), strict=True):
            parts = [
                f"{category} {100 * share:.1f}%"
                for category, share in zip(bars.categories, shares, strict=True)
                if share is not None
            ]
            told.append(f"{name}: {', '.join(parts) or f'no {bars.unit}'}")
        return f"Stacked bars. {'; '.join(told)}."


def legend_of(
    names: Sequence[str],
    filled: Callable[[int, float, float, float, float], Iterable[str]],
    left: float,
    right: float,
    y: float,
) -> tuple[list[str], float]:
    """Swatches with names, in as many rows as they need, and their height. `filled` draws a
    rectangle as the bars of the name at a place are."""
    before = SWATCH + _PAD
    rooms = [min(text_width(visible(name)), right - left - before) for name in names]
    places = flow([before + room for room in rooms], left, right, 2 * _PAD)
    body: list[str] = []
    below = y
    for place, ((x, row), room) in enumerate(zip(places, rooms, strict=True)):
        below = y + row * before
        body += filled(place, x, below, SWATCH, SWATCH)
        at = x + SWATCH + _PAD * 0.75, below + SIZE
        body.append(words(names[place], *at, room=room + 1))
    return body, below - y + SWATCH + 2


def _filled(place: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    colour, kind = part(place)
    yield box("", x, y, width, height, fill=colour, stroke=GROUND, class_="part")
    path = hatching(kind, x, y, width, height)
    if path:
        yield element("path", d=path, stroke=INK, stroke_opacity=0.45, fill="none")


class SetBars:
    """One column per combination, the most frequent first; below its bar, a dot for each of its
    sets. What is not shown is told below the drawing, as notes are."""

    highest = 130.0  # of a bar
    least = 22.0  # the width of a combination
    row, dot = 22.0, 5.0
    small = 10.5
    most_told = 5  # combinations in the description

    def __init__(self, figure: Intersections, links: Sequence[str]) -> None:
        self.figure, self.links = figure, links
        self.counts = figure.counts[: figure.shown]
        self.numbers = [shown(count, "count") for count in self.counts]
        widest = max((text_width(text, self.small) for text in self.numbers), default=0)
        self.width = max(self.least, widest + 4)
        self.names = [visible(name) for name in figure.sets]
        self.sizes = [_size(size, sum(figure.counts)) for size in figure.sizes]
        self.head = visible(f"{figure.unit} {figure.axis}")
        self.name_end = min(max(map(text_width, self.names), default=0), _LABEL)
        sizes = max((text_width(t, self.small) for t in (*self.sizes, self.head)), default=0)
        self.left = self.name_end + _PAD + sizes + 2 * _PAD
        self.top = SIZE * 1.2 + self.highest
        self.grid = self.top + _PAD
        self.bottom = self.grid + self.row * len(self.names)
        self.right = self.left + self.width * len(self.counts)

    def image(self) -> Image:
        """All of it."""
        body = [*self._rows(), *self._columns()]
        return Image(self.right + 2, self.bottom + 2, tuple(body), self._description())

    def _rows(self) -> Iterator[str]:
        """Names and sizes of sets, on bands that lead the eye along a row."""
        end = self.left - 2 * _PAD
        if self.names:
            yield words(self.head, end, self.top, anchor="end", size=self.small, look="faint")
        for row, (name, size) in enumerate(zip(self.names, self.sizes, strict=True)):
            y = self.grid + row * self.row
            if row % 2 == 0:
                yield box("band", 0.0, y, self.right, self.row, fill=LINE, fill_opacity=0.35)
            base = y + self.row / 2 + _MIDDLE
            yield words(name, self.name_end, base, anchor="end", room=_LABEL)
            yield words(size, end, base, anchor="end", size=self.small, look="faint")

    def _columns(self) -> Iterator[str]:
        ground = f"M{self.left:.1f} {self.top:.1f}H{self.right:.1f}"
        yield element("path", class_="tick", d=ground, stroke=LINE)
        for place, count in enumerate(self.counts):
            inside = (*self._bar(place, count), *self._dots(place))
            yield linked(self.links, place, titled(self._told(place), *inside, class_="column"))

    def _bar(self, place: int, count: int) -> Iterator[str]:
        x, largest = self.left + place * self.width, max(self.counts)
        height = self.highest * count / largest if largest else 0.0
        top = self.top - height
        # An empty rectangle over the whole height, so that pointing anywhere in the column counts.
        yield box("reach", x, 0.0, self.width, self.bottom, fill=HUE, fill_opacity=0.0)
        yield box("bar", x + 3, top, self.width - 6, height, fill=HUE)
        at = x + self.width / 2, top - 4
        yield words(self.numbers[place], *at, anchor="middle", size=self.small)

    def _dots(self, place: int) -> Iterator[str]:
        middle = self.left + (place + 0.5) * self.width
        rows = [self.grid + (row + 0.5) * self.row for row in range(len(self.names))]
        inside = [y for y, has in zip(rows, self.figure.members[place], strict=True) if has]
        if len(inside) > 1:
            path = f"M{middle:.1f} {inside[0]:.1f}V{inside[-1]:.1f}"
            yield element("path", class_="ink-line", d=path, stroke=INK, stroke_width=2.0)
        for y in rows:
            if y in inside:
                yield element("path", class_="ink", fill=INK, d=circle(middle, y, self.dot))
            else:
                dot = circle(middle, y, self.dot / 2)
                yield element("path", class_="faint", fill=FAINT, fill_opacity=0.5, d=dot)

    def _told(self, place: int) -> str:
        """A combination in words."""
        members = self.figure.members[place]
        names = [name for name, has in zip(self.figure.sets, members, strict=True) if has]
        if len(names) == len(members) and names:
            who = "all" if len(names) > 1 else names[0]
        else:
            who = f"only {', '.join(names)}" if names else "none"
        unit = self.figure.unit.removesuffix("s" * (self.numbers[place] == "1"))
        return f"{who} {self.figure.axis}: {self.numbers[place]} {unit}"

    def _description(self) -> str:
        told = "; ".join(map(self._told, range(min(self.most_told, len(self.counts)))))
        many = len(self.figure.counts)
        return f"{many} combinations of {len(self.names)} sets, the most frequent first: {told}."


def _size(size: int, total: int) -> str:
    share = f" ({100 * size / total:.1f}%)" if total else ""
    return f"{shown(size, 'count')}{share}"
