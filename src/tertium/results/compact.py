"""Numbers in the smallest type that holds them exactly.

Counts are nearly always small integers, and there are very many: one for every unit and label, of
every metric and system.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]

_SMALL = (np.uint8, np.uint16, np.uint32)
# Cells in more runs than this are sorted: a run takes a number for every unit.
_MOST_RUNS = 16
_NOTHING = np.zeros(0, np.uint8)
# Systems share their gold counts, and metrics of one layer many others: equal arrays are kept once.
_arrays: WeakValueDictionary[bytes, Numbers] = WeakValueDictionary()


def compact(numbers: Numbers) -> Numbers:
    """The same numbers as small unsigned integers, or as float64 where one is negative, very large
    or has a fraction.

    >>> compact(np.array([3.0, 256.0])).dtype, compact(np.array([0.5])).dtype
    (dtype('uint16'), dtype('float64'))
    """
    low, high = (numbers.min(), numbers.max()) if numbers.size else (0, 0)
    for small in _SMALL:
        if low >= 0 and high <= np.iinfo(small).max:
            found = np.ascontiguousarray(numbers, small)
            if numbers.dtype.kind != "f" or bool((found == numbers).all()):
                return found
            break
    return np.ascontiguousarray(numbers, np.float64)


def _kept(numbers: Numbers) -> Numbers:
    """Compact, and the array that holds the same numbers already if there is one."""
    found = compact(numbers)
    digest = hashlib.blake2b(found.tobytes(), key=found.dtype.str.encode()).digest()
    known = _arrays.get(digest)
    if known is None:
        known = _arrays[digest] = found if found.base is None else found.copy()
    return known


@dataclass(frozen=True, eq=False)
class Counts:
    """Columns of numbers of every unit."""

    units: int
    columns: tuple[Numbers, ...]

    @classmethod
    def of(cls, dense: Numbers) -> Counts:
        """From an array of units x columns."""
        return cls(len(dense), tuple(compact(column) for column in dense.T))

    @classmethod
    def add(cls, parts: Sequence[Counts]) -> Counts:
        """The units of all parts, one after the other."""
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls(
            sum(part.units for part in parts),
            tuple(compact(np.concatenate(column)) for column in columns),
        )

    @property
    def dense(self) -> Floats:
        """The array again."""
        found = np.empty((self.units, len(self.columns)))
        for i, column in enumerate(self.columns):
            found[:, i] = column
        return found

    def take(self, units: Numbers) -> Counts:
        """Those of chosen units."""
        return Counts(len(units), tuple(column[units] for column in self.columns))

    def spread(self, place: Numbers, units: int) -> Counts:
        """With 0 for all units but those at `place`."""
        columns = []
        for column in self.columns:
            wide = np.zeros(units, column.dtype)
            wide[place] = column
            columns.append(wide)
        return Counts(units, tuple(columns))

    def summed(self, group: Numbers, groups: int) -> Counts:
        """Sums over the units of each group."""
        sums = (np.bincount(group, weights=column, minlength=groups) for column in self.columns)
        return Counts(groups, tuple(compact(column) for column in sums))


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts of keys in units, where they are not 0; a unit may have several cells of a key.

    Cells stand in runs in which units do not decrease. Of each run: how many cells units 0, 1, ...
    have in it, and the key and the value of every cell.
    """

    runs: tuple[tuple[Numbers, Numbers, Numbers], ...] = ()

    @classmethod
    def of(cls, unit: Numbers, key: Numbers, value: Numbers) -> Cells:
        """From the unit, key and value of every cell."""
        starts = np.flatnonzero(unit[1:] < unit[:-1]) + 1
        if len(starts) >= _MOST_RUNS:
            order = np.argsort(unit, kind="stable")
            unit, key, value = unit[order], key[order], value[order]
            starts = starts[:0]
        bounds = [0, *starts.tolist(), len(unit)]
        return cls(
            tuple(
                (_kept(np.bincount(unit[a:z])), _kept(key[a:z]), _kept(value[a:z]))
                for a, z in pairwise(bounds)
            )
        )

    @classmethod
    def join(cls, parts: Sequence[tuple[Cells, int]]) -> Cells:
        """Cells over the same units and how many keys each has; keys follow one another."""
        bases = np.cumsum([0, *(keys for _, keys in parts)])
        runs = [
            (size, _kept(key + base), value)
            for (cells, _), base in zip(parts, bases, strict=False)
            for size, key, value in cells.runs
        ]
        return cls(tuple(runs))

    @property
    def key(self) -> Numbers:
        """The key of every cell."""
        return np.concatenate([_NOTHING, *(key for _, key, _ in self.runs)])

    @property
    def value(self) -> Numbers:
        """The value of every cell."""
        return np.concatenate([_NOTHING, *(value for _, _, value in self.runs)])

    @property
    def unit(self) -> Int32:
        """The unit of every cell."""
        each = [np.repeat(np.arange(len(size), dtype=np.int32), size) for size, _, _ in self.runs]
        return np.concatenate([np.zeros(0, np.int32), *each])

    def per_key(self, keys: int) -> Floats:
        """Sums over units."""
        return np.bincount(self.key, weights=self.value, minlength=keys).astype(np.float64)

    def renumbered(self, *, units: Numbers | None = None, keys: Numbers | None = None) -> Cells:
        """With other numbers of units or keys; cells whose new number is negative are left out."""
        if not self.runs:
            return self
        if units is None and keys is not None and (keys >= 0).all():
            return Cells(tuple((size, _kept(keys[key]), value) for size, key, value in self.runs))
        unit, key, value = self.unit, self.key, self.value
        if units is not None:
            unit = units[unit]
            unit, key, value = _where(unit >= 0, unit, key, value)
        if keys is not None:
            key = keys[key]
            unit, key, value = _where(key >= 0, unit, key, value)
        return Cells.of(unit, key, value)

    def summed(self, group: Numbers, keys: int) -> Cells:
        """Sums over the units of each group, one cell for each of its keys."""
        if not self.runs:
            return self
        place, cell = np.unique(
            group[self.unit].astype(np.int64) * keys + self.key, return_inverse=True
        )
        return Cells.of(place // keys, place % keys, np.bincount(cell, weights=self.value))


def _where(chosen: Numbers, *arrays: Numbers) -> list[Numbers]:
    return [array[chosen] for array in arrays]
