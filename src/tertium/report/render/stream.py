"""Lists of records, written one by one: JSON lines, CSV, and text."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from tertium.results.blocks import Excerpt, Picture
from tertium.results.output import Look, Records

STREAMED = ("text", "json", "csv")


def stream(records: Records, look: Look) -> Iterator[str]:
    """The list in pieces. Nothing is written before the first record is found, since a failure
    prints nothing."""
    if look.format == "json":
        yield from map(json_line, records)
    elif look.format == "csv":
        head = _row(records.columns)
        for record in records:
            yield head + _row(record.to_row().values())
            head = ""
        yield head
    else:
        yield from _text(records, look)


def _text(records: Records, look: Look) -> Iterator[str]:
    from tertium.report.render import text
    from tertium.report.render.signs import TextLook

    how = TextLook(look.width, look.color, look.ascii)
    for block in records.blocks(records):
        assert isinstance(block, Excerpt | Picture)
        yield text.draw(block, how)
    rest = records.result.blocks(look)
    yield text.render(rest, width=look.width, color=look.color, ascii=look.ascii)


def json_line(record: Any) -> str:
    """A record as an object on a line of its own."""
    return json.dumps(record.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"


def _row(values: Iterable[object]) -> str:
    out = StringIO(newline="")
    csv.writer(out).writerow(values)
    return out.getvalue()
