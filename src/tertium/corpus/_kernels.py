"""Hot loops over strings and tags."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

# Prefix codes, shared with schemes.py.
O, B, I, E, S = 0, 1, 2, 3, 4  # noqa: E741


@kernel
def decode_spans(codes: Any, prefix: Any, kind: Any, offsets: Any) -> Any:
    """Maximal spans by the rule of conlleval, completed for all schemes.

    A token opens a span if it is B or S, or follows O, another type, E or S. Returns starts, ends,
    types, and the evidence for the scheme (see schemes.py).
    """
    size = 0
    for i in range(len(codes)):
        if prefix[codes[i]] != O:
            size += 1
    starts = np.empty(size, np.int32)
    ends = np.empty(size, np.int32)
    types = np.empty(size, np.int32)
    evidence = np.zeros(
        4, np.int64
    )  # I opens, B opens where I would do, I closes, E closes where I would do
    n = 0
    for sentence in range(len(offsets) - 1):
        open_type = -1
        last = O
        for i in range(offsets[sentence], offsets[sentence + 1]):
            p = prefix[codes[i]]
            if p == O:
                if open_type >= 0:
                    ends[n - 1] = i
                    evidence[2] += last == I
                    evidence[3] += last == E
                open_type = -1
                last = O
                continue
            t = kind[codes[i]]
            new_type = t != open_type
            if new_type or p in (B, S) or last in (E, S):
                if open_type >= 0:
                    ends[n - 1] = i
                    if new_type:
                        evidence[2] += last == I
                        evidence[3] += last == E
                if new_type:
                    evidence[0] += p == I
                    evidence[1] += p == B
                starts[n] = i
                types[n] = t
                n += 1
                open_type = t
            last = p
        if open_type >= 0:
            ends[n - 1] = offsets[sentence + 1]
            evidence[2] += last == I
            evidence[3] += last == E
    return starts[:n].copy(), ends[:n].copy(), types[:n].copy(), evidence


@kernel
def irregular_spans(
    codes: Any, prefix: Any, kind: Any, offsets: Any, starts: Any, ends: Any, scheme: Any
) -> Any:
    """Which spans are not written as the scheme demands.

    `scheme`: 0 io, 1 iob1, 2 iob2, 3 ioe1, 4 ioe2, 5 iobes (and bilou).
    """
    wrong = np.zeros(len(starts), np.bool_)
    sentence = 0
    for n in range(len(starts)):
        a = starts[n]
        z = ends[n] - 1
        while offsets[sentence + 1] <= a:
            sentence += 1
        t = kind[codes[a]]
        first = prefix[codes[a]]
        last = prefix[codes[z]]
        bad = False
        for i in range(a + 1, z):
            if prefix[codes[i]] != I:
                bad = True
        touches_before = (
            n > 0 and ends[n - 1] == a and a > offsets[sentence] and kind[codes[a - 1]] == t
        )
        touches_after = (
            n + 1 < len(starts)
            and starts[n + 1] == z + 1
            and z + 1 < offsets[sentence + 1]
            and kind[codes[z + 1]] == t
        )
        single = a == z
        if scheme == 0:
            bad = bad or first != I or last != I
        elif scheme == 1:
            bad = bad or first != (B if touches_before else I) or (not single and last != I)
        elif scheme == 2:
            bad = bad or first != B or (not single and last != I)
        elif scheme == 3:
            bad = bad or last != (E if touches_after else I) or (not single and first != I)
        elif scheme == 4:
            bad = bad or last != E or (not single and first != I)
        elif single:
            bad = first != S
        else:
            bad = bad or first != B or last != E
        wrong[n] = bad
    return wrong


@kernel
def count_cells(unit: Any, label: Any, counted: Any, labels: int) -> Any:
    """How often each label occurs in each unit, over the counted rows; units must not decrease.

    Returns unit, label and count of the cells that are not empty, labels of a unit in order of
    first occurrence.
    """
    cell_unit = np.empty(len(unit), np.int32)
    cell_label = np.empty(len(unit), np.int32)
    cell_count = np.empty(len(unit), np.float64)
    place = np.full(labels, -1, np.int64)  # where the current unit's cell of a label is
    n = 0
    first = 0
    for i in range(len(unit)):
        if not counted[i]:
            continue
        if n > first and cell_unit[first] != unit[i]:
            first = n
        at = place[label[i]]
        if at < first:
            at = n
            n += 1
            place[label[i]] = at
            cell_unit[at] = unit[i]
            cell_label[at] = label[i]
            cell_count[at] = 0
        cell_count[at] += 1
    return cell_unit[:n].copy(), cell_label[:n].copy(), cell_count[:n].copy()


@kernel
def intern(buf: Any, starts: Any, ends: Any) -> Any:
    """A code for every byte string, in order of first occurrence, and each code's first row."""
    codes = np.empty(len(starts), np.int32)
    table = np.full(1 << 10, -1, np.int32)
    firsts = np.empty(512, np.int64)
    # Of every known string its hash and where it stands in `blob`: what is looked at together lies
    # together, and is not looked up in the file, where it would be far away.
    known = np.empty((512, 3), np.int64)
    blob = np.empty(1 << 14, np.uint8)
    row, count, filled = 0, 0, 0
    while row < len(starts):
        # Arrays grow here and not below: a loop that assigns arrays is several times as slow.
        row, count, filled = _intern_rows(
            buf, starts, ends, row, codes, table, firsts, known, blob, count, filled
        )
        if row < len(starts) and count == len(firsts):
            firsts = np.concatenate((firsts, np.empty(count, np.int64)))
            known = np.concatenate((known, np.empty((count, 3), np.int64)))
            table = np.full(2 * len(table), -1, np.int32)
            for code in range(count):
                slot = np.int64(np.uint64(known[code, 0]) & np.uint64(len(table) - 1))
                while table[slot] >= 0:
                    slot = (slot + 1) & (len(table) - 1)
                table[slot] = code
        elif row < len(starts):
            room = len(blob) + ends[row] - starts[row]
            blob = np.concatenate((blob, np.empty(room, np.uint8)))
    return codes, firsts[:count].copy()


