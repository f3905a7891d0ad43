"""Decisions: choosing rows."""

import numpy as np

from tertium.corpus.labels import Names
from tertium.results.decisions import CORRECT, EXTRA, MISSING, WRONG, Decisions


def decisions() -> Decisions:
    return Decisions(
        unit=np.array([0, 2, 2, 3], np.int32),
        item=np.array([10, 11, 12, -5], np.int64),
        gold=np.array([0, 1, 0, -1], np.int32),
        system=np.array([0, 0, -1, 1], np.int32),
        said=(np.array([7, 8, 9, 6]),),
        outcome=np.array([CORRECT, WRONG, MISSING, EXTRA], np.uint8),
        error_type=np.array([0, 1, 2, 3], np.uint8),
        credit=np.array([1, 0.5, 0, 0]),
        names=Names.of(["A", "B"]),
        units=5,
        unit_counts={"odd": np.array([1.0, 2, 3, 4, 5])},
        known=np.array([True, False, True, False]),
        gold_row=np.array([0, 1, 2, -1]),
        system_row=np.array([0, 1, -1, 2]),
        marks={"new": np.array([1, 2, 3, 4])},
    )


def test_rows_are_chosen_in_every_column() -> None:
    some = decisions().take(np.array([2, 0]))
    assert (some.unit.tolist(), some.item.tolist()) == ([2, 0], [12, 10])
    assert (some.gold.tolist(), some.system.tolist()) == ([0, 0], [-1, 0])
    assert some.said[0].tolist() == [9, 7]
    assert (some.outcome.tolist(), some.error_type.tolist()) == ([MISSING, CORRECT], [2, 0])
    assert some.credit.tolist() == [0, 1]
    assert some.known is not None
    assert some.known.tolist() == [True, True]
    assert some.gold_row is not None
    assert some.system_row is not None
    assert (some.gold_row.tolist(), some.system_row.tolist()) == ([2, 0], [-1, 0])
    assert some.marks["new"].tolist() == [3, 1]
    assert some.units == 5
    assert some.per_unit().tolist() == [1, 0, 1, 0, 0]


def test_units_are_numbered_anew() -> None:
    some = decisions().take(np.array([1, 3]), np.array([2, 3, 4]))
    assert (some.units, some.unit.tolist()) == (3, [0, 1])
    assert some.credit_per_unit().tolist() == [0.5, 0, 0]
    assert some.unit_counts["odd"].tolist() == [3, 4, 5]


def test_columns_that_are_not_there_stay_away() -> None:
    from dataclasses import replace

    bare = replace(decisions(), known=None, gold_row=None, system_row=None, marks={})
    some = bare.take(np.zeros(0, np.int64))
    assert (len(some), some.known, some.gold_row, some.system_row) == (0, None, None, None)
