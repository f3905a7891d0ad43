"""Krippendorff's alpha: observed disagreement over expected disagreement, at any level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.agreement.coefficients import (
    CONSTANT,
    MOST_VALUES,
    NO_PAIRS,
    SAME,
    Coefficient,
    check_order,
)
from tertium.agreement.sums import Sums, by_value
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError, suggestion
from tertium.families.base import Scored, citation, divide
from tertium.formats.resources import Distances
from tertium.registry import parameter
from tertium.results.stats import Stats, Totals
from tertium.results.votes import PORTION, Floats, Votes, values_of

TOO_MANY = f"resampling compares every two values, and there are more than {MOST_VALUES:,} of them"


@dataclass(frozen=True, repr=False)
class Alpha(Coefficient):
    """Krippendorff's alpha: items with one rating are left out; expected disagreement is that of
    any two ratings, whoever gave them.

    Counts per unit are enough for any level: `apart` is the disagreement inside items, which is
    known before anything is drawn except at level ordinal, where counts of pairs of labels are
    kept because distances depend on how often labels occur.
    """

    id = "alpha"
    title = "Krippendorff's alpha"
    cite = citation("krippendorff-1970-estimating", "hayes-krippendorff-2007-answering")

    level: str = parameter(
        "nominal",
        help="what labels are: names, ranks, or numbers with differences or ratios",
        choices=("nominal", "ordinal", "interval", "ratio"),
    )
    distances: Distances | None = parameter(
        None,
        help="file of three columns: two labels and how bad it is to confuse them",
        resource="distances",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distances is not None and self.level != "nominal":
            raise UsageError(f"alpha: level='{self.level}' and distances contradict each other")

    def check(self, ratings: Votes) -> None:
        """Levels above nominal need an order or numbers, a file of distances all labels."""
        if self.distances is not None:
            known = {label for pair in self.distances.pairs for label in pair}
            for label in ratings.labels:
                if label not in known:
                    near = suggestion(label, sorted(known))
                    raise UsageError(f"{self.distances.path} has no label '{label}'.{near}")
            self._table(ratings.labels)
        elif self.level == "ordinal":
            check_order(self, ratings)
        elif self.level != "nominal":
            if ratings.values is None:
                name = next(label for label in ratings.labels if values_of([label]) is None)
                raise UsageError(
                    f"{self!r} needs numbers as labels, but '{name}' is not one",
                    help="for labels with an order, use level='ordinal' and '--order'",
                )
            if self.level == "ratio" and len(ratings.values) and ratings.values.min() < 0:
                raise UsageError(f"{self!r} needs numbers that are not negative")

    def unresampled(self, ratings: Votes) -> str:
        """Of very many values there is only the point estimate."""
        return TOO_MANY if self._is_whole(ratings) else ""

    def _is_whole(self, ratings: Votes) -> bool:
        """Are there so many values that disagreement is computed once, for all items?"""
        return self.level in ("ordinal", "ratio") and len(ratings.labels) > MOST_VALUES

    def stats(self, ratings: Votes) -> Stats:
        """`values`: ratings of items with several; `apart`: the disagreement inside items."""
        ratings = ratings.of_items(ratings.size > 1)
        if self.level != "nominal":
            ratings = by_value(ratings)
        if self._is_whole(ratings):
            return self._whole(ratings.as_one())
        if self.level == "interval":
            assert ratings.values is not None
            return _moments(ratings, ratings.values)
        names = self._names(ratings)
        sums = Sums(ratings, names, ("given",))
        if self.level == "ordinal":
            sums = _coincidences(ratings, names)
        else:
            sums.add("apart", self._apart(ratings))
        sums.add("values", ratings.size)
        sums.cell(0, ratings.label, ratings.item)
        return sums.stats()

    def _names(self, ratings: Votes) -> list[str]:
        """Keys of labels; sorted as texts they are in the order of labels where that matters."""
        if self.level == "ordinal":
            width = len(str(len(ratings.labels)))
            return [str(number).zfill(width) for number in range(len(ratings.labels))]
        return [*ratings.labels]

    def _apart(self, ratings: Votes) -> Floats:
        """The disagreement inside every item: distances of all pairs over one less than ratings."""
        item, _, count = ratings.cells
        size = ratings.size.astype(np.float64)
        if self.level == "nominal" and self.distances is None:
            agreeing = np.bincount(item, count * (count - 1), minlength=len(size))
            total: Floats = size * (size - 1) - agreeing
        else:
            total = np.zeros(len(size))
            table = None if self.distances is None else self._table(ratings.labels)
            for a, b in ratings.pairs():
                x, y = ratings.label[a], ratings.label[b]
                apart = (
                    table[x, y] if table is not None else _ratio(*(_of(ratings)[c] for c in (x, y)))
                )
                total += 2 * np.bincount(ratings.item[a], apart, minlength=len(size))
        return total / (size - 1)

    def _table(self, labels: Sequence[str]) -> Floats:
        assert self.distances is not None
        return np.array([[self.distances.between(a, b) for b in labels] for a in labels])

    def _whole(self, ratings: Votes) -> Stats:
        """Sums over all items: of ranks their moments, of ratios every two values in portions."""
        given = np.bincount(ratings.label, minlength=len(ratings.labels)).astype(np.float64)
        if self.level == "ordinal":
            return _moments(ratings, np.cumsum(given) - given / 2)
        sums = Sums(ratings)
        sums.add("values", ratings.size)
        sums.add("apart", self._apart(ratings))
        values, expected = _of(ratings), 0.0
        step = max(1, PORTION // len(values))
        for start in range(0, len(values), step):
            part = slice(start, start + step)
            expected += float(given[part] @ _ratio(values[part, None], values) @ given)
        sums.dense["expected"] = np.array([expected])
        return sums.stats()

    def score(self, totals: Totals) -> Scored:
        """1 less observed over expected disagreement; nothing without counts per label."""
        values = totals["values"]
        if "square" in totals:
            expected = 2 * (values * totals["square"] - totals["sum"] ** 2)
            expected = np.where(expected < SAME * values * totals["square"], 0.0, expected)
        elif "expected" in totals:
            expected = totals["expected"]
        elif not totals.sparse:
            return {}
        else:
            expected = self._expected(totals)
        apart = self._inside(totals) if "apart" not in totals else totals["apart"]
        return {"value": 1 - divide((values - 1) * apart, expected)}

    def _expected(self, totals: Totals) -> Floats:
        given = totals.label("given")
        if self.level == "nominal" and self.distances is None:
            found: Floats = totals["values"] ** 2 - (given**2).sum(-1)
            return found
        if self.level == "ordinal":
            given, values = given[..., _singles(totals)], totals["values"]
            square, total = ((given * _ranks(given) ** power).sum(-1) for power in (2, 1))
            ranked: Floats = np.maximum(2 * (values * square - total**2), 0.0)
            return ranked
        if self.distances is not None:
            table = self._table(totals.labels)
        else:
            values = np.array([*map(float, totals.labels)])
            table = _ratio(values[:, None], values)
        weighed: Floats = ((given @ table) * given).sum(-1)
        return weighed

    def _inside(self, totals: Totals) -> Floats:
        """The disagreement inside items at level ordinal, from coincidences of labels."""
        rank = _ranks(totals.label("given")[..., _singles(totals)])
        met = {place: label.split(":") for place, label in enumerate(totals.labels) if ":" in label}
        pairs = [(place, int(a), int(b)) for place, (a, b) in met.items()]
        place, a, b = np.array(pairs, np.int64).reshape(-1, 3).T
        times = totals.label("met")[..., place]
        found: Floats = (times * (rank[..., a] - rank[..., b]) ** 2).sum(-1)
        return found

    def why(self, totals: Totals) -> str:
        """Without pairs, or without any variation."""
        if not totals["values"] > 0:
            return NO_PAIRS
        return CONSTANT if np.isnan(self.score(totals)["value"]) else ""


def _of(ratings: Votes) -> Floats:
    assert ratings.values is not None
    return ratings.values


def _ranks(given: Floats) -> Floats:
    """The mean rank of every label, given how often each occurs: squared differences of these are
    the distances at level ordinal."""
    found: Floats = np.cumsum(given, axis=-1) - given / 2
    return found


def _ratio(x: Floats, y: Floats) -> Floats:
    """Squared differences as shares of sums; 0 for two zeros."""
    total = x + y
    found: Floats = np.divide(x - y, total, out=np.zeros(np.shape(total)), where=total != 0) ** 2
    return found


def _moments(ratings: Votes, values: Floats) -> Stats:
    """Counts for squared differences: no pair is ever looked at."""
    size = ratings.size.astype(np.float64)
    value = values[ratings.label]
    # Around means, so that nothing is lost by subtraction.
    value = value - (value.mean() if len(value) else 0.0)
    total = np.bincount(ratings.item, value, minlength=len(size))
    apart = (value - (total / size)[ratings.item]) ** 2
    inside = 2 * size * np.bincount(ratings.item, apart, minlength=len(size)) / (size - 1)
    sums = Sums(ratings)
    sums.add("values", size)
    sums.add("apart", inside)
    sums.add("sum", total)
    sums.add("square", np.bincount(ratings.item, value**2, minlength=len(size)))
    return sums.stats()


def _singles(totals: Totals) -> list[int]:
    """The places of labels among labels and pairs of labels."""
    return [place for place, label in enumerate(totals.labels) if ":" not in label]


def _coincidences(ratings: Votes, names: list[str]) -> Sums:
    """How often different labels of two ratings of an item meet, weighted to its number of ratings;
    only pairs of labels that do."""
    found: list[tuple[Int64, Int64, Floats]] = [(np.zeros(0, np.int64),) * 2 + (np.zeros(0),)]
    for a, b in ratings.pairs():
        apart = ratings.label[a] != ratings.label[b]
        x, y, item = ratings.label[a[apart]], ratings.label[b[apart]], ratings.item[a[apart]]
        key = np.minimum(x, y) * len(names) + np.maximum(x, y)
        found.append((item, key, 2 / (ratings.size[item] - 1)))
    item, key, weight = (np.concatenate(column) for column in zip(*found, strict=True))
    met, place = np.unique(key, return_inverse=True)
    pairs = [f"{names[k // len(names)]}:{names[k % len(names)]}" for k in met.tolist()]
    sums = Sums(ratings, (*names, *pairs), ("given", "met"))
    sums.cell(1, len(names) + place, item, weight)
    return sums
