"""`tertium diff`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.command import only_one
from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, format_of, look, output_options
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.exceptions import GateError, UsageError
from tertium.report.render.diff import SHOWN, render


@click.command(short_help="Show where two annotations differ, without a gold standard.")
@click.argument("files", nargs=-1, metavar="A B")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric that judges single items, such as {LAS}; repeatable. What it looks at is "
    "what may differ. By default those that fit the layers present.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help=f"Rows of a table, 0 for all. By default {SHOWN} in text and all elsewhere.",
)  # fmt: skip
@click.option(
    "--examples", type=click.IntRange(min=0), metavar="N",
    help="Show the first N differences of each metric in their sentences, 0 for all.",
)  # fmt: skip
@click.option(
    "--by", metavar="KEY", multiple=True, callback=only_one,
    help="Also compare groups: length, document, file, a key of A's comments, or a property of "
    "words such as upos.",
)  # fmt: skip
@click.option("--lexicon", metavar="FILE", help="Training data, for --by known.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if A and B differ.")
@reading_options(both="A and B", other="B", of_other="B's")
@output_options
def diff(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    limit: int | None,
    examples: int | None,
    by: str | None,
    lexicon: str | None,
    exit_code: bool,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Show where two annotations of one text differ: two outputs, two annotators, two versions.

    A and B are given as files are to 'tertium score'. Neither is taken to be right.

    \b
    tertium diff anna.tsv ben.tsv
    tertium diff old.conllu new.conllu --metric {LAS} --examples 3
    tertium diff yesterday.bio today.bio --exit-code
    """
    if len(files) != 2:
        raise UsageError(
            f"give two annotations, A and B. Got {len(files)} instead.",
            help="'tertium compare' compares any number of systems with a gold standard",
        )
    start_lightly()
    from tertium.comparison.diff import diff as find

    format = format_of(format, output)
    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    with progress_bar("files") as progress:
        found = find(
            *files,
            metric=metrics or None,
            examples=examples,
            by=by,
            lexicon=lexicon,
            **reading_arguments(options),
            progress=progress,
        )
    emit(render(found, format, limit=limit, **look(output)), format, output)
    if exit_code and found.is_different:
        counts = ", ".join(f"{each.different:,} by {each.metric}" for each in found.layers)
        raise GateError(f"{found.a} and {found.b} differ: {counts}")
