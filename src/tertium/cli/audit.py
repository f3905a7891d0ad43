"""`tertium audit`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.cli.testing import asked_testing, significance_options
from tertium.exceptions import UsageError
from tertium.report.render.audit import SHOWN, render


@click.command(short_help="Ask how easily a difference between two systems would go away.")
@click.argument("files", nargs=-1, metavar="GOLD A B")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="The main metric, such as {LAS}; further ones are looked at besides those that fit the "
    "layer. By default the first that fits.",
)  # fmt: skip
@click.option(
    "--by", metavar="KEY", multiple=True,
    help="Also look at groups: length, document, file, a key of gold's comments, or a property of "
    "words such as upos; repeatable.",
)  # fmt: skip
@click.option(
    "--lexicon", metavar="FILE",
    help="Training data: also look at words, or spans, that occur in it and at those that do not.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help="Labels and groups that are shown, 0 for all; all of them are counted. By default "
    f"{SHOWN} in text and all elsewhere.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(min=1), metavar="N",
    help="Random samples of each size, 100 by default.",
)  # fmt: skip
@click.option(
    "--sample-trials", type=click.IntRange(min=1), metavar="N",
    help="Trials of the test of each of these, 1,000 by default.",
)  # fmt: skip
@significance_options(leave_out=("correction", "alpha"))
@reading_options()
@figure_options
def audit(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    by: tuple[str, ...],
    lexicon: str | None,
    limit: int | None,
    samples: int | None,
    sample_trials: int | None,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Ask how easily a difference between two systems would go away.

    The difference is tested under every metric that fits, for every label, by other tests, as data
    is added, on sentences up to a length and in parts of the data (Søgaard et al. 2014). Systems
    are given as files are to 'tertium score'.

    \b
    tertium audit gold.conllu a.conllu b.conllu
    tertium audit gold.conllu a.conllu b.conllu --metric {LAS} --by genre
    tertium audit gold.bio a.bio b.bio --lexicon train.bio --output audit.html
    """
    if len(files) != 3:
        raise UsageError(
            f"give a gold standard and two systems, GOLD A B. Got {len(files)} "
            f"{'file' if len(files) == 1 else 'files'} instead.",
            help="'tertium compare' compares any number of systems, and tests every two of them",
        )
    gold, a, b = files
    format = format_of(format, output, figures=True)
    start_lightly()
    testing = asked_testing(given)
    from tertium.significance.audit.audit import audit as find

    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    wanted: dict[str, Any] = {"samples": samples, "sample_trials": sample_trials}
    with progress_bar("files") as progress:
        found = find(
            gold,
            a,
            b,
            metric=metrics or None,
            by=by,
            lexicon=lexicon,
            testing=testing,
            **{name: value for name, value in wanted.items() if value is not None},
            **reading_arguments(options),
            progress=progress,
        )
    emit(render(found, format, limit=limit, **look(output)), format, output)
