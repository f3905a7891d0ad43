"""Answers: what every system says about every item of one metric, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Names
from tertium.results.decisions import NO_LABEL, Decisions
from tertium.results.items import NOWHERE, Items

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
D = TypeVar("D", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Answers:
    """Items by systems. Gold items come first; extra items, which only systems have, follow.

    - `names`: labels; `types`: error types, of which the first means right
    - `unit`, `gold`: of every item, its unit and gold label (-1 for none)
    - `answer`, `right`, `answered`, `label`, `type`: systems x items. Two systems differ on an item
      iff their answers do: each is the number of the first system that gives it. For an extra item,
      to say nothing is right
    - `credit`: systems x gold items, how right; None where right or wrong is all there is
    - `counted`: the units that can be complete
    - `group`: of every item, where there are groups (`--by`), as codes into `group_names`
    - `tokens`: how many gold tokens there are
    - `sides`: where it was asked for, the items of gold and of each system over the gold tokens,
      and `row`: which of them each item is (sides x items, -1 for none)
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    gold_items: int
    units: int
    unit: Int32
    gold: Int32
    answer: npt.NDArray[np.unsignedinteger[Any]]
    right: Bools
    answered: Bools
    label: npt.NDArray[np.int32]
    type: Codes
    counted: Bools
    credit: Floats | None = None
    group: Int32 | None = None
    group_names: tuple[str, ...] = ()
    tokens: int = 0
    sides: tuple[Items, ...] = ()
    row: Int32 | None = None

    @classmethod
    def of(
        cls,
        systems: Iterable[Decisions],
        *,
        counted: Bools,
        tokens: int = 0,
        right_type: str = "correct",
        unit_groups: Sequence[str] = (),
        places: bool = False,
    ) -> Answers:
        """The decisions of several systems side by side. They are taken one by one, and only what
        is told here is kept of each.

        `unit_groups` are the groups of units, where items are grouped by these; else items are
        grouped as the decisions say. `places` asks for where items stand.
        """
        collected = Collection(places=places)
        for decisions in systems:
            collected.add(decisions)
        return collected.answers(
            counted=counted, tokens=tokens, right_type=right_type, unit_groups=unit_groups
        )

    @staticmethod
    def in_sequence(parts: Sequence[Answers]) -> Answers:
        """The items of several files one after another, gold items before extra ones."""
        if len(parts) == 1:
            return parts[0]
        labels: dict[str, int] = {}
        groups: dict[str, int] = {}
        recode = [_codes(p.names, labels) for p in parts]
        regroup = [_codes(p.group_names, groups) for p in parts]
        units = np.cumsum([0, *(p.units for p in parts)]).tolist()
        tokens = np.cumsum([0, *(p.tokens for p in parts)]).tolist()

        def laid(columns: Iterable[npt.NDArray[D] | None]) -> Any:
            """Gold items of all parts, then their extra ones; None where a part has none."""
            there = [column for column in columns if column is not None]
            if len(there) < len(parts):
                return None
            front = [c[..., : p.gold_items] for c, p in zip(there, parts, strict=True)]
            back = [c[..., p.gold_items :] for c, p in zip(there, parts, strict=True)]
            return np.concatenate([*front, *back], axis=-1)

        def rows() -> Iterable[Int32 | None]:
            base = np.zeros((len(parts[0].answer) + 1, 1), np.int32)
            for part in parts:
                if part.row is None:
                    yield None
                    continue
                yield np.where(part.row >= 0, part.row + base, part.row)
                base = base + np.array([[len(side)] for side in part.sides], np.int32)

        return Answers(
            names=tuple(labels),
            types=parts[0].types,
            gold_items=sum(p.gold_items for p in parts),
            units=units[-1],
            unit=laid(p.unit + np.int32(base) for p, base in zip(parts, units, strict=False)),
            gold=laid(codes[p.gold] for p, codes in zip(parts, recode, strict=True)),
            answer=laid(p.answer for p in parts),
            right=laid(p.right for p in parts),
            answered=laid(p.answered for p in parts),
            label=laid(codes[p.label] for p, codes in zip(parts, recode, strict=True)),
            type=laid(p.type for p in parts),
            counted=np.concatenate([p.counted for p in parts]),
            credit=laid(p.credit for p in parts),
            group=laid(
                None if p.group is None else codes[p.group]
                for p, codes in zip(parts, regroup, strict=True)
            ),
            group_names=tuple(groups),
            tokens=tokens[-1],
            sides=tuple(
                Items.join(sides, tokens[:-1])
                for sides in zip(*(p.sides for p in parts), strict=True)
            ),
            row=laid(rows()),
        )

    def __len__(self) -> int:
        return len(self.unit)

    def __repr__(self) -> str:
        return f"<Answers: {self.systems} systems, {len(self):,} items>"

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.answer)

    @cached_property
    def right_per_label(self) -> Int64:
        """Systems x labels: gold items that are right, by gold label."""
        return self.count_gold(self.right[:, : self.gold_items])

    @cached_property
    def gold_per_label(self) -> Int64:
        """Gold items of every label."""
        found: Int64 = self.count_gold(np.ones((1, self.gold_items), np.bool_))[0]
        return found

    def count_gold(self, rows: Bools) -> Int64:
        """How many of the masked gold items have each gold label; one row of the mask, one of the
        result."""
        label = self.gold[: self.gold_items]
        # The last place is that of items without a label.
        found = [np.bincount(label[row], minlength=len(self.names)) for row in rows]
        return np.array(found, np.int64).reshape(len(rows), len(self.names))

    def place(self, side: int) -> tuple[Int32, Int32, Int64]:
        """First and last gold token of every item as a side has it (0 is gold), -1 for nowhere, and
        the second anchor. An extra item stands where the first system that has it has it."""
        assert self.row is not None
        row = self.row[side]
        if not side:
            extra = self.row[1:, self.gold_items :]
            first, last, second = self._placed(0, row)
            for n in reversed(range(len(extra))):
                here = np.flatnonzero(extra[n] >= 0)
                at = self.gold_items + here
                first[at], last[at], _ = self._placed(n + 1, extra[n, here])
            return first, last, second
        return self._placed(side, row)

    def _placed(self, side: int, row: Int32) -> tuple[Int32, Int32, Int64]:
        items = self.sides[side]
        there = row >= 0
        first, last = np.full(len(row), -1, np.int32), np.full(len(row), -1, np.int32)
        first[there], last[there] = items.start[row[there]], items.end[row[there]] - 1
        second = np.full(len(row), NOWHERE, np.int64)
        if items.second is not None:
            second[there] = items.second[row[there]]
        return first, last, second

    def take(self, items: Bools, units: Bools | None = None) -> Answers:
        """The masked items; `units` says which units count then, by default those with items."""
        counted = np.zeros(self.units, np.bool_)
        counted[self.unit[items]] = True
        return replace(
            self,
            gold_items=int(items[: self.gold_items].sum()),
            unit=self.unit[items],
            gold=self.gold[items],
            answer=self.answer[:, items],
            right=self.right[:, items],
            answered=self.answered[:, items],
            label=self.label[:, items],
            type=self.type[:, items],
            credit=None if self.credit is None else self.credit[:, items[: self.gold_items]],
            counted=self.counted & (counted if units is None else units),
            group=None,
            group_names=(),
            row=None if self.row is None else self.row[:, items],
        )

    def of_systems(self, rows: Sequence[int]) -> Answers:
        """Some systems only; extra items that none of them has are left out."""
        kept = np.zeros(len(self), np.bool_)
        kept[: self.gold_items] = True
        kept[self.gold_items :] = self.answered[rows, self.gold_items :].any(axis=0)
        sides = [0, *(row + 1 for row in rows)]
        part = replace(
            self,
            answer=self.answer[rows],
            right=self.right[rows],
            answered=self.answered[rows],
            label=self.label[rows],
            type=self.type[rows],
            credit=None if self.credit is None else self.credit[rows],
            sides=tuple(self.sides[side] for side in sides) if self.sides else (),
            row=None if self.row is None else self.row[sides],
        )
        if kept.all():
            return part
        group = None if self.group is None else self.group[kept]
        return replace(
            part.take(kept), counted=self.counted, group=group, group_names=self.group_names
        )


