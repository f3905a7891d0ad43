"""Mentions without words: where empty nodes stand, and which mentions of them are the same.

A system that adds empty nodes need not put them where gold has them. The scorer of CorefUD
therefore first pairs *zeros*, the mentions whose head is an empty node, by what these depend on,
and only what is left by position. A pair scores ten times the F1 of its dependencies (head and
relation) plus the F1 of their heads; zeros are paired one to one so that the sum is greatest.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Chains, EmptyNodes
from tertium.results.decisions import fingerprint

ZEROS = ("dependencies", "position")
LABELLED = 10.0  # what dependencies weigh beside their heads alone
_LONGEST = 20  # that a head can be
_DEPS = 7  # the place of DEPS among the columns after ID

Head = tuple[int, int]
Edges = frozenset[tuple[Head, str]]


def zero_places(corpus: Corpus, start: Int64, end: Int64) -> Int64:
    """A number below 0 for each empty node, the same for the same place on either side, given the
    stretch of every token: behind which token it stands, or before the first of its sentence, and
    as which of the nodes there."""
    nodes = _nodes(corpus)
    first, after = corpus.offsets[nodes.sentence], nodes.after.astype(np.int64)
    is_behind = after > 0
    is_ahead = ~is_behind & (first < corpus.offsets[nodes.sentence + 1])
    place = -1 - nodes.sentence.astype(np.int64)  # where the sentence has no token
    place[is_behind] = end[(first + after - 1)[is_behind]]
    place[is_ahead] = start[first[is_ahead]]
    return fingerprint(place, nodes.minor, is_behind) | np.int64(-(2**63))


def zero_rows(corpus: Corpus, chains: Chains) -> tuple[Int64, Int64]:
    """The empty nodes that mentions cover: the row of the mention, and the number of the node."""
    if chains.zeros is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    owner = np.repeat(np.arange(len(chains.zeros)), np.diff(chains.zeros.bounds))
    first = np.searchsorted(_nodes(corpus).sentence, chains.sentence[owner])
    return owner, first + chains.zeros.values


def zero_heads(corpus: Corpus, chains: Chains) -> Int64:
    """The empty node that is the head of each mention, -1 if that is a word. Without a named head
    it is the first node of the mention."""
    found = np.full(len(chains.start), -1, np.int64)
    owner, node = zero_rows(corpus, chains)
    nodes = _nodes(corpus)
    is_first = corpus.offsets[chains.sentence[owner]] + nodes.after[node] <= chains.start[owner]
    found[owner[is_first][::-1]] = node[is_first][::-1]
    if chains.head is not None:
        named, place = chains.head >= 0, chains.head - corpus.token_count
        found[named] = np.maximum(place, -1)[named]
    return found


@dataclass(frozen=True, eq=False)
class ZeroSide:
    """Mentions of one side: rows of its layer of chains, and a number for each of them that is the
    same for the same words and empty nodes on either side."""

    corpus: Corpus
    chains: Chains
    row: Int64
    key: Int64


def keys_by_dependencies(
    gold: ZeroSide, system: ZeroSide, alignment: Alignment
) -> tuple[Int64, Int64, int]:
    """The keys of both sides, changed so that zeros which are paired by what they depend on have
    the same, and the least of those. A zero that is not paired keeps a key that no paired one has.
    """
    from tertium.families.coref.heads import assigned

    identity = np.arange(gold.corpus.token_count)
    ours = _zeros(gold, identity, gold.corpus)
    theirs = _zeros(system, np.asarray(alignment.gold_of_system), gold.corpus)
    places = defaultdict(list)
    for number, (_, edges) in enumerate(ours):
        for head in {head for head, _ in edges}:
            places[head].append(number)
    cells = {
        (number, other): _score(ours[number][1], edges)
        for other, (_, edges) in enumerate(theirs)
        for head in {head for head, _ in edges}
        for number in places[head]
    }
    one, two = (np.array([cell[side] for cell in cells], np.int64) for side in (0, 1))
    one, two = assigned(one, two, np.array([*cells.values()]), len(ours), len(theirs))
    both, codes = np.unique(np.concatenate([gold.key, system.key]), return_inverse=True)
    keys = np.split(codes.astype(np.int64), [len(gold.key)])
    for key, zeros, numbers in ((keys[0], ours, one), (keys[1], theirs, two)):
        fresh = np.arange(len(both))
        old = [zeros[number][0] for number in numbers.tolist()]
        fresh[np.searchsorted(both, np.array(old, np.int64))] = len(both) + np.arange(len(old))
        key[:] = fresh[key]
    return keys[0], keys[1], len(both)


def _zeros(side: ZeroSide, partner: Int64, gold: Corpus) -> list[tuple[int, Edges]]:
    """The keys of a side's zeros, each of them once and in the order of the text, and what their
    heads depend on, by gold tokens."""
    corpus, chains, nodes = side.corpus, side.chains, _nodes(side.corpus)
    head = zero_heads(corpus, chains)[side.row]
    rows = np.flatnonzero(head >= 0)
    rows = rows[np.unique(side.key[rows], return_index=True)[1]]
    rows = rows[_in_order(corpus, chains, side.row[rows])]
    sentences = nodes.sentence[head[rows]]
    first, size = corpus.offsets[sentences], np.diff(corpus.offsets)[sentences]
    columns = (each.tolist() for each in (side.key[rows], head[rows], first, size))
    found = []
    for key, node, token, most in zip(*columns, strict=True):
        at = int(partner[token]) if token < len(partner) else -1
        sentence = int(gold.sentence_of(at)) if at >= 0 else -1
        edges = frozenset(
            (_gold_head(major, minor, token, partner, sentence), relation)
            for major, minor, relation in _edges(nodes.fields[node])
            if major <= most
        )
        found.append((key, edges))
    return found


def _in_order(corpus: Corpus, chains: Chains, rows: Int64) -> Int64:
    """An order of mentions with empty nodes: by their first node, their last one and their size."""
    assert chains.zeros is not None
    bounds, (_, covered), nodes = chains.zeros.bounds, zero_rows(corpus, chains), _nodes(corpus)
    first, last = covered[bounds[rows]], covered[bounds[rows + 1] - 1]
    start, end = chains.start[rows] + 1, chains.end[rows]
    before = corpus.offsets[chains.sentence[rows]]
    has_words = chains.end[rows] > chains.start[rows]
    edges = [chains.sentence[rows]]
    for node, word, is_later in ((first, start, False), (last, end, True)):
        place = before + nodes.after[node]
        by_word = has_words & ((word > place) if is_later else (word <= place))
        edges += [np.where(by_word, word, place), np.where(by_word, 0, nodes.minor[node])]
    size = (end - start + 1) + np.diff(bounds)[rows]
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


def _nodes(corpus: Corpus) -> EmptyNodes:
    none = np.zeros(0, np.int32)
    found = corpus.extra("empty", EmptyNodes)
    return EmptyNodes(none, none, none, Labels.of([])) if found is None else found
