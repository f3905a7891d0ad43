"""Corpora of function trees for tests, written as constraints."""

from collections.abc import Sequence

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import FunctionTrees, Ragged

Node = tuple[str, int, int] | tuple[str, frozenset[int]]
Tree = Sequence[Node]


def places_of(node: Node) -> list[int]:
    """The words of a node, in order."""
    return sorted(node[1]) if len(node) == 2 else [*range(node[1], node[2])]


def function_layer(trees: Sequence[Tree], sizes: Sequence[int]) -> FunctionTrees:
    """A row for every node, one for every word, wider ones first. A label `@NP` is a category."""
    offsets = bounds_of(sizes)
    rows: list[tuple[int, list[int], str, bool]] = []
    for sentence, tree in enumerate(trees):
        found = [(places_of(node), node[0], False) for node in tree]
        words = {places[0] for places, _, _ in found if len(places) == 1}
        found += [([word], "", True) for word in range(sizes[sentence]) if word not in words]
        found.sort(key=lambda row: (row[0][0], -row[0][-1], -len(row[0])))
        rows += [(sentence, *row) for row in found]
    start = np.array([offsets[s] + places[0] for s, places, _, _ in rows], np.int32)
    end = np.array([offsets[s] + places[-1] + 1 for s, places, _, _ in rows], np.int32)
    sets = [np.array(places, np.int32) - places[0] for _, places, _, _ in rows]
    tokens = Ragged(bounds_of([*map(len, sets)]), np.concatenate([*sets, np.zeros(0, np.int32)]))
    gaps = any(len(each) <= each[-1] for each in sets)
    labels = [label for _, _, label, _ in rows]
    return FunctionTrees(
        start=start,
        end=end,
        function=Labels.of("" if label.startswith("@") else label for label in labels),
        category=Labels.of(label[1:] if label.startswith("@") else "" for label in labels),
        is_word=np.array([len(places) == 1 for _, places, _, _ in rows], np.bool_),
        parent=np.full(len(rows), -1, np.int32),
        sentence=np.array([s for s, _, _, _ in rows], np.int32),
        tokens=tokens if gaps else None,
    )


def theory_corpus(sizes: Sequence[int], /, **theories: Sequence[Tree]) -> Corpus:
    """Sentences of these lengths with a layer for each theory."""
    words = [f"w{word}" for size in sizes for word in range(size)]
    layers = {name: function_layer(trees, sizes) for name, trees in theories.items()}
    return Corpus(bounds_of(sizes), Labels.of(words), layers, origin="/".join(theories))
