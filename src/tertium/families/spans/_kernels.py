"""Hot loops of the fair evaluation, and of the counts of MUC and SemEval-2013."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

_NONE = -1


@kernel
def match_labels(gold: Any, gold_place: Any, system: Any, system_place: Any) -> Any:
    """Spans in the same place with different labels, paired in order of rows.

    `gold` and `system` are labels of spans sorted by place, then row. Gives each gold span's
    partner, -1 for none.
    """
    partner = np.full(len(gold), _NONE, np.int64)
    used = np.zeros(len(system), np.bool_)
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
    return partner


@kernel
def next_above(tree: Any, size: Any, first: Any, bound: Any) -> Any:
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
                return _NONE
        node += 1


@kernel
def set_leaf(tree: Any, size: Any, leaf: Any, value: Any) -> None:
    """Give a leaf a value and mend the maxima above it."""
    node = leaf + size
    tree[node] = value
    while node > 1:
        node >>= 1
        tree[node] = max(tree[2 * node], tree[2 * node + 1])


@kernel
def count_bits(word: Any) -> Any:
    """How many bits of a 64-bit word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def token_bits(side: Any, first: Any, last: Any, places: Any) -> Any:
    """The atoms of the spans of a group as bits: words of all spans, where each span's words begin,
    how many atoms each has, and first and last bit of each.

    Word w of a span holds the bits from 64 (start // 64 + w) on. Spans with gaps list their atoms;
    the others cover all from start to end. If `places` is empty, every atom has a bit; else these
    are all the places where spans begin and end, and a bit stands for what is between two.
    """
    start, end = side[0][first:last], side[1][first:last]
    atoms = side[4][side[3][first] : side[3][last]]
    left = end - start
    if len(places):
        start = np.searchsorted(places, start)
        end = np.searchsorted(places, end)
        atoms = np.searchsorted(places, atoms)
    bounds = np.zeros(len(start) + 1, np.int64)
    for i in range(len(start)):
        bounds[i + 1] = bounds[i] + ((end[i] - 1) >> 6) - (start[i] >> 6) + 1
    words = np.zeros(bounds[-1], np.uint64)
    for i in range(len(start)):
        base = bounds[i] - (start[i] >> 6)
        low, high = side[3][first + i] - side[3][first], side[3][first + i + 1] - side[3][first]
        if high > low:
            left[i] = high - low
            for j in range(low, high):
                words[base + (atoms[j] >> 6)] |= np.uint64(1) << np.uint64(atoms[j] & 63)
        else:
            for atom in range(start[i], end[i]):
                words[base + (atom >> 6)] |= np.uint64(1) << np.uint64(atom & 63)
    return words, bounds, left, start, end


@kernel
def weigh(word: Any, first: Any, weights: Any) -> Any:
    """How many atoms the bits of a word stand for; its first bit is number `first`."""
    total = 0
    while word:
        lowest = word & (~word + np.uint64(1))
        total += weights[first + count_bits(lowest - np.uint64(1))]
        word ^= lowest
    return total


@kernel
def shared_tokens(i: Any, one: Any, j: Any, other: Any, take: Any) -> Any:
    """How many tokens are left in both of two spans; with `take` they are gone after that.

    A side is a tuple: starts, ends and labels of all its spans, the first span of the group, what
    `token_bits` says about the spans from there on (the bits are those of tokens that are left),
    and how many tokens every bit stands for; nothing if one.
    """
    a, b = i - one[3], j - other[3]
    at = one[5][a] - (one[7][a] >> 6)
    other_at = other[5][b] - (other[7][b] >> 6)
    first, last = max(one[7][a], other[7][b]) >> 6, (min(one[8][a], other[8][b]) - 1) >> 6
    total = 0
    for w in range(first, last + 1):
        both = one[4][at + w] & other[4][other_at + w]
        total += weigh(both, w << 6, one[9]) if len(one[9]) else count_bits(both)
        if take:
            one[4][at + w] ^= both
            other[4][other_at + w] ^= both
    if take:
        one[6][a] -= total
        other[6][b] -= total
    return total


