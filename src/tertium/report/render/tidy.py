"""One table with a number a row, whatever the numbers are about (CSV)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any

Row = Mapping[str, Any]


def header(kind: str, label: str) -> tuple[str, ...]:
    """The columns: what a row is about, two sides, what was on each, and the number. `kind` is what
    the kind of a change is called, `label` what the label that it happened to."""
    return (
        "section", "metric", "group", "a", "b", kind, label, "from", "to", "part", "value",
        "sentence", "text",
    )  # fmt: skip


def table(columns: tuple[str, ...], rows: Iterable[Row]) -> str:
    """The rows as CSV. What a row does not have is empty."""
    out = StringIO(newline="")
    writer = csv.DictWriter(out, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
