"""Which mentions of gold and system are the same, and what their entities have in common.

All measures of coreference start from `match`: it drops singletons, pairs mentions one to one and
settles mentions that a side has twice, as version 8.01 of the reference scorer does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import InputError
from tertium.families.coref.chains import chains_of, duplicate_remarks
from tertium.families.coref.heads import with_partial_matches
from tertium.families.coref.mentions import Floats, Mentions, assign, mentions_of
from tertium.families.coref.zeros import with_paired_zeros
from tertium.families.spans.extents import distinct, repeated, row_of

SINGLETONS = ("keep", "drop", "drop_gold", "drop_system")
MATCHING = ("exact", "partial", "head")
DUPLICATES = ("v8.01", "refuse")


@dataclass(frozen=True, eq=False)
class Match:
    """Both sides of a pair, and which mentions are the same.

    - `partner`: of each gold mention the system mention that is the same, -1 for none
    - `of_system`: of each system mention the gold mention that is the same, -1 for none. Where gold
      has it in several entities, that is the one in the last of them
    - `duplicates_gold`, `duplicates_system`: how many mentions of each document repeat another

    A system mention that is also in gold is there once: in the first of the entities that have it.

    The *cells* are all gold and system entities that have a mention in common, by gold entity.
    `shared`, `last` and `written` differ only where gold has a mention more than once.
    """

    gold: Mentions
    system: Mentions
    partner: Int64
    of_system: Int64
    duplicates_gold: Floats
    duplicates_system: Floats

    @property
    def sides(self) -> tuple[Mentions, Mentions]:
        """Gold and system."""
        return self.gold, self.system

    @property
    def units(self) -> int:
        """How many documents there are."""
        return len(self.duplicates_gold)

    @property
    def coverage(self) -> dict[str, int]:
        """How many mentions of each side repeat another."""
        names = ("duplicates_gold", "duplicates_system")
        counts = {name: int(getattr(self, name).sum()) for name in names}
        return {name: count for name, count in counts.items() if count}

    @cached_property
    def found(self) -> Int64:
        """The gold mentions that the system has, those that an entity repeats once."""
        return self.gold.distinct[self.partner[self.gold.distinct] >= 0]

    @cached_property
    def _cells(self) -> tuple[Int64, Int64, Int64]:
        rows, width = np.flatnonzero(self.partner >= 0), max(self.system.entities, 1)
        code = self.gold.entity[rows] * width + self.system.entity[self.partner[rows]]
        of_mention = np.full(len(self.gold), -1, np.int64)
        cells, of_mention[rows] = np.unique(code, return_inverse=True)
        return cells // width, cells % width, of_mention

    @property
    def entities(self) -> tuple[Int64, Int64]:
        """Of each cell the gold entity and the system entity."""
        return self._cells[:2]

    @property
    def cell(self) -> Int64:
        """The cell of each gold mention, -1 for those that the system does not have."""
        return self._cells[2]

    @cached_property
    def sizes(self) -> tuple[Int64, Int64]:
        """Of each cell the number of mentions of both entities."""
        return self.gold.size[self.entities[0]], self.system.size[self.entities[1]]

    @cached_property
    def shared(self) -> Int64:
        """How many mentions the entities of each cell have in common."""
        return self._count(self.found)

    @cached_property
    def last(self) -> Int64:
        """How many of these are in no later gold entity."""
        return self._count(self.of_system[self.of_system >= 0])

    @cached_property
    def written(self) -> Int64:
        """How many mentions of the gold entity, as it is written, are in that of the system."""
        return self._count(np.flatnonzero(self.partner >= 0))

    def _count(self, mentions: Int64) -> Int64:
        return np.bincount(self.cell[mentions], minlength=len(self.entities[0])).astype(np.int64)

    def best(self, weights: Floats) -> Floats:
        """The weights of those cells that weigh most in sum, 0 for all others, with each entity in
        one cell at most."""
        sizes = self.gold.entities, self.system.entities
        chosen, found = assign(*self.entities, weights, sizes), np.zeros(len(weights))
        found[chosen] = weights[chosen]
        return found

    def per_unit(self, cells: npt.ArrayLike) -> Floats:
        """A number of each cell summed by document."""
        return summed(self.gold.unit_of_entity[self.entities[0]], cells, self.units)


def match(
    gold: Corpus,
    system: Corpus,
    alignment: Alignment,
    *,
    singletons: str = "keep",
    matching: str = "exact",
    duplicates: str = "v8.01",
    zeros: str = "dependencies",
) -> Match:
    """Pair the mentions of two sides; what was found before is kept with the alignment."""
    name = ("coreference", singletons, matching, duplicates, zeros)
    if name not in alignment.derived:
        if duplicates == "refuse" and (remarks := duplicate_remarks(gold, system)):
            way_out = "duplicates='v8.01' scores them as the reference scorer does"
            raise InputError(remarks[0], help=way_out)
        alignment.derived[name] = _match(gold, system, alignment, singletons, matching, zeros)
    found: Match = alignment.derived[name]
    return found


def _match(
    gold: Corpus, system: Corpus, alignment: Alignment, singletons: str, matching: str, zeros: str
) -> Match:
    ours, theirs = mentions_of(gold, system, alignment)
    if singletons in ("drop", "drop_gold"):
        ours = ours.without_singletons()
    if singletons in ("drop", "drop_system"):
        theirs = theirs.without_singletons()
    repeats = [repeated(s.unit, distinct(s.key), alignment.units) for s in (ours, theirs)]
    paired = None
    has_zeros = all(chains_of(each).zeros is not None for each in (gold, system))
    if zeros == "dependencies" and has_zeros:
        ours, theirs, paired = with_paired_zeros(ours, theirs, alignment)
    if matching != "exact":
        theirs = with_partial_matches(ours, theirs, alignment, matching, paired)
    # Only the first entity keeps a mention that is also in gold.
    in_order = np.argsort(theirs.entity, kind="stable")
    is_kept = ~np.isin(theirs.key, ours.key)
    is_kept[in_order[distinct(theirs.key[in_order])]] = True
    theirs = theirs.take(is_kept)
    last_first = np.argsort(ours.entity, kind="stable")[::-1]
    return Match(
        ours,
        theirs,
        row_of(ours.key, theirs.key, np.arange(len(theirs))),
        row_of(theirs.key, ours.key, last_first[distinct(ours.key[last_first])]),
        *repeats,
    )


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
