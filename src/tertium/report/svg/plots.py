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
    line,
    numbers_width,
    overhang,
    rows_of,
)
from tertium.report.svg.colours import FAINT, look_of
from tertium.report.svg.elements import element, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.points import POINT, SWATCH, arrow, patch, piece, point, shaded
from tertium.report.svg.sizes import LINE as LEADING
from tertium.report.svg.sizes import SIZE, text_width
from tertium.results.blocks import Lines, Series
from tertium.results.texts import shown, visible

_WIDTH, _HEIGHT, _INSET = 560.0, 260.0, 8.0
_LABEL = 150.0  # the longest label of a threshold shown whole
_DOT = 1.6  # half the size of points that stand close together
_CLOSE = 9.0  # pixels between points that are close
_DASHES = "4 3"


def curves(lines: Lines, links: Sequence[str] = ()) -> Drawing:
    """The plot with its legend below. `links` are the addresses of points, curve by curve and
    place by place; empty where there is none."""
    return _Layout(lines, links).drawing()


class _Layout:
    """Where everything stands; margins follow from the labels."""

    def __init__(self, lines: Lines, links: Sequence[str]) -> None:
        self.figure, self.links = lines, links
        x, y = axes_of(lines)
        self.across, upright = drawn_lines(lines, x, y)
        self.left = max(numbers_width(y) + GAP, overhang(x, _WIDTH)) + 2
        frame = Frame(x, y, self.left, 0, _WIDTH, _HEIGHT, _INSET)
        marks = [(frame.at_x(value), label) for value, label in upright]
        self.marks = rows_of(marks, 0, self.left + _WIDTH)
        self.marked = [at for at, _ in sorted(marks)]
        rows = 1 + max((row for _, row, _ in self.marks), default=-1)
        self.head = SIZE * LEADING if lines.y_axis else 0.0
        self.rows = self.head + rows * SMALL * LEADING
        self.frame = replace(frame, top=self.rows + GAP + 2)
        widths = [min(text_width(visible(t), SMALL), _LABEL) for _, t in self.across]
        self.right = self.frame.right + max(*widths, overhang(x, _WIDTH) - GAP, 4.0) + GAP + 2

    def drawing(self) -> Drawing:
        """All of it."""
        frame = self.frame
        body = [*self._shade(), *frame.grid(), *self._lines(), *self._bands()]
        body += [*self._paths(), *frame.across(), *self._points(), *self._names()]
        y = frame.bottom + BELOW + (SIZE * LEADING if self.figure.x_axis else 0)
        legend, height = self._legend(y)
        body += legend
        return Drawing(self.right, y + height, tuple(body), self._description())

    def _names(self) -> Iterator[str]:
        """What is along the axes."""
        frame, figure = self.frame, self.figure
        if figure.y_axis:
            yield words(figure.y_axis, 0, SIZE, look="faint", room=self.right - 2)
        if figure.x_axis:
            middle = (frame.left + frame.right) / 2
            at = middle, frame.bottom + BELOW + SIZE
            yield words(figure.x_axis, *at, anchor="middle", look="faint", room=_WIDTH)

    def _shade(self) -> Iterator[str]:
        if self.figure.shade_below is not None:
            frame, y = self.frame, self.frame.at_y(self.figure.shade_below)
            yield shaded(frame.left, y, frame.width, max(frame.bottom - y, 0.0))

    def _lines(self) -> Iterator[str]:
        """Thresholds with labels at their right ends, marks with labels above."""
        frame = self.frame
        places = [frame.at_y(value) for value, _ in self.across]
        texts = apart(places, SMALL * 1.1, frame.top)
        for y, base, (_, label) in zip(places, texts, self.across, strict=True):
            yield line(
                f"M{frame.left:.1f} {y:.1f}H{frame.right:.1f}", "faint-line", FAINT, 1, _DASHES
            )
            at = frame.right + GAP, base + SMALL * 0.36
            yield words(label, *at, size=SMALL, look="faint", room=_LABEL)
        for x in self.marked:
            path = f"M{x:.1f} {frame.top - 3:.1f}V{frame.bottom:.1f}"
            yield line(path, "faint-line", FAINT, 1, _DASHES)
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
        look = look_of(place)
        if len(run) == 1:  # an upright line: there is nothing between places
            (x, low, high) = run[0]
            (left, bottom), (_, top) = self._at(x, low), self._at(x, high)
            return line(f"M{left:.1f} {bottom:.1f}V{top:.1f}", look.line, look.colour)
        upper = self._path([(x, high) for x, _, high in run])
        lower = self._path([(x, low) for x, low, _ in run], turned=True)
        given: dict[str, str | float] = {"class": look.fill, "d": f"M{upper}L{lower}z"}
        return element("path", {**given, "fill": look.colour, "fill-opacity": 0.14})

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
            look = look_of(place)
            for run in series.runs:
                if len(run) > 1:
                    path = f"M{self._path(run)}"
                    yield line(path, look.line, look.colour, 1.8, look.dashes)

    def _points(self) -> Iterator[str]:
        """Points with their numbers as tooltips."""
        number = 0
        for place, series in enumerate(self.figure.series):
            size = self._size(series)
            for x, y in zip(series.xs, series.ys, strict=True):
                number += 1
                if y is None:
                    continue
                at = self._at(x, y)
                beyond = self.frame.y.beyond(y)
                drawn = point(place, *at, size, beyond=beyond, tip=self._told(series, x, y))
                yield linked(self.links, number - 1, drawn)

    def _size(self, series: Series) -> float:
        """Points that would touch each other are dots."""
        places = [self.frame.at_x(x) for x, _ in series.points]
        nearest = min((b - a for a, b in pairwise(places)), default=_CLOSE)
        return POINT if nearest >= _CLOSE or len(places) < 8 else _DOT

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
        body: list[str] = []
        left, below = self.frame.left, y + GAP
        x = left
        for name, sign in self._entries():
            room = min(text_width(name), self.right - left - SWATCH - GAP)
            if x > left and x + SWATCH + GAP + room > self.right:
                x, below = left, below + SIZE * LEADING
            body += sign(x, below + SIZE * 0.5)
            body.append(words(name, x + SWATCH + GAP, below + SIZE * 0.86, room=room + 1))
            x += SWATCH + GAP + room + 3 * GAP
        return body, below - y + SIZE + 4

    def _entries(self) -> Iterator[tuple[str, Callable[[float, float], list[str]]]]:
        """Names, and what draws a sign from a place at its left on: curves, values beyond an end of
        the axis, and the shade."""
        figure, scale = self.figure, self.frame.y
        for place, series in enumerate(figure.series):
            yield visible(series.label), partial(piece, place)
        beyond = {scale.beyond(y) for series in figure.series for _, y in series.points}
        for side, end, told_as in ((1, scale.high, "above"), (-1, scale.low, "below")):
            if side in beyond:
                yield f"{told_as} {scale.labels([end])[0]}", partial(arrow, side)
        if figure.shade_below is not None:
            name = f"{figure.y_axis} < {scale.labels([figure.shade_below])[0]}"
            yield visible(name.strip()), patch

    def _description(self) -> str:
        """First, last, lowest and highest value of every curve."""
        figure = self.figure
        said = []
        for series in figure.series:
            points = series.points
            if not points:
                said.append(f"{series.name}: {series.reason}")
                continue
            ys = [y for _, y in points]
            ends = [told(y, figure.y_kind) for y in (ys[0], ys[-1], min(ys), max(ys))]
            said.append(
                f"{series.name}: from {ends[0]} to {ends[1]}, between {ends[2]} and {ends[3]}"
            )
        axes = " by ".join(filter(None, (figure.y_axis, figure.x_axis)))
        kind = "Curves" if len(figure.series) != 1 else "A curve"
        return f"{kind}{f' of {axes}' if axes else ''}. {'; '.join(said)}."
