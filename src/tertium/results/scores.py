"""Results: numbers with everything that decided them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tertium.results.parts import Count, Part, Way
from tertium.results.texts import number
from tertium.signature import Signature

if TYPE_CHECKING:
    from tertium.results.assessment import Assessment, RunSummary
    from tertium.results.parts import ErrorType
    from tertium.results.stats import Floats, Stats, Totals, UnitKind

Value = float | None


class Formula(Protocol):
    """What makes numbers of summed counts, for any leading axes; nan where undefined."""

    def score(self, totals: Totals) -> dict[str, Floats]:
        """The parts by name."""

    def label_scores(self, totals: Totals) -> dict[str, Floats]:
        """The parts of every label, last axis as `totals.labels`."""


@dataclass(frozen=True, eq=False)
class Result:
    """One metric's judgement of one system.

    `value` is the headline number (a share is a fraction), None where undefined, and `headline` the
    name of that part; `reasons` says why for every part that is None. `coverage` counts what was
    and was not scored. `groups` holds the same for subsets (`--by`). `confusion` counts pairs of
    gold and system label, None where one side has no item; `error_types` counts errors by (type,
    gold label, system label). `stats` are the additive counts per unit behind it all, and `formula`
    makes every part from their sums, `unit` being what units are. `declared` is what the metric
    says about its parts, `declared_counts` about its counts, `types` what error types mean;
    `has_items` whether single items were judged, `share` what the share
    of gold items is called that are right. A member of a set has in `member` the set's text
    and its own name.
    """

    system: str
    metric: str
    value: Value
    parts: Mapping[str, Any]
    counts: Mapping[str, float]
    labels: Mapping[str, Mapping[str, Any]]
    coverage: Mapping[str, int]
    signature: Signature
    declared: tuple[Part, ...] = ()
    declared_counts: tuple[Count, ...] = ()
    types: tuple[ErrorType, ...] = ()
    shown: tuple[str, ...] = ()
    shown_counts: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Result] = field(default_factory=dict)
    confusion: Mapping[tuple[str | None, str | None], int] = field(default_factory=dict)
    error_types: Mapping[tuple[str, str | None, str | None], int] = field(default_factory=dict)
    stats: Stats | None = None
    formula: Formula | None = None
    headline: str = ""
    member: tuple[str, str] | None = None
    unit: UnitKind = "sentence"
    has_items: bool = True
    share: str = "accuracy"

    @property
    def better(self) -> Way:
        """The direction in which the value gets better: "higher", "lower" or "none"."""
        return self.part().better

    def part(self, name: str = "") -> Part:
        """What the metric says about a part, by default about the value."""
        name = self.headline if name in ("", "value") else name
        return next((part for part in self.declared if part.name == name), Part(name))

    def total(self, side: str) -> float | None:
        """How many items a side ("gold" or "system") has, where the metric counts them."""
        for each in self.declared_counts:
            if each.is_total and each.side == side and each.name in self.counts:
                return self.counts[each.name]
        return None

    @property
    def units(self) -> int:
        """How many units were counted."""
        return 0 if self.stats is None else self.stats.units

    def to_dict(self) -> dict[str, Any]:
        """The entry of this result in `scores` of the JSON output."""
        entry: dict[str, Any] = {
            "system": self.system,
            "metric": self.metric,
            "value": self.value,
            "parts": dict(self.parts),
            "counts": dict(self.counts),
            "labels": {name: dict(row) for name, row in self.labels.items()},
            "coverage": dict(self.coverage),
            "signature": str(self.signature),
        }
        if self.unit != "sentence":
            entry.update(unit=self.unit, units=self.units)
        if self.reasons:
            entry["reason"] = self.reasons.get("value") or next(iter(self.reasons.values()))
            entry["reasons"] = dict(self.reasons)
        if self.confusion:
            entry["confusion"] = [
                {"gold": gold, "system": system, "count": count}
                for (gold, system), count in sorted(self.confusion.items(), key=_by_names)
            ]
        if self.error_types:
            entry["errors"] = [
                {"type": kind, "gold": gold, "system": system, "count": count}
                for (kind, gold, system), count in sorted(self.error_types.items(), key=_by_names)
            ]
        if self.groups:
            entry["groups"] = {
                name: {
                    key: value
                    for key, value in group.to_dict().items()
                    if key in ("value", "parts", "counts", "coverage", "reason", "reasons")
                }
                for name, group in self.groups.items()
            }
        return entry

    def __repr__(self) -> str:
        shown = "undefined" if self.value is None else number(self.value, self.part().kind)
        return f"<{self.metric} of {self.system}: {shown}>"


@dataclass(frozen=True, eq=False)
class Scores:
    """All results of one gold standard: systems x metrics, in the order asked for.

    With one system and one metric, `scores.value` is the number; `scores["METRIC"]` is the
    result of a metric (of the only system), `scores["a", "METRIC"]` that of a named one.
    `tokens` is None for files of spans over token numbers; `gold_digest` is None for data that was
    not read from files. `runs` names the results that are runs of one system, by its name.
    `assessment` holds intervals and tests, if they were asked for.
    """

    gold: str
    units: int
    tokens: int | None
    results: tuple[Result, ...]
    by: str | None = None
    notes: tuple[str, ...] = ()
    version: str = ""
    gold_digest: str | None = None
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assessment: Assessment | None = None

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def value(self) -> Value:
        """The number, where there is exactly one."""
        if len(self.results) != 1:
            raise ValueError(
                f"there are {len(self.results)} results; choose one: scores['SYSTEM', 'METRIC']"
            )
        return self.results[0].value

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return list(dict.fromkeys(r.system for r in self.results))

    @property
    def metrics(self) -> list[str]:
        """Texts of metrics in order."""
        return list(dict.fromkeys(r.metric for r in self.results))

    def part(self, metric: str) -> Part:
        """What a metric says about its value."""
        return next((r.part() for r in self.results if r.metric == metric), Part("value"))

    @property
    def sizes(self) -> dict[UnitKind, int]:
        """How many units there are of each kind that a metric here counts."""
        found: dict[UnitKind, int] = {}
        for result in self.results:
            size = self.units if result.unit == "sentence" else result.units
            found[result.unit] = max(found.get(result.unit, 0), size)
        return found

    def owner(self, system: str) -> str:
        """The system that a result is a run of; its own name if it ran once."""
        return next((name for name, runs in self.runs.items() if system in runs), system)

    def find(self, system: str, metric: str) -> Result | None:
        """The result of a system by a metric, if there is one."""
        each = (r for r in self.results if (r.system, r.metric) == (system, metric))
        return next(each, None)

    def __getitem__(self, key: str | tuple[str, str]) -> Result:
        if isinstance(key, tuple):
            found = [r for r in self.results if (r.system, r.metric) == key]
        else:
            found = [r for r in self.results if r.metric == key]
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"{key}: {len(found)} systems have it; use scores['SYSTEM', {key!r}]")
        raise KeyError(f"{key}: there are {self.metrics} of {self.systems}")

    @property
    def run_summaries(self) -> list[RunSummary]:
        """Mean and standard deviation of every system with several runs, metric by metric."""
        from tertium.results.assessment import summary

        found = []
        for system, names in self.runs.items():
            for metric in self.metrics:
                runs = [r for r in self.results if r.system in names and r.metric == metric]
                found += [summary(system, runs)] if runs else []
        return found

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium score` (see docs/verbs/score.md and the schema)."""
        found = {
            "tertium": self.version,
            "gold": self.gold,
            "gold_digest": self.gold_digest,
            "units": self.units,
            "tokens": self.tokens,
            **({"by": self.by} if self.by else {}),
            "scores": [r.to_dict() for r in self.results],
            **({"runs": [each.to_dict() for each in self.run_summaries]} if self.runs else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }
        return found if self.assessment is None else with_assessment(found, self.assessment)

    def __repr__(self) -> str:
        shown = [repr(r).strip("<>") for r in self.results[:6]]
        left = len(self.results) - len(shown)
        return f"<Scores: {'; '.join(shown)}{f'; and {left} more' if left > 0 else ''}>"


def with_assessment(data: dict[str, Any], assessment: Assessment) -> dict[str, Any]:
    """The JSON of scores with what is known about their significance."""
    for entry in data["scores"]:
        for group, held in {None: entry, **entry.get("groups", {})}.items():
            interval = assessment.intervals.get((entry["system"], entry["metric"], group))
            if interval is not None:
                held["interval"] = interval.to_dict()
    notes = data.pop("notes", None)
    data["significance"] = assessment.to_dict()
    return data if notes is None else {**data, "notes": notes}


def _by_names(entry: tuple[tuple[str | None, ...], int]) -> list[tuple[bool, str]]:
    """An order that does not depend on what came first; no label comes last."""
    return [(name is None, name or "") for name in entry[0]]


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Names with a dot as objects.

    >>> nested({"f1": 0.5, "weighted.f1": 0.4})
    {'f1': 0.5, 'weighted': {'f1': 0.4}}
    """
    found: dict[str, Any] = {}
    for name, value in flat.items():
        *outer, last = name.split(".")
        place = found
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = value
    return found


def flatten(parts: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The opposite of `nested`: what objects hold as `outer.inner`.

    >>> flatten({"f1": 0.5, "weighted": {"f1": 0.4}})
    {'f1': 0.5, 'weighted.f1': 0.4}
    """
    flat: dict[str, Any] = {}
    for name, value in parts.items():
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{prefix}{name}."))
        else:
            flat[prefix + name] = value
    return flat


def plain(value: float) -> Value:
    """A float for the outside: None instead of nan."""
    return None if math.isnan(value) else float(value)
