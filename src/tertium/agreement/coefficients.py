"""Coefficients of agreement: counts of ratings per unit, and a formula over their sums.

A coefficient is named by its formula (docs/coefficients). Observed agreement is that of pairs of
ratings of an item; what they differ in is the agreement that is expected by chance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from tertium import registry
from tertium.agreement.sums import CellNumbers, by_number, stats_of
from tertium.corpus.corpus import once
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError
from tertium.families.base import Measure, Scored, citation, divide
from tertium.formats.resources import load
from tertium.registry import parameter
from tertium.results.parts import Part
from tertium.results.stats import Stats, Totals
from tertium.results.votes import Floats, Votes, values_of

SAME = 1e-12  # a chance of disagreement that is no larger is none
MOST_VALUES = 2000  # distinct labels of which every two are compared in resamples
NO_PAIRS = "no item has two or more ratings"
CONSTANT = "all compared ratings have the same label, so agreement beyond chance cannot be measured"
MOST_RESAMPLED = 1_000_000_000  # counts by annotator or pair, times units
TOO_LONG = "resampling counts of so many pairs of annotators and items takes too long"
ONE_LABEL = "there is only one label to choose from"
NOTHING_SHARED = "no two annotators rated the same item"
LIST_LABELS = "'--order LOW,...,HIGH' lists the labels from lowest to highest"
ONE_SAME = "gave all items the same label, so agreement beyond chance cannot be measured"


@dataclass(frozen=True, repr=False)
class Coefficient(Measure):
    """A measure of agreement between annotators, none of whom is gold.

    Subclasses give `stats` and `score`. `unpaired` and `constant` say why there is no value: there
    is nothing to compare, or no agreement but that of chance is possible.
    """

    parts: ClassVar[tuple[Part, ...]] = (Part("value", "value", (-np.inf, 1.0), over="both"),)
    headline: ClassVar[str] = "value"
    shown: ClassVar[tuple[str, ...]] = ("value",)
    unpaired: ClassVar[str] = NO_PAIRS
    constant: ClassVar[str] = CONSTANT

    @abstractmethod
    def stats(self, ratings: Votes) -> Stats:
        """Additive counts per unit of the ratings; `paired` is above 0 if any are compared."""

    def why(self, totals: Totals) -> str:
        """Why these sums have no value; empty if they have one."""
        if not totals["paired"] > 0:
            return self.unpaired
        return self.constant if np.isnan(self.score(totals)["value"]) else ""

    def check(self, ratings: Votes) -> None:
        """Refuse labels that the coefficient cannot be computed of."""

    def check_order(self, ratings: Votes) -> None:
        """Refuse labels without an order."""
        if ratings.values is None:
            self.check_numbers(ratings.labels, "labels with an order", LIST_LABELS)

    def check_numbers(self, labels: Sequence[str], needed: str, help: str) -> None:
        """Refuse labels that are not numbers."""
        for label in labels:
            if values_of([label]) is None:
                raise UsageError(f"{self!r} needs {needed}. Got '{label}' instead.", help=help)

    def unresampled(self, ratings: Votes) -> str:
        """Why there is no interval although there is a value; empty if there is one."""
        return TOO_LONG if self.kept(ratings) * ratings.units > MOST_RESAMPLED else ""

    def kept(self, ratings: Votes) -> int:
        """How many counts it keeps by annotator or pair of annotators."""
        return 0


@dataclass(frozen=True, repr=False)
class RawAgreement(Coefficient):
    """Raw agreement: the share of pairs of ratings that are the same, averaged over items."""

    id = "agreement"
    title = "raw agreement: mean share of agreeing pairs of ratings"
    parts: ClassVar[tuple[Part, ...]] = (Part("value", over="both"),)
    cite = citation("artstein-poesio-2008-survey")

    def stats(self, ratings: Votes) -> Stats:
        """`paired`: items with two ratings or more; `agreeing`: their shares of agreeing pairs."""
        return stats_of(ratings, _observed(ratings))

    def score(self, totals: Totals) -> Scored:
        """The mean share."""
        return {"value": divide(totals["agreeing"], totals["paired"])}


@dataclass(frozen=True, repr=False)
class ByItem(RawAgreement):
    """Coefficients whose observed agreement is raw agreement."""

    parts = Coefficient.parts

    @abstractmethod
    def expected(self, totals: Totals) -> Floats:
        """The agreement expected by chance."""

    def stats(self, ratings: Votes) -> Stats:
        """Also `rated`: items with a rating, and how their ratings are shared out to labels."""
        return _shares(ratings)

    def score(self, totals: Totals) -> Scored:
        """Agreement beyond chance, as a share of what is possible beyond chance; nothing without
        counts per label."""
        if not totals.sparse:
            return {}
        observed, expected = super().score(totals)["value"], self.expected(totals)
        parts = observed - expected, 1 - expected
        # What rounding leaves of equal numbers is nothing.
        more, possible = (np.where(abs(part) < SAME, 0.0, part) for part in parts)
        return {"value": divide(more, possible)}

    def shares(self, totals: Totals) -> Floats:
        """The share of every label, averaged over rated items."""
        return divide(totals.label("share"), totals["rated"][..., None])


def _observed(ratings: Votes) -> dict[str, npt.NDArray[Any]]:
    pairs = ratings.size * (ratings.size - 1)
    agreeing = np.bincount(ratings.item, ratings.same, len(ratings))
    return {"paired": pairs > 0, "agreeing": agreeing / np.maximum(pairs, 1)}


@once
def _shares(ratings: Votes) -> Stats:
    item, label, count = ratings.cells
    cells = [(0, label, item, count / ratings.size[item])]
    columns = {**_observed(ratings), "rated": ratings.size > 0}
    return stats_of(ratings, columns, ("share",), ratings.labels, cells)


@dataclass(frozen=True, repr=False)
class Fleiss(ByItem):
    """Fleiss' kappa: all annotators are taken to choose labels alike."""

    id = "fleiss"
    title = "Fleiss' kappa, for any number of annotators"
    cite = citation("fleiss-1971-measuring")

    def expected(self, totals: Totals) -> Floats:
        """Two draws from the mean distribution of labels."""
        return np.asarray((self.shares(totals) ** 2).sum(-1))


