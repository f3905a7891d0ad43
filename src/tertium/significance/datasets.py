"""`tertium.across_datasets`: systems over several data sets, from the output of `tertium score`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tertium._version import __version__
from tertium.exceptions import InputError, UsageError, suggestion
from tertium.families.base import named_part
from tertium.formats.sources import load_json
from tertium.results.parts import Part, Way
from tertium.signature import Signature
from tertium.significance.across import Datasets, Effects, across, effects
from tertium.significance.corrections import check_alpha
from tertium.significance.score.result import Scores

# What a data set may have of its own without making numbers others: the digest of its lexicon.
OWN = ("lexicon",)
SHOWN = 3  # differences that an error names
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
    effects: Effects = ()
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
    read: Sequence[ScoreOutput], systems: Sequence[str], metric: str, alpha: float
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
    tests = {
        (a, b, each.name): p for each in read for (a, b, m), p in each.tests.items() if m == metric
    }
    tested = len({name for *_, name in tests})
    pairs = effects(systems, names, lambda *place: tests.get(place), alpha=alpha) if tested else ()
    return MetricAcross(metric, part, values, found, pairs, tested, reason)


def _notes(read: Sequence[ScoreOutput], found: Sequence[MetricAcross]) -> list[str]:
    of_digest: dict[str, list[str]] = {}
    for output in read:
        if output.digest is not None:
            of_digest.setdefault(output.digest, []).append(output.name)
    notes = [
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


@dataclass(frozen=True, eq=False)
class ScoreOutput:
    """One data set: values and signatures by system and metric, p-values by pair and metric."""

    name: str
    units: int | None
    digest: str | None
    values: dict[tuple[str, str], float | None]
    signatures: dict[tuple[str, str], str]
    tests: dict[tuple[str, str, str], float | None]

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return list(dict.fromkeys(system for system, _ in self.values))

    @property
    def metrics(self) -> list[str]:
        """Texts of metrics in order."""
        return list(dict.fromkeys(metric for _, metric in self.values))


def read_output(name: str, given: str | Path | Scores | Mapping[str, Any]) -> ScoreOutput:
    """What is needed of the scores of one data set; anything else is refused."""
    if isinstance(given, Scores):
        given = given.to_dict()
    data: Any = given
    origin = name
    if not isinstance(given, Mapping):
        data, origin = load_json(str(given)), str(given)
    entries = _list(data, "scores")
    if not entries or not all(_has(each, "value", "system", "metric") for each in entries):
        raise InputError(
            f"{origin} is not the JSON output of 'tertium score'",
            help="make one with 'tertium score ... --format json --output FILE'",
        )
    values = {(e["system"], e["metric"]): e.get("value") for e in entries}
    if len(values) < len(entries):
        raise InputError(f"{origin} has two scores of one system by one metric")
    signatures = {(e["system"], e["metric"]): str(e.get("signature") or "") for e in entries}
    for each in _list(data, "runs"):
        # A system with several runs counts once, with the mean of its runs.
        runs = _list(each, "runs")
        if _has(each, "mean", "system", "metric") and all(isinstance(run, str) for run in runs):
            place = each["system"], each["metric"]
            for run in runs:
                values.pop((run, each["metric"]), None)
                signatures[place] = signatures.pop((run, each["metric"]), "")
            values[place] = each.get("mean")
    units, digest = data.get("units"), data.get("gold_digest")
    return ScoreOutput(
        name,
        units if isinstance(units, int) else None,
        digest if isinstance(digest, str) else None,
        values,
        signatures,
        _tests(data, origin),
    )


def _list(data: Any, key: str) -> list[Any]:
    found = data.get(key) if isinstance(data, Mapping) else None
    return found if isinstance(found, list) else []


def _has(entry: Any, number: str, *names: str) -> bool:
    """Has an entry a number, or none where it is undefined, for these names?"""
    if not isinstance(entry, Mapping) or isinstance(entry.get(number), bool):
        return False
    value = entry.get(number)
    is_number = value is None or (isinstance(value, int | float) and math.isfinite(value))
    return is_number and all(isinstance(entry.get(name), str) for name in names)


def _tests(data: Mapping[str, Any], origin: str) -> dict[tuple[str, str, str], float | None]:
    """p-values of headline values of whole data sets, before any correction: data sets are counted
    with a correction of their own."""
    found = {}
    for test in _list(data.get("significance"), "tests"):
        if not _has(test, "p", "a", "b", "metric") or "group" in test or test.get("part"):
            continue
        a, b, metric, p = (test.get(key) for key in ("a", "b", "metric", "p"))
        if p is not None and not 0 <= p <= 1:
            raise InputError(f"{origin} has a p-value of {p} for {a} and {b} by {metric}")
        found[a, b, metric] = found[b, a, metric] = p
    return found


def common_systems(read: Sequence[ScoreOutput]) -> list[str]:
    """The systems, which all data sets must have."""
    help = "name systems alike in every run: 'tertium score gold.conllu A=a.conllu'"
    found = _common({each.name: each.systems for each in read}, "systems", help)
    if len(found) < 2:
        raise UsageError(f"two systems are needed to compare. {read[0].name} has {len(found)}.")
    return found


def common_metrics(read: Sequence[ScoreOutput], wanted: Sequence[str]) -> list[str]:
    """Those named, else those of all data sets, which must have the same."""
    for each in read:
        for metric in wanted:
            if metric not in each.metrics:
                raise no_metric(metric, each.metrics, f" in {each.name}")
    if wanted:
        return list(dict.fromkeys(wanted))
    metrics = {each.name: each.metrics for each in read}
    return _common(metrics, "metrics", "'--metric' names one that all have")


def _common(names: Mapping[str, Sequence[str]], what: str, help: str) -> list[str]:
    """The names that all data sets have, if all have the same."""
    (first, known), *others = names.items()
    for other, there in others:
        apart = [
            f"'{name}' only in {first if name in known else other}"
            for name in sorted(set(known) ^ set(there))
        ]
        if apart:
            more = f"; and {len(apart) - SHOWN} more" if len(apart) > SHOWN else ""
            raise UsageError(
                f"all data sets need the same {what}: {'; '.join(apart[:SHOWN])}{more}", help=help
            )
    return list(known)


def no_metric(metric: str, known: Sequence[str], where: str = "") -> UsageError:
    """That a metric is not there, and what is."""
    return UsageError(
        f"there is no metric '{metric}'{where}.{suggestion(metric, known)}",
        help=f"there is: {', '.join(known)}",
    )


def check_settings(read: Sequence[ScoreOutput], systems: Sequence[str], metric: str) -> None:
    """Numbers compare only under the same settings."""
    first = read[0].signatures.get((systems[0], metric))
    for each, system in product(read, systems):
        other = each.signatures.get((system, metric))
        if not first or not other:
            continue
        apart = Signature.parse(first).differences(Signature.parse(other))
        different = [text for text in apart if text.partition(":")[0] not in OWN]
        if different:
            raise UsageError(
                f"{metric} was made under other settings in {each.name} than in "
                f"{read[0].name} ({read[0].name} / {each.name}): {'; '.join(different)}",
                help="score all data sets with the same options",
            )
