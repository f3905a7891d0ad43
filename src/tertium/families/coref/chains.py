"""The chains of one text: its mentions, entities and empty nodes, and which mentions repeat."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.align.units import shown_names
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of
from tertium.corpus.layers import Chains, EmptyNodes, Ragged
from tertium.exceptions import LayerError, counted
from tertium.families.spans.extents import Extents, extents_of
from tertium.formats.coref.corefud import entity_chains
from tertium.formats.problems import repeated_mentions
from tertium.results.decisions import fingerprint
from tertium.results.items import Detail, Items

Atoms = tuple[Int64, Int64]  # where every token of a side begins and ends, in what both sides share

CHAINS = "coref"
CHAIN = Detail("chain", "the mentions of the entity")
_SHOWN = 5  # duplicates that are named one by one
_MOST = 30  # mentions of a chain that are written out
_EMPTY = "∅"  # a mention without words


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


def document_of_mention(corpus: Corpus) -> Int32:
    """The document of every mention."""
    return corpus.document_of_sentence[chains_of(corpus).sentence]


@once
def entity_of_mention(corpus: Corpus) -> Int64:
    """The number of every mention's entity among the items of `entity_items`."""
    return in_order(fingerprint(document_of_mention(corpus), chains_of(corpus).entity))


@once
def entity_items(corpus: Corpus) -> Items:
    """Every entity is an item where its first mention is."""
    entity = entity_of_mention(corpus)
    order = np.argsort(entity, kind="stable").astype(np.int32)
    chains = Ragged(bounds_of(np.bincount(entity)), order)
    items = mention_items(corpus).take(order[chains.bounds[:-1]].astype(np.int64))
    label = items.label.rename({"mention": "entity"})
    texts = MentionTexts(corpus, chains)
    return Items(items.start, items.end, label, items.tokens, details={CHAIN: texts})


@dataclass(frozen=True, eq=False)
class MentionTexts:
    """Some mentions of every row in words; nothing for a row without any."""

    corpus: Corpus
    mentions: Ragged

    def __getitem__(self, row: int) -> str:
        rows = self.mentions[row].tolist()
        found = ", ".join(map(self._words, rows[:_MOST]))
        return found if len(rows) <= _MOST else f"{found}, … ({len(rows):,} mentions)"

    def _words(self, mention: int) -> str:
        items, forms = mention_items(self.corpus), self.corpus.forms
        start, end = int(items.start[mention]), int(items.end[mention])
        if forms is None:
            return f"{start + 1}-{end}"
        places = range(end - start) if items.tokens is None else items.tokens[mention].tolist()
        return " ".join(forms[start + place] for place in places) or _EMPTY


def mention_extents(corpus: Corpus, atoms: Atoms) -> Extents:
    """Where mentions lie. Empty nodes are told apart by their numbers in the sentence; a mention
    that consists of them alone is nowhere else."""
    chains, found = chains_of(corpus), extents_of(mention_items(corpus), *atoms)
    if chains.zeros is None:
        return found
    owner, nodes = zeros_of(corpus)
    content = found.content + set_codes(owner, zero_places(corpus, atoms)[nodes], len(found))
    is_nowhere = chains.end == chains.start
    first, last = (np.where(is_nowhere, 0, each) for each in (found.start, found.end))
    return replace(found, start=first, end=last, content=content)


def empty_nodes(corpus: Corpus) -> EmptyNodes:
    """The layer of empty nodes; one without any where there is none."""
    none = np.zeros(0, np.int32)
    found = corpus.extra("empty", EmptyNodes)
    return EmptyNodes(none, none, none, Labels.of([])) if found is None else found


def zero_places(corpus: Corpus, atoms: Atoms) -> Int64:
    """A number below 0 for each empty node, the same for the same place on either side: behind
    which token it stands, or before the first of its sentence, and as which of the nodes there."""
    nodes = empty_nodes(corpus)
    first, after = corpus.offsets[nodes.sentence], nodes.after.astype(np.int64)
    is_behind = after > 0
    is_ahead = ~is_behind & (first < corpus.offsets[nodes.sentence + 1])
    place = -1 - nodes.sentence.astype(np.int64)  # where the sentence has no token
    place[is_behind] = atoms[1][(first + after - 1)[is_behind]]
    place[is_ahead] = atoms[0][first[is_ahead]]
    return fingerprint(place, nodes.minor, is_behind) | np.int64(-(2**63))


def zeros_of(corpus: Corpus) -> tuple[Int64, Int64]:
    """The empty nodes that mentions cover: the row of the mention, and the number of the node."""
    chains = chains_of(corpus)
    zeros = chains.zeros or Ragged.whole(np.zeros_like(chains.start))
    owner = np.repeat(np.arange(len(zeros)), np.diff(zeros.bounds))
    first = np.searchsorted(empty_nodes(corpus).sentence, chains.sentence[owner])
    return owner, first + zeros.values


def zero_heads(corpus: Corpus) -> Int64:
    """The empty node that is the head of each mention, -1 if that is a word. Without a named head
    it is the first node of the mention."""
    chains, nodes = chains_of(corpus), empty_nodes(corpus)
    found = np.full(len(chains.start), -1, np.int64)
    owner, node = zeros_of(corpus)
    is_first = corpus.offsets[chains.sentence[owner]] + nodes.after[node] <= chains.start[owner]
    found[owner[is_first][::-1]] = node[is_first][::-1]
    if chains.head is not None:
        named, place = chains.head >= 0, chains.head - corpus.token_count
        found[named] = np.maximum(place, -1)[named]
    return found


@once
def duplicates_of(corpus: Corpus) -> tuple[int, str]:
    """How many mentions of a side repeat another, and the first few in words."""
    chains, told = chains_of(corpus), []
    groups = repeated_mentions(chains)
    for same in groups[:_SHOWN]:
        times = Counter(chains.name[row] for row in same)
        names = [f"{name} ({n} times)" if n > 1 else name for name, n in times.items()]
        plural = "s" if len(names) > 1 else ""
        told.append(f"{_place(corpus, same[0])} in chain{plural} {' and '.join(names)}")
    return sum(len(same) - 1 for same in groups), "; ".join(told)


def _place(corpus: Corpus, row: int) -> str:
    """Document and tokens of a mention, counted from 1 in the document."""
    items, document = mention_items(corpus), int(document_of_mention(corpus)[row])
    first = int(corpus.offsets[corpus.documents[document]])
    begin, end = int(items.start[row]) - first + 1, int(items.end[row]) - first
    stretch = f"token {begin}" if end <= begin else f"tokens {begin}-{end}"
    return f"'{shown_names(corpus)[document]}' {stretch}"


def duplicate_remarks(*corpora: Corpus) -> list[str]:
    """A note on each side that has mentions more than once."""
    found = []
    for corpus in corpora:
        count, first = duplicates_of(corpus)
        more = f", the first {_SHOWN}" if count > _SHOWN else ""
        if count:
            found.append(f"{corpus.origin}: {counted(count, 'repeated mention')}{more}: {first}")
    return found


def in_order(values: Int64) -> Int64:
    """Numbers from 0 for values, in the order in which these first occur.

    >>> in_order(np.array([7, 5, 7])).tolist()
    [0, 1, 0]
    """
    _, first, number = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[number].astype(np.int64)


def set_codes(owner: npt.NDArray[np.integer], members: Int64, size: int) -> Int64:
    """A number for each of some sets, given all members and the set of each; the same for the same
    members in whatever order."""
    found = np.zeros(size, np.uint64)
    np.add.at(found, owner, fingerprint(members).view(np.uint64))
    return found.view(np.int64)