class Collection:
    """The decisions of several systems on the same gold items, put side by side one by one: only
    what `Answers` tells is kept of each. `places` asks for where items stand."""

    def __init__(self, *, places: bool = False) -> None:
        self._places = places
        self._parts: list[_Part] = []
        self._labels: dict[str, int] = {}
        self._groups: dict[str, int] = {}
        self._types: tuple[str, ...] = ()

    def add(self, decisions: Decisions) -> None:
        """One more system."""
        first = self._parts[0] if self._parts else None
        part = _Part.of(decisions, self._labels, self._groups, first, self._places)
        self._parts.append(part)
        self._types = decisions.error_types

    def answers(
        self,
        *,
        counted: Bools,
        tokens: int = 0,
        right_type: str = "correct",
        unit_groups: Sequence[str] = (),
    ) -> Answers:
        """All side by side (`Answers.of`). What was collected is used up."""
        parts, labels, groups = self._parts, self._labels, self._groups
        items = _Order.of(parts)
        shape = (len(parts), len(items))
        unit = np.zeros(len(items), np.int32)
        gold = np.full(len(items), NO_LABEL, np.int32)
        given = np.zeros(shape, np.int64)  # 0 where a system says nothing about an extra item
        right, answered = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        right[:, items.gold_items :] = True
        label = np.full(shape, NO_LABEL, np.int32)
        type = np.zeros(shape, np.uint8)
        is_graded = any(part.credit is not None for part in parts)
        credit = np.zeros((len(parts), items.gold_items)) if is_graded else None
        has_groups = any(part.group is not None for part in parts)
        group = np.full(len(items), -1, np.int32) if has_groups else None
        row = np.full((len(parts) + 1, len(items)), -1, np.int32) if self._places else None
        # Where systems disagree about an extra item's group or place, the first of them decides.
        for n in reversed(range(len(parts))):
            part, at = parts[n], items.of_part[n]
            given[n, at], right[n, at], answered[n, at] = part.answer, part.right, part.answered
            label[n, at], type[n, at] = part.label, part.type
            unit[at] = part.unit
            front = at[: part.gold_items]
            gold[front] = part.gold
            if credit is not None and part.credit is not None:
                credit[n, front] = part.credit
            if group is not None and part.group is not None:
                group[at] = part.group
            if row is not None and part.rows is not None:
                row[0, front], row[n + 1, at] = part.rows
            parts[n] = replace(part, answer=part.answer[:0])  # large, and no longer needed
        if len(unit_groups):
            groups = {}
            codes = [groups.setdefault(name, len(groups)) for name in unit_groups]
            group = np.array(codes, np.int32)[unit]
        return Answers(
            names=tuple(labels),
            types=(right_type, *self._types[1:]),
            gold_items=items.gold_items,
            units=len(counted),
            unit=unit,
            gold=gold,
            answer=_numbered(given),
            right=right,
            answered=answered,
            label=label,
            type=type,
            counted=counted,
            credit=credit,
            group=group,
            group_names=tuple(groups),
            tokens=tokens,
            sides=() if row is None else (parts[0].sides[0], *(p.sides[1] for p in parts)),
            row=row,
        )


