"""Several runs of one system: mean, standard deviation, and a bootstrap over runs and units.

All runs are judged on the same units, so that both are drawn at once: units for all systems
together, runs for each system by itself (docs/significance.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import numpy as np

from tertium.results.assessment import Interval, Test, Testing
from tertium.results.scores import Result, flatten, nested
from tertium.results.stats import Floats, UnitKind
from tertium.significance.intervals import check_interval, from_replicates, no_interval
from tertium.significance.resample import (
    DRAWING,
    RUNS,
    Number,
    UnitCounts,
    drawn_values,
    generator,
    unit_counts,
)
from tertium.significance.score.result import Scores
from tertium.significance.tests import FEW_UNITS, HIERARCHICAL, extreme, few

FEW_RUNS = 10
UNDEFINED = "the value of a run is undefined"


def with_means(scores: Scores) -> Scores:
    """Scores in which the runs of a system are one result: the mean of every number over the runs
    that have it. What only single runs have, such as labels and confusions, is left out."""
    if not scores.runs:
        return scores
    together: dict[tuple[str, str], list[Result]] = {}
    for result in scores:
        together.setdefault((scores.owner(result.system), result.metric), []).append(result)
    return replace(
        scores,
        results=tuple(
            mean_result(name, results) if name in scores.runs else results[0]
            for (name, _), results in together.items()
        ),
    )


def mean_result(system: str, runs: Sequence[Result]) -> Result:
    """The mean of every number over those runs in which it is defined."""
    parts = {
        name: _mean([flatten(run.parts).get(name) for run in runs])
        for name in dict.fromkeys(name for run in runs for name in flatten(run.parts))
    }
    value = _mean([run.value for run in runs])
    reasons = {k: why for run in reversed(runs) for k, why in run.reasons.items()}
    undefined = {name for name, mean in {**parts, "value": value}.items() if mean is None}
    counts = {
        name: fmean(run.counts.get(name, 0) for run in runs)
        for name in dict.fromkeys(name for run in runs for name in run.counts)
    }
    names = dict.fromkeys(name for run in runs for name in run.groups)
    return replace(
        runs[0],
        system=system,
        value=value,
        parts=nested(parts),
        counts=counts,
        labels={},
        confusion={},
        error_types={},
        reasons={name: why for name, why in reasons.items() if name in undefined},
        groups={
            name: mean_result(system, [run.groups[name] for run in runs if name in run.groups])
            for name in names
        },
        stats=None,
        formula=None,
    )


def _mean(values: Sequence[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return fmean(there) if there else None


def run_interval(runs: Sequence[Result], number: Number, testing: Testing) -> Interval:
    """An interval of the mean over runs; percentile or basic, since there is no jackknife of two
    things that are drawn at once: `bca` is taken for `percentile`, and the result says so."""
    check_interval(testing)
    pool, (observed,), replicates = _replicates([runs], number, testing)
    return _interval(replicates[:, 0], observed, testing, pool.unit)


def run_test(
    a: Sequence[Result], b: Sequence[Result], number: Number, testing: Testing
) -> tuple[Test, Interval]:
    """Test the difference of the means over runs of two systems, centred, and its interval."""
    check_interval(testing)
    pool, (first, second), replicates = _replicates([a, b], number, testing)
    observed, found = second - first, replicates[:, 1] - replicates[:, 0]
    interval = _interval(found, observed, testing, pool.unit)
    test = Test(None, None, HIERARCHICAL, pool.units, direction=testing.direction, unit=pool.unit)
    if np.isnan(observed):
        return replace(test, reason=UNDEFINED), interval
    defined = found[~np.isnan(found)]
    beyond = extreme(defined - observed, observed, testing.direction)
    warnings = [few(pool.unit)] if pool.units < FEW_UNITS else []
    if min(len(a), len(b)) < FEW_RUNS:
        warnings.append(
            f"fewer than {FEW_RUNS} runs of a system: the variation between runs is poorly known, "
            "and p may be too low"
        )
    test = replace(
        test,
        delta=observed,
        p=float((beyond.sum() + 1) / (len(defined) + 1)),
        trials=len(found),
        undefined=len(found) - len(defined),
        warning="; ".join(warnings),
    )
    return test, interval


def _replicates(
    systems: Sequence[Sequence[Result]], number: Number, testing: Testing
) -> tuple[UnitCounts, list[float], Floats]:
    """The counts of all runs of one or two systems, the means over runs, and replicates of these
    (trials x systems)."""
    pool = unit_counts([run for runs in systems for run in runs], number)
    ends = np.cumsum([0, *map(len, systems)])
    places = [slice(start, stop) for start, stop in pairwise(ends.tolist())]
    means = pool.observed
    observed = [float(means[place].mean()) for place in places]
    random = generator(testing.seed, DRAWING)
    values = drawn_values(pool.rows, testing.trials, random, pool.values)
    random = generator(testing.seed, RUNS)
    replicates = np.empty((testing.trials, len(systems)))
    for system, place in enumerate(places):
        size = place.stop - place.start
        # Means of r - 1 runs drawn from r vary as means of r runs do; of r they vary less.
        draws = max(size - 1, 1)
        chosen = random.multinomial(draws, np.full(size, 1 / size), size=testing.trials)
        replicates[:, system] = (values[:, place] * chosen).sum(axis=1) / draws
    return pool, observed, replicates


def _interval(replicates: Floats, observed: float, testing: Testing, unit: UnitKind) -> Interval:
    if testing.interval == "bca":
        testing = replace(testing, interval="percentile")
    if np.isnan(observed):
        return no_interval(testing, unit, UNDEFINED)
    return from_replicates(replicates, observed, testing, unit)
