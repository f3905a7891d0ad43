"""Corpora one after another as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of, concatenate
from tertium.corpus.layers import Layer, Ragged


def join(corpora: Sequence[Corpus]) -> Corpus:
    """One corpus of several, with the layers and extras that all of them have. A corpus that marks
    no documents is a document, called as its file without the ending.

    Layers of several tables, or with places of empty nodes, are left out.
    """
    if len(corpora) == 1:
        return corpora[0]
    tokens = bounds_of([corpus.token_count for corpus in corpora])
    sentences = bounds_of([corpus.sentence_count for corpus in corpora])
    marks = [corpus.document_marks.any() for corpus in corpora]
    names = [
        corpus.document_names if marked else Labels.of([Path(corpus.origin).name.partition(".")[0]])
        for corpus, marked in zip(corpora, marks, strict=True)
    ]

    def joined(name: str) -> dict[str, Layer]:
        every = [getattr(corpus, name) for corpus in corpora]
        common = [k for k, e in every[0].items() if all(k in x for x in every) and _is_simple(e)]
        return {key: _joined([each[key] for each in every], tokens, sentences) for key in common}

    first, skipped = corpora[0], [corpus.skipped for corpus in corpora]
    return replace(
        first,
        offsets=np.concatenate(
            [[0], *(c.offsets[1:] + n for c, n in zip(corpora, tokens, strict=False))]
        ),
        forms=concatenate([c.forms for c in corpora if c.forms is not None]),
        layers=joined("layers"),
        extras=joined("extras"),
        documents=np.concatenate(
            [c.documents + n for c, n in zip(corpora, sentences, strict=False)]
        ),
        document_names=concatenate(names),
        document_marks=np.concatenate(
            [c.document_marks | (not m) for c, m in zip(corpora, marks, strict=True)]
        ),
        lines=None,
        skipped=None
        if all(each is None for each in skipped)
        else np.concatenate(
            [
                np.zeros(c.sentence_count, np.bool_) if c.skipped is None else c.skipped
                for c in corpora
            ]
        ),
        problems=tuple(problem for corpus in corpora for problem in corpus.problems),
        repaired=sum(corpus.repaired for corpus in corpora),
    )


def _is_simple(layer: Layer) -> bool:
    roles = ((field.metadata["role"], field.metadata["table"]) for field in fields(layer))
    return all(role != "place" and not table for role, table in roles)


def _joined(parts: Sequence[Layer], tokens: Any, sentences: Any) -> Layer:
    """Layers one after another, given where the tokens and sentences of each begin."""
    found: dict[str, Any] = {}
    sizes: list[int] = []  # rows, of layers that have some
    for field in fields(parts[0]):
        values, role = [getattr(part, field.name) for part in parts], field.metadata["role"]
        if all(value is None for value in values):
            continue
        if isinstance(values[0], Labels):
            found[field.name] = concatenate(values)
            continue
        if any(isinstance(value, Ragged) for value in values):
            found[field.name] = Ragged.concatenate([*map(_sets, parts)])
            continue
        sizes = sizes or [len(value) for value in values]
        shifts = {"position": tokens, "sentence": sentences, "row": bounds_of(sizes)}.get(role)
        if shifts is not None:
            pairs = zip(values, shifts, strict=False)
            values = [np.where(v >= 0, v + n, v).astype(v.dtype) for v, n in pairs]
        found[field.name] = np.concatenate(values)
    return replace(parts[0], **found)


def _sets(layer: Any) -> Ragged:
    """The covered tokens of each row, counted from its start."""
    found: Ragged | None = layer.tokens
    return Ragged.whole(layer.end - layer.start) if found is None else found
