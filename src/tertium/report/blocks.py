"""Blocks: what a report is made of, before anybody decides how it looks.

A section builds blocks, a renderer shows them. Cells hold raw values, never formatted ones, so that
every renderer rounds, escapes and marks in its own way and none can disagree about a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tertium.report.contests import best_of_columns, ends_of_rows

if TYPE_CHECKING:
    from tertium.align.trees import TreePair

Kind = Literal["text", "percent", "count", "number", "delta", "flag"]
Better = Literal["higher", "lower"]
Mark = Literal["best", "ahead", "behind", "bound"]
Role = Literal["title", "gold", "coverage", "note", "signature", "code"]

NOTHING = "(none)"  # a label on one side where the other has nothing
MOST_ABREAST = 6  # bars whose numbers stand side by side


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
      whole number, "flag" 1 or 0 shown as a dot or nothing, "number" any other
    - `better`: which values win; None where there is nothing to win
    - `contest`: columns with the same name here compete with each other within a row, such as
      systems for a label, and not with the rows above and below
    - `bound`: what no competitor can pass
    """

    header: str
    group: str = ""
    kind: Kind = "text"
    better: Better | None = None
    contest: str = ""
    bound: bool = False


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
    - `note`: what a reader of these numbers must know
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    keys: int = 1
    contests: tuple[str, ...] = ()
    omitted: str = ""
    note: str = ""
    best: frozenset[tuple[int, int]] = field(init=False)
    worst: frozenset[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")
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


@dataclass(frozen=True, slots=True)
class Matrix:
    """Numbers by two sets of labels, drawn as a heat map where a format has pictures.

    - `rows`, `columns`: the labels; None stands for nothing on that side
    - `values`: one tuple a row; None where there can be no number
    - `row_axis`, `column_axis`: what the labels are, such as "gold label"
    - `largest`: the number that is coloured most, for matrices that are to be compared; by default
      the largest there is
    - `smallest`: the number from which colours begin; if it is not 0, the scale is drawn
    """

    rows: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    values: tuple[tuple[float | None, ...], ...]
    title: str = ""
    row_axis: str = ""
    column_axis: str = ""
    kind: Kind = "count"
    note: str = ""
    largest: float | None = None
    smallest: float = 0

    def __post_init__(self) -> None:
        _check_shape(self.values, len(self.rows), len(self.columns))

    def table(self, nothing: str = NOTHING, *, grouped: bool = True) -> Table:
        """The numbers as a table.

        `nothing` is how a label that is None is written. What the columns are stands above them,
        or in the corner where a format cannot group columns.
        """
        names = [nothing if name is None else name for name in self.columns]
        axis = self.column_axis if grouped else ""
        corner = " \\ ".join(filter(None, (self.row_axis, "" if grouped else self.column_axis)))
        return Table(
            (Column(corner), *(Column(name, axis, self.kind) for name in names)),
            tuple(
                (nothing if name is None else name, *row)
                for name, row in zip(self.rows, self.values, strict=True)
            ),
            title=self.title,
            note=self.note,
        )


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars of equal length: how each of a few wholes is made up of the same categories.

    - `names`: what the bars are, such as systems
    - `values`: one tuple a bar, one number a category; None where a bar cannot have the category
    - `axis`: what the categories are; `unit`: what is counted
    - `numbers`: are they shown in a text? Not where another table there has them
    """

    names: tuple[str, ...]
    categories: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    title: str = ""
    axis: str = "category"
    unit: str = "count"
    note: str = ""
    numbers: bool = True

    def __post_init__(self) -> None:
        _check_shape(self.values, len(self.names), len(self.categories))
        if any(value is not None and value < 0 for row in self.values for value in row):
            raise ValueError("a part of a bar cannot be negative")

    def totals(self) -> list[float]:
        """The whole of each bar."""
        return [sum(value or 0 for value in row) for row in self.values]

    def shares(self) -> list[list[float | None]]:
        """Each category's share of its bar; None where there is no number or nothing to share."""
        return [
            [None if value is None or not total else value / total for value in row]
            for row, total in zip(self.values, self.totals(), strict=True)
        ]

    def table(self) -> Table:
        """Numbers and shares, a pair of columns a bar, and the whole in the last row; of many bars
        a row each."""
        if len(self.names) > MOST_ABREAST:
            return self._long_table()
        several = len(self.names) > 1
        columns = [Column(self.axis)]
        for name in self.names:
            group = name if several else ""
            columns += [Column(self.unit, group, "count"), Column("share", group, "percent")]
        rows: list[tuple[Cell, ...]] = []
        shares, totals = self.shares(), self.totals()
        empty = Missing(f"no {self.unit} to share out")
        for place, category in enumerate(self.categories):
            cells: list[Cell] = [category]
            for row, share, total in zip(self.values, shares, totals, strict=True):
                value = row[place]
                cells += [value, share[place] if total or value is None else empty]
            rows.append(tuple(cells))
        whole: list[Cell] = ["all"]
        for total in totals:
            whole += [total, 1.0 if total else empty]
        return Table((*columns,), (*rows, tuple(whole)), title=self.title, note=self.note)

    def _long_table(self) -> Table:
        columns = [Column("")]
        for category in self.categories:
            columns += [Column(self.unit, category, "count"), Column("share", category, "percent")]
        empty = Missing(f"no {self.unit} to share out")
        rows: list[tuple[Cell, ...]] = []
        for name, row, shares, total in zip(
            self.names, self.values, self.shares(), self.totals(), strict=True
        ):
            cells: list[Cell] = [name]
            for value, share in zip(row, shares, strict=True):
                cells += [value, share if total or value is None else empty]
            rows.append((*cells, total))
        columns.append(Column(self.unit, "all", "count"))
        return Table((*columns,), tuple(rows), title=self.title, note=self.note)


@dataclass(frozen=True, slots=True)
class Intersections:
    """How many items are in which of a few sets at once, such as what each system got right.

    Drawn as bars over a grid of dots (Lex et al. 2014, "UpSet"), the most frequent combination
    first, then the one of more sets, then of earlier ones.

    - `members`: one tuple a combination, one entry a set; no combination occurs twice
    - `axis`: what it is to be in a set; `unit`: what is counted
    - `most`: so many combinations are shown, the rest is counted; None for all
    """

    sets: tuple[str, ...]
    members: tuple[tuple[bool, ...], ...]
    counts: tuple[int, ...]
    title: str = ""
    axis: str = "right"
    unit: str = "items"
    most: int | None = 24
    note: str = ""

    def __post_init__(self) -> None:
        _check_shape(self.members, len(self.counts), len(self.sets))
        if len(set(self.members)) < len(self.members):
            raise ValueError("a combination occurs twice")
        order = sorted(
            range(len(self.counts)),
            key=lambda i: (
                -self.counts[i],
                -sum(self.members[i]),
                [not m for m in self.members[i]],
            ),
        )
        object.__setattr__(self, "members", tuple(self.members[i] for i in order))
        object.__setattr__(self, "counts", tuple(self.counts[i] for i in order))

    @property
    def sizes(self) -> list[int]:
        """How much each set holds in all."""
        return [
            sum(n for row, n in zip(self.members, self.counts, strict=True) if row[place])
            for place in range(len(self.sets))
        ]

    @property
    def shown(self) -> int:
        """How many combinations are shown."""
        return len(self.counts) if self.most is None else min(self.most, len(self.counts))

    @property
    def rest(self) -> str:
        """What is not shown, in words."""
        left = self.counts[self.shown :]
        if not left:
            return ""
        many = "combination" if len(left) == 1 else "combinations"
        return f"and {len(left):,} rarer {many} with {sum(left):,} {self.unit}"

    def table(self) -> Table:
        """A row a combination: which sets, how many sets, how many items, and their share."""
        total = sum(self.counts)
        columns = [Column(name, self.axis, "flag") for name in self.sets]
        columns += [
            Column("sets", "", "count"),
            Column(self.unit, "", "count"),
            Column("share", "", "percent"),
        ]
        rows: list[tuple[Cell, ...]] = [
            (*map(int, row), sum(row), n, n / total if total else Missing(f"no {self.unit}"))
            for row, n in zip(self.members, self.counts, strict=True)
        ]
        return Table(
            tuple(columns),
            tuple(rows[: self.shown]),
            title=self.title,
            keys=0,
            omitted=self.rest,
            note=self.note,
        )


@dataclass(frozen=True, slots=True)
class TreeFigure:
    """The dependency trees of a sentence, and a table of what there is to say about them.

    - `names`: of gold and system
    - `summary`: what the table holds; it is folded up unless it `is_open`
    """

    pair: TreePair
    rows: Table
    names: tuple[str, str] = ("gold", "system")
    title: str = ""
    summary: str = "Words"
    is_open: bool = False
    note: str = ""

    def table(self) -> Table:
        """The table; for formats without pictures it is all there is."""
        return self.rows


Figure = Matrix | Bars | Intersections | TreeFigure
Block = Text | Table | Figure


def _check_shape(values: Sequence[Sequence[object]], height: int, width: int) -> None:
    if len(values) != height or any(len(row) != width for row in values):
        raise ValueError(f"values must be {height} rows of {width}")


def as_table(block: Table | Figure, nothing: str = NOTHING, *, grouped: bool = True) -> Table:
    """The table itself, or the numbers behind a figure."""
    if isinstance(block, Matrix):
        return block.table(nothing, grouped=grouped)
    return block if isinstance(block, Table) else block.table()


def reasons(table: Table) -> list[str]:
    """The distinct reasons of missing values, in reading order: footnote 1 is the first."""
    cells = (cell for row in table.rows for cell in row)
    return list(dict.fromkeys(cell.reason for cell in cells if isinstance(cell, Missing)))


def table_of(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], *, title: str = "", keys: int = 1
) -> Table:
    """A table from any sequences."""
    return Table(tuple(columns), tuple(tuple(row) for row in rows), title=title, keys=keys)
