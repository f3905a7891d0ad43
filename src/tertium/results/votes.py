"""Votes: what several sides say about the same items, one label each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of, unite
from tertium.exceptions import InputError
from tertium.formats.judgements import Judgements
from tertium.results.items import NOWHERE, ROOT, Items, occurrence, of_partner
from tertium.results.stats import UnitKind

SILENT = -1
NOTHING = "(none)"  # the vote of who could have proposed an item and did not
_DISTANCE = re.compile(r"(.*)([+-]\d+)", re.DOTALL)  # of a label with a second anchor
LARGEST = 1e100  # number among labels
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
        >>> votes = Votes.of(["a", "b"], labels, partners, unit, 1)
        >>> votes.ballot(0), votes.ballot(1)
        ('N (1)', 'V (2)')
        """
        names, table = partner_codes(labels, partners, len(unit))
        return cls.of_codes(table.T, names, sides, unit, units, base)

    @classmethod
    def from_items(
        cls,
        sides: Sequence[str],
        items: Sequence[Items],
        unit_of_token: Ints,
        covered: npt.NDArray[np.bool_] | None = None,
    ) -> Votes:
        """The votes of sides on every place where one of them has an item, given their items over
        the tokens of one text.

        The label of an item with a second anchor says how far away that is. `covered` (sides x
        units), where items are to be found, says what each side has annotated: there it votes
        NOTHING where it has no item. Of several items that a side has in one place each has a
        number of its own.
        """
        every = Items.join(items, [0] * len(items))
        side = np.repeat(np.arange(len(items)), [*map(len, items)])
        label = _used(_with_distance(every))
        item, first = _places(every, side)
        base = every.take(first)
        unit = np.asarray(unit_of_token)[base.start].astype(np.int64)
        units = int(np.max(unit_of_token, initial=-1)) + 1 if covered is None else covered.shape[1]
        names, code = label.names, label.codes
        if covered is not None:
            if NOTHING in names:
                raise InputError(
                    f"the label '{NOTHING}' would mean no annotation",
                    help="rename it with '--map-labels'",
                )
            has = covered[:, unit]
            has[side, item] = False
            missing, where = np.nonzero(has)
            names = Names.of([*names, NOTHING])
            side, item = np.append(side, missing), np.append(item, where)
            code = np.append(code, np.full(len(where), len(names) - 1, np.int32))
        return cls.of_rows(item, side, code, names, sides, unit, units, base)

    def labels_of(self, items: Items) -> Labels:
        """What such items of a further side have in the places of these votes, '' for nothing."""
        assert self.base is not None
        both = Items.join([self.base, items], [0, 0])
        side = np.repeat([0, 1], [len(self.base), len(items)])
        place, first = _places(both, side)
        names, (code, none) = unite(_with_distance(items), Labels.of([""]))
        found = np.full(len(first), none[0], np.int32)
        found[place[len(self.base) :]] = code
        return Labels(names, found[place[: len(self.base)]])

    def items_of(self, item: Ints, label: Ints) -> Items:
        """Items with labels, given as codes, in the places of some items of the base."""
        assert self.base is not None
        found = self.base.take(np.asarray(item, np.int64))
        if found.second is None:
            return replace(found, label=Labels(self.labels, label.astype(np.int32)))
        parts = [_DISTANCE.fullmatch(name) for name in self.labels]
        for name, part in zip(self.labels, parts, strict=True):
            if part is None:
                raise InputError(f"'{name}' does not say how far away the head is, as nsubj+2 does")
        plain = Labels.of(part[1] for part in parts if part)
        away = np.array([int(part[2]) for part in parts if part] or [0])[label]
        there = found.start + away
        second = np.where(away == 0, ROOT, np.where(there < 0, NOWHERE, there))
        return replace(found, label=Labels(plain.names, plain.codes[label]), second=second)

    def ballot(self, item: int) -> str:
        """The votes on an item: NOUN (3), X (1)."""
        first, last = self.start[item : item + 2]
        found = Counter(self.labels.some(self.label[first:last]))
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
        return ", ".join(f"{name} ({count})" for name, count in ordered)

    def voters(self, item: int) -> str:
        """Who votes for what on an item: NOUN: ann, ben; X: cy."""
        first, last = self.start[item : item + 2]
        found: dict[str, list[str]] = {}
        for label, side in zip(self.label[first:last], self.side[first:last], strict=True):
            found.setdefault(self.labels[label], []).append(self.sides[side])
        ordered = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
        return "; ".join(f"{label}: {', '.join(names)}" for label, names in ordered)

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

    @property
    def alone(self) -> list[str]:
        """The sides whose votes are all on items on which no other side votes."""
        given, shared = np.zeros((2, len(self.sides)), np.bool_)
        given[self.side], shared[self.side[self.size[self.item] > 1]] = True, True
        return [self.sides[n] for n in np.flatnonzero(given & ~shared).tolist()]

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


