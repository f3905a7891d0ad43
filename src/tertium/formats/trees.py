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
    offences = report_heads(reader, head, reader.words, reader.sentence_of_word, size, column)
    head = head.copy()
    head[offences] = -1
    cycles = tokens_on_cycles(head, reader.offsets)
    for token in reader.problems.listed(cycles):
        sentence = int(reader.sentence_of_word[token])
        message = f"word {token - int(reader.offsets[sentence]) + 1} is its own ancestor"
        _report(reader, int(reader.words[token]), sentence, f"{message}: HEAD forms a cycle")
    head[cycles] = -1
    if reader.reading.on_error == "repair":
        reader.repaired += len(offences) + len(cycles)
    else:
        reader.bad[reader.sentence_of_word[offences]] = True
        reader.bad[reader.sentence_of_word[cycles]] = True
    return head


def report_heads(
    reader: SentenceReader, head: Int32, lines: Int64, sentence: Int64, size: Int64, column: int
) -> Int64:
    """A problem for every head that is no number or outside its sentence; gives back which ones."""
    offences = np.flatnonzero((head < 0) | (head > size))
    for word in reader.problems.listed(offences):
        text = reader.table.field(int(lines[word]), column)
        if head[word] == -1:
            message = "HEAD is missing ('_'), though other words have one"
        elif head[word] == -2:
            message = f"HEAD is '{text}', expected a number"
        else:
            message = f"HEAD is {text}, but the sentence has {size[word]} words"
        _report(reader, int(lines[word]), int(sentence[word]), message)
    return offences


def _report(reader: SentenceReader, line: int, sentence: int, message: str) -> None:
    name = reader.name(sentence)
    reader.problems.error(message, line=line + 1, sentence=name, kind="head")
