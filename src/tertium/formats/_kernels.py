"""Hot loops over bytes: lines and fields, numbers, tree checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def scan_tabs(buf: Any, comment: int, lines: Any, starts: Any) -> Any:
    """Split bytes into lines and fields that are separated by one tab each and may be empty.

    `lines` (4 x n) receives start, end, first field and number of fields of each line, `starts`
    where each field begins. Lines that begin with `comment` have -1 fields, blank ones 0. Returns
    the number of lines and fields.
    """
    size = len(buf)
    n = 0
    m = 0
    start = 0
    first = 0
    in_comment = size > 0 and buf[0] == comment
    starts[0] = 0
    for i in range(size + 1):
        if i < size:
            c = buf[i]
            if c > 10:
                continue
            if c == 9 and not in_comment:
                m += 1
                starts[m] = i + 1
            if c != 10:
                continue
        elif start == size:
            break
        end = i
        if end > start and buf[end - 1] == 13:
            end -= 1
        lines[0, n] = start
        lines[1, n] = end
        lines[2, n] = first
        if in_comment:
            lines[3, n] = -1
        else:
            j = start
            while j < end and (buf[j] == 32 or buf[j] == 9 or buf[j] == 13):
                j += 1
            if j == end:  # nothing but white space
                m = first
                lines[3, n] = 0
            else:
                m += 1
                lines[3, n] = m - first
        n += 1
        start = i + 1
        first = m
        starts[m] = start
        in_comment = start < size and buf[start] == comment
    return n, m


@kernel
def scan_spaces(buf: Any, lines: Any, starts: Any, ends: Any) -> Any:
    """`scan_tabs` for fields that are separated by any run of spaces and tabs, without comments."""
    size = len(buf)
    n = 0
    m = 0
    start = 0
    first = 0
    inside = False
    for i in range(size + 1):
        c = 10
        if i < size:
            c = buf[i]
        elif start == size:
            break
        closing = c == 10 or (c == 13 and (i + 1 >= size or buf[i + 1] == 10))
        if c == 32 or c == 9 or closing:
            if inside:
                ends[m] = i
                m += 1
            inside = False
        elif not inside:
            starts[m] = i
            inside = True
        if c == 10:
            lines[0, n] = start
            lines[1, n] = i - (i > start and buf[i - 1] == 13)
            lines[2, n] = first
            lines[3, n] = m - first
            n += 1
            start = i + 1
            first = m
    return n, m


@kernel
def read_ids(buf: Any, starts: Any, ends: Any, ids: Any) -> None:
    """Fill in `ids` (3 x n), which is 0 everywhere, as `word_ids` says."""
    for row in range(len(starts)):
        kind = 0
        part = 1
        digits = 0
        for j in range(starts[row], ends[row]):
            c = buf[j]
            if 48 <= c <= 57 and digits < 9:
                ids[part, row] = ids[part, row] * 10 + (c - 48)
                digits += 1
            elif (c == 45 or c == 46) and part == 1 and digits > 0:
                kind = 1 if c == 45 else 2
                part = 2
                digits = 0
            else:
                kind = 3
                break
        if digits == 0 or kind == 3:
            kind = 3
            is_blank = ends[row] - starts[row] == 1 and buf[starts[row]] == 95
            ids[1, row] = -1 if is_blank else -2
        ids[0, row] = kind


@kernel
def after_prefixes(buf: Any, starts: Any, ends: Any) -> Any:
    """Where each field goes on after the number of its sentence, as in `1-2`, `s1_2` and `1:2`;
    where it begins if there is no such number."""
    after = starts.copy()
    for row in range(len(starts)):
        begin = starts[row]
        if begin < ends[row] and (buf[begin] == 115 or buf[begin] == 83):
            begin += 1
        j = begin
        while j < ends[row] and 48 <= buf[j] <= 57:
            j += 1
        if begin < j < ends[row] and (buf[j] in (45, 46, 58, 95)):
            after[row] = j + 1
    return after


@kernel
def check_ids(
    kind: Any,
    first: Any,
    second: Any,
    sentence: Any,
    allowed: Any,
    sizes: Any,
    wrong: Any,
    before: Any,
) -> None:
    """Which ids are out of order (`wrong`), and the id of the word `before` each line, 0 for none.

    `allowed` says which kinds of id the format has; `sizes`, which is 0 everywhere, receives the
    words of each sentence. A line whose id cannot be read counts as a word, and every id is
    compared with the one before, so one wrong number is one problem.
    """
    last = 0
    words = 0
    range_end = 0
    for i in range(len(kind)):
        if i == 0 or sentence[i] != sentence[i - 1]:
            last = 0
            words = 0
            range_end = 0
        before[i] = last
        k = kind[i]
        bad = not allowed[k]
        if k == 0 or k == 3:
            bad = bad or first[i] != last + 1
            words += 1
            last = first[i] if k == 0 else words
            sizes[sentence[i]] += 1
        elif k == 1:
            bad = bad or first[i] != last + 1 or second[i] <= first[i] or first[i] <= range_end
            if not bad:
                range_end = second[i]
        else:
            bad = bad or first[i] != last or second[i] == 0
        wrong[i] = bad
    for i in range(len(kind)):
        if kind[i] == 1 and second[i] > sizes[sentence[i]]:
            wrong[i] = True


@kernel
def mark_cycles(head: Any, offsets: Any, mark: Any) -> None:
    """Set `mark`, which is 0 everywhere, to -1 at one token of every cycle.

    Linear: every token is visited once, and a path that meets a visited token ends there. Heads out
    of range end a path too.
    """
    for s in range(len(offsets) - 1):
        base = offsets[s]
        n = offsets[s + 1] - base
        for i in range(n):
            j = i
            while 0 <= j < n and mark[base + j] == 0:
                mark[base + j] = i + 1
                j = head[base + j] - 1
            # Only the walk that began at i leaves the mark i + 1: it has come back to itself.
            if 0 <= j < n and mark[base + j] == i + 1:
                mark[base + j] = -1


@kernel
def field_bounds(
    starts: Any, line_end: Any, line_first: Any, fields: Any, rows: Any, column: int, bounds: Any
) -> None:
    """Where a column's fields begin and end (`bounds`, 2 x n) in the given lines of a table that
    `scan_tabs` made."""
    for i in range(len(rows)):
        line = rows[i]
        place = line_first[line] + column
        end = line_first[line] + fields[line]
        if column < 0:
            place += fields[line]
        bounds[0, i] = starts[place]
        bounds[1, i] = line_end[line] if place + 1 == end else starts[place + 1] - 1


@kernel
def choose_heads(
    mother: Any,
    label: Any,
    start: Any,
    flags: Any,
    ranks: Any,
    rule: Any,
    unlisted: int,
    only_listed: bool,
    best: Any,
) -> None:
    """Of every node the daughter of the least rank by the node's rule and the daughter's label; of
    several the last one if the rank is odd, else the first.

    Ranks from `unlisted` on are of labels that the rule does not list, which `only_listed` leaves
    out. Flag 1 means that a daughter is the head in any case; 2 that it comes after all others that
    are not listed.
    """
    found = np.empty(len(best), np.int64)
    for place in range(len(mother)):
        node = mother[place]
        if node < 0:
            continue
        rank = 0 if flags[place] == 1 else ranks[rule[node], label[place]]
        if flags[place] == 2 and rank >= unlisted:
            rank += 2
        if only_listed and rank >= unlisted:
            continue
        if best[node] >= 0:
            if rank > found[node]:
                continue
            if rank == found[node] and (start[place] > start[best[node]]) != (rank & 1 == 1):
                continue
        best[node] = place
        found[node] = rank
