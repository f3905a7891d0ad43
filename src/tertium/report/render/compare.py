"""A comparison of systems in any format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.compare.comparison import Comparison
    from tertium.report.sections.compare.choice import Choice

PICTURES = ("html", "svg")


def render(
    comparison: Comparison,
    format: str,
    choice: Choice,
    *,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """The whole as a string. JSON and CSV hold every pair in full, whatever the choice."""
    if format == "json":
        from tertium.report.render.json import dump

        return dump(comparison.to_dict())
    from tertium.report.render import render_blocks
    from tertium.report.sections.compare.build import build

    choice = replace(choice, pictures=format in PICTURES, is_text=format == "text")
    blocks = build(comparison, choice)
    title = f"Systems compared against {comparison.scores.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)
