"""Merged rows hold the same units, in an order that does not depend on theirs."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tertium.significance import resample as module
from tertium.significance.resample import merged

TABLES = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 0.5, -0.0]), min_size=3, max_size=3),
    min_size=1,
    max_size=30,
)


def as_multiset(matrix: np.ndarray, count: np.ndarray) -> dict[tuple[float, ...], int]:
    found: dict[tuple[float, ...], int] = {}
    for row, number in zip(matrix.tolist(), count.tolist(), strict=True):
        key = tuple(value + 0.0 for value in row)
        assert key not in found, "a row twice"
        found[key] = number
    return found


@given(TABLES)
def test_rows_and_how_often_they_occur(table: list[list[float]]) -> None:
    matrix = np.array(table)
    expected: dict[tuple[float, ...], int] = {}
    for row in (matrix + 0.0).tolist():
        expected[tuple(row)] = expected.get(tuple(row), 0) + 1
    dense = merged(matrix)
    assert as_multiset(dense.values, dense.count) == expected
    thin = merged(sparse.csr_array(matrix))
    assert as_multiset(thin.values.toarray(), thin.count) == expected
    assert dense.units == thin.units == len(table)
    assert dense.total().tolist() == thin.total().tolist() == matrix.sum(axis=0).tolist()


@given(TABLES)
def test_the_order_of_units_is_irrelevant(table: list[list[float]]) -> None:
    matrix = np.array(table)
    one, other = merged(matrix), merged(matrix[::-1])
    assert one.values.tolist() == other.values.tolist()
    assert one.count.tolist() == other.count.tolist()


@given(TABLES, st.randoms())
def test_rows_of_some_units_are_those_that_would_have_been_merged(
    table: list[list[float]], random: Random
) -> None:
    matrix = np.array(table)
    some = np.array(sorted(random.sample(range(len(table)), random.randint(1, len(table)))))
    for whole in (matrix, sparse.csr_array(matrix)):
        chosen, again = merged(whole).of_units(some), merged(whole[some])
        assert chosen.count.tolist() == again.count.tolist()
        places = np.arange(len(again.count))
        assert chosen.some(places).tolist() == again.some(places).tolist()


def test_rows_with_one_fingerprint_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_of_dense", lambda matrix: np.zeros(len(matrix), np.uint64))
    found = merged(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))
    assert as_multiset(found.values, found.count) == {(1.0, 2.0): 2, (3.0, 4.0): 1}


def test_cells_that_are_given_twice_are_added() -> None:
    twice = sparse.csr_array((np.ones(3), ([0, 0, 1], [0, 0, 0])), shape=(2, 1))
    found = merged(twice)
    assert as_multiset(found.values.toarray(), found.count) == {(2.0,): 1, (1.0,): 1}
