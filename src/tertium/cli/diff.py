"""`tertium diff`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, format_of, look, output_options
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.exceptions import GateError, UsageError

SHOWN = 20


@click.command(short_help="Show where two annotations differ, without a gold standard.")
@click.argument("files", nargs=-1, metavar="A B")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric that judges single items, such as deps.las; repeatable. What it looks at is "
    "what may differ. By default those that fit the layers present.",
)  # fmt: skip
@click.option("--examples", is_flag=True, help=f"Show {SHOWN} differences in their sentences.")
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help="Show the first N differences of each metric.",
)  # fmt: skip
@click.option(
    "--by", metavar="KEY",
    help="Also compare groups: length, document, file, a key of A's comments, or a property of "
    "words such as upos.",
)  # fmt: skip
@click.option("--lexicon", metavar="FILE", help="Training data, for --by known.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if A and B differ.")
@reading_options
@output_options
def diff(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    examples: bool,
    limit: int | None,
    by: str | None,
    lexicon: str | None,
    exit_code: bool,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Show where two annotations of one text differ: two outputs, two annotators, two versions.

    A and B are given as files are to 'tertium score'. Neither is taken to be right. In the options
    below A stands for gold and B for the systems.

    \b
    tertium diff anna.tsv ben.tsv
    tertium diff old.conllu new.conllu --metric deps.las --examples
    tertium diff yesterday.bio today.bio --exit-code
    """
    if len(files) != 2:
        raise UsageError(
            f"give two annotations, A and B. Got {len(files)} instead.",
            help="'tertium compare' compares any number of systems with a gold standard",
        )
    start_lightly()
    from tertium.compare.diffing import diff as find
    from tertium.report.render.diff import render

    format = format_of(format, output)
    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    if examples and limit is None:
        limit = SHOWN
    with progress_bar("files") as progress:
        found = find(
            *files,
            metric=metrics or None,
            limit=limit,
            by=by,
            lexicon=lexicon,
            **reading_arguments(options),
            progress=progress,
        )
    emit(render(found, format, **look(output)), format, output)
    if exit_code and found.is_different:
        counts = ", ".join(f"{each.different:,} by {each.metric}" for each in found.layers)
        raise GateError(f"{found.a} and {found.b} differ: {counts}")
