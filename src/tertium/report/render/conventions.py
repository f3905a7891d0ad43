"""What conventions say, in any format but SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.metrics.conventions import Conventions

SHOWN_PARTINGS = 12


def render(
    found: Conventions, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """The tables of the section; JSON and CSV have every sequence that is read differently."""
    if format == "svg":
        raise UsageError("conventions are tables; there is no figure to show as SVG")
    if format == "json":
        from tertium.report.render.json import dump

        return dump(found.to_dict())
    from tertium.report.render import render_blocks
    from tertium.report.sections.conventions import build

    blocks = build(found, limit=SHOWN_PARTINGS, format=format)
    title = f"Conventions on {found.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)
