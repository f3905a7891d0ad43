"""Blocks: best values and what a table refuses."""

from dataclasses import replace

import pytest

from tertium.report.render import render_blocks
from tertium.results.blocks import (
    Bars,
    Column,
    Intersections,
    Matrix,
    Missing,
    Range,
    Shares,
    Table,
    as_table,
    own_kind,
    reasons,
    table_of,
)
from tertium.results.texts import shown

HIGHER = Column("f1", kind="percent", better="higher")
LOWER = Column("errors", kind="count", better="lower")


def best(table: Table) -> list[tuple[int, int]]:
    return sorted(table.best)


def test_best_follows_the_direction_of_each_column() -> None:
    table = table_of([Column("system"), HIGHER, LOWER], [("a", 0.9, 5), ("b", 0.8, 3)])
    assert best(table) == [(0, 1), (1, 2)]


def test_ties_all_win_and_rounding_noise_is_a_tie() -> None:
    table = table_of([Column("system"), HIGHER], [("a", 0.3), ("b", 0.1 + 0.2), ("c", 0.1)])
    assert best(table) == [(0, 1), (1, 1)]


def test_no_winner_where_all_tie_or_nobody_competes() -> None:
    columns = [Column("system"), HIGHER]
    assert best(table_of(columns, [("a", 0.5), ("b", 0.5)])) == []
    assert best(table_of(columns, [("a", 0.5)])) == []
    assert best(table_of(columns, [("a", Missing("x")), ("b", Missing("x"))])) == []


def test_a_missing_value_never_wins() -> None:
    rows = [("a", Missing("none")), ("b", 0.0), ("c", 0.1)]
    assert best(table_of([Column("system"), HIGHER], rows)) == [(2, 1)]


def test_equal_values_beside_a_missing_one_win_nothing() -> None:
    rows = [("a", 0.0), ("b", 0.0), ("c", Missing("none"))]
    assert best(table_of([Column("system"), HIGHER], rows)) == []
    assert best(table_of([Column("system"), HIGHER], rows[1:])) == []


def test_rows_compete_within_their_contest_only() -> None:
    rows = (("news", "a", 0.9), ("news", "b", 0.8), ("mail", "a", 0.1), ("mail", "b", 0.2))
    table = Table(
        (Column("genre"), Column("system"), HIGHER), rows, keys=2, contests=("n", "n", "m", "m")
    )
    assert best(table) == [(0, 2), (3, 2)]


def test_reasons_are_numbered_in_reading_order() -> None:
    rows = [("a", Missing("one"), Missing("two")), ("b", Missing("two"), 0.5)]
    assert reasons(table_of([Column("system"), HIGHER, HIGHER], rows)) == ["one", "two"]


def test_a_ragged_table_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells under 1 columns"):
        table_of([Column("system")], [("a", 1)])
    with pytest.raises(ValueError, match="1 contests for 2 rows"):
        Table((Column("system"),), (("a",), ("b",)), contests=("x",))


def test_groups_are_runs_of_neighbours() -> None:
    columns = [Column("system"), Column("p", "m"), Column("r", "m"), Column("p", "n")]
    assert table_of(columns, []).groups == [("", 1), ("m", 2), ("n", 1)]


def test_a_matrix_is_a_table_too() -> None:
    matrix = Matrix(("A", None), ("B",), ((1,), (None,)), "t", "gold", "system", note="n")
    table = as_table(matrix)
    assert [(c.header, c.group, c.kind) for c in table.columns] == [
        ("gold", "", "text"),
        ("B", "system", "count"),
    ]
    assert table.rows == (("A", 1), ("none", None))
    assert (table.title, table.note) == ("t", "n")
    assert as_table(matrix, "∅").rows[1][0] == "∅"
    assert [c.header for c in as_table(matrix, grouped=False).columns] == ["gold \\ system", "B"]
    assert as_table(table) is table


