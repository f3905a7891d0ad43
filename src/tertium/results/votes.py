"""Votes: what several sides say about the same items, one label each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of, unite
from tertium.exceptions import InputError
from tertium.formats.judgements import Judgements
from tertium.results.items import Items, of_partner
from tertium.results.stats import UnitKind

SILENT = -1
PORTION = 4_000_000  # pairs of votes that are made at a time
Ints = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Votes:
    """Votes one by one, sorted by item, label and side. There is no gold standard among the sides,
    and many of them that judge few items each cost nothing.

    - `item`, `side`, `label`: of every vote, as numbers
    - `labels`, `sides`: the names of labels and sides
    - `unit`: the sentence or document of every item, of `units` that there are
    - `base`: the items themselves, where there is a text; `ids`: their names, where they have some
    - `values`: the numbers or places of labels, in rising order, where these have an order
    - `kind`: what units are
    """

    item: Int64
    side: Int64
    label: Int64
    labels: Names
    sides: tuple[str, ...]
    unit: Ints
    units: int
    base: Items | None = None
    ids: Names | None = None
    values: Floats | None = None
    kind: UnitKind = "sentence"

    @classmethod
    def of_rows(
        cls,
        item: Ints,
        side: Ints,
        label: Ints,
        labels: Names,
        sides: Sequence[str],
        unit: Ints | None = None,
        units: int = 0,
        base: Items | None = None,
        ids: Names | None = None,
    ) -> Votes:
        """Votes in any order, of items that have ids or units; without units each is its own."""
        order = np.lexsort((side, label, item))
        kind: UnitKind = "sentence"
        if unit is None:
            units, kind = 0 if ids is None else len(ids), "item"
            unit = np.arange(units)
        item, side, label = (
            np.ascontiguousarray(each[order], np.int64) for each in (item, side, label)
        )
        about = unit, units, base, ids
        return cls(item, side, label, labels, tuple(sides), *about, kind=kind)

    @classmethod
    def of_codes(
        cls, codes: Int32, labels: Names, sides: Sequence[str], *about: Any, **more: Any
    ) -> Votes:
        """Those of a table, items by sides, with SILENT where a side gives no label."""
        item, side = np.nonzero(codes != SILENT)
        return cls.of_rows(item, side, codes[item, side], labels, sides, *about, **more)

    @classmethod
    def of(
        cls,
        sides: Sequence[str],
        labels: Sequence[Labels],
        partners: Sequence[Ints],
        unit: Ints,
        units: int,
        base: Items | None = None,
    ) -> Votes:
        """The votes of sides over the items of a base, given the labels of each side's own items
        and, for every item of the base, the side's item that is its partner (-1 for none).

        >>> labels = [Labels.of(["N", "V"]), Labels.of(["V"])]
        >>> unit = np.array([0, 0])
        >>> partners = [np.array([0, 1]), np.array([-1, 0])]
        >>> Votes.of(["a", "b"], labels, partners, unit, 1).codes.tolist()
        [[0, -1], [1, 1]]
        """
        names, table = partner_codes(labels, partners, len(unit))
        return cls.of_codes(table.T, names, sides, unit, units, base)

    @classmethod
    def from_table(
        cls, items: Iterable[str], annotators: Iterable[str], labels: Iterable[str | None]
    ) -> Votes:
        """The votes of a table of judgements, one per row, without a text: every item is a unit.

        Items, annotators and labels are in the order in which they first occur. A row without a
        label (None) is not a vote. Raises InputError where an annotator judges an item twice.

        >>> votes = Votes.from_table(["i", "i", "j"], ["a", "b", "b"], ["X", "Y", "X"])
        >>> votes.sides, votes.codes.tolist()
        (('a', 'b'), [[0, 1], [-1, 0]])
        """
        item, side = Labels.of(items), Labels.of(annotators)
        given = [*labels]
        if not len(item) == len(side) == len(given):
            raise InputError(
                "a table of judgements needs an item, an annotator and a label in every row"
            )
        cells = item.codes.astype(np.int64) * max(len(side.names), 1) + side.codes
        _, first, times = np.unique(cells, return_index=True, return_counts=True)
        if (times > 1).any():
            row = int(first[times > 1].min())
            raise InputError(f"'{side[row]}' judges item '{item[row]}' more than once")
        said = np.array([label is not None for label in given], np.bool_)
        label = Labels.of(label for label in given if label is not None)
        return cls.from_judgements(Judgements("", item.take(said), side.take(said), label))

    @classmethod
    def from_judgements(cls, found: Judgements) -> Votes:
        """The votes of judgements that were read; the unit is the sentence where there are some,
        else the item."""
        item, side, label, sentence = found.item, found.annotator, found.label, found.sentence
        return cls.of_rows(
            *(item.codes, side.codes, label.codes, label.names, side.names.strings),
            unit=None if sentence is None else sentence.codes,
            units=0 if sentence is None else len(sentence.names),
            ids=item.names,
        )

    def __len__(self) -> int:
        return len(self.unit)

    @cached_property
    def codes(self) -> Int32:
        """The label that each side (column) gives to each item (row), SILENT where it has none."""
        # Each side's column in one piece, since votes are counted side by side.
        table = np.full((len(self.sides), len(self)), SILENT, np.int32).T
        table[self.item, self.side] = self.label
        return table

    @staticmethod
    def join(parts: Sequence[Votes], tokens: Sequence[int] = ()) -> Votes:
        """The votes of the same sides in several files, one after another; `tokens` is where the
        text of each begins."""
        first = parts[0]
        for part in parts:
            if part.sides != first.sides:
                raise InputError(
                    f"votes of different sides: {', '.join(first.sides)} and "
                    f"{', '.join(part.sides)}"
                )
        names, label = unite(*(Labels(p.labels, p.label.astype(np.int32)) for p in parts))
        items, units = (bounds_of([*map(size, parts)]) for size in (len, lambda p: p.units))
        bases = [p.base for p in parts if p.base is not None]
        ids = [p.ids for p in parts if p.ids is not None]
        return Votes.of_rows(
            np.concatenate([p.item + b for p, b in zip(parts, items, strict=False)]),
            np.concatenate([p.side for p in parts]),
            np.concatenate(label),
            names,
            first.sides,
            np.concatenate([p.unit + b for p, b in zip(parts, units, strict=False)]),
            int(units[-1]),
            Items.join(bases, tokens) if len(bases) == len(tokens) == len(parts) else None,
            Names.of(name for part in ids for name in part) if len(ids) == len(parts) else None,
        )

    def take(self, chosen: Bools) -> Votes:
        """Some of the votes; all items, labels and sides stay."""
        rows = {name: getattr(self, name)[chosen] for name in ("item", "side", "label")}
        return replace(self, **rows)

    def of_items(self, items: Bools) -> Votes:
        """Those of some items, a mask, which alone are left; all labels and sides stay."""
        kept = self.take(items[self.item])
        number = np.cumsum(items) - 1
        return replace(kept, item=number[kept.item], unit=self.unit[items], base=None, ids=None)

    def by_item(self) -> Votes:
        """With every item as its own unit."""
        return replace(self, unit=np.arange(len(self)), units=len(self), kind="item")

    def as_one(self) -> Votes:
        """With one unit for all, so that sums over units are sums over everything."""
        if self.units == 1:
            return self
        return replace(self, unit=np.zeros(len(self), np.int64), units=1)

    def relabel(self, code: Int64, labels: Sequence[str], values: Floats | None = None) -> Votes:
        """With other labels, given the new number of each, -1 for one that does not occur."""
        found = replace(self, label=code[self.label], labels=Names.of(labels), values=values)
        if (np.diff(code[code >= 0]) > 0).all():
            return found  # as sorted as before
        order = np.lexsort((self.side, found.label, self.item))
        return replace(found, side=self.side[order], label=found.label[order])

    @cached_property
    def start(self) -> Int64:
        """The first vote of every item, and one more."""
        return bounds_of(self.size)

    @cached_property
    def size(self) -> Int64:
        """How many votes every item has."""
        return np.bincount(self.item, minlength=len(self)).astype(np.int64)

    @cached_property
    def first_of_cell(self) -> Int64:
        """The first vote of every cell: of all votes for one label of one item."""
        begins = np.append(True, (np.diff(self.item) != 0) | (np.diff(self.label) != 0))
        return np.flatnonzero(begins[: len(self.item)])

    @cached_property
    def cells(self) -> tuple[Int64, Int64, Int64]:
        """How often each item has each label, where it has: item, label, count."""
        at = self.first_of_cell
        return self.item[at], self.label[at], np.diff(np.append(at, len(self.item)))

    @cached_property
    def same(self) -> Int64:
        """How many other votes on its item every vote agrees with."""
        count = self.cells[2]
        return np.repeat(count - 1, count)

    @cached_property
    def agreement(self) -> Int64:
        """How often each side votes as another does: once for each item and other one."""
        return np.rint(np.bincount(self.side, self.same, len(self.sides))).astype(np.int64)

    def pairs(self) -> Iterator[tuple[Int64, Int64]]:
        """Every two votes on an item once, as rows, in portions; the first is that of the earlier
        side."""
        for size in np.unique(self.size[self.size > 1]).tolist():
            start = self.start[:-1][self.size == size]
            first, second = np.triu_indices(size, 1)
            step = max(1, PORTION // len(first))
            for begin in range(0, len(start), step):
                rows = start[begin : begin + step, None]
                a, b = (rows + first).ravel(), (rows + second).ravel()
                turned = self.side[a] > self.side[b]
                yield np.where(turned, b, a), np.where(turned, a, b)

    @cached_property
    def derived(self) -> dict[object, Any]:
        """A place for what is computed once and used again."""
        return {}


def partner_codes(
    labels: Sequence[Labels], partners: Sequence[Ints], items: int
) -> tuple[Names, Int32]:
    """What sides say about the items of a base, as `Votes.of` takes it: the names of all labels,
    and a row of codes for every side, SILENT where it has no partner."""
    names, codes = unite(*labels)
    rows = [of_partner(code, p, SILENT) for code, p in zip(codes, partners, strict=True)]
    return names, np.stack(rows) if rows else np.zeros((0, items), np.int32)


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
