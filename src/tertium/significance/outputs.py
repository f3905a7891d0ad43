"""The JSON output of `tertium score`, read back: one data set each, and what all must share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from tertium.exceptions import InputError, UsageError, suggestion
from tertium.formats.sources import load_json
from tertium.signature import Signature
from tertium.significance.score.result import Scores

# What a data set may have of its own without making numbers others: the digest of its lexicon.
OWN = ("lexicon",)
SHOWN = 3  # differences that an error names


@dataclass(frozen=True, eq=False)
class ScoreOutput:
    """One data set: values and signatures by system and metric, p-values by pair and metric; by
    metric what its units are and how many, and what its tests resample."""

    name: str
    units: int | None
    digest: str | None
    values: dict[tuple[str, str], float | None]
    signatures: dict[tuple[str, str], str]
    tests: dict[tuple[str, str, str], float | None]
    sizes: Mapping[str, tuple[str, int | None]]
    tested: Mapping[str, str]

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
    entries = score_entries(data, origin)
    if not entries:
        raise no_output(origin)
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
    sentences = units if isinstance(units, int) else None
    return ScoreOutput(
        name,
        sentences,
        digest if isinstance(digest, str) else None,
        values,
        signatures,
        _tests(data, origin),
        {e["metric"]: (e["unit"], e.get("units")) for e in entries if "unit" in e},
        {
            test["metric"]: str(test.get("unit", "sentence"))
            for test in _list(data.get("significance"), "tests")
            if _has(test, "p", "metric")
        },
    )


def score_entries(data: Any, origin: str) -> list[Mapping[str, Any]]:
    """The entries of an output, each with a value by system and metric, and with values of groups
    if it has any; anything else is refused."""
    entries = data.get("scores") if isinstance(data, Mapping) else None
    if not isinstance(entries, list):
        raise no_output(origin)
    for each in entries:
        groups = each.get("groups", {}) if isinstance(each, Mapping) else None
        if (
            not _has(each, "value", "system", "metric")
            or not isinstance(groups, Mapping)
            or not all(_has(group, "value") for group in groups.values())
        ):
            raise no_output(origin)
    return entries


def no_output(origin: str) -> InputError:
    """That a file is something else."""
    return InputError(
        f"{origin} is not the JSON output of 'tertium score'",
        help="make one with 'tertium score ... --format json --output FILE'",
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


def common_systems(read: Sequence[ScoreOutput]) -> tuple[list[str], list[str]]:
    """The systems that all data sets have, two or more, and those that only some have."""
    names = {each.name: each.systems for each in read}
    every = list(dict.fromkeys(system for there in names.values() for system in there))
    found = [system for system in every if all(system in there for there in names.values())]
    if len(found) < 2:
        help = "use the same system names in every run: 'tertium score gold.conllu A=a.conllu'"
        _common(names, "systems", help)
        raise UsageError(f"two systems are needed to compare. {read[0].name} has {len(found)}.")
    return found, [system for system in every if system not in found]


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
                f"{metric} was computed with different settings in {each.name} than in "
                f"{read[0].name} ({read[0].name} / {each.name}): {'; '.join(different)}",
                help="score all data sets with the same options",
            )


def output_notes(
    read: Sequence[ScoreOutput], partial: Sequence[str], metrics: Sequence[str]
) -> Iterator[str]:
    """What a reader must know about outputs: systems that some lack, the same gold standard twice,
    and tests that are missing or of different kinds."""
    if partial:
        have = "has" if len(partial) == 1 else "have"
        lacks = f"so {have} no average and no rank"
        yield f"{', '.join(partial)}: not scored on every data set, {lacks}"
    of_digest: dict[str, list[str]] = {}
    for output in read:
        if output.digest is not None:
            of_digest.setdefault(output.digest, []).append(output.name)
    for names in of_digest.values():
        if len(names) > 1:
            yield f"{' and '.join(names)} have the same gold standard, so they are one data set"
    for metric in metrics:
        without = [each.name for each in read if not any(key[2] == metric for key in each.tests)]
        if len(without) == len(read):
            yield (
                f"{metric}: no output has tests, so data sets with an effect are not counted; "
                "'tertium score --significance' makes them"
            )
        elif without:
            yield f"{metric}: no tests in {', '.join(without)}"
        by_unit: dict[str, list[str]] = {}
        for output in read:
            if unit := output.tested.get(metric):
                by_unit.setdefault(unit, []).append(output.name)
        if len(by_unit) > 1:
            ways = "; ".join(f"{unit}s in {', '.join(by_unit[unit])}" for unit in sorted(by_unit))
            yield f"{metric}: the tests resample different units: {ways}"
