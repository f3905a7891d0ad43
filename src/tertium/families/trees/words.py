"""The words of trees as EVALB compares them: those that its parameters leave, traces included."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, concatenate, unite
from tertium.corpus.layers import Bools, EmptyNodes, Tags, Trees
from tertium.corpus.trees import (
    EMPTY,
    FUNCTIONS,
    POS,
    TREES,
    WRITTEN,
    joined_labels,
    trace_rows,
    written_forms,
)
from tertium.exceptions import AlignmentError
from tertium.families.base import which
from tertium.formats.evalb_prm import Prm
from tertium.formats.trees.base import has_functions_in_tags
from tertium.formats.trees.text import escape, renamed

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
    return joined_labels(tags, functions.labels)


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