@dataclass(frozen=True, repr=False)
class GivenLabels(ByItem):
    """Coefficients that depend on how many labels annotators could choose from."""

    constant = ONE_LABEL

    labels: int | None = parameter(
        None,
        help="the number of labels to choose from, 2 or more; by default those that occur",
        check=lambda n: n is None or (isinstance(n, int) and n > 1),
    )

    def check(self, ratings: Votes) -> None:
        """There cannot be more labels than there are."""
        if self.labels is not None and self.labels < len(ratings.labels):
            raise UsageError(f"{self!r}: the data has more labels, {len(ratings.labels):,}")


@dataclass(frozen=True, repr=False)
class S(GivenLabels):
    """Bennett's S, also known as G-index, Randolph's kappa and Brennan and Prediger's kappa."""

    id = "s"
    title = "S (G-index, Randolph's and Brennan and Prediger's kappa)"
    cite = citation("bennett-etal-1954-communications", "brennan-prediger-1981-coefficient")

    def expected(self, totals: Totals) -> Floats:
        """All labels are equally likely."""
        return np.full(totals["paired"].shape, divide(1.0, self.labels or len(totals.labels)))


@dataclass(frozen=True, repr=False)
class AC1(GivenLabels):
    """Gwet's first-order agreement coefficient."""

    id = "ac1"
    title = "Gwet's AC1"
    cite = citation("gwet-2008-computing")

    def expected(self, totals: Totals) -> Floats:
        """Chance agreement on items that are hard to label."""
        share, size = self.shares(totals), self.labels or len(totals.labels)
        return divide((share * (1 - share)).sum(-1), size - 1)


@dataclass(frozen=True, repr=False)
class Conger(ByItem):
    """Conger's kappa: as Fleiss', but every annotator has a distribution of labels."""

    id = "conger"
    title = "Conger's kappa (Davies and Fleiss): Cohen's for any number of annotators"
    cite = citation("conger-1980-integration", "davies-fleiss-1982-measuring")

    def kept(self, ratings: Votes) -> int:
        """Labels of every annotator."""
        return len(ratings.sides) * len(ratings.labels)

    def stats(self, ratings: Votes) -> Stats:
        """Raw agreement, and how often every annotator gives every label."""
        sides = [f"side {number}" for number in range(len(ratings.sides))]
        cells = [(ratings.side, ratings.label, ratings.item, 1.0)]
        return stats_of(ratings, _observed(ratings), sides, ratings.labels, cells)

    def expected(self, totals: Totals) -> Floats:
        """A draw from each of two annotators, averaged over pairs of those that rated anything."""
        counts = np.stack([*totals.sparse.values()], axis=-2)
        given = counts.sum(-1, keepdims=True)
        shares = np.where(given > 0, counts / np.maximum(given, 1), 0.0)
        several = (given[..., 0] > 0).sum(-1)
        both = (shares.sum(-2) ** 2).sum(-1) - (shares**2).sum((-1, -2))
        return divide(both, several * (several - 1))