@dataclass(frozen=True, eq=False)
class _Part:
    """What is kept of one system's decisions: its gold items in order, then what it adds."""

    gold_items: int
    item: Int64
    unit: Int32
    gold: Int32
    answer: Int64
    right: Bools
    answered: Bools
    label: Int32
    type: Codes
    credit: Floats | None
    group: Int32 | None
    rows: tuple[Int64, Int64] | None = None
    sides: tuple[Items, ...] = field(default=())

    @classmethod
    def of(
        cls,
        decisions: Decisions,
        labels: dict[str, int],
        groups: dict[str, int],
        first: _Part | None,
        places: bool,
    ) -> _Part:
        """With codes of labels and groups that mean the same for all systems, and the columns of
        the first system where they are equal, to save memory."""
        of, in_gold = decisions, decisions.in_gold
        ours, theirs = np.flatnonzero(in_gold), np.flatnonzero(~in_gold)
        if len(ours) and (np.diff(of.item[ours]) <= 0).any():
            ours = ours[np.argsort(of.item[ours], kind="stable")]
        order: Any = np.concatenate([ours, theirs])
        if np.array_equal(order, np.arange(len(order))):
            order = slice(None)
        recode = _codes(of.names, labels)
        group = None
        if of.group is not None:
            group = _codes(of.group.names, groups)[of.group.codes[order]]
        found = cls(
            gold_items=len(ours),
            item=of.item[order],
            unit=of.unit[order],
            gold=recode[of.gold[ours]],
            answer=of.answer[order],
            right=of.right[order],
            answered=of.in_system[order],
            label=recode[of.system[order]],
            type=of.error_type[order],
            credit=of.credit[ours] if of.is_graded else None,
            group=group,
        )
        if first is not None:
            alike = {
                name: getattr(first, name)
                for name in ("item", "unit", "gold")
                if np.array_equal(getattr(first, name), getattr(found, name))
            }
            found = replace(found, **alike)
        if not places:
            return found
        ours_items, theirs_items = of.sides()
        assert of.alignment is not None
        sides = replace(ours_items, detail=None), theirs_items.over(of.alignment)
        return replace(found, rows=(of.gold_row[ours], of.system_row[order]), sides=sides)


