"""What happens to a corpus between reading and scoring: labels mapped, layers joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.divide import divide, is_undivided
from tertium.corpus.labels import Labels, unite
from tertium.corpus.layers import Layer
from tertium.exceptions import AlignmentError, LayerError, suggestion
from tertium.families.family import families
from tertium.formats.resources import LabelMap
from tertium.results.texts import counted, listed


def map_labels(corpus: Corpus, maps: Sequence[LabelMap]) -> Corpus:
    """Rename labels, as the families do that read the layers. All maps of a layer apply at once to
    the labels that were read: what one gives is not renamed by the next."""
    layers = dict(corpus.layers)
    for name, layer in layers.items():
        tables = [table.mapping for table in maps if table.layer in ("", name)]
        if tables:
            layers[name] = _relabelled(layer, {k: v for each in tables for k, v in each.items()})
    return replace(corpus, layers=layers)


def check_maps(corpus: Corpus, maps: Sequence[LabelMap]) -> list[str]:
    """Refuse maps of layers that are not there; note what a map never meets or leaves as it is."""
    notes = []
    for table in maps:
        layers = {n: layer for n, layer in corpus.layers.items() if table.layer in ("", n)}
        if table.layer and not layers:
            there = ", ".join(corpus.layers) or "none"
            raise LayerError(
                f"{corpus.origin} has no layer '{table.layer}' to map labels of. It has: {there}."
                f"{suggestion(table.layer, [*corpus.layers])}"
            )
        labels = {label for layer in layers.values() for label in _labels(layer)}
        known = {*table.mapping, *table.mapping.values()}
        if not labels & table.mapping.keys():
            notes.append(f"{table.path} maps no label of {corpus.origin}")
        elif table.layer and labels - known:
            left = listed(sorted(labels - known), most=5)
            notes.append(f"{table.path} leaves labels of '{table.layer}' unchanged: {left}")
    return notes


def _labels(layer: Layer) -> set[str]:
    """The labels of a layer as a map would meet them."""
    met = _Met()
    _relabelled(layer, met)
    return {*met.labels} - {""}


class _Met(dict[str, str]):
    """An empty map that remembers what it was asked for."""

    def __init__(self) -> None:
        self.labels: list[str] = []

    def get(self, label: str, default: Any = None) -> Any:
        self.labels.append(label)
        return default


def _relabelled(layer: Layer, names: Mapping[str, str]) -> Layer:
    """As the family has it that was registered last of those that read the layer: columns of span
    tags are asked about before plain tags."""
    found = (each.relabel(layer, names) for each in reversed(families()))
    return next((other for other in found if other is not None), layer)


def join_layers(corpus: Corpus, further: Sequence[Corpus]) -> tuple[Corpus, list[str]]:
    """Add layers of other files over the same tokens; says which layers were there already.

    Comments and documents come along where the corpus has none, so that a file of entities can be
    grouped by what another file says about its sentences; so do sentences, where one of the two has
    none but its documents, and forms, where a file of numbered tokens leaves them out.
    """
    notes = []
    for other in further:
        corpus, lent = _with_forms(corpus, other)
        if lent:
            tokens = counted(lent, "token")
            notes.append(f"{tokens} without a form in {corpus.origin}: read from {other.origin}")
        if corpus.forms == other.forms:
            corpus, other = _in_same_sentences(corpus, other)
        if corpus.forms != other.forms or not np.array_equal(corpus.offsets, other.offsets):
            what = "tokens" if corpus.forms != other.forms else "sentences"
            raise AlignmentError(
                f"{other.origin} has other {what} than {corpus.origin} and cannot be joined to it",
                help="'--with' adds layers over the very same tokens in the same sentences",
            )
        taken = [name for name in other.layers if name in corpus.layers]
        added = {n: layer for n, layer in other.layers.items() if n not in taken}
        for name in taken:
            notes.append(
                f"layer '{name}' of {other.origin} is not used: {corpus.origin} has its own"
            )
        corpus = replace(corpus, layers={**corpus.layers, **added})
        if "comments" in other.extras and "comments" not in corpus.extras:
            corpus = replace(corpus, extras={**corpus.extras, "comments": other.extras["comments"]})
            if not corpus.document_marks.any():
                corpus = replace(
                    corpus,
                    documents=other.documents,
                    document_names=other.document_names,
                    document_marks=other.document_marks,
                )
    return corpus, notes


def _with_forms(corpus: Corpus, other: Corpus) -> tuple[Corpus, int]:
    """The corpus with the other's forms where its own say nothing (`_` or empty), if that makes
    them the same; and how many these are."""
    if corpus.forms is None or other.forms is None or corpus.token_count != other.token_count:
        return corpus, 0
    names, (own, given) = unite(corpus.forms, other.forms)
    silent = np.isin(own, [names.find(form) for form in ("_", "") if form in names])
    if not np.array_equal(own[~silent], given[~silent]):
        return corpus, 0
    return replace(corpus, forms=Labels(names, given)), int((own != given).sum())


def _in_same_sentences(one: Corpus, other: Corpus) -> tuple[Corpus, Corpus]:
    """Two corpora over the same tokens; one that is not divided into sentences has the other's."""
    both = [one, other]
    for place, divided in ((0, other), (1, one)):
        bounds = both[place].offsets
        fits = len(bounds) < len(divided.offsets) and np.isin(bounds, divided.offsets).all()
        if fits and is_undivided(both[place]):
            both[place] = divide(both[place], divided.offsets)
    return both[0], both[1]


def lend_layers(system: Corpus, gold: Corpus, names: Sequence[str], alignment: Alignment) -> Corpus:
    """A system with layers of the text, which it sees through the alignment; its own ones stay.

    A layer that holds together is lent only where tokens and sentences are the same.
    """
    same = alignment.method in ("tokens", "position") and np.array_equal(
        gold.offsets, system.offsets
    )
    lent: dict[str, Layer] = {}
    for name in names:
        layer = gold.layers[name]
        if name in system.layers:
            continue
        found = layer if same else layer.lend(alignment.gold_of_system)
        if found is not None:
            lent[name] = found
    return replace(system, layers={**system.layers, **lent}) if lent else system
