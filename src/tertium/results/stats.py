"""Stats: additive counts per unit. A score is a formula over their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Names

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
    no label all the same. Stats that were joined keep those they were joined from as `members`, and
    these keep the counts per label. Stats of some units only may say which: `place` are their
    numbers among `out_of`.
    """

    columns: tuple[str, ...]
    dense: Floats
    keys: tuple[tuple[str, str], ...] = ()
    unit: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    key: Int32 = field(default_factory=lambda: np.zeros(0, np.int32))
    value: Floats = field(default_factory=lambda: np.zeros(0))
    label_columns: tuple[str, ...] = ()
    members: Mapping[str, Stats] = field(default_factory=dict)
    place: Int64 | None = None
    out_of: int = 0

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.dense)

    def take(self, units: npt.NDArray[np.generic]) -> Stats:
        """The chosen units (mask or numbers, each at most once); labels stay, with zero counts."""
        chosen = np.flatnonzero(units) if units.dtype == np.bool_ else units.astype(np.int64)
        place = None if self.place is None else self.place[chosen]
        if self.members:
            joined = join({name: member.take(chosen) for name, member in self.members.items()})
            return replace(joined, place=place, out_of=self.out_of)
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
            place=place,
            out_of=self.out_of,
        )

    def spread(self) -> Stats:
        """Stats of some units as stats of all, with nothing for the others."""
        if self.place is None:
            return self
        if self.members:
            place, out_of = self.place, self.out_of
            return join(
                {
                    name: replace(member, place=place, out_of=out_of).spread()
                    for name, member in self.members.items()
                }
            )
        dense = np.zeros((self.out_of, len(self.columns)))
        dense[self.place] = self.dense
        unit = self.place[self.unit].astype(np.int32)
        return replace(self, dense=dense, unit=unit, place=None, out_of=0)

    def split(self, group: npt.NDArray[np.integer[Any]], count: int) -> list[Stats]:
        """The units of each group 0..count-1, with only the labels that occur in it."""
        if self.members:
            each = {name: member.split(group, count) for name, member in self.members.items()}
            return [join({name: parts[n] for name, parts in each.items()}) for n in range(count)]
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
        """One member of joined stats."""
        return self.members[name]

    def totals(self, weights: Floats | None = None) -> Totals:
        """Sums over units, or for a matrix of weights (resamples x units) one sum per resample."""
        if weights is not None:
            return self.totals_of(weights @ self.matrix())
        if self.members:
            return _joined({name: m.totals() for name, m in self.members.items()})
        per_key = np.bincount(self.key, weights=self.value, minlength=len(self.keys))
        return self._totals(self.dense.sum(axis=0), per_key.astype(np.float64))

    def matrix(self, *, labels: bool = True) -> Any:
        """One row per unit: the dense columns, then one column for each key. It is sparse (CSR)
        where there are keys; without `labels` they are left out."""
        if self.members and labels:
            return beside([member.matrix() for member in self.members.values()])
        if not (labels and self.keys):
            return self.dense
        from scipy import sparse

        cells = sparse.csr_array(
            (self.value, (self.unit, self.key)), shape=(self.units, len(self.keys))
        )
        return beside([self.dense, cells])

    def totals_of(self, sums: Floats, *, labels: bool = True) -> Totals:
        """Sums over the columns of `matrix` under their names; leading axes stay."""
        if self.members and labels:
            parts, start = {}, 0
            for name, member in self.members.items():
                stop = start + member.width
                parts[name] = member.totals_of(sums[..., start:stop])
                start = stop
            return _joined(parts)
        if not labels:
            return Totals(self.columns, sums)
        return self._totals(sums[..., : len(self.columns)], sums[..., len(self.columns) :])

    @property
    def width(self) -> int:
        """Number of columns of `matrix`."""
        if self.members:
            return sum(member.width for member in self.members.values())
        return len(self.columns) + len(self.keys)

    def _totals(self, dense: Floats, per_key: Floats) -> Totals:
        labels = tuple(sorted({label for _, label in self.keys}))
        place = {label: i for i, label in enumerate(labels)}
        shape = (*per_key.shape[:-1], len(labels))
        named = {column: np.zeros(shape) for column in self.label_columns}
        for i, (column, label) in enumerate(self.keys):
            named[column][..., place[label]] = per_key[..., i]
        return Totals(self.columns, dense, labels, named)

    def of_label(self, label: str) -> Stats:
        """The counts of one label alone, as the only label there is."""
        keys = {(column, label): i for i, column in enumerate(self.label_columns)}
        renumber = np.array([*(keys.get(key, -1) for key in self.keys), -1], np.int32)
        keep = renumber[self.key] >= 0
        return Stats(
            (),
            np.zeros((self.units, 0)),
            tuple(keys),
            self.unit[keep],
            renumber[self.key[keep]],
            self.value[keep],
            self.label_columns,
        )

    def with_keys(self, keys: Sequence[tuple[str, str]]) -> Stats:
        """The same counts with these keys, which must hold all of its own."""
        if self.members:
            raise ValueError("joined stats have the keys of their members")
        index = {key: i for i, key in enumerate(keys)}
        recode = np.array([index[key] for key in self.keys], np.int32)
        return replace(self, keys=tuple(keys), key=recode[self.key] if len(recode) else self.key)

    def __add__(self, other: Stats) -> Stats:
        return add([self, other])


