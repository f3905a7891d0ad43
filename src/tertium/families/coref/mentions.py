"""The mentions of gold and system that count, in numbers that both sides share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, bounds_of
from tertium.families.coref.chains import (
    Atoms,
    chains_of,
    entity_of_mention,
    in_order,
    mention_extents,
    mention_items,
)
from tertium.families.spans.extents import distinct, keys_of, sides_of
from tertium.results.decisions import fingerprint

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of one side that count, in the order of the file.

    - `corpus`, `atoms`: where they are from, and the atoms of its tokens
    - `row`: the row of each in the layer, which is also its number among the items
    - `unit`: its gold document
    - `entity`: the number of its entity, from 0 over all documents, in the order in which the
      reference scorer meets them: by document, then by the first mention; of entities that begin
      at the same token those with a mention of one token come first
    - `key`: the same number for the same mention of either side
    """

    corpus: Corpus
    atoms: Atoms
    row: Int64
    unit: Int32
    entity: Int64
    key: Int64

    @classmethod
    def of(cls, corpus: Corpus, atoms: Atoms, unit: Int32, key: Int64) -> Mentions:
        """All mentions of a side, given the gold document (-1 for none) and the key of each."""
        chains = chains_of(corpus)
        rows = np.flatnonzero(unit >= 0)
        start, is_long = chains.start[rows], (chains.end - chains.start)[rows] > 1
        order = np.lexsort((is_long, start, unit[rows]))
        entity = np.empty(len(rows), np.int64)
        codes = fingerprint(unit[rows], entity_of_mention(corpus)[rows])
        entity[order] = in_order(codes[order])
        return cls(corpus, atoms, rows, unit[rows], entity, key[rows])

    def __len__(self) -> int:
        return len(self.row)

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return int(self.entity.max(initial=-1)) + 1

    @cached_property
    def size(self) -> Int64:
        """How many mentions each entity has; one that is there twice counts twice."""
        return np.bincount(self.entity, minlength=self.entities).astype(np.int64)

    @cached_property
    def unit_of_entity(self) -> Int32:
        """The document of each entity."""
        found = np.zeros(self.entities, np.int32)
        found[self.entity] = self.unit
        return found

    @cached_property
    def distinct(self) -> Int64:
        """The rows of mentions that do not repeat another one of their entity."""
        return distinct(fingerprint(self.entity, self.key))

    @cached_property
    def is_distinct(self) -> Bools:
        """Which mentions do not repeat another one of their entity."""
        found = np.zeros(len(self), np.bool_)
        found[self.distinct] = True
        return found

    def take(self, chosen: Int64 | Bools) -> Mentions:
        """Some of the mentions; entities are numbered anew."""
        entity = np.unique(self.entity[chosen], return_inverse=True)[1].astype(np.int64)
        row, key = (each[chosen] for each in (self.row, self.key))
        return replace(self, row=row, unit=self.unit[chosen], entity=entity, key=key)

    def without_singletons(self) -> Mentions:
        """Without entities that have no second mention."""
        size = np.bincount(self.entity[self.distinct], minlength=self.entities)
        return self.take(size[self.entity] > 1)


def mentions_of(gold: Corpus, system: Corpus, alignment: Alignment) -> tuple[Mentions, Mentions]:
    """The mentions of both sides; those of documents that gold does not have are left out."""
    sides = sides_of(mention_items(gold), mention_items(system), alignment)
    both = [
        (corpus, (start, end), unit)
        for corpus, (_, start, end, unit) in zip((gold, system), sides, strict=True)
    ]
    places = [mention_extents(corpus, atoms) for corpus, atoms, _ in both]
    none = [np.zeros(len(each), np.int32) for each in places]
    keys = keys_of(places[0], places[1], none[0], none[1]).place
    ours, theirs = (Mentions.of(*side, key) for side, key in zip(both, keys, strict=True))
    return ours, theirs


def assign(one: Int64, two: Int64, weight: Floats, sizes: tuple[int, int]) -> Int64:
    """Of pairs of things those that weigh most in sum, with everything in one of them at most;
    given both things of each pair, and how many things there are on either side."""
    from tertium.families.coref._kernels import best_pairs

    order = np.lexsort((two, one))
    bounds = bounds_of(np.bincount(one, minlength=sizes[0]))
    taken = best_pairs(bounds, two[order], weight[order], sizes[1])
    chosen: Int64 = order[taken[taken >= 0]]
    return chosen
