"""Results as data: JSON and CSV, in one piece or record by record.

JSON is the result as it is: fractions unrounded, undefined values null with their reasons; control
characters and marks that nobody sees are escaped. CSV (RFC 4180) is its flattened dictionary, one
row per number. Its texts are written as they are, unless it is to be `safe`: a label may begin with
`=`, `+`, `-` or `@`, which spreadsheets take for a formula, or hold characters that act on a
terminal. Such labels are changed then.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Excerpt,
    Missing,
    Picture,
    Range,
    Text,
    as_table,
    is_interval,
)
from tertium.results.names import called, short_names
from tertium.results.output import Look, Output, Records, columns_of
from tertium.results.texts import escaped_json, visible

STREAMED = ("text", "json", "csv")


def json_of(data: object) -> str:
    """One way to write JSON for all verbs: readable, in the order given, nan refused."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return escaped_json(text) + "\n"


def _plain(value: Any) -> Any:
    """A numpy number as Python's own; anything else has no place in a result."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def json_line(record: Any) -> str:
    """A record as an object on a line of its own."""
    return escaped_json(json.dumps(record.to_dict(), ensure_ascii=False, allow_nan=False)) + "\n"


def safe_cell(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula, on one line and with control characters
    written out; numbers as they are.

    >>> safe_cell("=1+1"), safe_cell("-LRB-"), safe_cell("B-PER"), safe_cell(-0.5)
    ("'=1+1", "'-LRB-", 'B-PER', -0.5)
    """
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def csv_of(result: Any, *, safe: bool = False) -> str:
    """Every number of a result, one per row (`results.output.flat_rows`). An undefined value is
    empty."""
    rows = result.to_rows()
    columns = (result.columns if isinstance(result, Output) else ()) or columns_of(rows)
    return _lines(columns, *([row.get(name, "") for name in columns] for row in rows), safe=safe)


def csv_of_tables(blocks: Sequence[Block]) -> str:
    """Tables and the numbers behind figures, unrounded, with an empty line between them."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    tables = [as_table(b, grouped=False) for b in blocks if not isinstance(b, Text)]
    for number, table in enumerate(tables):
        if number:
            writer.writerow(())
        writer.writerow([*_headers(table.columns)])
        for row in table.rows:
            cells = zip(row, table.columns, strict=True)
            writer.writerow([value for cell in cells for value in _values(*cell)])
    return out.getvalue()


def _headers(columns: Iterable[Column]) -> Iterator[str]:
    """The names of columns; of an interval there are two, one for each end. What stands beside a
    value has its name in front.

    >>> columns = [Column("LAS"), Column("", kind="letters"), Column("95% CI", kind="interval")]
    >>> [*_headers(columns)]
    ['LAS', 'LAS letters', 'LAS 95% CI low', 'LAS 95% CI high']
    """
    value = ""
    for column in columns:
        is_beside = column.kind == "letters" or is_interval(column.kind)
        header = column.header or "letters" * (column.kind == "letters")
        name = " ".join(filter(None, (column.group or value * is_beside, header)))
        value = value if is_beside or column.group else name
        yield from (f"{name} low", f"{name} high") if is_interval(column.kind) else (name,)


def _values(value: Cell, column: Column) -> Iterator[str | float]:
    if isinstance(value, Range):
        yield from (value.low, value.high)
    elif value is None or isinstance(value, Missing):
        yield from ("", "") if is_interval(column.kind) else ("",)
    else:
        yield value


def _lines(*rows: Iterable[object], safe: bool) -> str:
    out = StringIO(newline="")
    csv.writer(out).writerows([map(safe_cell, row) for row in rows] if safe else rows)
    return out.getvalue()


def stream(records: Records, look: Look) -> Iterator[str]:
    """The list in pieces. Nothing is written before the first record is found, since a failure
    prints nothing."""
    if look.format == "json":
        yield from map(json_line, records)
    elif look.format == "csv":
        head = _lines(records.columns, safe=look.safe_csv)
        for record in records:
            yield head + _lines(record.to_row().values(), safe=look.safe_csv)
            head = ""
        yield head
    else:
        yield from _text(records, look)


def _text(records: Records, look: Look) -> Iterator[str]:
    from tertium.report.render import blocks_of, text
    from tertium.report.render.signs import TextLook

    how = TextLook(look.width, look.color, look.ascii)
    names = short_names(records.systems)
    for found in records.blocks(records):
        block = called([found], names)[0]
        assert isinstance(block, Excerpt | Picture)
        yield text.draw(block, how)
    rest = blocks_of(records.result, look)
    yield text.render(rest, width=look.width, color=look.color, ascii=look.ascii)
