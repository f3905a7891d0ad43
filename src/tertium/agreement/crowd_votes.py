"""Votes of annotators one by one, and what a method makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of
from tertium.formats.judgements import Judgements
from tertium.results.votes import SILENT, Votes

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
FREE, FOREIGN = -1, -2  # of control items: not one; with a label that no annotator gave


@dataclass(frozen=True, eq=False)
class CrowdVotes:
    """Votes sorted by item and label: only those that there are, so that many annotators who judge
    few items each cost nothing.

    - `item`, `annotator`, `label`: a row per vote, as numbers
    - `items`: the names of items, in order; `sides`, `labels`: those of annotators and labels
    """

    item: Int32
    annotator: Int32
    label: Int32
    items: Names
    sides: Sequence[str]
    labels: Names

    @classmethod
    def of(
        cls,
        item: Int32,
        side: Int32,
        label: Int32,
        items: Names,
        sides: Sequence[str],
        labels: Names,
    ) -> CrowdVotes:
        """Votes in any order."""
        order = np.lexsort((side, label, item))
        item, side, label = (np.ascontiguousarray(c[order], np.int32) for c in (item, side, label))
        return cls(item, side, label, items, sides, labels)

    @classmethod
    def of_judgements(cls, found: Judgements) -> CrowdVotes:
        """Those that were read from a table."""
        item, side, label = found.item, found.annotator, found.label
        names = item.names, side.names.strings, label.names
        return cls.of(item.codes, side.codes, label.codes, *names)

    @classmethod
    def of_votes(cls, votes: Votes, items: Names) -> CrowdVotes:
        """Those of sides over a text."""
        item, side = np.nonzero(votes.codes != SILENT)
        label = votes.codes[item, side]
        return cls.of(
            item.astype(np.int32), side.astype(np.int32), label, items, votes.sides, votes.labels
        )

    @cached_property
    def start(self) -> Int64:
        """The first vote of every item, and one more."""
        return bounds_of(np.bincount(self.item, minlength=len(self.items)))

    @cached_property
    def cell(self) -> Int64:
        """The cell of every vote: votes for one label of one item."""
        begins = np.append(True, (np.diff(self.item) != 0) | (np.diff(self.label) != 0))
        return np.cumsum(begins[: len(self.item)]) - 1

    @cached_property
    def first_of_cell(self) -> Int64:
        """The first vote of every cell."""
        return np.flatnonzero(np.diff(self.cell, prepend=-1))

    @cached_property
    def cell_votes(self) -> Int64:
        """How many votes every cell has."""
        return np.bincount(self.cell).astype(np.int64)

    @cached_property
    def agreement(self) -> Int64:
        """How often each annotator votes as another does: once for each item and other one."""
        others = self.cell_votes[self.cell] - 1
        found = np.bincount(self.annotator, others, len(self.sides))
        return np.rint(found).astype(np.int64)

    def take(self, chosen: Bools) -> CrowdVotes:
        """Some of the votes."""
        columns = {name: getattr(self, name)[chosen] for name in ("item", "annotator", "label")}
        return replace(self, **columns)

    def best(self, value: Floats) -> tuple[Int32, Bools]:
        """For every item the label whose votes have the largest value, the label that was seen
        first where several do, -1 without votes; and whether several do. Values of one cell are
        equal."""
        found = np.full(len(self.items), SILENT, np.int32)
        tied = np.zeros(len(self.items), np.bool_)
        if not len(value):
            return found, tied
        at = self.first_of_cell
        item, value = self.item[at], value[at]
        first = np.flatnonzero(np.diff(item, prepend=-1))
        top = np.maximum.reduceat(value, first)
        of_cell = np.cumsum(np.diff(item, prepend=-1) != 0) - 1
        wins = np.flatnonzero(value >= top[of_cell] - 1e-12)
        tied[item[first]] = np.bincount(of_cell[wins]) > 1
        found[item[wins[::-1]]] = self.label[at][wins[::-1]]  # the first of equal ones stays
        return found, tied


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a method found.

    - `label`: of every item, -1 for none; `confidence`: how probable it is or, by majority, its
      share of the votes; `entropy`: that of all labels in nats, -inf without votes
    - `competence`: of every annotator: how probable it is that they know, give the right label or,
      by majority, vote with it
    - `tied`: items whose label was as good as a second one
    """

    label: Int32
    confidence: Floats
    entropy: Floats
    competence: Floats
    tied: Bools
    log_likelihood: float | None = None

    def within(self, threshold: float) -> Estimate:
        """Without labels of items whose entropy is above that of the share of items asked for.
        Items without votes count, as in MACE."""
        place = int(len(self.entropy) * threshold)
        if place >= len(self.entropy):
            return self
        limit = np.sort(self.entropy)[place]
        kept = self.entropy <= limit
        return replace(self, label=np.where(kept, self.label, np.int32(SILENT)))


def entropy_of(shares: Floats, of_item: Int64, items: int) -> Floats:
    """The entropy of items, given the shares of labels and their items."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, -shares * np.log(shares), 0.0)
    found = np.full(items, -np.inf)
    there = np.bincount(of_item, minlength=items) > 0
    found[there] = np.bincount(of_item, terms, items)[there]
    return found


def controls_of(known: Labels, ratings: CrowdVotes) -> Int32:
    """The codes of known labels, given one per item, '' for none."""
    codes = np.array(
        [FREE if not name else ratings.labels.find(name) for name in known.names] or [FREE]
    )
    foreign = np.array([bool(name) for name in known.names] or [False]) & (codes < 0)
    return np.where(foreign, FOREIGN, codes)[known.codes].astype(np.int32)
