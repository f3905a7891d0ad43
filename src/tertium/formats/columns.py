"""Plain columns: CoNLL-2000, CoNLL-2003, WNUT, tweets and friends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Labels, bounds_of
from tertium.corpus.layers import Comments, Layer, Spans, Tags
from tertium.corpus.schemes import encode, is_span_tag
from tertium.exceptions import InputError, UsageError, counted
from tertium.formats.base import Problems
from tertium.formats.conll import EMPTY, RANGE, BlockReader
from tertium.formats.files import first_record
from tertium.formats.layouts import (
    SAMPLE,
    Layout,
    header,
    header_of,
    headers,
    ids,
    in_order,
    looks_like_index,
    refuse_coreference,
)
from tertium.formats.lines import (
    HASH,
    LINE_BREAKS,
    NEWLINE,
    SPACE,
    TAB,
    FieldTable,
    Index,
    TextFormat,
    by_sentence,
    check_no_empty_sentences,
    check_strings,
    check_words,
    first_lines,
    runs,
    scan,
)
from tertium.formats.sources import HEAD as SNIFFED
from tertium.registry import parameter

DOCSTART = "-DOCSTART-"
DECLARED = 0.7  # a file that names its columns, unless they are those of CoNLL-U or CoNLL-X
SEPARATORS = {"tab": TAB, "space": SPACE}


@dataclass(frozen=True, repr=False)
class Columns(TextFormat):
    """One token per line, a blank line after each sentence, any number of columns.

    Without `columns` they are those that `# global.columns` names, else the form is the first
    column that is not an index, and the others have the names of the usual layouts, or `column2`,
    `column3`, ... by their place (`layouts.py`). Raw tags are kept; metrics of spans decode them. A
    `-DOCSTART-` line begins a document and is not a token.
    """

    id = "columns"
    title = "token per line, any number of space- or tab-separated columns"
    suffixes = (
        ".conll", ".bio", ".iob", ".iob2", ".tsv", ".bioes", ".col", ".conllup", ".conllulex",
    )  # fmt: skip
    layers = ("tags", "spans")
    lossy = "names of columns, comments, everything but forms, tags and spans"

    columns: str | None = parameter(
        None, help="roles of columns as NAME=NUMBER,..., counted from 0; -1 is the last"
    )
    separator: str = parameter("auto", help="what separates columns", choices=("auto", *SEPARATORS))

    def roles(self) -> dict[str, int] | None:
        """The parsed `columns` parameter."""
        if self.columns is None:
            return None
        roles: dict[str, int] = {}
        for part in self.columns.split(","):
            name, equals, number = (x.strip() for x in part.partition("="))
            try:
                if not equals or not name:
                    raise ValueError
                place = int(number)
            except ValueError:
                raise UsageError(
                    "columns must be NAME=NUMBER,... such as form=0,upos=1,ner=-1. "
                    f"Got '{part}' instead."
                ) from None
            if name in roles:
                raise UsageError(f"column '{name}' is named twice in '{self.columns}'")
            roles[name] = place
        return roles

    def sniff(self, head: bytes) -> float:
        """Short lines of an equal number of columns, with blank lines between."""
        rows = _token_rows(first_lines(head, 500))
        if not rows:
            return 0.05
        if first_record(head) is not None:
            return 0.0
        if header_of(head):
            return DECLARED
        sure, exact = _regular([r.count(b"\t") for r in rows], zero=0), 0.6
        if not sure:
            sure, exact = _regular([len(r.split()) for r in rows], zero=1), 0.55
        if len(rows) == 1 and exact < 0.6 and not _is_tagged(rows[0].split()):
            return 0.1  # any line of text
        if sure == 1 and len(rows) > 1:
            return exact
        return 0.35 if sure > 0.5 else 0.1

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        if self.separator == "auto":
            separator = _separator(buf)
        else:
            separator = SEPARATORS[self.separator]
        table = scan(buf, problems, separator=separator)
        return _Reader(table, problems, self.roles()).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Forms, then every tag layer, then every span layer as IOB2."""
        check_no_empty_sentences(corpus, "columns")
        between = " " if self.separator == "space" else "\t"
        columns = [check_words(corpus, "columns")]
        for name, layer in corpus.layers.items():
            if isinstance(layer, Tags):
                columns.append(layer.labels)
            elif type(layer) is Spans:  # trees and chains are nested
                columns.append(span_tags(corpus, name, layer).labels)
        forbidden = "\t" + LINE_BREAKS
        if between == " " or len(columns) == 1:  # a single column has no tab that rules spaces in
            forbidden += " "
        for column in columns:
            check_strings(corpus, column, "a column", forbidden, _is_no_field)
        if len(columns) > 1 and looks_like_index(
            columns[0].take(np.arange(min(len(columns[0]), SAMPLE))).to_list(),
            corpus.sentence_of_token[:SAMPLE],
        ):
            others = [f"COLUMN{i}" for i in range(1, len(columns))]
            yield f"# global.columns = FORM {' '.join(others) if len(others) > 1 else 'TAG'}\n"
        yield from _sentences(corpus, [c.to_list() for c in columns], between)


