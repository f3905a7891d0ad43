"""Stats: additive counts per unit. A score is a formula over their sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Names
from tertium.results.compact import Cells, Counts, compact

Floats = npt.NDArray[np.float64]
UnitKind = Literal["item", "sentence", "document"]


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

    Both are kept small: `counts` may be given as an array and is made compact, `dense` is the array
    again. `keys` are (column, label) pairs, and `cells` their counts in units. `label_columns` are
    the columns that were counted per label, none unless asked for; there may be no label all the
    same. Stats of some units only may say which: `place` are their numbers among `out_of`.
    `kind` is what the units are. Stats of a pair of files that come without decisions may say what
    is odd about these (`coverage`).
    """

    columns: tuple[str, ...]
    counts: Counts | Floats
    keys: tuple[tuple[str, str], ...] = ()
    cells: Cells = field(default_factory=Cells)
    label_columns: tuple[str, ...] = ()
    place: npt.NDArray[Any] | None = None
    out_of: int = 0
    kind: UnitKind = "sentence"
    coverage: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.counts, Counts):
            object.__setattr__(self, "counts", Counts.of(self.counts))
        if self.place is not None:
            object.__setattr__(self, "place", compact(self.place))

    @property
    def _counts(self) -> Counts:
        return cast(Counts, self.counts)

    @property
    def units(self) -> int:
        """Number of units."""
        return self._counts.units

    @property
    def dense(self) -> Floats:
        """The dense block, made anew: units x columns."""
        return self._counts.dense

    def take(self, units: npt.NDArray[np.generic]) -> Stats:
        """The chosen units (mask or numbers, each at most once); labels stay, with zero counts."""
        chosen = np.flatnonzero(units) if units.dtype == np.bool_ else units.astype(np.int64)
        place = None if self.place is None else self.place[chosen]
        renumber = np.full(self.units, -1, np.int64)
        renumber[chosen] = np.arange(len(chosen))
        cells = self.cells.renumbered(units=renumber)
        return replace(self, counts=self._counts.take(chosen), cells=cells, place=place)

    def spread(self) -> Stats:
        """Stats of some units as stats of all, with nothing for the others."""
        if self.place is None:
            return self
        counts = self._counts.spread(self.place, self.out_of)
        cells = self.cells.renumbered(units=self.place)
        return replace(self, counts=counts, cells=cells, place=None, out_of=0)

    def by_document(self, document_of_unit: npt.NDArray[np.integer[Any]], documents: int) -> Stats:
        """Stats of sentences summed to stats of documents, which are numbered from 0.

        Where these are stats of some sentences only, they become stats of the documents that have
        one of them; `document_of_unit` is of all.
        """
        if self.kind != "sentence":
            raise ValueError(
                "stats are per document already; only stats per sentence can be summed by document"
            )
        place, size = None, documents
        if self.place is not None:
            place, document_of_unit = np.unique(document_of_unit[self.place], return_inverse=True)
            size = len(place)
        if len(document_of_unit) != self.units:
            raise ValueError(
                f"{self.units:,} sentences, but {len(document_of_unit):,} of them have a document"
            )
        return replace(
            self,
            counts=self._counts.summed(document_of_unit, size),
            cells=self.cells.summed(document_of_unit, len(self.keys)),
            kind="document",
            place=place,
            out_of=documents if place is not None else 0,
        )

    def split(self, group: npt.NDArray[np.integer[Any]], count: int) -> list[Stats]:
        """The units of each group 0..count-1, with only the labels that occur in it."""
        order = np.argsort(group, kind="stable")
        bounds = np.searchsorted(group[order], np.arange(count + 1))
        place = np.empty(self.units, np.int32)
        place[order] = np.arange(self.units)
        unit, code, value = self.cells.unit, self.cells.key, self.cells.value
        of_cell = group[unit]
        cells = np.argsort(of_cell, kind="stable")
        cell_bounds = np.searchsorted(of_cell[cells], np.arange(count + 1))
        parts = []
        for n in range(count):
            rows = cells[cell_bounds[n] : cell_bounds[n + 1]]
            used, key = np.unique(code[rows], return_inverse=True)
            labels = {self.keys[k][1] for k in used.tolist()}
            # Every label of the group gets all its columns, so that none is missing in a sum.
            keys = [(column, label) for column in self.label_columns for label in sorted(labels)]
            index = {k: i for i, k in enumerate(keys)}
            renumber = np.array([index[self.keys[k]] for k in used.tolist()], np.int32)
            parts.append(
                Stats(
                    self.columns,
                    self._counts.take(order[bounds[n] : bounds[n + 1]]),
                    tuple(keys),
                    Cells.of(place[unit[rows]] - bounds[n], renumber[key], value[rows]),
                    self.label_columns,
                    kind=self.kind,
                )
            )
        return parts

    def totals(self, weights: Floats | None = None) -> Totals:
        """Sums over units, or for a matrix of weights (resamples x units) one sum per resample."""
        if weights is not None:
            return self.totals_of(weights @ self.matrix())
        return self._totals(self.dense.sum(axis=0), self.cells.per_key(len(self.keys)))

    def matrix(self, *, labels: bool = True) -> Any:
        """One row per unit: the dense columns, then one column for each key. It is sparse (CSR)
        where there are keys; without `labels` they are left out."""
        if not (labels and self.keys):
            return self.dense
        from scipy import sparse

        cells = sparse.csr_array(
            (
                self.cells.value.astype(np.float64),
                (self.cells.unit, self.cells.key.astype(np.int32)),
            ),
            shape=(self.units, len(self.keys)),
        )
        return beside([self.dense, cells])

    def totals_of(self, sums: Floats, *, labels: bool = True) -> Totals:
        """Sums over the columns of `matrix` under their names; leading axes stay."""
        if not labels:
            return Totals(self.columns, sums)
        return self._totals(sums[..., : len(self.columns)], sums[..., len(self.columns) :])

    @property
    def width(self) -> int:
        """Number of columns of `matrix`."""
        return len(self.columns) + len(self.keys)

    def _totals(self, dense: Floats, per_key: Floats) -> Totals:
        labels, where = self._label_places
        named = {column: np.zeros((*per_key.shape[:-1], len(labels))) for column in where}
        for column, (key, label) in where.items():
            named[column][..., label] = per_key[..., key]
        return Totals(self.columns, dense, labels, named)

    @cached_property
    def _label_places(self) -> tuple[tuple[str, ...], dict[str, npt.NDArray[np.intp]]]:
        """All labels in order and, of every label column, its keys and the places of their labels:
        found once, since there may be millions of keys and thousands of resamples."""
        labels = tuple(sorted({label for _, label in self.keys}))
        place = {label: i for i, label in enumerate(labels)}
        found: dict[str, list[tuple[int, int]]] = {column: [] for column in self.label_columns}
        for number, (column, label) in enumerate(self.keys):
            found[column].append((number, place[label]))
        return labels, {c: np.array(each, np.intp).reshape(-1, 2).T for c, each in found.items()}

    def of_label(self, label: str) -> Stats:
        """The counts of one label alone, as the only label there is."""
        keys = {(column, label): i for i, column in enumerate(self.label_columns)}
        renumber = np.array([keys.get(key, -1) for key in self.keys], np.int64)
        cells = self.cells.renumbered(keys=renumber)
        none = np.zeros((self.units, 0))
        return Stats((), none, tuple(keys), cells, self.label_columns, kind=self.kind)

    def __add__(self, other: Stats) -> Stats:
        return add([self, other])