def test_bars_are_a_table_of_numbers_and_shares() -> None:
    bars = Bars(("x", "y"), ("p", "q"), ((1, 3), (2, None)), axis="type", unit="errors")
    table = as_table(bars)
    assert [(c.header, c.group) for c in table.columns] == [
        ("type", ""),
        ("errors", "x"),
        ("share", "x"),
        ("errors", "y"),
        ("share", "y"),
    ]
    assert table.rows == (
        ("p", 1, 0.25, 2, 1.0),
        ("q", 3, 0.75, None, None),
        ("all", 4, 1.0, 2, 1.0),
    )
    one = as_table(Bars(("x",), ("p",), ((0,),)))
    assert [c.group for c in one.columns] == ["", "", ""]
    assert one.rows == (("p", 0, Missing("no count to share out")),) * 1 + (
        ("all", 0, Missing("no count to share out")),
    )


def test_many_bars_have_a_row_each() -> None:
    bars = Bars(tuple("abcdefg"), ("x", "y"), ((1, 3), (0, 0), *((2, None),) * 5), unit="items")
    table = bars.table()
    assert [column.group for column in table.columns] == ["", "x", "x", "y", "y", "all"]
    assert table.rows[0] == ("a", 1, 0.25, 3, 0.75, 4)
    assert table.rows[1][2] == Missing("no items to share out")
    assert table.rows[2] == ("c", 2, 1.0, None, None, 2)
    assert len(replace(bars, names=bars.names[:6], values=bars.values[:6]).table().rows) == 3


def test_shares_are_a_table_with_a_column_per_series() -> None:
    values = ((0.75, 0.5), (0.25, None), (0.0, 1.0))
    shares = Shares(("x", "y", "z"), ("p", "q"), values, "t", "pair", 2, "n", "no case")
    table = as_table(shares)
    assert [(c.header, c.kind) for c in table.columns] == [
        ("pair", "text"), ("p", "percent"), ("q", "percent"),
    ]  # fmt: skip
    assert table.rows == (("x", 0.75, 0.5), ("y", 0.25, Missing("no case")))
    assert (table.title, table.omitted, table.note) == ("t", "and 1 more pair", "n")
    whole = replace(shares, most=None)
    assert (len(whole.table().rows), whole.rest) == (3, "")


