"""Which combination of sets how many items are in: bars over a grid of dots (UpSet)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.svg.colours import FAINT, HUE, INK, LINE
from tertium.report.svg.elements import element, escape, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.sizes import SIZE, text_width
from tertium.results.blocks import Intersections
from tertium.results.texts import shown, visible

_HIGHEST = 130.0  # of a bar
_LEAST = 22.0  # the width of a combination
_ROW, _DOT = 22.0, 5.0
_NAME, _PAD = 190.0, 8.0  # the longest name shown whole; beside texts
_SMALL = 10.5
_TOLD = 5  # combinations in the description


def intersections(figure: Intersections, links: Sequence[str] = ()) -> Drawing:
    """One column a combination, the most frequent first; below its bar, a dot for each of its sets.

    What is not shown is told below the drawing, as notes are. `links` are the addresses of
    combinations in their order; empty where there is none.
    """
    return _Layout(figure, links).drawing()


class _Layout:
    """Where everything stands; widths follow from the names and the numbers."""

    def __init__(self, figure: Intersections, links: Sequence[str]) -> None:
        self.figure, self.links = figure, links
        self.counts = figure.counts[: figure.shown]
        self.largest = max(self.counts, default=0)
        self.numbers = [shown(count, "count") for count in self.counts]
        widest = max((text_width(text, _SMALL) for text in self.numbers), default=0)
        self.width = max(_LEAST, widest + 4)
        self.names = [visible(name) for name in figure.sets]
        total = sum(figure.counts)
        self.sizes = [_size(size, total) for size in figure.sizes]
        self.head = visible(f"{figure.unit} {figure.axis}")
        self.name_end = min(max(map(text_width, self.names), default=0), _NAME)
        sizes = max((text_width(t, _SMALL) for t in (*self.sizes, self.head)), default=0)
        self.left = self.name_end + _PAD + sizes + 2 * _PAD
        self.top = SIZE * 1.2 + _HIGHEST
        self.grid = self.top + _PAD
        self.bottom = self.grid + _ROW * len(self.names)
        self.right = self.left + self.width * len(self.counts)

    def drawing(self) -> Drawing:
        """All of it."""
        body = [*self._rows(), *self._columns()]
        return Drawing(self.right + 2, self.bottom + 2, tuple(body), self._description())

    def _rows(self) -> Iterator[str]:
        """Names and sizes of sets, on bands that lead the eye along a row."""
        if self.names:
            at = self.left - 2 * _PAD, self.top
            yield words(self.head, *at, anchor="end", size=_SMALL, look="faint")
        for row, (name, size) in enumerate(zip(self.names, self.sizes, strict=True)):
            y = self.grid + row * _ROW
            if row % 2 == 0:
                band: dict[str, str | float] = {
                    "class": "band",
                    "x": 0.0,
                    "y": y,
                    "width": self.right,
                    "height": _ROW,
                    "fill": LINE,
                    "fill-opacity": 0.35,
                }
                yield element("rect", band)
            base = y + _ROW / 2 + SIZE * 0.36
            yield words(name, self.name_end, base, anchor="end", room=_NAME)
            at = self.left - 2 * _PAD, base
            yield words(size, *at, anchor="end", size=_SMALL, look="faint")

    def _columns(self) -> Iterator[str]:
        base: dict[str, str | float] = {
            "class": "tick",
            "d": f"M{self.left:.1f} {self.top:.1f}H{self.right:.1f}",
            "stroke": LINE,
        }
        yield element("path", base)
        for place, count in enumerate(self.counts):
            inside = (*self._bar(place, count), *self._dots(place))
            tip = element("title", {}, escape(self._told(place)))
            yield linked(self.links, place, element("g", {"class": "column"}, tip, *inside))

    def _bar(self, place: int, count: int) -> Iterator[str]:
        x = self.left + place * self.width
        height = _HIGHEST * count / self.largest if self.largest else 0.0
        # An empty rectangle over the whole height, so that pointing anywhere in the column counts.
        whole: dict[str, str | float] = {
            "class": "reach",
            "x": x,
            "y": 0.0,
            "width": self.width,
            "height": self.bottom,
            "fill": HUE,
            "fill-opacity": 0.0,
        }
        yield element("rect", whole)
        box: dict[str, str | float] = {
            "class": "bar",
            "x": x + 3,
            "y": self.top - height,
            "width": self.width - 6,
            "height": height,
            "fill": HUE,
        }
        yield element("rect", box)
        middle = x + self.width / 2
        yield words(
            self.numbers[place], middle, self.top - height - 4, anchor="middle", size=_SMALL
        )

    def _dots(self, place: int) -> Iterator[str]:
        middle = self.left + (place + 0.5) * self.width
        inside = [row for row, has in enumerate(self.figure.members[place]) if has]
        if len(inside) > 1:
            path = f"M{middle:.1f} {self._y(inside[0]):.1f}V{self._y(inside[-1]):.1f}"
            line: dict[str, str | float] = {"class": "ink-line", "d": path, "stroke": INK}
            yield element("path", {**line, "stroke-width": 2.0})
        for row in range(len(self.names)):
            has = row in inside
            size = _DOT if has else _DOT / 2
            left, y = middle - size, self._y(row)
            circle = f"M{left:.1f} {y:.1f}a{size} {size} 0 1 0 {2 * size} 0"
            look = {"class": "ink", "fill": INK} if has else {"class": "faint", "fill": FAINT}
            opacity = {} if has else {"fill-opacity": 0.5}
            path = f"{circle}a{size} {size} 0 1 0 {-2 * size} 0z"
            yield element("path", {**look, **opacity, "d": path})

    def _y(self, row: int) -> float:
        """The middle of a row of dots."""
        return self.grid + (row + 0.5) * _ROW

    def _told(self, place: int) -> str:
        """A combination in words."""
        members = self.figure.members[place]
        names = [name for name, has in zip(self.figure.sets, members, strict=True) if has]
        if len(names) == len(members) and names:
            who = "all" if len(names) > 1 else names[0]
        else:
            who = f"only {', '.join(names)}" if names else "none"
        return f"{who} {self.figure.axis}: {self.numbers[place]} {self.figure.unit}"

    def _description(self) -> str:
        told = "; ".join(self._told(place) for place in range(min(_TOLD, len(self.counts))))
        many = len(self.figure.counts)
        return f"{many} combinations of {len(self.names)} sets, the most frequent first: {told}."


def _size(size: int, total: int) -> str:
    share = f" ({100 * size / total:.1f}%)" if total else ""
    return f"{shown(size, 'count')}{share}"
