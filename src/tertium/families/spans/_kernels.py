"""Hot loops of the fair evaluation, and of the counts of MUC and SemEval-2013."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

# Columns of the table of spans that `match_groups` works on (see overlaps.py).
START, END, LABEL, LOW, HIGH, AT, LEFT, LEAF, TURN, IS_DONE, PARTNER, IS_SECOND = range(12)


@kernel
def match_labels(
    gold: Any, gold_place: Any, system: Any, system_place: Any, used: Any, partner: Any
) -> None:
    """Spans in the same place with different labels, paired in order of rows.

    `gold` and `system` are labels of spans sorted by place, then row. `used` (of system spans) is
    False and `partner` (of gold spans) -1 before; the latter receives the partners.
    """
    first = 0
    for g in range(len(gold)):
        while first < len(system) and system_place[first] < gold_place[g]:
            first += 1
        s = first
        while s < len(system) and system_place[s] == gold_place[g]:
            if not used[s] and system[s] != gold[g]:
                used[s] = True
                partner[g] = s
                break
            s += 1


@kernel
def _next_above(tree: Any, size: Any, first: Any, bound: Any) -> Any:
    """The first leaf from `first` on whose value is above `bound`, -1 if there is none.

    `tree` is a heap of maxima with `size` leaves (a power of two) from index `size` on.
    """
    node = first + size
    while True:
        if tree[node] > bound:
            while node < size:
                node *= 2
                if tree[node] <= bound:
                    node += 1
            return node - size
        while node & 1:  # a right child: what follows lies to the right of its parent
            node >>= 1
            if node == 0:
                return -1
        node += 1


@kernel
def _set_leaf(tree: Any, size: Any, leaf: Any, value: Any) -> None:
    """Give a leaf a value and mend the maxima above it."""
    node = leaf + size
    tree[node] = value
    while node > 1:
        node >>= 1
        tree[node] = max(tree[2 * node], tree[2 * node + 1])


@kernel
def _count_atoms(word: Any, first: Any, weights: Any) -> Any:
    """How many atoms the bits of a word are: one each, or the weight of each; `first` is the number
    of the word's first bit."""
    total = 0
    for bit in range(64 if len(weights) else 0):
        if (word >> np.uint64(bit)) & np.uint64(1):
            total += weights[first + bit]
    if len(weights):
        return total
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _shared_atoms(i: Any, j: Any, spans: Any, words: Any, weights: Any, take: Any) -> Any:
    """How many atoms are left in both of two spans; with `take` they are gone after that."""
    total = 0
    for w in range(max(spans[i, LOW], spans[j, LOW]), min(spans[i, HIGH], spans[j, HIGH]) + 1):
        both = words[spans[i, AT] + w] & words[spans[j, AT] + w]
        total += _count_atoms(both, w << 6, weights)
        if take:
            words[spans[i, AT] + w] ^= both
            words[spans[j, AT] + w] ^= both
    if take:
        spans[i, LEFT] -= total
        spans[j, LEFT] -= total
    return total


@kernel
def _find_partner(
    i: Any,
    spans: Any,
    words: Any,
    weights: Any,
    tree: Any,
    size: Any,
    by_start: Any,
    same_label: Any,
    is_free: Any,
    is_solid: Any,
) -> Any:
    """The candidate most similar to span `i`, -1 for none.

    Candidates are the leaves of a heap of ends (`by_start`: their spans, in order of their starts)
    that overlap with it, in another place, with the same label or with another one. Most shared
    atoms win, then fewest atoms of the candidate that are not shared, then the shortest candidate,
    then the one whose turn comes first. Candidates that are not free must share an atom.
    """
    start, end = spans[i, START], spans[i, END]
    no, leaf = np.int64(0), np.int64(0)
    best, most, least = np.int64(-1), np.int64(0), np.int64(0)
    while leaf < size:
        leaf = _next_above(tree, size, leaf, start)
        if leaf < 0 or spans[by_start[leaf], START] >= end:
            break  # leaves are in order of their start: none of the others overlaps
        j = by_start[leaf]
        leaf += 1
        if (spans[j, LABEL] == spans[i, LABEL]) != same_label:
            continue
        if spans[j, START] == start and spans[j, END] == end:
            continue
        if is_free and is_solid:  # all atoms of both are left, without a gap
            shared = min(end, spans[j, END]) - max(start, spans[j, START])
        else:
            shared = _shared_atoms(i, j, spans, words, weights, no)
        if not is_free and not shared:
            continue
        rest = spans[j, LEFT] - shared
        is_better = best < 0
        if not is_better:
            order = most - shared
            if order == 0:
                order = rest - least
            if order == 0:
                order = (spans[j, END] - spans[j, START]) - (spans[best, END] - spans[best, START])
            if order == 0:
                order = spans[j, TURN] - spans[best, TURN]
            is_better = order < 0
        if is_better:
            best, most, least = j, shared, rest
    return best


