"""Coefficients of ratings with their intervals, and what annotators have in common, one by one and
two by two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from tertium.agreement.coefficients import ONE_SAME, Coefficient, Cohen, sides_met
from tertium.agreement.texts import PairScore
from tertium.exceptions import UsageError, suggestion
from tertium.families.base import divide
from tertium.results.assessment import Interval, Testing
from tertium.results.output import record
from tertium.results.scores import Result, plain
from tertium.results.votes import Votes
from tertium.significance.intervals import interval, no_interval
from tertium.significance.resample import unit_counts

MOST_COUNTS = 5_000_000  # of labels, by annotator or by pair of annotators
TOO_LARGE = f"too many annotators or labels: more than {MOST_COUNTS:,} counts would be needed"
NOTHING_IN_COMMON = "no item in common with others"


@dataclass(frozen=True, eq=False)
class CoefficientValue:
    """One coefficient; `value` is None where it is undefined, and `reason` says why."""

    value: float | None
    interval: Interval | None = None
    reason: str = ""

    @classmethod
    def of(
        cls, coefficient: Coefficient, ratings: Votes, testing: Testing | None
    ) -> CoefficientValue:
        """Of some ratings, with an interval if that is wanted."""
        if coefficient.kept(ratings) > MOST_COUNTS:
            return cls(None, reason=TOO_LARGE)
        stats, made = coefficient.stats(ratings), None
        found = Result.of_counts("", repr(coefficient), stats, coefficient)
        if testing is not None and (why := coefficient.unresampled(ratings)):
            made = no_interval(testing, ratings.kind, why)
        elif testing is not None:
            made = interval(unit_counts([found]), testing)
        reason = coefficient.why(stats.totals()) if found.value is None else ""
        return cls(found.value, made, reason)


@dataclass(frozen=True, eq=False)
class Selection:
    """Some items and the coefficients of these, by their texts.

    `items`: how many there are (`all`), have a rating (`rated`), have several (`shared`), and only
    one label among these (`unanimous`).
    """

    items: Mapping[str, int]
    coefficients: Mapping[str, CoefficientValue]

    @classmethod
    def of(
        cls, ratings: Votes, wanted: Sequence[Coefficient], testing: Testing | None
    ) -> Selection:
        """All items of some ratings."""
        shared = ratings.size > 1
        labels = np.bincount(ratings.cells[0], minlength=len(ratings))
        sizes = {"rated": ratings.size > 0, "shared": shared, "unanimous": shared & (labels == 1)}
        items = {"all": len(ratings), **{name: int(each.sum()) for name, each in sizes.items()}}
        found = {repr(each): CoefficientValue.of(each, ratings, testing) for each in wanted}
        return cls(items, found)

    def __getitem__(self, name: str) -> CoefficientValue:
        if name not in self.coefficients:
            raise UsageError(
                f"there is no coefficient '{name}'.{suggestion(name, [*self.coefficients])}",
                help=f"coefficients: {', '.join(self.coefficients)}",
            )
        return self.coefficients[name]


@dataclass(frozen=True)
class AnnotatorRow:
    """One annotator: ratings, those of items that others rated too, raw agreement with others over
    all of these, and the mean of Cohen's kappa; `reason` says why one of these is None."""

    name: str
    items: int
    shared: int
    agreement: float | None
    cohen: float | None
    reason: str = ""


@dataclass(frozen=True)
class PairRow:
    """Two annotators: how far they agree on the items that both rated, where there are some, and
    `scores` of B where A plays gold; `reason` says why there is no kappa."""

    a: str
    b: str
    items: int | None = None
    agreement: float | None = None
    cohen: float | None = None
    reason: str = ""
    scores: tuple[PairScore, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entry in `pairs` of the JSON output."""
        rated = () if self.items is None else ("items", "agreement", "cohen")
        return record(self, first=("a", "b", *rated))


def pair_rows(ratings: Votes | None, scores: Sequence[PairScore]) -> tuple[PairRow, ...]:
    """Every two annotators who have items in common, unless they are too many, or have scores."""
    rows = {} if ratings is None else {(row.a, row.b): row for row in _rated(ratings.as_one())}
    for each in scores:
        pair = each.a, each.b
        row = rows.get(pair, PairRow(*pair))
        rows[pair] = replace(row, scores=(*row.scores, each))
    return tuple(rows.values())


def _rated(ratings: Votes) -> Iterator[PairRow]:
    cohen, names = Cohen(), ratings.sides
    if cohen.kept(ratings) > MOST_COUNTS:
        return
    totals = cohen.stats(ratings).totals()
    columns = totals.label("items"), totals.label("apart"), cohen.values(totals)
    rows = zip(sides_met(ratings).tolist(), *(each.tolist() for each in columns), strict=True)
    for pair, items, apart, value in rows:
        a, b = divmod(pair, len(names))
        kappa = plain(value)
        why = f"both annotators gave {ONE_SAME}" if kappa is None else ""
        yield PairRow(names[a], names[b], int(items), 1 - apart / items, kappa, why)


def annotator_rows(ratings: Votes, pairs: Sequence[PairRow]) -> Iterator[AnnotatorRow]:
    """What every annotator has in common with the others."""
    kappas: dict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        for name in (pair.a, pair.b):
            kappas[name] += [] if pair.cohen is None else [pair.cohen]
    are_compared = any(pair.items is not None for pair in pairs)
    size, side = ratings.size[ratings.item], ratings.side
    given, shared, met = (
        np.bincount(side, each, len(ratings.sides)) for each in (size > 0, size > 1, size - 1)
    )
    counts = (given, shared, divide(ratings.agreement, met))
    for name, *numbers in zip(ratings.sides, *(each.tolist() for each in counts), strict=True):
        items, common, agreement = numbers
        cohen = fmean(kappas[name]) if kappas[name] else None
        why = NOTHING_IN_COMMON if not common else Cohen.constant if are_compared else TOO_LARGE
        reason = why if cohen is None else ""
        yield AnnotatorRow(name, int(items), int(common), plain(agreement), cohen, reason)
