"""HTML: one self-contained page, light or dark as the reader prefers, no address from outside.

The templates of pages take blocks as items: texts ready to be set, drawings, links.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tertium.results.blocks import (
    Block,
    Excerpt,
    Graphic,
    Picture,
    Table,
    Text,
    as_table,
    reasons,
)
from tertium.results.texts import SIGNS, CellText, RowText, text_rows, visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

LOOKS = {"flag": "flag", "letters": "letters"}  # of columns; others but texts are numbers
LONG = 36  # letters; longer texts may be broken


@dataclass(frozen=True)
class TableItem:
    """A table.

    - `notes`: the footnotes
    - `links`: one address a row, empty where there is none
    - `copy`: the number under which the page finds the texts to copy; negative if it has none
    """

    table: Table
    rows: Sequence[RowText]
    notes: Sequence[str]
    links: Sequence[str] = ()
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
    from markupsafe import Markup

    style = asset("page.css")
    return (
        environment()
        .get_template("page.html.jinja")
        .render(
            title=title,
            blocks=[block_item(block, f"figure-{number}") for number, block in enumerate(blocks)],
            style=Markup(style),
            style_hash=policy_hash(style),
        )
    )


def policy_hash(text: str) -> str:
    """What the security policy of a page allows, a style or a script: exactly this text."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


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
    return TableItem(table, [*text_rows(table)], reasons(table), links, copy)


def look_of(cell: CellText) -> str:
    """The classes of a cell."""
    column, looks = cell.column, []
    if column.kind != "text":
        looks.append(LOOKS.get(column.kind, "number"))
    elif len(str(cell.value)) > LONG:
        looks.append("long")
    looks += [cell.mark] if cell.mark else []
    looks += ["bound"] if column.bound else []
    return " ".join(looks)


def breakable(text: str) -> Markup:
    """A name that may be broken where its parts meet, so that columns can be narrow.

    >>> breakable("mic-cis.txt <b>")
    Markup('mic-<wbr>cis.<wbr>txt &lt;b&gt;')
    """
    from markupsafe import Markup, escape

    parts = re.split(r"(?<=[-_./:=|+])(?=\w)", visible(text))
    return Markup("<wbr>").join(map(escape, parts))


def asset(name: str) -> str:
    """A file of the folder `assets`."""
    from importlib import resources

    path = resources.files("tertium") / "report" / "assets" / name
    return path.read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Templates of the folder `assets`; everything from outside is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    from tertium._version import __version__

    made = Environment(
        loader=FunctionLoader(asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        visible=visible,
        breakable=breakable,
        look_of=look_of,
        signs=SIGNS,
        column_looks=LOOKS,
        version=__version__,
    )
    return made
