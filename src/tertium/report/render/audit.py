"""An audit of two systems in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.significance.audits.audit import Audit

SHOWN = 20  # rows of a table on a screen


def render(
    found: Audit,
    format: str,
    *,
    limit: int | None = None,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """The verdict, then tables and plots. `limit` is how many labels and groups are shown, 0 for
    all; by default the usual number in text and all elsewhere. JSON and CSV have every look."""
    if limit is not None and limit < 0:
        raise UsageError(f"limit must not be negative. Got {limit} instead.")
    if format == "json":
        from tertium.report.render.json import dump

        return dump(found.to_dict())
    if format == "csv":
        from tertium.report.render import audit_csv

        return audit_csv.render(found)
    from tertium.report.render import render_blocks
    from tertium.report.sections.audit.build import build

    if limit is None and format == "text":
        limit = SHOWN
    blocks = build(found, format=format, limit=limit or None)
    title = f"Audit of {found.a} and {found.b} against {found.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)
