"""Checking the column DEPS of CoNLL-U."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.corpus.enhanced import cell_message
from tertium.corpus.labels import Int64, Labels, Names
from tertium.formats.layout import note_few

if TYPE_CHECKING:
    from tertium.formats.conll import WordReader

BAD_ENHANCED = "enhanced"


def checked_enhanced(reader: WordReader, cells: Labels) -> Labels:
    """The cells, after every one has been looked at.

    A bad one is an error if the enhanced graph is asked for by name or every problem is wanted;
    then "repair" empties it, otherwise its sentence is marked bad. Else it is read and noted, since
    most measures do not look at it.
    """
    from tertium.corpus._kernels import largest_heads

    names = cells.names
    largest = largest_heads(names.blob, names.bounds[:-1], names.bounds[1:])[cells.codes]
    size = np.diff(reader.offsets)[reader.sentence_of_word]
    bad = np.flatnonzero((largest < 0) | (largest > size))
    if not len(bad):
        return cells

    lines, sentence = reader.words[bad], reader.sentence_of_word[bad]

    def message(i: int) -> str:
        return cell_message(cells[bad[i]], int(largest[bad[i]]), int(size[bad[i]]))

    if reader.reading.needs is None and not reader.reading.check:
        note_few(reader, BAD_ENHANCED, message, lines, sentence)
        return cells
    for i in reader.problems.listed(np.arange(len(bad))):
        reader.error(int(sentence[i]), message(i), int(lines[i]), BAD_ENHANCED)
    if reader.reading.on_error != "repair":
        reader.bad[sentence] = True
        return cells
    reader.repaired += len(bad)
    return _emptied(cells, bad)


def _emptied(cells: Labels, rows: Int64) -> Labels:
    """The same cells with `_` in these rows."""
    nothing = cells.names.find("_")
    names = cells.names
    if nothing < 0:
        nothing, names = len(names), Names.of([*names, "_"])
    codes = cells.codes.copy()
    codes[rows] = nothing
    return Labels(names, codes)
