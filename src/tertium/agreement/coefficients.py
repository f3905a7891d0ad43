"""Coefficients of agreement: counts of ratings per unit, and a formula over their sums.

A coefficient is named by its formula (docs/coefficients). Observed agreement is that of pairs of
ratings of an item; what they differ in is the agreement that is expected by chance.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from tertium import registry
from tertium.agreement.side_pairs import numbered_pairs, sides_met, two_sides
from tertium.agreement.sums import Sums
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
NOTHING_SHARED = "no two annotators rated the same item"
CONSTANT = "all ratings that are compared have the same label, so chance alone explains them"
ONE_LABEL = "there is only one label to choose from"


@dataclass(frozen=True, repr=False)
class Coefficient(Measure):
    """A measure of agreement between annotators, none of whom is gold.

    Subclasses give `stats` and `score`. `why` says of sums without a value why there is none.
    """

    parts: ClassVar[tuple[Part, ...]] = (Part("value", "value", (-np.inf, 1.0), over="both"),)
    headline: ClassVar[str] = "value"
    shown: ClassVar[tuple[str, ...]] = ("value",)

    @abstractmethod
    def stats(self, ratings: Votes) -> Stats:
        """Additive counts per unit of the ratings."""

    @abstractmethod
    def why(self, totals: Totals) -> str:
        """Why these sums have no value; empty if they have one."""

    def check(self, ratings: Votes) -> None:
        """Refuse labels that the coefficient cannot be computed of."""

    def unresampled(self, ratings: Votes) -> str:
        """Why there is no interval although there is a value; empty if there is one."""
        return ""

    def kept(self, ratings: Votes) -> int:
        """How many counts it keeps by annotator or pair of annotators."""
        return 0

    def label_scores(self, totals: Totals) -> Scored:
        """It has no numbers per label."""
        return {}


def corrected(observed: Floats, expected: Floats) -> Floats:
    """Agreement beyond chance, as a share of what is possible beyond chance."""
    # What rounding leaves of equal numbers is nothing.
    more, possible = (np.where(abs(n) < SAME, 0.0, n) for n in (observed - expected, 1 - expected))
    return divide(more, possible)


@dataclass(frozen=True, repr=False)
class RawAgreement(Coefficient):
    """Raw agreement: the share of pairs of ratings that are the same, averaged over items."""

    id = "agreement"
    title = "raw agreement: mean share of agreeing pairs of ratings"
    parts: ClassVar[tuple[Part, ...]] = (Part("value", over="both"),)
    cite = citation("artstein-poesio-2008-survey")

    def stats(self, ratings: Votes) -> Stats:
        """`paired`: items with two ratings or more; `agreeing`: their shares of agreeing pairs."""
        return _observed(Sums(ratings)).stats()

    def score(self, totals: Totals) -> Scored:
        """The mean share."""
        return {"value": divide(totals["agreeing"], totals["paired"])}

    def why(self, totals: Totals) -> str:
        """Only without pairs."""
        return "" if totals["paired"] > 0 else NO_PAIRS


@dataclass(frozen=True, repr=False)
class ByItem(RawAgreement):
    """Coefficients whose observed agreement is raw agreement."""

    parts = Coefficient.parts

    @abstractmethod
    def expected(self, totals: Totals) -> Floats:
        """The agreement expected by chance."""

    def stats(self, ratings: Votes) -> Stats:
        """Also `rated`: items with a rating, and how their ratings are shared out to labels."""
        sums = _observed(Sums(ratings, ratings.labels, ("share",)))
        sums.add("rated", ratings.size > 0)
        item, label, count = ratings.cells
        sums.cell(0, label, item, count / ratings.size[item])
        return sums.stats()

    def score(self, totals: Totals) -> Scored:
        """Agreement beyond chance; nothing without counts per label."""
        if not totals.sparse:
            return {}
        observed = divide(totals["agreeing"], totals["paired"])
        return {"value": corrected(observed, self.expected(totals))}

    def why(self, totals: Totals) -> str:
        """Without pairs, or where chance explains everything."""
        if not totals["paired"] > 0:
            return NO_PAIRS
        return CONSTANT if np.isnan(self.score(totals)["value"]) else ""

    def shares(self, totals: Totals) -> Floats:
        """The share of every label, averaged over rated items."""
        return divide(totals.label("share"), totals["rated"][..., None])


@dataclass(frozen=True, repr=False)
class Fleiss(ByItem):
    """Fleiss' kappa: all annotators are taken to choose labels alike."""

    id = "fleiss"
    title = "Fleiss' kappa, for any number of annotators"
    cite = citation("fleiss-1971-measuring")

    def expected(self, totals: Totals) -> Floats:
        """Two draws from the mean distribution of labels."""
        found: Floats = (self.shares(totals) ** 2).sum(-1)
        return found


