"""Hot loops over words and their heads."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


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
def projective(head: Any, offsets: Any) -> Any:
    """For each word: 1 if its arc is projective, 0 if not, -1 if it has no head or hangs on a
    cycle.

    An arc is projective if every word between its ends is a descendant of the head. Words are
    numbered by a tour that visits a head's descendants right after it. For every word the first one
    on its right (left) that is no descendant is found by leaps over those that were found before.
    Root arcs are projective.
    """
    found = np.full(len(head), -1, np.int8)
    longest = 0
    for sentence in range(len(offsets) - 1):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence])
    child, sibling = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    number, end = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    beyond = np.empty(longest + 1, np.int64)
    for sentence in range(len(offsets) - 1):
        base = offsets[sentence] - 1
        size = offsets[sentence + 1] - offsets[sentence]
        for word in range(size + 1):
            child[word], sibling[word], number[word], end[word] = -1, -1, -1, -1
        for word in range(size, 0, -1):
            # Words without a head begin trees of their own, beside those under the root.
            above = max(head[base + word], 0)
            sibling[word] = child[above]
            child[above] = word
        _tour(head, base, child, sibling, number, end)
        for side in (1, -1):
            for i in range(size):
                word = size - i if side > 0 else i + 1
                other = word + side
                while 0 < other <= size and number[word] < number[other] <= end[word]:
                    other = beyond[other]
                beyond[word] = other
            for word in range(1, size + 1):
                h = head[base + word]
                if number[word] < 0 or h < 0:
                    continue
                if h == 0 or (word - h) * side > 0:
                    found[base + word] = 1 if h == 0 or (beyond[h] - word) * side > 0 else 0
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
