"""Mentions without words: which of them are the same.

A system that adds empty nodes need not put them where gold has them. The scorer of CorefUD
therefore first pairs *zeros*, the mentions whose head is an empty node, by what these depend on,
and only what is left by position. A pair scores ten times the F1 of its dependencies (head and
relation) plus the F1 of their heads; zeros are paired one to one so that the sum is greatest.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.families.coref.chains import chains_of, empty_nodes, zero_heads, zeros_of
from tertium.families.coref.mentions import Mentions, assign
from tertium.families.spans.extents import row_of

ZEROS = ("dependencies", "position")
LABELLED = 10.0  # what dependencies weigh beside their heads alone
_LONGEST = 20  # that a head can be
_DEPS = 7  # the place of DEPS among the columns after ID

Head = tuple[int, int]
Edges = frozenset[tuple[Head, str]]


def with_paired_zeros(
    gold: Mentions, system: Mentions, alignment: Alignment
) -> tuple[Mentions, Mentions, int]:
    """Both sides with the same keys for zeros that are paired by what they depend on, and the least
    of these keys. A zero that is not paired keeps a key that no paired one has."""
    (keys, ours), (others, theirs) = (
        _zeros(gold, np.arange(gold.corpus.token_count), gold.corpus),
        _zeros(system, np.asarray(alignment.gold_of_system), gold.corpus),
    )
    places = defaultdict(list)
    for number, edges in enumerate(ours):
        for head in {head for head, _ in edges}:
            places[head].append(number)
    cells = {
        (number, other): _score(ours[number], edges)
        for other, edges in enumerate(theirs)
        for head in {head for head, _ in edges}
        for number in places[head]
    }
    one, two = (np.array([cell[side] for cell in cells], np.int64) for side in (0, 1))
    best = assign(one, two, np.array([*cells.values()]), (len(ours), len(theirs)))
    least = max(int(side.key.max(initial=0)) for side in (gold, system)) + 1
    found = []
    for side, paired in ((gold, keys[one[best]]), (system, others[two[best]])):
        at = row_of(side.key, paired, np.arange(len(paired)))
        found.append(replace(side, key=np.where(at >= 0, least + at, side.key)))
    return found[0], found[1], least


def _zeros(side: Mentions, partner: Int64, gold: Corpus) -> tuple[Int64, list[Edges]]:
    """The keys of a side's zeros, each of them once and in the order of the text, and what their
    heads depend on, by gold tokens."""
    corpus, nodes = side.corpus, empty_nodes(side.corpus)
    head = zero_heads(corpus)[side.row]
    rows = np.flatnonzero(head >= 0)
    rows = rows[np.unique(side.key[rows], return_index=True)[1]]
    rows = rows[_in_order(corpus, side.row[rows])]
    sentences = nodes.sentence[head[rows]]
    first, size = corpus.offsets[sentences], np.diff(corpus.offsets)[sentences]
    found = []
    for node, token, most in zip(*map(np.ndarray.tolist, (head[rows], first, size)), strict=True):
        at = int(partner[token]) if token < len(partner) else -1
        sentence = int(gold.sentence_of(at)) if at >= 0 else -1
        found.append(
            frozenset(
                (_gold_head(major, minor, token, partner, sentence), relation)
                for major, minor, relation in _edges(nodes.fields[node])
                if major <= most
            )
        )
    return side.key[rows], found


def _in_order(corpus: Corpus, rows: Int64) -> Int64:
    """An order of mentions with empty nodes: by their first node, their last one and their size."""
    chains, nodes = chains_of(corpus), empty_nodes(corpus)
    owner, covered = zeros_of(corpus)
    first, behind = np.searchsorted(owner, rows), np.searchsorted(owner, rows, side="right")
    start, end = chains.start[rows] + 1, chains.end[rows]
    before = corpus.offsets[chains.sentence[rows]]
    has_words = chains.end[rows] > chains.start[rows]
    edges = [chains.sentence[rows]]
    for place_of, word, is_later in ((first, start, False), (behind - 1, end, True)):
        node = covered[place_of]
        place = before + nodes.after[node]
        by_word = has_words & ((word > place) if is_later else (word <= place))
        edges += [np.where(by_word, word, place), np.where(by_word, 0, nodes.minor[node])]
    size = (end - start + 1) + (behind - first)
    return np.lexsort((size, *edges[::-1]))


def _gold_head(major: int, minor: int, token: int, partner: Int64, sentence: int) -> Head:
    """A head by its gold token, the root by the gold sentence, an empty node by what is before it;
    one that gold cannot have where there is no such token."""
    if major == 0:
        return (-1 - sentence, minor) if sentence >= 0 else (token, -1)
    at = int(partner[token + major - 1])
    return (at, minor) if at >= 0 else (token + major - 1, -1)


@cache
def _edges(fields: str) -> tuple[tuple[int, int, str], ...]:
    """The dependencies in the columns of an empty node; cells that cannot be read give none."""
    cells = fields.split("\t")
    found = []
    for edge in cells[_DEPS].split("|") if len(cells) > _DEPS else ():
        head, colon, relation = edge.partition(":")
        major, _, minor = head.partition(".")
        if colon and major.isdecimal() and (minor or "0").isdecimal() and len(head) < _LONGEST:
            found.append((int(major), int(minor or 0), relation))
    return tuple(found)


def _score(ours: Edges, theirs: Edges) -> float:
    heads = [frozenset(head for head, _ in edges) for edges in (ours, theirs)]
    return LABELLED * _f1(ours, theirs) + _f1(*heads)


def _f1(a: frozenset[object], b: frozenset[object]) -> float:
    return 2 * len(a & b) / (len(a) + len(b))
