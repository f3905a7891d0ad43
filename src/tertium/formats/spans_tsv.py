"""Spans over token numbers, without the tokens: label, begin, end, token list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Ragged, Spans, Tags
from tertium.corpus.schemes import decode, is_span_column
from tertium.exceptions import InputError
from tertium.formats.base import Format, Problems, Reading, skipped_mask
from tertium.formats.lines import LINE_BREAKS, Table, scan, without_skipped, write_text
from tertium.registry import parameter

NO_SPAN = ("NONE", "EMPTY")
LABEL, BEGIN, END, TOKENS = 0, 1, 2, 3
# A slip such as 10000000 for 1000 would otherwise ask for gigabytes: a sentence is as long as its
# largest number.
LONGEST = 1_000_000
MOST_COVERED = 100_000_000


@dataclass(frozen=True, repr=False)
class SpansTsv(Format):
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
        lines = head.split(b"\n")
        if len(lines) > 2 and lines[-1]:
            lines.pop()
        rows = [line.rstrip(b"\r").split(b"\t") for line in lines[:300] if line.strip()]
        share = sum(map(_looks_like_span, rows)) / len(rows) if rows else 0.0
        listed = any(len(row) > TOKENS for row in rows)
        return (0.95 if listed else 0.5) * share if share > 0.5 else 0.0

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """See the class."""
        problems = Problems(reading)
        return _Reader(scan(stream, problems), problems).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Any corpus with a layer of spans or span tags; tokens are numbered in their sentence."""
        corpus = without_skipped(corpus)
        write_text(corpus, _sentences(corpus, _chosen(corpus, self.layer)), stream)


def _looks_like_span(row: list[bytes]) -> bool:
    if (
        len(row) not in (3, 4)
        or not row[LABEL]
        or not (row[BEGIN].isdigit() and row[END].isdigit())
    ):
        return False
    tokens = row[TOKENS].split(b",") if len(row) == 4 and row[TOKENS].strip() else []
    return not tokens or (tokens[0].strip(), tokens[-1].strip()) == (row[BEGIN], row[END])


