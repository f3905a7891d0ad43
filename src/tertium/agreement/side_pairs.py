"""Which two sides have items in common."""

from __future__ import annotations

import numpy as np

from tertium.agreement.rated_items import RatedItems
from tertium.corpus.labels import Int64

MOST_COUNTS = 5_000_000  # of labels, by annotator or by pair of annotators
TOO_LARGE = f"more than {MOST_COUNTS:,} counts of labels by annotator or pair of annotators"
MOST_MARKS = 200_000_000  # bytes: one for every two sides


def two_sides(ratings: RatedItems, a: Int64, b: Int64) -> Int64:
    """A number for the two sides of each of these pairs of ratings."""
    found: Int64 = ratings.side[a].astype(np.int64) * len(ratings.sides) + ratings.side[b]
    return found


def sides_met(ratings: RatedItems) -> Int64:
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
