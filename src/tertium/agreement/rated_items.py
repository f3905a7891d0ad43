"""Ratings: votes one by one, item by item, and sums over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.exceptions import InputError, suggestion
from tertium.families.base import columns_of
from tertium.results.compact import Cells
from tertium.results.stats import Stats
from tertium.results.votes import Votes

PORTION = 4_000_000  # pairs of ratings, or cells of a table, that are made at a time

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
RatedUnit = Literal["item", "sentence", "all"]


@dataclass(frozen=True, eq=False)
class RatedItems:
    """All ratings, in the order of items and, of one item, of sides.

    - `item`, `side`, `code`: of every rating
    - `size`: how many ratings each item has; `unit`: the unit of each item, of `units` that there
      are. As one unit for all, sums over units are sums over everything
    - `labels`: the labels that occur, in their order: as requested, by value where all are numbers,
      else by name
    - `has_order`: does the order of labels mean anything?
    """

    item: Int64
    side: Int64
    code: Int64
    size: Int64
    unit: Int64
    units: int
    labels: tuple[str, ...]
    sides: tuple[str, ...]
    has_order: bool

    @classmethod
    def of(cls, votes: Votes, unit: RatedUnit = "item", order: Sequence[str] = ()) -> RatedItems:
        """The ratings that votes hold. `order` lists labels from the least to the greatest; one
        that it lacks is refused."""
        table = np.ascontiguousarray(votes.codes.T)  # sides x items, as votes keep it
        side, item = np.divmod(np.flatnonzero(table.ravel() >= 0), max(len(votes), 1))
        by_item = np.argsort(item, kind="stable")
        side, item = side[by_item], item[by_item]
        code = table[side, item].astype(np.int64)
        used = np.flatnonzero(np.bincount(code, minlength=len(votes.labels)))
        names = [votes.labels[number] for number in used.tolist()]
        labels = _ordered(names, order)
        renumber = np.full(len(votes.labels), -1, np.int64)
        place = {label: number for number, label in enumerate(labels)}
        renumber[used] = [place[name] for name in names]
        found = cls(
            item=item,
            side=side,
            code=renumber[code],
            size=np.bincount(item, minlength=len(votes)),
            unit=np.arange(len(votes)),
            units=len(votes),
            labels=labels,
            sides=votes.sides,
            has_order=bool(order) or values_of(names) is not None,
        )
        if unit == "all":
            return found.as_one()
        if unit == "sentence":
            return replace(found, unit=votes.unit.astype(np.int64), units=votes.units)
        return found

    def as_one(self) -> RatedItems:
        """The same as one unit."""
        return replace(self, unit=np.zeros(len(self.size), np.int64), units=1)

    def take(self, items: Bools) -> RatedItems:
        """Those of some items, a mask; all labels and sides stay."""
        kept = items[self.item]
        renumber = np.cumsum(items) - 1
        return replace(
            self,
            item=renumber[self.item[kept]],
            side=self.side[kept],
            code=self.code[kept],
            size=self.size[items],
            unit=self.unit[items],
        )

    def without(self, label: str) -> RatedItems:
        """Without items that everybody gives the same label, this one."""
        if label not in self.labels:
            return self
        is_other = self.code != self.labels.index(label)
        return self.take(np.bincount(self.item, weights=is_other, minlength=len(self.size)) > 0)

    @cached_property
    def derived(self) -> dict[str, Any]:
        """A place for what is computed once and used again."""
        return {}

    @cached_property
    def start(self) -> Int64:
        """Where the ratings of every item begin."""
        found: Int64 = np.cumsum(self.size) - self.size
        return found

    @cached_property
    def counts(self) -> tuple[Int64, Int64, Int64]:
        """How often each item has each label, where it has: item, label, count."""
        width = max(len(self.labels), 1)
        cell = self.item * width + self.code
        if len(self.size) * width <= max(2 * PORTION, 4 * len(cell)):
            times = np.bincount(cell)
            cells = np.flatnonzero(times)
            times = times[cells]
        else:
            cells, times = np.unique(cell, return_counts=True)
        item, label = np.divmod(cells, width)
        return item, label, times.astype(np.int64)

    def pairs(self) -> Iterator[tuple[Int64, Int64]]:
        """Every two ratings of an item once, as rows of ratings, in portions; the first is that of
        the earlier side."""
        for size in np.unique(self.size[self.size > 1]).tolist():
            start = self.start[self.size == size]
            first, second = np.triu_indices(size, 1)
            step = max(1, PORTION // len(first))
            for begin in range(0, len(start), step):
                rows = start[begin : begin + step, None]
                yield (rows + first).ravel(), (rows + second).ravel()

    def by_value(self) -> RatedItems:
        """With one label for every number, however it is written; the same where labels are not
        numbers in rising order."""
        if self.values is None or (np.diff(self.values) < 0).any():
            return self
        values, place = np.unique(self.values, return_inverse=True)
        return replace(self, code=place[self.code], labels=tuple(map(repr, values.tolist())))

    @cached_property
    def values(self) -> Floats | None:
        """The labels as numbers; None where one is not a number."""
        return values_of(self.labels)


@dataclass
class Sums:
    """Collects additive counts of ratings per unit: columns, and cells of columns by labels.

    `labels` are what cells are by: labels of ratings, or whatever else has its own counts.
    """

    ratings: RatedItems
    labels: Sequence[str] = ()
    columns: Sequence[str] = ()
    dense: dict[str, Floats] = field(default_factory=dict)
    cells: list[tuple[Int64, Int64, Floats]] = field(default_factory=list)

    def add(self, name: str, per_item: npt.NDArray[Any]) -> None:
        """A column, given its number for every item."""
        made = np.bincount(self.ratings.unit, per_item, minlength=self.ratings.units)
        self.dense[name] = made.astype(np.float64)

    def cell(
        self, column: int | Int64, label: Int64, item: Int64, value: npt.ArrayLike = 1.0
    ) -> None:
        """Numbers by column and label, given the item of each."""
        key = np.asarray(column) * len(self.labels) + label
        values: Floats = np.broadcast_to(np.asarray(value, np.float64), key.shape)
        unit = self.ratings.unit[item]
        width = len(self.labels) * len(self.columns)
        if self.ratings.units == 1 and width <= PORTION:
            sums = np.bincount(key, values, minlength=width).astype(np.float64)
            key = np.flatnonzero(sums)
            unit, values = np.zeros(len(key), np.int64), sums[key]
        self.cells.append((unit, key, values))

    def stats(self) -> Stats:
        """All of it; every cell has a key, also one without a count."""
        parts = self.cells or [(np.zeros(0, np.int64),) * 2 + (np.zeros(0),)]
        unit, key, value = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(unit, kind="stable")
        keys = ((column, label) for column in self.columns for label in self.labels)
        return Stats(
            *columns_of(self.dense),
            keys=tuple(keys),
            cells=Cells.of(unit[order], key[order], value[order]),
            label_columns=tuple(self.columns),
        )


def values_of(labels: Sequence[str]) -> Floats | None:
    """Labels as numbers; None where one is not a finite number.

    >>> values_of(["1", "2.5"]), values_of(["1", "low"]), values_of(["nan"])
    (array([1. , 2.5]), None, None)
    """
    try:
        found = [float(label) for label in labels]
    except ValueError:
        return None
    return np.array(found) if all(map(isfinite, found)) else None


def _ordered(names: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    if order:
        unknown = sorted({*names} - {*order})
        if unknown:
            raise InputError(
                f"the label '{unknown[0]}' is not in the order of labels."
                f"{suggestion(unknown[0], [*order])}",
                help=f"'--order' must list all labels: {', '.join(sorted(names)[:20])}",
            )
        place: Mapping[str, Any] = {name: number for number, name in enumerate(order)}
    else:
        values = values_of(names)
        place = {} if values is None else dict(zip(names, values.tolist(), strict=True))
    return tuple(sorted(names, key=lambda name: (place.get(name, 0), name)))
