"""`tertium score --conventions`."""

from __future__ import annotations

from typing import Any

from tertium.cli.output import emit, look
from tertium.cli.reading import reading_arguments
from tertium.exceptions import UsageError

_NOT_HERE = ("labels", "confusion", "error_types", "parts", "by", "lexicon", "against")


def show_conventions(
    data: tuple[Any, ...], metrics: tuple[str, ...], options: dict[str, Any], format: str
) -> None:
    """Print what every convention says about the data."""
    asked = [name for name in _NOT_HERE if options.get(name)]
    if asked:
        raise UsageError(
            f"'--conventions' is a table of its own and cannot go with "
            f"'--{asked[0].replace('_', '-')}'",
            help="score once with '--conventions' and once without",
        )
    from tertium.comparison.conventions import conventions
    from tertium.report.render.conventions import render

    output = options.get("output")
    found = conventions(*data, column=_column(metrics), **reading_arguments(options))
    emit(render(found, format, **look(output)), format, output)


def _column(metrics: tuple[str, ...]) -> str | None:
    """The column that a span metric names; the metrics themselves are given."""
    from tertium.families.base import make

    if not metrics:
        return None
    made = make(metrics[0])
    if len(metrics) > 1 or made.family != "spans":
        raise UsageError(
            "'--conventions' chooses the metrics itself",
            help="'--metric spans.f1(column=NAME)' names the column of spans",
        )
    given = {k: v for k, v in made.parameters().items() if v != type(made)().parameters()[k]}
    column = given.pop("column", None)
    if given:
        raise UsageError(
            f"'--conventions' has its own parameters; '{next(iter(given))}' has no meaning there",
            help="'--metric spans.f1(column=NAME)' names the column of spans",
        )
    return None if column is None else str(column)
