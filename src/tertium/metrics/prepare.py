"""What happens to a corpus between reading and scoring: labels mapped, layers joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Layer, Spans, Tags
from tertium.corpus.schemes import is_span_column
from tertium.exceptions import AlignmentError
from tertium.formats.resources import LabelMap


def map_labels(corpus: Corpus, maps: Sequence[LabelMap]) -> Corpus:
    """Rename labels. In columns of span tags the type is renamed and the prefix kept."""
    layers = dict(corpus.layers)
    for table in maps:
        for name, layer in layers.items():
            if table.layer in ("", name):
                layers[name] = _renamed(layer, table)
    return replace(corpus, layers=layers)


def _renamed(layer: Layer, table: LabelMap) -> Layer:
    mapping = dict(table.mapping)
    if isinstance(layer, Tags):
        if is_span_column(layer.labels.names):
            mapping = {**_prefixed(layer.labels, mapping), **mapping}
        return Tags(layer.labels.rename(mapping))
    if isinstance(layer, Spans | Arcs):
        return replace(layer, label=layer.label.rename(mapping))
    return layer


def _prefixed(labels: Labels, mapping: dict[str, str]) -> dict[str, str]:
    found = {}
    for tag in labels.names:
        prefix, hyphen, kind = tag.partition("-")
        if hyphen and kind in mapping:
            found[tag] = f"{prefix}-{mapping[kind]}"
    return found


def join_layers(corpus: Corpus, further: Sequence[Corpus]) -> tuple[Corpus, list[str]]:
    """Add layers of other files over the same tokens; says which layers were there already."""
    layers, notes = dict(corpus.layers), []
    for other in further:
        if corpus.forms != other.forms:
            raise AlignmentError(
                f"{other.origin} has other tokens than {corpus.origin} and cannot be joined to it",
                help="'--with' adds layers over the very same tokens",
            )
        for name, layer in other.layers.items():
            if name in layers:
                notes.append(
                    f"layer '{name}' of {other.origin} is not used: {corpus.origin} has its own"
                )
            else:
                layers[name] = layer
    return replace(corpus, layers=layers), notes
