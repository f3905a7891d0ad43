"""Hot loops over words and their heads."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def attachments(gold_head: Any, system_head: Any, partner: Any) -> Any:
    """How the head that each gold word's partner has lies in the gold tree, as bits.

    1: it is the gold head; 2: only one of the two is the root; 4: it is a sibling of the word; 8:
    the head's head; 16: a child of the word. `system_head` is in gold tokens.
    """
    found = np.zeros(len(partner), np.uint8)
    for word in range(len(partner)):
        if partner[word] < 0:
            continue
        ours = gold_head[word]
        theirs = system_head[partner[word]]
        if ours == -2:
            continue
        bits = 0
        if theirs == ours:
            bits |= 1
        if theirs != ours and (ours == -1 or theirs == -1):
            bits |= 2
        if theirs >= 0 and theirs != word and gold_head[theirs] == ours:
            bits |= 4
        if ours >= 0 and theirs >= -1 and gold_head[ours] == theirs:
            bits |= 8
        if theirs >= 0 and gold_head[theirs] == word:
            bits |= 16
        found[word] = bits
    return found


@kernel
def attachment_errors(bits: Any, label_right: Any, partner: Any, uses_head: bool) -> Any:
    """The number of each gold word's error: 0 none, 1 label, 2-6 attachment (other, root, sibling,
    grandparent, child), 7-11 the same with a wrong label too, 12 unaligned."""
    found = np.zeros(len(partner), np.uint8)
    for word in range(len(partner)):
        if partner[word] < 0:
            found[word] = 12
            continue
        wrong_head = uses_head and not bits[word] & 1
        if not wrong_head:
            found[word] = 0 if label_right[word] else 1
            continue
        kind = 2
        if bits[word] & 2:
            kind = 3
        elif bits[word] & 8:
            kind = 5
        elif bits[word] & 16:
            kind = 6
        elif bits[word] & 4:
            kind = 4
        found[word] = kind if label_right[word] else kind + 5
    return found


@kernel
def _children(head: Any, chosen: Any) -> Any:
    """The chosen words below every word, in text order: bounds and words."""
    bounds = np.zeros(len(head) + 1, np.int64)
    for word in range(len(head)):
        if chosen[word] and head[word] >= 0:
            bounds[head[word] + 1] += 1
    for word in range(len(head)):
        bounds[word + 1] += bounds[word]
    words = np.empty(bounds[-1], np.int64)
    filled = bounds[:-1].copy()
    for word in range(len(head)):
        if chosen[word] and head[word] >= 0:
            words[filled[head[word]]] = word
            filled[head[word]] += 1
    return bounds, words


@kernel
def same_function_words(
    gold_head: Any,
    gold_function: Any,
    system_head: Any,
    system_function: Any,
    partner: Any,
    alike: Any,
) -> Any:
    """Has each gold word's partner the same function words, in the same order?

    `system_head` is in system tokens; `alike` says which gold words have the same relation and tags
    as their partner.
    """
    gold_bounds, gold_words = _children(gold_head, gold_function)
    system_bounds, system_words = _children(system_head, system_function)
    same = np.zeros(len(partner), np.bool_)
    for word in range(len(partner)):
        p = partner[word]
        if p < 0:
            continue
        first, last = gold_bounds[word], gold_bounds[word + 1]
        other = system_bounds[p]
        if last - first != system_bounds[p + 1] - other:
            continue
        equal = True
        for i in range(last - first):
            child = gold_words[first + i]
            if partner[child] != system_words[other + i] or not alike[child]:
                equal = False
                break
        same[word] = equal
    return same


@kernel
def chain_function_words(head: Any, function: Any, word: Any) -> Any:
    """A number for the function words below every word, in their order; `word` has one for each."""
    found = np.zeros(len(head), np.uint64)
    for i in range(len(head)):
        if function[i] and head[i] >= 0:
            h = (found[head[i]] ^ np.uint64(word[i])) * np.uint64(0x9E3779B97F4A7C15)
            found[head[i]] = h ^ (h >> np.uint64(29))
    return found.view(np.int64)


@kernel
def match_stretches(gold_start: Any, gold_end: Any, system_start: Any, system_end: Any) -> Any:
    """The system stretch with the same ends as each gold one, -1 for none; starts rise."""
    found = np.full(len(gold_start), -1, np.int64)
    g = 0
    s = 0
    while g < len(gold_start) and s < len(system_start):
        if system_start[s] < gold_start[g]:
            s += 1
        elif gold_start[g] < system_start[s]:
            g += 1
        else:
            if gold_end[g] == system_end[s]:
                found[g] = s
            s += 1
            g += 1
    return found


@kernel
def match_edges(
    partner: Any,
    gold_bounds: Any,
    gold_head: Any,
    gold_label: Any,
    system_bounds: Any,
    system_head: Any,
    system_label: Any,
) -> Any:
    """Pairs the edges into each gold word with those into its partner.

    First equal ones, then those with the same head, then those with the same label. Gives each gold
    edge's partner (-1 for none), and per word how many pairs of equal edges there are, which is
    more than what could be paired if edges are repeated.
    """
    found = np.full(len(gold_head), -1, np.int64)
    taken = np.zeros(len(system_head), np.bool_)
    equal = np.zeros(len(partner), np.int64)
    for word in range(len(partner)):
        p = partner[word]
        if p < 0:
            continue
        for step in range(3):
            for g in range(gold_bounds[word], gold_bounds[word + 1]):
                for s in range(system_bounds[p], system_bounds[p + 1]):
                    same_head = gold_head[g] == system_head[s]
                    same_label = gold_label[g] == system_label[s]
                    if step == 0 and same_head and same_label:
                        equal[word] += 1
                    if found[g] >= 0 or taken[s]:
                        continue
                    if (same_head or step == 2) and (same_label or step == 1):
                        found[g] = s
                        taken[s] = True
    return found, equal


@kernel
def count_rows(
    unit: Any, right: Any, in_gold: Any, in_system: Any, aligned: Any, units: int
) -> Any:
    """Per unit: right rows, rows of gold, of the system, aligned rows, and rows of the system
    alone."""
    found = np.zeros((units, 5), np.float64)
    for row in range(len(unit)):
        u = unit[row]
        if right[row]:
            found[u, 0] += 1
        if in_gold[row]:
            found[u, 1] += 1
        else:
            found[u, 4] += 1
        if in_system[row]:
            found[u, 2] += 1
        if aligned[row]:
            found[u, 3] += 1
    return found


@kernel
def projective(head: Any, offsets: Any) -> Any:
    """For each word: 1 if its arc is projective, 0 if not, -1 if it has no head or hangs on a
    cycle.

    An arc is projective if every word between its ends is a descendant of the head. Words are
    numbered by a tour that visits a head's descendants right after it, so they are descendants iff
    the smallest and the largest of their numbers lie within the head's. Both are looked up in
    tables over stretches of 2, 4, 8, ... words. Root arcs are projective.
    """
    found = np.full(len(head), -1, np.int8)
    longest = 0
    for sentence in range(len(offsets) - 1):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence])
    levels = 1
    while 1 << levels < longest:
        levels += 1
    child, sibling = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    number, end = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    low = np.empty((levels, longest + 1), np.int64)
    high = np.empty((levels, longest + 1), np.int64)
    for sentence in range(len(offsets) - 1):
        base = offsets[sentence] - 1
        size = offsets[sentence + 1] - offsets[sentence]
        longest_arc = 0
        for word in range(size + 1):
            child[word], sibling[word], number[word], end[word] = -1, -1, -1, -1
        for word in range(size, 0, -1):
            h = head[base + word]
            # Words without a head begin trees of their own, beside those under the root.
            above = h if h > 0 else 0
            sibling[word] = child[above]
            child[above] = word
            if h > 0:
                longest_arc = max(longest_arc, abs(h - word))
        _tour(head, base, child, sibling, number, end)
        for word in range(1, size + 1):
            low[0, word], high[0, word] = number[word], number[word]
        level = 1
        while 1 << level < longest_arc:
            half = 1 << (level - 1)
            for word in range(1, size + 2 - 2 * half):
                low[level, word] = min(low[level - 1, word], low[level - 1, word + half])
                high[level, word] = max(high[level - 1, word], high[level - 1, word + half])
            level += 1
        for word in range(1, size + 1):
            h = head[base + word]
            if h < 0 or number[word] < 0:
                continue
            first, last = min(h, word) + 1, max(h, word) - 1
            if h == 0 or first > last:
                found[base + word] = 1
                continue
            level = 0
            while 2 << level <= last - first + 1:
                level += 1
            other = last + 1 - (1 << level)
            smallest = min(low[level, first], low[level, other])
            largest = max(high[level, first], high[level, other])
            found[base + word] = 1 if smallest > number[h] and largest <= end[h] else 0
    return found


@kernel
def _tour(head: Any, base: Any, child: Any, sibling: Any, number: Any, end: Any) -> None:
    """Number the words of a sentence from the root down; `end` is a word's last descendant.

    Words on a cycle, and those that hang on one, keep -1.
    """
    count = 0
    word = 0
    while True:
        number[word] = count
        count += 1
        if child[word] >= 0:
            word = child[word]
            continue
        while True:
            end[word] = count - 1
            if word == 0:
                return
            if sibling[word] >= 0:
                word = sibling[word]
                break
            word = max(head[base + word], 0)
