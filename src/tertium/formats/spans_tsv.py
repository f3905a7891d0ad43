"""Spans over token numbers, without the tokens: label, begin, end, token list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int64, bounds_of, ranges
from tertium.corpus.layers import Bools, Ragged, Spans
from tertium.corpus.schemes import spans_of
from tertium.exceptions import InputError
from tertium.formats.base import Problems, Reader
from tertium.formats.lines import LINE_BREAKS, FieldTable, TextFormat, first_lines, scan
from tertium.registry import parameter

NO_SPAN = ("NONE", "EMPTY")
LABEL, BEGIN, END, TOKENS = 0, 1, 2, 3
LONGEST = 1_000_000  # a larger number is a slip, such as 10000000 for 1000
MOST_COVERED = 5_000_000  # by spans without token lists in a file with gaps, where they get some


@dataclass(frozen=True, repr=False)
class SpansTsv(TextFormat):
    """One span a line, a blank line after each sentence; numbers count from 1 and include the end.

    The token list, such as `2, 3, 5`, may have gaps; without it the span covers all from begin to
    end. A sentence without spans needs a line `NONE` or `EMPTY`, or it would lose its place. There
    are no words: a sentence is taken to be as long as its largest end. Under `on_error="repair"` an
    unusable span is left out and the rest of its sentence is kept.
    """

    id = "spans"
    title = "spans over token numbers: label, begin, end, token list"
    suffixes = (".spans",)
    layers = ("spans",)
    lossy = "words and everything else but one layer of spans; lines NONE beside other spans"

    layer: str | None = parameter(
        None, help="the layer to write: of spans or of span tags; None takes the only one"
    )

    def sniff(self, head: bytes) -> float:
        """A label, two numbers and a list from the one to the other in most lines.

        Without the list it could as well be columns with numbers for tags.
        """
        rows = [line.split(b"\t") for line in first_lines(head, 300) if line.strip()]
        share = sum(map(_looks_like_span, rows)) / len(rows) if rows else 0.0
        listed = any(len(row) > TOKENS for row in rows)
        return (0.95 if listed else 0.5) * share if share > 0.5 else 0.0

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        return _Reader(scan(buf, problems), problems).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Any corpus with a layer of spans or span tags; tokens are numbered in their sentence."""
        return _sentences(corpus, _chosen(corpus, self.layer))


def _looks_like_span(row: list[bytes]) -> bool:
    if len(row) not in (3, 4) or not row[LABEL]:
        return False
    if not (row[BEGIN].isdigit() and row[END].isdigit()):
        return False
    tokens = row[TOKENS].split(b",") if len(row) == 4 and row[TOKENS].strip() else []
    return not tokens or (tokens[0].strip(), tokens[-1].strip()) == (row[BEGIN], row[END])


