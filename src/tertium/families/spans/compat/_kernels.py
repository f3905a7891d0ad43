"""Hot loops of conlleval's and seqeval's readings of tags."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

# The kernels below take for each token the code of its tag, and by code its prefix (0 is O) and its
# type (0 is that of a bare O); tables are indexed by the prefix before, the prefix, and whether the
# types differ. See grammars.py.


@kernel
def agreed_chunks(
    gold_codes: Any,
    gold_prefix: Any,
    gold_kind: Any,
    system_codes: Any,
    system_prefix: Any,
    system_kind: Any,
    offsets: Any,
    chunks: int,
    starts_here: Any,
    ends_here: Any,
) -> Any:
    """Chunks that start together, with the same type, and end together: for each gold chunk the
    number of the system's, -1 for none, and the type at the end.

    Sentences end with an O on both sides, at which a pair may be left undecided, as conlleval does;
    at the end of the data such a pair is right.
    """
    partner = np.full(chunks, -1, np.int64)
    counted = np.zeros(chunks, np.int32)
    g = s = -1
    pair_g = pair_s = -1
    agreed = False
    last_g = last_s = 0
    last_g_type = last_s_type = 0
    for sentence in range(len(offsets) - 1):
        stop = offsets[sentence + 1]
        for i in range(offsets[sentence], stop + 1):
            g_now = s_now = 0
            g_type = s_type = 0
            if i < stop:
                g_now = gold_prefix[gold_codes[i]]
                g_type = gold_kind[gold_codes[i]]
                s_now = system_prefix[system_codes[i]]
                s_type = system_kind[system_codes[i]]
            g_differ = 1 if g_type != last_g_type else 0
            s_differ = 1 if s_type != last_s_type else 0
            if agreed:
                g_ends = ends_here[last_g, g_now, g_differ]
                s_ends = ends_here[last_s, s_now, s_differ]
                if g_ends and s_ends and last_g_type == last_s_type:
                    partner[pair_g] = pair_s
                    counted[pair_g] = last_g_type
                    agreed = False
                elif g_ends != s_ends or g_type != s_type:
                    agreed = False
            g_starts = starts_here[last_g, g_now, g_differ]
            s_starts = starts_here[last_s, s_now, s_differ]
            g += g_starts
            s += s_starts
            if g_starts and s_starts and g_type == s_type:
                agreed = True
                pair_g = g
                pair_s = s
            last_g = g_now
            last_s = s_now
            last_g_type = g_type
            last_s_type = s_type
    if agreed:
        partner[pair_g] = pair_s
        counted[pair_g] = last_g_type
    return partner, counted


@kernel
def find_chunks(
    codes: Any,
    prefix: Any,
    kind: Any,
    offsets: Any,
    starts_here: Any,
    ends_here: Any,
    inside: Any,
    reaches_back: bool,
) -> Any:
    """Chunks that start, continue and end as a grammar demands; others are left out as a whole.

    With `reaches_back` chunks are found by their ends: each reaches back to the latest start,
    wherever that was, without one to the first token, and has the type at its end. Sentences are
    joined by an O.
    """
    starts = np.empty(len(codes), np.int32)
    ends = np.empty(len(codes), np.int32)
    types = np.empty(len(codes), np.int32)
    n = 0
    begin = 0 if reaches_back else -1  # of the chunk that is open
    for sentence in range(len(offsets) - 1):
        stop = offsets[sentence + 1]
        last = 0
        last_type = 0
        for i in range(offsets[sentence], stop + 1):
            p = 0
            t = 0
            if i < stop:
                p = prefix[codes[i]]
                t = kind[codes[i]]
            differ = 1 if t != last_type else 0
            if begin < 0 or not inside[last, p, differ]:
                if begin >= 0 and ends_here[last, p, differ]:
                    starts[n] = begin
                    ends[n] = i
                    types[n] = last_type if reaches_back else kind[codes[begin]]
                    n += 1
                if starts_here[last, p, differ]:
                    begin = i
                elif not reaches_back:
                    begin = -1
            last = p
            last_type = t
        if not reaches_back:
            begin = -1
    return starts[:n].copy(), ends[:n].copy(), types[:n].copy()
