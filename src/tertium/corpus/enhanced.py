"""Enhanced dependency graphs: the column DEPS of CoNLL-U as edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, interned
from tertium.corpus.layers import Tags, ranges
from tertium.exceptions import InputError, LayerError

ROOT = -1


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a corpus's enhanced graphs, in the order of the file.

    - `word`: token number in the corpus
    - `head`: token number in the corpus, -1 for the root
    - `label`: the relation as written, such as `conj:and` or, where an empty node was collapsed,
      `conj:en>obl:voor`
    - `to_empty`: how many edges have an empty node as their head; they are not among the rows

    An edge that is written twice is there twice.
    """

    word: Int64
    head: Int64
    label: Labels
    to_empty: int

    def __len__(self) -> int:
        return len(self.word)


def no_edges() -> Edges:
    """A graph without edges."""
    return Edges(np.zeros(0, np.int64), np.zeros(0, np.int64), Labels.of([]), 0)


def enhanced_edges(corpus: Corpus) -> Edges:
    """The enhanced graphs of a corpus, computed once.

    Edges of empty nodes, and those that lead to one, are left out, as the UD tools do; the latter
    are counted. Raises LayerError if there are no enhanced graphs and InputError for a cell that is
    not `head:relation|head:relation...` or has a head outside its sentence.
    """
    if "enhanced edges" not in corpus.derived:
        corpus.derived["enhanced edges"] = _edges(corpus)
    edges: Edges = corpus.derived["enhanced edges"]
    return edges


def _edges(corpus: Corpus) -> Edges:
    from tertium.corpus._kernels import largest_heads, split_edges

    layer = corpus.extras.get("enhanced")
    if not isinstance(layer, Tags):
        raise LayerError(
            f"{corpus.origin} has no enhanced graphs",
            help="they stand in the column DEPS of CoNLL-U",
        )
    names, codes = layer.labels.names, layer.labels.codes
    cells = names.bounds[:-1], names.bounds[1:]
    largest = largest_heads(names.blob, *cells)
    _check(corpus, layer.labels, largest[codes])
    bounds, heads, empty, first, last = split_edges(names.blob, *cells, largest >= 0)
    relations = interned(names.blob, first, last)
    begins, ends = bounds[codes], bounds[codes + 1]
    rows = ranges(begins, ends)
    word = np.repeat(np.arange(len(codes), dtype=np.int64), ends - begins)
    to_empty = int(np.count_nonzero(empty[rows]))
    if to_empty:
        keep = ~empty[rows]
        rows, word = rows[keep], word[keep]
    head = heads[rows]
    base = corpus.offsets[:-1][corpus.sentence_of_token[word]]
    return Edges(word, np.where(head == 0, ROOT, base + head - 1), relations.take(rows), to_empty)


def _check(corpus: Corpus, cells: Labels, largest: Int64) -> None:
    """Refuse what is no cell, or leads outside its sentence."""
    of_token = corpus.sentence_of_token
    size = np.diff(corpus.offsets)[of_token]
    bad = (largest < 0) | (largest > size)
    if not bad.any():
        return
    token = int(bad.argmax())
    line = f":{corpus.lines[token]}" if corpus.lines is not None else ""
    sentence = corpus.sentence_id(int(of_token[token]))
    message = cell_message(cells[token], int(largest[token]), int(size[token]))
    more = int(bad.sum()) - 1
    raise InputError(
        f"{corpus.origin}{line}, sentence '{sentence}': {message}"
        + (f"\n... and {more:,} more" if more else ""),
        help="'--on-error skip' leaves such sentences out and counts them",
    )


def cell_message(cell: str, largest: int, size: int) -> str:
    """What is wrong with a cell of DEPS, given its largest head (-1 if it cannot be read)."""
    if largest < 0:
        return f"DEPS is '{cell}', expected head:relation, several of them joined by '|'"
    return f"DEPS is '{cell}', but the sentence has {size} words"
