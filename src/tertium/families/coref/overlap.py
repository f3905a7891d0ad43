"""The table of what gold and system entities have in common: all measures read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64, bounds_of
from tertium.families.coref.mentions import Floats, Match, Mentions
from tertium.families.spans.extents import distinct
from tertium.results.decisions import fingerprint


@dataclass(frozen=True, eq=False)
class OverlapTable:
    """A row for every gold and system entity that have a mention in common, by gold entity.

    The three counts differ only where gold has a mention more than once.

    - `gold`, `system`: the two entities
    - `shared`: how many mentions they have in common
    - `last`: how many of these are in no later gold entity
    - `written`: how many mentions of the gold entity, as it is written, are in that of the system
    """

    match: Match
    units: int
    gold: Int64
    system: Int64
    shared: Int64
    last: Int64
    written: Int64

    @classmethod
    def of(cls, match: Match, units: int) -> OverlapTable:
        """The table of one pair of sides."""
        ours, theirs = match.gold, match.system
        rows = np.flatnonzero(match.partner >= 0)
        partner = match.partner[rows]
        width = max(theirs.entities, 1)
        cells, cell = np.unique(
            ours.entity[rows] * width + theirs.entity[partner], return_inverse=True
        )

        def count(chosen: npt.NDArray[np.generic]) -> Int64:
            return np.bincount(cell[chosen], minlength=len(cells)).astype(np.int64)

        shared = last = written = count(np.ones(len(rows), np.bool_))
        if match.duplicates_gold.any():
            shared = count(distinct(fingerprint(ours.entity[rows], ours.key[rows])))
            last = count(match.of_system[partner] == rows)
        return cls(match, units, cells // width, cells % width, shared, last, written)

    def per_unit(self, cells: npt.ArrayLike) -> Floats:
        """A number of each cell summed by document."""
        return summed(self.match.gold.unit_of_entity[self.gold], cells, self.units)

    def per_side(self, side: Mentions, entities: npt.ArrayLike) -> Floats:
        """A number of each entity of a side summed by document."""
        return summed(side.unit_of_entity, entities, self.units)

    @cached_property
    def sizes(self) -> tuple[Int64, Int64]:
        """Of each cell the number of mentions of both entities."""
        return self.match.gold.size[self.gold], self.match.system.size[self.system]

    def best(self, weights: Floats) -> Floats:
        """The weights of those cells that weigh most in sum, by document, with each entity in one
        cell at most."""
        from tertium.families.coref._kernels import best_pairs

        bounds = bounds_of(np.bincount(self.gold, minlength=self.match.gold.entities))
        taken = best_pairs(bounds, self.system, weights, self.match.system.entities)
        chosen = np.zeros(len(weights))
        chosen[taken[taken >= 0]] = weights[taken[taken >= 0]]
        return self.per_unit(chosen)


def summed(unit: npt.NDArray[np.integer], numbers: npt.ArrayLike, units: int) -> Floats:
    """Numbers summed by the unit of each."""
    values = np.broadcast_to(np.asarray(numbers, np.float64), unit.shape)
    return np.bincount(unit, values, units).astype(np.float64)


def links(size: npt.ArrayLike) -> Floats:
    """How many pairs can be made of so many mentions.

    >>> links([1, 2, 4]).tolist()
    [0.0, 1.0, 6.0]
    """
    n = np.asarray(size, np.float64)
    return n * (n - 1) / 2