class _Reader:
    """Turns the table of one file into a corpus."""

    def __init__(self, table: Table, problems: Problems) -> None:
        self.table, self.problems = table, problems
        block, self.count = table.blocks()
        self.lines = np.flatnonzero(table.field_count != 0)
        self.sentence = block[self.lines]
        self.bad = np.zeros(self.count, np.bool_)
        self.repaired = 0
        blank = np.flatnonzero(table.field_count == 0)
        inner = blank[blank < self.lines.max(initial=0)]
        double = inner[(inner == 0) | np.isin(inner - 1, inner)]
        if len(double):
            problems.note(
                f"{len(double):,} blank lines follow no span; "
                f"a sentence without spans needs a line {NO_SPAN[0]}",
                line=int(double[0]) + 1,
            )

    def corpus(self) -> Corpus:
        """The whole file."""
        self.check_columns()
        label = self.table.labels(self.lines, LABEL)
        none = np.array([name in NO_SPAN for name in label.names] or [False], np.bool_)
        self.keep(~none[label.codes])
        begin, end, tokens = self.numbers()
        label = self.table.labels(self.lines, LABEL)  # again: lines have been left out
        if self.problems.stops:
            self.problems.settle()  # raises, unless every problem is wanted
        fine = ~self.bad[self.sentence]
        begin, end, sentence = begin[fine], end[fine], self.sentence[fine]
        longest = np.zeros(self.count, np.int64)
        np.maximum.at(longest, sentence, end)
        offsets = np.concatenate([[0], np.cumsum(longest)])
        if offsets[-1] >= 2**31:
            raise self.problems.fatal("the sentences are longer together than can be counted")
        start = (offsets[sentence] + begin - 1).astype(np.int32)
        spans = Spans(
            start,
            (offsets[sentence] + end).astype(np.int32),
            label.take(fine),
            tokens.take(np.flatnonzero(fine)) if tokens is not None else None,
        )
        if spans.tokens is not None and len(spans.tokens.values) == int((end - begin + 1).sum()):
            spans = Spans(spans.start, spans.end, spans.label)
        return Corpus(
            offsets=offsets,
            forms=None,
            layers={"spans": spans},
            atoms="indices",
            origin=self.problems.reading.origin,
            format="spans",
            skipped=skipped_mask(self.bad),
            problems=self.problems.settle(),
            repaired=self.repaired,
        )

    def check_columns(self) -> None:
        """Three or four columns, and a label in the first."""
        fields = np.asarray(self.table.field_count[self.lines])
        good = (fields == 3) | (fields == 4)
        starts, ends = self.table.bounds(self.lines, LABEL)
        for at in self.refuse(~good | (starts == ends)):
            if good[at]:
                self.error(at, "the label is empty")
            else:
                self.error(at, f"{fields[at]} columns, expected 4 (label, begin, end, token list)")
        self.keep(good & (starts != ends))

    def numbers(self) -> tuple[Int64, Int64, Ragged | None]:
        """Begin, end and token lists (None if no span has gaps) of the lines that are left."""
        begin, end = (self.table.numbers(self.lines, c).astype(np.int64) for c in (BEGIN, END))
        wrong = (begin < 1) | (end < begin) | (end > LONGEST)
        for at in self.refuse(wrong):
            line = int(self.lines[at])
            shown = [self.table.field(line, c) for c in (BEGIN, END)]
            if begin[at] < 0 or end[at] < 0:
                what = f"begin and end are '{shown[0]}' and '{shown[1]}', expected two numbers"
            elif end[at] > LONGEST:
                what = f"end is {shown[1]}; more than {LONGEST:,} tokens in a sentence are not read"
            elif begin[at] < 1:
                what = "begin is 0; tokens are counted from 1"
            else:
                what = f"end ({shown[1]}) is before begin ({shown[0]})"
            self.error(at, what)
        begin, end = begin[~wrong], end[~wrong]
        self.keep(~wrong)

        tokens, first, last, given, sound = self.token_lists()
        wrong = ~sound | (given & ((first != begin) | (last != end)))
        for at in self.refuse(wrong):
            text = self.table.field(int(self.lines[at]), TOKENS)
            if sound[at]:
                what = f"the token list '{text}' does not go from {begin[at]} to {end[at]}"
            else:
                what = f"the token list is '{text}', expected rising numbers with commas between"
            self.error(at, what)
        missing = ~given & ~wrong
        if missing.any():
            self.problems.note(
                f"{int(missing.sum()):,} spans have no token list; they cover all between",
                line=int(self.lines[missing][0]) + 1,
            )
        begin, end, given = begin[~wrong], end[~wrong], given[~wrong]
        self.keep(~wrong)
        tokens = tokens.take(np.flatnonzero(~wrong))
        sizes = np.diff(tokens.bounds)
        if not (given & (sizes != end - begin + 1)).any():
            return begin, end, None
        if int((end - begin + 1).sum()) > MOST_COVERED:
            raise self.problems.fatal(f"the spans cover more than {MOST_COVERED:,} tokens together")
        contiguous = Spans(begin, end + 1, self.table.labels(self.lines, LABEL)).token_sets()
        whole = Ragged.concatenate([tokens, contiguous])
        rows = np.where(given, np.arange(len(begin)), np.arange(len(begin)) + len(begin))
        chosen = whole.take(rows)
        relative = chosen.values.astype(np.int64) - np.repeat(
            np.where(given, begin, 0), np.diff(chosen.bounds)
        )
        return begin, end, Ragged(chosen.bounds, relative.astype(np.int32))

    def token_lists(
        self,
    ) -> tuple[Ragged, Int64, Int64, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Token lists with their first and last number, which are given, and which are sound."""
        from tertium.formats._kernels import number_lists

        has = np.asarray(self.table.field_count[self.lines] == 4)
        starts, ends = self.table.bounds(self.lines, -1)
        # Lines of three columns end in another field than the list: an empty stretch stands for it.
        starts = np.where(has, starts, ends)
        values, bounds, sound = number_lists(self.table.buf, starts, ends)
        given = np.diff(bounds) > 0
        first, last = np.zeros(len(given), np.int64), np.zeros(len(given), np.int64)
        first[given] = values[bounds[:-1][given]]
        last[given] = values[bounds[1:][given] - 1]
        return Ragged(bounds, values), first, last, given, sound

    # -- helpers -----------------------------------------------------------------------------

    def keep(self, rows: npt.NDArray[np.bool_]) -> None:
        """Go on with these lines only."""
        self.lines, self.sentence = self.lines[rows], self.sentence[rows]

    def refuse(self, wrong: npt.NDArray[np.bool_]) -> list[int]:
        """The rows to report; their sentences are bad unless single spans may be left out."""
        if self.problems.reading.on_error == "repair":
            self.repaired += int(wrong.sum())
        else:
            self.bad[self.sentence[wrong]] = True
        return self.problems.listed(np.flatnonzero(wrong))

    def error(self, at: int, message: str) -> None:
        """Something wrong in a line that is left."""
        self.problems.error(
            message, line=int(self.lines[at]) + 1, sentence=str(self.sentence[at] + 1)
        )


def _chosen(corpus: Corpus, name: str | None) -> Spans:
    """The layer to write, decoded if it is a column of span tags."""
    there = {
        n: layer
        for n, layer in corpus.layers.items()
        if isinstance(layer, Spans) or (isinstance(layer, Tags) and is_span_column(layer.labels))
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
    layer = there[name]
    return decode(layer, corpus.offsets).spans if isinstance(layer, Tags) else layer


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