@kernel
def _eight_bytes(buf: Any, at: Any) -> Any:
    """Eight bytes as one number; compilers make one load of it."""
    found = np.uint64(0)
    for i in range(8):
        found |= np.uint64(buf[at + np.uint64(i)]) << np.uint64(8 * i)
    return found


@kernel
def _intern_rows(
    buf: Any,
    starts: Any,
    ends: Any,
    row: int,
    codes: Any,
    table: Any,
    firsts: Any,
    known: Any,
    blob: Any,
    count: int,
    filled: int,
) -> Any:
    """`intern` from a row on, as long as there is room for one more; gives back the next row, how
    many strings are known and how many bytes they have."""
    mask = np.uint64(len(table) - 1)
    one, eight = np.uint64(1), np.uint64(8)
    size = np.uint64(len(buf))
    while row < len(starts) and count < len(firsts):
        a = np.uint64(starts[row])
        z = np.uint64(ends[row])
        if filled + np.int64(z - a) > len(blob):
            break
        h = z - a
        j = a  # unsigned: no check for negative indices
        while j < z:
            word = np.uint64(0)
            if j + eight <= size:
                word = _eight_bytes(buf, j)
                if z - j < eight:
                    word &= (one << (eight * (z - j))) - one
            else:
                i = np.uint64(0)
                while j + i < z:
                    word |= np.uint64(buf[j + i]) << (eight * i)
                    i += one
            h = (h ^ word) * np.uint64(0x9E3779B97F4A7C15)
            h ^= h >> np.uint64(32)
            j += eight
        signed = np.int64(h)
        slot = h & mask
        code = np.int32(-1)
        while table[slot] >= 0:
            at = table[slot]
            if known[at, 0] == signed:
                b = np.uint64(known[at, 1])
                same = np.uint64(known[at, 2]) - b == z - a
                j = np.uint64(0)
                while same and j + eight <= z - a:
                    same = _eight_bytes(buf, a + j) == _eight_bytes(blob, b + j)
                    j += eight
                while same and j < z - a:
                    same = buf[a + j] == blob[b + j]
                    j += one
                if same:
                    code = at
                    break
            slot = (slot + one) & mask
        if code < 0:
            code = np.int32(count)
            firsts[count] = row
            known[count, 0] = signed
            known[count, 1] = filled
            known[count, 2] = filled + np.int64(z - a)
            j = a
            while j < z:
                blob[filled] = buf[j]
                filled += 1
                j += one
            table[slot] = code
            count += 1
        codes[row] = code
        row += 1
    return row, count, filled


