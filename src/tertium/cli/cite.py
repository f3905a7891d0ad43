"""`tertium cite`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.output import emit, format_of, look, output_options
from tertium.exceptions import UsageError


@click.command(short_help="Print what to cite for a metric, as BibTeX.")
@click.argument("metrics", nargs=-1, required=True, metavar="METRIC...")
@output_options
def cite(metrics: tuple[str, ...], format: str | None, output: str | None) -> None:
    """Print what to cite for a metric, as BibTeX.

    The output can be appended to a bibliography as it is.

    \b
    tertium cite {LAS} >> references.bib
    """
    from tertium import registry
    from tertium._version import __version__

    found: dict[str, dict[str, Any]] = {}
    for text in metrics:
        name = registry.parse_call(text)[0]
        metric: Any = registry.get("metrics", name)
        cite = getattr(metric, "cite", "").strip()
        if not cite:
            raise UsageError(f"{name} does not say what to cite")
        found[name] = {"id": name, "title": metric.title, "bibtex": cite}
    format = format_of(format, output, text=(".bib",))
    if format == "json":
        from tertium.report.render.json import dump

        emit(dump({"tertium": __version__, "citations": [*found.values()]}), format, output)
        return
    from tertium.report.render import render_blocks
    from tertium.report.sections.catalogue import build
    from tertium.results.blocks import Block, Text

    if format == "csv":
        emit(render_blocks(build([*found.values()]), format), format, output)
        return
    blocks: list[Block] = []
    printed: set[str] = set()
    for entry in found.values():
        heading = f"{entry['id']}: {entry['title']}"
        if format == "text":
            # BibTeX takes lines outside entries for comments; % keeps other programs calm too.
            blocks.append(Text(f"% {heading}", role="code"))
        else:
            blocks.append(Text(heading, role="title"))
        if entry["bibtex"] not in printed:
            blocks.append(Text(entry["bibtex"], role="code"))
        printed.add(entry["bibtex"])
    text = render_blocks(blocks, format, title="What to cite", **look(output))
    emit(text, format, output)
