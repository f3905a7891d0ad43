"""stub"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels


@dataclass(frozen=True, eq=False)
class Edges:
    word: Int64
    head: Int64
    label: Labels
    to_empty: int


def no_edges() -> Edges:
    """A graph without edges."""
    return Edges(np.zeros(0, np.int64), np.zeros(0, np.int64), Labels.of([]), 0)


def enhanced_edges(corpus: Corpus) -> Edges:
    """Stub."""
    word, head, label, empty = [], [], [], 0
    for t, cell in enumerate(corpus.extras["enhanced"].labels.to_list()):  # type: ignore
        if cell == "_":
            continue
        for e in cell.split("|"):
            h, _, p = e.partition(":")
            if "." in h:
                empty += 1
                continue
            word.append(t)
            head.append(
                int(h) - 1 + int(corpus.offsets[corpus.sentence_of_token[t]]) if int(h) else -1
            )
            label.append(p)
    return Edges(np.array(word, np.int64), np.array(head, np.int64), Labels.of(label), empty)
