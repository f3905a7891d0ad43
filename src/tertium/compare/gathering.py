"""Systems put side by side, and files one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.compare.answers import NOWHERE, Answers, Places
from tertium.compare.said import Rows, Said, code_table, recoded
from tertium.corpus.labels import Int32, Int64
from tertium.results.decisions import NO_LABEL

D = TypeVar("D", bound=np.generic)


class Gathering:
    """Several systems' words on the same gold items, gathered one by one.

    What is the same for all of them is kept once.
    """

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.names: dict[str, int] = {}
        self.groups: dict[str, int] = {}

    def add(self, said: Said) -> None:
        """One more system."""
        gold, extra = (self._renamed(rows, said) for rows in (said.gold, said.extra))
        if self.said:
            gold = gold.sharing(self.said[0].gold)
        self.said.append(replace(said, gold=gold, extra=extra))

    def _renamed(self, rows: Rows, said: Said) -> Rows:
        """With codes of labels and groups that mean the same for all systems."""
        group = rows.group
        if group is not None and said.group_names is not None:
            group = recoded(group, said.group_names, self.groups)
        return replace(
            rows,
            gold=recoded(rows.gold, said.names, self.names),
            label=recoded(rows.label, said.names, self.names),
            group=group,
        )

    def answers(self, unit_groups: Sequence[str] = ()) -> Answers:
        """All side by side. `unit_groups` are the groups of units, where items are grouped by
        these."""
        systems = self.said
        item, rows = _gold_items(systems)
        extra_item, extra_unit, extra_rows = _extra_items(systems)
        gold_items = len(item)
        shape = (len(systems), gold_items + len(extra_item))
        unit = np.zeros(shape[1], np.int32)
        gold = np.full(shape[1], NO_LABEL, np.int32)
        unit[gold_items:] = extra_unit
        given = np.zeros(shape, np.int64)  # 0 where a system says nothing about an extra item
        right, answered = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        right[:, gold_items:] = True
        labels = np.full(shape, NO_LABEL, np.int32)
        types = np.zeros(shape, np.uint8)
        for n, said in enumerate(systems):
            for part, at in ((said.gold, rows[n]), (said.extra, gold_items + extra_rows[n])):
                given[n, at] = part.answer
                right[n, at] = part.right
                answered[n, at] = part.answered
                labels[n, at] = part.label
                types[n, at] = part.type
                unit[at] = part.unit
            gold[rows[n]] = said.gold.gold  # what a system adds has none
        group, group_names = self._joint_groups(rows, extra_rows, gold_items, unit, unit_groups)
        return Answers(
            names=tuple(self.names),
            types=systems[0].types,
            gold_items=gold_items,
            units=systems[0].units,
            unit=unit,
            gold=gold,
            answer=_numbered(given),
            right=right,
            answered=answered,
            label=labels,
            type=types,
            counted=systems[0].counted,
            group=group,
            group_names=group_names,
            tokens=systems[0].tokens,
            places=_joint_places(systems, rows, extra_rows, gold_items, shape),
        )

    def _joint_groups(
        self,
        rows: Sequence[Int64],
        extra_rows: Sequence[Int64],
        gold_items: int,
        unit: Int32,
        unit_groups: Sequence[str],
    ) -> tuple[Int32 | None, tuple[str, ...]]:
        if len(unit_groups):
            index: dict[str, int] = {}
            of_unit = np.array([index.setdefault(n, len(index)) for n in unit_groups], np.int32)
            return of_unit[unit], tuple(index)
        if self.said[0].group_names is None:
            return None, ()
        group = np.full(len(unit), -1, np.int32)
        # Where systems disagree about an extra item's group, the first of them decides.
        for n, said in reversed([*enumerate(self.said)]):
            for part, at in ((said.gold, rows[n]), (said.extra, gold_items + extra_rows[n])):
                assert part.group is not None
                group[at] = part.group
        return group, tuple(self.groups)


def _numbered(given: Int64) -> npt.NDArray[np.unsignedinteger[Any]]:
    from tertium.compare._kernels import number_answers

    found = np.empty(given.shape, np.uint8 if len(given) < 256 else np.uint16)
    number_answers(given, found)
    return found


def _gold_items(systems: Sequence[Said]) -> tuple[Int64, list[npt.NDArray[np.int64]]]:
    """All gold items in order, and where each system's stand among them."""
    first = systems[0].gold.item
    if all(np.array_equal(s.gold.item, first) for s in systems[1:]):
        return first, [np.arange(len(first))] * len(systems)
    every = np.unique(np.concatenate([s.gold.item for s in systems]))
    return every, [np.searchsorted(every, s.gold.item) for s in systems]


