"""Hot loops over constituent trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

# Rows of the table of words that lineages are read off: the lowest constituent, the levels at which
# boundaries are marked, and the number of ancestors; and of that of constituents.
LOWEST, OPENING, CLOSING, DEPTH = range(4)
PARENT, LABEL = range(2)
# Symbols of lineages that are no labels.
OPENS, CLOSES = -1, -2
# How lineages differ.
SAME, LABEL_ERROR, BOUNDARY, MISSING, ADDITIONAL, SEVERAL = range(6)


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
def _is_before(places: Any, i: Any, others: Any, j: Any) -> Any:
    """Does a place come before another one: further to the left, longer, by its content?"""
    if places[0][i] != others[0][j]:
        return places[0][i] < others[0][j]
    if places[1][i] != others[1][j]:
        return places[1][i] > others[1][j]
    return places[2][i] < others[2][j]


@kernel
def match_brackets(
    gold: Any, gold_label: Any, system: Any, system_label: Any, alike: Any, pairs: Any
) -> Any:
    """Pair brackets of the same place; `gold` and `system` are start, end and content of places in
    order.

    Gold brackets take the first free one whose label is the same, in order; those that find none
    take the next free one. `alike` is the row of a label in `pairs`, -1 for none: which different
    labels count as the same. Gives the partner of each gold bracket, -1 for none, and whether the
    labels are the same.
    """
    partner = np.full(len(gold_label), -1, np.int64)
    right = np.zeros(len(gold_label), np.bool_)
    used = np.zeros(len(system_label), np.bool_)
    # Of each label the first free bracket at a place, and of each bracket the next with its label.
    head, following = np.full(len(alike), -1, np.int64), np.empty(len(system_label), np.int64)
    label_of = np.full(len(pairs), -1, np.int64)
    for label in range(len(alike)):
        if alike[label] >= 0:
            label_of[alike[label]] = label
    i = j = 0
    while i < len(gold_label) and j < len(system_label):
        if _is_before(gold, i, system, j):
            i += 1
            continue
        if _is_before(system, j, gold, i):
            j += 1
            continue
        last, end = i + 1, j + 1
        while last < len(gold_label) and not _is_before(gold, i, gold, last):
            last += 1
        while end < len(system_label) and not _is_before(system, j, system, end):
            end += 1
        for other in range(end - 1, j - 1, -1):
            following[other] = head[system_label[other]]
            head[system_label[other]] = other
        for row in range(i, last):
            own = alike[gold_label[row]]
            other = head[gold_label[row]]
            for k in range(len(pairs) if own >= 0 else 0):
                if pairs[own, k] and label_of[k] >= 0:
                    rival = head[label_of[k]]
                    if rival >= 0 and (other < 0 or rival < other):
                        other = rival
            if other >= 0:
                partner[row], right[row], used[other] = other, True, True
                head[system_label[other]] = following[other]
        for other in range(j, end):
            head[system_label[other]] = -1
        free = j
        for row in range(i, last):
            if partner[row] < 0:
                while free < end and used[free]:
                    free += 1
                if free < end:
                    partner[row], used[free] = free, True
        i, j = last, end
    return partner, right


@kernel
def count_tags(
    offsets: Any,
    weight: Any,
    tag: Any,
    system_offsets: Any,
    system_weight: Any,
    system_tag: Any,
    scored: Any,
    alike: Any,
    pairs: Any,
) -> Any:
    """How many words of each sentence have the right tag, or one that counts as the same. Words
    have their weight: both sides have the same number in sentences that are scored."""
    right = np.zeros(len(scored), np.int64)
    for sentence in range(len(scored)):
        j, left = system_offsets[sentence] - 1, 0
        if not scored[sentence]:
            continue
        for i in range(offsets[sentence], offsets[sentence + 1]):
            for _ in range(weight[i]):
                while left == 0:
                    j += 1
                    left = system_weight[j]
                left -= 1
                a, b = tag[i], system_tag[j]
                if a == b or (
                    b >= 0 and alike[a] >= 0 and alike[b] >= 0 and pairs[alike[a], alike[b]]
                ):
                    right[sentence] += 1
    return right


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


@kernel
def hash_paths(parent: Any, label: Any, path: Any, depth: Any) -> None:
    """A hash of the labels from the top down to each row, and how many they are. `label` is a hash
    of each row's label; rows stand in preorder. `path` and `depth` receive the results."""
    for row in range(len(parent)):
        above = parent[row]
        state = np.uint64(0x9E3779B97F4A7C15)
        depth[row] = 1
        if above >= 0:
            state = path[above]
            depth[row] += depth[above]
        state = (state ^ label[row]) * np.uint64(0xBF58476D1CE4E5B9)
        state ^= state >> np.uint64(29)
        path[row] = state * np.uint64(0x94D049BB133111EB) + np.uint64(1)


