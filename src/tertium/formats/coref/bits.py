"""Trees and flat spans as bits of brackets, one cell a token: `(S(NP*`, `*`, `*))`, `(GPE)`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import interned
from tertium.corpus.layers import Bools, Spans, Trees
from tertium.exceptions import InputError
from tertium.formats.coref.documents import DocumentReader
from tertium.formats.lines import byte_counts
from tertium.formats.trees.text import with_functions

_NO_LABEL = re.compile(r"[()*\s]")
_COLUMN = "a column of brackets cannot hold"


class OpenBits:
    """The brackets in a column of a reader whose columns were checked.

    Sentences with brackets that do not match are refused; under "repair" their brackets are left
    out.
    """

    def __init__(self, reader: DocumentReader, place: int, what: str) -> None:
        from tertium.formats.coref._kernels import scan_bits

        self.reader = reader
        (starts, ends), buf, sentence = reader.column(place), reader.table.buf, reader.of_line
        (room,) = byte_counts(buf, ord("("))
        rows, labels = np.empty((4, room), np.int64), np.empty((2, room), np.int64)
        is_bad = np.zeros(len(starts), np.bool_)
        count = scan_bits(buf, starts, ends, sentence, rows, labels, is_bad)
        self.rows, self.labels = rows[:, :count], interned(buf, *labels[:, :count])
        bad = np.flatnonzero(is_bad)
        bad = bad[np.unique(sentence[bad], return_index=True)[1]]  # once a sentence

        def message(at: int) -> str:
            text = reader.table.field(int(reader.token_lines[at]), place)
            return f"brackets of the {what} do not match at '{text}'"

        reader.refuse(bad, message, reader.token_lines, sentence, kind=what, mended=len(bad))
        if len(bad):
            self._keep(~np.isin(self.rows[3], sentence[bad]))

    def _keep(self, kept: Bools) -> None:
        number = np.append(np.cumsum(kept) - 1, -1)
        self.rows, self.labels = self.rows[:, kept], self.labels.take(kept)
        self.rows[2] = number[self.rows[2]]

    def spans(self) -> Spans | None:
        """The brackets as spans, after bad documents were left out; None if there are none."""
        self._settle()
        start, end, _, _ = self.rows.astype(np.int32)
        return Spans(start, end, self.labels) if len(start) else None

    def trees(self) -> Trees | None:
        """The brackets as trees."""
        self._settle()
        start, end, parent, sentence = self.rows.astype(np.int32)
        label, function = with_functions(self.labels)
        more = {"function": function, "parent": parent, "sentence": sentence}
        return Trees(start, end, label, **more) if len(start) else None

    def _settle(self) -> None:
        reader = self.reader
        if not reader.is_kept.all():
            self._keep(reader.is_kept[self.rows[0]])
            self.rows[1] = reader.place[self.rows[1] - 1] + 1
            self.rows[0] = reader.place[self.rows[0]]


def written_bits(
    corpus: Corpus, spans: Spans, labels: Sequence[str], what: str, *, short: bool
) -> list[str]:
    """The cell of every token for spans in order, outer ones before inner ones; `short` leaves the
    asterisk out where a span covers one token. Raises InputError for what brackets cannot hold."""
    opened: list[list[str]] = [[] for _ in range(corpus.token_count)]
    closed = [0] * corpus.token_count
    stack: list[int] = []
    if spans.tokens is not None and (np.diff(spans.tokens.bounds) < spans.end - spans.start).any():
        raise InputError(f"{corpus.origin}: {what} have gaps, which {_COLUMN}")
    for start, end, label in zip(spans.start.tolist(), spans.end.tolist(), labels, strict=True):
        while stack and stack[-1] <= start:
            stack.pop()
        problem = "cross" if stack and stack[-1] < end else ""
        if _NO_LABEL.search(label) or (label in ("", "-", "_") and short):
            problem = f"have the label {label!r}"
        if problem:
            sentence = corpus.sentence_id(int(corpus.sentence_of_token[start]))
            raise InputError(
                f"{corpus.origin}, sentence '{sentence}': {what} {problem}, which {_COLUMN}"
            )
        stack.append(end)
        opened[start].append(f"({label}")
        closed[end - 1] += 1
    return [
        f"{''.join(opens)}{'' if short and opens and ends else '*'}{')' * ends}"
        for opens, ends in zip(opened, closed, strict=True)
    ]