def _places(items: Items, side: Ints) -> tuple[Int64, Int64]:
    """A number for the place of every item, in the order of the text, and an item in each place.
    Of several that a side has over the same tokens, each is in a place of its own, by label."""
    size = (items.end - items.start).astype(np.int64)
    place = items.start.astype(np.int64) * (int(size.max(initial=0)) + 1) + size
    for gap in items.gaps():
        place = _joint(place, gap)
    names = np.array(items.label.names.strings)
    rank = np.argsort(np.argsort(names, kind="stable"), kind="stable")[items.label.codes]
    order = np.lexsort((rank, side, place))
    nth = np.empty(len(place), np.int64)
    nth[order] = occurrence(_joint(place, side)[order])
    _, first, found = np.unique(_joint(place, nth), return_index=True, return_inverse=True)
    return found.astype(np.int64), first


def _joint(key: Ints, other: Ints) -> Int64:
    """A number for every pair, in the order of the first."""
    codes = (np.unique(each, return_inverse=True)[1] for each in (key, other))
    first, second = codes
    return first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second


def _used(labels: Labels) -> Labels:
    """Without names that nothing is called."""
    names = np.flatnonzero(labels.counts())
    place = np.zeros(len(labels.names), np.int32)
    place[names] = np.arange(len(names))
    return Labels(Names.of(labels.names.some(names)), place[labels.codes])


def _with_distance(items: Items) -> Labels:
    """Labels that say how far away second anchors are, such as `nsubj+2`; +0 is the root."""
    if items.second is None:
        return items.label
    away = np.where(items.second < 0, 0, items.second - items.start)
    both = _joint(items.label.codes, away)
    _, pairs, code = np.unique(both, return_index=True, return_inverse=True)
    made = Labels.of(f"{items.label[row]}{away[row]:+d}" for row in pairs.tolist())
    return Labels(made.names, made.codes[code])


def partner_codes(
    labels: Sequence[Labels], partners: Sequence[Ints], items: int
) -> tuple[Names, Int32]:
    """What sides say about the items of a base, as `Votes.of` takes it: the names of all labels,
    and a row of codes for every side, SILENT where it has no partner."""
    names, codes = unite(*labels)
    rows = [of_partner(code, p, SILENT) for code, p in zip(codes, partners, strict=True)]
    return names, np.stack(rows) if rows else np.zeros((0, items), np.int32)


def values_of(labels: Sequence[str]) -> Floats | None:
    """Labels as numbers; None where one is no number, or one whose square would be infinite.

    >>> values_of(["1", "2.5"]), values_of(["1", "low"]), values_of(["1e200"])
    (array([1. , 2.5]), None, None)
    """
    try:
        found = [float(label) for label in labels]
    except ValueError:
        return None
    if not all(label.isascii() and "_" not in label for label in labels):
        return None  # Python reads more than people write
    return np.array(found) if all(abs(value) <= LARGEST for value in found) else None
