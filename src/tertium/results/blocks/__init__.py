"""Blocks: what a report is made of, before anybody decides how it looks.

A section builds blocks, a renderer shows them. Cells hold raw values, never formatted ones, so that
every renderer rounds, escapes and marks in its own way and none can disagree about a number.
"""

from __future__ import annotations

from tertium.results.blocks.figures import (
    MOST_ABREAST,
    NOTHING,
    Bars,
    Excerpt,
    Hinton,
    Intersections,
    Matrix,
    Picture,
    Shares,
    Stretch,
    Underline,
)
from tertium.results.blocks.plots import Lines, Ranks, Series
from tertium.results.blocks.tables import (
    Better,
    Cell,
    Column,
    Kind,
    Mark,
    Missing,
    Range,
    Role,
    Table,
    Text,
    better_of,
    is_interval,
    kind_of,
    or_missing,
    own_kind,
    reasons,
    rounded,
    table_of,
    table_of_records,
)

__all__ = [
    "MOST_ABREAST", "NOTHING", "Bars", "Better", "Block", "Cell", "Column", "Excerpt", "Graphic",
    "Hinton", "Intersections", "Kind", "Lines", "Mark", "Matrix", "Missing", "Picture", "Range",
    "Ranks", "Role", "Series", "Shares", "Stretch", "Table", "Text", "Underline", "as_table",
    "better_of", "is_interval", "kind_of", "or_missing", "own_kind", "reasons", "rounded",
    "table_of", "table_of_records",
]  # fmt: skip

Graphic = Matrix | Hinton | Bars | Shares | Intersections | Picture | Lines | Ranks
Block = Text | Table | Excerpt | Graphic


def as_table(
    block: Table | Excerpt | Graphic, nothing: str = NOTHING, *, grouped: bool = True
) -> Table:
    """The table itself, or the numbers behind a figure."""
    if isinstance(block, Matrix):
        return block.table(nothing, grouped=grouped)
    return block if isinstance(block, Table) else block.table()
