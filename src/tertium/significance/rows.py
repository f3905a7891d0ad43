"""Counts per unit with equal rows merged: what every resample is drawn from.

Units with the same counts are the same to every formula over sums. A row that m units have is drawn
and swapped as m of them, which is far less work than m draws (docs/significance.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.results.stats import Floats

UInt64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows of counts (dense, or sparse where there are labels) and how many units have
    each. Their order depends on their content alone. `place` is the row of every unit, where it is
    known."""

    values: Any
    count: Int64
    place: Int64 | None = None

    @property
    def units(self) -> int:
        """Number of units."""
        return int(self.count.sum())

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])

    @property
    def occupied(self) -> int:
        """Number of units that have any counts."""
        there = (
            (self.values != 0).any(axis=1)
            if isinstance(self.values, np.ndarray)
            else np.diff(self.values.indptr) > 0
        )
        return int(self.count[there].sum())

    def sums(self, weights: Floats) -> Floats:
        """Summed counts for weights of rows (one, or trials x rows)."""
        return np.asarray(weights @ self.values, np.float64)

    def total(self) -> Floats:
        """Summed counts of all units."""
        return self.sums(self.count.astype(np.float64))

    def of_units(self, units: npt.NDArray[np.generic]) -> Rows:
        """The rows of chosen units (numbers or a mask): the same as if these had been merged."""
        assert self.place is not None
        count = np.bincount(self.place[units], minlength=len(self.count))
        there = np.flatnonzero(count)
        return Rows(self.values[there], count[there])

    def some(self, chosen: npt.NDArray[np.generic]) -> Floats:
        """Chosen rows as a dense block."""
        part = self.values[chosen]
        return np.asarray(part if isinstance(part, np.ndarray) else part.toarray())


def merged(matrix: Any) -> Rows:
    """The distinct rows of a matrix of units x columns, dense or sparse (CSR)."""
    is_dense = isinstance(matrix, np.ndarray)
    prints = _of_dense(matrix) if is_dense else _of_sparse(matrix)
    _, first, inverse, count = np.unique(
        prints, return_index=True, return_inverse=True, return_counts=True
    )
    if is_dense and not _is_same(matrix, first[inverse]):
        # Two rows have one fingerprint: about one chance in 10^7 for a million units.
        values, inverse, count = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
        return Rows(values, count.astype(np.int64), inverse.ravel())
    return Rows(matrix[first], count.astype(np.int64), inverse)


def _is_same(matrix: Floats, other: Int64) -> bool:
    return all(bool((column == column[other]).all()) for column in matrix.T)


def _of_dense(matrix: Floats) -> UInt64:
    """A fingerprint of every row."""
    prints = np.zeros(len(matrix), np.uint64)
    for number, column in enumerate(matrix.T, 1):
        # Adding 0 turns a negative zero into a positive one: they are equal numbers.
        prints = _mixed(prints + (column + 0.0).view(np.uint64) * np.uint64(2 * number + 1))
    return prints


def _of_sparse(matrix: Any) -> UInt64:
    """A fingerprint of every row from its cells, whatever their order."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    keys = _mixed((matrix.indices.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    with np.errstate(over="ignore"):
        cells = np.cumsum(_mixed(keys ^ matrix.data.view(np.uint64)))
    sums = np.concatenate([np.zeros(1, np.uint64), cells])
    found: UInt64 = sums[matrix.indptr[1:]] - sums[matrix.indptr[:-1]]
    return found


def _mixed(state: UInt64) -> UInt64:
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
