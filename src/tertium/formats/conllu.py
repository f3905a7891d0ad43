"""CoNLL-U: ten tab-separated columns, comments, multiword tokens, empty nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import EmptyNodes, Layer, Multiwords, Spaces, Tags, ranges
from tertium.formats.base import Format, Problems, Reading
from tertium.formats.conll import (
    EMPTY,
    FORM,
    RANGE,
    WORD,
    WordReader,
    has_projective_columns,
    sniffed_rows,
)
from tertium.formats.enhanced import checked_enhanced
from tertium.formats.layout import note_blank_lines, note_empty
from tertium.formats.lines import Table, scan

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
ENHANCED, MISC = 8, 9


@dataclass(frozen=True, repr=False)
class Conllu(Format):
    """Universal Dependencies' format; everything in it is kept.

    A column that holds only `_` gives no layer. Heads are 1-based in the sentence, 0 the root.
    """

    id = "conllu"
    title = "CoNLL-U: ten columns with comments, multiword tokens and empty nodes"
    suffixes = (".conllu",)
    layers = ("lemma", "upos", "xpos", "feats", "deps")
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """Ten tab-separated columns, the first of which is a number."""
        rows = sniffed_rows(head)
        commented = head.lstrip().startswith(b"#")
        if not rows:
            return 0.3 if commented else 0.0
        fit = sum(len(row) == 10 and row[0][:1].isdigit() for row in rows) / len(rows)
        if fit < 0.5:
            return 0.0
        if any(b"-" in row[0] or b"." in row[0] for row in rows):
            return 0.95 * fit
        if has_projective_columns(rows):
            return 0.5 * fit
        return (0.92 if commented else 0.88) * fit

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """See the class."""
        problems = Problems(reading)
        table = scan(stream, problems, comment=b"#")
        _refuse_other_columns(table, problems)
        return _Reader(table, problems).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All ten columns, comments, ranges and empty nodes; columns without a layer are `_`."""
        from tertium.formats.conllu_write import write

        write(corpus, stream)


def _refuse_other_columns(table: Table, problems: Problems) -> None:
    """CoNLL-U Plus names its columns in the first line; other columns would be taken for ours."""
    if not len(table.field_count) or table.field_count[0] != -1:
        return
    key, _, value = table.text(0)[1:].partition("=")
    if key.strip() == "global.columns" and value.lower().split() != list(COLUMNS):
        raise problems.fatal(
            f"CoNLL-U Plus with the columns {value.strip()}, expected the ten of CoNLL-U",
            line=1,
            help="'--input-format columns --columns form=1,upos=3' reads tags from any columns",
        )


class _Reader(WordReader):
    """What CoNLL-U has beyond words: ranges, empty nodes, enhanced graph, MISC."""

    format = "conllu"
    title = "CoNLL-U"
    columns = COLUMNS
    widths = (10,)
    id_kinds = (WORD, RANGE, EMPTY)
    id_words = "a number, a range or an empty node"
    one_root = True

    def wanted(self) -> Iterable[int]:
        yield from super().wanted()
        if self.reading.wants("enhanced"):
            yield ENHANCED
        if self.reading.wants("misc"):
            yield MISC

    def check_rest(self) -> None:
        super().check_rest()
        note_blank_lines(self)
        note_empty(self, self.values[FORM])
        if ENHANCED in self.values:
            self.values[ENHANCED] = checked_enhanced(self, self.values[ENHANCED])

    def extras(self) -> dict[str, Layer]:
        extras: dict[str, Layer] = {}
        lines, sentence, first, last = self.ranges
        multiwords = None
        if len(lines):
            start = (self.offsets[sentence] + first - 1).astype(np.int32)
            end = (self.offsets[sentence] + last).astype(np.int32)
            multiwords = Multiwords(start, end, self.table.labels(lines, 1), self.rest(lines, 2))
            extras["multiwords"] = multiwords
        lines, sentence, first, second = self.empty
        if len(lines) and self.reading.wants("empty"):
            nodes = EmptyNodes(sentence.astype(np.int32), first, second, self.rest(lines, 1))
            extras["empty"] = nodes
        for name, place in (("enhanced", ENHANCED), ("misc", MISC)):
            if place in self.values and not self.values[place].is_constant("_"):
                extras[name] = Tags(self.values[place])
        if MISC in self.values:
            spaces = _spaces(self.values[MISC], multiwords)
            if not spaces.all():
                extras["spaces"] = Spaces(spaces)
        return extras


def _spaces(misc: Labels, multiwords: Multiwords | None) -> npt.NDArray[np.bool_]:
    """Is a word followed by a space? Of a multiword token only the last word may be, as the token's
    own line says."""
    after = np.array([not _no_space(m) for m in misc.names] or [True], np.bool_)[misc.codes]
    if multiwords is not None:
        spaced = np.array([not _no_space(f.rpartition("\t")[2]) for f in multiwords.fields.names])
        start, end = multiwords.start.astype(np.int64), multiwords.end.astype(np.int64)
        after[ranges(start, end - 1)] = False
        after[end - 1] = spaced[multiwords.fields.codes]
    return after


def _no_space(misc: str) -> bool:
    return "SpaceAfter=No" in misc.split("|")
