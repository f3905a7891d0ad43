"""Brackets: constituents as EVALB sees them, over the words that its parameters leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, concatenate, ranges, unite
from tertium.corpus.layers import Bools, EmptyNodes, Ragged, Tags, Trees
from tertium.corpus.trees import (
    EMPTY,
    FUNCTIONS,
    POS,
    TREES,
    WRITTEN,
    join_label,
    preorder_ends,
    trace_rows,
    written_forms,
)
from tertium.exceptions import AlignmentError, LayerError
from tertium.families.base import Metric, which
from tertium.families.spans.extents import Extents, contents, extents_of
from tertium.families.trees.family import constituent_rows
from tertium.formats.brackets.text import escape, renamed
from tertium.formats.evalb_prm import PRESETS, Prm, preset
from tertium.formats.treebank import has_functions_in_tags
from tertium.registry import parameter
from tertium.results.items import Items

_FORM, _XPOS = 0, 3  # in the fields of empty nodes
_QUOTES = frozenset({"'", '"', "/"})  # the words that EVALB takes for quotation marks


@dataclass(frozen=True, eq=False)
class TreeWords:
    """The words of a corpus and those of its traces that are not deleted, in order.

    - `offsets`: where the leaves of each sentence begin
    - `form`; `tag`: as it is written, with its function
    - `weight`: how often each counts; 0 if it is deleted
    - `traces`: the rows of traces among them, in order, and their places; None without traces
    - `token_places`: the places of tokens, None without traces
    """

    offsets: Int64
    form: Labels
    tag: Labels
    weight: npt.NDArray[np.int8]
    traces: tuple[Int64, Int64] | None = None
    token_places: Int64 | None = None

    @cached_property
    def rank(self) -> Int32:
        """How many words that count are before each leaf, and at the end."""
        found = np.zeros(len(self.weight) + 1, np.int32)
        np.cumsum(self.weight, out=found[1:])
        return found

    @property
    def bases(self) -> Int32:
        """How many are before each sentence, and at the end."""
        return self.rank[self.offsets]

    def kept(self, sentences: Bools) -> Int64:
        """The leaves that count of some sentences."""
        weight = self.weight * np.repeat(sentences, np.diff(self.offsets))
        found = np.flatnonzero(weight)
        return found if weight.max(initial=0) < 2 else np.repeat(found, weight[found])


def word_tags(corpus: Corpus) -> Labels:
    """The tags of tokens as they are written, with their functions if the format has them there."""
    tags, functions = corpus.layer(POS, Tags).labels, corpus.extra(FUNCTIONS, Tags)
    if functions is None or not has_functions_in_tags(corpus):
        return tags
    names, size = functions.labels.names, len(functions.labels.names)
    pairs, codes = np.unique(
        tags.codes.astype(np.int64) * size + functions.labels.codes, return_inverse=True
    )
    written = Labels.of(join_label(tags.names[p // size], names[p % size]) for p in pairs.tolist())
    return Labels(written.names, written.codes[codes])


@once
def leaves_of(
    corpus: Corpus, prm: Prm, has_traces: bool = True, is_written: bool = False
) -> TreeWords:
    """The leaves under parameters, with traces or without; forms are those of the text, or as
    brackets write them."""
    assert corpus.forms is not None
    forms, tags = corpus.forms, word_tags(corpus)
    if is_written:
        has_own = corpus.extra(WRITTEN, Tags) is not None
        forms = written_forms(corpus) if has_own else renamed(forms, escape)
    offsets, traces, places = corpus.offsets, None, None
    empty = corpus.extra(EMPTY, EmptyNodes)
    if has_traces and empty is not None:
        trees, fields = corpus.layer(TREES, Trees), [f.split("\t") for f in empty.fields.names]
        form, tag = (Labels.of(field[n] for field in fields) for n in (_FORM, _XPOS))
        own = Labels(tag.names, tag.codes[empty.fields.codes])
        kept = np.flatnonzero(which(own, lambda name: not _is_deleted(name, prm)))
        rows = np.flatnonzero(trace_rows(trees))[kept]
        order = np.argsort(trees.start[rows], kind="stable")
        rows, kept, start = rows[order], kept[order], trees.start[rows[order]]
        tokens = np.arange(corpus.token_count, dtype=np.int64)
        places = tokens + np.searchsorted(start, tokens, side="right")
        traces = rows, start + np.arange(len(rows))
        source = np.empty(len(tokens) + len(rows), np.int64)
        source[places], source[traces[1]] = tokens, len(tokens) + kept
        own_form = Labels(form.names, form.codes[empty.fields.codes])
        forms, tags = concatenate([forms, own_form]), concatenate([tags, own])
        forms, tags = forms.take(source), tags.take(source)
        sizes = np.bincount(empty.sentence[kept], minlength=corpus.sentence_count)
        offsets = offsets + bounds_of(sizes)
    weight = (~which(tags, lambda name: _is_deleted(name, prm))).astype(np.int8)
    return TreeWords(offsets, forms, tags, weight, traces, places)


def _is_deleted(tag: str, prm: Prm) -> bool:
    return tag in prm.deleted and not prm.keeps_words


def lengths(corpus: Corpus, prm: Prm) -> Int64:
    """The length of each sentence, as cut-offs take it: words and traces, whatever is deleted."""
    every = leaves_of(corpus, replace(prm, deleted=frozenset()))
    counted = ~which(every.tag, prm.unmeasured.__contains__)
    return np.diff(bounds_of(counted)[every.offsets])


@dataclass(frozen=True, eq=False)
class WordPair:
    """The leaves of gold and system, and the sentences in which they are not the same words."""

    gold: TreeWords
    system: TreeWords
    lost: Bools


def pair_words(gold: Corpus, system: Corpus, alignment: Alignment, prm: Prm) -> WordPair:
    """The words that each side's tags leave, compared sentence by sentence as EVALB does; by
    characters, a sentence is lost only if nothing of it is left."""
    key = "trees.words", prm
    if key not in alignment.derived:
        alignment.derived[key] = _pair_words(gold, system, alignment.method, prm)
    found: WordPair = alignment.derived[key]
    return found


def _pair_words(gold: Corpus, system: Corpus, method: str, prm: Prm) -> WordPair:
    has_traces = method != "characters"
    # Where one side is in a different format, what is written need not be the same.
    is_written = gold.format == system.format and any(WRITTEN in c.extras for c in (gold, system))
    ours, theirs = (leaves_of(each, prm, has_traces, is_written) for each in (gold, system))
    if not has_traces:
        return WordPair(ours, theirs, np.diff(ours.bases) == 0)
    if gold.sentence_count != system.sentence_count:
        raise AlignmentError(
            f"{gold.origin} has {gold.sentence_count:,} sentences, "
            f"{system.origin} has {system.sentence_count:,}",
            help="'--align characters' compares trees with different sentence boundaries",
        )
    sizes, others = np.diff(ours.bases), np.diff(theirs.bases)
    if prm.quotes and (unlike := (sizes != others) & (others > 0)).any():
        ours, theirs = _with_quotes(ours, theirs, unlike, prm)
        sizes, others = np.diff(ours.bases), np.diff(theirs.bases)
    lost = (sizes != others) | (others == 0)
    if method != "position":
        names, (mine, yours) = unite(ours.form, theirs.form)
        a, b = mine[ours.kept(~lost)], yours[theirs.kept(~lost)]
        wrong = np.flatnonzero(a != b)
        if prm.same_words:
            pairs = zip(names.some(a[wrong]), names.some(b[wrong]), strict=True)
            wrong = wrong[[pair not in prm.same_words for pair in pairs]]
        unit = np.repeat(np.flatnonzero(~lost), sizes[~lost])
        lost[unit[wrong]] = True
    return WordPair(ours, theirs, lost)


def _with_quotes(
    ours: TreeWords, theirs: TreeWords, sentences: Bools, prm: Prm
) -> tuple[TreeWords, TreeWords]:
    """Words in which quotation marks that only one side deletes are put back, in sentences of
    different lengths (`fix_quote` of EVALB)."""
    from tertium.families.trees._kernels import restore_quotes

    _, tags = unite(ours.tag, theirs.tag)
    columns, weights = [], []
    for side, codes in zip((ours, theirs), tags, strict=True):
        found = which(side.tag, prm.quotes.__contains__) & which(side.form, _QUOTES.__contains__)
        found &= np.repeat(sentences, np.diff(side.offsets))
        leaves = np.flatnonzero(found)
        deleted = which(side.tag, prm.deleted.__contains__)[leaves]
        weights.append(side.weight.copy())
        index = side.rank[leaves]
        sizes = np.bincount(
            np.searchsorted(side.offsets, leaves, side="right") - 1, minlength=len(sentences)
        )
        base = np.repeat(side.bases[:-1], sizes)
        columns += [bounds_of(sizes), leaves, index - base, codes[leaves], deleted]
    restore_quotes(*columns, *weights)
    return replace(ours, weight=weights[0]), replace(theirs, weight=weights[1])


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
        help=f"labels that do not count: {', '.join(PRESETS)} or a parameter file for EVALB",
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
        found = replace(alignment, lost=lost if lost.any() else None)
        found.derived.update(alignment.derived)
        return found

    def in_length(self, gold: Corpus) -> Bools:
        """Which gold sentences are not too long?"""
        if self.max_length is None:
            return np.ones(gold.sentence_count, np.bool_)
        return lengths(gold, self.prm) <= self.max_length

    def brackets(
        self, gold: Corpus, system: Corpus, alignment: Alignment
    ) -> tuple[CountedBrackets, CountedBrackets]:
        """The brackets of both sides that count: of sentences that are lost those of gold, if they
        are penalised, and none of the system's."""
        pair = pair_words(gold, system, alignment, self.prm)
        scored = self.in_length(gold) & ~pair.lost
        wanted = self.in_length(gold) if self.missing == "penalise" else scored
        trees = gold.layer(TREES, Trees), system.layer(TREES, Trees)
        if alignment.method != "characters":
            shift = pair.gold.bases - pair.system.bases
            return (
                brackets_of(gold, self.prm, pair.gold, trees[0].sentence, wanted, None),
                brackets_of(system, self.prm, pair.system, trees[1].sentence, scored, shift),
            )
        padded = np.append(alignment.unit_of_system, np.int32(0))  # for rows behind the last token
        unit = padded[trees[1].start]
        places = alignment.gold_start, alignment.gold_end
        others = alignment.system_start, alignment.system_end
        ours = brackets_of(gold, self.prm, pair.gold, trees[0].sentence, wanted, None)
        theirs = brackets_of(system, self.prm, pair.system, unit, scored, None)
        found = []
        for side, leaves, (start, end) in (
            (ours, pair.gold, places),
            (theirs, pair.system, others),
        ):
            kept = np.flatnonzero(leaves.weight)
            found.append(replace(side, places=in_characters(side.places, start[kept], end[kept])))
        return found[0], found[1]
