"""What every system says about every item of one metric, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Places:
    """Where items stand, as gold words (numbers in the gold corpus, -1 for nowhere).

    - `first`, `last`: of the gold item; of an extra item, where its first system has it
    - `head`: of the gold item, -1 for the root, -2 for none
    - `said_first`, `said_last`, `said_head`: what each system has there (systems x items)
    """

    first: Int32
    last: Int32
    head: Int32
    said_first: npt.NDArray[np.int32]
    said_last: npt.NDArray[np.int32]
    said_head: npt.NDArray[np.int32]

    def shifted(self, by: int) -> Places:
        """The same places behind so many gold words."""

        def moved(column: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
            return np.where(column >= 0, column + np.int32(by), column)

        return Places(
            moved(self.first),
            moved(self.last),
            moved(self.head),
            moved(self.said_first),
            moved(self.said_last),
            moved(self.said_head),
        )

    def take(self, items: npt.NDArray[np.generic]) -> Places:
        """The places of chosen items."""
        return Places(
            self.first[items],
            self.last[items],
            self.head[items],
            self.said_first[:, items],
            self.said_last[:, items],
            self.said_head[:, items],
        )


@dataclass(frozen=True, eq=False)
class Answers:
    """Items by systems. Gold items come first; extra items, which only systems have, follow.

    - `names`: labels; `types`: error types, of which the first means right
    - `unit`, `gold`: of every item, its unit and gold label (-1 for none)
    - `answer`, `right`, `answered`, `label`, `type`: systems x items. Two systems differ on an item
      iff their answers do: each is the number of the first system that gives it. For an extra item,
      to say nothing is right.
    - `counted`: the units that count as sentences
    - `group`: of every item, where there are groups (`--by`), as codes into `group_names`
    - `tokens`: how many gold words there are; `places`: where items stand, if that was asked for
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
    group: Int32 | None = None
    group_names: tuple[str, ...] = ()
    tokens: int = 0
    places: Places | None = None

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
            counted=self.counted & (counted if units is None else units),
            group=None,
            group_names=(),
            places=None if self.places is None else self.places.take(items),
        )

    def of_systems(self, rows: Sequence[int]) -> Answers:
        """Some systems only; extra items that none of them has are left out."""
        kept = np.zeros(len(self), np.bool_)
        kept[: self.gold_items] = True
        kept[self.gold_items :] = self.answered[rows, self.gold_items :].any(axis=0)
        part = replace(
            self,
            answer=self.answer[rows],
            right=self.right[rows],
            answered=self.answered[rows],
            label=self.label[rows],
            type=self.type[rows],
            places=None
            if self.places is None
            else replace(
                self.places,
                said_first=self.places.said_first[rows],
                said_last=self.places.said_last[rows],
                said_head=self.places.said_head[rows],
            ),
        )
        if kept.all():
            return part
        group = None if self.group is None else self.group[kept]
        return replace(
            part.take(kept), counted=self.counted, group=group, group_names=self.group_names
        )