@dataclass(frozen=True, repr=False)
class GivenLabels(ByItem):
    """Coefficients that depend on how many labels annotators could choose from."""

    labels: int | None = parameter(
        None,
        help="how many labels there are to choose from, 2 or more; by default those that occur",
        check=lambda n: n is None or (isinstance(n, int) and n > 1),
    )

    def size(self, totals: Totals) -> int:
        """Their number."""
        return self.labels or len(totals.labels)

    def check(self, ratings: Votes) -> None:
        """There cannot be more labels than there are."""
        if self.labels is not None and self.labels < len(ratings.labels):
            raise UsageError(f"{self!r}: the data has more labels ({len(ratings.labels)})")

    def why(self, totals: Totals) -> str:
        """Without pairs, or without a choice."""
        found = super().why(totals)
        return ONE_LABEL if found == CONSTANT else found


@dataclass(frozen=True, repr=False)
class S(GivenLabels):
    """Bennett's S, also known as G-index, Randolph's kappa and Brennan and Prediger's kappa."""

    id = "s"
    title = "S (G-index, Randolph's and Brennan and Prediger's kappa)"
    cite = citation("bennett-etal-1954-communications", "brennan-prediger-1981-coefficient")

    def expected(self, totals: Totals) -> Floats:
        """All labels are equally likely."""
        return np.full(totals["paired"].shape, divide(1.0, self.size(totals)))


@dataclass(frozen=True, repr=False)
class AC1(GivenLabels):
    """Gwet's first-order agreement coefficient."""

    id = "ac1"
    title = "Gwet's AC1"
    cite = citation("gwet-2008-computing")

    def expected(self, totals: Totals) -> Floats:
        """Chance agreement on items that are hard to label."""
        share = self.shares(totals)
        return divide((share * (1 - share)).sum(-1), self.size(totals) - 1)


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
        """Also how often every annotator gives every label."""
        sides = [f"side {number}" for number in range(len(ratings.sides))]
        sums = _observed(Sums(ratings, ratings.labels, sides))
        sums.cell(ratings.side, ratings.label, ratings.item)
        return sums.stats()

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

    def distances(self, size: int) -> Floats | None:
        """How bad it is to take one label for another; None if it is all the same."""
        return None

    def kept(self, ratings: Votes) -> int:
        """Labels of every pair of annotators, both ways."""
        return len(sides_met(ratings)) * 2 * (1 + len(ratings.labels))

    def weigh(self, first: Floats, second: Floats, size: int) -> Floats:
        """The disagreement expected by chance times the squared number of items, given how often
        each of two sides has every label (last axis)."""
        distances = self.distances(size)
        if distances is None:
            items = first.sum(-1)
            found: Floats = items**2 - (first * second).sum(-1)
        else:
            found = ((first @ distances) * second).sum(-1)
        return found

    def stats(self, ratings: Votes) -> Stats:
        """By pair of sides: items in common, disagreement, and how often each has every label."""
        distances = self.distances(len(ratings.labels))
        if distances is not None:
            return _by_pair(ratings, distances)
        if "pairs" not in ratings.derived:
            ratings.derived["pairs"] = _by_pair(ratings, None)
        found: Stats = ratings.derived["pairs"]
        return found

    def values(self, totals: Totals) -> Floats:
        """The value of every pair of sides, in the order of `pairs_of`; nan where undefined."""
        counts = [*totals.sparse.values()]
        if not totals.labels:
            return np.zeros((*totals["paired"].shape, 0))
        size = (len(counts) - 2) // 2
        order = [place for _, place in numbered_pairs(totals)]
        items, apart = (each[..., order] for each in counts[:2])
        first, second = (
            np.stack(part, axis=-1)[..., order, :] if size else np.zeros((*items.shape, 0))
            for part in (counts[2 : 2 + size], counts[2 + size :])
        )
        expected = self.weigh(first, second, size)
        found: Floats = 1 - divide(
            apart * items, np.where(expected < SAME * items**2, 0.0, expected)
        )
        return found

    def score(self, totals: Totals) -> Scored:
        """The mean over pairs; nothing without counts per pair."""
        if not totals.sparse:
            return {}
        values = self.values(totals)
        there = ~np.isnan(values)
        return {"value": divide(np.where(there, values, 0.0).sum(-1), there.sum(-1))}

    def why(self, totals: Totals) -> str:
        """Without items in common, or where no pair has a value."""
        if not totals["paired"] > 0:
            return NOTHING_SHARED
        return CONSTANT if np.isnan(self.score(totals)["value"]) else ""


