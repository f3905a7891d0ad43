"""Renderers: one exporter a file, and `render`, which picks one by name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from tertium.exceptions import UsageError, suggestion

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison
    from tertium.comparison.conventions import Conventions
    from tertium.comparison.difference import Difference
    from tertium.comparison.errors.listing import Errors
    from tertium.report.against import Against
    from tertium.results.blocks import Block
    from tertium.results.scores import Scores
    from tertium.significance.audit.audit import Audit
    from tertium.significance.datasets import AcrossDatasets
    from tertium.significance.power import Power
    from tertium.significance.ppv import PpvTable

    Result: TypeAlias = (
        Scores
        | Errors
        | Conventions
        | Comparison
        | Difference
        | Audit
        | Power
        | PpvTable
        | AcrossDatasets
    )

FORMATS = ("text", "json", "csv", "markdown", "latex", "html", "svg")
SHOWN_CONFUSIONS = 20

# Which module renders what is not scores, by the name of its class.
_RENDERERS = {
    "AcrossDatasets": "datasets",
    "Audit": "audit",
    "Comparison": "compare",
    "Conventions": "conventions",
    "Difference": "diff",
    "Errors": "errors",
    "Power": "power",
    "PpvTable": "ppv",
}


def render(
    scores: Result,
    format: str = "text",
    *,
    labels: bool = False,
    confusion: bool = False,
    error_types: bool = False,
    parts: bool = False,
    against: Against | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    sort: str | None = None,
    limit: int | None = None,
    examples: int | None = None,
    tables: Sequence[str] = (),
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """Any result of Tertium as text, JSON, CSV, Markdown, LaTeX or HTML; what has figures as SVG
    too.

    JSON and CSV hold everything there is; `labels`, `confusion`, `error_types` and `parts` choose
    what the others show of scores, `pairs`, `sort`, `limit`, `examples` and `tables` what they
    show of a comparison (report/sections/compare/choice.py), `limit` and `examples` what they
    show of a difference (report/render/diff.py), `limit` what they show of an audit. SVG holds
    figures alone and, of scores, needs `confusion` or `error_types`. `width`, `color` and `ascii`
    concern text alone.
    """
    check_format(format)
    from tertium.results.scores import Scores

    if not isinstance(scores, Scores):
        chosen: dict[str, Any] = {}
        kind = type(scores).__name__
        if kind == "Assessment":
            raise UsageError(
                "an assessment is shown with its scores",
                help="'tertium.score(..., significance=True)' has both; 'to_dict()' has the tests",
            )
        if kind == "Comparison":
            from tertium.report.sections.compare.choice import Choice

            chosen["choice"] = Choice(tuple(pairs), sort, limit, examples, tuple(tables))
        elif kind == "Difference":
            chosen = {"limit": limit, "examples": examples}
        elif kind == "Audit":
            chosen = {"limit": limit}
        renderer = import_module(f"tertium.report.render.{_RENDERERS[kind]}")
        shown = renderer.render(scores, format, **chosen, width=width, color=color, ascii=ascii)
        return str(shown)
    if format == "svg":
        check_figures(confusion=confusion, error_types=error_types)
    if format == "json":
        from tertium.report.render import json

        return json.render(scores, against=against)
    if format == "csv":
        from tertium.report.render import csv

        return csv.render(scores, against=against)
    from tertium.report.sections.confusions import Limits
    from tertium.report.sections.scores import build

    limits = {
        "text": Limits(pairs=SHOWN_CONFUSIONS, systems=3),
        "html": Limits(labels=30, cuts=True),
        "svg": Limits(labels=30, cuts=True),
    }
    blocks = build(
        scores,
        labels=labels,
        confusion=confusion,
        error_types=error_types,
        parts=parts,
        against=against,
        limits=limits.get(format, Limits()),
    )
    title = f"Scores against {scores.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)


def render_blocks(
    blocks: Sequence[Block],
    format: str = "text",
    *,
    title: str = "Tertium",
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """Blocks of any section in any format but JSON, which every verb writes from its result."""
    check_format(format)
    if format == "text":
        from tertium.report.render import text

        return text.render(blocks, width=width, color=color, ascii=ascii)
    if format == "csv":
        from tertium.report.render import csv

        return csv.render_tables(blocks)
    if format == "markdown":
        from tertium.report.render import markdown

        return markdown.render(blocks)
    if format == "latex":
        from tertium.report.render import latex

        return latex.render(blocks, caption=title)
    if format == "html":
        from tertium.report.render import html

        return html.render(blocks, title=title)
    if format == "svg":
        from tertium.report.render import svg

        return svg.render(blocks, title=title)
    raise UsageError("blocks have no JSON form; use the result's own")


def check_format(format: str) -> str:
    """The format, if there is one of that name."""
    if format not in FORMATS:
        raise UsageError(
            f"there is no output format '{format}'.{suggestion(format, FORMATS)}",
            help=f"it is one of {', '.join(FORMATS)}",
        )
    return format


def check_figures(*, confusion: bool, error_types: bool) -> None:
    """Was a figure of the scores asked for? A picture of nothing is refused."""
    if not confusion and not error_types:
        raise UsageError(
            "SVG shows figures, and none was asked for",
            help="add '--confusion' (which labels are confused) or '--error-types' (how errors are "
            "distributed)",
        )
