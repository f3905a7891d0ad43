"""What formats of lines share: a file as lines and fields, and writing text."""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, BinaryIO, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int32, Labels, interned
from tertium.exceptions import InputError
from tertium.formats.base import Format, Problems, Reading

TAB, NEWLINE, RETURN, SPACE, HASH = 9, 10, 13, 32, 35
BOM = b"\xef\xbb\xbf"
PIECE = 1 << 15
# Kinds of notes
BYTE_ORDER_MARK, LONE_RETURN = "byte-order-mark", "carriage-return"
NO_FINAL_NEWLINE = "no-final-newline"
K = TypeVar("K")
V = TypeVar("V")
Index = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class FieldTable:
    """Lines and fields of a file as byte positions.

    `lines` has rows start, end, first field, number of fields (0 blank, -1 comment). `starts` and
    `ends` are those of fields; where one tab stands between fields there are no `ends`, since a
    field ends before the next one or with its line: half the memory. Nothing is decoded until a
    column is asked for.
    """

    buf: Bytes
    lines: Index
    starts: Index
    ends: Index | None

    @property
    def field_count(self) -> Index:
        """Fields per line: 0 for blank lines, -1 for comments."""
        return np.asarray(self.lines[3])

    def text(self, line: int) -> str:
        """A line as text, for messages."""
        return self.bytes_between(int(self.lines[0, line]), int(self.lines[1, line]))

    def field(self, line: int, column: int) -> str:
        """One field as text, for messages."""
        start, end = self.bounds(np.array([line]), column)
        return self.bytes_between(int(start[0]), int(end[0]))

    def bytes_between(self, start: int, end: int) -> str:
        """Bytes as text."""
        return self.buf[start:end].tobytes().decode("utf-8", "replace")

    def bounds(self, lines: Index, column: int) -> tuple[Index, Index]:
        """Where a column's fields begin and end in the given lines; -1 is each line's last."""
        if self.ends is None:
            from tertium.formats._kernels import field_bounds

            _, end, first, fields = self.lines
            bounds = np.empty((2, len(lines)), self.starts.dtype)
            field_bounds(self.starts, end, first, fields, lines, column, bounds)
            return bounds[0], bounds[1]
        place = self.lines[2][lines] + column
        if column < 0:
            place += self.lines[3][lines]
        return self.starts[place], self.ends[place]

    def labels(self, lines: Index, column: int) -> Labels:
        """A column of the given lines, interned."""
        return self.intern(*self.bounds(lines, column))

    def intern(self, starts: Index, ends: Index) -> Labels:
        """The byte strings between starts and ends, interned."""
        return interned(self.buf, starts, ends)

    def numbers(self, lines: Index, column: int) -> Int32:
        """A column of decimal numbers; -1 for `_`, -2 for anything else."""
        kind, number, _ = word_ids(self.buf, *self.bounds(lines, column))
        return np.where((kind == 1) | (kind == 2), np.int32(-2), number)

    def blocks(self) -> tuple[Index, int]:
        """The block (maximal run of lines that are not blank) of every line, and how many."""
        blank = self.lines[3] == 0
        begins = ~blank & np.concatenate([[True], blank[:-1]])
        return _ordinals(begins, self.lines.dtype), int(begins.sum())

    def lines_where(self, chosen: npt.NDArray[np.bool_]) -> Index:
        """The numbers of the chosen lines, in as few bytes as the table itself."""
        return np.flatnonzero(chosen).astype(self.lines.dtype)


def word_ids(buf: Bytes, starts: Index, ends: Index) -> Int32:
    """CoNLL-U ids as (kind, a, b): 0 word `a`, 1 range `a-b`, 2 empty node `a.b`, 3 no id.

    A number has nine digits at most. Of what is no id, `a` is -1 for `_` and -2 for the rest.
    """
    from tertium.formats._kernels import read_ids

    ids = np.zeros((3, len(starts)), np.int32)
    read_ids(buf, starts, ends, ids)
    return ids


def runs(values: Index) -> tuple[Index, Index]:
    """The distinct values of an array that does not decrease, and the number of each entry's.

    >>> runs(np.array([3, 3, 5]))
    (array([3, 5]), array([0, 0, 1]))
    """
    begins = np.diff(values, prepend=-1) != 0
    return values[begins], _ordinals(begins, values.dtype)


