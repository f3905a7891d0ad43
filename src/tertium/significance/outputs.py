"""Outputs of `tertium score`, one for each of several data sets, that must fit together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.exceptions import InputError, UsageError, suggestion
from tertium.formats.results import load_json
from tertium.signature import Signature
from tertium.significance.score.result import Scores

# What a data set may have of its own without making numbers others: the digest of its lexicon.
OWN = ("lexicon",)
SHOWN = 3  # differences that an error names


@dataclass(frozen=True, eq=False)
class Output:
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


def read_output(name: str, given: str | Path | Scores | Mapping[str, Any]) -> Output:
    """What is needed of the scores of one data set."""
    if isinstance(given, Scores):
        return _output(name, given.to_dict(), name)
    if isinstance(given, Mapping):
        return _output(name, given, name)
    return _output(name, load_json(str(given)), str(given))


def _output(name: str, data: Any, origin: str) -> Output:
    """What is needed of an output; anything else is refused."""
    entries = data.get("scores") if isinstance(data, Mapping) else None
    if not isinstance(entries, list) or not entries or not all(map(_is_entry, entries)):
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
        if not _is_run(each):
            continue
        for run in each["runs"]:
            values.pop((run, each["metric"]), None)
            signature = signatures.pop((run, each["metric"]), "")
            signatures[each["system"], each["metric"]] = signature
        values[each["system"], each["metric"]] = each.get("mean")
    units, digest = data.get("units"), data.get("gold_digest")
    return Output(
        name,
        units if isinstance(units, int) else None,
        digest if isinstance(digest, str) else None,
        values,
        signatures,
        _tests(data, origin),
    )


def _list(data: Mapping[str, Any], key: str) -> list[Any]:
    found = data.get(key, [])
    return found if isinstance(found, list) else []


def _is_entry(entry: Any) -> bool:
    return (
        isinstance(entry, Mapping)
        and all(isinstance(entry.get(key), str) for key in ("system", "metric"))
        and _is_number(entry.get("value"))
    )


def _is_run(entry: Any) -> bool:
    return (
        isinstance(entry, Mapping)
        and all(isinstance(entry.get(key), str) for key in ("system", "metric"))
        and isinstance(entry.get("runs"), list)
        and all(isinstance(run, str) for run in entry["runs"])
        and _is_number(entry.get("mean"))
    )


def _is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return value is None or (isinstance(value, int | float) and math.isfinite(value))


def _tests(data: Mapping[str, Any], origin: str) -> dict[tuple[str, str, str], float | None]:
    """p-values of headline values of whole data sets, before any correction: data sets are counted
    with a correction of their own."""
    held = data.get("significance")
    found = {}
    for test in _list(held, "tests") if isinstance(held, Mapping) else []:
        if not isinstance(test, Mapping) or "group" in test or test.get("part"):
            continue
        names = [test.get(key) for key in ("a", "b", "metric")]
        if all(isinstance(name, str) for name in names) and _is_number(test.get("p")):
            a, b, metric = map(str, names)
            p = test.get("p")
            if p is not None and not 0 <= p <= 1:
                raise InputError(f"{origin} has a p-value of {p} for {a} and {b} by {metric}")
            found[a, b, metric] = found[b, a, metric] = p
    return found


def common_systems(read: Sequence[Output]) -> list[str]:
    """The systems, which all data sets must have."""
    help = "name systems alike in every run: 'tertium score gold.conllu A=a.conllu'"
    found = _common({each.name: each.systems for each in read}, "systems", help)
    if len(found) < 2:
        raise UsageError(f"two systems are needed to compare. {read[0].name} has {len(found)}.")
    return found


def common_metrics(read: Sequence[Output], wanted: Sequence[str]) -> list[str]:
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


def check_settings(read: Sequence[Output], systems: Sequence[str], metric: str) -> None:
    """Numbers compare only under the same settings."""
    first = _signature(read[0], systems[0], metric)
    for each in read:
        for system in systems:
            other = _signature(each, system, metric)
            if first is None or other is None:
                continue
            different = [
                text for text in first.differences(other) if text.partition(":")[0] not in OWN
            ]
            if different:
                raise UsageError(
                    f"{metric} was made under other settings in {each.name} than in "
                    f"{read[0].name} ({read[0].name} / {each.name}): {'; '.join(different)}",
                    help="score all data sets with the same options",
                )


def _signature(output: Output, system: str, metric: str) -> Signature | None:
    text = output.signatures.get((system, metric), "")
    return Signature.parse(text) if text else None
