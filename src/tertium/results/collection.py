"""Decisions of systems put side by side, one system at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64
from tertium.results.answers import Answers, Bools, Floats, codes_in, joined_lost
from tertium.results.decisions import NO_LABEL, Decisions
from tertium.results.items import Items

# What a system that says nothing about an extra item says about it.
_SILENT: dict[str, Any] = {
    "answer": np.int64(0),
    "right": np.True_,
    "answered": np.False_,
    "label": np.int32(NO_LABEL),
    "type": np.uint8(0),
}


class Collection:
    """The decisions of several systems on the same gold items, put side by side one by one: only
    what `Answers` holds is kept of each. With `places`, where items stand is kept as well."""

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
        silence: str = "",
        unit_groups: Sequence[str] = (),
    ) -> Answers:
        """All side by side. What was collected is used up.

        `right_type` is the type of what is right, `silence` that of a system without an extra item,
        where it has one. `unit_groups` are the groups of units, where items are grouped by these;
        else items are grouped as the decisions say.
        """
        parts, groups = self._parts, self._groups
        gold_items, size, places = _order(parts)
        unit, gold = np.zeros(size, np.int32), np.full(size, NO_LABEL, np.int32)
        given = {name: np.full((len(parts), size), none) for name, none in _SILENT.items()}
        given["right"][:, :gold_items] = False
        types = (right_type, *self._types[1:], *filter(None, [silence]))
        given["type"][:, gold_items:] = len(types) - 1 if silence else 0
        is_graded = any(part.credit is not None for part in parts)
        credit = np.zeros((len(parts), gold_items)) if is_graded else None
        has_groups = any(part.group is not None for part in parts)
        group = np.full(size, -1, np.int32) if has_groups else None
        row = np.full((len(parts) + 1, size), -1, np.int32) if self._places else None
        # Where systems disagree about an extra item's group or place, the first of them decides.
        for n in reversed(range(len(parts))):
            part, at = parts[n], places[n]
            for name, column in given.items():
                column[n, at] = part.given.pop(name)  # large, and no longer needed
            unit[at] = part.unit
            front = at[: part.gold_items]
            gold[front] = part.gold
            if credit is not None and part.credit is not None:
                credit[n, front] = part.credit
            if group is not None and part.group is not None:
                group[at] = part.group
            if row is not None and part.rows is not None:
                row[0, at], row[n + 1, at] = part.rows
        for n, part in enumerate(parts):
            if part.gold_items < gold_items:
                given["right"][n, :gold_items] |= _foreign(part, places[n], unit[:gold_items])
        if len(unit_groups):
            groups = {}
            group = codes_in(unit_groups, groups)[unit]
        return Answers(
            names=tuple(self._labels),
            types=types,
            silence=silence,
            gold_items=gold_items,
            units=len(counted),
            unit=unit,
            gold=gold,
            answer=_numbered(given.pop("answer")),
            **given,
            counted=counted,
            credit=credit,
            group=group,
            group_names=tuple(groups),
            tokens=tokens,
            sides=() if row is None else (parts[0].sides[0], *(p.sides[1] for p in parts)),
            row=row,
            lost=joined_lost([(p.lost, (1, len(counted))) for p in parts], axis=0),
        )


@dataclass(frozen=True, eq=False)
class _Part:
    """What is kept of one system's decisions: its gold items in order, then what it adds."""

    gold_items: int
    item: Int64
    unit: Int32
    gold: Int32
    given: dict[str, npt.NDArray[Any]]
    credit: Floats | None
    group: Int32 | None
    rows: tuple[Int64, Int64] | None = None
    sides: tuple[Items, ...] = field(default=())
    lost: Bools | None = None

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
        recode = codes_in(of.names, labels)
        group = None
        if of.group is not None:
            group = codes_in(of.group.names, groups)[of.group.codes[order]]
        found = cls(
            gold_items=len(ours),
            item=of.item[order],
            unit=of.unit[order],
            gold=recode[of.gold[ours]],
            given={
                "answer": of.answer[order],
                "right": of.right[order],
                "answered": of.in_system[order],
                "label": recode[of.system[order]],
                "type": of.error_type[order],
            },
            credit=of.credit[ours] if of.is_graded else None,
            group=group,
            lost=of.lost,
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
        sides = replace(ours_items, details={}), theirs_items.over(of.alignment)
        return replace(found, rows=(of.gold_row[order], of.system_row[order]), sides=sides)


def _foreign(part: _Part, places: Int64, unit: Int32) -> Bools:
    """Gold items that are not meant for a system, since it has a gold standard of its own: none is
    right. Those of lost units are not judged at all."""
    found = np.ones(len(unit), np.bool_)
    found[places[: part.gold_items]] = False
    return found if part.lost is None else found & ~part.lost[unit]


def _order(parts: Sequence[_Part]) -> tuple[int, int, list[Int64]]:
    """How many gold items there are, and items in all, and where those of every part stand: gold
    items in order, then extra ones by unit. The same addition of two systems is one."""
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
    return count, count + len(order), both


def _numbered(given: Int64) -> npt.NDArray[np.unsignedinteger[Any]]:
    """Answers (systems x items) as numbers: of systems that give the same answer to an item, the
    number of the first."""
    found = np.empty(given.shape, np.uint8 if len(given) < 256 else np.uint16)
    for system in range(len(given)):
        found[system] = system
        for earlier in range(system - 1, -1, -1):
            np.copyto(found[system], found[earlier], where=given[system] == given[earlier])
    return found
