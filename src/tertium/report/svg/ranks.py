"""The critical difference diagram of Demsar (2006): mean ranks on a line, best at the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.scales import rank_axis, rank_ticks
from tertium.report.svg.axes import GAP, SMALL, line
from tertium.report.svg.colours import FAINT, INK
from tertium.report.svg.elements import element, escape, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.sizes import SIZE, shortened, text_width
from tertium.results.blocks import Ranks
from tertium.results.texts import shown, visible

_AXIS = 400.0  # the length of the axis
_NAME = 220.0  # the longest name shown whole
_STUB = 18.0  # from the end of the axis to a name's line end
_ROW, _LEVEL = 20.0, 9.0  # from name to name; from bar to bar
_BEYOND = 4.0  # how far a bar reaches beyond its ends
_THICK = 4.0


def critical_difference(ranks: Ranks, links: Sequence[str] = ()) -> Drawing:
    """Names at both sides, led to their ranks by lines; bars join those that are not told apart.

    `links` are the addresses of names in their order; empty where there is none.
    """
    return _Layout(ranks, links).drawing()


class _Layout:
    """Where everything stands. The better half has its names at the right, best at the top; the
    other half at the left, worst at the top, so that no two lines cross."""

    def __init__(self, ranks: Ranks, links: Sequence[str]) -> None:
        self.figure, self.links = ranks, links
        self.scale = rank_axis(ranks)
        ordered = ranks.ordered
        half = (len(ordered) + 1) // 2
        self.better, self.worse = ordered[:half], ordered[half:][::-1]
        self.left = self._side(self.worse) + _STUB
        self.right = self.left + _AXIS
        self.width = max(
            self.right + _STUB + self._side(self.better), self.left + self._told_width()
        )
        self.axis = SMALL + GAP + (SIZE + 3 * GAP if ranks.critical is not None else 0.0)
        self.levels = _levels(ranks.bars)
        self.first = self.axis + 2 * GAP + (1 + max(self.levels, default=-1)) * _LEVEL + _ROW / 2

    def _side(self, names: Sequence[tuple[str, float]]) -> float:
        """What names and their ranks take beside the axis."""
        widths = [text_width(_label(name, rank)) for name, rank in names]
        return max(widths, default=0.0) + GAP + 2

    def drawing(self) -> Drawing:
        """All of it."""
        rows = max(len(self.better), len(self.worse), 1)
        body = [*self._critical(), *self._line(), *self._names(), *self._bars()]
        height = self.first + (rows - 1) * _ROW + SIZE * 0.5 + 2
        return Drawing(self.width, height, tuple(body), self._description())

    def _x(self, rank: float) -> float:
        return self.left + self.scale.place(rank) * _AXIS

    def _line(self) -> Iterator[str]:
        """The axis, with numbers above."""
        y = self.axis
        yield line(f"M{self.left:.1f} {y:.1f}H{self.right:.1f}", "ink-line", INK)
        for tick in rank_ticks(self.figure, 20):
            x = self._x(tick)
            yield line(f"M{x:.1f} {y:.1f}v-4", "ink-line", INK)
            at = x, y - GAP - 1
            yield words(f"{tick:.0f}", *at, anchor="middle", size=SMALL, look="faint")

    def _critical(self) -> Iterator[str]:
        """How long the critical difference is, at the worse end of the axis."""
        if self.figure.critical is None:
            return
        text = self._critical_told()
        yield words(text, self.left, SIZE * 0.9, size=SMALL)
        length = self.figure.critical / (self.scale.high - self.scale.low) * _AXIS
        if length <= _AXIS:
            y = SIZE + GAP
            ends = f"M{self.left:.1f} {y - 3:.1f}v6m0 -3h{length:.1f}m0 -3v6"
            yield line(ends, "ink-line", INK, 1.5)

    def _critical_told(self) -> str:
        critical = self.figure.critical
        if critical is None:
            return ""
        longer = critical > self.scale.high - self.scale.low
        return f"CD = {_rank(critical)}" + ", more than the axis is long" * longer

    def _told_width(self) -> float:
        return text_width(self._critical_told(), SMALL) + 2

    def _names(self) -> Iterator[str]:
        sides = ((self.better, 1, self.right + _STUB), (self.worse, -1, self.left - _STUB))
        for names, sign, end in sides:
            for row, (name, rank) in enumerate(names):
                y = self.first + row * _ROW
                x = self._x(rank)
                path = f"M{x:.1f} {self.axis:.1f}V{y:.1f}H{end:.1f}"
                at = end + sign * GAP, y + SIZE * 0.36
                anchor = "start" if sign > 0 else "end"
                inside = (
                    element("title", {}, escape(f"{name}: mean rank {_rank(rank)}")),
                    line(path, "faint-line", FAINT, 1.2),
                    _dot(x, self.axis),
                    words(_label(name, rank), *at, anchor=anchor),
                )
                place = self.figure.names.index(name)
                yield linked(self.links, place, element("g", {}, *inside))

    def _bars(self) -> Iterator[str]:
        for level, (best, worst) in zip(self.levels, self.figure.bars, strict=True):
            y = self.axis + 2 * GAP + level * _LEVEL
            left, right = self._x(worst) - _BEYOND, self._x(best) + _BEYOND
            yield line(f"M{left:.1f} {y:.1f}H{right:.1f}", "ink-line", INK, _THICK)

    def _description(self) -> str:
        told = ", ".join(f"{name} {_rank(rank)}" for name, rank in self.figure.ordered)
        groups = [" and ".join(group) for group in self.figure.groups if len(set(group)) > 1]
        joined = f" Not told apart: {'; '.join(groups)}." if groups else ""
        critical = f" {self._critical_told()}." if self.figure.critical is not None else ""
        return f"Mean ranks, the best first: {told or 'none'}.{critical}{joined}"


def _label(name: str, rank: float) -> str:
    return f"{shortened(visible(name), _NAME)} ({_rank(rank)})"


def _rank(value: float) -> str:
    return shown(float(value), "number")


def _dot(x: float, y: float) -> str:
    path = f"M{x - 2.5:.1f} {y:.1f}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z"
    return element("path", {"class": "ink", "d": path, "fill": INK})


def _levels(bars: Sequence[tuple[float, float]]) -> list[int]:
    """The level of each bar: the first on which it touches no other."""
    ends: list[float] = []
    levels = []
    for best, worst in bars:
        level = next((n for n, end in enumerate(ends) if end < best), len(ends))
        ends[level : level + 1] = [worst]
        levels.append(level)
    return levels