@kernel
def find_partner(
    i: Any, mine: Any, others: Any, heap: Any, turn: Any, same_label: Any, is_free: Any, gaps: Any
) -> Any:
    """The candidate most similar to span `i`, -1 for none.

    Candidates are the leaves of the heap (a tree of ends, its size, and the spans in order of their
    starts) that overlap with it, in another place, with the same label or with another one. Most
    shared tokens win, then fewest tokens of the candidate that are not shared, then the shortest
    candidate, then the one whose turn comes first. Candidates that are not free must share a token.
    """
    tree, size, by_start = heap
    start, end, label = mine[0][i], mine[1][i], mine[2][i]
    best = _NONE
    best_shared = 0
    best_key = (0, 0, 0)
    leaf = next_above(tree, size, 0, start)
    while leaf >= 0:
        j = by_start[leaf]
        if others[0][j] >= end:
            break  # leaves are in order of their start: none of the others overlaps
        leaf = leaf + 1
        leaf = next_above(tree, size, leaf, start) if leaf < size else _NONE
        if (others[2][j] == label) != same_label:
            continue
        if others[0][j] == start and others[1][j] == end:
            continue
        if is_free and not gaps:  # all tokens of both are left, without a gap
            shared = min(end, others[1][j]) - max(start, others[0][j])
        else:
            shared = shared_tokens(i, mine, j, others, False)
        if not is_free and not shared:
            continue
        key = (
            others[6][j - others[3]] - shared,
            others[1][j] - others[0][j],
            turn[j - others[3]],
        )
        if best < 0 or shared > best_shared or (shared == best_shared and key < best_key):
            best = j
            best_shared = shared
            best_key = key
    return best


@kernel
def leaf_order(start: Any, first: Any) -> Any:
    """Spans in order of their start (numbered from `first`), the leaf of each, and how many leaves
    a heap needs."""
    order = np.argsort(start, kind="mergesort")
    leaf = np.empty(len(start), np.int64)
    leaf[order] = np.arange(len(start))
    size = 1
    while size < len(start):
        size *= 2
    return order + first, leaf, size


@kernel
def match_group(gold: Any, g1: Any, system: Any, s1: Any, gaps: Any, found: Any) -> None:
    """Boundary errors, then labelling-boundary errors, of one group of overlapping spans.

    Sides are as in `shared_tokens`, from their first span up to `g1` and `s1`; `found` is filled:
    the gold spans' partners, whether these had one before, and partners of third passes.
    """
    partner, is_second, third = found
    g0, s0 = gold[3], system[3]
    g_order, g_leaf, g_size = leaf_order(gold[0][g0:g1], g0)
    s_order, s_leaf, s_size = leaf_order(system[0][s0:s1], s0)
    free_s = np.full(2 * s_size, _NONE, np.int64)
    matched_s = free_s.copy()
    matched_g = np.full(2 * g_size, _NONE, np.int64)
    for s in range(s0, s1):
        set_leaf(free_s, s_size, s_leaf[s - s0], system[1][s])
    is_free = np.ones(s1 - s0, np.bool_)
    # Free spans take their turn by length (as they come), matched ones in the order of matching.
    g_turn = np.zeros(g1 - g0, np.int64)
    s_turn = np.arange(s1 - s0)
    turn = 0
    for same_label in (True, False):
        for again in (False, True):  # against free system spans, then against matched ones
            heap = (matched_s if again else free_s, s_size, s_order)
            for g in range(g0, g1):
                if partner[g] >= 0:
                    continue
                s = find_partner(g, gold, system, heap, s_turn, same_label, not again, gaps)
                if s < 0:
                    continue
                partner[g] = s
                is_second[g] = again
                g_turn[g - g0] = turn
                set_leaf(matched_g, g_size, g_leaf[g - g0], gold[1][g])
                if not again:
                    is_free[s - s0] = False
                    s_turn[s - s0] = turn
                    set_leaf(free_s, s_size, s_leaf[s - s0], _NONE)
                    set_leaf(matched_s, s_size, s_leaf[s - s0], system[1][s])
                turn += 1
                shared_tokens(g, gold, s, system, True)
        heap = (matched_g, g_size, g_order)
        for s in range(s0, s1):
            if not is_free[s - s0]:
                continue
            g = find_partner(s, system, gold, heap, g_turn, same_label, False, gaps)
            if g < 0:
                continue
            third[s] = g
            is_free[s - s0] = False
            s_turn[s - s0] = turn
            turn += 1
            set_leaf(free_s, s_size, s_leaf[s - s0], _NONE)
            set_leaf(matched_s, s_size, s_leaf[s - s0], system[1][s])
            shared_tokens(g, gold, s, system, True)


