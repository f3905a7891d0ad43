"""Numbered words, one a line, tab-separated: what CoNLL-U and CoNLL-X share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels
from tertium.corpus.layers import Arcs, Comments, Layer, Tags
from tertium.exceptions import FormatError, Problem
from tertium.formats.base import LISTED_PROBLEMS, ROOTED, Problems, Reading, skipped_mask
from tertium.formats.layout import note_comments, note_few
from tertium.formats.lines import Index, Table, runs
from tertium.formats.sources import HEAD as SNIFFED

WORD, RANGE, EMPTY, NO_ID = 0, 1, 2, 3
FORM, HEAD, DEPREL = 1, 6, 7
TAG_COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}


class WordReader(ABC):
    """Turns the table of one file into a corpus. Steps in order; each may add problems.

    Subclasses say how many columns there are and which ids, whether a sentence has one root, and
    read what is theirs in `extras`.
    """

    format: ClassVar[str]
    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    widths: ClassVar[tuple[int, ...]]
    id_kinds: ClassVar[tuple[int, ...]]
    id_words: ClassVar[str]
    one_root: ClassVar[bool] = False

    def __init__(self, table: Table, problems: Problems) -> None:
        self.table, self.problems, self.reading = table, problems, problems.reading
        self.repaired = 0
        block, self.block_count = table.blocks()
        fields = table.field_count
        token_lines = np.flatnonzero(fields > 0)
        with_tokens, of_line = runs(block[token_lines])
        self.block, self.count = block, len(with_tokens)
        self.block_of_sentence = with_tokens
        self.token_lines, self.of_line = token_lines, of_line.astype(np.int64)
        self.comment_lines = np.flatnonzero(fields == -1)
        self.block_of_comment = block[self.comment_lines]
        self.bad = np.zeros(self.count, np.bool_)  # sentences that cannot be used

    def corpus(self) -> Corpus:
        """The whole file."""
        self.check_columns()
        self.read_ids()
        self.values = {place: self.column(place) for place in self.wanted()}
        self.head = self.read_heads()
        self.check_rest()
        if self.problems.stops:
            self.problems.settle()  # raises, unless every problem is wanted
        self.leave_out()
        layers: dict[str, Layer] = {}
        for name, place in TAG_COLUMNS.items():
            if place in self.values and not self.values[place].is_constant("_"):
                layers[name] = Tags(self.values[place])
        if self.head is not None and self.says_something(self.head):
            layers["deps"] = Arcs(self.head, self.values[DEPREL])
        comments = self.comments()
        extras = self.extras()
        if comments is not None:
            extras["comments"] = comments
        return Corpus(
            offsets=self.offsets,
            forms=self.values[FORM],
            layers=layers,
            extras=extras,
            origin=self.reading.origin,
            format=self.format,
            lines=(self.words + 1).astype(np.int32),
            skipped=skipped_mask(self.bad),
            problems=self.problems.settle(),
            repaired=self.repaired,
        )

    # -- steps -------------------------------------------------------------------------------

    def check_columns(self) -> None:
        """Every token line has the file's number of columns; others spoil their sentence."""
        fields = np.asarray(self.table.field_count[self.token_lines], np.int64)
        expected = " to ".join(str(w) for w in dict.fromkeys((self.widths[0], self.widths[-1])))
        known = fields[np.isin(fields, self.widths)]
        if len(fields) and not len(known):
            spaced = self.with_spaces(int(self.token_lines[0]))
            message = f"{counted(int(fields[0]))}, expected {expected}{spaced}"
            raise self.problems.fatal(
                f"{message}; no line of the file has as many",
                line=int(self.token_lines[0]) + 1,
                help="is it another format? '--input-format' names one; "
                "'tertium list formats' shows all",
            )
        self.width = int(np.bincount(known).argmax()) if len(known) else self.widths[-1]
        good = fields == self.width
        for at in self.problems.listed(np.flatnonzero(~good)):
            line, count = int(self.token_lines[at]), int(fields[at])
            message = f"{counted(count)}, expected {self.width}"
            self.error(int(self.of_line[at]), message + self.with_spaces(line), line)
        self.bad[self.of_line[~good]] = True
        self.whole = good  # lines whose columns can be told

    def with_spaces(self, line: int) -> str:
        """What to add to a message about columns if the line uses spaces for tabs."""
        spaced = self.table.field_count[line] == 1
        if spaced and len(self.table.text(line).split(None, 20)) in self.widths:
            return " separated by tabs, not spaces"
        return ""

    def read_ids(self) -> None:
        """Words, ranges and empty nodes, and whether their numbers are in order."""
        from tertium.formats._kernels import check_ids, word_ids

        starts, ends = self.table.bounds(self.token_lines, 0)
        kind, first, second = word_ids(self.table.buf, starts, ends)
        self.sizes = np.zeros(self.count, np.int64)
        allowed = np.isin(np.arange(4), self.id_kinds)
        wrong, last = check_ids(kind, first, second, self.of_line, allowed, self.sizes)
        wrong &= self.whole  # the others have been reported
        for at in self.problems.listed(np.flatnonzero(wrong)):
            self.report_id(at, int(kind[at]), int(last[at]), int(self.sizes[self.of_line[at]]))
        self.bad[self.of_line[wrong]] = True
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

    def read_heads(self) -> Int32 | None:
        """Heads, checked; None where the file gives neither heads nor relations."""
        if DEPREL not in self.values:
            return None
        from tertium.formats.conll import checked_heads, report_heads

        head = self.table.numbers(self.words, HEAD)
        # Words of sentences that are bad already: their heads are still worth a message.
        lines, sentence = self.token_lines[self.unplaced], self.of_line[self.unplaced]
        lost = self.table.numbers(lines, HEAD)
        if not self.says_something(head) and (lost == -1).all():
            return None
        report_heads(self, lost, lines, sentence, self.sizes[sentence], HEAD)
        return checked_heads(self, head, HEAD)

    def says_something(self, head: Int32) -> bool:
        """Is there a head or a relation?"""
        return not ((head == -1).all() and self.values[DEPREL].is_constant("_"))

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

    def check_rest(self) -> None:
        """Look at what stands outside layers and is the same whichever columns are wanted."""
        note_comments(self)

    def place_words(self, lines: Int64, sentence: Int64) -> None:
        """The words are in these lines and sentences."""
        counts = np.bincount(sentence, minlength=self.count)
        self.words, self.sentence_of_word = lines, sentence
        self.offsets: Int64 = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def comments(self) -> Comments | None:
        """Comment lines of every sentence."""
        if not self.reading.wants("comments") or not len(self.comment_lines):
            return None
        at = np.searchsorted(self.block_of_sentence, self.block_of_comment)
        here = at < self.count
        here[here] &= self.block_of_sentence[at[here]] == self.block_of_comment[here]
        lines, sentence = self.comment_lines[here], at[here]
        if not len(lines):
            return None
        text = self.table.intern(self.table.lines[0][lines] + 1, self.table.lines[1][lines])
        return Comments(sentence.astype(np.int32), text)

    # -- what subclasses say -----------------------------------------------------------------

    def wanted(self) -> Iterable[int]:
        """The columns to read."""
        yield FORM
        for name, place in TAG_COLUMNS.items():
            if self.reading.wants(name):
                yield place
        if self.reading.wants("deps"):
            yield DEPREL

    @abstractmethod
    def extras(self) -> dict[str, Layer]:
        """What the file holds besides its layers."""

    # -- helpers -----------------------------------------------------------------------------

    def column(self, place: int) -> Labels:
        """A column over all words. An empty field is an error: these formats write `_`."""
        labels = self.table.labels(self.words, place)
        if not (np.diff(labels.names.bounds) == 0).any():
            return labels
        empty = np.flatnonzero(labels.codes == labels.names.find(""))
        for token in self.problems.listed(empty):
            message = f"column {self.columns[place].upper()} is empty; {self.title} writes '_'"
            self.error(int(self.sentence_of_word[token]), message, int(self.words[token]), "empty")
        if self.reading.on_error == "repair":
            self.repaired += len(empty)
        else:
            self.bad[self.sentence_of_word[empty]] = True
        return labels.rename({"": "_"})

    def rest(self, lines: Index, place: int) -> Labels:
        """All columns from `place` on as one string, tabs included."""
        return self.table.intern(self.table.bounds(lines, place)[0], self.table.lines[1][lines])

    def name(self, sentence: int) -> str:
        """A sentence's id from its comments, or its number."""
        block = self.block_of_sentence[sentence]
        first, last = np.searchsorted(self.block_of_comment, [block, block + 1])
        for line in self.comment_lines[first:last].tolist():
            key, equals, value = self.table.text(line)[1:].partition("=")
            if equals and key.strip() == "sent_id":
                return value.strip()
        return str(sentence + 1)

    def error(self, sentence: int, message: str, line: int, kind: str = "format") -> None:
        """Something wrong in a line (counted from 0)."""
        self.problems.error(message, line=line + 1, sentence=self.name(sentence), kind=kind)

    def report_id(self, at: int, kind: int, last: int, size: int) -> None:
        """Say what is wrong with an id that follows word `last`."""
        line = int(self.token_lines[at])
        text = self.table.field(line, 0)
        if kind not in self.id_kinds:
            message = f"ID is '{text}', expected {self.id_words}"
        elif kind == WORD:
            message = f"ID is {text}, expected {last + 1}"
        elif kind == RANGE:
            message = (
                f"multiword token {text} must begin before its first word ({last + 1}), "
                f"end inside the sentence ({size} words) and not overlap another"
            )
        else:
            message = f"empty node {text} stands after word {last}"
        self.error(int(self.of_line[at]), message, line)


