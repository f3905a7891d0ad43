"""Texts and tables: what a cell can hold, what a column says about its cells, and which values of a
table win."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from tertium.results.parts import PartKind, Way

Kind = Literal[
    "text", "percent", "count", "value", "number", "flag", "p", "letters",
    "delta", "count_delta", "value_delta",
    "interval", "interval_count", "interval_value", "interval_number",
    "interval_delta", "interval_count_delta", "interval_value_delta",
]  # fmt: skip
Form = Literal["percent", "delta", "interval", "interval_delta"]
Better = Literal["higher", "lower"]
Mark = Literal["best", "leader", "ahead", "behind", "bound"]
Role = Literal[
    "summary", "title", "paragraph", "gold", "coverage", "tests", "note", "signature", "code"
]  # fmt: skip
B = TypeVar("B")
Cells = frozenset[tuple[int, int]]  # places as (row, column)
SAME = 1e-12  # values that differ by less are ties: the order of additions must not pick a winner


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist, and why: shown as a dash with a footnote."""

    reason: str


@dataclass(frozen=True, slots=True)
class Range:
    """An interval. A bound that does not exist makes the whole interval Missing. `kind` is its own
    one, where the rows of a column are of different kinds."""

    low: float
    high: float
    kind: Kind | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise ValueError(f"an interval from {self.low} to {self.high} has no ends")
        if self.low > self.high:
            raise ValueError(f"an interval cannot go from {self.low} down to {self.high}")


class Amount(float):
    """A number that has a kind of its own, where the rows of a column are of different kinds."""

    kind: Kind

    def __new__(cls, value: float, kind: Kind) -> Amount:
        made = super().__new__(cls, value)
        made.kind = kind
        return made


