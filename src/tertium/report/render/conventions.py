"""What conventions say, in any format but SVG."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.comparison.conventions import Conventions

SHOWN_PARTINGS = 12
COLUMNS = (
    *("system", "convention", "metric", "part", "precision", "recall", "f1"),
    *("correct", "gold", "system_spans", "reason", "signature"),
)


def render(
    found: Conventions, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """The tables of the section; JSON has every sequence that is read differently."""
    if format == "svg":
        raise UsageError("conventions are tables; there is no figure to show as SVG")
    if format == "json":
        from tertium.report.render.json import dump

        return dump(found.to_dict())
    if format == "csv":
        return _csv(found)
    from tertium.report.render import render_blocks
    from tertium.comparison.partings import build

    blocks = build(found, limit=SHOWN_PARTINGS, format=format)
    title = f"Conventions on {found.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)


def _csv(found: Conventions) -> str:
    """One row a convention and system; the sequences that are read differently are in JSON."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for row in found.rows:
        reasons = "; ".join(dict.fromkeys(row.reasons.values()))
        figures = (row.precision, row.recall, row.f1, row.correct, row.gold, row.system_spans)
        writer.writerow(
            (row.system, row.convention, row.metric, row.part, *figures, reasons, row.signature)
        )
    return out.getvalue()
