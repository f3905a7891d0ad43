"""Relational-realizational trees, in which some nodes are not constituents: projection nodes such
as `{SBJ,PRD}@S` and function nodes such as `SBJ@S` (docs/change-trees.md)."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, unite
from tertium.corpus.layers import Trees
from tertium.corpus.trees import TREES, joined_labels, word_parents
from tertium.exceptions import counted
from tertium.formats.base import Format
from tertium.formats.trees.base import RELATIONAL, TreeFormat
from tertium.formats.trees.changes import some_rows


def _found(trees: Trees, pattern: str) -> tuple[Labels, Labels]:
    """The kind of every row ("function", "projection" or none), and its function."""
    labels, compiled = joined_labels(trees.label, trees.function), re.compile(pattern)
    matches = [compiled.fullmatch(name) for name in labels.names]
    kinds = Labels.of("" if m is None else "function" if m[1] else "projection" for m in matches)
    functions = Labels.of("" if m is None else m[1] or "" for m in matches)
    of_row = kinds.codes[labels.codes], functions.codes[labels.codes]
    return Labels(kinds.names, of_row[0]), Labels(functions.names, of_row[1])


def without_relations(corpus: Corpus, pattern: str = RELATIONAL) -> tuple[Corpus, str]:
    """Without function and projection nodes."""
    trees = corpus.layer(TREES, Trees)
    kinds, _ = _found(trees, pattern)
    kept = np.zeros(len(kinds), np.bool_)
    kept[kinds.where("")] = True
    return _changed(corpus, kinds, some_rows(trees, kept), "removed")


def constituents_alone(corpus: Corpus) -> Corpus:
    """Without function and projection nodes, if there are trees."""
    return without_relations(corpus)[0] if corpus.of_kind(Trees) else corpus


def reads_constituents(format: Format | None) -> Format | None:
    """The format, leaving out function and projection nodes if it reads trees."""
    return replace(format, relational="strip") if isinstance(format, TreeFormat) else format


def with_functions(corpus: Corpus, pattern: str = RELATIONAL) -> tuple[Corpus, str]:
    """With functions in place of function nodes, and without projection nodes. A constituent has
    the function of the node above it if it is the only child and has no function of its own;
    otherwise the node stays, without a category."""
    trees = corpus.layer(TREES, Trees)
    kinds, functions = _found(trees, pattern)
    if kinds.is_constant(""):
        return corpus, ""
    kept = np.ones(len(kinds), np.bool_)
    kept[kinds.where("projection")] = False
    is_node = np.zeros(len(kinds), np.bool_)
    is_node[kinds.where("function")] = True
    names, (old, new) = unite(trees.function, functions)
    function = np.where(is_node, new, old)
    labels, (label, blank) = unite(trees.label, Labels.of([""]))
    made = replace(
        trees,
        label=Labels(labels, np.where(is_node, blank[0], label).astype(np.int32)),
        function=Labels(names, function.astype(np.int32)),
    )
    made, is_node = some_rows(made, kept), is_node[kept]
    below = replace(corpus, layers={**corpus.layers, TREES: made})
    children = np.bincount(
        np.concatenate([made.parent, word_parents(below)]) + 1, minlength=len(is_node) + 1
    )
    above = np.append(is_node & (children[1:] == 1), False)[made.parent]
    heirs = np.flatnonzero(above & ~is_node & (made.function.codes == names.find("")))
    codes = made.function.codes.copy()
    codes[heirs] = codes[made.parent[heirs]]
    kept = np.ones(len(is_node), np.bool_)
    kept[made.parent[heirs]] = False
    made = some_rows(replace(made, function=Labels(names, codes)), kept)
    return _changed(corpus, kinds, made, "read as functions")


def _changed(corpus: Corpus, kinds: Labels, trees: Trees, what: str) -> tuple[Corpus, str]:
    counts = [(len(kinds.where(kind)), f"{kind} node") for kind in ("function", "projection")]
    found = " and ".join(counted(count, noun) for count, noun in counts if count)
    if not found:
        return corpus, ""
    was = "was" if sum(count for count, _ in counts) == 1 else "were"
    return replace(corpus, layers={**corpus.layers, TREES: trees}), f"{found} {was} {what}"
