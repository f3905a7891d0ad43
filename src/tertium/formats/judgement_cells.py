"""Cells of a table, whatever it was written as: CSV, TSV, JSON lines, Parquet, a data frame."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Bytes, Int64, Labels
from tertium.display import frame_of
from tertium.exceptions import InputError, UsageError
from tertium.formats.base import Problems
from tertium.formats.lines import TAB, FieldTable, check_text, scan
from tertium.formats.objects import is_frame
from tertium.formats.sources import strip_compression
from tertium.formats.targets import open_output

QUOTE, COMMA, SEMICOLON = b'",;'
PARQUET = b"PAR1"
TABLES = (".csv", ".tsv", ".jsonl", ".parquet")  # endings of names of tables that are written


class TableCells:
    """Rows of text cells: `names` are those of the columns, `lines` where every row stands, from
    1. An empty or missing cell is ''."""

    names: Sequence[str]
    lines: Int64

    def column(self, number: int) -> Labels:
        """One column."""
        raise NotImplementedError


@dataclass(frozen=True)
class FieldCells(TableCells):
    """Cells of a text file that were split but not decoded; line 1 is the header."""

    table: FieldTable
    names: Sequence[str]
    lines: Int64

    def column(self, number: int) -> Labels:
        """One column."""
        return self.table.labels(self.lines - 1, number)


@dataclass(frozen=True)
class ListCells(TableCells):
    """Cells as Python strings, column by column."""

    columns: Sequence[Sequence[str]]
    names: Sequence[str]
    lines: Int64

    def column(self, number: int) -> Labels:
        """One column."""
        found = Labels.of(self.columns[number])
        try:
            found.names.blob.tobytes().decode()
        except UnicodeDecodeError:
            name = self.names[number]
            raise InputError(f"the column '{name}' holds half a surrogate pair") from None
        return found


def split(buf: Bytes, problems: Problems) -> FieldTable | None:
    """Lines and fields of tab-separated text, or of comma-separated text without quotes; None for
    CSV that needs a parser."""
    mark = separator(buf)
    if mark == TAB:
        return scan(buf, problems)
    if (buf == QUOTE).any() or (buf == TAB).any():
        check_text(buf, problems)
        return None
    return scan(np.where(buf == mark, np.uint8(TAB), buf), problems)


def separator(buf: Bytes) -> int:
    """A tab if the first line has one, else a semicolon if it has more of these than commas, as
    where commas are decimal points."""
    head = buf[: 1 << 16]
    first = head[: int((head == 10).argmax()) if (head == 10).any() else len(head)]
    tabs, semicolons, commas = (int((first == mark).sum()) for mark in (TAB, SEMICOLON, COMMA))
    return TAB if tabs else SEMICOLON if semicolons > commas else COMMA


def of_fields(table: FieldTable, problems: Problems) -> FieldCells:
    """A table with a header, as split; every line has as many fields as that."""
    fields = np.asarray(table.field_count)
    filled = np.flatnonzero(fields)
    if not len(filled) or filled[0] != 0:
        raise problems.fatal("the first line is blank; expected the names of columns", line=1)
    names = [table.field(0, column).strip() for column in range(int(fields[0]))]
    _refuse_twice(names, problems)
    rows = filled[1:]
    for row in problems.listed(rows[fields[rows] != fields[0]]):
        _ragged(problems, row + 1, int(fields[row]), int(fields[0]))
    problems.stop()
    return FieldCells(table, names, rows.astype(np.int64) + 1)


def _ragged(problems: Problems, line: int, found: int, wanted: int) -> None:
    problems.error(f"{found} columns, expected {wanted} as in the first line", line=line)


def _refuse_twice(names: Sequence[str], problems: Problems) -> None:
    twice = [name for name in names if name and names.count(name) > 1]
    if twice:
        raise problems.fatal(f"two columns are named '{twice[0]}'", line=1)


def of_quoted(buf: Bytes, problems: Problems) -> ListCells:
    """CSV with quotes, by the rules of RFC 4180, or with semicolons for commas."""
    csv.field_size_limit(max(csv.field_size_limit(), len(buf)))
    text = io.StringIO(buf.tobytes().decode(), newline="")
    reader = csv.reader(text, delimiter=chr(separator(buf)), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    before = 0
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(before + 1)
            before = reader.line_num
    except csv.Error as error:
        raise problems.fatal(f"not CSV: {error}", line=before + 1, help=QUOTES) from None
    names, rows = [name.strip() for name in rows[0]], rows[1:]
    _refuse_twice(names, problems)
    for row, line in zip(rows, lines[1:], strict=True):
        if len(row) != len(names):
            _ragged(problems, line, len(row), len(names))
    problems.stop()
    columns = [*zip(*rows, strict=True)] or [()] * len(names)
    return ListCells(columns, names, np.array(lines[1:], np.int64))


QUOTES = (
    'a field with a comma, a quote or a line break is written in quotes, a quote inside it as ""; '
    "a single file is a table of judgements, annotated texts are a file per annotator"
)


def is_json(buf: Bytes, problems: Problems) -> bool:
    """Does the text begin as JSON lines do, or does its file end as theirs?"""
    ending = Path(strip_compression(problems.reading.origin)).suffix.lower()
    return ending in (".jsonl", ".json", ".ndjson") or bytes(buf[:1024]).lstrip()[:1] == b"{"


def of_json_lines(buf: Bytes, problems: Problems) -> ListCells:
    """One object per line; keys are columns."""
    check_text(buf, problems)
    records: list[Mapping[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(buf.tobytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, object_pairs_hook=_object)
        except (ValueError, RecursionError) as error:
            problems.error(f"not JSON: {error}", line=number)
            continue
        if isinstance(value, dict):
            records.append(value)
            lines.append(number)
        else:
            problems.error("not a JSON object", line=number)
    problems.stop()
    return of_records(records, np.array(lines, np.int64))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, whose keys must be different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def of_records(records: Sequence[Mapping[str, Any]], lines: Int64) -> ListCells:
    """Dictionaries; keys are columns."""
    names = [*dict.fromkeys(str(key) for each in records for key in each)]
    columns = [[_text(each.get(name)) for each in records] for name in names]
    return ListCells(columns, names, lines)


def of_parquet(data: bytes, origin: str) -> ListCells:
    """A Parquet file."""
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{origin} is not a whole Parquet file: {error}") from None
    return of_frame(frame)


def of_frame(frame: Any) -> ListCells:
    """A data frame of polars or pandas."""
    names = [str(column) for column in frame.columns]
    if len({*names}) < len(names):
        raise InputError("two columns of the table have the same name")
    columns = [[_text(value) for value in frame[column].to_list()] for column in frame.columns]
    return ListCells(columns, names, np.arange(1, len(frame) + 1))


def of_python(data: Any) -> ListCells:
    """A data frame, or a list of dictionaries."""
    data = data.collect() if hasattr(data, "collect") else data
    if is_frame(data):
        return of_frame(data)
    if isinstance(data, Sequence) and data and all(isinstance(each, Mapping) for each in data):
        return of_records(data, np.arange(1, len(data) + 1))
    raise UsageError(
        f"cannot read judgements from {type(data).__name__}",
        help="give a path, a data frame, or a list of dictionaries, one per judgement; or several "
        "annotators",
    )


def _text(value: Any) -> str:
    """A cell as text; whole numbers that a library made floats of are written as they were."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or value != value:  # what is not a number or a time differs from itself
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]  # the one choice of several that there might be
    if isinstance(value, bool | list | tuple | dict):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)


def first_repeated(values: npt.NDArray[np.int64]) -> tuple[Int64, Int64]:
    """Rows whose value stood in an earlier row, and the first row with that value."""
    order = np.argsort(values, kind="stable")
    begins = np.concatenate([[True], np.diff(values[order]) != 0])[: len(values)]
    first = order[np.maximum.accumulate(np.where(begins, np.arange(len(values)), 0))]
    again = ~begins
    rows = order[again]
    by_row = np.argsort(rows)
    return rows[by_row], first[again][by_row]


def write_table(rows: Sequence[Mapping[str, Any]], path: str) -> None:
    """A table with these rows, in the format that the ending of its name says."""
    frame = frame_of(rows, [*rows[0]] if rows else [])
    ending = Path(strip_compression(path)).suffix.lower()
    with open_output(path) as stream:
        if ending == ".parquet":
            frame.write_parquet(stream)
        elif ending == ".jsonl":
            frame.write_ndjson(stream)
        else:
            frame.write_csv(stream, separator="\t" if ending == ".tsv" else ",")