def _ordinals(begins: npt.NDArray[np.bool_], dtype: npt.DTypeLike) -> Index:
    """The number of every entry's run, counted from 0."""
    ordinals: Index = np.cumsum(begins, dtype=dtype)
    ordinals -= 1
    return ordinals


def grouped(rows: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in order.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in rows:
        found.setdefault(key, []).append(value)
    return found


def first_lines(head: bytes, most: int) -> list[bytes]:
    """The first lines of a file's beginning; a last line that may be cut is left out."""
    lines = head.split(b"\n")
    if len(lines) > 2 and lines[-1]:
        lines.pop()
    return [line.rstrip(b"\r") for line in lines[:most]]


def load(stream: BinaryIO, problems: Problems) -> Bytes:
    """All bytes of a stream as an array, without a byte order mark; refuses UTF-16."""
    data = stream.read()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise problems.fatal(
            "the file is UTF-16, not UTF-8",
            line=1,
            help="convert it, for example with 'iconv -t UTF-8'",
        )
    start = len(BOM) if data.startswith(BOM) else 0
    buf = (
        np.frombuffer(data, np.uint8, offset=start) if len(data) > start else np.zeros(0, np.uint8)
    )
    if start:
        problems.note("the file begins with a byte order mark", line=1, kind=BYTE_ORDER_MARK)
    return buf


def scan(buf: Bytes, problems: Problems, *, separator: int = TAB, comment: int = -1) -> FieldTable:
    """Split bytes into lines and fields, after `check_text`.

    Fields are separated by one tab each and may be empty or, if `separator` is a space, by any run
    of spaces and tabs. A line that begins with the byte `comment` is a comment of tab-separated
    files.
    """
    from tertium.formats._kernels import scan_spaces, scan_tabs

    line_count = check_text(buf, problems)
    separators = sum(byte_counts(buf, *{TAB, separator}))
    index = np.int32 if len(buf) < 2**31 - 2 else np.int64
    lines = np.empty((4, line_count + 1), index)
    starts: Index = np.empty(separators + line_count + 2, index)
    if separator == TAB:
        n, m = scan_tabs(buf, comment, lines, starts)
        return FieldTable(buf, lines[:, :n], starts[: m + 1], None)
    ends = np.empty_like(starts)
    n, m = scan_spaces(buf, lines, starts, ends)
    return FieldTable(buf, lines[:, :n], starts[:m], ends[:m])


def check_text(buf: Bytes, problems: Problems) -> int:
    """The number of newlines.

    NUL bytes, invalid UTF-8 and lines that end in CR alone are refused; CR LF and a missing last
    newline are noted.
    """
    if not buf.all():
        raise problems.fatal(
            "NUL byte: this is not a text file",
            line=_line_at(buf, int((buf == 0).argmax())),
            help="check whether it is compressed or binary",
        )
    bad = _first_bad_byte(buf)
    if bad >= 0:
        raise problems.fatal(
            f"byte 0x{int(buf[bad]):02x} is not valid UTF-8",
            line=_line_at(buf, bad),
            help="convert the file to UTF-8, for example with 'iconv -f ISO-8859-1 -t UTF-8'",
        )
    lines, returns = byte_counts(buf, NEWLINE, RETURN)
    if returns:
        closing = np.append(buf[1:] == NEWLINE, True)
        lone = returns - int(np.count_nonzero(closing & (buf == RETURN)))
        if lone and not lines:
            raise problems.fatal(
                "lines end in CR alone, as on old Macs",
                line=1,
                help="convert them, for example with 'mac2unix'",
            )
        if lone:
            first = int(((buf == RETURN) & ~closing).argmax())
            message = f"{lone:,} carriage returns are inside lines"
            problems.note(message, line=_line_at(buf, first), kind=LONE_RETURN)
        if returns > lone:
            problems.note(f"{returns - lone:,} lines end in CR LF", line=1)
    if len(buf) and buf[-1] != NEWLINE:
        problems.note("no newline at the end of the file", line=lines + 1, kind=NO_FINAL_NEWLINE)
    return lines


def _first_bad_byte(buf: Bytes) -> int:
    """Where the first byte sequence stands that is not UTF-8 (RFC 3629: no overlong forms, no
    surrogates, nothing above U+10FFFF), or -1; in pieces that stay in the processor's cache."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(buf) + 1, PIECE):
        before = len(decoder.getstate()[0])  # bytes of a character that the last piece began
        try:
            decoder.decode(buf[start : start + PIECE].data, start + PIECE > len(buf))
        except UnicodeDecodeError as error:
            return start - before + error.start
    return -1


def byte_counts(buf: Bytes, *bytes_: int) -> list[int]:
    """How often each byte occurs; in pieces that stay in the processor's cache."""
    found = [0] * len(bytes_)
    for start in range(0, len(buf), PIECE):
        piece = buf[start : start + PIECE]
        for i, byte in enumerate(bytes_):
            found[i] += int(np.count_nonzero(piece == byte))
    return found


def _line_at(buf: Bytes, position: int) -> int:
    return int(np.count_nonzero(buf[:position] == 10)) + 1


# They end a line or a file for some reader, so no text format can hold them inside a field.
LINE_BREAKS = "\n\r\0"


def without_skipped(corpus: Corpus) -> Corpus:
    """The corpus without the sentences that `--on-error skip` left out: they have no content."""
    if corpus.skipped is None or not corpus.skipped.any():
        return corpus
    return corpus.take(~corpus.skipped)


def check_words(corpus: Corpus, what: str) -> Labels:
    """The forms of a corpus of words; anything else cannot be written as `what`."""
    if corpus.forms is None or corpus.atoms != "words":
        raise InputError(
            f"{corpus.origin} has no words and cannot be written as {what}",
            help="spans over a text convert to 'jsonl' or 'spans', over token numbers to 'spans'",
        )
    return corpus.forms


def check_strings(
    corpus: Corpus,
    labels: Labels,
    what: str,
    forbidden: str = "",
    refused: Callable[[str], bool] = lambda name: False,
) -> None:
    """Raise InputError for the first token whose string holds a forbidden character or is refused.

    Only distinct strings are looked at.
    """
    bad = [any(c in name for c in forbidden) or refused(name) for name in labels.names]
    if any(bad):
        for token in np.flatnonzero(np.array(bad)[labels.codes])[:1].tolist():
            sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
            text = labels[token]
            raise InputError(
                f"{corpus.origin}, sentence '{sentence}': {text!r} cannot be written as {what}"
            )


def by_sentence(corpus: Corpus, rows: list[V]) -> Iterator[list[V]]:
    """What stands in a row per token, cut into sentences."""
    for first, last in pairwise(corpus.offsets.tolist()):
        yield rows[first:last]


def check_no_empty_sentences(corpus: Corpus, what: str) -> None:
    """Raise InputError where a sentence has no tokens: most formats have no way to say so."""
    for sentence in np.flatnonzero(np.diff(corpus.offsets) == 0)[:1].tolist():
        raise InputError(
            f"{corpus.origin}: sentence '{corpus.sentence_id(sentence)}' has no tokens, "
            f"which {what} cannot hold"
        )


@dataclass(frozen=True, repr=False)
class TextFormat(Format):
    """A format of text in UTF-8, read from bytes and written block by block."""

    @abstractmethod
    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """A corpus from all bytes of a file, a byte order mark left out."""

    @abstractmethod
    def blocks(self, corpus: Corpus) -> Iterable[str]:
        """What is written, for a corpus without skipped sentences."""

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """A corpus from a stream of (decompressed) bytes."""
        problems = Problems(reading)
        return self.parse(load(stream, problems), problems)

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write a corpus; raises InputError where the corpus lacks what the format needs.

        Text that begins with U+FEFF gets a byte order mark in front, or the reader would take the
        character for one.
        """
        begun = False
        for block in self.blocks(without_skipped(corpus)):
            try:
                data = block.encode()
            except UnicodeEncodeError:
                raise InputError(
                    f"{corpus.origin} holds half a surrogate pair, which UTF-8 cannot write"
                ) from None
            if not begun and data.startswith(BOM):
                stream.write(BOM)
            begun = begun or bool(data)
            stream.write(data)
