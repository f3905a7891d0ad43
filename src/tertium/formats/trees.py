"""Checking dependency heads, for every format that has them."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.corpus.layers import Arcs
from tertium.exceptions import FormatError, Problem
from tertium.formats.base import LISTED_PROBLEMS, ROOTED, Problems, Reading
from tertium.formats.layout import note_few
from tertium.formats.lines import Table

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
