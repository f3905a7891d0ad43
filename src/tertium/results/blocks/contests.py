"""Which values of a table win: down a column, or across a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.results.blocks import Table

SAME = 1e-12  # values that differ by less are ties: the order of additions must not pick a winner

Cells = frozenset[tuple[int, int]]  # places as (row, column)


def best_of_columns(table: Table) -> Cells:
    """(row, column) of every best value. Ties all win; where all defined values tie, none does.

    >>> from tertium.results.blocks import Column, Table
    >>> columns = (Column("system"), Column("errors", kind="count", better="lower"))
    >>> sorted(Table(columns, (("a", 3), ("b", 2), ("c", 2))).best)
    [(1, 1), (2, 1)]
    """
    contests = table.contests or ("",) * len(table.rows)
    found: set[tuple[int, int]] = set()
    rows_of: dict[str, list[int]] = {}
    for i, name in enumerate(contests):
        rows_of.setdefault(name, []).append(i)
    for name, rows in rows_of.items():
        for place, column in enumerate(table.columns):
            better = table.ways.get(name, column.better) if column.better else None
            if better is None or column.contest:
                continue
            values = {i: v for i in rows if isinstance(v := table.rows[i][place], int | float)}
            if not values:
                continue
            top = (max if better == "higher" else min)(values.values())
            winners = {(i, place) for i, v in values.items() if abs(v - top) <= _same(top)}
            if len(winners) < len(values):
                found |= winners
    return frozenset(found)


def ends_of_rows(table: Table) -> tuple[Cells, Cells]:
    """(row, column) of the best and of the worst values where columns compete within rows.

    With two competitors the worst is plain from the best and not marked.

    >>> from tertium.results.blocks import Column, Table
    >>> columns = [Column("label")] + [Column(s, "", "count", "higher", "f1") for s in "abc"]
    >>> table = Table(tuple(columns), (("NOUN", 3, 1, 2), ("VERB", 1, 1, 1)))
    >>> sorted(table.best), sorted(table.worst)
    ([(0, 1)], [(0, 2)])
    """
    best: set[tuple[int, int]] = set()
    worst: set[tuple[int, int]] = set()
    contests: dict[str, list[int]] = {}
    for place, column in enumerate(table.columns):
        if column.contest and column.better:
            contests.setdefault(column.contest, []).append(place)
    for places in contests.values():
        higher = table.columns[places[0]].better == "higher"
        for i, row in enumerate(table.rows):
            values = {p: v for p in places if isinstance(v := row[p], int | float)}
            ends = [max(values.values()), min(values.values())] if values else [0, 0]
            if ends[0] - ends[1] <= _same(ends[0]):
                continue
            top, low = ends if higher else ends[::-1]
            best |= {(i, p) for p, v in values.items() if abs(v - top) <= _same(top)}
            if len(values) > 2:
                worst |= {(i, p) for p, v in values.items() if abs(v - low) <= _same(low)}
    return frozenset(best), frozenset(worst)


def _same(value: float) -> float:
    """What a value may differ by from an equal one."""
    return SAME * max(1.0, abs(value))