def _extra_items(
    systems: Sequence[Said],
) -> tuple[Int64, Int32, list[npt.NDArray[np.int64]]]:
    """All extra items by unit, and where each system's stand among them. The same addition of two
    systems is one item."""
    item = np.concatenate([s.extra.item for s in systems])
    unit = np.concatenate([s.extra.unit for s in systems])
    distinct, firsts, of_row = np.unique(item, return_index=True, return_inverse=True)
    order = np.lexsort((firsts, unit[firsts]))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ends = np.cumsum([len(s.extra.item) for s in systems])[:-1]
    return distinct[order], unit[firsts][order], np.split(place[of_row], ends)


def _joint_places(
    systems: Sequence[Said],
    rows: Sequence[Int64],
    extra_rows: Sequence[Int64],
    gold_items: int,
    shape: tuple[int, int],
) -> Places | None:
    if systems[0].gold.where is None:
        return None
    first, last = (np.full(shape[1], NOWHERE, np.int32) for _ in range(2))
    head = np.full(shape[1], -2, np.int32)
    said = [np.full(shape, none, np.int32) for none in (NOWHERE, NOWHERE, -2)]
    for n, system in reversed([*enumerate(systems)]):
        for part, at in ((system.gold, rows[n]), (system.extra, gold_items + extra_rows[n])):
            where = part.where
            assert where is not None
            first[at], last[at], head[at] = where.first, where.last, where.head
            said[0][n, at] = where.said_first
            said[1][n, at] = where.said_last
            said[2][n, at] = where.said_head
    return Places(first, last, head, *said)


def in_sequence(parts: Sequence[Answers]) -> Answers:
    """The items of several files one after another, gold items before extra ones."""
    if len(parts) == 1:
        return parts[0]
    index: dict[str, int] = {}
    groups: dict[str, int] = {}
    tables = [code_table(p.names, index) for p in parts]
    group_tables = [code_table(p.group_names, groups) for p in parts]
    units = np.cumsum([0, *(p.units for p in parts)]).tolist()

    def laid(columns: Sequence[npt.NDArray[D]]) -> npt.NDArray[D]:
        """Gold items of all parts, then their extra ones."""
        front = [c[..., : p.gold_items] for c, p in zip(columns, parts, strict=True)]
        back = [c[..., p.gold_items :] for c, p in zip(columns, parts, strict=True)]
        return np.concatenate([*front, *back], axis=-1)

    grouped = [t[p.group] for t, p in zip(group_tables, parts, strict=True) if p.group is not None]
    return Answers(
        names=tuple(index),
        types=parts[0].types,
        gold_items=sum(p.gold_items for p in parts),
        units=units[-1],
        unit=laid([p.unit + np.int32(base) for p, base in zip(parts, units, strict=False)]),
        gold=laid([t[p.gold] for t, p in zip(tables, parts, strict=True)]),
        answer=laid([p.answer for p in parts]),
        right=laid([p.right for p in parts]),
        answered=laid([p.answered for p in parts]),
        label=laid([t[p.label] for t, p in zip(tables, parts, strict=True)]),
        type=laid([p.type for p in parts]),
        counted=np.concatenate([p.counted for p in parts]),
        group=laid(grouped) if grouped else None,
        group_names=tuple(groups),
        tokens=sum(p.tokens for p in parts),
        places=_places_in_sequence(parts, laid),
    )


def _places_in_sequence(parts: Sequence[Answers], laid: Callable[..., Int32]) -> Places | None:
    tokens = np.cumsum([0, *(p.tokens for p in parts)]).tolist()
    moved = [p.places.shifted(base) for p, base in zip(parts, tokens, strict=False) if p.places]
    if not moved:
        return None
    return Places(*(laid([getattr(p, f.name) for p in moved]) for f in fields(Places)))
