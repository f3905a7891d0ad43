"""A text in other sentences."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Chains, Comments, Layer, Multiwords, Spaces, Spans, Tags

# Layers that stay the same whatever the sentences are, but for the number of a row's sentence.
_FREE = (Tags, Spans, Chains, Comments, Multiwords, Spaces)


def is_undivided(corpus: Corpus) -> bool:
    """Does a corpus have no sentences but one for each document, and nothing that depends on it?"""
    every = [*corpus.layers.values(), *corpus.extras.values()]
    return (
        corpus.sentence_count == corpus.document_count
        and corpus.skipped is None
        and all(type(layer) in _FREE for layer in every)
    )


def divide(corpus: Corpus, offsets: Int64) -> Corpus:
    """An undivided corpus in sentences that begin at these tokens; documents and layers stay. A row
    is in the sentence of its first token, and a comment in the first one of its document."""
    first = np.searchsorted(offsets, corpus.offsets[:-1])

    def moved(layers: Any) -> dict[str, Layer]:
        return {name: _moved(layer, first, offsets) for name, layer in layers.items()}

    return replace(
        corpus,
        offsets=offsets,
        layers=moved(corpus.layers),
        extras=moved(corpus.extras),
        documents=first[corpus.documents],
    )


def _moved(layer: Layer, first: Int64, offsets: Int64) -> Layer:
    column = next((f.name for f in fields(layer) if f.metadata["role"] == "sentence"), None)
    if column is None:
        return layer
    old = getattr(layer, column)
    sentence = first[old]
    if isinstance(layer, Spans):
        sentence = np.searchsorted(offsets, layer.start, side="right") - 1
    new: Any = {column: sentence.astype(old.dtype)}
    return replace(layer, **new)
