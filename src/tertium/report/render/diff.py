"""Differences between two annotations in any format but SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.compare.difference import Difference

SHOWN = 20  # rows of a table on a screen


def render(
    found: Difference, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """The differences themselves, where they were asked for, then the tables of the section."""
    if format == "svg":
        raise UsageError("differences are tables; there is no figure to show as SVG")
    if format == "json":
        from tertium.report.render.json import dump

        return dump(found.to_dict())
    from tertium.report.render import render_blocks
    from tertium.report.sections.diff import build

    is_text = format == "text"
    blocks = build(found, limit=SHOWN if is_text else None, examples=not is_text)
    title = f"{found.a} and {found.b}"
    tables = render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)
    return _drawn(found, width, color, ascii) + tables if is_text else tables


def _drawn(found: Difference, width: int, color: bool, ascii: bool) -> str:
    """Every difference in its sentence, with both sides marked."""
    if not found.instances:
        return ""
    from tertium.report.render.examples import Examples
    from tertium.report.render.tree_examples import TreeExamples

    examples = Examples(width=width, color=color, ascii=ascii, sides=("A", "B"))
    drawing = TreeExamples(examples, names=("A", "B"))
    return "".join([*map(drawing.example, found.instances), drawing.rest()])