@kernel
def match_overlaps(gold_cut: Any, gold: Any, system_cut: Any, system: Any, places: Any) -> Any:
    """Steps 2 and 3 of Ortmann's (2022) Algorithm 2: boundary errors, then labelling-boundary ones.

    Spans (start, end, label, bounds and atoms of those with gaps) come in groups that do not
    overlap with one another (`*_cut` are the groups' bounds), sorted from shortest to longest
    inside a group. Gives for each gold span its partner, -1 for none, and whether that partner was
    matched before (second passes); and for each system span that found only a matched gold span
    (third passes) that one, else -1. `places` is as in `token_bits`.
    """
    partner = np.full(len(gold[0]), _NONE, np.int64)
    is_second = np.zeros(len(gold[0]), np.bool_)
    third = np.full(len(system[0]), _NONE, np.int64)
    weights = np.diff(places)
    found = (partner, is_second, third)
    for group in range(len(gold_cut) - 1):
        g0, g1 = gold_cut[group], gold_cut[group + 1]
        s0, s1 = system_cut[group], system_cut[group + 1]
        if g0 == g1 or s0 == s1:
            continue
        if g1 - g0 == 1 and s1 - s0 == 1:
            # In one group because they overlap; in the same place they differ in their tokens.
            if gold[0][g0] != system[0][s0] or gold[1][g0] != system[1][s0]:
                partner[g0] = s0
            continue
        gaps = gold[3][g0] < gold[3][g1] or system[3][s0] < system[3][s1]
        ours = (*gold[:3], g0, *token_bits(gold, g0, g1, places), weights)
        theirs = (*system[:3], s0, *token_bits(system, s0, s1, places), weights)
        match_group(ours, g1, theirs, s1, gaps, found)
    return found


@kernel
def first_from(spans: Any, low: Any, high: Any, span: Any) -> Any:
    """The first of the spans `low` to `high` (start, end, label, in order) that is not before
    another one."""
    while low < high:
        k = (low + high) // 2
        if (spans[0][k], spans[1][k], spans[2][k]) < span:
            low = k + 1
        else:
            high = k
    return low


@kernel
def wider_before(group: Any, end: Any) -> Any:
    """For each span the nearest one before it in its group that ends later (all between end with it
    or before); a number below that of the group's first span for none."""
    found = np.empty(len(group), np.int64)
    first = 0
    for i in range(len(group)):
        if group[i] != group[first]:
            first = i
        w = i - 1
        while w >= first and end[w] <= end[i]:
            w = found[w]
        found[i] = w
    return found


@kernel
def find_covered(
    gold: Any, place: Any, wider: Any, used: Any, first: Any, last: Any, span: Any, options: Any
) -> Any:
    """The gold span that a span is compared with where none is equal, -1 for none; and whether it
    is right. See `pair_overlapping`, of which `options` are the last two arguments."""
    start, end, label = gold
    nearest, overlap = options
    best = closest = np.int64(-1)
    right = False
    k = first_from(gold, first, last, (span[1], np.int64(-1), np.int32(-1))) - 1
    while k >= first:
        if end[k] <= span[0]:
            k = wider[k]
            continue
        shared = min(span[1], end[k]) - max(span[0], start[k])
        # In nervaluate's order of operations: the last bit can decide.
        if not used[k] and shared > 0 and shared / (end[k] - start[k]) * 100.0 >= overlap:
            if nearest and label[k] == span[2]:
                distance = abs(span[0] - start[k]) + abs(span[1] - end[k])
                is_closer = distance < closest or (distance == closest and place[k] < place[best])
                if not right or is_closer:
                    best, closest, right = k, distance, True
            elif not right and (best < 0 or place[k] < place[best]):
                best = k
        k -= 1
    return best, right


@kernel
def pair_overlapping(
    gold_group: Any,
    gold: Any,
    gold_place: Any,
    system_group: Any,
    system: Any,
    nearest: bool,
    overlap: float,
) -> Any:
    """The gold span each system span is compared with (-1 for none), and whether it is right.

    Spans are starts, ends and labels. Those of gold come by group, start, end, label, place in the
    list; those of the system by group, place.
    System spans choose in turn, among the gold spans of their group that no earlier one has: the
    one of the same start, end and label; else, of those with `overlap` percent of their length
    covered, with `nearest` the one of the same label and the closest boundaries, which is right as
    well; else the first of the list. See partial.py.
    """
    partner = np.full(len(system_group), -1, np.int64)
    right = np.zeros(len(system_group), np.bool_)
    used = np.zeros(len(gold_group), np.bool_)
    free = np.arange(len(gold_group) + 1)  # free[k] leads to the first unused span from k on
    wider = wider_before(gold_group, gold[1])
    first = last = 0
    for n in range(len(system_group)):
        while first < len(gold_group) and gold_group[first] < system_group[n]:
            first += 1
        last = max(first, last)
        while last < len(gold_group) and gold_group[last] == system_group[n]:
            last += 1
        span = (system[0][n], system[1][n], system[2][n])
        k = first_from(gold, first, last, span)
        while free[k] != k:
            free[k] = free[free[k]]
            k = free[k]
        if k < last and (gold[0][k], gold[1][k], gold[2][k]) == span:
            best, right[n] = k, True
        else:
            best, right[n] = find_covered(
                gold, gold_place, wider, used, first, last, span, (nearest, overlap)
            )
        if best >= 0:
            partner[n] = best
            used[best] = True
            free[best] = best + 1
    return partner, right
