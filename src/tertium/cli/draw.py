"""`tertium draw`."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.reading import DEFAULTS, reading_arguments, reading_options
from tertium.exceptions import UsageError


@click.command(short_help="Draw sentences with their annotation, gold and system together.")
@click.argument("files", nargs=-1, metavar="GOLD [SYSTEM]")
@click.option(
    "--metric", metavar="METRIC",
    help="Metric whose items are drawn and whose errors are marked; by default one that fits the "
    "layers present.",
)  # fmt: skip
@click.option(
    "--sentence", "sentences", multiple=True, metavar="ID|NUMBER",
    help="Draw the sentence of this id, or of this number counted from 1. Repeatable.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help="Without --sentence: draw the first N, with a system those with errors; 10 if not given.",
)  # fmt: skip
@click.option(
    "--subtypes", is_flag=True, help="Compare relations with their subtypes (nsubj:pass)."
)
@click.option("--whole", is_flag=True, help="Text: show all words, also long runs without errors.")
@reading_options()
@figure_options
def draw(
    files: tuple[str, ...],
    metric: str | None,
    sentences: tuple[str, ...],
    limit: int | None,
    subtypes: bool,
    whole: bool,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Draw sentences of GOLD, or of GOLD and SYSTEM with errors marked.

    Dependency trees have one word per line in text, gold to the left and the system to the right.
    Other annotation stands over the words, as all annotation does in SVG and HTML: gold above, and
    what only the system has below.

    \b
    tertium draw gold.conllu system.conllu --sentence dev-17
    tertium draw gold.conllu --sentence 1 --output tree.svg
    """
    if not files or len(files) > 2:
        raise UsageError(
            "give GOLD, and SYSTEM if there is one" if not files else "give one SYSTEM at a time",
            help="'tertium draw --help' shows how it is used",
        )
    if sentences and limit is not None:
        raise UsageError("'--limit' is for sentences that are not named; leave out one of them")
    start_lightly()
    from tertium.comparison.draw import LIMIT
    from tertium.comparison.draw import draw as make

    format = format_of(format, output, figures=True)
    options = {**DEFAULTS, **{k: v for k, v in given.items() if v not in (None, ())}}
    drawing = make(
        *files,
        metric=metric,
        sentence=sentences or None,
        limit=LIMIT if limit is None else limit,
        subtypes=subtypes,
        **reading_arguments(options),
    )
    emit(drawing.render(format, whole=whole, **look(output)), format, output)
    if format in ("csv", "svg"):
        from tertium.cli.notes import note

        for text in drawing.notes:
            note(text)
