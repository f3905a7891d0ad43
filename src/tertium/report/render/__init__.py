"""Renderers: one exporter a file, and `render`, which picks one by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.exceptions import UsageError, is_on_command_line, spelled, suggestion
from tertium.results.assessment import Assessment
from tertium.results.blocks import Text, rounded, table_of_records
from tertium.results.names import called, short_names, teller
from tertium.results.output import Look, Output
from tertium.results.signatures import abbreviated
from tertium.results.texts import decimals

if TYPE_CHECKING:
    from tertium.results.blocks import Block

FORMATS = ("text", "json", "csv", "markdown", "latex", "html", "svg")
SYNONYMS = {"md": "markdown", "tex": "latex"}
NOTEBOOK = "notebook"  # a piece of HTML, for what shows itself there


def render(result: Any, format: str = "text", **shown: Any) -> str:
    """Any result of Tertium as text, JSON, CSV, Markdown, LaTeX or HTML; what has figures as SVG
    too.

    JSON and CSV hold everything there is. `shown` chooses what the others show: `width`, `color`
    and `ascii` of text, and the fields of the result's own `look`, such as `labels` of scores.
    """
    if format != NOTEBOOK:
        format = check_format(format)
    if isinstance(result, Assessment):
        raise UsageError(
            "tests can only be shown together with scores",
            help="'tertium.score(..., significance=True)' has both; 'to_dict()' has the tests",
        )
    kind = result.look if isinstance(result, Output) else Look
    return show(result, kind.of(format, shown))


def show(result: Any, look: Look) -> str:
    """A result as it is to look."""
    if isinstance(result, Output):
        result = result.select(look)
    if look.format in ("json", "csv"):
        from tertium.report.render import data

        if look.format == "csv":
            return data.csv_of(result, safe=look.safe_csv)
        records = result.records() if isinstance(result, Output) else None
        if records is not None:
            return "".join(map(data.json_line, records))
        return data.json_of({"tertium": __version__, **result.to_dict()})
    if not isinstance(result, Output):
        return _plain(result, look)
    if result.is_drawing and look.format == "latex":
        from tertium.report.render import tikz

        return tikz.render(blocks_of(result, look))
    if result.is_page and look.format == "html":
        from tertium.report.page import page_of, render_page

        return render_page(page_of(result, look))
    told = teller(short_names(result.system_names))
    if look.format == "svg":
        from tertium.report.render import svg

        title, heading = told(result.title), look.title or ""
        return svg.render(blocks_of(result, look), title=title, heading=heading)
    return render_blocks(
        blocks_of(result, look),
        look.format,
        title=look.title or told(result.title),
        latex={
            "caption": look.caption or told(result.caption),
            "label": look.label or f"tab:{type(result).__name__.lower()}",
            "is_own": look.caption is not None,
        },
        width=look.width,
        color=look.color,
        ascii=look.ascii,
    )


def blocks_of(result: Output, look: Look) -> list[Block]:
    """All that is shown of a result."""
    if look.format == "svg" and result.no_figures:
        raise UsageError(result.no_figures)
    result = result.with_ids() if look.ids else result
    with decimals(look.digits):
        blocks = [*opening("" if look.is_bare else result.in_short()), *result.blocks(look)]
    names = short_names(result.system_names)
    blocks = called(blocks, names if look.ids else {**result.metric_names, **names})
    if look.digits is not None:
        blocks = rounded(blocks, look.digits)
    return abbreviated(blocks) if look.short else blocks


def show_figures(result: Output, look: Look) -> dict[str, str]:
    """The figures of a result, each as an SVG file, by what tells them apart; that is empty if
    there is only one."""
    from tertium.report.render import svg

    blocks = blocks_of(result.select(look), look)
    return svg.files(blocks, title=result.title, heading=look.title or "")


def opening(summary: str) -> list[Block]:
    """The sentence that says the result, if there is one."""
    return [Text(f"{summary}.", role="summary")] if summary else []


def _plain(result: Any, look: Look) -> str:
    """A result that knows no blocks, being further down than they are: its own text on a screen, a
    table of its rows elsewhere."""
    if look.is_text:
        return render_blocks([Text(str(result), role="code")], ascii=look.ascii)
    table = table_of_records(result.to_rows(), title=result.title)
    return render_blocks([table], look.format, title=look.title or result.title)


def render_blocks(
    blocks: Sequence[Block],
    format: str = "text",
    *,
    title: str = "Tertium",
    latex: Mapping[str, Any] | None = None,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """Blocks of any section in any format but JSON, which every verb writes from its result.
    `latex` says more about tables in LaTeX."""
    blocks = spelled_blocks(blocks)
    if format != NOTEBOOK:
        format = check_format(format)
    if format == "json":
        raise UsageError("blocks cannot be written as JSON; use 'to_dict()' of the result")
    if format == "csv":
        from tertium.report.render.data import csv_of_tables

        return csv_of_tables(blocks)
    options: dict[str, dict[str, Any]] = {
        "text": {"width": width, "color": color, "ascii": ascii},
        "latex": {"caption": title, **(latex or {})},
        "html": {"title": title},
        "svg": {"title": title},
        NOTEBOOK: {"title": title},
    }
    renderer = import_module(f"tertium.report.render.{format}")
    return str(renderer.render(blocks, **options.get(format, {})))


def spelled_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Blocks whose notes name options as Python does, if that is where they are read."""
    return [*blocks] if is_on_command_line() else [*map(_spelled, blocks)]


def _spelled(block: Block) -> Block:
    names = ("text",) if isinstance(block, Text) else ("note", "omitted")
    texts = {name: getattr(block, name) for name in names if hasattr(block, name)}
    changed: Any = {name: spelled(text) for name, text in texts.items() if "'--" in text}
    return replace(block, **changed) if changed else block


def check_format(format: str) -> str:
    """The name of a format, which may be given by its file ending; one that does not exist is
    refused."""
    format = SYNONYMS.get(format, format)
    if format not in FORMATS:
        raise UsageError(
            f"there is no output format '{format}'.{suggestion(format, FORMATS)}",
            help=f"formats: {', '.join(FORMATS)}",
        )
    return format
