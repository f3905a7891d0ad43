"""Checking dependency heads, for every format that has them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64
from tertium.formats.base import Problems, Reading
from tertium.formats.table import Table


class SentenceReader(Protocol):
    """What `checked_heads` needs of a reader."""

    table: Table
    problems: Problems
    reading: Reading
    words: Int64
    offsets: Int64
    sentence_of_word: Int64
    bad: npt.NDArray[np.bool_]
    repaired: int

    def name(self, sentence: int) -> str:
        """A sentence's id or number."""


def checked_heads(reader: SentenceReader, head: Int32, column: int) -> Int32:
    """Heads that are numbers, inside the sentence and free of cycles.

    Every offence is a problem; a cycle is one. Under "repair" an offending head becomes -1 (no
    head, never right); otherwise its sentence is marked bad, and the caller empties it.
    """
    from tertium.formats._kernels import tokens_on_cycles

    size = np.diff(reader.offsets)[reader.sentence_of_word]
    offences = np.flatnonzero((head < 0) | (head > size))
    for token in reader.problems.listed(offences):
        if head[token] == -1:
            message = "HEAD is missing ('_'), though other words have one"
        else:
            text = reader.table.field(int(reader.words[token]), column)
            if head[token] == -2:
                message = f"HEAD is '{text}', expected a number"
            else:
                message = f"HEAD is {text}, but the sentence has {size[token]} words"
        _report(reader, token, message)
    head = head.copy()
    head[offences] = -1
    cycles = tokens_on_cycles(head, reader.offsets)
    for token in reader.problems.listed(cycles):
        number = token - int(reader.offsets[reader.sentence_of_word[token]]) + 1
        _report(reader, token, f"word {number} is its own ancestor: HEAD forms a cycle")
    head[cycles] = -1
    if reader.reading.on_error == "repair":
        reader.repaired += len(offences) + len(cycles)
    else:
        reader.bad[reader.sentence_of_word[offences]] = True
        reader.bad[reader.sentence_of_word[cycles]] = True
    return head


def _report(reader: SentenceReader, token: int, message: str) -> None:
    sentence = reader.name(int(reader.sentence_of_word[token]))
    line = int(reader.words[token]) + 1
    reader.problems.error(message, line=line, sentence=sentence, kind="head")