def test_figures_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rows of 1"):
        Shares(("x", "y"), ("p",), ((1,),))
    for wrong in (-0.01, 1.01, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            Shares(("x",), ("p",), ((wrong,),))
    with pytest.raises(ValueError, match="2 rows of 1"):
        Matrix(("A", "B"), ("C",), ((1,),))
    with pytest.raises(ValueError, match="1 rows of 2"):
        Bars(("x",), ("p", "q"), ((1,),))
    with pytest.raises(ValueError, match="negative"):
        Bars(("x",), ("p",), ((-1,),))


# contests within rows


def by_label(*rows: tuple[object, ...], better: str = "higher") -> Table:
    systems = [Column(name, "f1", "percent", better, "f1") for name in "ABC"]  # type: ignore[arg-type]
    columns = [Column("label"), *systems, Column("all", "f1", "percent", bound=True)]
    return table_of(columns, rows)  # type: ignore[arg-type]


def test_columns_of_a_contest_compete_within_their_row() -> None:
    table = by_label(("NOUN", 0.9, 0.8, 0.7, 1.0), ("VERB", 0.1, 0.2, 0.2, 0.3))
    assert best(table) == [(0, 1), (1, 2), (1, 3)]
    assert sorted(table.worst) == [(0, 3), (1, 1)]
    assert [table.mark(0, place) for place in range(5)] == [None, "ahead", None, "behind", None]
    assert list(table.marks) == ["ahead", "behind", "bound"]


def test_a_contest_follows_its_direction_and_leaves_missing_values_out() -> None:
    table = by_label(("NOUN", 3, 1, Missing("none"), 0), ("VERB", 2, 2, 2, 0), better="lower")
    assert best(table) == [(0, 2)]
    assert not table.worst, "of two, the worst is plain from the best"


def test_both_kinds_of_contests_in_one_table() -> None:
    columns = [Column("system"), HIGHER, *(Column(c, "", "count", "lower", "x") for c in "ab")]
    table = table_of(columns, [("a", 0.9, 1, 2), ("b", 0.8, 2, 1)])
    assert best(table) == [(0, 1), (0, 2), (1, 3)]
    assert table.mark(0, 1) == "best"
    assert table.mark(0, 2) == "ahead"
    assert table.marks == {"best": "best of its column", "ahead": "best of its row"}


# sets


def test_combinations_are_sorted_and_the_rest_is_counted() -> None:
    figure = Intersections(
        ("A", "B"),
        ((False, False), (False, True), (True, False), (True, True)),
        (4, 2, 2, 9),
        most=3,
    )
    assert figure.members == ((True, True), (False, False), (True, False), (False, True))
    assert figure.counts == (9, 4, 2, 2)
    assert figure.sizes == [11, 11]
    assert figure.rest == "and 1 rarer combination with 2 items"
    table = as_table(figure)
    assert table.rows == ((1, 1, 2, 9, 9 / 17), (0, 0, 0, 4, 4 / 17), (1, 0, 1, 2, 2 / 17))
    assert table.omitted == figure.rest
    assert [c.header for c in table.columns] == ["A", "B", "sets", "items", "share"]


def test_no_item_has_no_share() -> None:
    assert as_table(Intersections(("A",), ((True,),), (0,))).rows == (
        (1, 1, 0, Missing("no items")),
    )


def test_sets_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rows of 1"):
        Intersections(("A",), ((True,),), (1, 2))
    with pytest.raises(ValueError, match="twice"):
        Intersections(("A",), ((True,), (True,)), (1, 2))


def test_a_contest_may_have_a_way_of_its_own() -> None:
    rows = (
        ("f1", "a", 0.8),
        ("f1", "b", 0.7),
        ("errors", "a", 3),
        ("errors", "b", 2),
        ("n", "a", 1),
    )
    columns = (Column("metric"), Column("system"), HIGHER)
    table = Table(
        columns,
        (*rows, ("n", "b", 5)),
        keys=2,
        contests=("f1", "f1", "errors", "errors", "n", "n"),
        ways={"errors": "lower", "n": None},
    )
    assert table.best == {(0, 2), (3, 2)}


def test_large_values_may_tie() -> None:
    table = Table((Column("x"), HIGHER), (("a", -1e6), ("b", -1e6 - 1e-8), ("c", -2e6)))
    assert table.best == {(0, 1), (1, 1)}


def test_numbers_of_other_kinds_in_a_column() -> None:
    change, ends = Column("change", kind="delta"), Column("95 %", kind="interval_delta")
    assert own_kind(0.012, "share", change) == 0.012
    cells = [own_kind(0.012, kind, change) for kind in ("share", "mean", "count")]
    assert [shown(cell, "delta") for cell in cells] == ["+1.20", "+0.0120", "+0.01"]
    interval = own_kind(Range(-3.0, 12.5), "count", ends)
    assert shown(interval, "interval_delta") == "[-3, +12.50]"
    assert own_kind(Missing("why"), "mean", change) == Missing("why")
    assert own_kind(None, "mean", change) is None
    table = Table((Column("m"), change, ends), (("x", cells[1], interval),))
    assert render_blocks([table], "csv").splitlines()[1] == "x,0.012,-3.0,12.5"
    assert "$+$0.0120 & {[}$-$3, $+$12.50]" in render_blocks([table], "latex")


def test_the_best_of_each_league_is_marked_beside_the_best_of_all() -> None:
    columns = [Column("system"), Column("theory"), Column("f1", kind="percent", better="higher")]
    rows = (("a", "x", 0.9), ("b", "y", 0.7), ("c", "y", 0.8), ("d", "x", 0.9), ("e", "z", 0.1))
    table = Table(tuple(columns), rows, league=1)
    assert [table.mark(row, 2) for row in range(5)] == ["best", None, "leader", "best", None]
    assert table.marks == {"best": "best of its column", "leader": "best of its theory"}