def counted(columns: int) -> str:
    """`1 column`, `9 columns`."""
    return f"{columns} column{'' if columns == 1 else 's'}"


def sniffed_rows(head: bytes) -> list[list[bytes]]:
    """The first token lines of a file, split at tabs; a last line that may be cut is left out."""
    lines = head.split(b"\n")
    if (len(lines) > 2 or len(head) >= SNIFFED) and lines[-1]:
        lines.pop()
    return [
        line.rstrip(b"\r").split(b"\t")
        for line in lines[:300]
        if line.strip() and not line.startswith(b"#")
    ]


def has_projective_columns(rows: list[list[bytes]]) -> bool:
    """Is the ninth column a number wherever it is given, as PHEAD is and DEPS never is?"""
    given = [row[8] for row in rows if len(row) == 10 and row[8] != b"_"]
    return bool(given) and all(value.isdigit() for value in given)


SEVERAL_ROOTS = "several-roots"
SHOWN_ROOTS = 5
MAYBE_CONLLX = (
    "if this is CoNLL-X, where several roots are allowed, say '--input-format conllx'; "
    "otherwise '--on-error skip' leaves such sentences out and counts them"
)


class SentenceReader(Protocol):
    """What `checked_heads` needs of a reader."""

    table: Table
    problems: Problems
    reading: Reading
    words: Int64
    offsets: Int64
    sentence_of_word: Int64
    comment_lines: Int64
    bad: npt.NDArray[np.bool_]
    repaired: int
    one_root: ClassVar[bool]  # does the format demand trees?

    def name(self, sentence: int) -> str:
        """A sentence's id or number."""


