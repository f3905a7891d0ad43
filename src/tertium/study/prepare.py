"""What happens to a corpus between reading and scoring: labels mapped, layers joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, Names
from tertium.corpus.layers import Arcs, Layer, Spans, Tags
from tertium.corpus.schemes import is_span_column, stack
from tertium.exceptions import AlignmentError, LayerError, suggestion
from tertium.formats.resources import LabelMap


def map_labels(corpus: Corpus, maps: Sequence[LabelMap]) -> Corpus:
    """Rename labels. In columns of span tags the type is renamed and the prefix kept."""
    layers = dict(corpus.layers)
    for table in maps:
        for name, layer in layers.items():
            if table.layer in ("", name):
                layers[name] = _renamed(layer, table)
    return replace(corpus, layers=layers)


def check_maps(gold: Corpus, maps: Sequence[LabelMap]) -> list[str]:
    """Refuse maps of layers that are not there; note what a map never meets or leaves as it is."""
    notes = []
    for table in maps:
        layers = {n: layer for n, layer in gold.layers.items() if table.layer in ("", n)}
        if table.layer and not layers:
            there = ", ".join(gold.layers) or "none"
            raise LayerError(
                f"{gold.origin} has no layer '{table.layer}' to map labels of. It has: {there}."
                f"{suggestion(table.layer, [*gold.layers])}"
            )
        labels = {label for layer in layers.values() for label in _labels(layer)}
        known = {*table.mapping, *table.mapping.values()}
        if not labels & table.mapping.keys():
            notes.append(f"{table.path} maps no label of {gold.origin}")
        elif table.layer and labels - known:
            left = sorted(labels - known)
            shown = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
            notes.append(f"{table.path} leaves labels of '{table.layer}' as they are: {shown}")
    return notes


def _labels(layer: Layer) -> set[str]:
    """The labels of a layer; of span tags their types."""
    if isinstance(layer, Tags):
        names = layer.labels.used_names()
        if is_span_column(layer.labels):
            return {level.partition("-")[2] for tag in names for level in stack(tag)} - {""}
        return set(names)
    return set(layer.label.names) if isinstance(layer, Spans | Arcs) else set()


def _renamed(layer: Layer, table: LabelMap) -> Layer:
    mapping = dict(table.mapping)
    if isinstance(layer, Tags):
        if is_span_column(layer.labels):
            mapping = {**_prefixed(layer.labels, mapping), **mapping}
        return Tags(layer.labels.rename(mapping))
    if isinstance(layer, Spans | Arcs):
        return replace(layer, label=layer.label.rename(mapping))
    return layer


def _prefixed(labels: Labels, mapping: dict[str, str]) -> dict[str, str]:
    found = {}
    for tag in labels.names:
        levels = []
        for level in stack(tag):
            prefix, hyphen, kind = level.partition("-")
            levels.append(f"{prefix}-{mapping.get(kind, kind)}" if hyphen else level)
        found[tag] = "|".join(levels)
    return found


def join_layers(corpus: Corpus, further: Sequence[Corpus]) -> tuple[Corpus, list[str]]:
    """Add layers of other files over the same tokens; says which layers were there already.

    Comments and documents come along where the corpus has none, so that a file of entities can be
    grouped by what another file says about its sentences.
    """
    notes = []
    for other in further:
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
            extras = {**corpus.extras, "comments": other.extras["comments"]}
            corpus = replace(
                corpus,
                extras=extras,
                documents=other.documents,
                document_names=other.document_names,
                document_marks=other.document_marks,
            )
    return corpus, notes


def lend_layers(system: Corpus, gold: Corpus, names: Sequence[str], alignment: Alignment) -> Corpus:
    """A system with layers of the text, which it sees through the alignment; its own ones stay.

    Tags reach every token that has a partner. Other layers hold together: they are lent only where
    tokens and sentences are the same.
    """
    same = alignment.method in ("tokens", "position") and np.array_equal(
        gold.offsets, system.offsets
    )
    lent: dict[str, Layer] = {}
    for name in names:
        layer = gold.layers[name]
        if name in system.layers:
            continue
        if same:
            lent[name] = layer
        elif isinstance(layer, Tags):
            there = [*layer.labels.names]
            none = layer.labels.names.find("_")
            if none < 0:
                none = len(there)
                there.append("_")
            codes = np.append(layer.labels.codes, np.int32(none))
            lent[name] = Tags(Labels(Names.of(there), codes[alignment.gold_of_system]))
    return replace(system, layers={**system.layers, **lent}) if lent else system