class _Reader(Reader):
    """Turns the table of one file into a corpus, leaving out lines that are of no use."""

    def __init__(self, table: FieldTable, problems: Problems) -> None:
        block, count = table.blocks()
        super().__init__(problems, count, "spans")
        self.table = table
        self.lines = np.flatnonzero(table.field_count != 0)
        self.sentence = block[self.lines]
        blank = np.flatnonzero(table.field_count == 0)
        inner = blank[blank < self.lines.max(initial=0)]
        double = inner[(inner == 0) | np.isin(inner - 1, inner)]
        if len(double):
            problems.note(
                f"{len(double):,} blank lines follow no span; "
                f"a sentence without spans needs a line {NO_SPAN[0]}",
                line=int(double[0]) + 1,
            )

    def read(self) -> Corpus:
        """The whole file."""
        self.check_columns()
        label = self.table.labels(self.lines, LABEL)
        none = np.array([name in NO_SPAN for name in label.names] or [False], np.bool_)
        self.leave_out(none[label.codes])
        begin, end = self.limits()
        begin, end, tokens = self.token_lists(begin, end)
        label = self.table.labels(self.lines, LABEL)  # again: lines have been left out
        self.problems.stop()
        fine = ~self.bad[self.sentence]
        begin, end, sentence = begin[fine], end[fine], self.sentence[fine]
        longest = np.zeros(len(self.bad), np.int64)
        np.maximum.at(longest, sentence, end)
        offsets = bounds_of(longest)
        if offsets[-1] >= 2**31:
            raise self.problems.fatal("the sentences are longer together than can be counted")
        if tokens is not None:
            tokens = tokens.take(np.flatnonzero(fine))
            if len(tokens.values) == int((end - begin + 1).sum()):
                tokens = None
        start, stop = ((offsets[sentence] + place).astype(np.int32) for place in (begin - 1, end))
        spans = Spans(start, stop, label.take(fine), tokens)
        return self.corpus(offsets, forms=None, layers={"spans": spans}, atoms="indices")

    def leave_out(self, rows: Bools, message: Callable[[int], str] | None = None) -> None:
        """Go on without these lines. With a message they are errors, and their sentences are bad
        unless single spans may be left out."""
        if message is not None:
            mended = int(rows.sum())
            self.refuse(np.flatnonzero(rows), message, self.lines, self.sentence, mended=mended)
        self.lines, self.sentence = self.lines[~rows], self.sentence[~rows]

    def check_columns(self) -> None:
        """Three or four columns, and a label in the first."""
        fields = np.asarray(self.table.field_count[self.lines])
        good = (fields == 3) | (fields == 4)
        starts, ends = self.table.bounds(self.lines, LABEL)

        def message(at: int) -> str:
            if good[at]:
                return "the label is empty"
            return f"{fields[at]} columns, expected 4 (label, begin, end, token list)"

        self.leave_out(~good | (starts == ends), message)

    def limits(self) -> tuple[Int64, Int64]:
        """Begin and end of the lines that are left."""
        begin, end = (self.table.numbers(self.lines, c).astype(np.int64) for c in (BEGIN, END))
        wrong = (begin < 1) | (end < begin) | (end > LONGEST)

        def message(at: int) -> str:
            shown = [self.table.field(int(self.lines[at]), c) for c in (BEGIN, END)]
            for name, text in zip(("begin", "end"), shown, strict=True):
                if text.isdecimal() and (len(text) > 9 or int(text) > LONGEST):
                    most = f"more than {LONGEST:,} tokens in a sentence are not read"
                    return f"{name} is {text}; {most}"
            if begin[at] < 0 or end[at] < 0:
                return f"begin and end are '{shown[0]}' and '{shown[1]}', expected two numbers"
            if begin[at] < 1:
                return "begin is 0; tokens are counted from 1"
            return f"end ({shown[1]}) is before begin ({shown[0]})"

        self.leave_out(wrong, message)
        return begin[~wrong], end[~wrong]

    def token_lists(self, begin: Int64, end: Int64) -> tuple[Int64, Int64, Ragged | None]:
        """Begin, end and token lists, counted from begin, of the lines that are left; None if no
        span has gaps."""
        has = np.asarray(self.table.field_count[self.lines] == 4)
        starts, ends = self.table.bounds(self.lines, -1)
        # Lines of three columns end in another field than the list: an empty stretch stands for it.
        texts = self.table.intern(np.where(has, starts, ends), ends)
        lists = [_rising(text) for text in texts.names] or [None]
        first, last, size = np.array(
            [(numbers[0], numbers[-1], len(numbers)) if numbers else (0, 0, 0) for numbers in lists]
        ).T
        sound = np.array([numbers is not None for numbers in lists])[texts.codes]
        given = size[texts.codes] > 0
        other = given & ((first[texts.codes] != begin) | (last[texts.codes] != end))

        def message(at: int) -> str:
            text = self.table.field(int(self.lines[at]), TOKENS)
            if sound[at]:
                return f"the token list '{text}' does not go from {begin[at]} to {end[at]}"
            return f"the token list is '{text}', expected rising numbers with commas between"

        missing = self.lines[~given & sound]
        if len(missing):
            self.problems.note(
                f"{len(missing):,} spans have no token list; they cover all between",
                line=int(missing[0]) + 1,
            )
        fine = sound & ~other
        self.leave_out(~fine, message)
        begin, end, given = begin[fine], end[fine], given[fine]
        codes, covered = texts.codes[fine], end - begin + 1
        if not (given & (size[codes] != covered)).any():
            return begin, end, None
        covered[given] = 0
        if int(covered.sum()) > MOST_COVERED:
            raise self.problems.fatal(
                f"spans without token lists cover more than {MOST_COVERED:,} tokens together, "
                "beside spans with gaps",
                help="write the token lists",
            )
        own = Ragged(
            bounds_of(size),
            np.array([n - numbers[0] for numbers in lists if numbers for n in numbers], np.int32),
        ).take(codes)
        whole = ranges(np.zeros_like(covered), covered).astype(np.int32)
        rows = np.arange(len(begin)) + np.where(given, 0, len(begin))
        return begin, end, Ragged.concatenate([own, Ragged(bounds_of(covered), whole)]).take(rows)


