"""Coefficients of ratings with their intervals, and what annotators have in common, one by one and
two by two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from tertium.agreement.coefficients import Coefficient, Cohen
from tertium.agreement.side_pairs import MOST_COUNTS, TOO_LARGE, pairs_of
from tertium.results.assessment import Interval, Testing
from tertium.results.blocks import Cell, or_missing
from tertium.results.scores import Result, plain
from tertium.results.stats import Stats, UnitKind
from tertium.results.votes import Votes
from tertium.signature import Signature
from tertium.significance.intervals import interval, no_interval
from tertium.significance.resample import unit_counts
from tertium.significance.tables import interval_cell


@dataclass(frozen=True, eq=False)
class CoefficientValue:
    """One coefficient; `value` is None where it is undefined, and `reason` says why."""

    value: float | None
    reason: str = ""
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """The entry in `coefficients` of the JSON output."""
        return {
            "value": self.value,
            **({"interval": self.interval.to_dict()} if self.interval else {}),
            **({"reason": self.reason} if self.reason else {}),
        }

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Value and interval as a table has them."""
        return or_missing(self.value, self.reason), interval_cell(self.interval)


@dataclass(frozen=True, eq=False)
class Selection:
    """Coefficients of some items, by their texts, and how many items these are."""

    values: Mapping[str, CoefficientValue]
    items: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "items": dict(self.items),
            "coefficients": {name: each.to_dict() for name, each in self.values.items()},
        }


@dataclass(frozen=True)
class AnnotatorRow:
    """One annotator: ratings, those of items that others rated too, raw agreement with others over
    all of these, and the mean of Cohen's kappa."""

    name: str
    items: int
    shared: int
    agreement: float | None
    cohen: float | None


@dataclass(frozen=True)
class PairRow:
    """Two annotators with items in common."""

    a: str
    b: str
    items: int
    agreement: float
    cohen: float | None


def sizes(ratings: Votes) -> dict[str, int]:
    """How many items there are, have several ratings, and only one label among these."""
    item, _, _ = ratings.cells
    labels = np.bincount(item, minlength=len(ratings))
    shared = ratings.size > 1
    return {
        "all": len(ratings),
        "rated": int((ratings.size > 0).sum()),
        "shared": int(shared.sum()),
        "unanimous": int((shared & (labels == 1)).sum()),
    }


def pair_rows(ratings: Votes) -> tuple[tuple[AnnotatorRow, ...], tuple[PairRow, ...]]:
    """What every annotator has in common with others, and every two."""
    names, whole = ratings.sides, ratings.as_one()
    cohen, rows = Cohen(), []
    kappas: dict[int, list[float]] = {}
    if cohen.kept(whole) <= MOST_COUNTS:
        totals = cohen.stats(whole).totals()
        values = map(plain, cohen.values(totals).tolist())
        for (a, b, items, apart), kappa in zip(pairs_of(totals), values, strict=True):
            rows.append(PairRow(names[a], names[b], items, 1 - apart / items, kappa))
            for side in (a, b):
                kappas.setdefault(side, []).extend([] if kappa is None else [kappa])
    return _people(ratings, kappas), tuple(rows)


def _people(ratings: Votes, kappas: Mapping[int, Sequence[float]]) -> tuple[AnnotatorRow, ...]:
    """Annotators one by one, given the kappas of their pairs."""
    names, others = ratings.sides, ratings.size[ratings.item] - 1
    cell = ratings.item * max(len(ratings.labels), 1) + ratings.label
    _, place, times = np.unique(cell, return_inverse=True, return_counts=True)
    given, shared, met, same = (
        np.bincount(ratings.side, each, minlength=len(names)).tolist()
        for each in (np.ones(len(cell)), others > 0, others, times[place] - 1)
    )
    return tuple(
        AnnotatorRow(
            *(name, int(given[number]), int(shared[number])),
            same[number] / met[number] if met[number] else None,
            sum(kappas[number]) / len(kappas[number]) if kappas.get(number) else None,
        )
        for number, name in enumerate(names)
    )


def selection(
    ratings: Votes, wanted: Sequence[Coefficient], testing: Testing | None, unit: str
) -> Selection:
    """All coefficients of some items."""
    values = {repr(each): _value(each, ratings, testing, unit) for each in wanted}
    return Selection(values, sizes(ratings))


def _value(
    coefficient: Coefficient, ratings: Votes, testing: Testing | None, unit: str
) -> CoefficientValue:
    if coefficient.kept(ratings) > MOST_COUNTS:
        return CoefficientValue(None, TOO_LARGE)
    held = ratings.as_one() if testing is None else ratings
    stats = coefficient.stats(held)
    totals = stats.totals()
    value = plain(float(coefficient.score(totals)["value"]))
    reason = "" if value is not None else coefficient.why(totals)
    made = None
    if testing is not None:
        made = _interval(coefficient, ratings, stats, testing)
        text = made.reason.replace("sentence", unit)
        made = replace(made, unit=cast(UnitKind, unit), reason=text)
    return CoefficientValue(value, reason, made)


def _interval(coefficient: Coefficient, ratings: Votes, stats: Stats, testing: Testing) -> Interval:
    if told := coefficient.unresampled(ratings):
        return no_interval(testing, "sentence", told)
    result = Result(
        "", repr(coefficient), None, {}, {}, {}, {}, Signature(coefficient.id, ()),
        stats=stats, formula=coefficient, headline="value",
    )  # fmt: skip
    return interval(unit_counts([result]), testing)
