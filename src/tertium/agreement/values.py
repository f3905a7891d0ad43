"""Coefficients of ratings with their intervals, and what annotators have in common, one by one and
two by two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from tertium.agreement.coefficients import ONE_SAME, Coefficient, Cohen, make_coefficient, sides_met
from tertium.agreement.sums import in_name_order
from tertium.exceptions import unknown
from tertium.families.base import divide
from tertium.results.assessment import Interval, Testing
from tertium.results.output import Rows
from tertium.results.scores import Result, plain
from tertium.results.texts import listed
from tertium.results.votes import Votes
from tertium.significance.intervals import interval, no_interval
from tertium.significance.notes import NARROW
from tertium.significance.resample import unit_counts
from tertium.significance.tests import FEW_UNITS

MOST_COUNTS = 5_000_000  # of labels, by annotator or by pair of annotators
TOO_LARGE = f"too many annotators or labels: more than {MOST_COUNTS:,} counts would be needed"
NOTHING_IN_COMMON = "no item in common"


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
        ratings = ratings if testing is None else in_name_order(ratings)
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
            name = repr(make_coefficient(name))  # it may be written in different ways
        if (found := self.coefficients.get(name)) is None:
            raise unknown("coefficient", name, self.coefficients)
        return found

    @property
    def rows(self) -> Rows:
        """A record per coefficient."""
        found = []
        for name, each in self.coefficients.items():
            ends = {"low": each.interval.low, "high": each.interval.high} if each.interval else {}
            found.append({"coefficient": name, "value": each.value, **ends, "reason": each.reason})
        return found


@dataclass(frozen=True)
class Common:
    """What annotators have in common: two of them, or one with all others.

    - `items`: those that both rated; of one annotator all that it rated, of which others rated
      `shared` too
    - `agreement`: raw agreement over all of these; `cohen`: kappa, of one annotator the mean over
      pairs; `reason` says why one of the two is None
    """

    items: int
    agreement: float | None
    cohen: float | None
    reason: str = ""
    shared: int | None = None


def common_items(ratings: Votes, cohen: Cohen) -> dict[tuple[str, str], Common]:
    """Of every two annotators who have items in common, unless they are too many; `cohen` says how
    disagreements are weighted."""
    names, found = ratings.sides, {}
    if cohen.kept(ratings) <= MOST_COUNTS:
        totals = cohen.stats(ratings).totals()
        alike = totals if cohen == Cohen() else Cohen().stats(ratings).totals()  # without weights
        columns = totals.label("items"), alike.label("apart"), cohen.values(totals)
        rows = zip(sides_met(ratings).tolist(), *(each.tolist() for each in columns), strict=True)
        for pair, items, apart, value in rows:
            a, b = divmod(pair, len(names))
            kappa = plain(value)
            why = f"both annotators {ONE_SAME}" if kappa is None else ""
            found[names[a], names[b]] = Common(int(items), 1 - apart / items, kappa, why)
    return found


def with_others(ratings: Votes, pairs: Mapping[tuple[str, str], Common]) -> dict[str, Common]:
    """Of every annotator and all others, given what every two have in common."""
    kappas: dict[str, list[float]] = defaultdict(list)
    for names, each in pairs.items():
        for name in names:
            kappas[name] += [] if each.cohen is None else [each.cohen]
    size, side = ratings.size[ratings.item], ratings.side
    given, shared, met = (
        np.bincount(side, each, len(ratings.sides)) for each in (size > 0, size > 1, size - 1)
    )
    columns = (each.tolist() for each in (given, shared, divide(ratings.agreement, met)))
    found = {}
    for name, items, common, agreement in zip(ratings.sides, *columns, strict=True):
        cohen, why = None, NOTHING_IN_COMMON
        if kappas[name]:
            cohen, why = fmean(kappas[name]), ""
        elif common:
            why = Cohen.constant if pairs else TOO_LARGE
        found[name] = Common(int(items), plain(agreement), cohen, why, int(common))
    return found


def warnings(ratings: Votes, testing: Testing | None) -> list[str]:
    """Who cannot be compared, that nobody agrees, and where intervals are not to be trusted."""
    found, size = [], len(ratings.labels)
    if alone := ratings.alone:
        found.append(f"no items in common with any other annotator: {listed(alone)}")
    used = np.unique(ratings.side * size + ratings.label) % max(size, 1)
    if (ratings.size > 1).any() and len(np.unique(used)) == len(used):
        found.append("no two annotators use the same label")
    if testing is not None and ratings.units < FEW_UNITS:
        found.append(f"fewer than {FEW_UNITS} {testing.unit}s: {NARROW}")
    return found
