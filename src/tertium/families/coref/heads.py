"""Mentions that are the same although they cover different words: partial matches, and matches of
heads, as the scorer of CorefUD has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, bounds_of, ranges
from tertium.corpus.layers import Arcs, Bools, Ragged
from tertium.exceptions import UsageError
from tertium.families.coref.mentions import (
    Floats,
    Mentions,
    chains_of,
    mention_items,
    zero_nodes,
)
from tertium.families.coref.zeros import zero_heads, zero_places
from tertium.results.decisions import fingerprint
from tertium.results.items import NOWHERE, Items


@dataclass(frozen=True, eq=False)
class MentionWords:
    """What some mentions consist of, in numbers that both sides share: atoms and empty nodes.

    - `owner`, `word`: the words of all mentions, and the mention that each belongs to
    - `head`: the word that is the head of each mention
    - `size`: how many words each has
    """

    owner: Int64
    word: Int64
    head: Int64

    @property
    def size(self) -> Int64:
        """How many words each has."""
        return np.bincount(self.owner, minlength=len(self.head)).astype(np.int64)

    def common(self, one: Int64, others: MentionWords, two: Int64) -> Int64:
        """How many words each of some mentions has in common with one of the other side."""
        order = np.argsort(others.owner, kind="stable")
        bounds = bounds_of(others.size)
        first, last = bounds[two], bounds[two + 1]
        pair = np.repeat(np.arange(len(two)), last - first)
        words = others.word[order[ranges(first, last)]]
        known = np.isin(fingerprint(one[pair], words), fingerprint(self.owner, self.word))
        return np.bincount(pair[known], minlength=len(two)).astype(np.int64)


def system_keys(
    gold: Corpus,
    system: Corpus,
    alignment: Alignment,
    sides: tuple[Mentions, Mentions],
    matching: str,
    paired: int | None = None,
) -> Int64:
    """Other keys for the system's mentions: those of the gold mentions that count as the same.

    What is the same word by word is paired first, under "head" if the heads are the same too; keys
    from `paired` on are those of zeros that are the same in any case. Of the rest those are paired
    that overlap most in sum, in parts of the gold mention. Where that is the same, what begins or
    else ends earlier goes first.
    """
    ours, theirs = sides
    (_, rows), (_, others, number) = (  # keys rise with the places of mentions
        np.unique(ours.key, return_index=True),
        np.unique(theirs.key, return_index=True, return_inverse=True),
    )
    words = (
        _words(gold, gold, alignment, ours.row[rows], is_gold=True),
        _words(gold, system, alignment, theirs.row[others], is_gold=False),
    )
    _, a, b = np.intersect1d(ours.key[rows], theirs.key[others], return_indices=True)
    if matching == "head":
        same = words[0].head[a] == words[1].head[b]
        if paired is not None:
            same |= ours.key[rows][a] >= paired
        a, b = a[same], b[same]
    free = np.ones(len(rows), np.bool_), np.ones(len(others), np.bool_)
    free[0][a], free[1][b] = False, False
    one, two = assigned(*_candidates(words, free, matching), len(rows), len(others))
    keys = theirs.key + max(int(ours.key.max(initial=0)), int(theirs.key.max(initial=0))) + 1
    known = np.full(len(others), -1, np.int64)
    known[b], known[two] = ours.key[rows[a]], ours.key[rows[one]]
    return np.where(known[number] >= 0, known[number], keys)


def _candidates(
    words: tuple[MentionWords, MentionWords], free: tuple[Bools, Bools], matching: str
) -> tuple[Int64, Int64, Floats]:
    """Pairs of free mentions that may count as the same, and how much of the gold one is shared."""
    ours, theirs = words
    mine = np.flatnonzero(free[0])
    mine = mine[np.argsort(ours.head[mine], kind="stable")]
    if matching == "head":
        yours, asked = np.flatnonzero(free[1]), theirs.head[free[1]]
    else:  # the head of the gold mention must be one of the system's words
        there = free[1][theirs.owner]
        yours, asked = theirs.owner[there], theirs.word[there]
    heads = ours.head[mine]
    first, last = (np.searchsorted(heads, asked, side=side) for side in ("left", "right"))
    one, two = mine[ranges(first, last)], np.repeat(yours, last - first)
    common = ours.common(one, theirs, two)
    right = common > 0 if matching == "head" else common == theirs.size[two]
    return one[right], two[right], common[right] / ours.size[one[right]]


def assigned(
    one: Int64, two: Int64, weight: Floats, rows: int, columns: int
) -> tuple[Int64, Int64]:
    """Of pairs those that weigh most in sum, with everybody in one pair at most."""
    from tertium.families.coref._kernels import best_pairs

    order = np.lexsort((two, one))
    bounds = bounds_of(np.bincount(one, minlength=rows))
    taken = best_pairs(bounds, two[order], weight[order], columns)
    chosen = order[taken[taken >= 0]]
    return one[chosen], two[chosen]


def _words(
    gold: Corpus, corpus: Corpus, alignment: Alignment, rows: Int64, *, is_gold: bool
) -> MentionWords:
    """The words of some mentions of a side, and their heads."""
    start, end = (
        (alignment.gold_start, alignment.gold_end)
        if is_gold
        else (alignment.system_start, alignment.system_end)
    )
    items = mention_items(corpus).take(rows)
    owner, tokens = _tokens(items)
    sizes = end[tokens] - start[tokens]
    nodes_of, nodes = zero_nodes(corpus, start, end)
    number = np.full(len(chains_of(corpus).start), -1, np.int64)
    number[rows] = np.arange(len(rows))
    there = number[nodes_of] >= 0
    return MentionWords(
        np.concatenate([np.repeat(owner, sizes), number[nodes_of[there]]]),
        np.concatenate([ranges(start[tokens], end[tokens]), nodes[there]]),
        _heads(gold, corpus, alignment, rows, items, (start, end)),
    )


def _tokens(items: Items) -> tuple[Int64, Int64]:
    """The tokens of all items, and the item of each."""
    sets = Ragged.whole(items.end - items.start) if items.tokens is None else items.tokens
    owner = np.repeat(np.arange(len(items)), np.diff(sets.bounds))
    return owner, sets.values + items.start.astype(np.int64)[owner]


def _heads(
    gold: Corpus,
    corpus: Corpus,
    alignment: Alignment,
    rows: Int64,
    items: Items,
    places: tuple[Int64, Int64],
) -> Int64:
    """The word that is the head of each mention: as the file says, else an empty node that comes
    first, else by the dependencies of the gold text."""
    named = chains_of(corpus).head
    head = np.full(len(rows), NOWHERE, np.int64) if named is None else named[rows].astype(np.int64)
    found = np.full(len(rows), -1, np.int64)
    is_token = (head >= 0) & (head < corpus.token_count)
    found[is_token] = places[0][head[is_token]]
    node = zero_heads(corpus, chains_of(corpus))[rows]
    found[node >= 0] = zero_places(corpus, *places)[node[node >= 0]]
    lacking = np.flatnonzero((head < 0) & (node < 0))
    if len(lacking):
        over = items if corpus is gold else items.over(alignment)
        tokens = _syntactic_heads(gold, over.take(lacking))
        found[lacking] = np.append(alignment.gold_start, -1)[tokens]
    return found


def _syntactic_heads(gold: Corpus, items: Items) -> Int64:
    """The first token of each mention whose head lies outside it; -1 for a mention without any."""
    trees = [*gold.of_kind(Arcs).values()]
    if not trees:
        raise UsageError(
            f"{gold.origin} has neither heads of mentions nor dependencies to find them by",
            help="'--with FILE' adds dependencies; matching='exact' needs none",
        )
    owner, tokens = _tokens(items)
    head = trees[0].head[tokens].astype(np.int64)
    above = np.where(head > 0, gold.offsets[gold.sentence_of_token[tokens]] + head - 1, -1)
    is_outside = ~np.isin(fingerprint(owner, above), fingerprint(owner, tokens))
    found = np.full(len(items), -1, np.int64)
    for chosen in (slice(None), is_outside):  # a mention that is a cycle has its first token
        found[owner[chosen][::-1]] = tokens[chosen][::-1]
    return found
