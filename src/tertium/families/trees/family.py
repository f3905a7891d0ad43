"""Constituent trees; and groups by properties of constituents: category, function, width, height,
gaps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64, Labels, Names
from tertium.corpus.layers import Trees, covered
from tertium.corpus.trees import TREES, joined_labels, word_parents
from tertium.families.family import Family, Use, is_about_chains
from tertium.families.keys import NONE, BucketKey, Key, named_groups
from tertium.families.spans.family import FAIR_TYPES
from tertium.families.trees.figure import tree_figure
from tertium.results.figures import Figure
from tertium.results.items import Items
from tertium.results.parts import ErrorType
from tertium.results.scenes import Scene


@once
def constituent_rows(corpus: Corpus, name: str = TREES) -> Int64:
    """The rows of the layer that are items, in order: all that cover a word. Traces, and
    constituents over traces alone, do not."""
    trees = corpus.layer(name, Trees)
    return np.flatnonzero(trees.end > trees.start)


@once
def whole_labels(corpus: Corpus, name: str = TREES) -> Labels:
    """The label of every row as it is written, with its function: NP-SBJ."""
    trees = corpus.layer(name, Trees)
    return joined_labels(trees.label, trees.function)


class ConstituentKey(Key):
    """What the properties of constituents share. Items are words or all constituents; a word has
    the property of the lowest constituent over it."""

    column = TREES
    what = "constituent trees"
    family = "trees"

    def has(self, corpus: Corpus) -> bool:
        """Are there trees?"""
        return isinstance(corpus.layers.get(self.column), Trees)

    @abstractmethod
    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """The group of every row of the layer."""

    def of_items(self, corpus: Corpus, items: Items) -> Labels:
        """NONE for words that are in no constituent."""
        groups = self.of_rows(corpus, corpus.layer(self.column, Trees))
        names = [*dict.fromkeys([*groups.names, NONE])]
        codes = np.append(groups.codes, np.int32(names.index(NONE)))
        rows = word_parents(corpus) if items.is_token else constituent_rows(corpus)
        return Labels(Names.of(names), codes[rows])


@dataclass(frozen=True)
class CategoryKey(ConstituentKey):
    """The category, without its function."""

    name = "category"

    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """A bracket without a name has none."""
        return trees.label.rename({"": NONE})


@dataclass(frozen=True)
class FunctionKey(ConstituentKey):
    """The function, without the indices of traces and gaps."""

    name = "function"

    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """`SBJ` for NP-SBJ-1."""
        return trees.function.rename({text: plain_function(text) for text in trees.function.names})


@dataclass(frozen=True)
class WidthKey(ConstituentKey, BucketKey):
    """How many words a constituent covers."""

    name = "width"
    usual = (1, 2, 3, 6, 12)

    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """Without those in its gaps."""
        sizes = covered(trees.start, trees.end, trees.tokens)
        return named_groups(self.names, np.searchsorted(self.edges, sizes))


@dataclass(frozen=True)
class HeightKey(ConstituentKey, BucketKey):
    """How many constituents are on the longest way down to a word, itself included."""

    name = "height"
    usual = (1, 2, 3, 6)

    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """Traces do not count."""
        from tertium.families.trees._kernels import heights

        height = heights(trees.parent, trees.end > trees.start)
        return named_groups(self.names, np.searchsorted(self.edges, height))


@dataclass(frozen=True)
class GapsKey(ConstituentKey):
    """Is a constituent discontinuous?"""

    name = "gaps"
    known = ("continuous", "discontinuous")

    def of_rows(self, corpus: Corpus, trees: Trees) -> Labels:
        """By the words that it covers."""
        gaps = np.zeros(len(trees.start), np.int32)
        if trees.tokens is not None:
            gaps[np.diff(trees.tokens.bounds) < trees.end - trees.start] = 1
        return named_groups(self.names, gaps)


def plain_function(text: str) -> str:
    """A function without indices.

    >>> plain_function("SBJ-1"), plain_function("LOC-PRD=2"), plain_function("=3")
    ('SBJ', 'LOC-PRD', '(none)')
    """
    parts = text.replace("=", "-").split("-")
    return "-".join(part for part in parts if part and not part.isdigit()) or NONE


@dataclass(frozen=True, repr=False)
class TreeFamily(Family):
    """Constituents. Sentences are paired as such: one that a system lacks is left out."""

    id = "trees"
    title = "constituent trees"
    pairs = "sentences"
    reads = (Trees,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {
        "score": ("trees.parseval",),
        "compare": ("trees.parseval",),
        "errors": ("trees.parseval",),
        "audit": ("trees.parseval", "trees.leaf_ancestor", "trees.triples", "trees.fair"),
    }
    types = (
        ErrorType("extra", "", "only B"),
        ErrorType("missing", "", "only A"),
        ErrorType("additional", "", "only B"),
        ErrorType("label"),
        ErrorType("boundary", "", "boundaries", diagonal="boundary errors"),
        ErrorType("several", "labels are different, and some are missing or additional"),
        ErrorType("POS", "the tag is wrong"),
        ErrorType("attachment", "the head is wrong"),
        ErrorType("POS and attachment", "tag and head are wrong"),
        ErrorType("relation", "tag and head are right, the function is wrong"),
        ErrorType("unaligned"),
        *FAIR_TYPES,
    )
    keys = (CategoryKey, FunctionKey, WidthKey, HeightKey, GapsKey)
    share = "recall"
    place = "boundaries"
    layout = "nested"

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """Without the parses of a text with coreference chains."""
        return [] if is_about_chains(gold) else super().usual(gold, use)

    def items(self, corpus: Corpus, name: str) -> Items:
        """All constituents that cover a word, with labels as they are written."""
        trees, rows = corpus.layer(name, Trees), constituent_rows(corpus, name)
        if len(rows) == len(trees.start):  # large files: nothing is copied
            return Items(trees.start, trees.end, whole_labels(corpus, name), trees.tokens)
        tokens = None if trees.tokens is None else trees.tokens.take(rows)
        labels = whole_labels(corpus, name).take(rows)
        return Items(trees.start[rows], trees.end[rows], labels, tokens)

    def figure(self, scene: Scene) -> Figure:
        """A tree for each side where constituents are judged."""
        return tree_figure(scene)
