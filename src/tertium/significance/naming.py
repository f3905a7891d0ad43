"""Other names for the systems of an assessment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tertium.results.assessment import Assessment
from tertium.significance.assessing import Across
from tertium.significance.datasets import Datasets


def with_names(assessment: Assessment, names: Mapping[str, str]) -> Assessment:
    """The same with other names of systems; what has no other name keeps its own."""

    def name(system: str) -> str:
        return names.get(system, system)

    return replace(
        assessment,
        systems=tuple(map(name, assessment.systems)),
        intervals={(name(s), m, g): found for (s, m, g), found in assessment.intervals.items()},
        comparisons=tuple(
            replace(each, a=name(each.a), b=name(each.b)) for each in assessment.comparisons
        ),
        letters={(name(s), metric): found for (s, metric), found in assessment.letters.items()},
        runs=tuple(
            replace(each, system=name(each.system), runs=tuple(map(name, each.runs)))
            for each in assessment.runs
        ),
        across={metric: _across(each, names) for metric, each in assessment.across.items()},
    )


def _across(across: Across, names: Mapping[str, str]) -> Across:
    def name(system: str) -> str:
        return names.get(system, system)

    return Across(
        _datasets(across.datasets, names),
        tuple((name(a), name(b), found) for a, b, found in across.replicability),
    )


def _datasets(found: Datasets, names: Mapping[str, str]) -> Datasets:
    def name(system: str) -> str:
        return names.get(system, system)

    return replace(
        found,
        mean_ranks={name(system): rank for system, rank in found.mean_ranks.items()},
        groups=tuple(tuple(map(name, group)) for group in found.groups),
        pairs=tuple(replace(pair, a=name(pair.a), b=name(pair.b)) for pair in found.pairs),
    )