def add(parts: Sequence[Stats]) -> Stats:
    """The units of several stats in one; label columns are joined by key, so shards may differ."""
    columns = parts[0].columns
    if any(p.columns != columns for p in parts):
        raise ValueError(f"stats of different metrics: {sorted({p.columns for p in parts})}")
    if len(parts) == 1:
        return parts[0]
    if parts[0].members:
        joined = join({name: add([p.part(name) for p in parts]) for name in parts[0].members})
        return replace(joined, **_places(parts))
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
        **_places(parts),
    )


def _places(parts: Sequence[Stats]) -> dict[str, Any]:
    """The numbers of units among those of all parts, where each part says its own."""
    if any(p.place is None for p in parts):
        return {}
    bases = np.cumsum([0, *(p.out_of for p in parts)])
    places = [p.place + base for p, base in zip(parts, bases, strict=False) if p.place is not None]
    return {"place": np.concatenate(places), "out_of": int(bases[-1])}


def join(parts: Mapping[str, Stats]) -> Stats:
    """Stats of several metrics over the same units side by side, columns named `part.column`."""
    return Stats(
        tuple(f"{name}.{column}" for name, part in parts.items() for column in part.columns),
        np.concatenate([p.dense for p in parts.values()], axis=1),
        label_columns=tuple(f"{n}.{c}" for n, p in parts.items() for c in p.label_columns),
        members=dict(parts),
    )


def _joined(parts: Mapping[str, Totals]) -> Totals:
    """Sums side by side, over all labels that any of them has."""
    labels = tuple(sorted({label for part in parts.values() for label in part.labels}))
    place = {label: i for i, label in enumerate(labels)}
    sparse = {}
    for name, part in parts.items():
        places = [place[label] for label in part.labels]
        for column, block in part.sparse.items():
            wide = np.zeros((*block.shape[:-1], len(labels)))
            wide[..., places] = block
            sparse[f"{name}.{column}"] = wide
    return Totals(
        tuple(f"{name}.{column}" for name, part in parts.items() for column in part.columns),
        np.concatenate([part.dense for part in parts.values()], axis=-1),
        labels,
        sparse,
    )


def beside(blocks: Sequence[Any]) -> Any:
    """Blocks of columns side by side, sparse if one of them is."""
    if all(isinstance(block, np.ndarray) for block in blocks):
        return np.concatenate(blocks, axis=1)
    from scipy import sparse

    return sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr")


def alike(stats: Sequence[Stats]) -> list[Stats]:
    """Stats of several systems with the same keys, so that their columns mean the same."""
    if stats[0].members:
        members = [alike([s.part(name) for s in stats]) for name in stats[0].members]
        names = list(stats[0].members)
        return [
            join({name: each[i] for name, each in zip(names, members, strict=True)})
            for i in range(len(stats))
        ]
    if all(s.keys == stats[0].keys for s in stats):
        return list(stats)
    labels = sorted({label for s in stats for _, label in s.keys})
    keys = [(column, label) for column in stats[0].label_columns for label in labels]
    return [s.with_keys(keys) for s in stats]


# Some rows of a column: their units, their labels, and which of them count.
Piece = tuple[Int32, Int32, npt.NDArray[np.bool_]]
Block = tuple[tuple[tuple[str, str], ...], Int32, Int32, Floats, tuple[str, ...]]


def label_block(
    names: Names,
    unit: Int32,
    columns: Mapping[str, tuple[Int32, npt.NDArray[np.bool_]]],
) -> Block:
    """The sparse block and its columns from the unit of every row and, for each column name, the
    rows' labels and which rows count."""
    falls = np.flatnonzero(unit[1:] < unit[:-1])
    if not len(falls):
        return label_cells(names, {name: [(unit, *rows)] for name, rows in columns.items()})
    # What a system added stands behind the rows of gold: only that needs to be sorted.
    first = int(falls[0]) + 1
    rest = first + np.argsort(unit[first:], kind="stable")
    return label_cells(
        names,
        {
            name: [
                (unit[:first], label[:first], counted[:first]),
                (unit[rest], label[rest], counted[rest]),
            ]
            for name, (label, counted) in columns.items()
        },
    )


def label_cells(names: Names, columns: Mapping[str, Sequence[Piece]]) -> Block:
    """The sparse block and its columns from pieces of rows; units of a piece must not decrease.

    Labels that never occur get no key; every label that occurs gets one in every column. A unit may
    have several cells of a key, one for each piece.
    """
    from tertium.corpus._kernels import count_cells

    cells = [
        (i, *count_cells(*piece, len(names)))
        for i, pieces in enumerate(columns.values())
        for piece in pieces
    ]
    seen = np.zeros(len(names), np.bool_)
    for _, _, label, _ in cells:
        seen[label] = True
    used = sorted(np.flatnonzero(seen).tolist(), key=lambda code: names[code])
    place = np.zeros(len(names), np.int32)
    place[used] = np.arange(len(used))
    return (
        tuple((column, names[code]) for column in columns for code in used),
        np.concatenate([unit for _, unit, _, _ in cells]),
        np.concatenate([place[label] + np.int32(i * len(used)) for i, _, label, _ in cells]),
        np.concatenate([count for _, _, _, count in cells]),
        tuple(columns),
    )