def checked_heads(reader: SentenceReader, head: Int32, column: int) -> Int32:
    """Heads that are numbers, inside the sentence and free of cycles; one root a sentence where the
    format has that check and it is wanted.

    Every offence is a problem; a cycle is one, and so are the roots of a sentence. Under "repair"
    an offending head becomes -1 (no head, never right; of several roots the first stays);
    otherwise its sentence is marked bad, and the caller empties it.
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
    further = further_roots(head, reader.sentence_of_word)
    if not reader.one_root:
        further = further[:0]
    _report_roots(reader, head, further)
    if not reader.reading.demands(ROOTED):
        further = further[:0]
    head[further] = -1
    if reader.reading.on_error == "repair":
        reader.repaired += len(offences) + len(cycles) + len(further)
    else:
        for words in (offences, cycles, further):
            reader.bad[reader.sentence_of_word[words]] = True
    return head


def further_roots(head: Int32, sentence: npt.NDArray[np.signedinteger[Any]]) -> Int64:
    """The words that are roots after another root of their sentence."""
    roots = np.flatnonzero(head == 0)
    again = np.diff(sentence[roots]) == 0
    return np.asarray(roots[1:][again], np.int64)


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


def _report_roots(reader: SentenceReader, head: Int32, further: Int64) -> None:
    """One problem for every sentence with several roots, at the second of them; a note where
    that is not checked."""
    sentences, first = np.unique(reader.sentence_of_word[further], return_index=True)
    if not len(sentences):
        return
    lines = reader.words[further[first]]

    def message(i: int) -> str:
        begin, end = reader.offsets[sentences[i]], reader.offsets[sentences[i] + 1]
        return roots_message((np.flatnonzero(head[begin:end] == 0) + 1).tolist())

    if not reader.reading.demands(ROOTED):
        note_few(reader, SEVERAL_ROOTS, message, lines, sentences)
        return
    if not len(reader.comment_lines):
        reader.problems.help = MAYBE_CONLLX
    for i in reader.problems.listed(np.arange(len(sentences))):
        _report(reader, int(lines[i]), int(sentences[i]), message(i))


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


def check_trees(corpus: Corpus, *, checks: frozenset[str] | None = None) -> None:
    """Raise FormatError where what a corpus holds as trees are none.

    Readers check what they read; this is for a corpus made in Python. A head may be missing (-1).
    Several roots are fine where `checks` are given without that of roots, and in CoNLL-X.
    """
    rooted = corpus.format != "conllx" and (checks is None or ROOTED in checks)
    key = ("trees are sound", rooted)
    if key in corpus.derived:
        return
    found: list[Problem] = []
    for name, arcs in corpus.of_kind(Arcs).items():
        found += _tree_problems(corpus, name, arcs, rooted)
    if found:
        raise FormatError(
            corpus.origin,
            found,
            help="heads are counted from 1 in their sentence; 0 is the root, -1 is no head",
        )
    corpus.derived[key] = True


def _tree_problems(corpus: Corpus, name: str, arcs: Arcs, rooted: bool) -> list[Problem]:
    from tertium.formats._kernels import tokens_on_cycles

    head, tokens = np.asarray(arcs.head), corpus.token_count
    if head.dtype.kind not in "iu":
        return [Problem(f"heads of '{name}' are not integers", kind="head")]
    if not len(head) == len(arcs.label) == tokens:
        sizes = f"{len(head):,} heads and {len(arcs.label):,} relations for {tokens:,} words"
        return [Problem(f"'{name}' has {sizes}", kind="head")]

    def problem(token: int, message: str) -> Problem:
        line = int(corpus.lines[token]) if corpus.lines is not None else 0
        sentence = corpus.sentence_id(int(of_token[token]))
        return Problem(message, line, sentence, "head")

    of_token = corpus.sentence_of_token
    size = np.diff(corpus.offsets)[of_token]
    outside = np.flatnonzero((head < -1) | (head > size))
    if len(outside):
        return [
            problem(i, f"head {head[i]} is outside the sentence of {size[i]} words")
            for i in outside[:LISTED_PROBLEMS].tolist()
        ]
    cycles = tokens_on_cycles(head.astype(np.int32), corpus.offsets)
    found = [
        problem(i, f"word {i - int(corpus.offsets[of_token[i]]) + 1} is its own ancestor")
        for i in cycles[:LISTED_PROBLEMS].tolist()
    ]
    if rooted:
        further = further_roots(head, of_token)
        first = np.unique(of_token[further], return_index=True)[1]
        for i in further[first][:LISTED_PROBLEMS].tolist():
            begin, end = corpus.offsets[of_token[i] : of_token[i] + 2].tolist()
            roots = np.flatnonzero(head[begin:end] == 0) + 1
            found.append(problem(i, roots_message(roots.tolist())))
    return found
