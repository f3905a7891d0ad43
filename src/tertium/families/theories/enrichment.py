"""Function trees of one theory with the labels of another: TL-unification (Tsarfaty, Nivre and
Andersson 2012, section 4.1), for whole corpora."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tertium.corpus.labels import Int32, Int64, Labels, concatenate, unite
from tertium.corpus.layers import Bools, FunctionTrees, Layer, Ragged
from tertium.families.spans.extents import distinct, extents_of, keys_of, packed, row_of
from tertium.results.items import Items, occurrence

NEEDS = frozenset({"deps", "trees", "pos", "comments"})  # what function trees are made of
RESERVED = "{}@,"  # signs of relational-realizational trees


def enriched(layer: Layer, other: Layer, shift: Int64, chosen: Bools) -> Layer:
    """The first layer with every label of the other that lies over tokens over which the first has
    a node. Nodes stay as they are; a label that a node has already is not repeated.

    `shift` is what is added to the tokens of each sentence of the other layer, `chosen` which
    sentences are enriched.
    """
    assert isinstance(layer, FunctionTrees)
    assert isinstance(other, FunctionTrees)
    rows = chosen[other.sentence] & (other.function.codes != other.function.names.find(""))
    given = _moved(other, np.flatnonzero(rows), shift)
    names, (ours, theirs) = unite(layer.function, given.function)
    place, wanted = _places(layer, given)
    every = np.arange(len(place))
    first, of_row = np.unique(place, return_index=True, return_inverse=True)[1:]
    top = row_of(wanted, place, every[first])
    new = np.flatnonzero(top >= 0)
    labels = packed(*_numbered(place, wanted, np.concatenate([ours, theirs])))
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


def _numbered(place: Int64, wanted: Int64, label: Int32) -> tuple[Int64, Int64]:
    both = np.unique(np.concatenate([place, wanted]), return_inverse=True)[1]
    return both.astype(np.int64), label.astype(np.int64)


def _moved(layer: FunctionTrees, rows: Int64, shift: Int64) -> FunctionTrees:
    """Some rows, their tokens counted as another corpus counts them."""
    by = shift[layer.sentence[rows]]
    return replace(
        layer,
        start=(layer.start[rows] + by).astype(np.int32),
        end=(layer.end[rows] + by).astype(np.int32),
        function=layer.function.take(rows),
        category=layer.category.take(rows),
        is_word=layer.is_word[rows],
        parent=layer.parent[rows],
        sentence=layer.sentence[rows],
        tokens=None if layer.tokens is None else layer.tokens.take(rows),
    )


def _places(layer: FunctionTrees, other: FunctionTrees) -> tuple[Int64, Int64]:
    """A number for the tokens that each row covers, the same in both layers."""
    size = int(max(layer.end.max(initial=0), other.end.max(initial=0)))
    atoms = np.arange(size + 1, dtype=np.int64)
    extents = [
        extents_of(Items(each.start, each.end, each.function, each.tokens), atoms[:-1], atoms[1:])
        for each in (layer, other)
    ]
    return keys_of(extents[0], extents[1], layer.function.codes, other.function.codes).place


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
        tokens=None if layer.tokens is None else Ragged.take(layer.tokens, rows),
    )


def reserved(layer: Layer) -> dict[str, Int64]:
    """Functions that hold signs of relational-realizational trees, with the sentences that have
    them: a tree of that kind has none left when it is read."""
    assert isinstance(layer, FunctionTrees)
    odd = [name for name in layer.function.used_names() if any(sign in name for sign in RESERVED)]
    return {name: np.unique(layer.sentence[layer.function.where(name)]) for name in odd}


def without_reserved(layer: Layer) -> Layer:
    """With `_` in place of these signs."""
    assert isinstance(layer, FunctionTrees)
    plain = str.maketrans(dict.fromkeys(RESERVED, "_"))
    names = {name: name.translate(plain) for name in layer.function.names}
    return replace(layer, function=layer.function.rename(names))


def are_constituents(layer: Layer) -> bool:
    """Do the trees have categories? Dependencies have none."""
    assert isinstance(layer, FunctionTrees)
    return not layer.category.is_constant("")
