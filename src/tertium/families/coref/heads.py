"""Mentions that are the same although they cover different words: partial matches, and matches of
heads, as the scorer of CorefUD has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, bounds_of, ranges
from tertium.corpus.layers import Arcs, Bools
from tertium.exceptions import UsageError
from tertium.families.coref.chains import (
    chains_of,
    mention_items,
    zero_heads,
    zero_places,
    zeros_of,
)
from tertium.families.coref.mentions import Floats, Mentions, assign
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


def with_partial_matches(
    ours: Mentions, theirs: Mentions, alignment: Alignment, matching: str, paired: int | None
) -> Mentions:
    """The system's mentions with the keys of the gold mentions that count as the same.

    What is the same word by word is paired first, under "head" if the heads are the same too; keys
    from `paired` on are those of zeros that are the same in any case. Of the rest those are paired
    that overlap most in sum, in parts of the gold mention. Where that is the same, what begins or
    else ends earlier goes first.
    """
    (keys, rows), (others, columns) = (  # keys rise with the places of mentions
        np.unique(side.key, return_index=True) for side in (ours, theirs)
    )
    chosen = (ours, ours.row[rows]), (theirs, theirs.row[columns])
    words = [_words(*side, ours, alignment) for side in chosen]
    _, a, b = np.intersect1d(keys, others, return_indices=True)
    if matching == "head":
        same = words[0].head[a] == words[1].head[b]
        if paired is not None:
            same |= keys[a] >= paired
        a, b = a[same], b[same]
    free = np.ones(len(rows), np.bool_), np.ones(len(columns), np.bool_)
    free[0][a], free[1][b] = False, False
    one, two, weight = _candidates(words, free, matching)
    best = assign(one, two, weight, (len(rows), len(columns)))
    known = others + max(int(each.max(initial=0)) for each in (keys, others)) + 1
    known[b], known[two[best]] = keys[a], keys[one[best]]
    return replace(theirs, key=known[np.searchsorted(others, theirs.key)])


def _candidates(
    words: Sequence[MentionWords], free: tuple[Bools, Bools], matching: str
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
    first, last = (np.searchsorted(ours.head[mine], asked, side) for side in ("left", "right"))
    one, two = mine[ranges(first, last)], np.repeat(yours, last - first)
    common = ours.common(one, theirs, two)
    right = common > 0 if matching == "head" else common == theirs.size[two]
    return one[right], two[right], common[right] / ours.size[one[right]]


def _words(side: Mentions, rows: Int64, gold: Mentions, alignment: Alignment) -> MentionWords:
    """The words of some mentions of a side, by their rows in the layer, and their heads: as the
    file says, else an empty node that comes first, else by the dependencies of the gold text."""
    corpus, (start, end), items = side.corpus, side.atoms, mention_items(side.corpus).take(rows)
    owner, tokens = _tokens(items)
    number = np.full(len(chains_of(corpus).start), -1, np.int64)
    number[rows] = np.arange(len(rows))
    of_node, covered = zeros_of(corpus)
    there, places = number[of_node] >= 0, zero_places(corpus, side.atoms)
    node, head = zero_heads(corpus)[rows], np.full(len(rows), -1, np.int64)
    head[node >= 0] = places[node[node >= 0]]
    named = chains_of(corpus).head
    token = np.full(len(rows), NOWHERE) if named is None else named[rows]
    is_token = (token >= 0) & (node < 0)
    head[is_token] = start[token[is_token]]
    lacking = np.flatnonzero((token < 0) & (node < 0))
    if len(lacking):
        over = items if side is gold else items.over(alignment)
        found = _syntactic_heads(gold.corpus, over.take(lacking))
        head[lacking] = np.append(gold.atoms[0], -1)[found]
    return MentionWords(
        np.concatenate([np.repeat(owner, end[tokens] - start[tokens]), number[of_node[there]]]),
        np.concatenate([ranges(start[tokens], end[tokens]), places[covered[there]]]),
        head,
    )


def _tokens(items: Items) -> tuple[Int64, Int64]:
    """The tokens of all items, and the item of each."""
    sets = items.sets()
    owner = np.repeat(np.arange(len(items)), np.diff(sets.bounds))
    return owner, sets.values + items.start.astype(np.int64)[owner]


def _syntactic_heads(gold: Corpus, items: Items) -> Int64:
    """The first token of each mention whose head lies outside it; -1 for a mention without any."""
    trees = [*gold.of_kind(Arcs).values()]
    if not trees:
        raise UsageError(
            f"{gold.origin} has neither heads of mentions nor dependencies to derive them from",
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
