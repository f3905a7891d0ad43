"""Stats: additive counts per unit. A score is a formula over their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Names

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Totals:
    """Summed counts. Every array may have leading axes (one entry per resample, shard, group).

    `totals["correct"]` is a dense count; `totals.label("correct")` has the labels as its last axis.
    """

    columns: tuple[str, ...]
    dense: Floats
    labels: tuple[str, ...] = ()
    sparse: Mapping[str, Floats] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Floats:
        return self.dense[..., self.columns.index(name)]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def part(self, name: str) -> Totals:
        """The sums of one member of joined stats, under their own names."""
        prefix = f"{name}."
        places = [i for i, c in enumerate(self.columns) if c.startswith(prefix)]
        return Totals(
            tuple(self.columns[i].removeprefix(prefix) for i in places),
            self.dense[..., places],
            self.labels,
            {c.removeprefix(prefix): b for c, b in self.sparse.items() if c.startswith(prefix)},
        )

    def label(self, name: str) -> Floats:
        """Counts per label, last axis as `labels`."""
        return self.sparse[name]


@dataclass(frozen=True, eq=False)
class Stats:
    """A dense block (units x columns) and a sparse block keyed (column, label).

    The sparse block is in coordinates: unit, key, value; `keys` are (column, label) pairs.
    `label_columns` are the columns that were counted per label, none unless asked for; there may be
    no label all the same.
    """

    columns: tuple[str, ...]
    dense: Floats
    keys: tuple[tuple[str, str], ...] = ()
    unit: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    key: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    value: Floats = field(default_factory=lambda: np.zeros(0))
    label_columns: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.dense)

    def take(self, units: npt.NDArray[np.generic]) -> Stats:
        """The chosen units (mask or numbers, each at most once); labels stay, with zero counts."""
        chosen = np.flatnonzero(units) if units.dtype == np.bool_ else units.astype(np.int64)
        renumber = np.full(self.units, -1, np.int64)
        renumber[chosen] = np.arange(len(chosen))
        keep = renumber[self.unit] >= 0
        return Stats(
            self.columns,
            self.dense[chosen],
            self.keys,
            renumber[self.unit[keep]].astype(np.int32),
            self.key[keep],
            self.value[keep],
            self.label_columns,
        )

    def split(self, group: npt.NDArray[np.integer[Any]], count: int) -> list[Stats]:
        """The units of each group 0..count-1, with only the labels that occur in it."""
        order = np.argsort(group, kind="stable")
        bounds = np.searchsorted(group[order], np.arange(count + 1))
        place = np.empty(self.units, np.int32)
        place[order] = np.arange(self.units)
        of_cell = group[self.unit]
        cells = np.argsort(of_cell, kind="stable")
        cell_bounds = np.searchsorted(of_cell[cells], np.arange(count + 1))
        parts = []
        for n in range(count):
            rows = cells[cell_bounds[n] : cell_bounds[n + 1]]
            used, key = np.unique(self.key[rows], return_inverse=True)
            labels = {self.keys[k][1] for k in used.tolist()}
            # Every label of the group gets all its columns, so that none is missing in a sum.
            keys = [(column, label) for column in self.label_columns for label in sorted(labels)]
            index = {k: i for i, k in enumerate(keys)}
            renumber = np.array([index[self.keys[k]] for k in used.tolist()], np.int32)
            parts.append(
                Stats(
                    self.columns,
                    self.dense[order[bounds[n] : bounds[n + 1]]],
                    tuple(keys),
                    (place[self.unit[rows]] - bounds[n]).astype(np.int32),
                    renumber[key] if len(used) else key.astype(np.int32),
                    self.value[rows],
                    self.label_columns,
                )
            )
        return parts

    def part(self, name: str) -> Stats:
        """The columns named `name.*`, under their own names: one member of joined stats."""
        prefix = f"{name}."
        places = [i for i, c in enumerate(self.columns) if c.startswith(prefix)]
        renumber = np.full(len(self.keys) + 1, -1, np.int32)
        mine = [i for i, (column, _) in enumerate(self.keys) if column.startswith(prefix)]
        renumber[mine] = np.arange(len(mine))
        keep = renumber[self.key] >= 0
        return Stats(
            tuple(self.columns[i].removeprefix(prefix) for i in places),
            self.dense[:, places],
            tuple((self.keys[i][0].removeprefix(prefix), self.keys[i][1]) for i in mine),
            self.unit[keep],
            renumber[self.key[keep]],
            self.value[keep],
            tuple(c.removeprefix(prefix) for c in self.label_columns if c.startswith(prefix)),
        )

    def totals(self, weights: Floats | None = None) -> Totals:
        """Sums over units, or for a matrix of weights (resamples x units) one sum per resample."""
        labels = tuple(sorted({label for _, label in self.keys}))
        place = {label: i for i, label in enumerate(labels)}
        if weights is None:
            dense = self.dense.sum(axis=0)
            per_key = np.bincount(self.key, weights=self.value, minlength=len(self.keys))
        else:
            from scipy import sparse

            dense = weights @ self.dense
            matrix = sparse.csr_array(
                (self.value, (self.unit, self.key)), shape=(self.units, len(self.keys))
            )
            per_key = weights @ matrix
        shape = (*per_key.shape[:-1], len(labels))
        named = {column: np.zeros(shape) for column in self.label_columns}
        for i, (column, label) in enumerate(self.keys):
            named[column][..., place[label]] = per_key[..., i]
        return Totals(self.columns, dense, labels, named)

    def __add__(self, other: Stats) -> Stats:
        return add([self, other])


def add(parts: Sequence[Stats]) -> Stats:
    """The units of several stats in one; label columns are joined by key, so shards may differ."""
    columns = parts[0].columns
    if any(p.columns != columns for p in parts):
        raise ValueError(f"stats of different metrics: {sorted({p.columns for p in parts})}")
    index: dict[tuple[str, str], int] = {}
    units, keys, base = [], [], 0
    for part in parts:
        recode = np.array([index.setdefault(k, len(index)) for k in part.keys], np.int32)
        keys.append(recode[part.key] if len(recode) else part.key)
        units.append(part.unit + np.int32(base))
        base += part.units
    return Stats(
        columns,
        np.concatenate([p.dense for p in parts]),
        tuple(index),
        np.concatenate(units),
        np.concatenate(keys),
        np.concatenate([p.value for p in parts]),
        parts[0].label_columns,
    )


def join(parts: Mapping[str, Stats]) -> Stats:
    """Stats of several metrics over the same units side by side, columns named `part.column`."""
    keys, columns = [], []
    shift = 0
    for name, part in parts.items():
        columns += [f"{name}.{c}" for c in part.columns]
        keys.append((part.key + shift).astype(np.int32))
        shift += len(part.keys)
    return Stats(
        tuple(columns),
        np.concatenate([p.dense for p in parts.values()], axis=1),
        tuple((f"{n}.{c}", label) for n, p in parts.items() for c, label in p.keys),
        np.concatenate([p.unit for p in parts.values()]),
        np.concatenate(keys),
        np.concatenate([p.value for p in parts.values()]),
        tuple(f"{n}.{c}" for n, p in parts.items() for c in p.label_columns),
    )


def label_block(
    names: Names,
    unit: Int32,
    columns: Mapping[str, tuple[Int32, npt.NDArray[np.bool_]]],
) -> tuple[tuple[tuple[str, str], ...], Int32, Int32, Floats, tuple[str, ...]]:
    """The sparse block and its columns from the unit of every row and, for each column name, the
    rows' labels and which rows count.

    Labels that never occur get no key; every label that occurs gets one in every column.
    """
    from tertium.corpus._kernels import count_cells

    order = np.argsort(unit, kind="stable") if (unit[1:] < unit[:-1]).any() else None
    cells = []
    for rows in columns.values():
        label, counted = rows if order is None else (rows[0][order], rows[1][order])
        cells.append(
            count_cells(unit if order is None else unit[order], label, counted, len(names))
        )
    seen = np.zeros(len(names), np.bool_)
    for _, label, _ in cells:
        seen[label] = True
    used = sorted(np.flatnonzero(seen).tolist(), key=lambda code: names[code])
    place = np.zeros(len(names), np.int32)
    place[used] = np.arange(len(used))
    return (
        tuple((column, names[code]) for column in columns for code in used),
        np.concatenate([unit for unit, _, _ in cells]),
        np.concatenate(
            [place[label] + np.int32(i * len(used)) for i, (_, label, _) in enumerate(cells)]
        ),
        np.concatenate([count for _, _, count in cells]),
        tuple(columns),
    )