@kernel
def match_groups(
    groups: Any,
    spans: Any,
    by_start: Any,
    words: Any,
    weights: Any,
    free: Any,
    matched: Any,
    matched_gold: Any,
    is_solid: bool,
) -> None:
    """Boundary errors, then labelling-boundary errors, of groups of overlapping spans.

    `groups`: first and end of the gold spans of each and of its system spans. `by_start`: spans of
    each side of a group in order of their starts. `words`: the atoms that are left of spans, as
    bits, of which each is one atom or as many as `weights` says. The next three are heaps of ends:
    of free system spans, of matched ones, of matched gold spans. `is_solid`: no span has a gap.

    Each gold span looks among the free system spans, then among the matched ones; each system span
    that is still free among the matched gold spans: for partners with the same label, then with
    another one. Free spans take their turn by length (as they come), matched ones as they matched.
    """
    yes, none = np.int64(1), np.int64(-1)
    for group in range(len(groups)):
        g0, g1, s0, s1 = groups[group, 0], groups[group, 1], groups[group, 2], groups[group, 3]
        g_size, s_size = 1, 1
        while g_size < g1 - g0:
            g_size *= 2
        while s_size < s1 - s0:
            s_size *= 2
        matched_gold[: 2 * g_size] = none
        matched[: 2 * s_size] = none
        free[: 2 * s_size] = none
        for s in range(s0, s1):
            _set_leaf(free, s_size, spans[s, LEAF], spans[s, END])
        turn = 0
        for step in range(6):
            look = step % 3
            tree = free if look == 0 else matched if look == 1 else matched_gold
            first, last, low, high, size = g0, g1, s0, s1, s_size
            if look == 2:
                first, last, low, high, size = s0, s1, g0, g1, g_size
            for i in range(first, last):
                if spans[i, IS_DONE]:
                    continue
                j = _find_partner(
                    i,
                    spans,
                    words,
                    weights,
                    tree,
                    size,
                    by_start[low:high],
                    step < 3,
                    look == 0,
                    is_solid,
                )
                if j < 0:
                    continue
                spans[i, IS_DONE], spans[i, PARTNER], spans[i, IS_SECOND] = 1, j, look == 1
                spans[i, TURN] = turn
                if look < 2:
                    _set_leaf(matched_gold, g_size, spans[i, LEAF], spans[i, END])
                if look != 1:  # a system span that was free
                    s = j if look == 0 else i
                    spans[s, IS_DONE], spans[s, TURN] = 1, turn
                    _set_leaf(free, s_size, spans[s, LEAF], none)
                    _set_leaf(matched, s_size, spans[s, LEAF], spans[s, END])
                turn += 1
                _shared_atoms(i, j, spans, words, weights, yes)


@kernel
def _first_from(spans: Any, low: Any, high: Any, start: Any, end: Any, label: Any) -> Any:
    """The first of the spans `low` to `high` (start, end, label, in order) that is not before
    another one."""
    while low < high:
        k = (low + high) // 2
        order = spans[k, 0] - start
        if order == 0:
            order = spans[k, 1] - end
        if order == 0:
            order = spans[k, 2] - label
        if order < 0:
            low = k + 1
        else:
            high = k
    return low


@kernel
def _set_wider(group: Any, spans: Any, wider: Any) -> None:
    """For each span the nearest one before it in its group that ends later (all between end with it
    or before); a number below that of the group's first span for none."""
    first = 0
    for i in range(len(group)):
        if group[i] != group[first]:
            first = i
        w = i - 1
        while w >= first and spans[w, 1] <= spans[i, 1]:
            w = wider[w]
        wider[i] = w


@kernel
def pair_overlapping(
    gold_group: Any,
    gold: Any,
    place: Any,
    system_group: Any,
    system: Any,
    nearest: bool,
    overlap: float,
    wider: Any,
    free: Any,
    partner: Any,
    right: Any,
) -> None:
    """The gold span each system span is compared with (`partner`, -1 before), and whether it is
    `right`.

    Spans are rows of start, end and label. Those of gold come by group, start, end, label, place in
    the list; those of the system by group, place. System spans choose in turn, among the gold spans
    of their group that no earlier one has: the one of the same start, end and label; else, of those
    with `overlap` percent of their length covered, with `nearest` the one of the same label and the
    closest boundaries, which is right as well; else the first of the list. See partial.py.

    `wider` is filled in; `free[k]`, k before, leads to the first span from k on that is not used.
    """
    _set_wider(gold_group, gold, wider)
    first = last = 0
    for n in range(len(system_group)):
        while first < len(gold_group) and gold_group[first] < system_group[n]:
            first += 1
        last = max(first, last)
        while last < len(gold_group) and gold_group[last] == system_group[n]:
            last += 1
        start, end, label = system[n, 0], system[n, 1], system[n, 2]
        k = _first_from(gold, first, last, start, end, label)
        while free[k] != k:
            free[k] = free[free[k]]
            k = free[k]
        best = closest = np.int64(-1)
        if k < last and gold[k, 0] == start and gold[k, 1] == end and gold[k, 2] == label:
            best, right[n] = k, True
        else:
            none = np.int64(-1)
            k = _first_from(gold, first, last, end, none, none) - 1
            while k >= first:
                if gold[k, 1] <= start:
                    k = wider[k]
                    continue
                shared = min(end, gold[k, 1]) - max(start, gold[k, 0])
                # In nervaluate's order of operations: the last bit can decide.
                share = shared / (gold[k, 1] - gold[k, 0]) * 100.0 if shared > 0 else -1.0
                if free[k] == k and share >= overlap:
                    if nearest and gold[k, 2] == label:
                        distance = abs(start - gold[k, 0]) + abs(end - gold[k, 1])
                        is_tie = distance == closest and place[k] < place[best]
                        if not right[n] or distance < closest or is_tie:
                            best, closest, right[n] = k, distance, True
                    elif not right[n] and (best < 0 or place[k] < place[best]):
                        best = k
                k -= 1
        if best >= 0:
            partner[n] = best
            free[best] = best + 1
