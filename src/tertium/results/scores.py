"""Results: numbers with everything that decided them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from tertium.results.parts import Count, Part, Way
from tertium.results.texts import number
from tertium.signature import Signature

if TYPE_CHECKING:
    from tertium.corpus.labels import Int32
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
    makes every part from their sums, `unit` being what units are; `documents` is the document of
    every sentence that could be counted, where units are sentences and documents are known.
    `header` is what tables call the metric; `declared` is what the metric
    says about its parts, `declared_counts` about its counts, `types` what error types mean;
    `has_items` whether single items were judged, `share` what the share
    of gold items is called that are right, `prominence` how far the metric is what such annotation
    is usually judged by. A member of a set has in `member` the set's text and its own name.
    `absent` are columns that the system lacks although there is a value; `lacking` is what a system
    without one may lack.
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
    header: str = ""
    member: tuple[str, str] | None = None
    unit: UnitKind = "sentence"
    documents: Int32 | None = None
    has_items: bool = True
    share: str = "accuracy"
    lacking: str = ""
    absent: tuple[str, ...] = ()
    prominence: int = 0

    @classmethod
    def of_counts(
        cls, system: str, metric: str, stats: Stats, formula: Formula, headline: str = "value"
    ) -> Result:
        """A number that comes from counts alone: a coefficient, or a mean over units."""
        value = plain(float(formula.score(stats.totals())[headline]))
        return cls(
            *(system, metric, value, {headline: value}, {}, {}, {}, Signature(metric)),
            stats=stats,
            formula=formula,
            headline=headline,
        )

    @property
    def better(self) -> Way:
        """The direction in which the value gets better: "higher", "lower" or "none"."""
        return self.part().better

    def part(self, name: str = "") -> Part:
        """What the metric says about a part, by default about the value, or about a count that
        tables show."""
        name = self.headline if name in ("", "value") else name
        every = (*self.declared, *(count.column for count in self.declared_counts))
        return next((part for part in every if part.name == name), Part(name))

    @property
    def numbers(self) -> dict[str, float | None]:
        """The value, all counts and all parts, by name; of a count and a part of one name the
        part."""
        return {"value": self.value, **self.counts, **flatten(self.parts)}

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
            "counts": nested(self.counts),
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

    def with_ids(self) -> Result:
        """The same with the ids of the metric and its parts in place of their display names."""
        declared = tuple(replace(part, title="") for part in self.declared)
        return replace(self, header="", declared=declared)


def metric_names(results: Iterable[Result]) -> dict[str, str]:
    """What tables call the metrics of some results, by their texts. Two that would have the same
    name have their parameters behind it, or go by their texts.

    >>> def result(metric: str) -> Result:
    ...     return Result("a", metric, 1.0, {}, {}, {}, {}, Signature("m", ()), header="F1")
    >>> metric_names([result("m"), result("m(x=1)")])
    {'m': 'F1', 'm(x=1)': 'F1 (x=1)'}
    >>> metric_names([result("m"), result("n")])
    {'m': 'm', 'n': 'n'}
    """
    return distinct_names({r.metric: r.header or r.metric for r in results})


def distinct_names(headers: Mapping[str, str]) -> dict[str, str]:
    """Names of metrics by their texts, each once, as `metric_names` has them."""
    several = Counter(headers.values())
    full = {
        text: f"{name} {text[text.index('(') :]}" if several[name] > 1 and "(" in text else name
        for text, name in headers.items()
    }
    left = Counter(full.values())
    return {text: text if left[name] > 1 else name for text, name in full.items()}


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
