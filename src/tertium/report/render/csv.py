"""CSV (RFC 4180): the flattened dictionary of a result, one row per number.

Texts are written as they are. A label may begin with `=`, `+`, `-` or `@`, which spreadsheets take
for a formula; putting a sign in front would change the label. Import such files with the columns
set to text.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Range,
    Text,
    as_table,
    is_interval,
)
from tertium.results.output import Output, columns_of


def render(result: Any) -> str:
    """Every number of a result, one per row (`results.output.flat_rows`). An undefined value is
    empty."""
    rows = result.to_rows()
    out = StringIO(newline="")
    columns = result.columns if isinstance(result, Output) else ()
    writer = csv.DictWriter(out, columns or columns_of(rows), restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def render_tables(blocks: Sequence[Block]) -> str:
    """Tables and the numbers behind figures, unrounded, with an empty line between them."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    tables = [as_table(b, grouped=False) for b in blocks if not isinstance(b, Text)]
    for number, table in enumerate(tables):
        if number:
            writer.writerow(())
        writer.writerow([name for column in table.columns for name in _headers(column)])
        for row in table.rows:
            cells = zip(row, table.columns, strict=True)
            writer.writerow([value for cell in cells for value in _values(*cell)])
    return out.getvalue()


def _headers(column: Column) -> Iterator[str]:
    """The name of a column; of an interval there are two, one for each end."""
    name = " ".join(filter(None, (column.group, column.header)))
    yield from (f"{name} low", f"{name} high") if is_interval(column.kind) else (name,)


def _values(value: Cell, column: Column) -> Iterator[str | float]:
    if isinstance(value, Range):
        yield from (value.low, value.high)
    elif value is None or isinstance(value, Missing):
        yield from ("", "") if is_interval(column.kind) else ("",)
    else:
        yield value
