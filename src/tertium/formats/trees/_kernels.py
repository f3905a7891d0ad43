"""Hot loops over trees: brackets, then nodes of any format."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def survey_brackets(buf: Any) -> Any:
    """How many lines are not blank, and how many of those are balanced and indented."""
    filled, balanced, indented = 0, 0, 0
    start, depth = 0, 0
    is_blank, is_even = True, True  # even: no bracket is closed before it is opened
    for i in range(len(buf) + 1):
        c = 10
        if i < len(buf):
            c = int(buf[i])
        if c > 41:
            is_blank = False
        elif c == 40:
            is_blank = False
            depth += 1
        elif c == 41:
            is_blank = False
            depth -= 1
            is_even = is_even and depth >= 0
        elif c == 10:
            if not is_blank:
                filled += 1
                balanced += is_even and depth == 0
                indented += buf[start] <= 32
            is_blank, is_even = True, True
            start, depth = i + 1, 0
        elif c < 9 or (c > 13 and c != 32):
            is_blank = False
    return filled, balanced, indented


@kernel
def scan_brackets(
    buf: Any,
    by_line: bool,
    anew: bool,
    none: Any,
    mend: bool,
    rows: Any,
    labels: Any,
    tokens: Any,
    lines: Any,
    traces: Any,
    sentences: Any,
) -> Any:
    """Read bracketed trees: one sentence per line, or one wherever brackets are balanced and,
    `anew`, where a line begins with a bracket. Words with the tag `none` are traces.

    Receive what is found: `rows` (4 x n) start, end, parent, sentence, and `labels` (2 x n) where
    the label begins and ends; `tokens` (4 x n) where form and tag begin and end, and `lines` their
    lines, counted from 1; `traces` (4 x n) sentence, number of words before it in the sentence, and
    where it begins and ends; `sentences` (4 x n) the number of tokens up to its end, what is wrong
    (see `penn.WRONG`), the line of that, counted from 0, and whether it was mended. Returns how
    many rows, tokens, traces and sentences there are, and how many of these are not balanced.
    """
    size = len(buf)
    n, m, k, s, uneven = 0, 0, 0, 0, 0
    first_row, first_token, first_trace = 0, 0, 0  # of the sentence
    i, line, depth = 0, 0, 0
    row = -1  # the constituent that is open
    state = 0  # 1 after a bracket, 2 after the label behind it, 3 after a word behind that
    a, z = 0, 0  # the label
    wrong, wrong_line, begin_line, hollow = 0, 0, 0, -1
    has_begun, has_stray = False, False
    while i <= size:
        c = 10
        if i < size:
            c = int(buf[i])
        is_done = False
        if c == 10:
            line += 1
            if i == size:
                is_done = has_begun
            elif by_line:
                is_done = True
            else:
                is_done = anew and depth > 0 and i + 1 < size and buf[i + 1] == 40
            i += 1
            if not is_done:
                continue
        elif c == 32 or 9 <= c <= 13:
            i += 1
            continue
        elif c == 40:
            if depth == 0:
                begin_line = line
            has_begun = True
            depth += 1
            i += 1
            if state == 3:
                if wrong < 6:
                    wrong, wrong_line = 6, line
            elif state > 0:
                rows[0, n] = m
                rows[2, n] = row
                rows[3, n] = s
                labels[0, n] = a
                labels[1, n] = z
                row = n
                n += 1
            a, z = i, i
            state = 1
        elif c == 41:
            has_begun = True
            i += 1
            if depth == 0:
                has_stray = True
                if wrong == 0:
                    wrong, wrong_line = 1, line
                continue
            depth -= 1
            is_done = not by_line and depth == 0
            if state == 2 and buf[a - 1] != 40:  # not `(NP)` but `( a)`: a word
                if wrong == 0:
                    wrong, wrong_line = 3, line
                tokens[0, m] = a
                tokens[1, m] = z
                tokens[2, m] = tokens[3, m] = a
                lines[m] = line + 1
                m += 1
            elif state == 1 or state == 2:
                hollow = line if hollow < 0 else hollow
            elif state == 0 and row >= 0:
                rows[1, row] = m
                if row == n - 1 and rows[0, row] == m:
                    hollow = line if hollow < 0 else hollow
                    n -= 1
                row = rows[2, row]
            state = 0
        else:
            has_begun = True
            begin = i
            while i < size:
                c = int(buf[i])
                if c <= 41 and (c >= 40 or c == 32 or 9 <= c <= 13):
                    break
                i += 1
            if state == 1:
                a, z = begin, i
                state = 2
                continue
            if state == 0:
                if wrong == 0:
                    wrong, wrong_line = (3 if depth else 2), line
                if depth == 0:
                    continue
                a, z = begin, begin
            elif state == 3:
                if wrong == 0:
                    wrong, wrong_line = 4, line
            else:
                state = 3
            is_trace = len(none) > 0 and z - a == len(none)
            for j in range(len(none)):
                is_trace = is_trace and buf[a + j] == none[j]
            if is_trace:
                rows[0, n] = m
                rows[1, n] = m
                rows[2, n] = row
                rows[3, n] = s
                labels[0, n] = a
                labels[1, n] = z
                n += 1
                traces[0, k] = s
                traces[1, k] = m - first_token
                traces[2, k] = begin
                traces[3, k] = i
                k += 1
            else:
                tokens[0, m] = begin
                tokens[1, m] = i
                tokens[2, m] = a
                tokens[3, m] = z
                lines[m] = line + 1
                m += 1
            continue
        if not is_done:
            continue
        uneven += depth > 0 or has_stray
        if depth > 0 and wrong == 0:
            wrong, wrong_line = 5, begin_line
        while row >= 0:
            rows[1, row] = m
            if row == n - 1 and rows[0, row] == m:
                n -= 1
            row = rows[2, row]
        has_words = m > first_token or k > first_trace
        if has_words and hollow >= 0 and wrong == 0:
            wrong, wrong_line = 7, hollow
        is_mended = mend and has_words and wrong > 0 and wrong != 6
        if not has_words or (wrong > 0 and not is_mended):
            n, m, k = first_row, first_token, first_trace
        sentences[0, s] = m
        sentences[1, s] = wrong
        sentences[2, s] = wrong_line
        sentences[3, s] = is_mended
        s += 1
        first_row, first_token, first_trace = n, m, k
        depth, state, wrong, hollow = 0, 0, 0, -1
        has_begun, has_stray = False, False
    return n, m, k, s, uneven


@kernel
def read_numbers(buf: Any, starts: Any, ends: Any, offsets: Any, place: Any, wrong: Any) -> None:
    """The place of every word that is written as `3=word`, sentence by sentence. `starts` are moved
    behind the sign; `wrong` (of sentences) is 8 for a word without a number and 9 where the numbers
    are not those from 0 on."""
    taken = np.zeros(len(starts), np.bool_)
    for s in range(len(offsets) - 1):
        first, size = offsets[s], offsets[s + 1] - offsets[s]
        for token in range(first, offsets[s + 1]):
            number = 0
            i = starts[token]
            while i < ends[token] and 48 <= buf[i] <= 57:
                number = min(10 * number + (buf[i] - 48), 2**31)
                i += 1
            place[token] = first + number
            if i == starts[token] or i + 1 >= ends[token] or buf[i] != 61:
                wrong[s] = 8
                break
            starts[token] = i + 1
            if number >= size or taken[first + number]:
                wrong[s] = 9
                break
            taken[first + number] = True


@kernel
def first_leaves(node_parent: Any, leaf_parent: Any, first: Any) -> None:
    """Of every node the first leaf below it; `first` is -1 before, and stays so without leaves."""
    for leaf in range(len(leaf_parent)):
        node = leaf_parent[leaf]
        while node >= 0 and first[node] < 0:
            first[node] = leaf
            node = node_parent[node]


@kernel
def nodes_in_preorder(
    node_parent: Any, by_first: Any, child: Any, sibling: Any, order: Any
) -> None:
    """All nodes in preorder, siblings in the order that `by_first` has them in.

    `child` and `sibling` are -1 before; the last `child` is that of what has no parent.
    """
    for i in range(len(by_first) - 1, -1, -1):
        node = by_first[i]
        above = node_parent[node]
        sibling[node] = child[above]
        child[above] = node
    node = child[-1]
    for i in range(len(order)):
        order[i] = node
        if child[node] >= 0:
            node = child[node]
            continue
        while sibling[node] < 0 and node_parent[node] >= 0:
            node = node_parent[node]
        node = sibling[node]


@kernel
def cover_tokens(
    parent: Any, leaf_parent: Any, token: Any, start: Any, end: Any, size: Any
) -> None:
    """First token, end and number of tokens of every row; `token` is -1 for leaves that are no
    tokens. `size` is 0 before. Rows without tokens are left alone."""
    for leaf in range(len(leaf_parent)):
        row = leaf_parent[leaf] if token[leaf] >= 0 else -1
        while row >= 0:
            if size[row] == 0:
                start[row] = token[leaf]
            end[row] = token[leaf] + 1
            size[row] += 1
            row = parent[row]


@kernel
def list_tokens(
    parent: Any, leaf_parent: Any, token: Any, start: Any, at: Any, values: Any
) -> None:
    """The tokens of every row, counted from its start, into `values` from `at` on."""
    for leaf in range(len(leaf_parent)):
        row = leaf_parent[leaf] if token[leaf] >= 0 else -1
        while row >= 0:
            values[at[row]] = token[leaf] - start[row]
            at[row] += 1
            row = parent[row]


@kernel
def lower_marks(is_mark: Any, offsets: Any, mother: Any, parent: Any, seen: Any) -> int:
    """Attach marks in a gap to the lowest constituent over the words next to them, if that is below
    their mother; how many there were. `seen` is -1 before."""
    count = 0
    for sentence in range(len(offsets) - 1):
        before = -1
        for token in range(offsets[sentence], offsets[sentence + 1]):
            if not is_mark[token]:
                before = token
                continue
            after = token + 1
            while after < offsets[sentence + 1] and is_mark[after]:
                after += 1
            if before < 0 or after == offsets[sentence + 1]:
                continue
            row = mother[before]
            while row >= 0:
                seen[row] = token
                row = parent[row]
            row = mother[after]
            while row >= 0 and seen[row] != token:
                row = parent[row]
            above = row
            while above >= 0 and above != mother[token]:
                above = parent[above]
            if row >= 0 and above == mother[token] and row != above:
                mother[token] = row
                count += 1
    return count


@kernel
def raise_branches(
    mother: Any, head: Any, start: Any, end: Any, child: Any, sibling: Any, moved: Any
) -> None:
    """Attach what is separated from the head of a constituent to the constituent above, from the
    last row to the first, so no constituent has a gap in the end.

    Places are tokens, then rows. `mother`, `start` and `end` are those of places, `head` and
    `child` (-1 before, as `sibling`) of rows; `moved` is set for places that are raised.
    """
    tokens = len(mother) - len(head)
    for place in range(len(mother) - 1, -1, -1):
        if mother[place] >= 0:
            sibling[place] = child[mother[place]]
            child[mother[place]] = place
    for row in range(len(head) - 1, -1, -1):
        words, count = 0, 0
        low, high = end[tokens + row], start[tokens + row]
        place = child[row]
        while place >= 0:
            if end[place] > start[place]:
                words += end[place] - start[place]
                count += 1
                low, high = min(low, start[place]), max(high, end[place])
            place = sibling[place]
        if words == 0:
            continue
        if words < high - low:
            parts = np.empty(count, np.int64)
            starts = np.empty(count, np.int64)
            count = 0
            place = child[row]
            while place >= 0:
                if end[place] > start[place]:
                    parts[count] = place
                    starts[count] = start[place]
                    count += 1
                place = sibling[place]
            parts = parts[np.argsort(starts)]
            at = 0
            for i in range(count):
                if parts[i] == head[row]:
                    at = i
            first, last = at, at
            while first > 0 and end[parts[first - 1]] == start[parts[first]]:
                first -= 1
            while last + 1 < count and end[parts[last]] == start[parts[last + 1]]:
                last += 1
            low, high = start[parts[first]], end[parts[last]]
            place = child[row]
            child[row] = -1
            while place >= 0:
                following = sibling[place]
                if start[place] < low or end[place] > high:
                    mother[place] = mother[tokens + row]
                    moved[place] = True
                if mother[place] >= 0:
                    sibling[place] = child[mother[place]]
                    child[mother[place]] = place
                place = following
        start[tokens + row], end[tokens + row] = low, high
