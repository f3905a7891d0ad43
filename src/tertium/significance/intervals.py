"""Bootstrap confidence intervals: percentile, basic and BCa (Efron and Tibshirani 1993)."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from tertium.exceptions import UsageError
from tertium.results.assessment import TIE, Interval
from tertium.results.stats import Floats
from tertium.significance.resample import Rows, Statistic, UnitCounts, drawn_values, generator

METHODS = ("bca", "percentile", "basic")
ONE_UNIT = "one unit alone has counts, and one cannot vary"
DRAWING, SWAPPING, RUNS = 1, 2, 3  # purposes of random numbers


def statistic_of(sample: UnitCounts) -> Statistic:
    """The number of the only system, or the difference of the second from the first."""
    sides = sample.sides
    if len(sides) == 1:
        return sides[0].value
    return lambda sums: sides[1].value(sums) - sides[0].value(sums)


def interval(
    sample: UnitCounts,
    *,
    method: str = "bca",
    level: float = 0.95,
    trials: int = 10_000,
    seed: int = 0,
) -> Interval:
    """A confidence interval of a system's number, or of the difference of two systems.

    Resamples that have no value are left out and counted. Where all resamples have the same value,
    so has the interval; of one unit there is none.
    """
    check_interval(method, level, trials)
    return replace(_interval(sample, method, level, trials, seed), unit=sample.unit)


def _interval(sample: UnitCounts, method: str, level: float, trials: int, seed: int) -> Interval:
    statistic = statistic_of(sample)
    observed = float(statistic(sample.rows.total()))
    if np.isnan(observed):
        return Interval(None, None, level, method, trials, reason="the value is undefined")
    if sample.rows.occupied < 2:
        return Interval(None, None, level, method, trials, reason=ONE_UNIT)
    replicates = drawn_values(sample.rows, trials, generator(seed, DRAWING), statistic)
    return from_replicates(replicates, observed, sample.rows, statistic, method, level)


def from_replicates(
    replicates: Floats,
    observed: float,
    rows: Rows | None,
    statistic: Statistic | None,
    method: str,
    level: float,
) -> Interval:
    """An interval from values of resamples; BCa also needs what they were drawn from."""
    there = replicates[~np.isnan(replicates)]
    undefined = len(replicates) - len(there)
    if not len(there):
        reason = "no resample has a value"
        return Interval(None, None, level, method, len(replicates), undefined, reason)
    tail = (1 - level) / 2
    ends = (tail, 1 - tail)
    if method == "bca" and rows is not None and statistic is not None:
        shifted = _bca(there, observed, rows, statistic, ends)
        low, high = np.quantile(there, shifted)
    else:
        low, high = np.quantile(there, ends)
        if method == "basic":
            low, high = 2 * observed - high, 2 * observed - low
    return Interval(float(low), float(high), level, method, len(replicates), undefined)


def _bca(
    replicates: Floats,
    observed: float,
    rows: Rows,
    statistic: Statistic,
    ends: tuple[float, float],
) -> tuple[float, float]:
    """The quantiles to take instead of the ends, corrected for bias and acceleration.

    Ties with the observed value count half for the bias. Where it cannot be corrected, because all
    resamples lie on one side, the ends stay as they are, as those of a percentile interval.
    """
    normal = NormalDist()
    below = (replicates < observed - TIE).mean()
    tied = (np.abs(replicates - observed) <= TIE).mean()
    share = float(below + tied / 2)
    if not 0 < share < 1:
        return ends
    bias = normal.inv_cdf(share)
    acceleration = _acceleration(rows, statistic)
    shifted = []
    for end in ends:
        z = bias + normal.inv_cdf(end)
        shifted.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return shifted[0], shifted[1]


def _acceleration(rows: Rows, statistic: Statistic) -> float:
    """From the jackknife: a row of m units enters as m equal values (docs/significance.md)."""
    total, count = rows.total(), rows.count.astype(np.float64)
    left_out = np.empty(len(count))
    step = max(1, 4_000_000 // max(rows.width, 1))
    for start in range(0, len(count), step):
        part = np.arange(start, min(start + step, len(count)))
        left_out[part] = statistic(total - rows.some(part))
    defined = ~np.isnan(left_out)
    if not defined.any():
        return 0.0
    count, left_out = count[defined], left_out[defined]
    apart = (count @ left_out) / count.sum() - left_out
    spread = float(count @ apart**2)
    return float(count @ apart**3) / (6 * spread**1.5) if spread > TIE**2 else 0.0


def check_interval(method: str, level: float, trials: int) -> None:
    """Refuse what there is not."""
    if method not in METHODS:
        raise UsageError(f"interval must be one of {', '.join(METHODS)}. Got '{method}' instead.")
    if not 0 < level < 1:
        raise UsageError(
            f"the level of an interval must be between 0 and 1, such as 0.95. Got {level} instead."
        )
    check_trials(trials)


def check_trials(trials: int) -> None:
    """Refuse too few."""
    if trials < 1:
        raise UsageError(f"trials must be 1 or more. Got {trials} instead.")
