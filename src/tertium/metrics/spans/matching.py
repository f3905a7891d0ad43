"""Which spans of gold and system are the same: by position, token set and label."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.decisions import occurrence
from tertium.corpus.labels import Int32, Int64
from tertium.corpus.layers import Spans


def atoms_of(spans: Spans, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """First atom and end of each span."""
    if not len(spans.start):
        return spans.start.astype(np.int64), spans.end.astype(np.int64)
    return start[spans.start], end[spans.end - 1]


def keys_of(
    ours: Spans, theirs: Spans, gold_label: Int32, system_label: Int32, alignment: Alignment
) -> tuple[tuple[Int64, Int64], tuple[Int64, Int64]]:
    """Two integers per span: equal iff position and token set are, and iff the label is as well."""
    gold_start, gold_end = atoms_of(ours, alignment.gold_start, alignment.gold_end)
    system_start, system_end = atoms_of(theirs, alignment.system_start, alignment.system_end)
    start = np.concatenate([gold_start, system_start])
    end = np.concatenate([gold_end, system_end])
    sets = token_sets(ours, alignment.gold_start, theirs, alignment.system_start)
    place = packed(start, end - start)
    if sets is not None:
        place = packed(place, sets)
    full = packed(place, np.concatenate([gold_label, system_label]).astype(np.int64))
    cut = len(gold_start)
    return (place[:cut], place[cut:]), (full[:cut], full[cut:])


def packed(key: Int64, column: Int64) -> Int64:
    """One integer for two; keys are numbered anew where there would be no room."""
    size = int(column.max(initial=0)) + 1
    if int(key.max(initial=0)) >= 2**62 // size:
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key * size + column


def same_place(gold: Int64, system: Int64) -> tuple[Int64, Int64]:
    """Rows of gold and system in the same place, each used once, in order."""
    both = packed(
        np.concatenate([gold, system]), np.concatenate([occurrence(gold), occurrence(system)])
    )
    _, at, partner = np.intersect1d(both[: len(gold)], both[len(gold) :], return_indices=True)
    return at.astype(np.int64), partner.astype(np.int64)


def token_sets(ours: Spans, gold_start: Int64, theirs: Spans, system_start: Int64) -> Int64 | None:
    """A number for every token set with gaps, 0 for spans without; None if there are no gaps."""
    if ours.tokens is None and theirs.tokens is None:
        return None
    known: dict[bytes, int] = {}
    numbers: list[int] = []
    for spans, atoms in ((ours, gold_start), (theirs, system_start)):
        for row in range(len(spans.start)):
            if spans.tokens is None or len(spans.tokens[row]) == spans.end[row] - spans.start[row]:
                numbers.append(0)
            else:
                content = atoms[spans.start[row] + spans.tokens[row]].tobytes()
                numbers.append(known.setdefault(content, len(known) + 1))
    return np.array(numbers, np.int64)


def distinct(keys: Int64) -> Int64:
    """The first row of every distinct key, in order of rows."""
    return np.sort(np.unique(keys, return_index=True)[1]).astype(np.int64)


def row_of(wanted: Int64, keys: Int64, rows: Int64) -> Int64:
    """The row, among the given ones, that has each wanted key; -1 where none has."""
    order = rows[np.argsort(keys[rows], kind="stable")]
    if not len(order):
        return np.full(len(wanted), -1, np.int64)
    place = np.minimum(np.searchsorted(keys[order], wanted), len(order) - 1)
    return np.where(keys[order[place]] == wanted, order[place], -1)


def repeated(unit: Int32, rows: Int64, units: int) -> npt.NDArray[np.float64]:
    """How many spans of each unit repeat another one."""
    repeats = np.ones(len(unit), np.bool_)
    repeats[rows] = False
    return np.bincount(unit[repeats], minlength=units).astype(np.float64)
