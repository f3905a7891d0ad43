"""Numbered words, one a line, tab-separated: what CoNLL-U and CoNLL-X share.

Sentences are blocks of lines with comments, blank lines between them. What is unusual there is read
all the same and noted; the UD evaluation refuses most of it (`refusals`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of
from tertium.corpus.layers import Arcs, Comments, Layer, Tags
from tertium.formats.base import ROOTED, Problems, Reader, tokens_on_cycles
from tertium.formats.lines import (
    NO_FINAL_NEWLINE,
    FieldTable,
    Index,
    first_lines,
    runs,
    word_ids,
)
from tertium.formats.sources import HEAD as SNIFFED

WORD, RANGE, EMPTY, NO_ID = 0, 1, 2, 3
FORM, HEAD, DEPREL = 1, 6, 7
TAG_COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}
BLANK_LINES = "blank-lines"
COMMENT_INSIDE = "comment-inside"
NO_FINAL_BLANK = "no-final-blank-line"
SPACES_ONLY = "spaces-only-line"
SEVERAL_ROOTS = "several-roots"
SHOWN_ROOTS = 5
MAYBE_CONLLX = (
    "if this is CoNLL-X, which allows several roots, use '--input-format conllx'; "
    "otherwise '--on-error skip' leaves such sentences out and counts them"
)


class BlockReader(Reader):
    """Sentences are blocks of lines, with comments in front."""

    table: FieldTable
    block_of_sentence: Index
    comment_lines: Index
    block_of_comment: Index

    def find_name(self, sentence: int) -> str:
        """A sentence's id from its comments, or its number."""
        block = self.block_of_sentence[sentence]
        first, last = np.searchsorted(self.block_of_comment, [block, block + 1])
        for line in self.comment_lines[first:last].tolist():
            key, equals, value = self.table.text(line)[1:].partition("=")
            if equals and key.strip() == "sent_id":
                return value.strip()
        return super().find_name(sentence)


