"""Test sets of any size simulated from the counts of two systems: what the default test would find.

Units are drawn with replacement, as many as the test set is to have, and their difference is moved
to the one that is asked about. The test swaps the units of its own test set, so that one whose
units differ more needs a larger difference: what is needed is told in spreads under swaps, of
which each test set has its own (docs/verbs/power.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from tertium.results.assessment import TIE
from tertium.results.output import record
from tertium.results.scores import Result
from tertium.results.stats import Floats, beside
from tertium.significance.resample import (
    Number,
    Rows,
    UnitCounts,
    drawn_values,
    generator,
    unit_counts,
)
from tertium.significance.tests import differences_after_swaps

DRAWN, SWAPPED = 11, 12  # purposes of random numbers
TEST_SETS = 200  # on which the test itself is run
SWAPS = 999  # of each of them, and more where alpha is small
STEPS = 50  # halvings of a stretch of differences: less than floating point can tell apart
NUDGE = 1e-4  # of a count, to see how a score changes with it
SIZES = (1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2, 4, 8, 16)  # of the curve, relative to the given
FARTHEST = 64  # times the given size: what lies beyond is not guessed
FEWEST = 8  # units: below them nothing is asked
DIFFERENCES = 10  # of the curve, besides 0
REFINED = 3  # simulations between two sizes of which one is too small
MORE_THAN, AT_MOST = "more than", "at most"


class AtSize(NamedTuple):
    """A test set of a size: the power for the difference that is asked about, None if there is
    none, and the smallest difference with the power that is wanted, None if there is none."""

    units: int
    words: int | None
    power: float | None
    detectable: float | None


class AtDifference(NamedTuple):
    """The power of the given test set for a difference."""

    difference: float
    power: float


@dataclass(frozen=True, slots=True)
class SetSize:
    """The size of a test set. `bound` is empty, or says that it lies beyond: "more than" or "at
    most" so many units."""

    units: int
    words: int | None
    bound: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return record(self)


@dataclass(frozen=True, eq=False)
class SimulatedSets:
    """Differences found on test sets of `units` units.

    - `critical`: of how many spreads a difference must be to be significant; infinite where so few
      units can show none
    - `centred`: differences found, less the true one; `spread`: of each under swaps of its units,
      infinite where too few of them differ for any to be significant
    - `width`: the largest difference that there can be
    - `undefined`: test sets on which a system has no value; they are left out
    """

    units: int
    critical: float
    centred: Floats
    spread: Floats
    undefined: int
    width: float = 1.0

    def power(self, difference: float) -> float:
        """The share of test sets on which a true difference is significant."""
        if math.isinf(self.critical) or not len(self.centred):
            return 0.0
        needed = self.critical * self.spread
        return float((np.abs(self.centred + difference) > needed).mean())

    def detectable(self, target: float, sign: float = 1.0) -> float | None:
        """The smallest difference in a direction that is found with power `target`; None where the
        test set is too small for any."""
        low, high = 0.0, self.width
        if math.isinf(high):
            # Beyond it, every test set that can show a difference shows it.
            needed = self.critical * self.spread[np.isfinite(self.spread)]
            high = float(np.max(needed, initial=0.0) + np.max(abs(self.centred), initial=1.0))
        if self.power(sign * high) < target:
            return None
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(sign * middle) >= target else (middle, high)
        return high