def span_tags(corpus: Corpus, name: str, spans: Spans, scheme: str = "iob2") -> Tags:
    """The tags of a layer of spans; refuses spans that tags cannot hold."""
    tags, lost = encode(spans, corpus.offsets, scheme)
    if lost:
        raise InputError(
            f"{corpus.origin}: {counted(lost, 'span')} of '{name}' cannot be written as tags: "
            "they overlap a different span, have gaps or cross a sentence boundary",
            help="'spans' and 'jsonl' can hold overlapping spans, 'spans' also gaps",
        )
    return tags


def _regular(counts: list[int], *, zero: int) -> float:
    """The share of the most frequent count; 0 if that is the count of lines without columns."""
    usual = max(set(counts), key=counts.count)
    return 0.0 if usual == zero else counts.count(usual) / len(counts)


def _is_no_field(name: str) -> bool:
    """Is a string blank, or would the line mean something else?"""
    return not name.strip(" ") or name == DOCSTART or (name[0] == "#" and bool(header(name[1:])))


def _is_tagged(fields: list[bytes]) -> bool:
    """Does a line begin with the number of a word or end in a tag of spans?"""
    return fields[0] in (b"0", b"1") or is_span_tag(fields[-1].decode("utf-8", "replace"))


def _token_rows(lines: list[bytes]) -> list[bytes]:
    """The lines that hold tokens: without marks of documents and what may be a comment in front of
    a sentence, unless there is nothing else."""
    rows: list[bytes] = []
    comments: list[bytes] = []
    inside = False
    for line in lines:
        if not line.strip():
            inside = False
        elif line.split(None, 1)[0] != DOCSTART.encode():
            inside = inside or not line.startswith(b"#")
            (rows if inside else comments).append(line)
    return rows or [line for line in comments if not line.startswith(b"# ")]


def _sentences(corpus: Corpus, columns: list[list[str]], between: str) -> Iterator[str]:
    lines = [between.join(row) for row in zip(*columns, strict=True)]
    width = len(columns)
    documents = set(corpus.documents[corpus.document_marks].tolist())
    marker = [DOCSTART, *["-X-"] * (width - 2), *["O"] * (width > 1)]
    for sentence, rows in enumerate(by_sentence(corpus, lines)):
        if sentence in documents:
            yield between.join(marker) + "\n\n"
        yield "\n".join(rows) + "\n\n"


def _separator(buf: Bytes) -> int:
    """A tab if lines that hold tokens have one, else spaces."""
    rows = _token_rows(buf[:SNIFFED].tobytes().split(b"\n"))
    if not rows and len(buf) > SNIFFED:  # nothing but comments
        begins = np.flatnonzero(buf == NEWLINE)[:-1] + 1
        tokens = begins[(buf[begins] != HASH) & (buf[begins] > SPACE)][:1].tolist() or [0]
        rows = _token_rows(buf[tokens[0] : tokens[0] + SNIFFED].tobytes().split(b"\n"))
    with_tab = sum(b"\t" in r.rstrip(b"\r") for r in rows)
    return TAB if with_tab * 2 > len(rows) else SPACE