Cell = str | int | float | Range | Missing | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    - `group`: what stands above several neighbouring columns, such as the metric
    - `kind`: "percent" and "delta" are fractions shown times 100 (a delta with its sign), "count" a
      whole number, "value" what a measure has that is neither, "flag" 1 or 0 shown as a dot or
      nothing, "p" a p-value, "number" any other; "count_delta" and "value_delta" have a sign;
      "interval" holds a Range of percentages, and "interval_..." one of that kind; "letters" stand
      beside the value on their left, and rows that share one do not differ
    - `better`: which values win; None where there is nothing to win
    - `contest`: columns with the same name here compete with each other within a row, such as
      systems for a label, and not with the rows above and below
    - `bound`: what no competitor can pass
    - `metric`: the text of the metric that it is about
    - `digits`: decimal places of its numbers, None for the usual ones; counts and p-values have
      their own
    """

    header: str
    group: str = ""
    kind: Kind = "text"
    better: Better | None = None
    contest: str = ""
    bound: bool = False
    metric: str = ""
    digits: int | None = None


def is_interval(kind: Kind) -> bool:
    """Does a column of that kind hold intervals?"""
    return kind.startswith("interval")


def kind_of(part: PartKind, form: Form = "percent") -> Kind:
    """The kind in which parts of a kind are shown: what a share has as `form`, others have in their
    own way.

    >>> kind_of("share", "delta"), kind_of("mean", "delta")
    ('delta', 'value_delta')
    """
    if part == "share":
        return form
    own = "count" if part == "count" else "value"
    names = {
        "percent": own,
        "delta": f"{own}_delta",
        "interval": f"interval_{own}",
        "interval_delta": f"interval_{own}_delta",
    }
    return cast(Kind, names[form])


def better_of(way: Way) -> Better | None:
    """Which values win, as columns have it."""
    return None if way == "none" else way


def or_missing(value: float | None, reason: str | None = None) -> Cell:
    """A number, or why there is none.

    >>> or_missing(0.5), or_missing(None, "no items")
    (0.5, Missing(reason='no items'))
    """
    return Missing(reason or "undefined") if value is None else value


def own_kind(value: Cell, part: PartKind, column: Column) -> Cell:
    """A number or interval of such a part in a column that may be made for parts of another kind.

    >>> own_kind(0.5, "mean", Column("change", kind="delta")).kind
    'value_delta'
    """
    signed, ends = column.kind.endswith("delta"), is_interval(column.kind)
    form: Form = ("interval_delta" if ends else "delta") if signed else "percent"
    kind = kind_of(part, "interval" if ends and not signed else form)
    if kind == column.kind:
        return value
    if isinstance(value, Range):
        return Range(value.low, value.high, kind)
    return Amount(value, kind) if isinstance(value, int | float) else value


@dataclass(frozen=True, slots=True)
class Text:
    """A line or paragraph. `role` says what it is, so that a renderer can place it; `whose` names
    the systems that a signature belongs to, where they have different ones, and `name` is what
    tables call its metric."""

    text: str
    role: Role = "note"
    whose: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of raw values under typed columns.

    - `keys`: how many columns at the left name the row; they are repeated where a table is cut
    - `contests`: one entry per row; only rows with the same entry compete for the best value, so
      that systems are compared within a genre, never across. Empty: all rows compete.
    - `ways`: which values win in a contest, where it is not those that win in the column
    - `league`: the place of a column, such as the kind of a system; among rows that have the same
      there, the best value of each column is marked even if it is not the best of all
    - `omitted`: how many further rows were left out, and where to find them
    - `note`: what a reader of these numbers must know
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    keys: int = 1
    contests: tuple[str, ...] = ()
    ways: Mapping[str, Better | None] = field(default_factory=dict)
    league: int | None = None
    omitted: str = ""
    note: str = ""
    best: frozenset[tuple[int, int]] = field(init=False)
    worst: frozenset[tuple[int, int]] = field(init=False)
    leaders: frozenset[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")
            for value, column in zip(row, self.columns, strict=True):
                if value is not None and not isinstance(value, Missing):
                    _check_interval(value, column)
        if self.contests and len(self.contests) != len(self.rows):
            raise ValueError(f"{len(self.contests)} contests for {len(self.rows)} rows")
        best, worst = _winners(self)
        object.__setattr__(self, "best", best)
        object.__setattr__(self, "worst", worst)
        object.__setattr__(self, "leaders", _leaders(self))

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
        if (row, place) in self.leaders:
            return "leader"
        return "behind" if (row, place) in self.worst else None

    @property
    def marks(self) -> dict[Mark, str]:
        """The marks that occur, with what they mean in words."""
        within = f" within {self.within}" if self.within else ""
        words: dict[Mark, str] = {
            "best": f"best of its column{within}",
            "leader": f"best of its {self.columns[self.league or 0].header}",
            "ahead": "best of its row",
            "behind": "worst of its row",
            "bound": "oracle",
        }
        found = {self.mark(*cell) for cell in self.best | self.worst | self.leaders}
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


def rounded(blocks: Sequence[B], digits: int) -> list[B]:
    """The same blocks, with so many decimal places in tables."""
    return [
        replace(block, columns=tuple(replace(c, digits=digits) for c in block.columns))
        if isinstance(block, Table)
        else block
        for block in blocks
    ]


def table_of(
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    *,
    title: str = "",
    keys: int = 1,
    note: str = "",
    omitted: str = "",
) -> Table:
    """A table from any sequences."""
    shown = tuple(columns), tuple(map(tuple, rows))
    return Table(*shown, title=title, keys=keys, note=note, omitted=omitted)


def table_of_records(
    records: Sequence[Mapping[str, Any]],
    *,
    title: str = "",
    columns: Mapping[str, Column] | None = None,
    reasons: Mapping[str, str] | None = None,
    keys: int = 1,
    note: str = "",
    omitted: str = "",
) -> Table:
    """A table with a row per record; numbers are counts, and what a record lacks is empty.

    `columns` are those that are shown, by the keys of records, as far as there are any; `reasons`
    why something is None, where a record does not say (`reason`).
    """
    names = dict.fromkeys(name for record in records for name in record)
    numbers = {
        name
        for name in names
        if not any(isinstance(record.get(name), str) for record in records)
        and any(record.get(name) is not None for record in records)
    }
    if columns is None:
        columns = {n: Column(n, kind="count" if n in numbers else "text") for n in names}
    shown = {name: column for name, column in columns.items() if name in names}

    def cell(record: Mapping[str, Any], name: str) -> Cell:
        value: Cell = record.get(name)
        why = (reasons or {}).get(name)
        return Missing(record.get("reason") or why) if value is None and why else value

    rows = [[cell(record, name) for name in shown] for record in records]
    return table_of([*shown.values()], rows, title=title, keys=keys, note=note, omitted=omitted)


def _winners(table: Table) -> tuple[Cells, Cells]:
    """(row, column) of every best value, and of every worst one where columns compete within rows.

    Ties all win; where all defined values tie, none does. With two competitors the worst is plain
    from the best and not marked.

    >>> from tertium.results.blocks import Column, Table
    >>> columns = (Column("system"), Column("errors", kind="count", better="lower"))
    >>> sorted(Table(columns, (("a", 3), ("b", 2), ("c", 2))).best)
    [(1, 1), (2, 1)]
    >>> columns = [Column("label")] + [Column(s, "", "count", "higher", "f1") for s in "abc"]
    >>> table = Table(tuple(columns), (("NOUN", 3, 1, 2), ("VERB", 1, 1, 1)))
    >>> sorted(table.best), sorted(table.worst)
    ([(0, 1)], [(0, 2)])
    """
    best: set[tuple[int, int]] = set()
    worst: set[tuple[int, int]] = set()
    for cells, better, is_row in _contests(table):
        values = {(i, p): v for i, p in cells if isinstance(v := table.rows[i][p], int | float)}
        low, top = min(values.values(), default=0), max(values.values(), default=0)
        if better == "lower":
            low, top = top, low
        if abs(top - low) <= _same(top):
            continue
        best |= {cell for cell, v in values.items() if abs(v - top) <= _same(top)}
        if is_row and len(values) > 2:
            worst |= {cell for cell, v in values.items() if abs(v - low) <= _same(low)}
    return frozenset(best), frozenset(worst)


def _leaders(table: Table) -> Cells:
    """The best values of each league, those that are best of all included.

    >>> from tertium.results.blocks import Column, Table
    >>> columns = (Column("kind"), Column("f1", kind="percent", better="higher"))
    >>> table = Table(columns, (("x", 0.9), ("y", 0.7), ("y", 0.8)), league=0)
    >>> [table.mark(row, 1) for row in range(3)]
    ['best', None, 'leader']
    """
    if table.league is None:
        return frozenset()
    teams = tuple(str(row[table.league]) for row in table.rows)
    return replace(table, contests=teams, league=None).best


def _contests(table: Table) -> Iterator[tuple[list[tuple[int, int]], Better, bool]]:
    """Cells that compete, which of them win, and whether they stand in one row."""
    rows_of: dict[str, list[int]] = {}
    for i, name in enumerate(table.contests or ("",) * len(table.rows)):
        rows_of.setdefault(name, []).append(i)
    within_rows: dict[str, list[int]] = {}
    for place, column in enumerate(table.columns):
        if column.better and column.contest:
            within_rows.setdefault(column.contest, []).append(place)
        elif column.better:
            for name, rows in rows_of.items():
                if better := table.ways.get(name, column.better):
                    yield [(i, place) for i in rows], better, False
    for places in within_rows.values():
        if better := table.columns[places[0]].better:
            for i in range(len(table.rows)):
                yield [(i, place) for place in places], better, True


def _same(value: float) -> float:
    """What a value may differ by from an equal one."""
    return SAME * max(1.0, abs(value))