class WordReader(BlockReader):
    """Turns the table of one file into a corpus. Steps in order; each may add problems.

    Subclasses say how many columns there are and which ids, whether a sentence has one root, and
    which columns are kept beside those of the layers.
    """

    format: str
    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    widths: ClassVar[tuple[int, ...]]
    id_kinds: ClassVar[tuple[int, ...]]
    id_words: ClassVar[str]
    kept: ClassVar[Mapping[str, int]]
    one_root: ClassVar[bool] = False

    def __init__(self, table: FieldTable, problems: Problems) -> None:
        block, self.block_count = table.blocks()
        token_lines = table.lines_where(table.field_count > 0)
        self.block_of_sentence, of_line = runs(block[token_lines])
        super().__init__(problems, len(self.block_of_sentence), self.format)
        self.table, self.block = table, block
        self.token_lines, self.of_line = token_lines, of_line
        self.comment_lines = np.flatnonzero(table.field_count == -1)
        self.block_of_comment = block[self.comment_lines]

    def read(self) -> Corpus:
        """The whole file."""
        self.check_columns()
        self.read_ids()
        self.values = {place: self.column(place) for place in self.wanted()}
        self.head = self.read_heads()
        self.check_rest()
        self.problems.stop()
        self.leave_out()
        layers = self.tags(TAG_COLUMNS)
        if self.head is not None and self.says_something(self.head):
            layers["deps"] = Arcs(self.head, self.values[DEPREL])
        extras = self.extras()
        if (comments := self.comments()) is not None:
            extras["comments"] = comments
        lines = (self.words + 1).astype(np.int32)
        forms = self.values[FORM]
        return self.corpus(self.offsets, forms=forms, layers=layers, extras=extras, lines=lines)

    # -- sentences ---------------------------------------------------------------------------

    def comments(self) -> Comments | None:
        """Comment lines of every sentence."""
        if not self.reading.wants("comments"):
            return None
        here = np.isin(self.block_of_comment, self.block_of_sentence)
        lines = self.comment_lines[here]
        if not len(lines):
            return None
        sentence = np.searchsorted(self.block_of_sentence, self.block_of_comment[here])
        text = self.table.intern(self.table.lines[0][lines] + 1, self.table.lines[1][lines])
        return Comments(sentence.astype(np.int32), text)

    def note_comments(self) -> None:
        """Comments without a sentence, and inside one; one note for those that stand together."""
        fields, block = self.table.field_count, self.block
        inside = np.flatnonzero((fields[1:] == -1) & (fields[:-1] > 0)) + 1
        sentence = np.searchsorted(self.block_of_sentence, block[inside])
        self.note_few(COMMENT_INSIDE, "comment inside a sentence", inside, sentence)
        if self.block_count == len(self.block_of_sentence):
            return
        alone = np.setdiff1d(np.arange(self.block_count), self.block_of_sentence)
        first = np.searchsorted(block, alone)
        at_end = (alone == block[-1]) & (fields[-1] != 0)  # nothing follows, not even a blank line
        message = "comment without a sentence"
        self.note_few(BLANK_LINES, message, first[~at_end])
        self.note_few("note", message, first[at_end])

    def note_blank_lines(self) -> None:
        """Blank lines that end no sentence, hold spaces, or are missing at the end of the file."""
        fields, lines = self.table.field_count, self.table.lines
        blank = fields == 0
        spaced = np.flatnonzero(blank & (lines[1] > lines[0]))
        self.note_few(SPACES_ONLY, "line of white space only, read as a blank line", spaced)
        surplus = blank & np.concatenate([[True], blank[:-1]])
        surplus[spaced] = False
        first = np.flatnonzero(surplus & ~np.concatenate([[False], surplus[:-1]]))
        self.note_few(BLANK_LINES, "blank line that ends no sentence", first)
        last, sentence = len(fields) - 1, len(self.block_of_sentence) - 1
        if sentence < 0 or fields[last] == 0 or self.block[last] != self.block_of_sentence[-1]:
            return
        cut = self.problems.withdraw(NO_FINAL_NEWLINE)  # one note on the end of the file
        message = f"{'no newline and ' if cut else ''}no blank line after the last sentence"
        self.note_few(NO_FINAL_BLANK, message, np.array([last]), np.array([sentence]))

    # -- columns -----------------------------------------------------------------------------

    def check_columns(self) -> None:
        """Every token line has the file's number of columns; others spoil their sentence."""
        fields = np.asarray(self.table.field_count[self.token_lines], np.int64)
        known = fields[np.isin(fields, self.widths)]
        self.width = int(np.bincount(known).argmax()) if len(known) else self.widths[-1]

        def message(at: int, expected: str) -> str:
            line, columns = int(self.token_lines[at]), int(fields[at])
            found = f"{columns} column{'' if columns == 1 else 's'}, expected {expected}"
            if columns == 1 and len(self.table.text(line).split(None, 20)) in self.widths:
                found += " separated by tabs, not spaces"
            return found

        if len(fields) and not len(known):
            expected = " to ".join(str(w) for w in dict.fromkeys((self.widths[0], self.widths[-1])))
            raise self.problems.fatal(
                f"{message(0, expected)}; no line of the file has as many",
                line=int(self.token_lines[0]) + 1,
                help="if the format is different, name it with '--input-format'; "
                "'tertium list formats' shows all",
            )
        self.whole = fields == self.width  # lines whose columns can be told
        self.refuse(
            np.flatnonzero(~self.whole),
            lambda at: message(at, str(self.width)),
            self.token_lines,
            self.of_line,
        )

    def wanted(self) -> Iterable[int]:
        """The columns to read."""
        named = {**TAG_COLUMNS, "deps": DEPREL, **self.kept}
        wanted = (place for name, place in named.items() if self.reading.wants(name))
        return (FORM, *(place for place in wanted if place < self.width))

    def column(self, place: int) -> Labels:
        """A column over all words. An empty field is an error: these formats write `_`."""
        labels = self.table.labels(self.words, place)
        empty = labels.where("")
        if not len(empty):
            return labels
        what = f"column {self.columns[place].upper()} is empty; {self.title} writes '_'"
        where = self.words, self.sentence_of_word
        self.refuse(empty, what, *where, kind="empty", mended=len(empty))
        return labels.rename({"": "_"})

    def tags(self, columns: Mapping[str, int]) -> dict[str, Layer]:
        """Those of the columns that were read and hold more than `_`."""
        return {
            name: Tags(self.values[place])
            for name, place in columns.items()
            if place in self.values and not self.values[place].is_constant("_")
        }

    def rest(self, lines: Index, place: int) -> Labels:
        """All columns from `place` on as one string, tabs included."""
        return self.table.intern(self.table.bounds(lines, place)[0], self.table.lines[1][lines])

    def check_rest(self) -> None:
        """Look at what stands outside layers and is the same whichever columns are wanted."""
        self.note_comments()

    def extras(self) -> dict[str, Layer]:
        """What the file holds besides its layers."""
        return self.tags(self.kept)

    # -- words -------------------------------------------------------------------------------

    def read_ids(self) -> None:
        """Words, ranges and empty nodes, and whether their numbers are in order."""
        from tertium.formats._kernels import check_ids

        starts, ends = self.table.bounds(self.token_lines, 0)
        kind, first, second = word_ids(self.table.buf, starts, ends)
        self.sizes = np.zeros(len(self.bad), np.int64)
        allowed = np.isin(np.arange(4), self.id_kinds)
        wrong, last = np.empty(len(kind), np.bool_), np.empty(len(kind), np.int32)
        check_ids(kind, first, second, self.of_line, allowed, self.sizes, wrong, last)
        wrong &= self.whole  # the others have been reported

        def message(at: int) -> str:
            text = self.table.field(int(self.token_lines[at]), 0)
            if kind[at] not in self.id_kinds:
                return f"ID is '{text}', expected {self.id_words}"
            if kind[at] == WORD:
                return f"ID is {text}, expected {last[at] + 1}"
            if kind[at] == EMPTY:
                return f"empty node {text} is after word {last[at]}"
            return (
                f"multiword token {text} must begin before its first word ({last[at] + 1}), "
                f"end inside the sentence ({self.sizes[self.of_line[at]]} words) "
                "and not overlap a second one"
            )

        self.refuse(np.flatnonzero(wrong), message, self.token_lines, self.of_line)
        self.unplaced = np.zeros(0, np.int64)
        word = kind == WORD
        if self.bad.any():
            fine = ~self.bad[self.of_line]
            self.unplaced = np.flatnonzero(word & self.whole & ~fine)
            word &= fine
            kind[~fine] = NO_ID
        self.place_words(self.token_lines[word], self.of_line[word])
        self.ranges, self.empty = (
            [self.token_lines[rows], self.of_line[rows], first[rows], second[rows]]
            for rows in (np.flatnonzero(kind == which) for which in (RANGE, EMPTY))
        )

    def place_words(self, lines: Index, sentence: Index) -> None:
        """The words are in these lines and sentences."""
        self.words, self.sentence_of_word = lines, sentence
        self.offsets = bounds_of(np.bincount(sentence, minlength=len(self.bad)))

    def leave_out(self) -> None:
        """Empty the sentences that were found to be bad after their words had been numbered."""
        keep = ~self.bad[self.sentence_of_word]
        if keep.all():
            return
        self.values = {place: labels.take(keep) for place, labels in self.values.items()}
        if self.head is not None:
            self.head = self.head[keep]
        self.place_words(self.words[keep], self.sentence_of_word[keep])
        self.ranges, self.empty = (
            [column[~self.bad[rows[1]]] for column in rows] for rows in (self.ranges, self.empty)
        )

    # -- heads -------------------------------------------------------------------------------

    def read_heads(self) -> Int32 | None:
        """Heads that are numbers, inside the sentence and, unless cycles are allowed, free of them;
        one root a sentence where the format has that check and it is wanted. None where the file
        gives neither heads nor relations.

        Every offence is a problem; a cycle is one, and so are the roots of a sentence. Under
        "repair" an offending head becomes -1 (no head, never right; of several roots the first
        stays); otherwise its sentence is bad.
        """
        if DEPREL not in self.values:
            return None
        head = self.table.numbers(self.words, HEAD)
        # Words of sentences that are bad already: their heads are still worth a message.
        lines, sentence = self.token_lines[self.unplaced], self.of_line[self.unplaced]
        lost = self.table.numbers(lines, HEAD)
        if not self.says_something(head) and (lost == -1).all():
            return None
        self.refuse_heads(lost, lines, sentence, self.sizes[sentence], mended=False)
        of_word = self.sentence_of_word
        size = np.diff(self.offsets)[of_word]
        head[self.refuse_heads(head, self.words, of_word, size, mended=True)] = -1
        cycles = tokens_on_cycles(head, self.offsets)
        if self.reading.allows_cycles:
            cycles = cycles[:0]

        def message(word: int) -> str:
            number = word - self.offsets[of_word[word]] + 1
            return f"word {number} is its own ancestor: HEAD forms a cycle"

        self.refuse(cycles, message, self.words, of_word, kind="head", mended=len(cycles))
        head[cycles] = -1
        if self.one_root:
            self.check_roots(head)
        return head

    def refuse_heads(
        self, head: Int32, lines: Index, sentence: Index, size: Int64, *, mended: bool
    ) -> Int64:
        """A problem for every head that is no number or outside its sentence; gives back which."""
        offences = np.flatnonzero((head < 0) | (head > size))

        def message(word: int) -> str:
            text = self.table.field(int(lines[word]), HEAD)
            if head[word] == -1:
                return "HEAD is missing ('_'), though other words have one"
            if head[word] == -2:
                return f"HEAD is '{text}', expected a number"
            return f"HEAD is {text}, but the sentence has {size[word]} words"

        mends = len(offences) if mended else 0
        self.refuse(offences, message, lines, sentence, kind="head", mended=mends)
        return offences

    def check_roots(self, head: Int32) -> None:
        """One problem for every sentence with several roots, at the second of them; a note where
        that is not checked."""
        of_word = self.sentence_of_word
        further, second, message = several_roots(head, of_word, self.offsets)
        if not self.reading.demands(ROOTED):
            where = self.words[second], of_word[second]
            self.note_few(SEVERAL_ROOTS, lambda i: message(int(second[i])), *where)
            return
        if len(second) and not len(self.comment_lines):
            self.problems.help = MAYBE_CONLLX
        self.refuse(second, message, self.words, of_word, kind="head", mended=len(further))
        head[further] = -1

    def says_something(self, head: Int32) -> bool:
        """Is there a head or a relation?"""
        return not ((head == -1).all() and self.values[DEPREL].is_constant("_"))


