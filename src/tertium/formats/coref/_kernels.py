"""Hot loops over brackets in columns."""

from __future__ import annotations

from typing import Any

from tertium._jit import kernel


@kernel
def scan_cells(buf: Any, starts: Any, ends: Any, events: Any, is_bad: Any) -> int:
    """Read cells such as `(1`, `(2)|1)` and `(1(2)3)`; one of `-`, `_` and `*` is empty.

    `events` (4 x n) receives the cell of every bracket, what it does (0 closes, 1 opens, 2 both)
    and where its name begins and ends; `is_bad` which cells are anything else. Returns the number
    of events.
    """
    n = 0
    for cell in range(len(starts)):
        i, end = starts[cell], ends[cell]
        if end - i == 1 and (buf[i] == 45 or buf[i] == 95 or buf[i] == 42):
            continue
        first = n
        while i < end:
            if buf[i] == 124:
                i += 1
                continue
            does = 0
            if buf[i] == 40:
                does = 1
                i += 1
            begin = i
            is_name = True  # without white space
            while i < end and buf[i] != 40 and buf[i] != 41 and buf[i] != 124:
                is_name &= buf[i] > 32
                i += 1
            closes = i < end and buf[i] == 41
            if i == begin or not is_name or (does == 0 and not closes):
                is_bad[cell] = True
                break
            events[0, n] = cell
            events[1, n] = does + 1 if does == 1 and closes else does
            events[2, n] = begin
            events[3, n] = i
            n += 1
            i += closes
        if n == first:
            is_bad[cell] = True
        if is_bad[cell]:
            n = first
    return n


@kernel
def pair_brackets(does: Any, name: Any, document: Any, top: Any, before: Any, partner: Any) -> None:
    """The event that closes what each event opens, and the other way round (`partner`, -1
    everywhere): a name closes what it opened last in its document.

    `top` has an entry for every name and `before` one for every event, both -1 everywhere.
    """
    for event in range(len(does)):
        last = top[name[event]]
        if last >= 0 and document[last] != document[event]:
            last = -1
        if does[event] == 2:
            partner[event] = event
        elif does[event] == 1:
            before[event] = last
            top[name[event]] = event
        elif last >= 0:
            partner[last] = event
            partner[event] = last
            top[name[event]] = before[last]


@kernel
def scan_bits(
    buf: Any, starts: Any, ends: Any, sentence: Any, rows: Any, labels: Any, is_bad: Any
) -> int:
    """Read bits of trees, such as `(S(NP*`, `*` and `*))`: brackets around the asterisk of a token,
    which may be missing.

    `rows` (4 x n) receives start, end, parent (-1 for none) and sentence of every constituent,
    `labels` (2 x n) where its label begins and ends; `is_bad` which tokens have something else, or
    close what is not open, or leave something open at the end of their sentence. Returns the
    number of rows.
    """
    n = 0
    row = -1
    for token in range(len(starts)):
        i, end = starts[token], ends[token]
        if end - i == 1 and (buf[i] == 45 or buf[i] == 95):
            i = end
        while i < end:
            c = buf[i]
            i += 1
            if c == 40:
                begin = i
                while i < end and buf[i] != 40 and buf[i] != 41 and buf[i] != 42:
                    i += 1
                rows[0, n] = token
                rows[1, n] = token
                rows[2, n] = row
                rows[3, n] = sentence[token]
                labels[0, n] = begin
                labels[1, n] = i
                row = n
                n += 1
            elif c == 41:
                if row < 0:
                    is_bad[token] = True
                    break
                rows[1, row] = token + 1
                row = rows[2, row]
            elif c != 42:
                is_bad[token] = True
                break
        if token + 1 == len(starts) or sentence[token + 1] != sentence[token]:
            if row >= 0:
                is_bad[token] = True
            row = -1
    return n
