"""Decisions: one row per judged item. Scores, error lists, comparisons all come from these rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Names

if TYPE_CHECKING:
    import polars

CORRECT, WRONG, MISSING, EXTRA = 0, 1, 2, 3
OUTCOMES = ("correct", "wrong", "missing", "extra")
NO_LABEL = -1


@dataclass(frozen=True, eq=False)
class Decisions:
    """The verdict on every item of one system, as columns.

    - `unit`: what is resampled (the gold sentence); `units` says how many there are
    - `item`: a gold item's number in the gold layer; an extra item (what the system added) has a
      negative number made from its content, so that the same addition of two systems is one item
    - `gold`, `system`: label codes into `names`, -1 for none
    - `said`: everything the system said about the item, as integer columns that mean the same for
      every system; `answer` is one integer made of them: two systems differ iff these do
    - `outcome`: correct, wrong, missing or extra; `error_type` why, as a code into `error_types`
    - `credit`: 1 for right, 0 for wrong, between for graded measures
    - `known`: is the item in the lexicon, by its gold side where it has one, else by the system's?
      None without a lexicon
    - `gold_row`, `system_row`: the item's number among the items of each side (`Metric.items`), -1
      where that side has none: what an error looks like in its sentence. An extra item may have
      been compared with a gold item that already has a row of its own, a missing one with something
      of the system that does not count
    - `marks`: what the metric's own stats need to know of each row besides, a column for each
    - `unit_counts`: additive numbers per unit that have no items, such as complete sentences
    """

    unit: Int32
    item: Int64
    gold: Int32
    system: Int32
    said: tuple[npt.NDArray[np.generic], ...]
    outcome: npt.NDArray[np.uint8]
    error_type: npt.NDArray[np.uint8]
    credit: npt.NDArray[np.float64]
    names: Names
    units: int
    error_types: tuple[str, ...] = ("none",)
    unit_counts: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    known: npt.NDArray[np.bool_] | None = None
    gold_row: Int64 | None = None
    system_row: Int64 | None = None
    marks: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.unit)

    @cached_property
    def answer(self) -> Int64:
        """One integer for everything the system said about the item."""
        return fingerprint(*self.said)

    @property
    def in_gold(self) -> npt.NDArray[np.bool_]:
        """Rows that are items of the gold annotation."""
        return np.not_equal(self.outcome, EXTRA)

    @property
    def in_system(self) -> npt.NDArray[np.bool_]:
        """Rows that are items of the system's annotation."""
        return np.not_equal(self.outcome, MISSING)

    def take(self, rows: Int64, units: Int64 | None = None) -> Decisions:
        """The chosen rows. `units` are the units to be kept, rising and with those of all chosen
        rows among them; they are numbered anew. All are kept by default."""

        def picked(column: npt.NDArray[Any] | None) -> Any:
            return None if column is None else column[rows]

        unit, counts = self.unit[rows], self.unit_counts
        if units is not None:
            place = np.zeros(self.units, np.int32)
            place[units] = np.arange(len(units), dtype=np.int32)
            unit, counts = place[unit], {name: each[units] for name, each in counts.items()}
        return replace(
            self,
            unit=unit,
            item=self.item[rows],
            gold=self.gold[rows],
            system=self.system[rows],
            said=tuple(column[rows] for column in self.said),
            outcome=self.outcome[rows],
            error_type=self.error_type[rows],
            credit=self.credit[rows],
            units=self.units if units is None else len(units),
            unit_counts=counts,
            known=picked(self.known),
            gold_row=picked(self.gold_row),
            system_row=picked(self.system_row),
            marks={name: column[rows] for name, column in self.marks.items()},
        )

    def per_unit(self, rows: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float64]:
        """How many of the (masked) rows each unit has."""
        unit = self.unit if rows is None else self.unit[rows]
        return np.bincount(unit, minlength=self.units).astype(np.float64)

    def credit_per_unit(self, rows: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float64]:
        """The sum of credits of each unit."""
        unit, credit = (
            (self.unit, self.credit)
            if rows is None
            else (
                self.unit[rows],
                self.credit[rows],
            )
        )
        return np.bincount(unit, weights=credit, minlength=self.units).astype(np.float64)

    def to_frame(self) -> polars.DataFrame:
        """As a polars data frame with names instead of codes."""
        import polars

        names = np.array([*self.names, None], dtype=object)
        return polars.DataFrame(
            {
                "unit": self.unit,
                "item": self.item,
                "gold": polars.Series(names[self.gold].tolist(), dtype=polars.String),
                "system": polars.Series(names[self.system].tolist(), dtype=polars.String),
                "answer": self.answer,
                "outcome": np.array(OUTCOMES, dtype=object)[self.outcome],
                "error_type": np.array(self.error_types, dtype=object)[self.error_type],
                "credit": self.credit,
            }
        )


# Odd 64-bit constants of splitmix64: multiplying and shifting spreads every input bit.
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def fingerprint(*columns: npt.NDArray[np.generic]) -> Int64:
    """One integer per row for several integer columns; equal rows, equal integers, on any machine.

    Answers and extra items are identified this way, because the codes of labels differ between
    systems: pass `name_hashes(names)[codes]`, not codes.
    """
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) * _MIX[0] + _MIX[2]
        state ^= state >> np.uint64(31)
        state *= _MIX[1]
        state ^= state >> np.uint64(27)
    return state.view(np.int64)


def extra_items(*columns: npt.NDArray[np.generic]) -> Int64:
    """Numbers for items that only the system has: negative, made from their content.

    The n-th repetition of the same content is another item.
    """
    code = fingerprint(*columns)
    return fingerprint(code, occurrence(code)) | np.int64(-(2**63))


def occurrence(values: Int64) -> Int64:
    """How many equal values stand before each.

    >>> occurrence(np.array([7, 5, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    begins = np.flatnonzero(np.diff(ranked, prepend=ranked[:1] - 1))
    nth = np.empty(len(values), np.int64)
    nth[order] = np.arange(len(values)) - np.repeat(begins, np.diff([*begins, len(values)]))
    return nth


def name_hashes(names: Names) -> Int64:
    """A 64-bit hash of each name, the same in every process, for `fingerprint`; one more, 0, for no
    name (-1)."""
    from tertium.corpus._kernels import hash_names

    found: Int64 = hash_names(names.blob, names.bounds).view(np.int64)
    return found