@dataclass(frozen=True, repr=False)
class Pairwise(Coefficient):
    """Coefficients of two annotators: of more, the mean over pairs that have items in common. A
    pair whose own value is undefined does not count, unless none is defined."""

    unpaired = NOTHING_SHARED
    constant = f"the annotators of every pair {ONE_SAME}"

    def kept(self, ratings: Votes) -> int:
        """Labels of every pair of annotators, both ways."""
        return len(sides_met(ratings)) * 2 * (1 + len(ratings.labels))

    def stats(self, ratings: Votes) -> Stats:
        """By pair of sides, numbered as in `sides_met`: items in common, disagreement, and how
        often each has every label."""
        return _by_pair(ratings, None)

    def expected(self, first: Floats, second: Floats) -> Floats:
        """The disagreement expected by chance times the squared number of items, given how often
        each of two sides has every label (last axis)."""
        return np.asarray(first.sum(-1) ** 2 - (first * second).sum(-1))

    def values(self, totals: Totals) -> Floats:
        """The value of every pair of sides, in the order of `sides_met`; nan where undefined."""
        if not totals.labels:
            return np.zeros((*totals["paired"].shape, 0))
        items, apart, *given = totals.sparse.values()
        expected = self.expected(*np.split(np.stack(given, axis=-1), 2, axis=-1))
        is_constant = expected < SAME * items**2
        return np.asarray(1 - divide(apart * items, np.where(is_constant, 0.0, expected)))

    def score(self, totals: Totals) -> Scored:
        """The mean over pairs; nothing without counts per pair."""
        if not totals.sparse:
            return {}
        values = self.values(totals)
        there = ~np.isnan(values)
        return {"value": divide(np.where(there, values, 0.0).sum(-1), there.sum(-1))}


@once
def _by_pair(ratings: Votes, weights: str | None) -> Stats:
    """Counts of all pairs of sides that have items in common."""
    size, met = len(ratings.labels), sides_met(ratings)
    distances = None if weights is None else _distances(weights, size)

    def cells() -> Iterator[CellNumbers]:
        for a, b in ratings.pairs():
            item, pair = ratings.item[a], np.searchsorted(met, _two_sides(ratings, a, b))
            mine, yours = ratings.label[a], ratings.label[b]
            apart = mine != yours if distances is None else distances[mine, yours]
            some = np.flatnonzero(apart)
            yield 0, pair, item, 1.0
            yield 1, pair[some], item[some], apart[some]
            yield 2 + mine, pair, item, 1.0
            yield 2 + size + yours, pair, item, 1.0

    given = [f"{which} {code}" for which in ("first", "second") for code in range(size)]
    names = [f"{pair:020}" for pair in met.tolist()]  # as texts they are in the order of numbers
    paired = {"paired": ratings.size > 1}
    return stats_of(ratings, paired, ("items", "apart", *given), names, cells())


@once
def sides_met(ratings: Votes) -> Int64:
    """The numbers of all pairs of sides that have items in common, in order: that of the first side
    times the number of sides, plus that of the second."""
    found = np.zeros(0, np.int64)
    for a, b in ratings.pairs():
        found = np.union1d(found, _two_sides(ratings, a, b))
    return found


def _two_sides(ratings: Votes, a: Int64, b: Int64) -> Int64:
    """The numbers of the two sides of each of these pairs of ratings."""
    return np.asarray(ratings.side[a].astype(np.int64) * len(ratings.sides) + ratings.side[b])


def _distances(weights: str, size: int) -> Floats:
    """How bad it is to take one label for another, by their places."""
    place = np.arange(size, dtype=np.float64)
    return np.abs(place[:, None] - place) ** (1 if weights == "linear" else 2)


@dataclass(frozen=True, repr=False)
class Cohen(Pairwise):
    """Cohen's kappa: each of two annotators has a distribution of labels."""

    id = "cohen"
    title = "Cohen's kappa; for more than two annotators, the mean over pairs"
    cite = citation("cohen-1960-coefficient", "cohen-1968-weighted")

    weights: str | None = parameter(
        None,
        help="how much a disagreement counts: the distance of labels in their order, or its square",
        choices=(None, "linear", "quadratic"),
    )

    def check(self, ratings: Votes) -> None:
        """Weights need an order of labels."""
        if self.weights is not None:
            self.check_order(ratings)
            if len(ratings.labels) > MOST_VALUES:
                raise UsageError(f"{self!r}: more than {MOST_VALUES:,} distinct labels")

    def stats(self, ratings: Votes) -> Stats:
        """With weights, disagreement is the sum of distances, and equal numbers are one label."""
        return _by_pair(ratings if self.weights is None else by_number(ratings), self.weights)

    def expected(self, first: Floats, second: Floats) -> Floats:
        """A draw from each."""
        if self.weights is None:
            return super().expected(first, second)
        distances = _distances(self.weights, first.shape[-1])
        return np.asarray(((first @ distances) * second).sum(-1))


@dataclass(frozen=True, repr=False)
class Scott(Pairwise):
    """Scott's pi: both annotators are taken to choose labels alike."""

    id = "scott"
    title = "Scott's pi; for more than two annotators, the mean over pairs"
    cite = citation("scott-1955-reliability")

    def expected(self, first: Floats, second: Floats) -> Floats:
        """Two draws from what both have together."""
        both = (first + second) / 2
        return super().expected(both, both)


def make_coefficient(text: str | Coefficient) -> Coefficient:
    """A coefficient from its text, such as `cohen(weights='linear')`; files it names are read."""
    if isinstance(text, Coefficient):
        return text
    return cast(Coefficient, registry.build("coefficients", text, load=load))


def usual_coefficients() -> tuple[Coefficient, ...]:
    """All that there are, with their defaults."""
    return tuple(make_coefficient(name) for name in registry.names("coefficients"))