@kernel
def mark_boundaries(parent: Any, start: Any, end: Any, words: Any) -> None:
    """Fill in the levels at which boundaries are marked, counted from the lowest constituent over
    each word: that of the highest one that begins with the word, and of the highest that ends with
    it; -1 for none. A constituent lies inside its parent, so no higher one does once one does
    not."""
    for word in range(words.shape[1]):
        row, level = words[LOWEST, word], 0
        words[OPENING, word] = words[CLOSING, word] = -1
        while row >= 0 and (start[row] == word or end[row] == word + 1):
            if start[row] == word:
                words[OPENING, word] = level
            if end[row] == word + 1:
                words[CLOSING, word] = level
            row, level = parent[row], level + 1


@kernel
def _gather(word: Any, words: Any, rows: Any, out: Any) -> Any:
    """Write the lineage of a word: the labels from its lowest constituent up, OPENS before the one
    that opens, CLOSES behind the one that closes. Returns how many symbols there are."""
    row, level, size = words[LOWEST, word], 0, 0
    while row >= 0:
        if level == words[OPENING, word]:
            out[size] = OPENS
            size += 1
        out[size] = rows[LABEL, row]
        size += 1
        if level == words[CLOSING, word]:
            out[size] = CLOSES
            size += 1
        row, level = rows[PARENT, row], level + 1
    return size


@kernel
def _distance(ours: Any, n: Any, theirs: Any, m: Any, replace: Any, line: Any) -> Any:
    """Levenshtein distance; what begins and ends alike is not looked at."""
    while n > 0 and m > 0 and ours[n - 1] == theirs[m - 1]:
        n, m = n - 1, m - 1
    first = 0
    while first < n and first < m and ours[first] == theirs[first]:
        first += 1
    n, m = n - first, m - first
    if n == 0 or m == 0:
        return n + m
    for j in range(m + 1):
        line[j] = j
    for i in range(n):
        corner = line[0]
        line[0] = i + 1
        for j in range(m):
            best = corner if ours[first + i] == theirs[first + j] else corner + replace
            corner = line[j + 1]
            best = min(best, corner + 1, line[j] + 1)
            line[j + 1] = best
    return line[m]


@kernel
def _is_within(few: Any, n: Any, many: Any, m: Any) -> Any:
    """Are the labels of one lineage among those of another, in the same order? Marks are passed
    over."""
    i = 0
    for j in range(m):
        while i < n and few[i] < 0:
            i += 1
        if i < n and many[j] == few[i]:
            i += 1
    while i < n and few[i] < 0:
        i += 1
    return i == n


@kernel
def compare_lineages(
    gold: Any,
    gold_words: Any,
    gold_rows: Any,
    system: Any,
    system_words: Any,
    system_rows: Any,
    replace: Any,
    similarity: Any,
    kind: Any,
) -> None:
    """How similar the lineages of the words `gold` and `system` are, and how they differ, as one of
    the kinds above. `similarity` and `kind` receive the results."""
    longest = max(gold_words[DEPTH].max(), system_words[DEPTH].max())
    ours, theirs = np.empty(longest + 2, np.int32), np.empty(longest + 2, np.int32)
    line = np.empty(longest + 3, np.int32)
    for at in range(len(gold)):
        g, s = gold[at], system[at]
        n = _gather(g, gold_words, gold_rows, ours)
        m = _gather(s, system_words, system_rows, theirs)
        similarity[at] = (n + m - _distance(ours, n, theirs, m, replace, line)) / (n + m)
        more = gold_words[DEPTH, g] - system_words[DEPTH, s]
        kind[at] = SEVERAL
        if more >= 0 and _is_within(theirs, m, ours, n):
            kind[at] = MISSING if more else BOUNDARY
        elif more < 0 and _is_within(ours, n, theirs, m):
            kind[at] = ADDITIONAL
        elif more == 0:
            kind[at] = LABEL_ERROR
