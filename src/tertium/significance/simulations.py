"""Test sets of any size simulated from the counts of two systems: what the default test would find.

Units are drawn with replacement, as many as the test set is to have. Where the systems do not
differ each of them is swapped by the toss of a coin, as the test does it; where they do, the
difference of the drawn units is moved to the one that is asked about (docs/verbs/power.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tertium.corpus.result import Result
from tertium.corpus.stats import Floats, beside
from tertium.significance.intervals import TIE
from tertium.significance.resampling import drawn_sums, generator
from tertium.significance.rows import Rows
from tertium.significance.samples import Number, Sample, sample

ALIKE, APART = 11, 12  # purposes of random numbers
STEPS = 50  # halvings of a stretch of differences: less than floating point can tell apart


@dataclass(frozen=True, eq=False)
class Simulated:
    """Differences found on test sets of `units` units.

    - `critical`: the smallest difference that is significant; infinite where so few units can show
      none
    - `centred`: differences found, less the true one, in rising order
    - `undefined`: test sets on which a system has no value; they are left out
    """

    units: int
    critical: float
    centred: Floats
    undefined: int

    def power(self, difference: float) -> float:
        """The share of test sets on which a true difference is significant."""
        below, above = np.searchsorted(
            self.centred,
            [-self.critical - difference + TIE, self.critical - difference - TIE],
        )
        return float(below + len(self.centred) - above) / len(self.centred)

    def detectable(self, target: float, sign: float = 1.0) -> float | None:
        """The smallest difference in a direction that is found with power `target`; None where the
        test set is too small for any."""
        if math.isinf(self.critical):
            return None
        low, high = 0.0, self.critical + float(np.abs(self.centred).max()) + 2 * TIE
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(sign * middle) >= target else (middle, high)
        return high if high <= 1 else None


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
        self.pair = sample([a, b], number, common=True)
        self.alpha, self.trials, self.seed = alpha, trials, seed
        self.observed = float(self._difference(self.pair.rows.total()))
        self.alike, self.differing = _with_swapped(self.pair)
        self._made: dict[int, Simulated] = {}

    def at(self, units: int) -> Simulated:
        """Test sets of a size; the same ones if asked again."""
        if units not in self._made:
            null = self._drawn(self.alike, units, ALIKE)
            found = self._drawn(self.pair.rows, units, APART)
            there = found[~np.isnan(found)]
            self._made[units] = Simulated(
                units,
                critical_value(null[~np.isnan(null)], self.alpha),
                np.sort(there - self.observed),
                len(found) - len(there),
            )
        return self._made[units]

    def _drawn(self, rows: Rows, units: int, purpose: int) -> Floats:
        # Copies of all units change no chance, and frequent rows are drawn faster.
        copies = Rows(rows.values, rows.count * max(1, -(-units // rows.units)))
        random = generator(self.seed, purpose, units)
        return self._difference(drawn_sums(copies, self.trials, random, units=units))

    def _difference(self, sums: Floats) -> Floats:
        values = self.pair.values(sums)
        return values[..., 1] - values[..., 0]


def critical_value(null: Floats, alpha: float) -> float:
    """The smallest difference with p < alpha: p is the share of differences under the null
    hypothesis that are at least as large, counted as the test does it.

    Infinite where even the largest is too frequent, as with a handful of units.

    >>> critical_value(np.arange(-99.0, 100.0), 0.05)
    96.0
    >>> critical_value(np.array([-1.0, 1.0] * 50), 0.05)
    inf
    """
    far = np.sort(np.abs(null))
    most = math.ceil(alpha * (len(far) + 1) - 1) - 1  # so many may be at least as large
    if most < 1:
        return math.inf
    at = float(far[-most])
    if len(far) - np.searchsorted(far, at - TIE) > most:
        beyond = int(np.searchsorted(far, at + TIE, side="right"))
        return float(far[beyond]) if beyond < len(far) else math.inf
    return at


def _with_swapped(pair: Sample) -> tuple[Rows, int]:
    """Every unit as it is and with the systems swapped, and how many units differ.

    To draw from these is to draw a unit and to toss a coin.
    """
    a, b = pair.sides
    values, count = pair.rows.values, pair.rows.count
    first, second = values[:, a.start : a.stop], values[:, b.start : b.stop]
    apart = np.asarray(abs(second - first).sum(axis=1)).ravel() > 0
    swapped = beside([second, first])[apart]
    both = np.concatenate([np.where(apart, count, 2 * count), count[apart]])
    if isinstance(values, np.ndarray):
        return Rows(np.concatenate([values, swapped]), both), int(count[apart].sum())
    from scipy import sparse

    return Rows(sparse.vstack([values, swapped], format="csr"), both), int(count[apart].sum())
