"""Plain columns: CoNLL-2000, CoNLL-2003, WNUT, tweets and friends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Labels, bounds_of
from tertium.corpus.layers import Comments, Layer, Spans, Tags
from tertium.corpus.schemes import encode
from tertium.exceptions import InputError, UsageError
from tertium.formats.base import Problems, Reader
from tertium.formats.files import first_object
from tertium.formats.lines import (
    HASH,
    LINE_BREAKS,
    SPACE,
    TAB,
    FieldTable,
    Index,
    TextFormat,
    by_sentence,
    check_no_empty_sentences,
    check_strings,
    check_words,
    runs,
    scan,
)
from tertium.registry import parameter

DOCSTART = "-DOCSTART-"
SEPARATORS = {"tab": TAB, "space": SPACE}


@dataclass(frozen=True, repr=False)
class Columns(TextFormat):
    """One token a line, a blank line after each sentence, any number of columns.

    Without `columns` the first column is the form; in a file of two columns the other one is named
    `tag`, in wider files they are named `column1`, `column2`, ... by their place. Raw tags are
    kept; metrics of spans decode them. A `-DOCSTART-` line begins a document and is not a token.
    """

    id = "columns"
    title = "token per line, any number of space- or tab-separated columns"
    suffixes = (".conll", ".bio", ".iob", ".iob2", ".tsv", ".bioes", ".col")
    layers = ("tags", "spans")
    lossy = "names of columns, comments, everything but forms, tags and spans"

    columns: str | None = parameter(
        None, help="roles of columns as NAME=NUMBER,...; -1 is the last; form=0 if not named"
    )
    separator: str = parameter(
        "auto", help="what stands between columns", choices=("auto", *SEPARATORS)
    )

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
        roles.setdefault("form", 0)
        return roles

    def sniff(self, head: bytes) -> float:
        """Short lines of an equal number of columns, with blank lines between."""
        lines = head.split(b"\n")
        if len(lines) > 1 and len(head) >= 1 << 15:
            lines.pop()  # the last line may be cut
        rows = [r for r in (line.rstrip(b"\r") for line in lines[:500]) if r.strip()]
        rows = [r for r in rows if not r.startswith((b"# ", b"-DOCSTART-"))]
        if not rows:
            return 0.05
        if first_object(head) is not None:
            return 0.0
        sure, exact = _regular([r.count(b"\t") for r in rows], zero=0), 0.6
        if not sure:
            sure, exact = _regular([len(r.split()) for r in rows], zero=1), 0.55
        if len(rows) == 1 and exact < 0.6:
            return 0.1  # any line of text
        if sure == 1 and len(rows) > 1:
            return exact
        return 0.35 if sure > 0.5 else 0.1

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        if self.separator == "auto":
            separator = _separator(buf[: 1 << 16].tobytes())
        else:
            separator = SEPARATORS[self.separator]
        table = scan(buf, problems, separator=separator)
        return _read(table, problems, self.roles())

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Forms, then every tag layer, then every span layer as IOB2."""
        check_no_empty_sentences(corpus, "columns")
        between = " " if self.separator == "space" else "\t"
        columns = [check_words(corpus, "columns")]
        for name, layer in corpus.layers.items():
            if isinstance(layer, Tags):
                columns.append(layer.labels)
            elif isinstance(layer, Spans):
                tags, lost = encode(layer, corpus.token_count)
                if lost:
                    raise InputError(
                        f"{corpus.origin}: {lost:,} spans of '{name}' overlap others or have gaps, "
                        "which columns cannot hold",
                        help="'spans' and 'jsonl' can hold overlapping spans, 'spans' also gaps",
                    )
                columns.append(tags.labels)
        forbidden = "\t" + LINE_BREAKS
        if between == " " or len(columns) == 1:  # a single column has no tab that rules spaces in
            forbidden += " "
        for column in columns:
            check_strings(corpus, column, "a column", forbidden, _is_no_field)
        yield from _sentences(corpus, [c.to_list() for c in columns], between)


def _regular(counts: list[int], *, zero: int) -> float:
    """The share of the most frequent count; 0 if that is the count of lines without columns."""
    usual = max(set(counts), key=counts.count)
    return 0.0 if usual == zero else counts.count(usual) / len(counts)


def _is_no_field(name: str) -> bool:
    """Is a string blank, or the mark of a document's beginning?"""
    return not name.strip(" ") or name == DOCSTART


