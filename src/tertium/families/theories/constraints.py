"""What a tree says about a sentence: labels over stretches or sets of words, each once. Sets of
these are all that TedEval compares (docs/metrics/theories.tedeval.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Labels, unite
from tertium.corpus.layers import Bools, FunctionTrees, Ragged
from tertium.families.spans.extents import extents_of, keys_of
from tertium.families.theories.conversion import ROOT, lifted
from tertium.results.items import Items

NODE = "node"  # the label of all where labels are not compared


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

    `theories` are their names, and `said[theory, item]` is whether a theory has an item.
    """

    items: Items
    theories: tuple[str, ...]
    said: Bools

    def of(self, *theories: str) -> Bools:
        """Which of the items do all of these theories have?"""
        chosen = [self.theories.index(name) for name in theories]
        found: Bools = np.logical_and.reduce(self.said[chosen], axis=0)
        return found


def theories_of(corpus: Corpus) -> tuple[str, ...]:
    """The theories that a corpus has trees of."""
    return tuple(corpus.of_kind(FunctionTrees))


@once
def constraints_of(corpus: Corpus, rules: Rules) -> Constraints:
    """The constraints of all theories of a corpus."""
    names = theories_of(corpus)
    parts = [_counted(corpus, name, rules) for name in names]
    every = Items.join(parts, [0] * len(parts)) if len(parts) != 1 else parts[0]
    place = np.arange(corpus.token_count, dtype=np.int64)
    places = extents_of(every, place, place + 1)
    nobody = places.take(np.zeros(0, np.int64))
    keys = keys_of(places, nobody, every.label.codes, np.zeros(0, np.int32)).full[0]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    order = np.lexsort((-every.end[first], every.start[first]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    said = np.zeros((len(names), len(first)), np.bool_)
    theory = np.repeat(np.arange(len(names)), [len(part) for part in parts])
    said[theory, rank[number]] = True
    return Constraints(every.take(first[order]), names, said)


@once
def _trees(corpus: Corpus, name: str, nonprojective: str) -> FunctionTrees:
    trees = corpus.layer(name, FunctionTrees)
    return lifted(trees, corpus.offsets) if nonprojective == "lift" else trees


def _counted(corpus: Corpus, name: str, rules: Rules) -> Items:
    """The nodes of one theory that count, with the labels by which they count."""
    trees = _trees(corpus, name, rules.nonprojective)
    is_constituency = not trees.category.is_constant("")
    counts = np.ones(len(trees.start), np.bool_)
    if not rules.preterminals and is_constituency:
        counts &= ~trees.is_word
    label = Labels.constant(NODE, len(counts))
    if rules.labeled:
        label = row_labels(trees, rules, is_constituency)
        counts[label.where("")] = False
        if not rules.root:
            counts[label.where(ROOT)] = False
    elif not rules.root:
        sizes = np.diff(corpus.offsets)[trees.sentence]
        counts &= sizes_of(trees.start, trees.end, trees.tokens) < sizes
    rows = np.flatnonzero(counts)
    tokens = None if trees.tokens is None else trees.tokens.take(rows)
    return Items(trees.start[rows], trees.end[rows], label.take(rows), tokens)


def row_labels(trees: FunctionTrees, rules: Rules, is_constituency: bool) -> Labels:
    """Functions, or categories where a theory has some; the root is the root under both."""
    functions = trees.function
    if not rules.subtypes:
        cut = {name: name.partition(":")[0] or name for name in functions.names}
        functions = functions.rename(cut)
    if rules.labels == "functions" or not is_constituency:
        return functions
    names, (function, category) = unite(functions, trees.category)
    found = np.where(function == names.find(ROOT), function, category)
    return Labels(names, found.astype(np.int32))


def sizes_of(
    start: npt.NDArray[np.int32], end: npt.NDArray[np.int32], tokens: Ragged | None
) -> npt.NDArray[np.int64]:
    """How many words each row covers."""
    sizes = end - start if tokens is None else np.diff(tokens.bounds)
    return sizes.astype(np.int64)
