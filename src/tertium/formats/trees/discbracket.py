"""discbracket: brackets whose words are numbered, so constituents may have gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int64, bounds_of
from tertium.corpus.layers import Tags, Trees
from tertium.corpus.trees import POS, TREES, trace_rows
from tertium.exceptions import InputError
from tertium.formats.base import Problems
from tertium.formats.lines import by_sentence
from tertium.formats.trees.base import TreeFormat
from tertium.formats.trees.nodes import grown
from tertium.formats.trees.penn import LAST_OF_SCAN, BracketScan, has_numbers, looks_bracketed
from tertium.formats.trees.text import bracketed, words_of, written_words


@dataclass(frozen=True, repr=False)
class DiscBracket(TreeFormat):
    """One sentence per line; words are written with their numbers, counted from 0."""

    id = "discbracket"
    title = "brackets with numbered words: (S (VB 1=is) (PRP 0=he))"
    suffixes = (".discbracket", ".dbr")
    lossy = "comments"

    def sniff(self, head: bytes) -> float:
        """Brackets in which all words are numbered; others only if the file's name says so, since
        no word may be in sight yet, and wrong numbers are to be reported."""
        return 0.0 if not looks_bracketed(head) else 0.95 if has_numbers(head) else 0.75

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        scan = BracketScan.of(buf, problems, "lines", traces=False)
        scan, place = numbered(scan)
        reader = scan.reader(problems, self.id)
        problems.stop()
        order = np.argsort(place)
        trees = in_order(scan.trees(), order)
        scan = replace(scan, tokens=scan.tokens[:, order], lines=scan.lines[order])
        tags, functions = scan.tags()
        forms, written = words_of(scan.strings(scan.tokens[:2]))
        return reader.corpus(
            scan.offsets,
            forms=forms,
            layers={TREES: trees, POS: Tags(tags)},
            extras={**functions, **written},
            lines=scan.lines.astype(np.int32, copy=False),
        )

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """One line per sentence."""
        words = written_words(corpus, "discbracket")
        for row in np.flatnonzero(trace_rows(corpus.layer(TREES, Trees)))[:1]:
            sentence = corpus.sentence_id(int(corpus.layer(TREES, Trees).sentence[row]))
            raise InputError(
                f"{corpus.origin}, sentence '{sentence}': discbracket cannot hold traces",
                help="\"discbracket(traces='strip')\" leaves them out",
            )
        sentences = by_sentence(corpus, words)
        leaves = [f"{n}={word}" for each in sentences for n, word in enumerate(each)]
        for line, _ in bracketed(corpus, leaves):
            yield line + "\n"


def numbered(scan: BracketScan) -> tuple[BracketScan, Int64]:
    """What was scanned, without the numbers of words and without sentences whose numbers are wrong;
    and the place of every word in the text."""
    from tertium.formats.trees._kernels import read_numbers

    offsets, tokens, wrong = scan.offsets, scan.tokens.copy(), scan.sentences[1].copy()
    place = np.zeros(tokens.shape[1], np.int64)
    read_numbers(scan.buf, tokens[0], tokens[1], offsets, place, wrong)
    is_bad = wrong > LAST_OF_SCAN
    if not is_bad.any():
        return replace(scan, tokens=tokens), place
    tokens_kept, rows_kept = np.repeat(~is_bad, np.diff(offsets)), ~is_bad[scan.rows[3]]
    token_of, row_of = bounds_of(tokens_kept), bounds_of(rows_kept)  # the new numbers
    rows = scan.rows[:, rows_kept]
    start, end, parent, _ = rows
    rows[:3] = token_of[start], token_of[end], np.where(parent >= 0, row_of[parent], -1)
    _, _, line, mended = scan.sentences
    first = scan.lines[np.minimum(offsets[:-1], len(place) - 1)] - 1
    line, mended = np.where(is_bad, first, line), np.where(is_bad, 0, mended)
    found = replace(
        scan,
        rows=rows,
        labels=scan.labels[:, rows_kept],
        tokens=tokens[:, tokens_kept],
        lines=scan.lines[tokens_kept],
        sentences=np.stack([token_of[offsets[1:]], wrong, line, mended]),
    )
    return found, token_of[place[tokens_kept]]


def in_order(trees: Trees, order: Int64) -> Trees:
    """Trees over words in the order written as trees over the text; `order` has the words in the
    order of the text."""
    from tertium.corpus._kernels import lowest_rows

    above = np.full(len(order), -1, np.int32)
    lowest_rows(trees.start, trees.end, above)
    token = np.arange(len(order), dtype=np.int32)
    columns = trees.label, trees.function, trees.sentence
    return grown(trees.parent, above[order], token, *columns)[0]
