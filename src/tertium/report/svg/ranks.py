"""The critical difference diagram of Demsar (2006): mean ranks on a line, best at the right."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tertium.report.svg.axes import GAP, SMALL
from tertium.report.svg.colours import DOT, FAINT, INK
from tertium.report.svg.elements import (
    SIZE,
    element,
    line,
    linked,
    shortened,
    text_width,
    titled,
    words,
)
from tertium.report.svg.images import Image
from tertium.results.blocks import Ranks
from tertium.results.texts import shown, visible

_TICKS = 20  # at most


class RankLine:
    """Mean ranks on a line, the best at the right; names at both sides, led to their ranks by
    lines; bars join those that are not told apart.

    The better half has its names at the right, best at the top; the other half at the left, worst
    at the top, so that no two lines cross. `links` are the addresses of names in their order; empty
    where there is none.
    """

    length = 400.0  # of the axis
    longest = 220.0  # name shown whole
    stub = 18.0  # from the end of the axis to a name's line end
    row, level = 20.0, 9.0  # from name to name; from bar to bar
    beyond, thick = 4.0, 4.0  # how far a bar reaches beyond its ends; its height

    def __init__(self, ranks: Ranks, links: Sequence[str]) -> None:
        self.figure, self.links = ranks, links
        self.worst = max(len(ranks.names), 2)
        ordered = ranks.ordered
        half = (len(ordered) + 1) // 2
        self.better, self.worse = ordered[:half], ordered[half:][::-1]
        self.left = self._side(self.worse) + self.stub
        self.right = self.left + self.length
        self.critical = self._critical_told()
        self.width = max(
            self.right + self.stub + self._side(self.better),
            self.left + text_width(self.critical, SMALL) + 2,
        )
        self.axis = SMALL + GAP + (SIZE + 3 * GAP if self.critical else 0.0)
        self.levels = _levels(ranks.bars)
        bars = (1 + max(self.levels, default=-1)) * self.level
        self.first = self.axis + 2 * GAP + bars + self.row / 2

    def _side(self, names: Sequence[tuple[str, float]]) -> float:
        """What names and their ranks take beside the axis."""
        return max((text_width(self._label(*each)) for each in names), default=0.0) + GAP + 2

    def _label(self, name: str, rank: float) -> str:
        return f"{shortened(visible(name), self.longest)} ({_rank(rank)})"

    def image(self) -> Image:
        """All of it."""
        rows = max(len(self.better), len(self.worse), 1)
        body = [*self._critical(), *self._line(), *self._names(), *self._bars()]
        height = self.first + (rows - 1) * self.row + SIZE * 0.5 + 2
        return Image(self.width, height, tuple(body), self._description())

    def _x(self, rank: float) -> float:
        """The axis is turned so that the best is at the right, as Demsar has it."""
        return self.left + (1 - (rank - 1) / (self.worst - 1)) * self.length

    def _line(self) -> Iterator[str]:
        """The axis, with numbers above."""
        y = self.axis
        yield line("ink-line", f"M{self.left:.1f} {y:.1f}H{self.right:.1f}", INK)
        for tick in range(1, self.worst + 1, math.ceil(len(self.figure.names) / _TICKS) or 1):
            x = self._x(tick)
            yield line("ink-line", f"M{x:.1f} {y:.1f}v-4", INK)
            yield words(str(tick), x, y - GAP - 1, anchor="middle", size=SMALL, look="faint")

    def _critical(self) -> Iterator[str]:
        """How long the critical difference is, at the worse end of the axis."""
        if self.figure.critical is None:
            return
        yield words(self.critical, self.left, SIZE * 0.9, size=SMALL)
        length = self.figure.critical / (self.worst - 1) * self.length
        if length <= self.length:
            y = SIZE + GAP
            ends = f"M{self.left:.1f} {y - 3:.1f}v6m0 -3h{length:.1f}m0 -3v6"
            yield line("ink-line", ends, INK, 1.5)

    def _critical_told(self) -> str:
        critical = self.figure.critical
        if critical is None:
            return ""
        longer = critical > self.worst - 1
        return f"CD = {_rank(critical)}" + " (exceeds the axis)" * longer

    def _names(self) -> Iterator[str]:
        sides = (
            (self.better, "start", GAP, self.right + self.stub),
            (self.worse, "end", -GAP, self.left - self.stub),
        )
        for names, anchor, gap, end in sides:
            for row, (name, rank) in enumerate(names):
                x, y = self._x(rank), self.first + row * self.row
                inside = (
                    line("faint-line", f"M{x:.1f} {self.axis:.1f}V{y:.1f}H{end:.1f}", FAINT, 1.2),
                    element(
                        "path", class_="ink", d=f"M{x - 2.5:.1f} {self.axis:.1f}{DOT}", fill=INK
                    ),
                    words(self._label(name, rank), end + gap, y + SIZE * 0.36, anchor=anchor),
                )
                drawn = titled(f"{name}: mean rank {_rank(rank)}", *inside)
                yield linked(self.links, self.figure.names.index(name), drawn)

    def _bars(self) -> Iterator[str]:
        for level, (best, worst) in zip(self.levels, self.figure.bars, strict=True):
            y = self.axis + 2 * GAP + level * self.level
            left, right = self._x(worst) - self.beyond, self._x(best) + self.beyond
            yield line("ink-line", f"M{left:.1f} {y:.1f}H{right:.1f}", INK, self.thick)

    def _description(self) -> str:
        told = ", ".join(f"{name} {_rank(rank)}" for name, rank in self.figure.ordered)
        groups = [" and ".join(group) for group in self.figure.groups if len(set(group)) > 1]
        joined = f" Not significantly different: {'; '.join(groups)}." if groups else ""
        critical = f" {self.critical}." if self.critical else ""
        return f"Mean ranks, the best first: {told or 'none'}.{critical}{joined}"


def _rank(value: float) -> str:
    return shown(float(value), "number")


def _levels(bars: Sequence[tuple[float, float]]) -> list[int]:
    """The level of each bar: the first on which it touches no other."""
    ends: list[float] = []
    levels = []
    for best, worst in bars:
        level = next((n for n, end in enumerate(ends) if end < best), len(ends))
        ends[level : level + 1] = [worst]
        levels.append(level)
    return levels
