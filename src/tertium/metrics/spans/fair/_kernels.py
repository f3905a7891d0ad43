"""Hot loops of the fair evaluation."""

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
    node >>= 1
    while node:
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
        node >>= 1


@kernel
def count_bits(word: Any) -> Any:
    """How many bits of a 64-bit word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def token_bits(start: Any, end: Any, gap_bounds: Any, gap_atoms: Any) -> Any:
    """The atoms of spans as bits: words of all spans, where each span's words begin, how many bits.

    Word w of a span holds the atoms from 64 (start // 64 + w) on. Spans with gaps list their atoms
    in `gap_atoms`; the others cover all from `start` to `end`.
    """
    bounds = np.zeros(len(start) + 1, np.int64)
    for i in range(len(start)):
        bounds[i + 1] = bounds[i] + ((end[i] - 1) >> 6) - (start[i] >> 6) + 1
    words = np.zeros(bounds[-1], np.uint64)
    left = end - start
    for i in range(len(start)):
        base = bounds[i] - (start[i] >> 6)
        if gap_bounds[i + 1] > gap_bounds[i]:
            left[i] = gap_bounds[i + 1] - gap_bounds[i]
            for j in range(gap_bounds[i], gap_bounds[i + 1]):
                words[base + (gap_atoms[j] >> 6)] |= np.uint64(1) << np.uint64(gap_atoms[j] & 63)
        else:
            for atom in range(start[i], end[i]):
                words[base + (atom >> 6)] |= np.uint64(1) << np.uint64(atom & 63)
    return words, bounds, left


@kernel
def shared_bits(
    one: Any, one_at: Any, one_start: Any, other: Any, other_at: Any, other_start: Any, end: Any
) -> Any:
    """How many atoms before `end` two spans share."""
    low = max(one_start >> 6, other_start >> 6)
    total = 0
    for w in range(low, ((end - 1) >> 6) + 1):
        total += count_bits(
            one[one_at + w - (one_start >> 6)] & other[other_at + w - (other_start >> 6)]
        )
    return total


@kernel
def find_partner(
    start: Any,
    end: Any,
    label: Any,
    words: Any,
    at: Any,
    same_label: Any,
    tree: Any,
    size: Any,
    by_start: Any,
    first: Any,
    others_start: Any,
    others_end: Any,
    others_label: Any,
    others_words: Any,
    others_bounds: Any,
    others_left: Any,
    turn: Any,
    is_whole: Any,
    must_share: Any,
) -> Any:
    """The candidate most similar to a span, -1 for none.

    Candidates are the leaves of `tree` that overlap with it, in another place, with the same label
    or with another one. Most shared tokens win, then fewest tokens of the candidate that are not
    shared, then the shortest candidate, then the one whose turn comes first. `others_left` counts
    the candidates' tokens that are left; `is_whole` says that on both sides none is gone.
    """
    best = _NONE
    best_shared, best_rest, best_length, best_turn = 0, 0, 0, 0
    leaf = next_above(tree, size, 0, start)
    while leaf >= 0:
        other = by_start[leaf]
        if others_start[other] >= end:
            break  # leaves are in order of their start: none of the others overlaps
        leaf = leaf + 1
        leaf = next_above(tree, size, leaf, start) if leaf < size else _NONE
        if (others_label[other] == label) != same_label:
            continue
        if others_start[other] == start and others_end[other] == end:
            continue
        stop = min(end, others_end[other])
        if is_whole:
            shared = stop - max(start, others_start[other])
        else:
            a = others_bounds[other - first]
            shared = shared_bits(words, at, start, others_words, a, others_start[other], stop)
        if must_share and not shared:
            continue
        rest = others_left[other - first] - shared
        length = others_end[other] - others_start[other]
        if (
            best < 0
            or shared > best_shared
            or (
                shared == best_shared
                and (rest, length, turn[other]) < (best_rest, best_length, best_turn)
            )
        ):
            best = other
            best_shared, best_rest, best_length, best_turn = shared, rest, length, turn[other]
    return best


@kernel
def remove_shared(
    one: Any, one_at: Any, one_start: Any, other: Any, other_at: Any, other_start: Any, end: Any
) -> Any:
    """Take what two spans share (before `end`) away from both; gives how much that was."""
    total = 0
    for w in range(max(one_start >> 6, other_start >> 6), ((end - 1) >> 6) + 1):
        i = one_at + w - (one_start >> 6)
        j = other_at + w - (other_start >> 6)
        both = one[i] & other[j]
        one[i] ^= both
        other[j] ^= both
        total += count_bits(both)
    return total


@kernel
def leaf_order(start: Any) -> Any:
    """Spans in order of their start, the leaf of each span, and how many leaves a heap needs."""
    order = np.argsort(start, kind="mergesort")
    leaf = np.empty(len(start), np.int64)
    leaf[order] = np.arange(len(start))
    size = 1
    while size < len(start):
        size *= 2
    return order, leaf, size


@kernel
def match_overlaps(
    gold_cut: Any,
    gold_start: Any,
    gold_end: Any,
    gold_label: Any,
    gold_gap_bounds: Any,
    gold_gap_atoms: Any,
    system_cut: Any,
    system_start: Any,
    system_end: Any,
    system_label: Any,
    system_gap_bounds: Any,
    system_gap_atoms: Any,
) -> Any:
    """Steps 2 and 3 of Ortmann's (2022) Algorithm 2: boundary errors, then labelling-boundary ones.

    Spans come in groups that do not overlap with one another (`*_cut` are the groups' bounds),
    sorted from shortest to longest inside a group. Gives for each gold span its partner, -1 for
    none, and whether that partner was matched before (second passes); and for each system span that
    found only a matched gold span (third passes) that one, else -1.
    """
    partner = np.full(len(gold_start), _NONE, np.int64)
    is_second = np.zeros(len(gold_start), np.bool_)
    third = np.full(len(system_start), _NONE, np.int64)
    is_taken = np.zeros(len(system_start), np.bool_)
    gold_turn = np.arange(len(gold_start))
    system_turn = np.arange(len(system_start))
    for group in range(len(gold_cut) - 1):
        g0, g1 = gold_cut[group], gold_cut[group + 1]
        s0, s1 = system_cut[group], system_cut[group + 1]
        if g0 == g1 or s0 == s1:
            continue
        if g1 - g0 == 1 and s1 - s0 == 1:
            # In one group because they overlap; in the same place they differ in their tokens.
            if gold_start[g0] != system_start[s0] or gold_end[g0] != system_end[s0]:
                partner[g0] = s0
                is_taken[s0] = True
            continue
        g_words, g_bounds, g_left = token_bits(
            gold_start[g0:g1], gold_end[g0:g1], gold_gap_bounds[g0 : g1 + 1], gold_gap_atoms
        )
        s_words, s_bounds, s_left = token_bits(
            system_start[s0:s1], system_end[s0:s1], system_gap_bounds[s0 : s1 + 1], system_gap_atoms
        )
        g_order, g_leaf, g_size = leaf_order(gold_start[g0:g1])
        s_order, s_leaf, s_size = leaf_order(system_start[s0:s1])
        g_order += g0
        s_order += s0
        free_s = np.full(2 * s_size, _NONE, np.int64)
        matched_s = free_s.copy()
        matched_g = np.full(2 * g_size, _NONE, np.int64)
        for s in range(s0, s1):
            set_leaf(free_s, s_size, s_leaf[s - s0], system_end[s])
        has_gaps = (
            gold_gap_bounds[g0] < gold_gap_bounds[g1]
            or system_gap_bounds[s0] < system_gap_bounds[s1]
        )
        matched = 0
        for same_label in (True, False):
            for again in (False, True):  # against free system spans, then against matched ones
                tree = matched_s if again else free_s
                for g in range(g0, g1):
                    if partner[g] >= 0:
                        continue
                    at = g_bounds[g - g0]
                    s = find_partner(
                        gold_start[g],
                        gold_end[g],
                        gold_label[g],
                        g_words,
                        at,
                        same_label,
                        tree,
                        s_size,
                        s_order,
                        s0,
                        system_start,
                        system_end,
                        system_label,
                        s_words,
                        s_bounds,
                        s_left,
                        system_turn,
                        not again and not has_gaps,
                        again,
                    )
                    if s < 0:
                        continue
                    partner[g] = s
                    is_second[g] = again
                    gold_turn[g] = matched
                    set_leaf(matched_g, g_size, g_leaf[g - g0], gold_end[g])
                    if not again:
                        is_taken[s] = True
                        system_turn[s] = matched
                        set_leaf(free_s, s_size, s_leaf[s - s0], _NONE)
                        set_leaf(matched_s, s_size, s_leaf[s - s0], system_end[s])
                    matched += 1
                    gone = remove_shared(
                        g_words,
                        at,
                        gold_start[g],
                        s_words,
                        s_bounds[s - s0],
                        system_start[s],
                        min(gold_end[g], system_end[s]),
                    )
                    g_left[g - g0] -= gone
                    s_left[s - s0] -= gone
            for s in range(s0, s1):
                if is_taken[s] or third[s] >= 0:
                    continue
                at = s_bounds[s - s0]
                g = find_partner(
                    system_start[s],
                    system_end[s],
                    system_label[s],
                    s_words,
                    at,
                    same_label,
                    matched_g,
                    g_size,
                    g_order,
                    g0,
                    gold_start,
                    gold_end,
                    gold_label,
                    g_words,
                    g_bounds,
                    g_left,
                    gold_turn,
                    False,
                    True,
                )
                if g < 0:
                    continue
                third[s] = g
                system_turn[s] = matched
                matched += 1
                set_leaf(free_s, s_size, s_leaf[s - s0], _NONE)
                set_leaf(matched_s, s_size, s_leaf[s - s0], system_end[s])
                gone = remove_shared(
                    g_words,
                    g_bounds[g - g0],
                    gold_start[g],
                    s_words,
                    at,
                    system_start[s],
                    min(gold_end[g], system_end[s]),
                )
                g_left[g - g0] -= gone
                s_left[s - s0] -= gone
    return partner, is_second, third
