"""Axes: where a number stands between two ends, and which numbers are written along the way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tertium.results.blocks import Kind, Lines
from tertium.results.texts import shown

Limits = tuple[float | None, float | None]

ROUND = 5  # steps between the round ends of an axis
LOWEST_P = 0.0001  # where a logarithmic axis of p-values ends: below, they are not written out
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_DIGITS = 6  # decimals of a label; what needs more is written with an exponent
_HUGE = 1e9  # from here on numbers are written with an exponent
_EQUAL = 1e-6  # values that differ by less of their size are drawn as equal
_SAME = 1e-9  # parts of a step that are rounding errors


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high`, which are never equal.

    - `step`: from tick to tick, where the ends were made to fit it; 0 leaves it to `ticks`
    """

    low: float
    high: float
    kind: Kind = "number"
    log: bool = False
    step: float = 0.0

    def place(self, value: float) -> float:
        """Where a value stands: 0 at the low end, 1 at the high one. Values beyond an end stand
        there; `beyond` tells them.

        >>> Scale(0, 10).place(2.5), Scale(1, 100, log=True).place(10), Scale(0, 1).place(7)
        (0.25, 0.5, 1.0)
        """
        if self.log:
            value = max(value, self.low)  # nothing at or below 0 has a logarithm
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return min(max(share, 0.0), 1.0)

    def beyond(self, value: float) -> int:
        """-1 for a value below the low end, 1 for one above the high end, else 0."""
        if self.log:
            return (value > self.high * (1 + _SAME)) - (value < self.low * (1 - _SAME))
        room = _SAME * (self.high - self.low)
        return (value > self.high + room) - (value < self.low - room)

    def ticks(self, most: int) -> list[float]:
        """Round numbers from end to end, about `most` of them and never many more.

        >>> Scale(0, 1).ticks(6), Scale(10, 20000, log=True).ticks(5)
        ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [10.0, 100.0, 1000.0, 10000.0])
        """
        if self.log:
            return _log_ticks(self.low, self.high, most) or _even_ticks(self, most)
        return _even_ticks(self, most)

    def labels(self, ticks: Sequence[float]) -> list[str]:
        """Ticks as text, on an even axis all with the same number of decimals.

        >>> Scale(0, 1, "percent").labels([0, 0.5]), Scale(0, 1, "p").labels([0, 0.05, 1])
        (['0%', '50%'], ['0', '.05', '1'])
        """
        if self.log or self.kind == "p":
            return [_written(tick, self.kind, _decimals([tick], self.kind)) for tick in ticks]
        return [_written(tick, self.kind, _decimals(ticks, self.kind)) for tick in ticks]


def fitted(
    values: Iterable[float],
    kind: Kind = "number",
    *,
    log: bool = False,
    limits: Limits = (None, None),
    is_round: bool = False,
) -> Scale:
    """The axis that shows all values.

    - `limits`: where it ends whatever the values are; None leaves an end to the values
    - `is_round`: it ends at round numbers and, for counts and p-values, begins at 0

    A logarithmic axis shows nothing at or below 0; one of p-values ends at .0001 (`LOWEST_P`).
    """
    found = [value for value in values if value > 0 or not log]
    low, high = min(found, default=None), max(found, default=None)
    if log and kind == "p" and low is not None:
        low, high = max(low, LOWEST_P), max(high or 0, LOWEST_P)
    if low is None or high is None:
        low, high = (LOWEST_P if log else 0.0), 1.0
    if is_round and not log and kind in ("count", "p") and low > 0:
        low = 0.0
    low, high = _apart(low, high, kind, log=log)
    step = 0.0
    if is_round:
        low, high, step = _rounded(low, high, kind, log=log)
    if limits != (None, None):
        low = low if limits[0] is None else limits[0]
        high = high if limits[1] is None else limits[1]
        step = 0.0
    if low >= high:  # a limit that leaves nothing of the values
        low, high = (low, low * 10) if log else (low, low + 1.0)
    return Scale(low, high, kind, log, step=step)


def _apart(low: float, high: float, kind: Kind, *, log: bool) -> tuple[float, float]:
    """Ends that differ, though all values may be the same; shares stay within 0 and 1."""
    if high - low > _EQUAL * max(abs(low), abs(high)):
        return low, high
    if log:
        low, high = low / 2, high * 2
    else:
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    if kind in ("percent", "p"):
        high = min(high, 1.0) if low < 1 else high
        low = max(low, 0.0) if high > 0 and not log else low
    return low, high


