"""Trees of several theories over one text; and groups by properties of their nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tertium.align.tokens import Alignment
from tertium.align.words import in_characters
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, unite
from tertium.corpus.layers import FunctionTrees, Layer, covered
from tertium.families.family import Family, Use
from tertium.families.keys import BucketKey, Key, named_groups
from tertium.families.theories.constraints import NODE, theories_of
from tertium.families.theories.conversion import ROOT
from tertium.families.trees.figure import tree_figure
from tertium.results.figures import Figure
from tertium.results.items import Items
from tertium.results.parts import ErrorType
from tertium.results.scenes import Mark, Scene

UNLABELLED = "•"  # drawn in place of a label where labels are not compared


class NodeKey(Key):
    """What the properties of nodes share."""

    what = "trees of theories"
    family = "theories"

    def has(self, corpus: Corpus) -> bool:
        """Are there trees?"""
        return bool(theories_of(corpus))


@dataclass(frozen=True)
class LabelKey(NodeKey):
    """By what a node counts: its function, or its category."""

    name = "label"

    def of_items(self, corpus: Corpus, items: Items) -> Labels:
        """As the metric has it."""
        return items.label


@dataclass(frozen=True)
class SizeKey(NodeKey, BucketKey):
    """How many words a node covers."""

    name = "size"
    usual = (1, 2, 3, 6, 12)

    def of_items(self, corpus: Corpus, items: Items) -> Labels:
        """Without those in its gaps."""
        sizes = covered(items.start, items.end, items.tokens)
        return named_groups(self.names, np.searchsorted(self.edges, sizes))


@dataclass(frozen=True, repr=False)
class TheoryFamily(Family):
    """Function trees, a layer for each theory. A study with several gold standards has these."""

    id = "theories"
    title = "trees of theories"
    pairs = "sentences"
    reads = (FunctionTrees,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = dict.fromkeys(
        ("score", "compare", "errors", "audit"),
        # A parse without functions has only the second.
        ("theories.tedeval", "theories.tedeval(labeled=False)"),
    )
    types = (ErrorType("missing", "", "only A"), ErrorType("extra", "", "only B"))
    keys = (LabelKey, SizeKey)
    share = "recall"
    lacking = "function labels"
    place = "words covered"
    layout = "nested"

    def align(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """In characters: a system may divide a sentence into different tokens."""
        return in_characters(gold, system, alignment)

    def relabel(self, layer: Layer, names: Mapping[str, str]) -> Layer | None:
        """Functions and categories. Only functions are looked up by `names.get`, which notes what a
        map leaves unchanged: it need not know all categories and tags."""
        if not isinstance(layer, FunctionTrees):
            return None
        category = layer.category.rename({**names})
        return replace(layer, function=layer.function.rename(names), category=category)

    def items(self, corpus: Corpus, name: str) -> Items:
        """All nodes with their functions, or else their categories."""
        trees = corpus.layer(name, FunctionTrees)
        names, (function, category) = unite(trees.function, trees.category)
        codes = np.where(function == names.find(""), category, function)
        label = Labels(names, codes.astype(np.int32)).rename({"": NODE})
        return Items(trees.start, trees.end, label, trees.tokens)

    def figure(self, scene: Scene) -> Figure:
        """The sorted function trees of both sides. Beside a system, gold has only what is judged:
        what all gold standards have, which does not cross."""
        found = {mark.label or "" for side in scene.marks for mark in side if mark}
        rank = {label: n for n, label in enumerate(sorted(found, key=lambda x: (x != ROOT, x)))}

        def shown(mark: Mark | None, is_gold: bool) -> Mark | None:
            if mark is None or (is_gold and scene.has_system and mark.outcome is None):
                return None
            label = UNLABELLED if mark.label == NODE else mark.label
            return mark._replace(row=rank[mark.label or ""], label=label)

        marks = tuple(
            tuple(shown(mark, number == 0) for mark in side)
            for number, side in enumerate(scene.marks)
        )
        return tree_figure(replace(scene, marks=marks))
