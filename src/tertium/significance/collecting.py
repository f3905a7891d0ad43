"""`tertium.across_datasets`: systems over several data sets, from the output of `tertium score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from tertium._version import __version__
from tertium.exceptions import UsageError
from tertium.families.base import named_part
from tertium.results.parts import Part, Way
from tertium.significance.corrections import check_alpha
from tertium.significance.datasets import Datasets, across
from tertium.significance.outputs import (
    Output,
    check_settings,
    common_metrics,
    common_systems,
    no_metric,
    read_output,
)
from tertium.significance.replicability import Replicability, partial_conjunction
from tertium.significance.score.result import Scores

NO_RANKS = "neither higher nor lower values are better, so systems cannot be ranked"


@dataclass(frozen=True, eq=False)
class MetricAcross:
    """Systems under one metric over data sets.

    - `values`: by system, in the order of the data sets; None where undefined
    - `found`: ranks and tests over data sets; None where there is nothing to rank, with a `reason`
    - `effects`: by pair of systems, on how many data sets they differ; none where no output has
      tests
    - `part`: what the metric says about its value
    - `tested`: how many data sets have tests of this metric
    """

    metric: str
    part: Part
    values: Mapping[str, tuple[float | None, ...]]
    found: Datasets | None
    effects: tuple[tuple[str, str, Replicability], ...] = ()
    tested: int = 0
    reason: str = ""

    @property
    def better(self) -> Way:
        """Which values win."""
        return self.part.better

    def to_dict(self) -> dict[str, Any]:
        """The entry in `metrics` of the JSON output."""
        return {
            "metric": self.metric,
            "better": self.better,
            "values": {system: list(row) for system, row in self.values.items()},
            "across": self.found and self.found.to_dict(),
            **({"reason": self.reason} if self.reason else {}),
            "tested": self.tested,
            **(
                {"effects": [{"a": a, "b": b, **each.to_dict()} for a, b, each in self.effects]}
                if self.effects
                else {}
            ),
        }


@dataclass(frozen=True, eq=False)
class AcrossDatasets:
    """Systems over several data sets, metric by metric."""

    names: tuple[str, ...]
    systems: tuple[str, ...]
    units: tuple[int | None, ...]
    metrics: tuple[MetricAcross, ...]
    alpha: float
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    def __getitem__(self, metric: str) -> MetricAcross:
        for each in self.metrics:
            if each.metric == metric:
                return each
        raise no_metric(metric, [each.metric for each in self.metrics])

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium datasets` (docs/verbs/datasets.md)."""
        return {
            "tertium": self.version,
            "datasets": [
                {"name": name, "units": units}
                for name, units in zip(self.names, self.units, strict=True)
            ],
            "systems": list(self.systems),
            "alpha": self.alpha,
            "metrics": [each.to_dict() for each in self.metrics],
            **({"notes": list(self.notes)} if self.notes else {}),
        }


def across_datasets(
    outputs: Mapping[str, str | Path | Scores | Mapping[str, Any]],
    *,
    metric: str | Sequence[str] | None = None,
    alpha: float = 0.05,
) -> AcrossDatasets:
    """Compare systems over data sets (Demsar 2006): mean ranks, Friedman's test, the critical
    difference, and Wilcoxon's test for pairs with Holm's correction.

    `outputs` holds for the name of each data set its scores, or the JSON that `tertium score` wrote
    of them (a path, or what is in it). All must have the same systems, the same metrics (or those
    named) and the same settings. Where they hold tests, the number of data sets on which two
    systems differ is told as well (Dror et al. 2017); it needs no more than these.

    >>> from tertium.significance.score.verb import score
    >>> gold, a, b = [["N", "V"]], [["N", "N"]], [["N", "V"]]
    >>> sets = {n: score(gold, a, b, names=["a", "b"]) for n in ("x", "y", "z")}
    >>> dict(across_datasets(sets).metrics[0].found.mean_ranks)
    {'b': 1.0, 'a': 2.0}
    """
    check_alpha(alpha)
    if len(outputs) < 2:
        raise UsageError(
            f"give two data sets or more. Got {len(outputs)} instead.",
            help="one output of 'tertium score --format json' for each, such as news=news.json",
        )
    read = [read_output(name, each) for name, each in outputs.items()]
    systems = common_systems(read)
    wanted = [metric] if isinstance(metric, str) else list(metric or ())
    metrics = common_metrics(read, wanted)
    for each in metrics:
        check_settings(read, systems, each)
    found = tuple(_of_metric(read, systems, each, alpha) for each in metrics)
    return AcrossDatasets(
        names=tuple(each.name for each in read),
        systems=tuple(systems),
        units=tuple(each.units for each in read),
        metrics=found,
        alpha=alpha,
        notes=tuple(_notes(read, found)),
    )


def _of_metric(
    read: Sequence[Output], systems: Sequence[str], metric: str, alpha: float
) -> MetricAcross:
    names = [each.name for each in read]
    values = {s: tuple(each.values.get((s, metric)) for each in read) for s in systems}
    part = named_part(metric)
    complete = [
        all(row[place] is not None for row in values.values()) for place in range(len(read))
    ]
    reason = "" if any(complete) else "there is no data set on which all systems have a value"
    if part.better == "none":
        reason = reason or NO_RANKS
    found = None if reason else across(values, names, better=part.better, alpha=alpha)
    tested = [any(key[2] == metric for key in each.tests) for each in read]
    effects: list[tuple[str, str, Replicability]] = []
    if any(tested):
        for a, b in combinations(systems, 2):
            p_values = [each.tests.get((a, b, metric)) for each in read]
            effects.append((a, b, partial_conjunction(p_values, names, alpha=alpha)))
    return MetricAcross(metric, part, values, found, tuple(effects), sum(tested), reason)


def _notes(read: Sequence[Output], found: Sequence[MetricAcross]) -> list[str]:
    notes = []
    of_digest: dict[str, list[str]] = {}
    for output in read:
        if output.digest is not None:
            of_digest.setdefault(output.digest, []).append(output.name)
    notes += [
        f"{' and '.join(names)} have the same gold standard: they are not data sets of their own"
        for names in of_digest.values()
        if len(names) > 1
    ]
    for each in found:
        if each.tested == 0:
            notes.append(
                f"{each.metric}: no output has tests, so that data sets with an effect are not "
                "counted; 'tertium score --significance' makes them"
            )
        elif each.tested < len(read):
            without = [o.name for o in read if not any(key[2] == each.metric for key in o.tests)]
            notes.append(f"{each.metric}: no tests in {', '.join(without)}")
    return notes