def _by_pair(ratings: Votes, distances: Floats | None) -> Stats:
    """Counts of all pairs of sides that have items in common."""
    size, sides = len(ratings.labels), len(ratings.sides)
    met = sides_met(ratings)
    names = [f"{pair // sides}:{pair % sides}" for pair in met.tolist()]
    columns = ["items", "apart"]
    columns += [f"{which} {code}" for which in ("first", "second") for code in range(size)]
    sums = Sums(ratings, names, columns)
    for a, b in ratings.pairs():
        item, pair = ratings.item[a], np.searchsorted(met, two_sides(ratings, a, b))
        mine, yours = ratings.label[a], ratings.label[b]
        apart = mine != yours if distances is None else distances[mine, yours]
        some = np.flatnonzero(apart)
        sums.cell(0, pair, item)
        sums.cell(1, pair[some], item[some], apart[some])
        sums.cell(2 + mine, pair, item)
        sums.cell(2 + size + yours, pair, item)
    sums.add("paired", ratings.size > 1)
    return sums.stats()


@dataclass(frozen=True, repr=False)
class Cohen(Pairwise):
    """Cohen's kappa: each of two annotators has a distribution of labels."""

    id = "cohen"
    title = "Cohen's kappa; of more than two annotators the mean over pairs"
    cite = citation("cohen-1960-coefficient", "cohen-1968-weighted")

    weights: str | None = parameter(
        None,
        help="how bad a disagreement is: by the distance of labels in their order, or its square",
        choices=(None, "linear", "quadratic"),
    )

    def check(self, ratings: Votes) -> None:
        """Weights need an order of labels."""
        if self.weights is not None:
            check_order(self, ratings)
            if len(ratings.labels) > MOST_VALUES:
                raise UsageError(f"{self!r}: more than {MOST_VALUES:,} distinct labels")

    def distances(self, size: int) -> Floats | None:
        """By the places of labels."""
        if self.weights is None:
            return None
        place = np.arange(size, dtype=np.float64)
        return np.abs(place[:, None] - place) ** (1 if self.weights == "linear" else 2)


@dataclass(frozen=True, repr=False)
class Scott(Pairwise):
    """Scott's pi: both annotators are taken to choose labels alike."""

    id = "scott"
    title = "Scott's pi; of more than two annotators the mean over pairs"
    cite = citation("scott-1955-reliability")

    def weigh(self, first: Floats, second: Floats, size: int) -> Floats:
        """Two draws from what both have together."""
        both = (first + second) / 2
        return super().weigh(both, both, size)


def check_order(coefficient: Coefficient, ratings: Votes) -> None:
    """Refuse labels without an order."""
    if not ratings.has_order and ratings.labels:
        name = next(label for label in ratings.labels if values_of([label]) is None)
        raise UsageError(
            f"{coefficient!r} needs labels with an order, but '{name}' is not a number",
            help="'--order LOW,...,HIGH' lists the labels from lowest to highest",
        )


def _observed(sums: Sums) -> Sums:
    """With the items that have pairs of ratings, and the shares of pairs that agree."""
    ratings = sums.votes
    item, _, count = ratings.cells
    agreeing = np.bincount(item, count * (count - 1), minlength=len(ratings))
    pairs = (ratings.size * (ratings.size - 1)).astype(np.float64)
    sums.add("paired", pairs > 0)
    sums.add("agreeing", np.divide(agreeing, pairs, out=np.zeros(len(pairs)), where=pairs > 0))
    return sums


def make_coefficient(text: str | Coefficient) -> Coefficient:
    """A coefficient from its text, such as `cohen(weights='linear')`; files it names are read."""
    if isinstance(text, Coefficient):
        return text
    return cast(Coefficient, registry.build("coefficients", text, load=load))


def usual_coefficients() -> tuple[Coefficient, ...]:
    """All that there are, with their defaults."""
    return tuple(make_coefficient(name) for name in registry.names("coefficients"))
