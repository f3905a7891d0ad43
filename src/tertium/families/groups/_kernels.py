"""Depth of words and projectivity of arcs, sentence by sentence, without recursion."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def depths(head: Any, offsets: Any) -> Any:
    """Arcs from each word up to the root; 0 for words that no chain of heads leads to the root.

    Heads are 1-based in the sentence, 0 the root, below 0 none.
    """
    size = len(head)
    found = np.full(size, -1, np.int32)  # -1 not looked at yet, -2 on the way up just now
    way = np.empty(size, np.int64)
    for sentence in range(len(offsets) - 1):
        base = offsets[sentence] - 1
        for first in range(offsets[sentence], offsets[sentence + 1]):
            word, steps = first, 0
            while found[word] == -1:
                found[word] = -2
                way[steps] = word
                steps += 1
                if head[word] <= 0:
                    break
                word = base + head[word]
            # The chain ended at a word without a head above it, on itself, or at a known word.
            if steps == 0:
                continue
            last = way[steps - 1]
            if head[last] == 0:
                depth = 0
            elif head[last] > 0 and found[base + head[last]] > 0:
                depth = found[base + head[last]]
            else:
                depth = -1
            for step in range(steps - 1, -1, -1):
                if depth >= 0:
                    depth += 1
                found[way[step]] = max(depth, 0)
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