@dataclass(frozen=True, eq=False)
class _Order:
    """All items: how many gold ones, and where those of every part stand among all."""

    gold_items: int
    of_part: list[Int64]
    size: int

    def __len__(self) -> int:
        return self.size

    @classmethod
    def of(cls, parts: Sequence[_Part]) -> _Order:
        """Gold items in order, then extra ones by unit. The same addition of two systems is one."""
        gold = [part.item[: part.gold_items] for part in parts]
        if all(np.array_equal(each, gold[0]) for each in gold[1:]):
            count, places = len(gold[0]), [np.arange(len(gold[0]))] * len(parts)
        else:
            every = np.unique(np.concatenate(gold))
            count, places = len(every), [np.searchsorted(every, each) for each in gold]
        item = np.concatenate([part.item[part.gold_items :] for part in parts])
        unit = np.concatenate([part.unit[part.gold_items :] for part in parts])
        _, firsts, of_row = np.unique(item, return_index=True, return_inverse=True)
        order = np.lexsort((firsts, unit[firsts]))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        ends = np.cumsum([len(part.item) - part.gold_items for part in parts])[:-1]
        extra = np.split(count + place[of_row], ends)
        both = [np.concatenate(each) for each in zip(places, extra, strict=True)]
        return cls(count, both, count + len(order))


def _codes(names: Iterable[str] | Names, index: dict[str, int]) -> Int32:
    """The code of every name in a growing vocabulary, and at the end -1 for none."""
    return np.array([*(index.setdefault(n, len(index)) for n in names), -1], np.int32)


def _numbered(given: Int64) -> npt.NDArray[np.unsignedinteger[Any]]:
    from tertium.results._kernels import number_answers

    found = np.empty(given.shape, np.uint8 if len(given) < 256 else np.uint16)
    number_answers(given, found)
    return found
