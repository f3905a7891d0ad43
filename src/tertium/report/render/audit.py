"""An audit of two systems in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.exceptions import UsageError
from tertium.report.render.choose import in_format

if TYPE_CHECKING:
    from tertium.significance.audit.audit import Audit

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
    from tertium.report.render import audit_csv
    from tertium.report.sections.audit.build import build

    if limit is None and format == "text":
        limit = SHOWN
    return in_format(
        format,
        data=found.to_dict,
        csv=lambda: audit_csv.render(found),
        blocks=lambda: build(found, format=format, limit=limit or None),
        title=f"Audit of {found.a} and {found.b} against {found.gold}",
        width=width,
        color=color,
        ascii=ascii,
    )
