"""Brackets: constituents as EVALB sees them, over the words that its parameters leave."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, ranges
from tertium.corpus.layers import Bools, Ragged, Tags, Trees
from tertium.corpus.trees import (
    POS,
    TREES,
    preorder_ends,
)
from tertium.exceptions import LayerError
from tertium.families.base import Metric, which
from tertium.families.spans.extents import Extents, contents, extents_of
from tertium.families.trees.family import constituent_rows
from tertium.families.trees.words import TreeWords, WordPair, lengths, pair_words
from tertium.formats.evalb_prm import PRESETS, Prm, preset
from tertium.registry import parameter
from tertium.results.items import Items


@dataclass(frozen=True, eq=False)
class CountedBrackets:
    """The brackets of one side that count, in preorder.

    - `item`: their numbers among the items of the family, -1 for brackets over traces alone
    - `places`: where they lie, in words that are left (or characters), the same on both sides
    - `label`: without functions; `unit`: the gold sentence
    """

    item: Int64
    places: Extents
    label: Labels
    unit: Int32

    @cached_property
    def in_order(self) -> bool:
        """Do they come in the order of their places, longer ones first? Trees without gaps do,
        unless a file has siblings in a different order."""
        start, end = self.places.start, self.places.end
        rises, stays = start[1:] > start[:-1], start[1:] == start[:-1]
        return bool((rises | (stays & (end[1:] <= end[:-1]))).all() and not self.has_gaps)

    @cached_property
    def has_gaps(self) -> bool:
        """Is a bracket discontinuous?"""
        return bool(self.places.content.any())

    def __len__(self) -> int:
        return len(self.item)


def brackets_of(
    corpus: Corpus, prm: Prm, leaves: TreeWords, unit: Int32, counts: Bools, shift: Int32 | None
) -> CountedBrackets:
    """The brackets of units that count. `unit` is that of every row; `shift` says by how much words
    of each sentence are moved."""
    trees = corpus.layer(TREES, Trees)
    spans = over_leaves(trees, leaves)
    label = Labels.of(map(prm.cut, trees.label.names))
    is_counted = ~which(label, prm.deletes)[trees.label.codes] & counts[unit]
    if leaves.traces is not None:  # words, not brackets
        is_counted[leaves.traces[0]] = False
    rows = np.flatnonzero(is_counted & (spans.end > spans.start))
    if spans.tokens is None:
        first, last = (leaves.rank[e[rows]].astype(np.int64) for e in (spans.start, spans.end))
        if not (has_words := last > first).all():
            rows, first, last = rows[has_words], first[has_words], last[has_words]
        bounds, none = np.zeros(len(rows) + 1, np.int64), np.zeros(0, np.int64)
        places = Extents(first, last, bounds, none, bounds[1:])
    else:
        rank = leaves.rank.astype(np.int64)
        places = extents_of(spans.take(rows), rank, rank[1:])
        left = np.flatnonzero(places.end > places.start)  # not all of it is in its gaps
        rows, places = rows[left], places.take(left)
    if shift is not None and shift.any():
        places = _moved(places, shift[trees.sentence[rows]])
    item, items = rows, constituent_rows(corpus)
    if len(items) < len(trees.start):
        numbers = np.full(len(trees.start), -1, np.int64)
        numbers[items] = np.arange(len(items))
        item = numbers[rows]
    codes = label.codes[trees.label.codes[rows]]
    return CountedBrackets(item, places, Labels(label.names, codes), unit[rows])


def over_leaves(trees: Trees, leaves: TreeWords) -> Items:
    """Constituents as stretches of leaves, or sets of them."""
    if leaves.traces is None or leaves.token_places is None:
        return Items(trees.start, trees.end, trees.label, trees.tokens)
    rows, places = leaves.traces
    before = np.zeros(len(trees.start) + 1, np.int64)
    before[1:] = np.cumsum(np.bincount(rows, minlength=len(trees.start)))
    start, end = trees.start + before[:-1], trees.end + before[preorder_ends(trees)]
    tokens = None
    if trees.tokens is not None:
        owners = [np.repeat(np.arange(len(start)), np.diff(trees.tokens.bounds))]
        found = [leaves.token_places[trees.tokens.values + trees.start[owners[0]]]]
        while len(rows):  # a trace belongs to all constituents above it
            owners, found = [*owners, rows], [*found, places]
            above = trees.parent[rows].astype(np.int64)
            rows, places = above[above >= 0], places[above >= 0]
        owner, place = np.concatenate(owners), np.concatenate(found)
        order = np.lexsort((place, owner))
        owner, place = owner[order], place[order]
        bounds = bounds_of(np.bincount(owner, minlength=len(start)))
        some = np.diff(bounds) > 0
        start[some], end[some] = place[bounds[:-1][some]], place[bounds[1:][some] - 1] + 1
        end[~some] = start[~some]
        tokens = Ragged(bounds, (place - start[owner]).astype(np.int32))
    return Items(start.astype(np.int32), end.astype(np.int32), trees.label, tokens)


def _moved(places: Extents, by: Int32) -> Extents:
    """Places moved to the right."""
    atoms = places.gap_atoms + np.repeat(by, np.diff(places.gap_bounds))
    start, end = places.start + by, places.end + by
    content = contents(start, end, places.gap_bounds, atoms)
    return Extents(start, end, places.gap_bounds, atoms, content)


def in_characters(places: Extents, start: Int64, end: Int64) -> Extents:
    """Places in characters, given those of the words that are left. What was deleted between two
    words belongs to a bracket that has both."""
    first, last = start[places.start], end[places.end - 1]
    words = places.gap_atoms
    until = end[words]
    row = np.repeat(np.arange(len(places)), np.diff(places.gap_bounds))
    joined = np.flatnonzero((np.diff(words) == 1) & (np.diff(row) == 0))
    until[joined] = start[words[joined + 1]]
    atoms = ranges(start[words], until)
    bounds = bounds_of(until - start[words])[places.gap_bounds]
    content = np.where(places.content != 0, contents(first, last, bounds, atoms), 0)
    return Extents(first, last, bounds, atoms, content)


@dataclass(frozen=True, repr=False)
class BracketMetric(Metric):
    """A metric that judges brackets. Words are compared as EVALB does."""

    family = "trees"
    item: ClassVar[str] = "bracket"

    prm: Prm = parameter(
        preset("collins"),
        help=f"which labels do not count: {', '.join(PRESETS)} or a parameter file for EVALB",
        resource="prm",
    )
    max_length: int | None = parameter(
        None,
        help="a number of words, at least 1; longer sentences are left out",
        check=lambda n: n is None or (type(n) is int and n > 0),
    )
    missing: str = parameter(
        "skip",
        help="sentences that the system lacks or has with different words: left out, or all wrong",
        choices=("skip", "penalise"),
    )

    def items(self, corpus: Corpus) -> Items:
        """All constituents, without the indices of traces and gaps: NP-SBJ for NP-SBJ-1."""
        found = super().items(corpus)
        names = {name: re.sub(r"(?:[-=]\d+)+$", "", name) for name in found.label.names}
        return replace(found, label=found.label.rename(names))

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """Nothing; there must be trees and tags."""
        found = super().facts(corpus)
        if not isinstance(corpus.layers.get(POS), Tags):
            raise LayerError(f"{corpus.origin} has no parts of speech for {self.id}")
        return found

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """Sentences are lost by the words that are left after deletion."""
        pair = pair_words(gold, system, alignment, self.prm)
        if alignment.method == "characters":
            return alignment
        lost = pair.lost & self.in_length(gold)
        if self.missing == "penalise":  # of gold sentences without words nothing can be wrong
            lost &= self.counted(gold, pair)[0]
        found = replace(alignment, lost=lost if lost.any() else None)
        found.derived.update(alignment.derived)
        return found

    def in_length(self, gold: Corpus) -> Bools:
        """Which gold sentences are not too long?"""
        if self.max_length is None:
            return np.ones(gold.sentence_count, np.bool_)
        return lengths(gold, self.prm) <= self.max_length

    def counted(self, gold: Corpus, pair: WordPair) -> tuple[Bools, Bools]:
        """The sentences of gold and of the system that count. Those that are lost count in gold
        alone, if they are penalised and something of them is left."""
        in_length = self.in_length(gold)
        scored = in_length & ~pair.lost
        if self.missing == "skip":
            return scored, scored
        return in_length & (np.diff(pair.gold.bases) > 0), scored

    def brackets(
        self, gold: Corpus, system: Corpus, alignment: Alignment
    ) -> tuple[CountedBrackets, CountedBrackets]:
        """The brackets of both sides in the sentences that count."""
        pair = pair_words(gold, system, alignment, self.prm)
        wanted, scored = self.counted(gold, pair)
        unit = gold.layer(TREES, Trees).sentence
        ours = brackets_of(gold, self.prm, pair.gold, unit, wanted, None)
        trees = system.layer(TREES, Trees)
        if alignment.method != "characters":
            shift = pair.gold.bases - pair.system.bases
            unit = trees.sentence
            return ours, brackets_of(system, self.prm, pair.system, unit, scored, shift)
        # Rows behind the last token have no words.
        unit = np.append(alignment.unit_of_system, np.int32(0))[trees.start]
        theirs = brackets_of(system, self.prm, pair.system, unit, scored, None)
        found = []
        for side, leaves, start, end in (
            (ours, pair.gold, alignment.gold_start, alignment.gold_end),
            (theirs, pair.system, alignment.system_start, alignment.system_end),
        ):
            kept = np.flatnonzero(leaves.weight)
            found.append(replace(side, places=in_characters(side.places, start[kept], end[kept])))
        return found[0], found[1]
