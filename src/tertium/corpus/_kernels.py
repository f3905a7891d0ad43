"""Hot loops over strings."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


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
def _eight_bytes(buf: Any, at: Any) -> Any:
    """Eight bytes as one number; compilers make one load of it."""
    found = np.uint64(0)
    for i in range(8):
        found |= np.uint64(buf[at + np.uint64(i)]) << np.uint64(8 * i)
    return found


@kernel
def intern_rows(
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
    """Give every byte string from a row on a code, by first occurrence, while there is room.

    `firsts` receives the first row of every code, `known` its hash and where its string is in
    `blob`: what is compared together lies together, not far away in the file. `table` is empty and
    receives the codes, placed by hash. Returns the next row, how many strings are known and how
    many bytes they have. The caller makes room: a loop that assigns arrays is several times as
    slow.
    """
    mask = np.uint64(len(table) - 1)
    one, eight = np.uint64(1), np.uint64(8)
    for old in range(count):
        slot = np.uint64(known[old, 0]) & mask
        while table[slot] >= 0:
            slot = (slot + one) & mask
        table[slot] = old
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


@kernel
def lowest_rows(start: Any, end: Any, lowest: Any) -> None:
    """Of every token, the last of the rows over it: in preorder that is the lowest."""
    for row in range(len(start)):
        for token in range(start[row], end[row]):
            lowest[token] = row


@kernel
def grow_ends(parent: Any, ends: Any) -> None:
    """Let the end of each row, given in preorder, be that of its last descendant."""
    for row in range(len(parent) - 1, -1, -1):
        if parent[row] >= 0 and ends[row] > ends[parent[row]]:
            ends[parent[row]] = ends[row]
