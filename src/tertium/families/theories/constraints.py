"""What a tree says about a sentence: labels over stretches or sets of words, each once. Sets of
these are all that TedEval compares (docs/metrics/theories.tedeval.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, unite
from tertium.corpus.layers import Bools, FunctionTrees, Ragged
from tertium.families.spans.extents import contents, extents_of, packed
from tertium.families.theories.conversion import ROOT, are_constituents, lifted
from tertium.results.items import Items

Place = tuple[Int64, Int64, Int64]
NODE = "node"  # the label of all where labels are not compared
_POSITIVE = np.iinfo(np.int64).max


class Rules(NamedTuple):
    """Which nodes count, and by what they are called: parameters of the metric."""

    labeled: bool = True
    labels: str = "functions"
    preterminals: bool = True
    subtypes: bool = False
    root: bool = True
    nonprojective: str = "sets"


@dataclass(frozen=True, eq=False)
class Constraints:
    """The constraints of some theories, each once, in the order of the text, wider ones first.

    `content` tells sets of words with the same ends apart: 0 for all without gaps, and `sets` has
    the words of the others, counted from the first. `theories` are the names of the theories, and
    `said[theory, item]` is whether a theory has an item.
    """

    start: Int32
    end: Int32
    content: Int64
    label: Labels
    sets: Mapping[int, Int32]
    theories: tuple[str, ...]
    said: Bools

    @cached_property
    def items(self) -> Items:
        """As the metric judges them."""
        return Items(self.start, self.end, self.label, _Sets(self) if self.sets else None)

    def of(self, *theories: str) -> Bools:
        """Which of the items do all of these theories have?"""
        chosen = [self.theories.index(name) for name in theories]
        found: Bools = np.logical_and.reduce(self.said[chosen], axis=0)
        return found

    def over(self, start: Int64, end: Int64, *, by_token: bool = False) -> Place:
        """What tells one place from another, given the atoms of each token; sets of words are sets
        of atoms, unless the tokens are the same on both sides."""
        if not self.sets or by_token:
            return start[self.start], end[self.end - 1], self.content
        return extents_of(self.items, start, end).identity


class _Sets(Ragged):
    """The words of all constraints, which only pictures need: they are listed when asked for."""

    of: Constraints

    def __init__(self, of: Constraints) -> None:
        object.__setattr__(self, "of", of)

    @cached_property
    def bounds(self) -> Int64:
        sizes = (self.of.end - self.of.start).astype(np.int64)
        for row in np.flatnonzero(self.of.content).tolist():
            sizes[row] = len(self.of.sets[int(self.of.content[row])])
        return bounds_of(sizes)

    @cached_property
    def values(self) -> Int32:
        found = Ragged.whole(np.diff(self.bounds)).values
        for row in np.flatnonzero(self.of.content).tolist():
            words = self.of.sets[int(self.of.content[row])]
            found[self.bounds[row] : self.bounds[row + 1]] = words
        return found


def theories_of(corpus: Corpus) -> tuple[str, ...]:
    """The theories that a corpus has trees of."""
    return tuple(corpus.of_kind(FunctionTrees))


@once
def constraints_of(corpus: Corpus, rules: Rules) -> Constraints:
    """The constraints of all theories of a corpus."""
    names = theories_of(corpus)
    parts = [_counted(corpus, name, rules) for name in names]
    start, end, content = (np.concatenate([part[i] for part in parts]) for i in range(3))
    vocabulary, codes = unite(*(part.label for part in parts))
    label = np.concatenate(codes)
    sets = {
        key: words
        for name in names
        for key, words in _contents(corpus, name, rules.nonprojective)[1].items()
    }
    key = start.astype(np.int64)
    for column in (int((end - start).max(initial=0)) - (end - start), _ranked(content), label):
        key = packed(key, column.astype(np.int64))
    order = np.argsort(key, kind="stable")  # they are nearly in order
    is_first = np.diff(key[order], prepend=-1) != 0
    rows = order[is_first]
    numbers = np.arange(len(names), dtype=np.int8)
    theory = np.repeat(numbers, [len(part.start) for part in parts])[order]
    said = np.zeros((len(names), len(rows)), np.bool_)
    for number in numbers:
        said[number] = np.logical_or.reduceat(theory == number, np.flatnonzero(is_first))
    columns_of_rows = start[rows], end[rows], content[rows], Labels(vocabulary, label[rows])
    return Constraints(*columns_of_rows, sets, names, said)


def matches(
    ours: Constraints, theirs: Constraints, labels: tuple[Int32, Int32], alignment: Alignment
) -> Int64:
    """The partner of each gold constraint among those of a system, -1 for none, given labels in a
    joint vocabulary."""
    from tertium.families.trees._kernels import match_brackets

    same = alignment.system_start is alignment.gold_start
    gold = ours.over(alignment.gold_start, alignment.gold_end, by_token=same)
    system = theirs.over(alignment.system_start, alignment.system_end, by_token=same)
    nothing = np.full(max(int(each.max(initial=0)) for each in labels) + 1, -1, np.int32)
    alike = nothing, np.zeros((1, 1), np.bool_)
    if same:  # they are in order
        found, right = match_brackets(gold, labels[0], system, labels[1], *alike)
        return np.where(right, found, -1)
    mine, yours = (np.lexsort((p[2], -p[1], p[0])) for p in (gold, system))
    sides = (*_taken(gold, labels[0], mine), *_taken(system, labels[1], yours))
    found, right = match_brackets(*sides, *alike)
    partner = np.full(len(found), -1, np.int64)
    partner[mine[right]] = yours[found[right]]
    return partner


def _taken(places: Place, label: Int32, rows: Int64) -> tuple[Place, Int32]:
    start, end, content = places
    return (start[rows], end[rows], content[rows]), label[rows]


def _ranked(content: Int64) -> Int64:
    """Contents as small numbers in the same order."""
    ranks, rows = np.zeros_like(content), np.flatnonzero(content)
    ranks[rows] = 1 + np.unique(content[rows], return_inverse=True)[1]
    return ranks


class _Counted(NamedTuple):
    start: Int32
    end: Int32
    content: Int64
    label: Labels


def _counted(corpus: Corpus, name: str, rules: Rules) -> _Counted:
    """The nodes of one theory that count, with the labels by which they count."""
    trees = _trees(corpus, name, rules.nonprojective)
    content, _ = _contents(corpus, name, rules.nonprojective)
    counts = np.ones(len(trees.start), np.bool_)
    if not rules.preterminals and are_constituents(trees):
        counts &= ~trees.is_word
    label = Labels.constant(NODE, len(counts))
    if rules.labeled:
        label = row_labels(trees, rules)
        counts[label.where("")] = False
        if not rules.root:
            counts[label.where(ROOT)] = False
    elif not rules.root:
        sizes = np.diff(corpus.offsets)[trees.sentence]
        counts &= (content != 0) | (trees.end - trees.start < sizes)
    return _Counted(trees.start[counts], trees.end[counts], content[counts], label.take(counts))


@once
def _trees(corpus: Corpus, name: str, nonprojective: str) -> FunctionTrees:
    trees = corpus.layer(name, FunctionTrees)
    return lifted(trees, corpus.offsets) if nonprojective == "lift" else trees


@once
def _contents(corpus: Corpus, name: str, nonprojective: str) -> tuple[Int64, dict[int, Int32]]:
    """Of each row a hash of its words, counted from the first, 0 where there are no gaps; and the
    words by their hashes."""
    trees = _trees(corpus, name, nonprojective)
    tokens = trees.tokens
    if tokens is None:
        return np.zeros(len(trees.start), np.int64), {}
    # Not below 0, so what has no gaps is first.
    content = contents(trees.start, trees.end, tokens.bounds, tokens.values) & _POSITIVE
    return content, {int(content[row]): tokens[row] for row in np.flatnonzero(content).tolist()}


def row_labels(trees: FunctionTrees, rules: Rules) -> Labels:
    """Functions, or categories where a theory has some; the root is the root under both."""
    functions = trees.function
    if not rules.subtypes:
        cut = {name: name.partition(":")[0] or name for name in functions.names}
        functions = functions.rename(cut)
    if rules.labels == "functions" or not are_constituents(trees):
        return functions
    names, (function, category) = unite(functions, trees.category)
    first = np.searchsorted(trees.sentence, trees.sentence)  # the widest row of each sentence
    is_top = (trees.start == trees.start[first]) & (trees.end == trees.end[first])
    is_top &= (function == names.find(ROOT)) & (category == names.find(""))
    found = np.where(is_top, function, category)
    return Labels(names, found.astype(np.int32))
