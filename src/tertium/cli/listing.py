"""`tertium list`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.output import emit, format_of, look, output_options

KINDS = ("metrics", "families", "formats", "verbs")


@click.command("list", short_help="Show all metrics, families, formats or verbs.")
@click.argument("kind", type=click.Choice(KINDS), metavar="metrics|families|formats|verbs")
@output_options
def listing(kind: str, format: str | None, output: str | None) -> None:
    """Show all metrics, families, formats or verbs.

    Metrics and formats are shown with their parameters and defaults, which go in brackets:
    '{SPANS}(scheme=iob2)', 'columns(separator=tab)'.
    """
    from tertium._version import __version__
    from tertium.report.sections.catalogue import build, build_lines, entries

    found = _verbs() if kind == "verbs" else entries(kind)
    format = format_of(format, output)
    if format == "json":
        from tertium.report.render.json import dump

        emit(dump({"tertium": __version__, kind: found}), format, output)
        return
    from tertium.report.render import render_blocks

    blocks = build_lines(found) if format == "text" else build(found)
    emit(render_blocks(blocks, format, title=kind.title(), **look(output)), format, output)


def _verbs() -> list[dict[str, Any]]:
    from tertium.cli.main import VERBS

    return [{"id": verb, "title": help.removesuffix(".")} for verb, (_, help) in VERBS.items()]
