"""The mentions of gold and system that count, and which of them are the same.

All measures of coreference start from `match`: it drops singletons, pairs mentions one to one and
settles mentions that a side has twice, as version 8.01 of the reference scorer does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.align.units import shown_names
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64
from tertium.corpus.layers import Chains
from tertium.exceptions import InputError, LayerError, counted
from tertium.families.coref.zeros import ZeroSide, keys_by_dependencies, zero_places, zero_rows
from tertium.families.spans.extents import Extents, distinct, extents_of, keys_of, repeated, row_of
from tertium.formats.coref.corefud import entity_chains
from tertium.results.decisions import fingerprint
from tertium.results.items import Items

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

CHAINS = "coref"
SINGLETONS = ("keep", "drop", "drop_gold", "drop_system")
MATCHING = ("exact", "partial", "head")
DUPLICATES = ("v8.01", "refuse")
_SHOWN = 5  # duplicates that are named one by one


@once
def chain_layers(corpus: Corpus) -> dict[str, Chains]:
    """All layers of coreference, by name; one that is written in another layer is read from it."""
    found = corpus.of_kind(Chains)
    if not found and (chains := entity_chains(corpus)) is not None:
        return {CHAINS: chains}
    return found


def chains_of(corpus: Corpus) -> Chains:
    """The layer of coreference. Raises LayerError if there is none."""
    for chains in chain_layers(corpus).values():
        return chains
    raise LayerError(f"{corpus.origin} has no coreference chains")


@once
def mention_items(corpus: Corpus) -> Items:
    """Every mention is an item, labelled with the type of its entity. One that consists of empty
    nodes alone covers no token; its anchor is a token of its sentence."""
    chains = chains_of(corpus)
    last = corpus.offsets[chains.sentence + 1] - 1
    start = np.minimum(chains.start, last).clip(0).astype(np.int32)
    end = np.where(chains.end > chains.start, chains.end, start).astype(np.int32)
    label = chains.label.rename({"": "mention"})
    return Items(start, end, label, chains.tokens, chain=chains.name)


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of one side that count, in the order of the file.

    - `row`: the row of each in the layer, which is also its number among the items
    - `unit`: its gold document
    - `entity`: the number of its entity, from 0 over all documents, in the order in which the
      reference scorer meets them: by document, then by the first mention; of entities that begin
      at the same token those with a mention of one token come first
    - `key`: the same number for the same mention of either side
    """

    row: Int64
    unit: Int32
    entity: Int64
    key: Int64

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

    def take(self, chosen: Int64 | Bools) -> Mentions:
        """Some of the mentions; entities are numbered anew."""
        entity = np.unique(self.entity[chosen], return_inverse=True)[1].astype(np.int64)
        return Mentions(self.row[chosen], self.unit[chosen], entity, self.key[chosen])

    def without_singletons(self) -> Mentions:
        """Without entities that have no second mention."""
        pairs = distinct(fingerprint(self.entity, self.key))
        size = np.bincount(self.entity[pairs], minlength=self.entities)
        return self.take(size[self.entity] > 1)


@dataclass(frozen=True, eq=False)
class Match:
    """Both sides of a pair, and which mentions are the same.

    - `partner`: of each gold mention the system mention that is the same, -1 for none
    - `of_system`: of each system mention the gold mention that is the same, -1 for none. Where gold
      has it in several entities, that is the one in the last of them
    - `duplicates_gold`, `duplicates_system`: how many mentions of each document repeat another

    A system mention that is also in gold is there once: in the first of the entities that have it.
    """

    gold: Mentions
    system: Mentions
    partner: Int64
    of_system: Int64
    duplicates_gold: Floats
    duplicates_system: Floats


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
        if duplicates == "refuse":
            for corpus in (gold, system):
                _refuse(corpus)
        alignment.derived[name] = _match(gold, system, alignment, singletons, matching, zeros)
    found: Match = alignment.derived[name]
    return found


def _match(
    gold: Corpus,
    system: Corpus,
    alignment: Alignment,
    singletons: str,
    matching: str,
    zeros: str,
) -> Match:
    ours, theirs = _sides(gold, system, alignment)
    if singletons in ("drop", "drop_gold"):
        ours = ours.without_singletons()
    if singletons in ("drop", "drop_system"):
        theirs = theirs.without_singletons()
    repeats = [repeated(s.unit, distinct(s.key), alignment.units) for s in (ours, theirs)]
    ours, theirs, paired = _with_zeros(gold, system, alignment, (ours, theirs), zeros)
    if matching != "exact":
        from tertium.families.coref.heads import system_keys

        keys = system_keys(gold, system, alignment, (ours, theirs), matching, paired)
        theirs = replace(theirs, key=keys)
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


def _with_zeros(
    gold: Corpus,
    system: Corpus,
    alignment: Alignment,
    sides: tuple[Mentions, Mentions],
    way: str,
) -> tuple[Mentions, Mentions, int | None]:
    """Both sides with the same keys for zeros that are paired by what they depend on, and the least
    of these keys; None where none is."""
    corpora = gold, system
    if way == "position" or any(chains_of(each).zeros is None for each in corpora):
        return *sides, None
    both = [
        ZeroSide(corpus, chains_of(corpus), side.row, side.key)
        for corpus, side in zip(corpora, sides, strict=True)
    ]
    *keys, least = keys_by_dependencies(both[0], both[1], alignment)
    ours, theirs = (replace(side, key=key) for side, key in zip(sides, keys, strict=True))
    return ours, theirs, least


