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
    family, column = _choice(metrics) if metrics else (None, None)
    found = conventions(*data, family=family, column=column, **reading_arguments(options))
    emit(render(found, format, **look(output)), format, output)


def _choice(metrics: tuple[str, ...]) -> tuple[str, str | None]:
    """The kind of annotation and the column that a metric names; the metrics themselves are
    given."""
    from tertium.families.base import make
    from tertium.families.family import families, family_of

    made = make(metrics[0])
    family = family_of(made)
    if family.conventions is None:
        family = next(each for each in families() if each.conventions is not None)
    assert family.conventions is not None
    usual = family.conventions.every[0].metric
    help = f"'--metric {usual}(column=NAME)' names the column of {family.title}"
    if len(metrics) > 1 or made.family != family.id:
        raise UsageError("'--conventions' chooses the metrics itself", help=help)
    given = {k: v for k, v in made.parameters().items() if v != type(made)().parameters()[k]}
    column = given.pop("column", None)
    if given:
        raise UsageError(
            f"'--conventions' has its own parameters; '{next(iter(given))}' has no meaning there",
            help=help,
        )
    return family.id, None if column is None else str(column)
