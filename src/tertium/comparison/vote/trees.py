"""Votes on trees: the best tree of the arcs that systems propose (Sagae and Lavie 2006).

Every arc is worth what the systems are worth together that have it; the tree is the maximum
spanning tree of these arcs (Chu and Liu 1965, Edmonds 1967). Its relations are voted on afterwards
by those who have the arc.

- Where a system's tree of a sentence has exactly one root, the result has exactly one, also if
  several would have more votes. Where every system has several, votes alone decide on them.
- Of trees with equally many votes the one whose arcs stand in earlier systems wins: an arc counts
  more the earlier its first system stands. So the base wins wherever it is among the best.
- A head that lies outside the base's sentence or has no partner in the base is no vote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.comparison.vote.tags import winners
from tertium.comparison.vote.weights import Table
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Labels, Names, unite
from tertium.corpus.layers import Arcs
from tertium.families.deps.pairs import token_heads
from tertium.results.items import of_partner

SCALE = 2**20  # weights become integers, so that equal totals are equal


@dataclass(frozen=True, eq=False)
class TreeVotes:
    """One system's arcs for the words of the base: heads counted from 1 in the base's sentence, 0
    for the root, -1 for no vote. `lost` counts arcs of words with a partner that are no votes."""

    head: Int32
    label: Labels
    partner: Int32
    lost: int


def tree_votes(
    base: Corpus, system: Corpus, system_of_base: Int32, base_of_system: Int32
) -> TreeVotes:
    """The arcs of a system as votes."""
    arcs = system.layer("deps", Arcs)
    if system is base:
        return TreeVotes(arcs.head, arcs.label, system_of_base, 0)
    heads = of_partner(token_heads(system), system_of_base, -2)
    inside = np.flatnonzero(heads >= 0)
    met = base_of_system[heads[inside]].astype(np.int64)
    sentence = base.sentence_of_token[inside]
    is_vote = (met >= base.offsets[sentence]) & (met < base.offsets[sentence + 1]) & (met != inside)
    found = np.full(base.token_count, -1, np.int32)
    found[heads == -1] = 0
    found[inside[is_vote]] = (met - base.offsets[sentence] + 1)[is_vote]
    return TreeVotes(found, arcs.label, system_of_base, int((~is_vote).sum()))


def vote_trees(
    base: Corpus,
    votes: Sequence[TreeVotes],
    fold: Int32,
    table_of: Callable[[Sequence[str]], Table],
    compared: Callable[[Labels], Labels],
) -> tuple[Arcs, int]:
    """The trees with most votes, and how many words have no head because the votes make no tree.

    `fold` is that of each sentence; `compared` gives relations as the weights know them.
    """
    from tertium.comparison.vote._kernels import best_trees

    names, codes = unite(*(v.label for v in votes))
    known = compared(Labels(names, np.arange(len(names), dtype=np.int32))).to_list()
    table = table_of(known)
    heads = np.stack([v.head for v in votes])
    weight = np.rint(table.overall * SCALE).astype(np.int64)
    head = best_trees(heads, base.offsets, fold, weight)
    said = heads
    for row, (code, vote) in enumerate(zip(codes, votes, strict=True)):
        chosen = (heads[row] == head) & (head >= 0)
        said[row] = np.where(chosen, of_partner(code, vote.partner, -1), -1)
    fold_of_word = fold[base.sentence_of_token]
    label = winners(Names.of(names.strings), said, fold_of_word, table)
    return Arcs(head, label), int((head < 0).sum())
