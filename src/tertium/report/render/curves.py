"""Curves in text: a marker a point, dots between them, the legend below."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text as Line

from tertium.report.render.canvas import Canvas, Signs, axis_below, colour, signs_of
from tertium.report.render.charts import legend
from tertium.report.render.grid import folded
from tertium.report.scales import ROUND, Scale, axes_of, drawn_lines
from tertium.results.blocks import Lines, Series
from tertium.results.texts import visible

WIDTH, HEIGHT = 60, 12
_LEAST = 16  # columns of a plot, however little room there is


def curve_lines(lines: Lines, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """The plot, at most `width` cells wide. Bands are left to the table: there is no room for
    them between signs."""
    yield Line()
    yield from _Plot(lines, width, signs_of(ascii=ascii)).lines()


class _Plot:
    """The plot; its width follows from the room that labels leave."""

    def __init__(self, lines: Lines, width: int, signs: Signs) -> None:
        self.figure, self.width, self.signs = lines, width, signs
        self.x, self.y = axes_of(lines)
        ticks = self.y.ticks(ROUND)
        self.labels = dict(zip(ticks, self.y.labels(ticks), strict=True))
        self.left = max((cell_len(label) for label in self.labels.values()), default=0) + 2
        # Labels of lines stand at their right ends if they are short, else in the legend.
        self.lines_across, self.lines_up = drawn_lines(lines, self.x, self.y)
        told = [(value, visible(label)) for value, label in self.lines_across]
        self.beside = [(v, t) for v, t in told if cell_len(t) <= width // 5]
        self.below = [t for v, t in told if cell_len(t) > width // 5]
        self.right = max((cell_len(text) + 1 for _, text in self.beside), default=1)
        room = max(width - self.left - self.right, _LEAST)
        self.canvas = Canvas(min(WIDTH, room), HEIGHT)
        self.has_several = False

    def lines(self) -> Iterator[Line]:
        """All of it, from the name of the upright axis to the legend."""
        self._ground()
        self._curves()
        for text in folded(visible(self.figure.y_axis), self.width) if self.figure.y_axis else ():
            yield Line(text.rstrip(), style="dim")
        names = self._names_of_rows()
        for row in reversed(range(HEIGHT)):
            label = next((t for v, t in self.labels.items() if self._row(v) == row), "")
            side = self.signs.end if label else self.signs.upright
            line = Line(f"{label.rjust(self.left - 2)} {side}").append_text(self.canvas.line(row))
            yield line.append(f" {names[row]}" if row in names else "", style="dim")
        yield from axis_below(
            self.x,
            self.canvas,
            self.signs,
            begin=self.signs.corner,
            left=self.left,
            right=self.right,
        )
        for text in folded(visible(self.figure.x_axis), self.canvas.width):
            start = self.left + (self.canvas.width - cell_len(text.rstrip())) // 2
            yield Line(" " * start + text.rstrip(), style="dim") if text else Line()
        yield from legend(self._entries(), self.width)

    def _row(self, value: float) -> int:
        return self.canvas.row(self.y, value)

    def _names_of_rows(self) -> dict[int, str]:
        """What stands at the right of a row: the thresholds that fall into it."""
        names: dict[int, list[str]] = {}
        for value, text in self.beside:
            names.setdefault(self._row(value), []).append(text)
        joined = {row: ", ".join(texts) for row, texts in names.items()}
        room = self.width - self.left - self.canvas.width - 1
        for row, text in joined.items():
            if cell_len(text) > room:  # each fits, but not all side by side
                self.below += [t for t in names[row][1:] if t not in self.below]
                joined[row] = names[row][0]
        return joined

    def _ground(self) -> None:
        """Shade, thresholds and marks, in this order."""
        canvas, signs = self.canvas, self.signs
        if self.figure.shade_below is not None:
            height = self.y.place(self.figure.shade_below) * (HEIGHT - 1)
            for row in range(HEIGHT):
                if row < height:
                    for column in range(canvas.width):
                        canvas.put(column, row, signs.shade, "dim")
        for value, _ in self.lines_across:
            for column in range(0, canvas.width, 2):
                canvas.put(column, self._row(value), signs.threshold, "dim")
        for value, _ in self.lines_up:
            for row in range(HEIGHT):
                canvas.put(canvas.column(self.x, value), row, signs.mark, "dim")

    def _curves(self) -> None:
        """Dots first, so that none hides a marker."""
        for place, series in enumerate(self.figure.series):
            for column, row in self._joins(series):
                self.canvas.put(column, row, self.signs.join, colour(place))
        taken: dict[tuple[int, int], int] = {}
        for place, series in enumerate(self.figure.series):
            for x, y in series.points:
                cell = self.canvas.column(self.x, x), self._row(y)
                sign = self._marker(place, y)
                if taken.setdefault(cell, place) != place:
                    self.canvas.put(*cell, self.signs.several)
                    self.has_several = True
                else:
                    self.canvas.put(*cell, sign, colour(place))

    def _marker(self, place: int, y: float) -> str:
        beyond = self.y.beyond(y)
        return {-1: self.signs.under, 1: self.signs.over}.get(beyond, self.signs.marker(place))

    def _joins(self, series: Series) -> Iterator[tuple[int, int]]:
        """The cells between one point and the next."""
        for run in series.runs:
            ends = [(self.canvas.column(self.x, x), self._row(y)) for x, y in run]
            for (x1, y1), (x2, y2) in pairwise(ends):
                if self.figure.steps:
                    yield from ((x, y1) for x in range(x1, x2))
                    yield from ((x2, y) for y in range(min(y1, y2), max(y1, y2) + 1))
                    continue
                steps = max(x2 - x1, abs(y2 - y1), 1)
                for step in range(steps + 1):
                    part = step / steps
                    yield round(x1 + part * (x2 - x1)), round(y1 + part * (y2 - y1))

    def _entries(self) -> list[tuple[str, str, str]]:
        """The legend: curves, and what other signs there are."""
        signs, figure = self.signs, self.figure
        names = [(signs.marker(n), s.label, colour(n)) for n, s in enumerate(figure.series)]
        if self.has_several:
            names.append((signs.several, "several", ""))
        beyond = {self.y.beyond(y) for series in figure.series for _, y in series.points}
        if 1 in beyond:
            names.append((signs.over, f"above {_end(self.y, self.y.high)}", ""))
        if -1 in beyond:
            names.append((signs.under, f"below {_end(self.y, self.y.low)}", ""))
        if figure.shade_below is not None:
            told = f"{figure.y_axis} < {_end(self.y, figure.shade_below)}"
            names.append((signs.shade, told.strip(), ""))
        names += [(signs.threshold, text, "") for text in self.below]
        return [*names, *((signs.mark, label, "") for _, label in self.lines_up)]


def _end(scale: Scale, value: float) -> str:
    return scale.labels([value])[0]
