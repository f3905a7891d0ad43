"""`tertium compare`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.report.render import render


@click.command(short_help="Show what changed between systems.")
@click.argument("files", nargs=-1, metavar="GOLD A B...")
@click.option("--metric", "metrics", multiple=True, metavar="ID")
@reading_options
@click.option("--by", metavar="KEY")
@click.option("--lexicon", metavar="FILE")
@click.option("--pair", "pairs", multiple=True, metavar="A:B")
@click.option("--transitions", type=click.Choice(["auto", "labels", "types", "both"]), default="auto")
@click.option("--sort", type=click.Choice(["frequency", "difference"]))
@click.option("--limit", type=click.IntRange(min=0), metavar="N")
@figure_options
def compare(files, metrics, pairs, transitions, sort, limit, by, lexicon, format, output, **given: Any) -> None:
    """Show what changed between systems."""
    format = format_of(format, output, figures=True)
    start_lightly()
    from tertium.compare.comparing import compare as compare_all
    from tertium.report.sections.compare.choice import named_pair

    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    with progress_bar("files") as progress:
        found = compare_all(*files, metric=metrics or None, by=by, lexicon=lexicon, transitions=transitions, progress=progress, **reading_arguments(options))
    chosen = [named_pair(text, found.systems) for text in pairs]
    emit(render(found, format, pairs=chosen, sort=sort, limit=limit, **look(output)), format, output)