@kernel
def gather(buf: Any, starts: Any, ends: Any, rows: Any) -> Any:
    """The bytes of the chosen rows one after another, and where each begins."""
    bounds = np.zeros(len(rows) + 1, np.int64)
    for i in range(len(rows)):
        bounds[i + 1] = bounds[i] + ends[rows[i]] - starts[rows[i]]
    blob = np.empty(bounds[-1], np.uint8)
    n = np.uint64(0)  # unsigned: no check for negative indices
    one = np.uint64(1)
    for i in range(len(rows)):
        j = np.uint64(starts[rows[i]])
        end = np.uint64(ends[rows[i]])
        while j < end:
            blob[n] = buf[j]
            n += one
            j += one
    return blob, bounds


@kernel
def hash_names(blob: Any, bounds: Any) -> Any:
    """A 64-bit hash of every byte string, the same on every machine (FNV-1a, bits spread)."""
    found = np.zeros(len(bounds), np.uint64)
    for i in range(len(bounds) - 1):
        h = np.uint64(14695981039346656037)
        for j in range(bounds[i], bounds[i + 1]):
            h = (h ^ np.uint64(blob[j])) * np.uint64(1099511628211)
        h = (h ^ (h >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
        found[i] = h ^ (h >> np.uint64(33))
    return found


@kernel
def largest_heads(buf: Any, starts: Any, ends: Any) -> Any:
    """The largest head in each cell of an enhanced graph, 0 where there is none but the root.

    A cell is `head:relation`, several of them joined by `|`, or `_`, or empty. A head is a number,
    or two with a point between for an empty node, which counts by its first number; nine digits at
    most. A relation has at least one character. -1 for a cell that is none of this.
    """
    largest = np.zeros(len(starts), np.int32)
    for row in range(len(starts)):
        a = starts[row]
        z = ends[row]
        if z == a or (z - a == 1 and buf[a] == 95):
            continue
        most = 0
        j = np.uint64(a)  # unsigned: no check for negative indices
        end = np.uint64(z)
        while True:
            value = 0
            begin = j
            while j < end and 48 <= buf[j] <= 57:
                value = value * 10 + (buf[j] - 48)
                j += np.uint64(1)
            digits = j - begin
            if j < end and buf[j] == 46 and 0 < digits < 10:
                j += np.uint64(1)
                begin = j
                while j < end and 48 <= buf[j] <= 57:
                    j += np.uint64(1)
                digits = j - begin
            if j == end or buf[j] != 58 or not 0 < digits < 10:
                most = -1
                break
            j += np.uint64(1)
            begin = j
            while j < end and buf[j] != 124:
                j += np.uint64(1)
            if j == begin:
                most = -1
                break
            most = max(most, value)
            if j == end:
                break
            j += np.uint64(1)
        largest[row] = most
    return largest


@kernel
def split_edges(buf: Any, starts: Any, ends: Any, sound: Any) -> Any:
    """The edges of cells that `largest_heads` found sound, cell by cell in the order written.

    Returns where each cell's edges begin (one more than there are cells), and of every edge the
    head, the number after its point (-1 if it is no empty node), and where its relation begins and
    ends.
    """
    bounds = np.zeros(len(starts) + 1, np.int64)
    for row in range(len(starts)):
        count = 0
        a = starts[row]
        z = ends[row]
        if sound[row] and z > a and not (z - a == 1 and buf[a] == 95):
            count = 1
            for j in range(a, z):
                count += buf[j] == 124
        bounds[row + 1] = bounds[row] + count
    head = np.zeros(bounds[-1], np.int64)
    minor = np.full(bounds[-1], -1, np.int64)
    first = np.empty(bounds[-1], np.int64)
    last = np.empty(bounds[-1], np.int64)
    for row in range(len(starts)):
        j = starts[row]
        for edge in range(bounds[row], bounds[row + 1]):
            while buf[j] != 58:
                if buf[j] == 46:
                    minor[edge] = 0
                elif minor[edge] < 0:
                    head[edge] = head[edge] * 10 + (buf[j] - 48)
                else:
                    minor[edge] = minor[edge] * 10 + (buf[j] - 48)
                j += 1
            first[edge] = j + 1
            while j < ends[row] and buf[j] != 124:
                j += 1
            last[edge] = j
            j += 1
    return bounds, head, minor, first, last
