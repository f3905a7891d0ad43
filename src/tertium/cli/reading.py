"""Options of all verbs that compare annotations of one text: how files are read and paired, and in
how many processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

DEFAULTS: dict[str, Any] = {
    "align": "auto",
    "on_error": "fail",
    "map_labels": (),
    "with": (),
    "jobs": 1,
}
_COMMON = (
    click.option(
        "--align", type=click.Choice(["auto", "characters", "position"]),
        help="How tokens are paired: as they are or by characters (auto), by characters, or by "
        "sentence and token number.",
    ),
    click.option(
        "--on-error", type=click.Choice(["fail", "skip", "repair"]),
        help="What happens to bad sentences; skipped and repaired ones are counted.",
    ),
    click.option(
        "--map-labels", multiple=True, metavar="[LAYER=]FILE",
        help="Two columns, old and new label: rename before comparing; repeatable.",
    ),
    click.option(
        "--with", "with", multiple=True, metavar="FILE",
        help="Add the layers of another file over the same tokens; repeatable.",
    ),
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes for many files.",
    ),
)  # fmt: skip


def reading_options(
    *, both: str = "gold and systems", other: str = "the systems", of_other: str = "The systems'"
) -> Callable[[F], F]:
    """Formats, columns, alignment, bad input, label maps and further layers. An option that is not
    given is None or empty, so that a verb can tell; `DEFAULTS` says what it means then.

    The arguments are what the help calls the sides.
    """
    # As they are listed in the help.
    options = (
        click.option("--input-format", metavar="FORMAT", help=f"Format of {both}."),
        click.option("--system-format", metavar="FORMAT", help=f"Format of {other}, if another."),
        click.option("--columns", metavar="ROLES", help="Roles of columns: form=0,upos=1,ner=-1."),
        click.option("--system-columns", metavar="ROLES", help=f"{of_other} columns, if others."),
        *_COMMON,
    )

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def reading_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """What `tertium.score` and `tertium.errors` take for these options."""
    return {
        "input_format": options.get("input_format"),
        "system_format": options.get("system_format"),
        "columns": options.get("columns"),
        "system_columns": options.get("system_columns"),
        "align": options["align"],
        "on_error": options["on_error"],
        "map_labels": options["map_labels"],
        "with_files": options["with"],
        "jobs": options["jobs"],
    }
