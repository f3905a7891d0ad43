"""One result in place of several runs: what tables show of a system that ran more than once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from tertium.results.scores import Result, flatten, nested
from tertium.significance.score.result import Scores


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
