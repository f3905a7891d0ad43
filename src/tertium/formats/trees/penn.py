"""Penn brackets: `(S (NP-SBJ (PRP She)) (VP (VBD slept)))`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int32, Labels, interned
from tertium.corpus.layers import EmptyNodes, Layer, Tags, Trees
from tertium.corpus.trees import EMPTY, FUNCTIONS, POS, TREES
from tertium.exceptions import InputError, counted
from tertium.formats.base import Problems, Reader
from tertium.formats.lines import check_text
from tertium.formats.trees.base import TreeFormat
from tertium.formats.trees.text import (
    NO_TAG,
    NONE,
    bracketed,
    renamed,
    trace_fields,
    with_functions,
    words_of,
    written_words,
)
from tertium.registry import parameter

# What is wrong with a sentence, by the numbers of the kernel.
WRONG = (
    "",
    "')' without a matching '('",
    "text outside brackets",
    "a word without a tag",
    "more than one word after a tag",
    "a bracket is not closed",
    "a word without a tag beside constituents",
    "a constituent without words",
    "a word without a number",
    "the numbers of the words are not 0, 1, 2 and so on",
)
LAST_OF_SCAN = 7  # the others are found in numbers of words
HELP = (
    "a file with trees that spread over lines is read with "
    "'--input-format \"brackets(layout=spread)\"', one with a tree per line with 'layout=lines'"
)
_WORD = re.compile(rb"[^()\s]+")
_LABEL = re.compile(rb"\([^()\s]+")
_LEAF = re.compile(rb"\([^()\s]+\s+([^()\s]+)\s*\)")
SAMPLE = 4096


@dataclass(frozen=True, eq=False)
class BracketScan:
    """What the kernel found in a file; see `scan_brackets`."""

    buf: Bytes
    rows: Int32
    labels: Int32
    tokens: Int32
    lines: Int32
    traces: Int32
    sentences: Int32

    @classmethod
    def of(cls, buf: Bytes, problems: Problems, layout: str, *, traces: bool) -> BracketScan:
        """Read bytes, after `check_text`; under "auto" the layout is that of the file."""
        from tertium.formats.trees._kernels import scan_brackets, survey_brackets

        lines, opens = check_text(buf, problems) + 1, int(np.count_nonzero(buf == ord("(")))
        index = np.int32 if len(buf) < 2**31 - 2 else np.int64
        words = (len(buf) + 1) // 2  # at most; what is not filled takes no memory
        room = (4, opens), (2, opens), (4, words), (words,), (4, words), (4, opens + lines)
        arrays = [np.empty(shape, index) for shape in room]
        none = np.frombuffer(NONE.encode() if traces else b"", np.uint8)
        mend = problems.reading.on_error == "repair"
        n, m, k, s, uneven = scan_brackets(buf, True, False, none, mend, *arrays)
        if layout == "spread" or (layout == "auto" and uneven):
            filled, balanced, indented = survey_brackets(buf)
            if layout == "spread" or indented or 2 * balanced <= filled:
                anew = bool(indented)
                n, m, k, s, _ = scan_brackets(buf, False, anew, none, mend, *arrays)
        is_blank = not opens and not arrays[-1][1, :s].any()
        sizes = (n, n, m, m, k, 0 if is_blank else s)
        return cls(buf, *(each[..., :size] for each, size in zip(arrays, sizes, strict=True)))

    def reader(self, problems: Problems, format: str) -> Reader:
        """A reader that knows what is wrong."""
        _, wrong, lines, mended = self.sentences
        reader = Reader(problems, len(wrong), format)
        rows = np.flatnonzero(wrong)
        sentence = np.arange(len(wrong))
        for is_mended in (0, 1):
            some = rows[mended[rows] == is_mended]
            reader.refuse(
                some, lambda row: WRONG[wrong[row]], lines, sentence, mended=is_mended * len(some)
            )
        bare = np.diff(self.offsets) == 0
        bare[self.rows[3]] = bare[rows] = False
        if bare.any():
            message = f"{counted(int(bare.sum()), 'sentence')} without a parse"
            if bare[1::2].all() and not bare[::2].any():
                message += "; 'layout=spread' reads files in which empty lines separate trees"
            problems.note(message, sentence=str(int(bare.argmax()) + 1), kind="no-parse")
        return reader

    def strings(self, found: Any) -> Labels:
        """The strings that begin and end in the two rows of an array."""
        return interned(self.buf, *found)

    @property
    def offsets(self) -> Any:
        """Where the tokens of each sentence begin."""
        return np.append(0, self.sentences[0]).astype(np.int64)

    def tags(self) -> tuple[Labels, dict[str, Layer]]:
        """Parts of speech, and functions of words as an extra."""
        written = renamed(self.strings(self.tokens[2:4]), lambda name: name or NO_TAG)
        tags, functions = with_functions(written)
        return tags, {FUNCTIONS: Tags(functions)} if any(functions.names) else {}

    def trees(self) -> Trees:
        """Constituents."""
        start, end, parent, sentence = (each.astype(np.int32, copy=False) for each in self.rows)
        label, function = with_functions(self.strings(self.labels))
        return Trees(start, end, label, function=function, parent=parent, sentence=sentence)

    def empty(self) -> dict[str, Layer]:
        """Traces as empty nodes; none if there are none."""
        if not self.traces.size:
            return {}
        sentence, after = (each.astype(np.int32) for each in self.traces[:2])
        place = sentence.astype(np.int64) << 32 | after
        begins = np.flatnonzero(np.diff(place, prepend=-1))
        minor = np.arange(len(place)) - np.repeat(begins, np.diff(begins, append=len(place))) + 1
        fields = renamed(self.strings(self.traces[2:]), trace_fields)
        return {EMPTY: EmptyNodes(sentence, after, minor.astype(np.int32), fields)}


@dataclass(frozen=True, repr=False)
class Brackets(TreeFormat):
    """Trees in brackets, as in the Penn Treebank.

    A file has one sentence per line if every line is balanced by itself (an empty line is then a
    sentence without a parse), otherwise trees may spread over lines.
    """

    id = "brackets"
    title = "Penn brackets: (S (NP (PRP She)) (VP (VBD slept)))"
    suffixes = (".mrg", ".ptb", ".penn", ".psd", ".brackets", ".bracket", ".parse", ".tree")
    lossy = "comments"

    layout: str = parameter(
        "auto", help="one tree per line, or trees that spread over lines",
        choices=("auto", "lines", "spread"),
    )  # fmt: skip

    def sniff(self, head: bytes) -> float:
        """Brackets that hold labels, and words with tags."""
        return 0.0 if not looks_bracketed(head) else 0.5 if has_numbers(head) else 0.95

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        scan = BracketScan.of(buf, problems, self.layout, traces=True)
        problems.help = HELP if scan.sentences[1].any() and self.layout == "auto" else None
        reader = scan.reader(problems, self.id)
        problems.stop()
        tags, functions = scan.tags()
        forms, written = words_of(scan.strings(scan.tokens[:2]))
        return reader.corpus(
            scan.offsets,
            forms=forms,
            layers={TREES: scan.trees(), POS: Tags(tags)},
            extras={**functions, **scan.empty(), **written},
            lines=scan.lines.astype(np.int32, copy=False),
        )

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """One line per sentence."""
        words = written_words(corpus, "Penn brackets")
        for sentence, (line, order) in enumerate(bracketed(corpus, words)):
            if any(later < token for token, later in pairwise(order)):
                raise InputError(
                    f"{corpus.origin}, sentence '{corpus.sentence_id(sentence)}': Penn brackets "
                    "cannot hold constituents with gaps",
                    help="\"brackets(crossing='raise')\" closes the gaps; 'discbracket' and "
                    "'export' can hold them",
                )
            yield line + "\n"


def looks_bracketed(head: bytes) -> bool:
    """Does a file begin with a bracket, and are nearly all of its words labels or tagged words?"""
    sample = head.lstrip()[:SAMPLE]
    words, labels, leaves = (len(each.findall(sample)) for each in (_WORD, _LABEL, _LEAF))
    return sample.startswith(b"(") and labels + leaves >= 0.8 * words


def has_numbers(head: bytes) -> bool:
    """Are the first words of a file numbered, as in discbracket?"""
    words = _LEAF.findall(head.lstrip()[:SAMPLE])
    return bool(words) and all(re.match(rb"\d+=", word) for word in words)