def _rising(text: str) -> list[int] | None:
    """A list such as `2, 3, 5`; None unless it is made of rising numbers of at most nine digits
    with commas and any spaces between. An empty text is a list of none."""
    if not text.strip(" "):
        return []
    parts = [part.strip(" ") for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        return None
    numbers = [int(part) for part in parts]
    return numbers if all(a < b for a, b in pairwise(numbers)) else None


def _chosen(corpus: Corpus, name: str | None) -> Spans:
    """The layer to write, decoded if it is a column of span tags."""
    there = {
        n: spans
        for n, layer in corpus.layers.items()
        if (spans := spans_of(layer, corpus.offsets)) is not None
    }
    if name is None and len(there) > 1 and "spans" in there:
        name = "spans"
    if name is None and len(there) == 1:
        (name,) = there
    if name is None or name not in there:
        has = f"It has: {', '.join(there)}." if there else "It has none."
        which = f"no layer of spans '{name}'" if name else "not one layer of spans to write"
        raise InputError(
            f"{corpus.origin} has {which}. {has}", help="\"spans(layer='ner')\" names the layer"
        )
    return there[name]


def _sentences(corpus: Corpus, spans: Spans) -> Iterator[str]:
    for label, uses in zip(spans.label.names, spans.label.counts().tolist(), strict=True):
        wrong = label in NO_SPAN or not label or any(c in label for c in "\t" + LINE_BREAKS)
        if uses and wrong:
            raise InputError(f"{corpus.origin}: {label!r} cannot be the label of a span")
    if (spans.end <= spans.start).any():
        raise InputError(f"{corpus.origin}: a span of no tokens cannot be written")
    sentence = spans.sentence_of_row(corpus.offsets)
    order = np.argsort(sentence, kind="stable")
    bounds = np.searchsorted(sentence[order], np.arange(corpus.sentence_count + 1)).tolist()
    base = corpus.offsets[sentence]
    begins, ends = (spans.start - base + 1).tolist(), (spans.end - base).tolist()
    labels, tokens = spans.label.to_list(), spans.tokens
    rows = order.tolist()
    for first, last in pairwise(bounds):
        lines = []
        for row in rows[first:last]:
            begin, end = begins[row], ends[row]
            numbers = range(begin, end + 1) if tokens is None else (tokens[row] + begin).tolist()
            listed = ", ".join(map(str, numbers))
            lines.append(f"{labels[row]}\t{begin}\t{end}\t{listed}\n")
        yield "".join(lines or [f"{NO_SPAN[0]}\t999\t999\t999\n"]) + "\n"
