"""Histograms: panels side by side on one scale, as many in a row as fit on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tertium.report.scales import Scale, fitted, told
from tertium.report.svg.axes import BELOW, GAP, SMALL, Frame, line, numbers_width, overhang
from tertium.report.svg.colours import GROUND, HUE, INK
from tertium.report.svg.elements import element, escape, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.sizes import LINE as LEADING
from tertium.report.svg.sizes import SIZE, text_width
from tertium.results.blocks import Histogram
from tertium.results.texts import shown, visible

_WIDTH, _HEIGHT = 250.0, 140.0  # of a panel
_ALONE = 480.0  # the width of a panel that is alone
_BETWEEN = 28.0  # panels, at least
_ABREAST = 3
_APART = 1.0  # between bars


def panels(histogram: Histogram, links: Sequence[str] = ()) -> Drawing:
    """One panel a name. `links` are the addresses of bars, panel by panel; empty where there is
    none."""
    return _Layout(histogram, links).drawing()


class _Layout:
    """Where everything stands."""

    def __init__(self, histogram: Histogram, links: Sequence[str]) -> None:
        self.figure, self.links = histogram, links
        self.x = Scale(histogram.edges[0], histogram.edges[-1], histogram.kind)
        self.y = fitted([0.0, histogram.largest or 1.0], "count", is_round=True)
        self.abreast = min(max(len(histogram.names), 1), _ABREAST)
        self.panel = _ALONE if self.abreast == 1 else _WIDTH
        beyond = overhang(self.x, self.panel)
        self.left = max(numbers_width(self.y) + GAP, beyond) + 2
        self.between = max(_BETWEEN, 2 * beyond + 2 * GAP)
        self.head = SIZE * LEADING + GAP + (SMALL * LEADING if histogram.mark else 0)
        self.foot = BELOW + (SIZE * LEADING if histogram.axis else 0)
        self.row = self.head + _HEIGHT + self.foot + 2 * GAP
        self.top = SIZE * LEADING if histogram.unit else 0.0
        across = self.abreast * (self.panel + self.between) - self.between
        self.right = self.left + across + beyond + 2

    def frame(self, place: int) -> Frame:
        """The panel of a name."""
        row, column = divmod(place, self.abreast)
        left = self.left + column * (self.panel + self.between)
        top = self.top + row * self.row + self.head
        return Frame(self.x, self.y, left, top, self.panel, _HEIGHT)

    def drawing(self) -> Drawing:
        """All of it."""
        body = []
        if self.figure.unit and self.figure.names:
            body.append(words(self.figure.unit, 0, SIZE, look="faint", room=self.right - 2))
        for place in range(len(self.figure.names)):
            body += self._panel(place)
        rows = -(-len(self.figure.names) // self.abreast)
        height = max(self.top + rows * self.row - 2 * GAP, 0.0) + 2
        return Drawing(self.right, height, tuple(body), self._description())

    def _panel(self, place: int) -> Iterator[str]:
        frame, figure = self.frame(place), self.figure
        at = frame.left, frame.top - self.head + SIZE
        yield words(figure.names[place], *at, room=frame.width)
        yield from frame.grid(numbers=place % self.abreast == 0)
        for number, (low, high) in enumerate(pairwise(figure.edges)):
            yield self._bar(frame, place, number, low, high)
        yield from frame.across()
        yield from self._mark(frame)
        if figure.axis:
            at = frame.left + frame.width / 2, frame.bottom + BELOW + SIZE
            yield words(figure.axis, *at, anchor="middle", look="faint", room=frame.width)

    def _bar(self, frame: Frame, place: int, number: int, low: float, high: float) -> str:
        count = self.figure.counts[place][number]
        left, right, top = frame.at_x(low), frame.at_x(high), frame.at_y(count)
        apart = min(_APART, (right - left) / 4)
        box: dict[str, str | float] = {
            "class": "bar",
            "x": left + apart / 2,
            "y": top,
            "width": right - left - apart,
            "height": frame.bottom - top,
            "fill": HUE,
        }
        between = f"{_edge(low, self.figure)} to {_edge(high, self.figure)}"
        name = f"{self.figure.names[place]}, " if self.figure.names[place] else ""
        tip = f"{name}{between}: {shown(count, 'count')} {self.figure.unit}".strip()
        bar = element("rect", box, element("title", {}, escape(tip)))
        return linked(self.links, place * (len(self.figure.edges) - 1) + number, bar)

    def _mark(self, frame: Frame) -> Iterator[str]:
        """A dashed line over the whole height, its label above."""
        if self.figure.mark is None:
            return
        value, label = self.figure.mark
        x = frame.at_x(value)
        path = f"M{x:.1f} {frame.top - GAP:.1f}V{frame.bottom:.1f}"
        yield line(path, "ground-line", GROUND, 3)  # so that it is seen on a bar
        yield line(path, "ink-line", INK, 1, "4 3")
        half = min(text_width(visible(label), SMALL), frame.width) / 2
        middle = min(max(x, frame.left + half), frame.right - half)
        at = middle, frame.top - GAP - 3
        yield words(label, *at, anchor="middle", size=SMALL, room=frame.width)

    def _description(self) -> str:
        figure = self.figure
        said = []
        for name, row in zip(figure.names, figure.counts, strict=True):
            most = max(range(len(row)), key=lambda n: row[n])
            ends = [_edge(edge, figure) for edge in figure.edges[most : most + 2]]
            total = shown(sum(row), "count")
            said.append(
                f"{name or 'values'}: {shown(row[most], 'count')} of {total} from "
                f"{ends[0]} to {ends[1]}, the most"
            )
        bins = len(figure.edges) - 1
        return f"A histogram of {bins} bins. {'; '.join(said) or 'Nothing is counted'}."


def _edge(value: float, figure: Histogram) -> str:
    return told(value, "number" if figure.kind == "p" else figure.kind)
