"""Hot loops over constituent trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def heights(parent: Any, is_seen: Any) -> Any:
    """The number of rows on the longest way down from each row, itself included, over rows that
    are seen; 0 for others. Rows stand in preorder."""
    height = np.zeros(len(parent), np.int32)
    for row in range(len(parent) - 1, -1, -1):
        if is_seen[row]:
            height[row] += 1
            above = parent[row]
            if above >= 0 and height[above] < height[row]:
                height[above] = height[row]
    return height


@kernel
def match_brackets(
    gold: Any, gold_label: Any, system: Any, system_label: Any, alike: Any, pairs: Any
) -> Any:
    """Pair brackets of the same place, given their places as integers that do not fall.

    Gold brackets take the first free one whose label is the same, in order; those that find none
    take the next free one. `alike` is the row of a label in `pairs`, -1 for none: which different
    labels count as the same. Gives the partner of each gold bracket, -1 for none, and whether the
    labels are the same.
    """
    partner = np.full(len(gold), -1, np.int64)
    right = np.zeros(len(gold), np.bool_)
    used = np.zeros(len(system), np.bool_)
    i = j = 0
    while i < len(gold) and j < len(system):
        if gold[i] != system[j]:
            if gold[i] < system[j]:
                i += 1
            else:
                j += 1
            continue
        last, end = i, j
        while last < len(gold) and gold[last] == gold[i]:
            last += 1
        while end < len(system) and system[end] == gold[i]:
            end += 1
        free = j
        for row in range(i, last):
            while free < end and used[free]:
                free += 1
            for other in range(free, end):
                if used[other]:
                    continue
                a, b = gold_label[row], system_label[other]
                if a == b or (alike[a] >= 0 and alike[b] >= 0 and pairs[alike[a], alike[b]]):
                    partner[row], right[row], used[other] = other, True, True
                    break
        for row in range(i, last):
            if partner[row] < 0:
                while free < end and used[free]:
                    free += 1
                if free < end:
                    partner[row], used[free] = free, True
        i, j = last, end
    return partner, right


@kernel
def innermost(start: Any, end: Any, size: int) -> Any:
    """For each boundary between words, start and end of the lowest bracket with words on both sides
    of it, -1 for none. Brackets are nested and stand in preorder."""
    low = np.full(size + 1, -1, np.int32)
    high = np.full(size + 1, -1, np.int32)
    stack = np.empty(len(start), np.int32)
    top, at = 0, 0
    for row in range(len(start) + 1):
        begin = start[row] if row < len(start) else size
        while top > 0 and end[stack[top - 1]] <= begin:
            above = stack[top - 1]
            for boundary in range(at, end[above]):
                low[boundary], high[boundary] = start[above], end[above]
            at = max(at, end[above])
            top -= 1
        if row == len(start):
            break
        if top > 0:
            above = stack[top - 1]
            for boundary in range(at, begin + 1):
                low[boundary], high[boundary] = start[above], end[above]
        at = begin + 1
        stack[top] = row
        top += 1
    return low, high


@kernel
def crossing_sets(
    gold_start: Any,
    gold_end: Any,
    gold_bounds: Any,
    gold_atoms: Any,
    start: Any,
    end: Any,
    bounds: Any,
    atoms: Any,
    first: Any,
    last: Any,
) -> Any:
    """Which brackets cross one of gold's: they share words, and each has some that the other lacks.
    `first` and `last` say which of gold's each may meet."""
    found = np.zeros(len(start), np.bool_)
    for row in range(len(start)):
        width = end[row] - start[row]
        before = np.zeros(width + 1, np.int64)  # words of this bracket up to each place
        if bounds[row] == bounds[row + 1]:
            before[1:] = 1
        for k in range(bounds[row], bounds[row + 1]):
            before[atoms[k] - start[row] + 1] = 1
        for k in range(width):
            before[k + 1] += before[k]
        for other in range(first[row], last[row]):
            low = max(gold_start[other], start[row])
            high = min(gold_end[other], end[row])
            if low >= high:
                continue
            common, size = 0, gold_bounds[other + 1] - gold_bounds[other]
            if size == 0:
                size = gold_end[other] - gold_start[other]
                common = before[high - start[row]] - before[low - start[row]]
            for k in range(gold_bounds[other], gold_bounds[other + 1]):
                place = gold_atoms[k] - start[row]
                if 0 <= place < width:
                    common += before[place + 1] - before[place]
            if 0 < common < min(size, before[width]):
                found[row] = True
                break
    return found


@kernel
def restore_quotes(
    gold_bounds: Any,
    gold_leaf: Any,
    gold_index: Any,
    gold_tag: Any,
    gold_deleted: Any,
    bounds: Any,
    leaf: Any,
    index: Any,
    tag: Any,
    deleted: Any,
    gold_weight: Any,
    weight: Any,
) -> None:
    """Count quotation marks that only one side deletes and that stand at the same index."""
    for sentence in range(len(bounds) - 1):
        a, z = gold_bounds[sentence], gold_bounds[sentence + 1]
        for i in range(bounds[sentence], bounds[sentence + 1]):
            place = index[i]
            for j in range(a, z):
                if gold_index[j] != place or gold_tag[j] == tag[i]:
                    continue
                if gold_deleted[j] and not deleted[i]:
                    gold_weight[gold_leaf[j]] += 1
                    gold_index[j:z] += 1
                elif deleted[i] and not gold_deleted[j]:
                    weight[leaf[i]] += 1
                    index[i : bounds[sentence + 1]] += 1
