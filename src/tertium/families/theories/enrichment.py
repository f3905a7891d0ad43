"""Function trees of one theory with the labels of another: TL-unification (Tsarfaty, Nivre and
Andersson 2012, section 4.1), for whole corpora."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tertium.corpus.labels import Int64, Labels, concatenate, unite
from tertium.corpus.layers import Bools, FunctionTrees, Layer
from tertium.families.spans.extents import distinct, extents_of, keys_of, packed, row_of
from tertium.results.items import Items, occurrence


def enriched(layer: Layer, other: Layer, shift: Int64, chosen: Bools) -> Layer:
    """The first layer with every label of the other that lies over tokens over which the first has
    a node. Nodes stay as they are; a label that a node has already is not repeated.

    `shift` is what is added to the tokens of each sentence of the other layer, `chosen` which
    sentences are enriched.
    """
    assert isinstance(layer, FunctionTrees)
    assert isinstance(other, FunctionTrees)
    rows = chosen[other.sentence] & (other.function.codes != other.function.names.find(""))
    given = _items(other, np.flatnonzero(rows), shift)
    names, (ours, theirs) = unite(layer.function, given.label)
    place, wanted = _places(_items(layer), given)
    every = np.arange(len(place))
    first, of_row = np.unique(place, return_index=True, return_inverse=True)[1:]
    top = row_of(wanted, place, every[first])
    new = np.flatnonzero(top >= 0)
    numbers = np.unique(np.concatenate([place, wanted]), return_inverse=True)[1]
    labels = packed(numbers.astype(np.int64), np.concatenate([ours, theirs]).astype(np.int64))
    known, asked = labels[: len(place)], labels[len(place) :]
    new = new[row_of(asked[new], known, every) < 0]  # much faster than isin
    new = new[distinct(asked[new])]
    # The first label goes to a node that has none, which is not that of a word below others; all
    # others get rows above the topmost node.
    is_low = layer.is_word & ~layer.is_word[first][of_row]
    bare = every[(ours == names.find("")) & ~is_low]
    slot = row_of(wanted[new], place, bare[np.unique(place[bare], return_index=True)[1]])
    slot[occurrence(wanted[new]) > 0] = -1
    filled = ours.copy()
    filled[slot[slot >= 0]] = theirs[new[slot >= 0]]
    layer = replace(layer, function=Labels(names, filled))
    rest = new[slot < 0]
    return _above(layer, top[rest], Labels(names, theirs[rest])) if len(rest) else layer


def _items(layer: FunctionTrees, rows: Int64 | None = None, shift: Int64 | None = None) -> Items:
    """Rows with their functions; of some of them, tokens counted as a different corpus does."""
    found = Items(layer.start, layer.end, layer.function, layer.tokens)
    if rows is None or shift is None:
        return found
    by, found = shift[layer.sentence[rows]].astype(np.int32), found.take(rows)
    return replace(found, start=found.start + by, end=found.end + by)


def _places(ours: Items, theirs: Items) -> tuple[Int64, Int64]:
    """A number for the tokens that each item covers, the same for both."""
    size = int(max(ours.end.max(initial=0), theirs.end.max(initial=0)))
    atoms = np.arange(size + 1, dtype=np.int64)
    mine, other = (extents_of(each, atoms[:-1], atoms[1:]) for each in (ours, theirs))
    return keys_of(mine, other, ours.label.codes, theirs.label.codes).place


def _above(layer: FunctionTrees, below: Int64, labels: Labels) -> FunctionTrees:
    """With rows for labels above some rows, over the same tokens; several above one are a chain."""
    order = np.argsort(below, kind="stable")
    below, labels, count = below[order], labels.take(order), len(layer.start)
    rank = np.argsort(np.concatenate([np.arange(count) * 2 + 1, below * 2]), kind="stable")
    place = np.empty(len(rank), np.int64)
    place[rank] = np.arange(len(rank))  # the new number of every row, new rows last
    parent = np.where(layer.parent >= 0, place[layer.parent], layer.parent)
    is_first = occurrence(below) == 0
    added = np.where(is_first, parent[below], place[count:] - 1)
    parent[below] = place[below] - 1
    rows = np.concatenate([np.arange(count), below])[rank]
    category = concatenate([layer.category, Labels.constant("", len(below))])
    return replace(
        layer,
        start=layer.start[rows],
        end=layer.end[rows],
        function=concatenate([layer.function, labels]).take(rank),
        category=category.take(rank),
        is_word=layer.is_word[rows],
        parent=np.concatenate([parent, added])[rank].astype(np.int32),
        sentence=layer.sentence[rows],
        tokens=None if layer.tokens is None else layer.tokens.take(rows),
    )