class Simulation:
    """Test sets drawn from the units of two systems."""

    def __init__(
        self,
        a: Result,
        b: Result,
        number: Number | None = None,
        *,
        alpha: float = 0.05,
        trials: int = 10_000,
        seed: int = 0,
    ) -> None:
        self.pair = unit_counts([a, b], number, common=True)
        self.alpha, self.trials, self.seed = alpha, trials, seed
        self.part = a.part(number.part if number else "")
        self.observed = float(self.pair.statistic(self.pair.rows.total()))
        self.rows, self.differing = _with_effects(self.pair)
        self._made: dict[int, SimulatedSets] = {}

    def at(self, units: int) -> SimulatedSets:
        """Test sets of a size; the same ones if asked again."""
        if units not in self._made:
            # Copies of all units change no chance, and frequent rows are drawn faster.
            copies = Rows(self.rows.values, self.rows.count * -(-units // self.rows.units))
            random, growth = generator(self.seed, DRAWN, units), self._growth(units)
            found, spread = drawn_values(
                copies,
                self.trials,
                random,
                lambda sums: np.stack(
                    [self.pair.statistic(sums), self._spread(sums, units)], axis=1
                ),
                units=units,
            ).T
            there = ~np.isnan(found)
            self._made[units] = SimulatedSets(
                units,
                self._critical(units),
                found[there] / growth - self.observed,
                spread[there],
                int((~there).sum()),
                self.part.width,
            )
        return self._made[units]

    def _critical(self, units: int) -> float:
        """How many spreads the test itself asks for, on the average of some test sets.

        Test sets on which it finds nothing significant are left out, unless most are such.
        """
        random = generator(self.seed, SWAPPED, units)
        shares = self.rows.count / self.rows.units
        swaps = max(SWAPS, math.ceil(20 / self.alpha))
        needed = []
        for count in random.multinomial(units, shares, size=TEST_SETS):
            some = np.flatnonzero(count)
            drawn = Rows(self.rows.values[some], count[some].astype(np.int64))
            spread = float(self._spread(drawn.total()[None], units)[0])
            if math.isinf(spread):
                continue
            null = differences_after_swaps(UnitCounts(drawn, self.pair.sides), swaps, random)
            defined = null[~np.isnan(null)] / self._growth(units)
            needed.append(critical_value(defined, self.alpha) / spread)
        finite = [each for each in needed if math.isfinite(each)]
        return float(np.mean(finite)) if 2 * len(finite) > len(needed) else math.inf

    def _growth(self, units: int) -> float:
        """How many times its value a number has on a test set of a size, compared with the given
        one: sums grow, shares and means do not. Differences are told as of the given size."""
        if self.part.kind in ("share", "mean"):
            return 1.0
        total = self.pair.rows.total()
        here, there = self.pair.values(total), self.pair.values(total * (units / self.rows.units))
        largest = int(np.nanargmax(np.abs(here)))
        return float(there[largest] / here[largest]) if here[largest] else 1.0

    def _spread(self, sums: Floats, units: int) -> Floats:
        # A unit has the less effect the more there are.
        squares = sums[:, -2] * (self.rows.units / units) ** 2
        differing = np.rint(sums[:, -1])
        # Swaps of m units give no p-value below 2^(1 - m).
        enough = (differing > 1 - math.log2(self.alpha)) & (squares > 0)
        return np.where(enough, np.sqrt(np.where(enough, squares, 1.0)), np.inf)


def critical_value(null: Floats, alpha: float) -> float:
    """The difference above which p < alpha: p is the share of differences under the null hypothesis
    that are at least as large, counted as the test does it.

    It lies half way between the smallest that is significant and the next smaller one, which
    matters where there are few values. Infinite where even the largest is too frequent.

    >>> critical_value(np.arange(-99.0, 100.0), 0.05)
    95.5
    >>> critical_value(np.array([-1.0, 1.0] * 50), 0.05)
    inf
    """
    far = np.sort(np.abs(null))
    most = math.ceil(alpha * (len(far) + 1) - 1) - 1  # so many may be at least as large
    if most < 1:
        return math.inf
    first = len(far) - most
    if far[first] - far[first - 1] <= TIE:  # equal ones go together
        first = int(np.searchsorted(far, far[first] + TIE, side="right"))
    return float(far[first - 1] + far[first]) / 2 if first < len(far) else math.inf


def _with_effects(pair: UnitCounts) -> tuple[Rows, int]:
    """Every unit with two more columns, and how many units differ. The columns are the square of
    what a swap does to the difference, and whether the systems differ."""
    a, b = pair.sides
    values, count = pair.rows.values, pair.rows.count
    between = values[:, b.start : b.stop] - values[:, a.start : a.stop]
    effect = np.asarray(between @ _slope(pair)).ravel()
    apart = np.asarray(abs(between).sum(axis=1)).ravel() > 0
    further = np.stack([effect**2, apart], axis=1).astype(np.float64)
    return Rows(beside([values, further]), count), int(count[apart].sum())


def _slope(pair: UnitCounts) -> Floats:
    """How the number of a system changes with each of its counts, between the two systems."""
    a, b = pair.sides
    total = pair.rows.total()
    middle = (total[a.start : a.stop] + total[b.start : b.stop]) / 2
    slope = np.zeros(len(middle))
    for place, amount in enumerate(middle):
        step = NUDGE * max(amount, 1.0)
        ends = np.stack([middle, middle])
        ends[:, place] += [-step, step]
        values = a.value(np.concatenate([ends, ends], axis=1))
        slope[place] = (values[1] - values[0]) / (2 * step)
    return np.nan_to_num(slope)


class Plan:
    """Sizes and differences asked of one simulation."""

    def __init__(self, simulation: Simulation, target: float, tokens: int | None) -> None:
        self.simulation, self.target = simulation, target
        self.given = simulation.pair.units
        self.words_per_unit = tokens / self.given if tokens is not None and self.given else None
        self.sign = -1.0 if simulation.observed < 0 else 1.0

    def power(self, units: int, difference: float) -> float:
        return self.simulation.at(units).power(self.sign * difference)

    def detectable(self, units: int) -> float | None:
        return self.simulation.at(units).detectable(self.target, self.sign)

    def words(self, units: int) -> int | None:
        per_unit = self.words_per_unit
        return None if per_unit is None else round(units * per_unit)

    def by_units(self, difference: float | None) -> tuple[AtSize, ...]:
        sizes = dict.fromkeys(max(2, round(self.given * factor)) for factor in SIZES)
        return tuple(
            AtSize(
                units,
                self.words(units),
                None if difference is None else self.power(units, difference),
                self.detectable(units),
            )
            for units in sizes
        )

    def by_difference(self, difference: float | None) -> tuple[AtDifference, ...]:
        """Up to where power is nearly 1: a half more than what is found with the power wanted.
        Nothing where no difference is found or asked about."""
        widest = max(1.5 * (self.detectable(self.given) or 0.0), difference or 0.0)
        if not widest:
            return ()
        widest = min(widest, self.simulation.part.width)
        steps = [widest * step / DIFFERENCES for step in range(DIFFERENCES + 1)]
        return tuple(AtDifference(each, self.power(self.given, each)) for each in steps)

    def needed(self, difference: float) -> SetSize:
        """The size at which power reaches the target: found between two sizes of which one is
        twice the other, then by interpolation between nearer ones."""
        least, most = min(FEWEST, self.given), FARTHEST * self.given
        low = high = self.given
        if self.power(self.given, difference) < self.target:
            while self.power(high, difference) < self.target:
                if high >= most:
                    return self._size(most, MORE_THAN)
                low, high = high, min(2 * high, most)
        else:
            while self.power(low, difference) >= self.target:
                if low <= least:
                    return self._size(least, AT_MOST)
                low, high = max(low // 2, least), low
        for _ in range(REFINED):
            between = self._between(low, high, difference)
            if not low < between < high:
                break
            if self.power(between, difference) < self.target:
                low = between
            else:
                high = between
        return self._size(rounded_up(self._between(low, high, difference)))

    def _between(self, low: int, high: int, difference: float) -> int:
        """Interpolated: for a normal distribution the quantile of power is linear in the square
        root of the size."""
        normal, room = NormalDist(), 1 / (2 * self.simulation.trials)
        ends = [
            normal.inv_cdf(min(max(self.power(n, difference), room), 1 - room)) for n in (low, high)
        ]
        share = (normal.inv_cdf(self.target) - ends[0]) / (ends[1] - ends[0])
        root = math.sqrt(low) + share * (math.sqrt(high) - math.sqrt(low))
        return min(max(math.ceil(root * root), low), high)

    def _size(self, units: int, bound: str = "") -> SetSize:
        words = self.words(units)
        return SetSize(units, None if words is None else rounded_up(words), bound)


def rounded_up(number: int, digits: int = 3) -> int:
    """As many digits as a simulation can vouch for.

    >>> rounded_up(12_341), rounded_up(987)
    (12400, 987)
    """
    step: int = 10 ** max(0, len(str(number)) - digits)
    return -(-number // step) * step
