"""The matrix of MACE: CSV without a header, a line per item and a column per annotator."""

from __future__ import annotations

import numpy as np

from tertium.corpus.labels import Int32, Int64, Labels
from tertium.formats.base import Problems
from tertium.formats.judgements import HELP, TABLE, Judgements, numbers, stripped
from tertium.formats.lines import FieldTable


def of_matrix(table: FieldTable, problems: Problems) -> Judgements:
    """Items and annotators are numbered; a blank line is an item without judgements, and ends a
    sequence."""
    fields = np.asarray(table.field_count)
    filled = np.flatnonzero(fields)
    if not len(filled):
        raise problems.fatal("there is no judgement in the file")
    width = int(fields[filled[0]])
    for row in problems.listed(filled[fields[filled] != width]):
        problems.error(
            f"{fields[row]} annotators, expected {width} as in line {filled[0] + 1}", line=row + 1
        )
    problems.stop()
    bounds = [table.bounds(filled, column) for column in range(width)]
    starts, ends = (np.stack(side, axis=1).ravel() for side in zip(*bounds, strict=True))
    said = np.flatnonzero(starts < ends)
    label = stripped(table.intern(starts[said], ends[said]))
    is_vote = label.codes != label.names.find("")
    said, label = said[is_vote], label.take(is_vote)
    line, annotator = filled[said // width], (said % width).astype(np.int32)
    _refuse_header(label, line, annotator, problems)
    blank = (fields == 0).cumsum()
    sentence = Labels.of(str(number) for number in blank) if blank[-1] else None
    return Judgements(
        problems.reading.origin,
        Labels(numbers(len(fields)), line.astype(np.int32)),
        Labels(numbers(width), annotator),
        label,
        sentence=sentence,
    )


def _refuse_header(label: Labels, line: Int64, annotator: Int32, problems: Problems) -> None:
    """A matrix has no header: neither a usual name of items that its column has only once, nor
    names that differ from each other and never occur again, of which not all are numbers."""
    first = label.codes[line == 0]
    names = label.names.some(first)
    above = label.codes[annotator == 0]
    is_item = names[0].lower() in TABLE["item"] and int((above == first[0]).sum()) == 1
    once = len({*names}) == len(first) == int(np.isin(label.codes, first).sum())
    words = [name for name in names if not _is_number(name)]
    is_new = once and 1 < len(first) < len(label) and bool(words)
    if is_new or (is_item and len(above) > 1):
        raise problems.fatal(
            "the first line looks like names of columns, and a matrix of annotators has none",
            line=1,
            help=f"if this is a table, {HELP}",
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