def several_roots(
    head: Int32, sentence: npt.NDArray[np.signedinteger[Any]], offsets: Int64
) -> tuple[Int64, Int64, Callable[[int], str]]:
    """The words that are roots after another root of their sentence; the first such word of each
    sentence; and what is wrong there."""
    roots = np.flatnonzero(head == 0)
    further = roots[1:][np.diff(sentence[roots]) == 0]

    def message(word: int) -> str:
        begin, end = offsets[sentence[word]], offsets[sentence[word] + 1]
        return roots_message((np.flatnonzero(head[begin:end] == 0) + 1).tolist())

    return further, further[np.unique(sentence[further], return_index=True)[1]], message


def roots_message(words: list[int]) -> str:
    """What is wrong with a sentence in which these words are roots.

    >>> roots_message([2, 5, 7])
    'words 2, 5 and 7 are all roots: a tree has one'
    """
    if len(words) == 2:
        return f"words {words[0]} and {words[1]} are both roots: a tree has one"
    shown = [str(word) for word in words[:SHOWN_ROOTS]]
    if len(words) > SHOWN_ROOTS:
        shown.append(f"{len(words) - SHOWN_ROOTS:,} more")
    return f"words {', '.join(shown[:-1])} and {shown[-1]} are all roots: a tree has one"


def sniffed_rows(head: bytes) -> list[list[bytes]]:
    """The first token lines of a file, split at tabs; a line that was cut is left out."""
    if len(head) >= SNIFFED and b"\n" not in head:
        return []
    return [
        line.split(b"\t")
        for line in first_lines(head, 300)
        if line.strip() and not line.startswith(b"#")
    ]


def has_projective_columns(rows: list[list[bytes]]) -> bool:
    """Is the ninth column a number wherever it is given, as PHEAD is and DEPS never is?"""
    given = [row[8] for row in rows if len(row) == 10 and row[8] != b"_"]
    return bool(given) and all(value.isdigit() for value in given)
