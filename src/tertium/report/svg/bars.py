"""Shares as bars: stacked, or side by side on one scale. `links` are the addresses of parts, bar by
bar; empty where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tertium.report.svg.axes import BELOW, GAP, SMALL, flow
from tertium.report.svg.colours import GROUND, HATCHES, HUE, INK, LINE, hatching, part
from tertium.report.svg.elements import (
    SIZE,
    box,
    element,
    line,
    linked,
    text_width,
    titled,
    words,
)
from tertium.report.svg.images import Image
from tertium.results.blocks import Bars, Shares
from tertium.results.texts import shown, visible

_PAD = 8.0  # beside texts
_MIDDLE = SIZE * 0.36  # from the middle of letters to their base line
SWATCH = 16.0  # of a legend


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
        self.legend, height = legend_of(figure.series, _hatched, self.left, self.right, 1)
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
            at = self.left - GAP - 2, y + len(series) * self.height / 2 + _MIDDLE
            yield words(name, *at, anchor="end", room=self.longest)
            for place, value in enumerate(values):
                told = f"{name}, {series[place]}: {self._told(value)}"
                drawn = titled(told, *self._bar(place, value, y + place * self.height))
                yield linked(self.links, row * len(series) + place, drawn)
            y += self.step

    def _bar(self, place: int, value: float | None, y: float) -> Iterator[str]:
        width = (value or 0.0) * self.length
        if width:
            yield from _hatched(place, self.left, y, width, self.height)
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


def _hatched(place: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """A rectangle as the bars of a series are."""
    at = x, y + 0.5, width, height - 1
    yield box("ground", *at, fill=GROUND)  # or the lines of the scale would be seen through it
    yield box("share", *at, fill=HUE, fill_opacity=ShareBars.light if place else 1.0, stroke=HUE)
    path = hatching(HATCHES[max(place - 1, 0) % len(HATCHES)], *at)
    if path:
        yield line("ink-line", path, INK)
