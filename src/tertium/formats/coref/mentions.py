"""Mentions as brackets in a column, one cell a token: `(1`, `1)`, `(1)`, `-`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, interned
from tertium.corpus.layers import Bools, Chains
from tertium.exceptions import InputError, counted
from tertium.formats.coref.documents import DocumentReader
from tertium.formats.lines import LINE_BREAKS

CLOSES, OPENS, BOTH = 0, 1, 2
_SPLIT = re.compile(r"\d+(\+\d+)+")  # an entity that is the union of others


class Brackets(NamedTuple):
    """The brackets of a text in order: token, what each does, and the name of its chain."""

    token: Int64
    does: Int64
    name: Labels

    def some(self, chosen: Bools) -> Brackets:
        """The chosen ones."""
        return Brackets(self.token[chosen], self.does[chosen], self.name.take(chosen))

    def partners(self, document: Int64) -> Int64:
        """The bracket that closes or opens the same mention, -1 for none; a closing bracket belongs
        to the last one of its chain that is open in the document."""
        from tertium.formats.coref._kernels import pair_brackets

        count = len(self.does)
        top, before, partner = (np.full(n, -1) for n in (len(self.name.names), count, count))
        pair_brackets(self.does, self.name.codes, document, top, before, partner)
        return partner


def read_cells(reader: DocumentReader) -> Brackets:
    """The brackets in the last column. Cells that hold anything else are refused, under "repair"
    they are read as empty; mentions with split antecedents are left out and noted."""
    from tertium.formats.coref._kernels import scan_cells

    starts, ends = reader.column(-1)
    buf = reader.table.buf
    room = int(np.count_nonzero((buf == ord("(")) | (buf == ord(")"))))
    events, is_bad = np.empty((4, room), np.int64), np.zeros(len(starts), np.bool_)
    count = scan_cells(buf, starts, ends, events, is_bad)
    token, does, begin, end = events[:, :count]
    lines, sentence = reader.token_lines, reader.of_line

    def message(at: int) -> str:
        text = reader.table.field(int(lines[at]), -1)
        return f"the last column is '{text}', expected chains such as '(1', '1)', '(1)|2)' or '-'"

    bad = np.flatnonzero(is_bad)
    reader.refuse(bad, message, lines, sentence, kind="chains", mended=len(bad))
    found = Brackets(token.copy(), does.copy(), interned(buf, begin, end))
    return _without_unions(found, reader)


def _without_unions(found: Brackets, reader: DocumentReader) -> Brackets:
    """Without split antecedents, as in v8.01."""
    names = found.name.names
    if not (names.blob == ord("+")).any():
        return found
    is_union = np.array([bool(_SPLIT.fullmatch(name)) for name in names], np.bool_)[
        found.name.codes
    ]
    mentions = np.flatnonzero(is_union & (found.does != CLOSES))
    if len(mentions):
        first = int(found.token[mentions[0]])
        was = "was" if len(mentions) == 1 else "were"
        reader.problems.note(
            f"{counted(len(mentions), 'mention')} with split antecedents, such as "
            f"'{found.name[int(mentions[0])]}', {was} not read",
            line=int(reader.token_lines[first]) + 1,
            kind="unread",
        )
    return found.some(~is_union)


def read_chains(reader: DocumentReader, label: Callable[[str], str] = lambda name: "") -> Chains:
    """The mentions in the last column of a reader whose columns were checked. Brackets without a
    partner are refused and, under "repair", left out."""
    found = read_cells(reader)
    sentence = reader.of_line[found.token]
    document = reader.document[sentence].astype(np.int64)
    partner = found.partners(document)

    def message(row: int) -> str:
        what = reader.document_of(int(sentence[row]))
        if found.does[row] == OPENS:
            return f"chain {found.name[row]} is opened here and never closed in {what}"
        return f"chain {found.name[row]} is closed here but not open in {what}"

    alone = np.flatnonzero(partner < 0)
    lines = reader.token_lines[found.token]
    reader.refuse(alone, message, lines, sentence, kind="chains", mended=len(alone))
    rows = np.flatnonzero((partner >= 0) & (found.does != CLOSES))
    reader.problems.stop()
    before = reader.of_line
    reader.settle_documents()
    if len(before) > len(reader.of_line):
        rows = rows[~reader.bad[sentence[rows]]]
    kept = np.cumsum(~reader.bad[before]) - 1
    start = kept[found.token[rows]].astype(np.int32)
    end = kept[found.token[partner[rows]]].astype(np.int32) + np.int32(1)
    name = found.name.take(rows)
    return Chains(
        start,
        end,
        Labels.constant("", len(rows)) if not len(rows) else relabelled(name, label),
        entity=numbered(document[rows], name.codes),
        name=name,
        sentence=sentence[rows].astype(np.int32),
    )


def relabelled(names: Labels, change: Callable[[str], str]) -> Labels:
    """Labels made of names."""
    made = Labels.of(map(change, names.names))
    return Labels(made.names, made.codes[names.codes])


def numbered(document: Int64, entity: Int64 | Int32) -> Int32:
    """Entities numbered in every document from 0 on, in the order of their first mentions."""
    if not len(document):
        return np.zeros(0, np.int32)
    key = document.astype(np.int64) * (int(entity.max()) + 1) + entity
    _, first, of_row = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # of entities, by their first mention
    begins = np.searchsorted(document[first[order]], document[first[order]])
    number = np.empty(len(first), np.int32)
    number[order] = np.arange(len(first)) - begins
    return number[of_row]
