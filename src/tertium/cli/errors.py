"""`tertium errors`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import format_of, look, output_options, writing_to
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.comparison.errors.instances import Instance
    from tertium.comparison.errors.verb import Errors

JSON_LINES = (".jsonl", ".ndjson")
CHOICES = ("types", "gold_labels", "system_labels", "sentences")


@click.command(short_help="Show every error of a system in its sentence.")
@click.argument("files", nargs=-1, metavar="GOLD SYSTEM...")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric that judges single items, such as {LAS}. By default one that fits the "
    "layers present.",
)  # fmt: skip
@click.option(
    "--type", "types", multiple=True, metavar="TYPE",
    help="Only errors of a type, such as label; BE means all that begin with it. Repeatable.",
)  # fmt: skip
@click.option(
    "--gold", "gold_labels", multiple=True, metavar="LABEL",
    help="Only errors with this label in gold; 'none' if it has none. Repeatable.",
)  # fmt: skip
@click.option(
    "--system", "system_labels", multiple=True, metavar="LABEL",
    help="Only errors with this label in the system; 'none' if it has none. Repeatable.",
)  # fmt: skip
@click.option(
    "--sentence", "sentences", multiple=True, metavar="ID",
    help="Only errors in the sentence of this id, or of this number if there are no ids. "
    "Repeatable.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N", help="Show the first N of each system."
)
@click.option(
    "--sample", type=click.IntRange(min=0), metavar="N",
    help="Show N of each system, drawn at random.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="S",
    help="Seed of --sample; 0 if not given.",
)  # fmt: skip
@reading_options()
@output_options
def errors(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    limit: int | None,
    sample: int | None,
    seed: int,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Show every error of a system in its sentence, with both sides marked.

    GOLD and each SYSTEM are given as to 'tertium score'. Errors come from the same decisions as the
    score of the metric. --format json writes one object a line.

    \b
    tertium errors gold.bio system.bio --gold ORG --system LOC
    tertium errors gold.conllu a.conllu --type attachment --limit 20
    tertium errors gold.bio system.bio --output errors.jsonl
    """
    if len(files) < 2:
        raise UsageError(
            f"there is no system beside '{files[0]}'" if files else "give GOLD and SYSTEM",
            help="the gold standard comes first, then one or more systems",
        )
    if len(metrics) > 1:
        raise UsageError(
            f"errors are those of one metric; '--metric' was given {len(metrics)} times"
        )
    start_lightly()
    from tertium.comparison.errors.verb import errors as find_all
    from tertium.report.render.errors import STREAMED, render, writing

    if format is None and Path(output or "").suffix.lower() in JSON_LINES:
        format = "json"
    format = format_of(format, output)
    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    arguments = {
        "metric": metrics[0] if metrics else None,
        **{name: given[name] for name in CHOICES},
        "limit": limit,
        "sample": sample,
        "seed": seed,
        **reading_arguments(options),
    }
    streamed = format in STREAMED
    # A bar would be drawn into the midst of what is printed.
    quiet = streamed and output in (None, "-") and sys.stdout.isatty()
    with (
        writing_to(output, format) as write,
        nullcontext() if quiet else progress_bar("files") as progress,
    ):
        if streamed:
            way = writing(format, several=len(files) > 2, **look(output))
            head = [way.head]  # not before the first error: a failure prints nothing

            def each(error: Instance) -> None:
                write((head.pop() if head else "") + way.one(error))

            found = find_all(*files, **arguments, each=each, progress=progress)
            write((head.pop() if head else "") + way.tail(found))
        else:
            found = find_all(*files, **arguments, progress=progress)
            write(render(found, format))
    if format in ("json", "csv"):
        _say(found)


def _say(found: Errors) -> None:
    """What a list of data has no place for."""
    from tertium.cli.notes import note
    from tertium.results.texts import counted
    from tertium.significance.score.coverage import coverage_text

    for text in found.notes:
        note(text)
    for name in found.systems:
        note(f"{name}: {coverage_text(found.coverage[name])}; {found.signatures[name]}")
    shown = sum(found.shown.values())
    if shown < found.total:
        note(f"{shown:,} of {counted(found.total, 'error')} written")
