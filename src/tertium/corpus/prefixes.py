"""What the prefixes of tags say: where spans begin and end, and which are irregular.

Every distinct tag has a prefix (`O`, `B`, ... below) and a type, both as numbers; `TagColumn` holds
them for every token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64

O, B, I, E, S = 0, 1, 2, 3, 4  # noqa: E741
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class TagColumn:
    """A column of tags: a code for every token, the prefix and the type of every code, and the
    first token of every sentence."""

    codes: Int32
    prefix: npt.NDArray[np.int8]
    kind: Int32
    offsets: Int64

    def begins_sentence(self, tokens: npt.NDArray[np.signedinteger]) -> Bools:
        """Which tokens are the first of a sentence?"""
        is_first = np.zeros(len(self.codes) + 1, np.bool_)
        is_first[self.offsets] = True
        return np.take(is_first, tokens)


def decode_spans(written: TagColumn) -> tuple[Int32, Int32, Int32, set[str]]:
    """Maximal spans by the rule of conlleval, completed for all schemes.

    A token opens a span if it is B or S, or follows O, another type, E or S. Returns starts, ends,
    types, and the evidence for the scheme (see schemes.py).
    """
    inside = np.flatnonzero((written.prefix != O)[written.codes])
    codes = written.codes[inside]
    prefix, kind = written.prefix[codes], written.kind[codes]
    goes_on = np.zeros(len(inside) + 1, np.bool_)  # a token's span, or one of its type, goes on
    goes_on[1:-1] = (np.diff(inside) == 1) & (kind[1:] == kind[:-1])
    goes_on[:-1] &= ~written.begins_sentence(inside)
    opens = ~goes_on[:-1] | (prefix == B) | (prefix == S)
    opens[1:] |= (prefix[:-1] == E) | (prefix[:-1] == S)
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(inside))[: len(first)] - 1
    before, after = prefix[~goes_on[:-1]], prefix[~goes_on[1:]]
    evidence = {
        "I opens": before == I,
        "B opens": before == B,  # where I would do
        "I closes": after == I,
        "E closes": after == E,  # where I would do
    }
    return (
        inside[first].astype(np.int32),
        (inside[last] + 1).astype(np.int32),
        kind[first],
        {name for name, seen in evidence.items() if seen.any()},
    )


def irregular_spans(written: TagColumn, start: Int32, end: Int32, scheme: str) -> Bools:
    """Which spans are not written as the scheme demands."""
    codes, kind, last = written.codes, written.kind, end - 1
    others = np.cumsum((written.prefix != I)[codes], dtype=np.int32)
    bad: Bools = others[np.maximum(last - 1, start)] > others[start]  # between first and last token
    touches = np.zeros(len(start) + 1, np.bool_)  # the span before, of the same type
    touches[1:-1] = (
        (end[:-1] == start[1:])
        & ~written.begins_sentence(start[1:])
        & (kind[codes[start[1:] - 1]] == kind[codes[start[1:]]])
    )
    opens, closes, single = written.prefix[codes[start]], written.prefix[codes[last]], last == start
    if scheme == "io":
        bad = bad | (opens != I) | (closes != I)
    elif scheme in ("iob1", "iob2"):
        due = B if scheme == "iob2" else np.where(touches[:-1], B, I)
        bad = bad | (opens != due) | (~single & (closes != I))
    elif scheme in ("ioe1", "ioe2"):
        due = E if scheme == "ioe2" else np.where(touches[1:], E, I)
        bad = bad | (closes != due) | (~single & (opens != I))
    else:
        bad = np.where(single, opens != S, bad | (opens != B) | (closes != E))
    return bad
