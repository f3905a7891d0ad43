"""Answers: what every system says about every item of one metric, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Names
from tertium.results.items import NOWHERE, Items
from tertium.results.stats import UnitKind

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
D = TypeVar("D", bound=np.generic)
# Columns of systems x items.
_GIVEN = ("answer", "right", "answered", "label", "type")


@dataclass(frozen=True, eq=False)
class Answers:
    """Items by systems. Gold items come first; extra items, which only systems have, follow.

    - `names`: labels; `types`: error types, of which the first means right, and the last, if there
      is a `silence`, that a system lacks an extra item
    - `unit`, `gold`: of every item, its unit and gold label (-1 for none)
    - `answer`, `right`, `answered`, `label`, `type`: systems x items. Two systems differ on an item
      iff their answers do: each is the number of the first system that gives it. For an extra item,
      to say nothing is right
    - `credit`: systems x gold items, how right; None where right or wrong is all there is
    - `counted`: the units that can be complete
    - `lost`: systems x units, those that a system was not judged on, where it has no rows; None if
      there are none
    - `number`: the numbers that the items have in the answers that they were taken from by
      `judged_by` and `chosen`, None if all are there
    - `group`: of every item, where there are groups (`--by`), as codes into `group_names`
    - `tokens`: how many gold tokens there are
    - `sides`: if requested, the items of gold and of each system over the gold tokens,
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
    lost: Bools | None = None
    number: Int64 | None = None
    silence: str = ""

    @staticmethod
    def in_sequence(parts: Sequence[Answers]) -> Answers:
        """The items of several files one after another, gold items before extra ones."""
        if len(parts) == 1:
            return parts[0]
        labels: dict[str, int] = {}
        groups: dict[str, int] = {}
        recode = [codes_in(p.names, labels) for p in parts]
        regroup = [codes_in(p.group_names, groups) for p in parts]
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
            silence=parts[0].silence,
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
            lost=joined_lost([(p.lost, (p.systems, p.units)) for p in parts], axis=1),
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

    def sentences(self, starts: Int64, unit: UnitKind) -> Int32:
        """The sentence of every item, given the first gold token of each: its unit, or where units
        are documents that of its first token on any side."""
        if unit == "sentence":
            return self.unit
        firsts = np.array([self.place(side)[0] for side in range(self.systems + 1)])
        first = np.where(firsts >= 0, firsts, self.tokens).min(axis=0)
        found = np.searchsorted(starts, first, side="right") - 1
        return np.asarray(np.minimum(found, len(starts) - 1), np.int32)

    def place_in(self, side: int, base: Int64) -> tuple[Int32, Int32, Int32]:
        """The same, counted from a token of each item; NOWHERE for what lies before it."""
        found = (
            np.where(at >= 0, np.where(at < base, NOWHERE, at - base), at).astype(np.int32)
            for at in self.place(side)
        )
        first, last, second = found
        return first, last, second

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
            **{name: getattr(self, name)[:, items] for name in _GIVEN},
            credit=None if self.credit is None else self.credit[:, items[: self.gold_items]],
            counted=self.counted & (counted if units is None else units),
            group=None,
            group_names=(),
            row=None if self.row is None else self.row[:, items],
        )

    def judged_by(self, rows: Sequence[int] | None = None) -> Answers:
        """The items of units that none of some systems, by default of all, has lost. All systems
        stay."""
        if self.lost is None:
            return self
        lost = self._lost_units(rows)
        kept = ~lost[self.unit]
        return replace(self.take(kept, ~lost), number=np.flatnonzero(kept), lost=None)

    def chosen(self, items: Bools) -> Answers:
        """The masked items of these, with the numbers that they have in the answers that all were
        taken from."""
        number = np.flatnonzero(items) if self.number is None else self.number[items]
        return replace(self.take(items), number=number)

    def lost_by(self, rows: Sequence[int] | None = None) -> int:
        """How many units at least one of some systems, by default of all, has lost."""
        return int(self._lost_units(rows).sum())

    @property
    def lost_items(self) -> Codes:
        """Systems x items: 1 where a system was not judged on an item, else 0."""
        if self.lost is None:
            return np.zeros(self.answer.shape, np.uint8)
        return self.lost[:, self.unit].astype(np.uint8)

    def _lost_units(self, rows: Sequence[int] | None) -> Bools:
        if self.lost is None:
            return np.zeros(self.units, np.bool_)
        chosen = range(self.systems) if rows is None else rows
        found: Bools = np.logical_or.reduce([self.lost[row] for row in chosen])
        return found

    def of_systems(self, rows: Sequence[int]) -> Answers:
        """Some systems only; extra items that none of them has are left out."""
        kept = np.zeros(len(self), np.bool_)
        kept[: self.gold_items] = True
        kept[self.gold_items :] = self.answered[rows, self.gold_items :].any(axis=0)
        sides = [0, *(row + 1 for row in rows)]
        part = replace(
            self,
            **{name: getattr(self, name)[rows] for name in _GIVEN},
            credit=None if self.credit is None else self.credit[rows],
            sides=tuple(self.sides[side] for side in sides) if self.sides else (),
            row=None if self.row is None else self.row[sides],
            lost=None if self.lost is None else self.lost[rows],
        )
        if kept.all():
            return part
        group = None if self.group is None else self.group[kept]
        return replace(
            part.take(kept), counted=self.counted, group=group, group_names=self.group_names
        )


def codes_in(names: Iterable[str] | Names, index: dict[str, int]) -> Int32:
    """The code of every name in a growing vocabulary, and at the end -1 for none."""
    return np.array([*(index.setdefault(n, len(index)) for n in names), -1], np.int32)


def joined_lost(parts: Iterable[tuple[Bools | None, tuple[int, int]]], axis: int) -> Bools | None:
    """The lost units of several parts, each with its numbers of systems and units; None if there
    are none."""
    every = [
        np.zeros(shape, np.bool_) if lost is None else lost.reshape(shape) for lost, shape in parts
    ]
    found = np.concatenate(every, axis)
    return found if found.any() else None