def _sentences(corpus: Corpus, columns: list[list[str]], between: str) -> Iterator[str]:
    lines = [between.join(row) for row in zip(*columns, strict=True)]
    width = len(columns)
    documents = set(corpus.documents[corpus.document_marks].tolist())
    marker = [DOCSTART, *["-X-"] * (width - 2), *["O"] * (width > 1)]
    for sentence, rows in enumerate(by_sentence(corpus, lines)):
        if sentence in documents:
            yield between.join(marker) + "\n\n"
        yield "\n".join(rows) + "\n\n"


def _separator(head: bytes) -> int:
    """A tab if lines that hold tokens have one, else spaces."""
    rows = [r for r in head.split(b"\n") if r.strip()]
    rows = [r for r in rows if not r.startswith(b"#") or b"\t" in r]
    with_tab = sum(b"\t" in r.rstrip(b"\r") for r in rows)
    return TAB if with_tab * 2 > len(rows) else SPACE


def _read(table: FieldTable, problems: Problems, roles: dict[str, int] | None) -> Corpus:
    block, _ = table.blocks()
    fields = np.asarray(table.field_count)
    lines = table.lines_where(fields > 0)
    width = _usual(fields[lines])
    comment_lines, lines = _apart(lines, _comments(table, lines, block, width))
    mark_lines, lines = _apart(lines, _is_docstart(table, lines))
    blocks, of_line = runs(block[lines])

    reader = Reader(problems, len(blocks), "columns")
    wrong = fields[lines] != width
    reader.refuse(
        np.flatnonzero(wrong),
        lambda at: f"{fields[lines[at]]} columns, expected {width}",
        lines,
        of_line,
    )
    if wrong.any():
        lines, of_line = lines[~wrong], of_line[~wrong]
    columns: dict[str, Labels] = {}
    for name, column in _names(width, roles, problems).items():
        if name == "form" or problems.reading.wants(name):
            columns[name] = table.labels(lines, column)
            message = f"column '{name}' is empty"
            reader.refuse(columns[name].where(""), message, lines, of_line)
    problems.stop()
    keep = ~reader.bad[of_line]
    if not keep.all():
        lines, of_line = lines[keep], of_line[keep]
        columns = {name: labels.take(keep) for name, labels in columns.items()}
    forms = columns.pop("form")
    extras: dict[str, Layer] = {}
    if len(comment_lines):
        sentence = np.searchsorted(blocks, block[comment_lines])
        here = sentence < len(blocks)
        text = table.intern(*(table.lines[i][comment_lines[here]] + 1 - i for i in (0, 1)))
        extras["comments"] = Comments(sentence[here].astype(np.int32), text)
    documents = np.unique(np.searchsorted(blocks, block[mark_lines]))
    return reader.corpus(
        bounds_of(np.bincount(of_line, minlength=len(blocks))),
        forms=forms,
        layers={name: Tags(labels) for name, labels in columns.items()} if len(lines) else {},
        extras=extras,
        documents=documents[documents < len(blocks)].astype(np.int64),
        lines=lines.astype(np.int32) + 1,
    )


def _usual(counts: Index) -> int:
    """The number of columns most lines have; of equally frequent ones the larger."""
    if not len(counts):
        return 0
    frequency = np.bincount(counts)
    return int(np.flatnonzero(frequency == frequency.max())[-1])


def _names(width: int, roles: dict[str, int] | None, problems: Problems) -> dict[str, int]:
    """Names of the columns to read, and their places."""
    if roles is None:
        if width == 2:
            return {"form": 0, "tag": 1}
        return {"form": 0, **{f"column{i}": i for i in range(1, width)}}
    for name, place in roles.items():
        if width and not -width <= place < width:
            raise problems.fatal(
                f"column '{name}' is number {place}, "
                f"but the file has {width} columns (0 to {width - 1})",
                help="'--columns' names columns as NAME=NUMBER, counted from 0, or -1 from the end",
            )
    return dict(roles)


def _comments(table: FieldTable, lines: Index, block: Index, width: int) -> npt.NDArray[np.bool_]:
    """Lines `# ...` before the first token of a sentence that are not of the usual width."""
    odd = np.asarray(table.field_count[lines] != width)
    if not odd.any():
        return odd
    hash_first = odd & (table.buf[table.lines[0][lines]] == HASH)
    # A line is a comment if it and all lines of its block before it look like one.
    others = np.cumsum(~hash_first)
    begins = np.searchsorted(block[lines], block[lines])
    return np.asarray(hash_first & (others == others[begins] - ~hash_first[begins]))


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
