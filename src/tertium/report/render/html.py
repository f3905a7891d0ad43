"""HTML: one self-contained page, light or dark as the reader prefers, no address from outside.

The templates of pages take blocks as items: texts ready to be set, drawings, links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tertium.results.blocks import (
    Block,
    Excerpt,
    Graphic,
    Mark,
    Missing,
    Picture,
    Table,
    Text,
    as_table,
    reasons,
)
from tertium.results.texts import SIGNS, shown, visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

LOOKS = {"flag": "flag", "letters": "letters"}  # of columns; others but texts are numbers
LONG = 36  # letters; longer texts may be broken


@dataclass(frozen=True)
class CellItem:
    """A cell as text; `look` is its class, `note` the number of its footnote."""

    text: str
    is_key: bool
    look: str
    mark: str
    note: int = 0


@dataclass(frozen=True)
class TableItem:
    """A table.

    - `marks`: those that occur, with their meanings
    - `begins`: does a new contest begin at the row?
    - `links`: one address a row, empty where there is none
    - `copy`: the number under which the page finds the texts to copy; negative if it has none
    """

    table: Table
    title: str
    rows: tuple[tuple[CellItem, ...], ...]
    notes: tuple[str, ...]
    marks: Mapping[Mark, str]
    begins: tuple[bool, ...]
    links: tuple[str, ...] = ()
    copy: int = -1
    kind: str = "table"


@dataclass(frozen=True)
class FigureItem:
    """A drawing, and the table of its numbers."""

    figure: Graphic
    svg: Markup
    table: TableItem
    summary: str = "Numbers"
    is_open: bool = False
    kind: str = "figure"


Item = TableItem | FigureItem | Text


def render(blocks: Sequence[Block], *, title: str = "Tertium") -> str:
    """The page. Everything from outside is escaped by the template engine."""
    items = [block_item(block, f"figure-{number}") for number, block in enumerate(blocks)]
    return environment().get_template("page.html.jinja").render(title=title, blocks=items)


def block_item(block: Block, name: str, links: Sequence[str] = (), copy: int = -1) -> Item:
    """A block for a template; `name` is an id that occurs once on the page.

    `links` lead from the rows of a table or the parts of a figure, as `svg.draw` takes them.
    """
    if isinstance(block, Text):
        return block
    if isinstance(block, Table | Excerpt):
        return _table(as_table(block), links, copy)
    from markupsafe import Markup

    from tertium.report.render.svg import draw
    from tertium.report.svg.images import inline

    # Made of escaped texts alone (svg/elements.py).
    svg = Markup(inline(draw(block, links), title=block.title, name=name))
    table = _table(as_table(block), (), copy)
    if isinstance(block, Picture):
        return FigureItem(block, svg, table, block.summary, block.is_open)
    return FigureItem(block, svg, table)


def _table(table: Table, links: Sequence[str], copy: int) -> TableItem:
    notes = reasons(table)
    rows = tuple(
        tuple(
            CellItem(
                text=shown(value, column.kind),
                is_key=place < table.keys,
                look=" ".join(_looks(table, i, place)),
                mark=table.mark(i, place) or "",
                note=1 + notes.index(value.reason) if isinstance(value, Missing) else 0,
            )
            for place, (value, column) in enumerate(zip(row, table.columns, strict=True))
        )
        for i, row in enumerate(table.rows)
    )
    begins = tuple(bool(table.within) and not table.continues(i) for i in range(len(rows)))
    return TableItem(
        table, table.title, rows, tuple(notes), table.marks, begins, tuple(links), copy
    )


def _looks(table: Table, row: int, place: int) -> Iterator[str]:
    column, mark = table.columns[place], table.mark(row, place)
    if column.kind != "text":
        yield LOOKS.get(column.kind, "number")
    elif len(str(table.rows[row][place])) > LONG:
        yield "long"
    if mark:
        yield mark
    if column.bound:
        yield "bound"


def breakable(text: str) -> Markup:
    """A name that may be broken where its parts meet, so that columns can be narrow.

    >>> breakable("mic-cis.txt <b>")
    Markup('mic-<wbr>cis.<wbr>txt &lt;b&gt;')
    """
    from markupsafe import Markup, escape

    parts = re.split(r"(?<=[-_./:=|+])(?=\w)", visible(text))
    return Markup("<wbr>").join(map(escape, parts))


@cache
def environment() -> Environment:
    """Templates of the folder `assets`; everything from outside is escaped."""
    from importlib import resources

    from jinja2 import Environment, FunctionLoader, StrictUndefined

    from tertium._version import __version__

    assets = resources.files("tertium") / "report" / "assets"
    made = Environment(
        loader=FunctionLoader(lambda name: (assets / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        visible=visible, breakable=breakable, signs=SIGNS, column_looks=LOOKS, version=__version__
    )
    return made