class _Reader(BlockReader):
    """Turns the table of one file into a corpus."""

    def __init__(
        self, table: FieldTable, problems: Problems, roles: Mapping[str, int] | None
    ) -> None:
        self.table, self.roles = table, roles
        self.block, _ = table.blocks()
        lines = table.lines_where(table.field_count > 0)
        self.mark_lines, lines = _apart(lines, _is_docstart(table, lines))
        leading = self.leading(lines)
        self.comment_lines = lines[:0]
        self.names: list[str] | None = None
        if leading.any():
            lines = self.without_comments(lines, leading, problems)
        else:
            self.width = _usual(table.field_count[lines])
        self.lines, self.block_of_comment = lines, self.block[self.comment_lines]
        self.block_of_sentence, self.of_line = runs(self.block[lines])
        super().__init__(problems, len(self.block_of_sentence), "columns")

    def leading(self, lines: Index) -> npt.NDArray[np.bool_]:
        """Lines that may be comments: they begin with `#`, and so do all before them in their
        sentence."""
        hash_first = np.asarray(self.table.buf[self.table.lines[0][lines]] == HASH)
        if not hash_first.any():
            return hash_first
        others = np.cumsum(~hash_first)
        block = self.block[lines]
        begins = np.searchsorted(block, block)
        return np.asarray(hash_first & (others == others[begins] - ~hash_first[begins]))

    def without_comments(
        self, lines: Index, leading: npt.NDArray[np.bool_], problems: Problems
    ) -> Index:
        """The lines of tokens. Comments are the lines that name columns, and those of another width
        than tokens have; they do not decide what that is."""
        table, places = self.table, np.flatnonzero(leading)
        fields = table.field_count[lines]
        begin, end = (table.lines[i][lines[places]] + 1 - i for i in (0, 1))
        text = table.intern(begin, end)
        if self.roles is None:
            refuse_coreference(text, problems)
        declared = headers(text)
        is_header = np.isin(text.codes, list(declared))
        if declared:
            self.names = first = next(iter(declared.values()))
            if any(names != first for names in declared.values()):
                raise problems.fatal(
                    "'global.columns' is given more than once, with different columns",
                    help="score files with different columns one by one",
                )
            self.width = len(first)
        else:
            self.width = _usual(fields[~leading] if not leading.all() else fields)
        is_comment = is_header | (fields[places] != self.width)
        kept = is_comment & ~is_header
        self.comment_lines, self.comments = lines[places[kept]], text.take(kept)
        tokens = np.ones(len(lines), np.bool_)
        tokens[places[is_comment]] = False
        return lines[tokens]

    def read(self) -> Corpus:
        """The whole file."""
        self.check_width()
        fine = ~self.bad[self.of_line]
        shown = fine if fine.any() else ~fine  # sentences left out do not decide what columns are
        lines, of_line = self.lines[shown], self.of_line[shown]
        layout = Layout.of(self.table, lines, of_line, self.names, self.roles, self.problems)
        if layout.index is not None:
            self.check_index(layout)
        columns: dict[str, Labels] = {}
        for name, place in layout.places.items():
            if name == "form" or self.reading.wants(name):
                labels = self.table.labels(self.lines, place)
                message = f"column '{name}' is empty"
                self.refuse(labels.where(""), message, self.lines, self.of_line)
                if name == "form" or layout.index is None or not labels.is_constant("_"):
                    columns[name] = labels
        self.problems.stop()
        keep = ~self.bad[self.of_line]
        if not keep.all():
            self.lines, self.of_line = self.lines[keep], self.of_line[keep]
            columns = {name: labels.take(keep) for name, labels in columns.items()}
        forms = columns.pop("form")
        return self.corpus(
            bounds_of(np.bincount(self.of_line, minlength=len(self.block_of_sentence))),
            forms=forms,
            layers={name: Tags(tags) for name, tags in columns.items()} if len(self.lines) else {},
            extras=self.extras(),
            documents=self.documents(),
            lines=self.lines.astype(np.int32) + 1,
        )

    def check_width(self) -> None:
        """Every line has the file's number of columns; others spoil their sentence."""
        fields = np.asarray(self.table.field_count[self.lines])
        wrong = fields != self.width

        def message(at: int) -> str:
            return f"{counted(int(fields[at]), 'column')}, expected {self.width}"

        self.refuse(np.flatnonzero(wrong), message, self.lines, self.of_line)
        if wrong.any():
            self.lines, self.of_line = self.lines[~wrong], self.of_line[~wrong]

    def check_index(self, layout: Layout) -> None:
        """The index counts words; lines of ranges and empty nodes are left out."""
        assert layout.index is not None
        kind, number = ids(self.table, self.lines, layout.index, has_prefix=layout.has_prefix)
        others = np.flatnonzero((kind == RANGE) | (kind == EMPTY))
        if len(others):
            message = f"{len(others):,} lines of ranges and empty nodes hold no word of their own"
            line = int(self.lines[others[0]]) + 1
            self.problems.note(message, line=line, kind="unread")
            words = np.setdiff1d(np.arange(len(kind)), others)
            self.lines, self.of_line = self.lines[words], self.of_line[words]
            kind, number = kind[words], number[words]
        if not layout.is_index_checked:
            return
        wrong = np.flatnonzero(~in_order(kind, number, self.of_line))
        if len(wrong):
            self.problems.help = (
                "'--on-error skip' leaves such sentences out and counts them; where '--columns' "
                "names the columns, the index may be anything"
            )

        def message_at(at: int) -> str:
            text = self.table.field(int(self.lines[at]), layout.index or 0)
            begins = at == 0 or self.of_line[at] != self.of_line[at - 1]
            return f"the index is '{text}', expected {1 if begins else number[at - 1] + 1}"

        self.refuse(wrong, message_at, self.lines, self.of_line)

    def extras(self) -> dict[str, Layer]:
        """Comments, each with the sentence that follows it."""
        if not len(self.comment_lines):
            return {}
        sentence = np.searchsorted(self.block_of_sentence, self.block_of_comment)
        here = sentence < len(self.block_of_sentence)
        return {"comments": Comments(sentence[here].astype(np.int32), self.comments.take(here))}

    def documents(self) -> Index | None:
        """Where documents begin by their marks; without any, comments may say so."""
        if not len(self.mark_lines):
            return None
        found = np.unique(np.searchsorted(self.block_of_sentence, self.block[self.mark_lines]))
        return found[found < len(self.block_of_sentence)].astype(np.int64)


def _usual(counts: Index) -> int:
    """The number of columns most lines have; of equally frequent ones the larger."""
    if not len(counts):
        return 0
    frequency = np.bincount(counts)
    return int(np.flatnonzero(frequency == frequency.max())[-1])


def _is_docstart(table: FieldTable, lines: Index) -> npt.NDArray[np.bool_]:
    """Lines whose first field is -DOCSTART-."""
    if not len(lines):
        return np.zeros(0, np.bool_)
    dash = np.flatnonzero(table.buf[table.starts[table.lines[2][lines]]] == ord("-"))
    found = np.zeros(len(lines), np.bool_)
    starts, ends = table.bounds(lines[dash], 0)
    for at in np.flatnonzero(ends - starts == len(DOCSTART)).tolist():
        found[dash[at]] = table.bytes_between(int(starts[at]), int(ends[at])) == DOCSTART
    return found


def _apart(lines: Index, chosen: npt.NDArray[np.bool_]) -> tuple[Index, Index]:
    """The chosen lines and the others; no copy of millions of lines where none is chosen."""
    return (lines[chosen], lines[~chosen]) if chosen.any() else (lines[:0], lines)