def _rounded(low: float, high: float, kind: Kind, *, log: bool) -> tuple[float, float, float]:
    """Ends at round numbers, and the step between ticks; 0 for powers of ten."""
    if log:
        first, last = math.floor(math.log10(low) + _SAME), math.ceil(math.log10(high) - _SAME)
        return float(f"1e{first}"), float(f"1e{max(last, first + 1)}"), 0.0
    step = _step(high - low, ROUND, kind)
    while True:
        first, last = math.floor(low / step + _SAME), math.ceil(high / step - _SAME)
        if last - first <= ROUND:
            return _short(step * first), _short(step * last), step
        step = _step(step * (ROUND + 1), ROUND, kind)  # the next larger one


def _step(length: float, most: int, kind: Kind) -> float:
    """A round step that divides a length into at most so many parts; whole for counts."""
    rough = length / max(most, 1)
    size = 10.0 ** math.floor(math.log10(rough))
    if kind == "count" and rough <= 1:
        return 1.0
    steps = [s for s in _STEPS if kind != "count" or (size * s).is_integer()]
    return next(size * step for step in steps if size * step >= rough * (1 - _SAME))


def _even_ticks(scale: Scale, most: int) -> list[float]:
    step = scale.step or _step(scale.high - scale.low, most, scale.kind)
    first = math.ceil(scale.low / step - _SAME)
    last = math.floor(scale.high / step + _SAME)
    return [_short(step * number) for number in range(first, last + 1)]


def _short(value: float) -> float:
    """The nearest short number: 3 * 0.1 is to be 0.3, and to be written so."""
    return float(f"{value:.12g}")


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    """Powers of ten, only every other or third where there are many, or 1, 2 and 5 times powers of
    ten where there are few; none if even these are too far apart."""
    first, last = math.ceil(math.log10(low) - _SAME), math.floor(math.log10(high) + _SAME)
    powers = range(first, last + 1)
    if len(powers) > 2 or (len(powers) == 2 and most < 4):
        every = math.ceil(len(powers) / max(most, 1))
        return [float(f"1e{power}") for power in powers[::every]]
    finer = [
        float(f"{digit}e{power}") for power in range(first - 1, last + 1) for digit in (1, 2, 5)
    ]
    inside = [v for v in finer if low * (1 - _SAME) <= v <= high * (1 + _SAME)]
    return inside if 2 <= len(inside) <= max(most, 2) + 1 else []


def _decimals(ticks: Sequence[float], kind: Kind) -> int:
    """The fewest decimals that write all ticks; one more than allowed if none does, or if one of
    them is too large to be written out."""
    factor = 100 if kind in ("percent", "delta") else 1
    sizes = [abs(tick) * factor for tick in ticks]
    if max(sizes, default=0) >= _HUGE:
        return _DIGITS + 1
    for digits in range(_DIGITS + 1):
        if all(abs(round(size, digits) - size) <= 1e-7 * size for size in sizes):
            return digits
    return _DIGITS + 1


def _written(value: float, kind: Kind, digits: int) -> str:
    sign = "+" if kind.endswith("delta") and value else ""
    if kind in ("percent", "delta"):
        return f"{100 * value:{sign}.{min(digits, _DIGITS)}f}" + "%" * (kind == "percent")
    if digits > _DIGITS:
        return f"{value:{sign}.3g}"
    text = f"{value:{sign},.{digits}f}"
    return text.replace("0.", ".", 1) if kind == "p" and text.startswith("0.") else text


def told(value: float, kind: Kind) -> str:
    """A value in words beside a picture, with the sign of percent."""
    return shown(value, kind) + "%" * (kind == "percent")


def axes_of(lines: Lines) -> tuple[Scale, Scale]:
    """The axes of a plot of curves: everything that is drawn has a place on them."""
    xs = [x for series in lines.series for x in series.xs]
    ys = [y for series in lines.series for _, y in series.points]
    for series in lines.series:
        ys += [end for _, ends in series.band if ends for end in (ends.low, ends.high)]
    xs += [value for value, _ in lines.marks]
    ys += [value for value, _ in lines.thresholds]
    ys += [] if lines.shade_below is None else [lines.shade_below]
    return (
        fitted(xs, lines.x_kind, log=lines.log_x, limits=lines.x_range),
        fitted(ys, lines.y_kind, log=lines.log_y, limits=lines.y_range, is_round=True),
    )


def drawn_lines(
    lines: Lines, x: Scale, y: Scale
) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Thresholds and marks that are on the axes; a range that was asked for may leave some out."""
    return (
        [(value, label) for value, label in lines.thresholds if not y.beyond(value)],
        [(value, label) for value, label in lines.marks if not x.beyond(value)],
    )
