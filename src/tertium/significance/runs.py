"""Several runs of one system: mean, standard deviation, and a bootstrap over runs and units.

All runs are judged on the same units, so that both are drawn at once: units for all systems
together, runs for each system by itself (docs/significance.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tertium.results.assessment import TWO_SIDED, Interval, Test
from tertium.results.scores import Result
from tertium.results.stats import Floats
from tertium.significance.intervals import DRAWING, RUNS, check_interval, from_replicates
from tertium.significance.resample import Number, UnitCounts, drawn_values, generator, sample
from tertium.significance.tests import FEW_UNITS, extreme, few

FEW_RUNS = 10
HIERARCHICAL = "hierarchical"
TITLE = "bootstrap over runs and units"


class Crossed:
    """Replicates of the mean over runs of one or two systems."""

    def __init__(
        self, systems: Sequence[Sequence[Result]], number: Number, *, trials: int, seed: int
    ) -> None:
        self.sizes = [len(runs) for runs in systems]
        self.pool: UnitCounts = sample([run for runs in systems for run in runs], number)
        self.observed = self._means(self.pool.observed)
        random = generator(seed, DRAWING)
        values = drawn_values(self.pool.rows, trials, random, self.pool.values)
        random = generator(seed, RUNS)
        drawn = np.empty((trials, len(self.sizes)))
        start = 0
        for place, size in enumerate(self.sizes):
            # Means of r - 1 runs drawn from r vary as means of r runs do; of r they vary less.
            draws = max(size - 1, 1)
            chosen = random.multinomial(draws, np.full(size, 1 / size), size=trials)
            drawn[:, place] = (values[:, start : start + size] * chosen).sum(axis=1) / draws
            start += size
        self.replicates = drawn

    def _means(self, values: Floats) -> Floats:
        """The mean of every system from the values of all runs."""
        ends = np.cumsum([0, *self.sizes])
        return np.stack([values[..., a:b].mean(axis=-1) for a, b in pairwise(ends)], axis=-1)


def run_interval(
    runs: Sequence[Result],
    number: Number | None = None,
    *,
    method: str = "percentile",
    level: float = 0.95,
    trials: int = 10_000,
    seed: int = 0,
) -> Interval:
    """An interval of the mean over runs; percentile or basic, since there is no jackknife of two
    things that are drawn at once: `bca` is taken for `percentile`, and the result says so."""
    check_interval(method, level, trials)
    crossed = Crossed([runs], number or Number(), trials=trials, seed=seed)
    found = _interval(crossed.replicates[:, 0], float(crossed.observed[0]), method, level)
    return replace(found, unit=crossed.pool.unit)


def run_test(
    a: Sequence[Result],
    b: Sequence[Result],
    number: Number | None = None,
    *,
    direction: str = TWO_SIDED,
    method: str = "percentile",
    level: float = 0.95,
    trials: int = 10_000,
    seed: int = 0,
) -> tuple[Test, Interval]:
    """Test the difference of the means over runs of two systems, centred, and its interval."""
    check_interval(method, level, trials)
    crossed = Crossed([a, b], number or Number(), trials=trials, seed=seed)
    observed = float(crossed.observed[1] - crossed.observed[0])
    found = crossed.replicates[:, 1] - crossed.replicates[:, 0]
    units, unit = crossed.pool.units, crossed.pool.unit
    interval = replace(_interval(found, observed, method, level), unit=unit)
    if np.isnan(observed):
        reason = "the value of a run is undefined"
        test = Test(None, None, HIERARCHICAL, units, direction=direction, reason=reason, unit=unit)
        return test, interval
    defined = found[~np.isnan(found)]
    beyond = extreme(defined - observed, observed, direction)
    warnings = [few(unit)] if units < FEW_UNITS else []
    if min(len(a), len(b)) < FEW_RUNS:
        warnings.append(
            f"fewer than {FEW_RUNS} runs of a system: how much runs differ is hardly known, and p "
            "may be too low"
        )
    return (
        Test(
            observed,
            float((beyond.sum() + 1) / (len(defined) + 1)),
            HIERARCHICAL,
            units,
            trials=len(found),
            direction=direction,
            undefined=len(found) - len(defined),
            warning="; ".join(warnings),
            unit=unit,
        ),
        interval,
    )


def _interval(replicates: Floats, observed: float, method: str, level: float) -> Interval:
    method = "percentile" if method == "bca" else method
    if np.isnan(observed):
        reason = "the value of a run is undefined"
        return Interval(None, None, level, method, len(replicates), reason=reason)
    return from_replicates(replicates, observed, None, None, method, level)
