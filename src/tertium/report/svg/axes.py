"""The frame of a plot: two axes with their ticks, and where values stand between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tertium.report.scales import ROUND, Scale
from tertium.report.svg.colours import FAINT, LINE
from tertium.report.svg.elements import SIZE, line, text_width, words
from tertium.results.texts import visible

SMALL = 11.0  # letters along axes
GAP = 6.0  # between an axis and its numbers
BELOW = SMALL + GAP + 4  # what the numbers below a plot take


@dataclass(frozen=True)
class Frame:
    """A plot's place in the drawing, and its axes; `inset` is free at both sides for points."""

    x: Scale
    y: Scale
    left: float
    top: float
    width: float
    height: float
    inset: float = 0.0

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The line of the lower axis."""
        return self.top + self.height

    def at_x(self, value: float) -> float:
        """Where a value stands across."""
        return self.left + self.inset + self.x.place(value) * (self.width - 2 * self.inset)

    def at_y(self, value: float) -> float:
        """Where a value stands upright."""
        return self.bottom - self.y.place(value) * self.height

    def grid(self) -> Iterator[str]:
        """Lines across at round numbers, with the numbers at their left."""
        ticks = self.y.ticks(ROUND)
        for tick, label in zip(ticks, self.y.labels(ticks), strict=True):
            y = self.at_y(tick)
            yield line("tick", f"M{self.left:.1f} {y:.1f}H{self.right:.1f}", LINE)
            at = self.left - GAP, y + SMALL * 0.36
            yield words(label, *at, anchor="end", size=SMALL, look="faint")

    def across(self) -> Iterator[str]:
        """The lower axis: a line with ticks and as many numbers as have room."""
        yield line("faint-line", f"M{self.left:.1f} {self.bottom:.1f}H{self.right:.1f}", FAINT)
        ticks = _ticks_below(self.x, self.width)
        free = 0.0
        for tick, label in zip(ticks, self.x.labels(ticks), strict=True):
            x, half = self.at_x(tick), text_width(label, SMALL) / 2
            yield line("faint-line", f"M{x:.1f} {self.bottom:.1f}v4", FAINT)
            if x - half >= free:
                at = x, self.bottom + SMALL + GAP
                yield words(label, *at, anchor="middle", size=SMALL, look="faint")
                free = x + half + GAP

    def name(self, text: str) -> Iterator[str]:
        """What is along the lower axis."""
        if text:
            at = self.left + self.width / 2, self.bottom + BELOW + SIZE
            yield words(text, *at, anchor="middle", look="faint", room=self.width)


def numbers_width(scale: Scale) -> float:
    """What the numbers of an upright axis take."""
    return max((text_width(t, SMALL) for t in scale.labels(scale.ticks(ROUND))), default=0.0)


def overhang(scale: Scale, width: float) -> float:
    """How far a number may reach over the end of a lower axis of this width."""
    labels = scale.labels(_ticks_below(scale, width))
    return max((text_width(label, SMALL) for label in labels), default=0.0) / 2


def _ticks_below(scale: Scale, width: float) -> list[float]:
    return scale.ticks(max(int(width // 80), 4))


def apart(places: Sequence[float], least: float, highest: float) -> list[float]:
    """Places moved so far up, and below `highest` down, that neighbours are `least` apart.

    >>> apart([50, 48, 10], 12, 0)
    [50, 38, 10]
    """
    moved = list(places)
    order = sorted(range(len(moved)), key=lambda n: -moved[n])
    for lower, upper in pairwise(order):
        moved[upper] = min(moved[upper], moved[lower] - least)
    for upper, lower in pairwise(order[::-1]):
        moved[upper] = max(moved[upper], highest)
        moved[lower] = max(moved[lower], moved[upper] + least)
    return moved


def flow(
    widths: Sequence[float], left: float, right: float, between: float
) -> list[tuple[float, int]]:
    """Where things of these widths stand one behind the other: x, and the row, which begins anew
    where the next one does not fit.

    >>> flow([40, 40, 40], 0, 100, 10)
    [(0, 0), (50, 0), (0, 1)]
    """
    found: list[tuple[float, int]] = []
    x, row = left, 0
    for width in widths:
        if x > left and x + width > right:
            x, row = left, row + 1
        found.append((x, row))
        x += width + between
    return found


def rows_of(
    labels: Sequence[tuple[float, str]], left: float, right: float
) -> list[tuple[float, int, str]]:
    """Labels centred at places, kept between two ends, in as few rows as can be: x, row, text."""
    ends: list[float] = []
    found: list[tuple[float, int, str]] = []
    for place, label in sorted(labels):
        half = min(text_width(visible(label), SMALL), right - left) / 2
        x = min(max(place, left + half), right - half)
        row = next((n for n, end in enumerate(ends) if end + GAP <= x - half), len(ends))
        ends[row : row + 1] = [x + half]
        found.append((x, row, label))
    return found


def circle(x: float, y: float, size: float) -> str:
    """The path of a circle; `size` is half its width."""
    arc = f"a{size} {size} 0 1 0"
    return f"M{x - size:.1f} {y:.1f}{arc} {2 * size} 0{arc} {-2 * size} 0z"
