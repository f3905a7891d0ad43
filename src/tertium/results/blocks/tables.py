"""Texts and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tertium.results.blocks.cells import Better, Cell, Column, Missing, Range, is_interval
from tertium.results.blocks.contests import best_of_columns, ends_of_rows

Mark = Literal["best", "ahead", "behind", "bound"]
Role = Literal[
    "title", "paragraph", "gold", "coverage", "tests", "note", "signature", "code"
]  # fmt: skip


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
    - `ways`: which values win in a contest, where it is not those that win in the column
    - `omitted`: how many further rows were left out, and where to find them
    - `note`: what a reader of these numbers must know
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    keys: int = 1
    contests: tuple[str, ...] = ()
    ways: Mapping[str, Better | None] = field(default_factory=dict)
    omitted: str = ""
    note: str = ""
    best: frozenset[tuple[int, int]] = field(init=False)
    worst: frozenset[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")
            for value, column in zip(row, self.columns, strict=True):
                if value is not None and not isinstance(value, Missing):
                    _check_interval(value, column)
        if self.contests and len(self.contests) != len(self.rows):
            raise ValueError(f"{len(self.contests)} contests for {len(self.rows)} rows")
        ahead, behind = ends_of_rows(self)
        object.__setattr__(self, "best", best_of_columns(self) | ahead)
        object.__setattr__(self, "worst", behind)

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

    def mark(self, row: int, place: int) -> Mark | None:
        """What to show of a cell besides its value; upper bounds are marked in the header."""
        if (row, place) in self.best:
            return "ahead" if self.columns[place].contest else "best"
        return "behind" if (row, place) in self.worst else None

    @property
    def marks(self) -> dict[Mark, str]:
        """The marks that occur, with what they mean in words."""
        within = f" within {self.within}" if self.within else ""
        words: dict[Mark, str] = {
            "best": f"best of its column{within}",
            "ahead": "best of its row",
            "behind": "worst of its row",
            "bound": "upper bound",
        }
        found = {self.mark(*cell) for cell in self.best | self.worst}
        if any(column.bound for column in self.columns):
            found.add("bound")
        return {mark: text for mark, text in words.items() if mark in found}


def _check_interval(value: Cell, column: Column) -> None:
    if isinstance(value, Range) != is_interval(column.kind):
        raise ValueError(f"{value!r} in column '{column.header}' of kind {column.kind}")


def reasons(table: Table) -> list[str]:
    """The distinct reasons of missing values, in reading order: footnote 1 is the first."""
    cells = (cell for row in table.rows for cell in row)
    return list(dict.fromkeys(cell.reason for cell in cells if isinstance(cell, Missing)))


def table_of(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, title: str = "", keys: int = 1
) -> Table:
    """A table from any sequences."""
    return Table(tuple(columns), tuple(tuple(row) for row in rows), title=title, keys=keys)


def table_of_records(records: Sequence[Mapping[str, Cell]], *, title: str = "") -> Table:
    """A table with a row per record; numbers are counts, and what a record lacks is empty."""
    names = dict.fromkeys(name for record in records for name in record)
    numbers = {
        name
        for name in names
        if not any(isinstance(record.get(name), str) for record in records)
        and any(record.get(name) is not None for record in records)
    }
    columns = [Column(name, kind="count" if name in numbers else "text") for name in names]
    return table_of(columns, [[r.get(name) for name in names] for r in records], title=title)