def _sides(gold: Corpus, system: Corpus, alignment: Alignment) -> tuple[Mentions, Mentions]:
    """The mentions of both sides; those of documents that gold does not have are left out."""
    places, found = [], []
    for corpus, start, end, unit in (
        (gold, alignment.gold_start, alignment.gold_end, alignment.unit_of_gold),
        (system, alignment.system_start, alignment.system_end, alignment.unit_of_system),
    ):
        items = mention_items(corpus)
        places.append(mention_extents(corpus, items, start, end))
        found.append((corpus, items.of_first(unit)))
    none = [np.zeros(len(each), np.int32) for each in places]
    keys = keys_of(places[0], places[1], none[0], none[1]).place
    ours, theirs = (
        _numbered(corpus, unit, key) for (corpus, unit), key in zip(found, keys, strict=True)
    )
    return ours, theirs


def mention_extents(corpus: Corpus, items: Items, start: Int64, end: Int64) -> Extents:
    """Where mentions lie. Empty nodes are told apart by their numbers in the sentence; a mention
    that consists of them alone is nowhere else."""
    chains, found = chains_of(corpus), extents_of(items, start, end)
    if chains.zeros is None:
        return found
    owner, nodes = zero_nodes(corpus, start, end)
    content = found.content.view(np.uint64).copy()
    np.add.at(content, owner, fingerprint(nodes).view(np.uint64))  # in whatever order
    is_nowhere = chains.end == chains.start
    first, last = (np.where(is_nowhere, 0, each) for each in (found.start, found.end))
    return replace(found, start=first, end=last, content=content.view(np.int64))


def zero_nodes(corpus: Corpus, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """The empty nodes that mentions cover: the row of the mention, and a number of the node that is
    below 0 and the same on both sides."""
    owner, nodes = zero_rows(corpus, chains_of(corpus))
    return owner, zero_places(corpus, start, end)[nodes]


def _numbered(corpus: Corpus, unit: Int32, key: Int64) -> Mentions:
    """All mentions of a side with their entities in the order of the reference scorer."""
    chains = chains_of(corpus)
    rows = np.flatnonzero(unit >= 0)
    start, is_long = chains.start[rows], (chains.end - chains.start)[rows] > 1
    order = np.lexsort((is_long, start, unit[rows]))
    entity = fingerprint(unit[rows], _document_of_row(corpus)[rows], chains.entity[rows])
    _, first, number = np.unique(entity[order], return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    numbers = np.empty(len(rows), np.int64)
    numbers[order] = place[number]
    return Mentions(rows, unit[rows], numbers, key[rows])


def _document_of_row(corpus: Corpus) -> Int32:
    return corpus.document_of_sentence[chains_of(corpus).sentence]


@once
def duplicates_of(corpus: Corpus) -> tuple[int, str]:
    """How many mentions of a side repeat another, and the first few in words."""
    chains, items = chains_of(corpus), mention_items(corpus)
    token = np.arange(corpus.token_count + 1, dtype=np.int64)
    places = mention_extents(corpus, items, token[:-1], token[1:]).identity
    key = fingerprint(_document_of_row(corpus), *places)
    repeats = np.ones(len(key), np.bool_)
    repeats[distinct(key)] = False
    rows = np.flatnonzero(repeats)
    told = []
    for again in distinct(key[rows])[:_SHOWN].tolist():
        same = np.flatnonzero(key == key[rows[again]])
        times = Counter(chains.name[row] for row in same.tolist())
        names = [f"{name} ({n} times)" if n > 1 else name for name, n in times.items()]
        plural = "s" if len(names) > 1 else ""
        told.append(f"{_place(corpus, int(same[0]))} in chain{plural} {' and '.join(names)}")
    return len(rows), "; ".join(told)


def _place(corpus: Corpus, row: int) -> str:
    """Document and tokens of a mention, counted from 1 in the document."""
    items = mention_items(corpus)
    document = int(_document_of_row(corpus)[row])
    first = int(corpus.offsets[corpus.documents[document]])
    begin, end = int(items.start[row]) - first + 1, int(items.end[row]) - first
    stretch = f"token {begin}" if end <= begin else f"tokens {begin}-{end}"
    return f"'{shown_names(corpus)[document]}' {stretch}"


def duplicates_remark(corpus: Corpus) -> str:
    """A note on mentions that a side has more than once; empty if there are none."""
    count, first = duplicates_of(corpus)
    if not count:
        return ""
    more = ", the first of them" if count > _SHOWN else ""
    return f"{corpus.origin}: {counted(count, 'repeated mention')}{more}: {first}"


def _refuse(corpus: Corpus) -> None:
    if remark := duplicates_remark(corpus):
        raise InputError(remark, help="duplicates='v8.01' scores them as the reference scorer does")
