"""Curves: colour, dashes and shape of points tell them apart, whatever colours one sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from tertium.report.scales import axes_of, drawn_lines, told
from tertium.report.svg.axes import (
    BELOW,
    GAP,
    SMALL,
    Frame,
    apart,
    circle,
    flow,
    numbers_width,
    overhang,
    rows_of,
)
from tertium.report.svg.colours import FAINT, GROUND, pen_of
from tertium.report.svg.elements import (
    LEADING,
    SIZE,
    box,
    element,
    line,
    linked,
    text_width,
    tip,
    words,
)
from tertium.report.svg.images import Image
from tertium.results.blocks import Lines, Series
from tertium.results.texts import shown, visible

_POINT = 3.6  # half the size of a point
_SWATCH = 30.0  # the width of a sign in a legend
_DASHES = "4 3"
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "up": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    "down": ((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
}


class Curves:
    """The plot with its legend below; margins follow from the labels.

    `links` are the addresses of points, curve by curve and place by place; empty where there is
    none.
    """

    size, inset = (560.0, 260.0), 8.0
    label = 150.0  # the longest label of a threshold shown whole
    dot = 1.6  # half the size of points that stand close together
    close = 9.0  # pixels between points that are close

    def __init__(self, lines: Lines, links: Sequence[str]) -> None:
        self.figure, self.links = lines, links
        x, y = axes_of(lines)
        self.across, upright = drawn_lines(lines, x, y)
        beyond = overhang(x, self.size[0])
        frame = Frame(x, y, max(numbers_width(y) + GAP, beyond) + 2, 0, *self.size, self.inset)
        self.upright = [(frame.at_x(value), label) for value, label in upright]
        self.marks = rows_of(self.upright, 0, frame.right)
        rows = 1 + max((row for _, row, _ in self.marks), default=-1)
        self.rows = (SIZE * LEADING if lines.y_axis else 0.0) + rows * SMALL * LEADING
        self.frame = replace(frame, top=self.rows + GAP + 2)
        widths = [min(text_width(visible(t), SMALL), self.label) for _, t in self.across]
        self.right = self.frame.right + max(*widths, beyond - GAP, 4.0) + GAP + 2

    def image(self) -> Image:
        """All of it."""
        frame = self.frame
        body = [*self._shade(), *frame.grid(), *self._lines(), *self._bands()]
        body += [*self._paths(), *frame.across(), *self._points(), *self._names()]
        y = frame.bottom + BELOW + (SIZE * LEADING if self.figure.x_axis else 0)
        legend, height = self._legend(y)
        return Image(self.right, y + height, (*body, *legend), self._description())

    def _names(self) -> Iterator[str]:
        """What is along the axes."""
        if self.figure.y_axis:
            yield words(self.figure.y_axis, 0, SIZE, look="faint", room=self.right - 2)
        yield from self.frame.name(self.figure.x_axis)

    def _shade(self) -> Iterator[str]:
        if self.figure.shade_below is not None:
            frame, y = self.frame, self.frame.at_y(self.figure.shade_below)
            yield _shaded(frame.left, y, frame.width, max(frame.bottom - y, 0.0))

    def _lines(self) -> Iterator[str]:
        """Thresholds with labels at their right ends, marks with labels above."""
        frame = self.frame
        places = [frame.at_y(value) for value, _ in self.across]
        texts = apart(places, SMALL * 1.1, frame.top)
        for y, base, (_, label) in zip(places, texts, self.across, strict=True):
            path = f"M{frame.left:.1f} {y:.1f}H{frame.right:.1f}"
            yield line("faint-line", path, FAINT, 1, _DASHES)
            at = frame.right + GAP, base + SMALL * 0.36
            yield words(label, *at, size=SMALL, look="faint", room=self.label)
        for x, _ in sorted(self.upright):
            path = f"M{x:.1f} {frame.top - 3:.1f}V{frame.bottom:.1f}"
            yield line("faint-line", path, FAINT, 1, _DASHES)
        for x, row, label in self.marks:
            at = x, self.rows - row * SMALL * LEADING
            room = frame.right
            yield words(label, *at, anchor="middle", size=SMALL, look="faint", room=room)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self.frame.at_x(x), self.frame.at_y(y)

    def _bands(self) -> Iterator[str]:
        """Bands lie below all curves."""
        for place, series in enumerate(self.figure.series):
            run: list[tuple[float, float, float]] = []
            for x, ends in (*series.band, (0.0, None)):
                if ends is not None:
                    run.append((x, ends.low, ends.high))
                elif run:
                    yield self._band(place, run)
                    run = []

    def _band(self, place: int, run: Sequence[tuple[float, float, float]]) -> str:
        pen = pen_of(place)
        if len(run) == 1:  # an upright line: there is nothing between places
            (x, low, high) = run[0]
            (left, bottom), (_, top) = self._at(x, low), self._at(x, high)
            return line(pen.line, f"M{left:.1f} {bottom:.1f}V{top:.1f}", pen.colour)
        upper = self._path([(x, high) for x, _, high in run])
        lower = self._path([(x, low) for x, low, _ in run], turned=True)
        path = f"M{upper}L{lower}z"
        return element("path", class_=pen.fill, d=path, fill=pen.colour, fill_opacity=0.14)

    def _path(self, points: Sequence[tuple[float, float]], *, turned: bool = False) -> str:
        """Points one after the other, or steps from one to the next."""
        placed = [self._at(x, y) for x, y in points]
        if self.figure.steps:
            corners = [(after[0], before[1]) for before, after in pairwise(placed)]
            mixed = [p for pair in zip(placed, corners, strict=False) for p in pair]
            placed = [*mixed, placed[-1]]
        if turned:
            placed.reverse()
        return "L".join(f"{x:.1f} {y:.1f}" for x, y in placed)

    def _paths(self) -> Iterator[str]:
        for place, series in enumerate(self.figure.series):
            pen = pen_of(place)
            for run in series.runs:
                if len(run) > 1:
                    yield line(pen.line, f"M{self._path(run)}", pen.colour, 1.8, pen.dashes)

    def _points(self) -> Iterator[str]:
        """Points with their numbers as tooltips."""
        number = 0
        for place, series in enumerate(self.figure.series):
            size = self._size(series)
            for x, y in zip(series.xs, series.ys, strict=True):
                number += 1
                if y is None:
                    continue
                at, beyond = self._at(x, y), self.frame.y.beyond(y)
                drawn = _point(place, *at, size, beyond=beyond, text=self._told(series, x, y))
                yield linked(self.links, number - 1, drawn)

    def _size(self, series: Series) -> float:
        """Points that would touch each other are dots."""
        places = [self.frame.at_x(x) for x, _ in series.points]
        nearest = min((b - a for a, b in pairwise(places)), default=self.close)
        return _POINT if nearest >= self.close or len(places) < 8 else self.dot

    def _told(self, series: Series, x: float, y: float) -> str:
        """A point in words."""
        figure = self.figure
        where = f"{figure.x_axis} {told(x, figure.x_kind)}".strip()
        what = f"{figure.y_axis} {told(y, figure.y_kind)}".strip()
        ends = dict(series.band).get(x)
        band = f" {shown(ends, figure.band_kind)}" if ends else ""
        return f"{series.name}, {where}: {what}{band}"

    def _legend(self, y: float) -> tuple[list[str], float]:
        """Signs with what they mean, in as many rows as they need, and the height of these."""
        entries = [*self._entries()]
        left, before = self.frame.left, _SWATCH + GAP
        rooms = [min(text_width(name), self.right - left - before) for name, _ in entries]
        places = flow([before + room for room in rooms], left, self.right, 3 * GAP)
        body: list[str] = []
        below = y + GAP
        for (name, sign), room, (x, row) in zip(entries, rooms, places, strict=True):
            below = y + GAP + row * SIZE * LEADING
            body += sign(x, below + SIZE * 0.5)
            body.append(words(name, x + before, below + SIZE * 0.86, room=room + 1))
        return body, below - y + SIZE + 4

    def _entries(self) -> Iterator[tuple[str, Callable[[float, float], list[str]]]]:
        """Names, and what draws a sign from a place at its left on: curves, values beyond an end of
        the axis, and the shade."""
        figure, scale = self.figure, self.frame.y
        for place, series in enumerate(figure.series):
            yield visible(series.label), partial(_piece, place)
        beyond = {scale.beyond(y) for series in figure.series for _, y in series.points}
        for side, end, told_as in ((1, scale.high, "above"), (-1, scale.low, "below")):
            if side in beyond:
                yield f"{told_as} {scale.labels([end])[0]}", partial(_arrow, side)
        if figure.shade_below is not None:
            name = f"{figure.y_axis} < {scale.labels([figure.shade_below])[0]}"
            yield (
                visible(name.strip()),
                lambda x, y: [_shaded(x, y - SIZE * 0.4, _SWATCH, SIZE * 0.8)],
            )

    def _description(self) -> str:
        """First, last, lowest and highest value of every curve."""
        figure = self.figure
        said = []
        for series in figure.series:
            ends = [told(y, figure.y_kind) for y in series.ends]
            said.append(
                f"{series.name}: from {ends[0]} to {ends[1]}, between {ends[2]} and {ends[3]}"
                if ends
                else f"{series.name}: {series.reason}"
            )
        axes = " by ".join(filter(None, (figure.y_axis, figure.x_axis)))
        kind = "Curves" if len(figure.series) != 1 else "A curve"
        return f"{kind}{f' of {axes}' if axes else ''}. {'; '.join(said)}."


def _piece(place: int, x: float, y: float) -> list[str]:
    """A piece of a curve with a point, for the legend."""
    pen = pen_of(place)
    drawn = line(pen.line, f"M{x:.1f} {y:.1f}h{_SWATCH:.0f}", pen.colour, 1.8, pen.dashes)
    return [drawn, _point(place, x + _SWATCH / 2, y, _POINT)]


def _arrow(side: int, x: float, y: float) -> list[str]:
    """The sign of values beyond an end of the axis, for the legend."""
    path = _outline("up" if side > 0 else "down", x + _SWATCH / 2, y, _POINT)
    return [element("path", class_="faint", d=path, fill=FAINT)]


def _shaded(x: float, y: float, width: float, height: float) -> str:
    return box("shade", x, y, width, height, fill=FAINT, fill_opacity=0.16)


def _point(place: int, x: float, y: float, size: float, *, beyond: int = 0, text: str = "") -> str:
    """The point of a curve; an arrow head if the value lies beyond the axis."""
    pen = pen_of(place)
    shape = {1: "up", -1: "down"}.get(beyond, pen.shape)
    given: dict[str, str | float] = {"class_": pen.fill, "fill": pen.colour}
    if shape[0].isupper() and size == _POINT:
        given = {"class_": f"ground {pen.line}", "fill": GROUND, "stroke": pen.colour}
        given["stroke_width"] = 1.5
    tips = [tip(text)] if text else []
    return element("path", *tips, d=_outline(shape.lower(), x, y, size), **given)


def _outline(shape: str, x: float, y: float, size: float) -> str:
    if shape == "circle":
        return circle(x, y, size)
    corners = [(x + size * dx, y + size * dy) for dx, dy in _CORNERS[shape]]
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "z"
