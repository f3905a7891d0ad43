"""Lists of errors in any format. Text, JSON lines and CSV can be written error by error."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from tertium.comparison.errors.instances import COLUMNS, Instance
from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.comparison.errors.verb import Errors

STREAMED = ("text", "json", "csv")


@dataclass(frozen=True)
class Writing:
    """How a list is written: what stands first, each error, and what stands last.

    An error may be kept back until others of its sentence are known; the last ones come first in
    what stands last.
    """

    head: str
    one: Callable[[Instance], str]
    tail: Callable[[Errors], str]


def writing(
    format: str,
    *,
    several: bool = False,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> Writing:
    """The way to write one of the formats that need not know all errors before the first.

    `several`: are there several systems, so that each error must say whose it is?
    """
    if format == "json":
        return Writing("", _json, lambda errors: "")
    if format == "csv":
        return Writing(_row(COLUMNS), lambda e: _row(e.to_row().values()), lambda errors: "")
    from tertium.report.render import text
    from tertium.report.render.arc_examples import ArcExamples
    from tertium.report.sections.errors import summary

    examples = ArcExamples(width=width, color=color, ascii=ascii, several=several)
    return Writing(
        "",
        examples.example,
        lambda errors: (
            examples.rest() + text.render(summary(errors), width=width, color=color, ascii=ascii)
        ),
    )


def render(
    errors: Errors, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """A whole list as a string."""
    if format == "svg":
        raise UsageError("errors are a list; there is no figure to show as SVG")
    if format in STREAMED:
        several = len(errors.systems) > 1
        way = writing(format, several=several, width=width, color=color, ascii=ascii)
        return "".join([way.head, *map(way.one, errors), way.tail(errors)])
    from tertium.report.render import render_blocks
    from tertium.report.sections.errors import build

    blocks = build(errors, figures=format == "html")
    return render_blocks(blocks, format, title=f"Errors against {errors.gold}")


def _json(instance: Instance) -> str:
    return json.dumps(instance.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"


def _row(values: Iterable[object]) -> str:
    out = StringIO(newline="")
    csv.writer(out).writerow(values)
    return out.getvalue()
