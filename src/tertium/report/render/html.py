"""HTML: one self-contained page, light or dark as the reader prefers, no address from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tertium.report.blocks import (
    Block,
    Figure,
    Missing,
    Table,
    Text,
    TreeFigure,
    as_table,
    reasons,
)
from tertium.report.render.plain import shown, visible

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup


@dataclass(frozen=True)
class _Cell:
    """What the template needs to know of a cell."""

    text: str
    is_key: bool
    is_number: bool
    is_best: bool
    note: int = 0


@dataclass(frozen=True)
class _Table:
    table: Table
    title: str
    rows: tuple[tuple[_Cell, ...], ...]
    notes: tuple[str, ...]
    begins: tuple[bool, ...]
    kind: str = "table"


@dataclass(frozen=True)
class _Figure:
    """A drawing, and the table of its numbers."""

    figure: Figure
    svg: Markup
    table: _Table
    summary: str = "Numbers"
    is_open: bool = False
    kind: str = "figure"


def render(blocks: Sequence[Block], *, title: str = "Tertium") -> str:
    """The page. Everything from outside is escaped by the template engine."""
    from tertium._version import __version__

    items = [_item(block, number) for number, block in enumerate(blocks)]
    return _template().render(
        title=title, blocks=items, version=__version__, visible=visible, best_sign="•"
    )


def _item(block: Block, number: int) -> _Table | _Figure | Text:
    if isinstance(block, Text):
        return block
    if isinstance(block, Table):
        return _table(block)
    from markupsafe import Markup

    from tertium.report.render.svg import draw
    from tertium.report.svg.drawing import inline

    # Made of escaped texts alone (svg/elements.py).
    svg = Markup(inline(draw(block), title=block.title, name=f"figure-{number}"))
    table = _table(as_table(block))
    if isinstance(block, TreeFigure):
        return _Figure(block, svg, table, block.summary, block.is_open)
    return _Figure(block, svg, table)


def _table(table: Table) -> _Table:
    notes = reasons(table)
    rows = tuple(
        tuple(
            _Cell(
                text=shown(value, column.kind),
                is_key=place < table.keys,
                is_number=column.kind != "text",
                is_best=(i, place) in table.best,
                note=1 + notes.index(value.reason) if isinstance(value, Missing) else 0,
            )
            for place, (value, column) in enumerate(zip(row, table.columns, strict=True))
        )
        for i, row in enumerate(table.rows)
    )
    begins = tuple(bool(table.within) and not table.continues(i) for i in range(len(rows)))
    return _Table(table, table.title, rows, tuple(notes), begins)


@cache
def _template() -> Template:
    from importlib import resources

    from jinja2 import Environment, FunctionLoader, StrictUndefined

    assets = resources.files("tertium") / "report" / "assets"
    environment = Environment(
        loader=FunctionLoader(lambda name: (assets / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.jinja")
