"""`tertium datasets`."""

from __future__ import annotations

from pathlib import Path

import click

from tertium.cli.output import emit, figure_options, format_of, look
from tertium.exceptions import UsageError


@click.command(short_help="Compare systems over several data sets.")
@click.argument("files", nargs=-1, metavar="[NAME=]JSON...")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric of the outputs; repeatable. By default all, which must be the same in each.",
)  # fmt: skip
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, metavar="ALPHA",
    help="Level of the critical difference and of effects.",
)  # fmt: skip
@figure_options
def datasets(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    alpha: float,
    format: str | None,
    output: str | None,
) -> None:
    """Compare systems over several data sets.

    Each JSON is what 'tertium score --format json' wrote of one data set, with the same systems
    under the same names. With '--significance' there, data sets on which systems differ are
    counted.

    \b
    tertium score news.conllu A=a1.conllu B=b1.conllu --output news.json
    tertium score web.conllu A=a2.conllu B=b2.conllu --output web.json
    tertium datasets news=news.json web=web.json --metric {LAS}
    """
    from tertium.report.render.datasets import render
    from tertium.significance.datasets import across_datasets

    format = format_of(format, output, figures=True)
    named: dict[str, str] = {}
    for text in files:
        name, path = _named(text)
        if name in named:
            raise UsageError(
                f"two data sets are called '{name}'", help="give each a name: 'NAME=file.json'"
            )
        named[name] = path
    found = across_datasets(named, metric=metrics or None, alpha=alpha)
    emit(render(found, format, **look(output)), format, output)


def _named(text: str) -> tuple[str, str]:
    """A name and a path; a file whose own name has a sign of equality is still a file."""
    name, equals, path = text.partition("=")
    if equals and name and not Path(text).exists():
        return name, path
    return Path(text).stem, text
