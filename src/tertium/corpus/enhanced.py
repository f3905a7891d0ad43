"""Enhanced dependency graphs: the column DEPS of CoNLL-U as a `Graph`."""

from __future__ import annotations

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64, Labels, concatenate, interned, ranges
from tertium.corpus.layers import EmptyNodes, Graph, Tags
from tertium.exceptions import InputError, LayerError

_DEPS = 7  # the place of DEPS among the columns after ID


@once
def enhanced_graph(corpus: Corpus) -> Graph:
    """The enhanced graphs of a corpus, computed once.

    There is a node for every word and, where they were read, every empty node. Edges lead from the
    head to the word and stand in the order of the file, in each sentence those of words before
    those of empty nodes; one that is written twice is there twice. Labels are as written, such as
    `conj:and` or, where an empty node was collapsed, `conj:en>obl:voor`. Where the head is an empty
    node that was not read, or that the file does not have, the source is -2. Cells of empty nodes
    that cannot be read give no edges.

    Raises LayerError if there are no enhanced graphs and InputError for a word's cell that is not
    `head:relation|head:relation...` or has a head outside its sentence.
    """
    from tertium.corpus._kernels import largest_heads, split_edges

    layer, empty = corpus.extra("enhanced", Tags), corpus.extra("empty", EmptyNodes)
    if layer is None:
        raise LayerError(
            f"{corpus.origin} has no enhanced graphs",
            help="CoNLL-U has them in the column DEPS",
        )
    cells, sentence = layer.labels, corpus.sentence_of_token.astype(np.int64)
    if empty is not None:
        given = {text: "".join(text.split("\t")[_DEPS : _DEPS + 1]) for text in empty.fields.names}
        cells = concatenate([cells, empty.fields.rename(given)])
        sentence = np.append(sentence, empty.sentence)
    names, codes = cells.names, cells.codes
    written = names.bounds[:-1], names.bounds[1:]
    largest = largest_heads(names.blob, *written)
    of_cell = largest[codes]
    bad = (of_cell < 0) | (of_cell > np.diff(corpus.offsets)[sentence])
    _refuse(corpus, cells, of_cell, np.flatnonzero(bad[: corpus.token_count]))
    bounds, heads, minor, first, last = split_edges(names.blob, *written, largest >= 0)

    # Nodes and edges stand sentence by sentence; `node` is the row of every place.
    order = np.argsort(sentence, kind="stable")
    node = np.empty(len(order), np.int64)
    node[order] = np.arange(len(order))
    begins, ends = bounds[codes[order]], bounds[codes[order] + 1]
    ends = np.where(bad[order], begins, ends)
    edges = ranges(begins, ends)
    target = np.repeat(np.arange(len(order)), ends - begins)
    of_edge = sentence[order][target]
    head = heads[edges]
    source = np.where(head == 0, -1, node[corpus.offsets[of_edge] + np.maximum(head, 1) - 1])
    hidden = np.flatnonzero(minor[edges] >= 0)
    if len(hidden):
        found = _numbers(corpus, (of_edge[hidden], head[hidden], minor[edges[hidden]]))
        source[hidden] = np.where(found < 0, -2, node[corpus.token_count + found])
    top = np.zeros(len(order), np.bool_)
    top[target[source == -1]] = True
    return Graph(
        place=order.astype(np.int32),
        top=top,
        node_sentence=sentence[order].astype(np.int32),
        source=source.astype(np.int32),
        target=target.astype(np.int32),
        label=interned(names.blob, first, last).take(edges),
        sentence=of_edge.astype(np.int32),
    )


def _numbers(corpus: Corpus, ids: tuple[Int64, ...]) -> Int64:
    """The numbers of empty nodes with these sentences and ids, -1 for one that is not there."""
    rows = enumerate(corpus.rows_of("empty", EmptyNodes))
    known = {row[:-1]: number for number, row in rows}  # without the columns
    wanted = zip(*(column.tolist() for column in ids), strict=True)
    return np.array([known.get(id, -1) for id in wanted], np.int64)


def _refuse(corpus: Corpus, cells: Labels, largest: Int64, bad: Int64) -> None:
    """Refuse words whose cell cannot be read, or leads outside its sentence."""
    if not len(bad):
        return
    token = int(bad[0])
    line = f":{corpus.lines[token]}" if corpus.lines is not None else ""
    of_token = int(corpus.sentence_of_token[token])
    size = int(corpus.offsets[of_token + 1] - corpus.offsets[of_token])
    message = cell_message(cells[token], int(largest[token]), size)
    raise InputError(
        f"{corpus.origin}{line}, sentence '{corpus.sentence_id(of_token)}': {message}",
        *([f"... and {len(bad) - 1:,} more"] if len(bad) > 1 else []),
        help="'--on-error skip' leaves such sentences out and counts them",
    )


def cell_message(cell: str, largest: int, size: int) -> str:
    """What is wrong with a cell of DEPS, given its largest head (-1 if it cannot be read)."""
    if largest < 0:
        return f"DEPS is '{cell}', expected head:relation, several of them joined by '|'"
    return f"DEPS is '{cell}', but the sentence has {size} words"
