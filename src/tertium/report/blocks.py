"""Blocks: what a report is made of, before anybody decides how it looks.

A section builds blocks, a renderer shows them. Cells hold raw values, never formatted ones, so that
every renderer rounds, escapes and marks in its own way and none can disagree about a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "percent", "count", "number", "delta"]
Better = Literal["higher", "lower"]
Role = Literal["title", "gold", "coverage", "note", "signature", "code"]

SAME = 1e-12  # values that differ by less are ties: the order of additions must not pick a winner


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist, and why: shown as a dash with a footnote."""

    reason: str


Cell = str | int | float | Missing | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    - `group`: what stands above several neighbouring columns, such as the metric
    - `kind`: "percent" and "delta" are fractions shown times 100 (a delta with its sign), "count" a
      whole number, "number" any other
    - `better`: which values win; None where there is nothing to win
    """

    header: str
    group: str = ""
    kind: Kind = "text"
    better: Better | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line or paragraph. `role` says what it is, so that a renderer can place it."""

    text: str
    role: Role = "note"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of raw values under typed columns.

    - `keys`: how many columns at the left name the row; they are repeated where a table is cut
    - `contests`: one entry per row; only rows with the same entry compete for the best value, so
      that systems are compared within a genre, never across. Empty: all rows compete.
    - `omitted`: how many further rows were left out, and where to find them
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    keys: int = 1
    contests: tuple[str, ...] = ()
    omitted: str = ""
    best: frozenset[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")
        if self.contests and len(self.contests) != len(self.rows):
            raise ValueError(f"{len(self.contests)} contests for {len(self.rows)} rows")
        object.__setattr__(self, "best", _best(self))

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Runs of neighbouring columns of one group, as (name, number of columns)."""
        runs: list[tuple[str, int]] = []
        for column in self.columns:
            if runs and runs[-1][0] == column.group and column.group:
                runs[-1] = (column.group, runs[-1][1] + 1)
            else:
                runs.append((column.group, 1))
        return runs

    @property
    def within(self) -> str:
        """What rows must have in common to compete, in words; empty where all rows do."""
        return self.columns[0].header if len(set(self.contests)) > 1 else ""

    def continues(self, row: int) -> bool:
        """Does a row belong to the contest of the row above?"""
        return row > 0 and bool(self.contests) and self.contests[row] == self.contests[row - 1]

    @property
    def has_groups(self) -> bool:
        """Does any column belong to a group?"""
        return any(column.group for column in self.columns)


Block = Text | Table


def _best(table: Table) -> frozenset[tuple[int, int]]:
    """(row, column) of every best value. Ties all win; where all defined values tie, none does.

    >>> columns = (Column("system"), Column("errors", kind="count", better="lower"))
    >>> sorted(Table(columns, (("a", 3), ("b", 2), ("c", 2))).best)
    [(1, 1), (2, 1)]
    """
    contests = table.contests or ("",) * len(table.rows)
    found: set[tuple[int, int]] = set()
    rows_of: dict[str, list[int]] = {}
    for i, name in enumerate(contests):
        rows_of.setdefault(name, []).append(i)
    for rows in rows_of.values():
        for place, column in enumerate(table.columns):
            if column.better is None:
                continue
            values = {i: v for i in rows if isinstance(v := table.rows[i][place], int | float)}
            if not values:
                continue
            top = (max if column.better == "higher" else min)(values.values())
            winners = {(i, place) for i, v in values.items() if abs(v - top) <= SAME}
            if len(winners) < len(values):
                found |= winners
    return frozenset(found)


def reasons(table: Table) -> list[str]:
    """The distinct reasons of missing values, in reading order: footnote 1 is the first."""
    cells = (cell for row in table.rows for cell in row)
    return list(dict.fromkeys(cell.reason for cell in cells if isinstance(cell, Missing)))


def table_of(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, title: str = "", keys: int = 1
) -> Table:
    """A table from any sequences."""
    return Table(tuple(columns), tuple(tuple(row) for row in rows), title=title, keys=keys)
