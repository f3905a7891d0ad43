"""Loops over items and systems."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tertium._jit import kernel

# Columns of `count_pairs`.
COUNTS = (
    "items",
    "different",
    "corrections",
    "new_errors",
    "changed_errors",
    "both_right",
    "shared_right",
)
# What `classify` says about an item of a pair.
NOT_THERE, SAME, CORRECTION, NEW_ERROR, CHANGED_ERROR, OTHER_RIGHT = range(6)


@kernel
def count_pairs(
    answer: npt.NDArray[np.unsignedinteger[Any]],
    right: npt.NDArray[np.bool_],
    answered: npt.NDArray[np.bool_],
    gold_items: int,
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Counts of every pair of systems (rows of the first three arrays), columns as above; the last
    are gold items that both have right. Items from `gold_items` on are extra ones, which a pair has
    only if one of the two answers."""
    counts = np.zeros((len(first), 7), np.int64)
    size = answer.shape[1]
    for pair in range(len(first)):
        a, b = first[pair], second[pair]
        items = gold_items
        corrections = new = changed = both = shared = 0
        # Nothing is decided inside the loop, so that several items are counted at a time.
        for i in range(size):
            differ = answer[a, i] != answer[b, i]
            corrections += differ & (not right[a, i]) & right[b, i]
            new += differ & right[a, i] & (not right[b, i])
            changed += differ & (not right[a, i]) & (not right[b, i])
            both += differ & right[a, i] & right[b, i]
        for i in range(gold_items):
            shared += right[a, i] & right[b, i]
        for i in range(gold_items, size):
            items += answered[a, i] | answered[b, i]
        counts[pair, 0] = items
        counts[pair, 1] = corrections + new + changed + both
        counts[pair, 2] = corrections
        counts[pair, 3] = new
        counts[pair, 4] = changed
        counts[pair, 5] = both
        counts[pair, 6] = shared
    return counts


@kernel
def classify(
    answer_a: npt.NDArray[np.unsignedinteger[Any]],
    answer_b: npt.NDArray[np.unsignedinteger[Any]],
    right_a: npt.NDArray[np.bool_],
    right_b: npt.NDArray[np.bool_],
    answered_a: npt.NDArray[np.bool_],
    answered_b: npt.NDArray[np.bool_],
    gold_items: int,
) -> npt.NDArray[np.uint8]:
    """What became of every item from one system to another, as codes above."""
    found = np.zeros(len(answer_a), np.uint8)
    for i in range(len(answer_a)):
        if i >= gold_items and not (answered_a[i] or answered_b[i]):
            continue
        if answer_a[i] == answer_b[i]:
            found[i] = 1
        elif right_b[i]:
            found[i] = 5 if right_a[i] else 2
        else:
            found[i] = 3 if right_a[i] else 4
    return found


@kernel
def patterns(right: npt.NDArray[np.bool_], gold_items: int) -> npt.NDArray[np.int64]:
    """Who has each gold item right, as bits: the first system is the lowest. At most 62 systems."""
    found = np.zeros(gold_items, np.int64)
    for system in range(right.shape[0]):
        for i in range(gold_items):
            if right[system, i]:
                found[i] |= 1 << system
    return found


@kernel
def solved_by_any(counts: npt.NDArray[np.int64], systems: int) -> npt.NDArray[np.int64]:
    """For every set of systems (bits), how many items at least one of them has right, from the
    number of items of every pattern."""
    missed = counts.copy()  # will be: items whose pattern lies within the set
    for bit in range(systems):
        step = 1 << bit
        for i in range(len(missed)):
            if i & step:
                missed[i] += missed[i ^ step]
    total = missed[len(missed) - 1]
    found = np.empty_like(missed)
    for i in range(len(missed)):
        found[i] = total - missed[(len(missed) - 1) ^ i]
    return found
