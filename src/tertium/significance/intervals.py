"""Bootstrap confidence intervals: percentile, basic and BCa (Efron and Tibshirani 1993)."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from tertium.exceptions import UsageError
from tertium.results.assessment import TIE, Interval, Testing
from tertium.results.stats import Floats, UnitKind
from tertium.significance.resample import DRAWING, PORTION, UnitCounts, drawn_values, generator

METHODS = {"bca": "BCa", "percentile": "percentile", "basic": "basic"}
SAME_VALUE = "all resamples have the same value, so the variation is unknown"
LEAST_LEVEL = 1e-6
ONE_UNIT = "only one {} has counts, so there is no variation"  # a sentence or a document
NO_UNIT = "no {} has counts"


def interval(counts: UnitCounts, testing: Testing) -> Interval:
    """A confidence interval of a system's number, or of the difference of two systems.

    Resamples that have no value are left out and counted. Of one unit there is no interval, nor
    where all resamples have the same value.
    """
    check_interval(testing)
    observed = float(counts.statistic(counts.rows.total()))
    if np.isnan(observed):
        return no_interval(testing, counts.unit, "the value is undefined")
    if counts.rows.occupied < 2:
        reason = ONE_UNIT if counts.rows.occupied else NO_UNIT
        return no_interval(testing, counts.unit, reason.format(counts.unit))
    random = generator(testing.seed, DRAWING)
    replicates = drawn_values(counts.rows, testing.trials, random, counts.statistic)
    return from_replicates(replicates, observed, testing, counts.unit, counts)


def no_interval(testing: Testing, unit: UnitKind, reason: str, undefined: int = 0) -> Interval:
    """That there is none, and why."""
    return Interval(
        None, None, testing.level, testing.interval, testing.trials, unit, undefined, reason
    )


def from_replicates(
    replicates: Floats,
    observed: float,
    testing: Testing,
    unit: UnitKind,
    counts: UnitCounts | None = None,
) -> Interval:
    """An interval from values of resamples; BCa also needs the counts they were drawn from."""
    there = replicates[~np.isnan(replicates)]
    undefined = len(replicates) - len(there)
    if not len(there):
        return no_interval(testing, unit, "no resample has a value", undefined)
    if np.ptp(there) <= TIE:
        return no_interval(testing, unit, SAME_VALUE, undefined)
    tail = (1 - testing.level) / 2
    ends = (tail, 1 - tail)
    if testing.interval == "bca" and counts is not None:
        ends = _bca(there, observed, counts, ends)
    low, high = np.quantile(there, ends)
    if testing.interval == "basic":
        low, high = 2 * observed - high, 2 * observed - low
    return Interval(
        float(low),
        float(high),
        testing.level,
        testing.interval,
        len(replicates),
        unit,
        undefined,
    )


def _bca(
    replicates: Floats, observed: float, counts: UnitCounts, ends: tuple[float, float]
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
    acceleration = _acceleration(counts)
    shifted = []
    for end in ends:
        z = bias + normal.inv_cdf(end)
        shifted.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return shifted[0], shifted[1]


def _acceleration(counts: UnitCounts) -> float:
    """From the jackknife: a row of m units enters as m equal values (docs/significance.md)."""
    count, apart = _jackknife(counts)
    spread = float(count @ apart**2)
    return float(count @ apart**3) / (6 * spread**1.5) if spread > TIE**2 else 0.0


def variance(counts: UnitCounts) -> float:
    """The variance of a number or a difference, from the jackknife; nan where it has none."""
    count, apart = _jackknife(counts)
    size = float(count.sum())
    return (size - 1) / size * float(count @ apart**2) if size > 1 else float("nan")


def _jackknife(counts: UnitCounts) -> tuple[Floats, Floats]:
    """How many units have each row, and how far the number without one of them lies below the mean
    of these; rows without which there is no number are left out."""
    rows = counts.rows
    total, count = rows.total(), rows.count.astype(np.float64)
    left_out = np.empty(len(count))
    step = max(1, PORTION // max(rows.width, 1))
    for start in range(0, len(count), step):
        part = np.arange(start, min(start + step, len(count)))
        left_out[part] = counts.statistic(total - rows.some(part))
    defined = ~np.isnan(left_out)
    count, left_out = count[defined], left_out[defined]
    mean = (count @ left_out) / count.sum() if len(count) else 0.0
    return count, mean - left_out


def check_interval(testing: Testing) -> None:
    """Refuse what there is not."""
    method, level = testing.interval, testing.level
    if method not in METHODS:
        raise UsageError(f"interval must be one of {', '.join(METHODS)}. Got '{method}' instead.")
    if not 0 < level < 1:
        raise UsageError(
            f"the level of an interval must be between 0 and 1, such as 0.95. Got {level} instead."
        )
    if not LEAST_LEVEL <= level <= 1 - LEAST_LEVEL:
        raise UsageError(
            f"the level of an interval must be from {LEAST_LEVEL:g} to {1 - LEAST_LEVEL}. "
            f"Got {level} instead."
        )
    check_trials(testing.trials)


def check_trials(trials: int) -> None:
    """Refuse too few."""
    if trials < 1:
        raise UsageError(f"trials must be 1 or more. Got {trials} instead.")
