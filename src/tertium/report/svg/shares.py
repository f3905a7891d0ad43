"""Shares as bars side by side: those of one name below each other, all on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.svg.axes import BELOW, GAP, SMALL
from tertium.report.svg.colours import GROUND, HATCHES, HUE, INK, LINE, hatching
from tertium.report.svg.counts import legend_of
from tertium.report.svg.elements import SIZE, box, line, linked, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.results.blocks import Shares
from tertium.results.texts import shown, visible


class ShareBars:
    """A dark bar for the first series and light ones for others, hatched from the third on, each
    with its number at the end; the legend above, since there may be many names.

    `links` are the addresses of shares, name by name; empty where there is none.
    """

    length, height, apart = 420.0, 13.0, 10.0  # of a bar; between names
    longest = 190.0  # name shown whole
    light = 0.3  # how densely further series are coloured

    def __init__(self, figure: Shares, links: Sequence[str]) -> None:
        self.figure, self.links = figure, links
        widest = max((text_width(visible(name)) for name, _ in figure.shown), default=0)
        self.left = min(widest, self.longest) + GAP + 2
        beside = text_width("100.00", SMALL) + 2 * GAP  # digits may be wider
        self.right = self.left + self.length + beside
        self.legend, height = legend_of(figure.series, _filled, self.left, self.right, 1)
        self.top = height + GAP
        self.step = len(figure.series) * self.height + self.apart
        self.bottom = self.top + len(figure.shown) * self.step + self.apart

    def image(self) -> Image:
        """All of it."""
        body = [*self.legend, *self._scale(), *self._bars()]
        return Image(self.right, self.bottom + BELOW, tuple(body), self._description())

    def _scale(self) -> Iterator[str]:
        for tick in (0, 25, 50, 75, 100):
            x = self.left + self.length * tick / 100
            yield line("tick", f"M{x:.1f} {self.top:.1f}V{self.bottom:.1f}", LINE)
            at = x, self.bottom + SMALL + GAP
            yield words(f"{tick}%", *at, anchor="middle", size=SMALL, look="faint")

    def _bars(self) -> Iterator[str]:
        series, y = self.figure.series, self.top + self.apart
        for row, (name, values) in enumerate(self.figure.shown):
            at = self.left - GAP - 2, y + len(series) * self.height / 2 + SIZE * 0.36
            yield words(name, *at, anchor="end", room=self.longest)
            for place, value in enumerate(values):
                told = f"{name}, {series[place]}: {self._told(value)}"
                drawn = titled(told, *self._bar(place, value, y + place * self.height))
                yield linked(self.links, row * len(series) + place, drawn)
            y += self.step

    def _bar(self, place: int, value: float | None, y: float) -> Iterator[str]:
        width = (value or 0.0) * self.length
        if width:
            yield from _filled(place, self.left, y, width, self.height)
        at = self.left + width + GAP, y + self.height / 2 + SMALL * 0.36
        number = "–" if value is None else shown(value, "percent")
        yield words(number, *at, size=SMALL, look="faint")

    def _told(self, value: float | None) -> str:
        return self.figure.reason if value is None else f"{shown(value, 'percent')}%"

    def _description(self) -> str:
        told = []
        for name, values in self.figure.shown:
            each = zip(self.figure.series, map(self._told, values), strict=True)
            told.append(f"{name}: {', '.join(f'{series} {value}' for series, value in each)}")
        return f"Bars on a scale from 0 to 100%. {'; '.join(told)}."


def _filled(place: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """A rectangle as the bars of a series are."""
    at = x, y + 0.5, width, height - 1
    yield box("ground", *at, fill=GROUND)  # or the lines of the scale would be seen through it
    yield box("share", *at, fill=HUE, fill_opacity=ShareBars.light if place else 1.0, stroke=HUE)
    path = hatching(HATCHES[max(place - 1, 0) % len(HATCHES)], *at)
    if path:
        yield line("ink-line", path, INK)
