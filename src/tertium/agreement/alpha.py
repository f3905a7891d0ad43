"""Krippendorff's alpha: observed disagreement over expected disagreement, at any level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.agreement.coefficients import MOST_VALUES, SAME, Coefficient
from tertium.agreement.sums import CellNumbers, by_number, stats_of
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError
from tertium.families.base import Scored, citation, divide
from tertium.formats.resources import Distances
from tertium.registry import parameter
from tertium.results.stats import Stats, Totals
from tertium.results.votes import PORTION, Bools, Floats, Votes

TOO_MANY = f"every resample compares all pairs of values, and there are more than {MOST_VALUES:,}"
TRY_ORDINAL = "for labels with an order, use level='ordinal' and '--order'"
Distance = Callable[[Int64, Int64], Floats]


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
        help="file with three columns: two labels and the distance between them",
        resource="distances",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distances is not None and self.level != "nominal":
            raise UsageError(f"alpha: level='{self.level}' and distances cannot be combined")

    def check(self, ratings: Votes) -> None:
        """Levels above nominal need an order or numbers, a file of distances all labels."""
        if self.level == "nominal":
            self._distance(ratings.labels)
        elif self.level == "ordinal":
            self.check_order(ratings)
        else:
            self.check_numbers(ratings.labels, "numbers as labels", TRY_ORDINAL)
            least = min(ratings.labels, key=float, default="0")
            if self.level == "ratio" and float(least) < 0:
                raise UsageError(f"{self!r} needs numbers that are not negative. Got {least}.")

    def unresampled(self, ratings: Votes) -> str:
        """Of very many values there is only the point estimate."""
        is_long = self.level in ("ordinal", "ratio") and len(ratings.labels) > MOST_VALUES
        return TOO_MANY if is_long else super().unresampled(ratings)

    def stats(self, ratings: Votes) -> Stats:
        """`paired`: ratings of items with several; `apart`: the disagreement inside items."""
        ratings = ratings.of_items(ratings.size > 1)
        if self.level == "interval":
            return stats_of(ratings, _moments(ratings, np.array([*map(float, ratings.labels)])))
        if self.level == "ordinal":
            ratings = by_number(ratings)
            if ratings.units > 1 and not self.unresampled(ratings):
                return _coincidences(ratings)
            # Of all items together: ranks do not change any more.
            given = np.bincount(ratings.label, minlength=len(ratings.labels))
            return stats_of(ratings.as_one(), _moments(ratings, _ranks(given.astype(np.float64))))
        columns = {"apart": self._apart(ratings) / (ratings.size - 1), "paired": ratings.size}
        cells = [(0, ratings.label, ratings.item, 1.0)]
        return stats_of(ratings, columns, ("given",), ratings.labels, cells)

    def _apart(self, ratings: Votes) -> Floats:
        """The distances of all ordered pairs of ratings of every item."""
        distance = self._distance(ratings.labels)
        if distance is None:
            agreeing = np.bincount(ratings.item, ratings.same, len(ratings))
            return ratings.size * (ratings.size - 1.0) - agreeing
        total = np.zeros(len(ratings))
        for a, b in ratings.pairs():
            apart = distance(ratings.label[a], ratings.label[b])
            total += 2 * np.bincount(ratings.item[a], apart, minlength=len(ratings))
        return total

    def _distance(self, labels: Sequence[str]) -> Distance | None:
        """How far apart labels are, by their numbers, as a file has it or as ratios; None where all
        are equally far apart."""
        if self.distances is not None:
            table = np.array(self.distances.square(labels))
            return lambda a, b: table[a, b]
        if self.level == "nominal":
            return None
        values = np.array([*map(float, labels)])
        return lambda a, b: _ratio(values[a], values[b])

    def score(self, totals: Totals) -> Scored:
        """1 less observed over expected disagreement; nothing without counts per label."""
        count = totals["paired"]
        if "square" in totals:
            apart, expected = totals["apart"], _spread(count, totals["sum"], totals["square"])
        elif not totals.sparse:
            return {}
        elif self.level == "ordinal":
            apart, expected = _ordinal(totals)
        else:
            apart, given = totals["apart"], totals.label("given")
            expected = _weighted(given, self._distance(totals.labels))
        return {"value": 1 - divide((count - 1) * apart, expected)}


def _ranks(given: Floats) -> Floats:
    """The mean rank of every label, given how often each occurs: squared differences of these are
    the distances at level ordinal."""
    return np.asarray(np.cumsum(given, axis=-1) - given / 2)


def _ratio(x: Floats, y: Floats) -> Floats:
    """Squared differences as shares of sums; 0 for two zeros."""
    total = x + y
    share = np.divide(x - y, total, out=np.zeros(np.shape(total)), where=total != 0)
    return np.asarray(share**2)


def _weighted(given: Floats, distance: Distance | None) -> Floats:
    """The distances of all pairs of ratings, given how often each label occurs. Every two labels
    are compared, in portions, where they are not all equally far apart."""
    if distance is None:
        return np.asarray(given.sum(-1) ** 2 - (given**2).sum(-1))
    size = given.shape[-1]
    found, label = np.zeros(given.shape[:-1]), np.arange(size)
    step = max(1, PORTION // max(size, 1))
    for part in (label[start : start + step] for start in range(0, size, step)):
        found += ((given[..., part] @ distance(part[:, None], label)) * given).sum(-1)
    return found


def _spread(count: Floats, total: Floats, square: Floats) -> Floats:
    """The squared differences of all pairs of values, given how many there are, their sum and that
    of their squares."""
    found = 2 * (count * square - total**2)
    return np.where(found < SAME * count * square, 0.0, found)


def _moments(ratings: Votes, values: Floats) -> dict[str, npt.NDArray[Any]]:
    """Columns for squared differences of values of labels: no pair is ever compared."""
    value = values[ratings.label]
    # Around means, so that nothing is lost by subtraction.
    value = value - (value.mean() if len(value) else 0.0)
    total = np.bincount(ratings.item, value, minlength=len(ratings))
    apart = (value - (total / ratings.size)[ratings.item]) ** 2
    inside, square = (np.bincount(ratings.item, x, len(ratings)) for x in (apart, value**2))
    apart = 2 * ratings.size * inside / (ratings.size - 1)
    return {"paired": ratings.size, "apart": apart, "sum": total, "square": square}


def _coincidences(ratings: Votes) -> Stats:
    """How often each label is given, and how often two different ones meet on an item, weighted by
    its number of ratings; only pairs of labels that do."""
    size, none = len(ratings.labels), np.zeros(0, np.int64)
    found = [(none, none, np.zeros(0))]
    for a, b in ratings.pairs():
        apart = ratings.label[a] != ratings.label[b]
        x, y, item = ratings.label[a[apart]], ratings.label[b[apart]], ratings.item[a[apart]]
        key = np.minimum(x, y) * size + np.maximum(x, y)
        found.append((item, key, 2 / (ratings.size[item] - 1)))
    item, key, weight = (np.concatenate(column) for column in zip(*found, strict=True))
    met, place = np.unique(key, return_inverse=True)
    # As texts they are in the order of numbers.
    names = [f"{code:09}" for code in range(size)]
    names += [f"{k // size:09}:{k % size:09}" for k in met.tolist()]
    cells: list[CellNumbers]
    cells = [(0, ratings.label, ratings.item, 1.0), (1, size + place, item, weight)]
    return stats_of(ratings, {"paired": ratings.size}, ("given", "met"), names, cells)


@lru_cache(maxsize=1)
def _met(labels: Sequence[str]) -> tuple[Bools, Int64, Int64]:
    """Which labels of coincidences are pairs, and the labels of each: once for all resamples."""
    is_pair = np.array([":" in label for label in labels], np.bool_)
    pairs = [[*map(int, label.split(":"))] for label in labels if ":" in label]
    return is_pair, *np.array(pairs, np.int64).reshape(-1, 2).T


def _ordinal(totals: Totals) -> tuple[Floats, Floats]:
    """The disagreement inside items and that of all ratings, from coincidences."""
    is_pair, x, y = _met(totals.labels)
    given, met = totals.label("given")[..., ~is_pair], totals.label("met")[..., is_pair]
    rank = _ranks(given)
    square, total = ((given * rank**power).sum(-1) for power in (2, 1))
    inside = (met * (rank[..., x] - rank[..., y]) ** 2).sum(-1)
    return inside, _spread(totals["paired"], total, square)
