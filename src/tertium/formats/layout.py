"""How sentences stand in a file: comments, blank lines, forms of spaces. What is unusual is read
all the same and noted; the UD evaluation refuses most of it (`conllu_strict`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64, Labels, Names
from tertium.corpus.layers import ranges
from tertium.formats.lines import NO_FINAL_NEWLINE

if TYPE_CHECKING:
    from tertium.formats.conll import SentenceReader, WordReader

SHOWN_NOTES = 20
# Unicode category Zs: the spaces that the UD evaluation takes out of forms.
SPACES = " \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"

BLANK_LINES = "blank-lines"
COMMENT_INSIDE = "comment-inside"
EMPTY_FORM = "empty-form"
NO_FINAL_BLANK = "no-final-blank-line"
NO_WORDS = "no-words"
SPACES_ONLY = "spaces-only-line"


def note_comments(reader: WordReader) -> None:
    """Comments without a sentence, and inside one; one note for comments that stand together."""
    fields, block = reader.table.field_count, reader.block
    inside = np.flatnonzero((fields[1:] == -1) & (fields[:-1] > 0)) + 1
    sentence = np.searchsorted(reader.block_of_sentence, block[inside])
    note_few(reader, COMMENT_INSIDE, "comment inside a sentence", inside, sentence)
    if reader.block_count == reader.count:
        return
    alone = np.setdiff1d(np.arange(reader.block_count), reader.block_of_sentence)
    first = np.searchsorted(block, alone)
    at_end = (alone == block[-1]) & (fields[-1] != 0)  # nothing follows, not even a blank line
    message = "comment without a sentence"
    note_few(reader, BLANK_LINES, message, first[~at_end])
    note_few(reader, "note", message, first[at_end])


def note_blank_lines(reader: WordReader) -> None:
    """Blank lines that end no sentence, hold spaces, or are missing at the end of the file."""
    fields, lines = reader.table.field_count, reader.table.lines
    blank = fields == 0
    spaced = np.flatnonzero(blank & (lines[1] > lines[0]))
    note_few(reader, SPACES_ONLY, "line of white space only, read as a blank line", spaced)
    surplus = blank & np.concatenate([[True], blank[:-1]])
    surplus[spaced] = False
    first = np.flatnonzero(surplus & ~np.concatenate([[False], surplus[:-1]]))
    note_few(reader, BLANK_LINES, "blank line that ends no sentence", first)
    last = len(fields) - 1
    if reader.count and fields[last] != 0 and reader.block[last] == reader.block_of_sentence[-1]:
        cut = reader.problems.withdraw(NO_FINAL_NEWLINE)  # one note on the end of the file
        message = f"{'no newline and ' if cut else ''}no blank line after the last sentence"
        where = np.array([last]), np.array([reader.count - 1])
        note_few(reader, NO_FINAL_BLANK, message, *where)


def note_empty(reader: WordReader, forms: Labels) -> None:
    """Tokens whose form is made of spaces or nothing, and sentences without words.

    The words of a multiword token are no text of their own, so their forms do not matter here.
    """
    lines, sentence, first, last = reader.ranges
    _note_forms(reader, reader.table.labels(lines, 1), lines, sentence)
    if _spaces_only(forms.names).any():
        alone = np.ones(len(forms), np.bool_)
        base = reader.offsets[sentence]
        alone[ranges(base + first - 1, base + last)] = False
        where = reader.words[alone], reader.sentence_of_word[alone]
        _note_forms(reader, forms.take(alone), *where)
    if not reader.sizes.all():
        bare = np.flatnonzero((reader.sizes == 0) & ~reader.bad)
        line = reader.token_lines[np.searchsorted(reader.of_line, bare)]
        note_few(reader, NO_WORDS, "no word in the sentence", line, bare)


def _note_forms(reader: WordReader, forms: Labels, lines: Int64, sentence: Int64) -> None:
    empty = _spaces_only(forms.names)[forms.codes]
    message = "FORM is empty or made of spaces"
    note_few(reader, EMPTY_FORM, message, lines[empty], sentence[empty])


def _spaces_only(names: Names) -> npt.NDArray[np.bool_]:
    """Which strings are empty or made of spaces. Only those that begin with one are decoded."""
    found = np.asarray(np.diff(names.bounds) == 0)
    padded = np.concatenate([names.blob, np.zeros(3, np.uint8)])
    first, second, third = (padded[names.bounds[:-1] + i].astype(np.int64) for i in range(3))
    head = first << 16 | second << 8 | third
    begins = np.zeros(len(found), np.bool_)
    for space in SPACES:
        code = space.encode()
        begins |= head >> 8 * (3 - len(code)) == int.from_bytes(code)
    some = np.flatnonzero(begins & ~found)
    found[some] = [not name.strip(SPACES) for name in names.some(some.tolist())]
    return found


def note_few(
    reader: SentenceReader,
    kind: str,
    message: str | Callable[[int], str],
    lines: Int64,
    sentence: Int64 | None = None,
) -> None:
    """A note for each of the first lines (counted from 0); the others are counted in one more.

    `message` may be a function of the place among the lines.
    """
    for i, line in enumerate(lines[: SHOWN_NOTES + 1].tolist()):
        text = message if isinstance(message, str) else message(i)
        if i == SHOWN_NOTES:
            text = f"{len(lines) - i:,} more such places from here on: {text}"
        name = None if sentence is None else reader.name(int(sentence[i]))
        reader.problems.note(text, line=line + 1, sentence=name, kind=kind)
