"""Differences between two annotations in any format but SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.comparison.disagreement import Difference
    from tertium.comparison.errors.instances import Instance

SHOWN = 20  # rows of a table on a screen


def render(
    found: Difference,
    format: str,
    *,
    limit: int | None = None,
    examples: int | None = None,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """The differences themselves, where they were asked for, then the tables of the section.

    `limit` is how many rows a table has, 0 for all; by default the usual number in text and all
    elsewhere. `examples` is how many of the differences of each metric there are, 0 for all, which
    is the default. JSON and CSV have every number, whatever `limit` says.
    """
    if format == "svg":
        raise UsageError("differences are tables; there is no figure to show as SVG")
    for name, value in (("limit", limit), ("examples", examples)):
        if value is not None and value < 0:
            raise UsageError(f"{name} must not be negative. Got {value} instead.")
    if examples is not None:
        found = replace(found, instances=_first(found, examples or None))
    if format == "json":
        from tertium.report.render.json import dump

        return dump(found.to_dict())
    if format == "csv":
        from tertium.report.render import diff_csv

        return diff_csv.render(found)
    from tertium.report.render import render_blocks
    from tertium.report.sections.diff import build

    is_text = format == "text"
    if limit is None and is_text:
        limit = SHOWN
    instances = found.instances or ()
    blocks = build(
        found, limit=limit or None, examples=() if is_text else instances, is_text=is_text
    )
    title = f"{found.a} and {found.b}"
    tables = render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)
    return _drawn(instances, width, color, ascii) + tables if is_text else tables


def _first(found: Difference, most: int | None) -> tuple[Instance, ...]:
    """The first differences of each metric."""
    if found.instances is None:
        raise UsageError(
            "there are no sentences to show examples from", help="diff with examples=True"
        )
    by_metric = groupby(found.instances, lambda each: each.metric)
    return tuple(each for _, those in by_metric for each in islice(those, most))


def _drawn(instances: Sequence[Instance], width: int, color: bool, ascii: bool) -> str:
    """Every difference in its sentence, with both sides marked."""
    if not instances:
        return ""
    from tertium.report.render.arc_examples import ArcExamples

    names = "A", "B"
    drawing = ArcExamples(width=width, color=color, ascii=ascii, sides=names, names=names)
    return "".join([*map(drawing.example, instances), drawing.rest()])
