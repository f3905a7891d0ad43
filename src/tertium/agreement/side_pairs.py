"""Which two sides have items in common."""

from __future__ import annotations

import numpy as np

from tertium.corpus.labels import Int64
from tertium.results.stats import Totals
from tertium.results.votes import Votes

MOST_COUNTS = 5_000_000  # of labels, by annotator or by pair of annotators
TOO_LARGE = f"more than {MOST_COUNTS:,} counts of labels by annotator or pair of annotators"
MOST_MARKS = 200_000_000  # bytes: one for every two sides


def two_sides(ratings: Votes, a: Int64, b: Int64) -> Int64:
    """A number for the two sides of each of these pairs of ratings."""
    found: Int64 = ratings.side[a].astype(np.int64) * len(ratings.sides) + ratings.side[b]
    return found


def sides_met(ratings: Votes) -> Int64:
    """The numbers of all pairs of sides that have items in common, in order. There may be far fewer
    than pairs of sides."""
    if "met" not in ratings.derived:
        found, few = np.zeros(0, np.int64), len(ratings.sides) ** 2 <= MOST_MARKS
        marks = np.zeros(len(ratings.sides) ** 2 if few else 0, np.bool_)
        for a, b in ratings.pairs():
            if few:
                marks[two_sides(ratings, a, b)] = True
            else:
                found = np.union1d(found, two_sides(ratings, a, b))
        ratings.derived["met"] = np.flatnonzero(marks) if few else found
    met: Int64 = ratings.derived["met"]
    return met


def numbered_pairs(totals: Totals) -> list[tuple[tuple[int, ...], int]]:
    """Pairs of sides in order, and their places in totals: by the order of their texts."""
    pairs = (tuple(map(int, label.split(":"))) for label in totals.labels)
    return sorted((pair, place) for place, pair in enumerate(pairs))


def pairs_of(totals: Totals) -> list[tuple[int, int, int, int]]:
    """Every two sides that have items in common, how many, and on how many of these they differ,
    where all disagreements are the same."""
    items, apart = totals.label("items"), totals.label("apart")
    return [(a, b, int(items[n]), int(apart[n])) for (a, b), n in numbered_pairs(totals)]
