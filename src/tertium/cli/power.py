"""`tertium power`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.exceptions import UsageError


@click.command(short_help="Show how large a difference a test set can show.")
@click.argument("files", nargs=-1, metavar="GOLD A B")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric such as {LAS}; repeatable. By default one for each kind of layer present.",
)  # fmt: skip
@click.option(
    "--difference", type=float, metavar="FRACTION",
    help="The difference to be found: 0.005 is half a point. By default the observed one.",
)  # fmt: skip
@click.option(
    "--power", "target", type=float, default=0.8, show_default=True, metavar="SHARE",
    help="How often it is to be found.",
)  # fmt: skip
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, metavar="ALPHA",
    help="A p below it is significant.",
)  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(min=1), default=10_000, show_default=True, metavar="N",
    help="Simulated test sets of each size.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="S",
    help="Seed of everything that is drawn at random.",
)  # fmt: skip
@reading_options()
@figure_options
def power(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    difference: float | None,
    target: float,
    alpha: float,
    trials: int,
    seed: int,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Show how large a difference a test set can show, and how large it has to be for another.

    GOLD, A and B are given as to 'tertium score'. Test sets of other sizes, and systems that differ
    more or less, are simulated from the counts per sentence of these two.

    \b
    tertium power gold.conllu a.conllu b.conllu --metric {LAS}
    tertium power gold.bio a.bio b.bio --difference 0.01
    tertium power gold.conllu a.conllu b.conllu --power 0.9 --alpha 0.0025
    """
    if len(files) != 3:
        raise UsageError(
            f"give a gold standard and two systems, A and B. Got {len(files)} files instead.",
            help="the power of a test depends on where two systems differ",
        )
    start_lightly()
    from tertium.significance.power import power as find

    format = format_of(format, output, figures=True)
    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    with progress_bar("files") as progress:
        found = find(
            *files,
            metric=metrics or None,
            difference=difference,
            target=target,
            alpha=alpha,
            trials=trials,
            seed=seed,
            progress=progress,
            **reading_arguments(options),
        )
    from tertium.report.render.power import render

    emit(render(found, format, **look(output)), format, output)