def common_kind(stats: Iterable[Stats]) -> UnitKind:
    """What the units of all of them are; ValueError where it is not the same."""
    kinds = {each.kind for each in stats}
    if len(kinds) > 1:
        raise ValueError(f"stats of different units: {' and '.join(sorted(kinds))}")
    return kinds.pop()


def add(parts: Sequence[Stats]) -> Stats:
    """The units of several stats in one; label columns are joined by key, so shards may differ."""
    columns = parts[0].columns
    if any(p.columns != columns for p in parts):
        raise ValueError(f"stats of different metrics: {sorted({p.columns for p in parts})}")
    kind = common_kind(parts)
    if len(parts) == 1:
        return parts[0]
    index: dict[tuple[str, str], int] = {}
    units, keys, base = [], [], 0
    for part in parts:
        recode = np.array([index.setdefault(k, len(index)) for k in part.keys], np.int32)
        keys.append(recode[part.cells.key])
        units.append(part.cells.unit + np.int32(base))
        base += part.units
    values = [p.cells.value for p in parts]
    return Stats(
        columns,
        Counts.add([p._counts for p in parts]),
        tuple(index),
        Cells.of(np.concatenate(units), np.concatenate(keys), np.concatenate(values)),
        parts[0].label_columns,
        kind=kind,
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
    units = {part.units for part in parts.values()}
    if len(units) > 1:
        raise ValueError(f"stats of different numbers of sentences or documents: {sorted(units)}")
    return Stats(
        tuple(f"{name}.{column}" for name, part in parts.items() for column in part.columns),
        Counts(units.pop(), tuple(c for p in parts.values() for c in p._counts.columns)),
        tuple((f"{name}.{c}", label) for name, part in parts.items() for c, label in part.keys),
        Cells.join([(part.cells, len(part.keys)) for part in parts.values()]),
        tuple(f"{name}.{c}" for name, part in parts.items() for c in part.label_columns),
        kind=common_kind(parts.values()),
    )


def beside(blocks: Sequence[Any]) -> Any:
    """Blocks of columns side by side, sparse if one of them is."""
    if all(isinstance(block, np.ndarray) for block in blocks):
        return np.concatenate(blocks, axis=1)
    from scipy import sparse

    return sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr")


def alike(stats: Sequence[Stats]) -> list[Stats]:
    """Stats of several systems with the same keys, so that their columns mean the same."""
    common_kind(stats)
    if all(s.keys == stats[0].keys for s in stats):
        return list(stats)
    labels = sorted({label for s in stats for _, label in s.keys})
    keys = tuple((column, label) for column in stats[0].label_columns for label in labels)
    index = {key: i for i, key in enumerate(keys)}
    codes = [np.array([index[key] for key in s.keys], np.int64) for s in stats]
    return [
        replace(s, keys=keys, cells=s.cells.renumbered(keys=code))
        for s, code in zip(stats, codes, strict=True)
    ]


def label_block(
    names: Names,
    unit: Int32,
    columns: Mapping[str, tuple[Int32, npt.NDArray[np.bool_]]],
) -> tuple[tuple[tuple[str, str], ...], Cells, tuple[str, ...]]:
    """The sparse block and its columns from the unit of every row and, for each column name, the
    rows' labels and which rows count.

    Labels that never occur get no key; every label that occurs gets one in every column.
    """
    from tertium.corpus._kernels import count_cells

    # What a system added stands behind the rows of gold: only that needs to be sorted.
    falls = np.flatnonzero(unit[1:] < unit[:-1])
    pieces: list[Any] = [slice(None)]
    if len(falls):
        first = int(falls[0]) + 1
        pieces = [slice(first), first + np.argsort(unit[first:], kind="stable")]
    cells = []
    for i, (labels, counted) in enumerate(columns.values()):
        for rows in pieces:
            found = count_cells(unit[rows], labels[rows], counted[rows], len(names))
            of_unit, label, count = map(compact, found)
            cells.append((i, of_unit, label, count))
    seen = np.zeros(len(names), np.bool_)
    for _, _, label, _ in cells:
        seen[label] = True
    used = sorted(np.flatnonzero(seen).tolist(), key=lambda code: names[code])
    place = np.zeros(len(names), np.int32)
    place[used] = np.arange(len(used))
    return (
        tuple((column, names[code]) for column in columns for code in used),
        Cells.of(
            np.concatenate([of_unit for _, of_unit, _, _ in cells]),
            np.concatenate([place[label] + np.int32(i * len(used)) for i, _, label, _ in cells]),
            np.concatenate([count for _, _, _, count in cells]),
        ),
        tuple(columns),
    )
