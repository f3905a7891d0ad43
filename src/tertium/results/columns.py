"""A pairing of two sides' items, and the columns of decisions that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.results.decisions import (
    CORRECT,
    EXCUSED,
    EXTRA,
    NO_LABEL,
    Array,
    Bools,
    Pieces,
    extra_items,
    fingerprint,
    name_hashes,
)
from tertium.results.items import Items, of_partner


@dataclass(frozen=True, eq=False)
class Pairing:
    """What `Decisions.of` was given, and the columns that follow from it, a method each.

    It does not know the decisions made from it: a circle would keep large arrays beyond their use.
    """

    ours: Items
    theirs: Items
    alignment: Alignment
    partner: npt.NDArray[np.integer[Any]]
    right: Bools
    rows: Int64 | None
    answered: Bools
    excused: Pieces | None
    chosen: Int64 | None
    met: Int64 | None
    errors: Pieces | None
    types: int
    labels: tuple[Names, Int32, Int32]
    answers: Callable[[], Sequence[Array]] | None
    identity: Callable[[], Sequence[Array]] | None
    credits: Pieces | None

    @cached_property
    def extra(self) -> Int64:
        """The system items that are rows of their own."""
        if self.chosen is not None:
            return self.chosen
        return nobodys_partner(self.partner[self.answered], len(self.theirs))

    def both(self, front: Array, back: Array | float) -> Array:
        """A column of gold rows, then of extra ones."""
        if not len(self.extra):
            return front
        if not isinstance(back, np.ndarray):
            back = np.full(len(self.extra), back, front.dtype)
        return np.concatenate([front, back])

    def of_gold(self, column: Array) -> Array:
        """A column of all gold items as one of those that count."""
        return column if self.rows is None else column[self.rows]

    def unit(self) -> Array:
        back = self.theirs.of_first(self.alignment.unit_of_system)[self.extra]
        return self.both(self.of_gold(self.ours.of_first(self.alignment.unit_of_gold)), back)

    def numbers(self) -> Array:
        """The number of every gold item that counts."""
        return np.arange(len(self.partner), dtype=np.int64) if self.rows is None else self.rows

    def item(self) -> Array:
        if not len(self.extra):
            return self.numbers()
        columns = self.identity() if self.identity else self.place_and_label()
        return self.both(self.numbers(), extra_items(*(column[self.extra] for column in columns)))

    def place_and_label(self) -> Sequence[Array]:
        items = self.theirs
        start = self.alignment.system_start[items.start]
        end = self.alignment.system_end[np.maximum(items.end - 1, items.start)]
        end = np.where(items.end > items.start, end, start)
        return start, end, *items.gaps(), self.label_hashes()

    def label_hashes(self) -> Array:
        names, _, label = self.labels
        return name_hashes(names)[label]

    def gold(self) -> Array:
        label = self.labels[1]
        back = NO_LABEL if self.met is None else of_partner(label, self.met, NO_LABEL)
        return self.both(self.of_gold(label), back)

    def system(self) -> Array:
        label = self.labels[2]
        return self.both(of_partner(label, self.partner, NO_LABEL), label[self.extra])

    def answer(self) -> Array:
        columns = self.answers() if self.answers else (self.label_hashes(),)
        found = of_partner(fingerprint(*columns), self.system_row(), 0)
        if self.excused is None:
            return found
        # What is an error of one system and excused of another is not the same answer.
        return np.where(self.both(*self.excused), ~found, found)

    def outcome(self) -> Array:
        # Of small integers at once: CORRECT, else WRONG if there is an answer, else MISSING.
        front = np.multiply(~self.right, 2 - self.answered.view(np.uint8), dtype=np.uint8)
        found = self.both(front, EXTRA)
        if self.excused is not None:
            found[self.both(*self.excused)] = EXCUSED
        return found

    def error_type(self) -> Array:
        if self.errors is not None:
            return self.both(*self.errors).astype(np.uint8, copy=False)
        found = self.outcome()
        found[found == EXCUSED] = CORRECT
        return np.minimum(found, np.uint8(self.types - 1))

    def credit(self) -> Array:
        if self.credits is not None:
            return self.both(*self.credits)
        found = self.both(self.right, False)
        if self.excused is not None:
            found = found | self.both(*self.excused)
        return found.astype(np.float64)

    def gold_row(self) -> Array:
        return self.both(self.numbers(), -1 if self.met is None else self.met)

    def system_row(self) -> Array:
        return self.both(self.partner.astype(np.int64), self.extra)

    def in_gold(self) -> Array:
        return self.both(np.ones(len(self.partner), np.bool_), False)

    def in_system(self) -> Array:
        return self.both(self.answered, True)


def united(gold: Labels, system: Labels) -> tuple[Names, Int32, Int32]:
    """A joint vocabulary, and the codes of both sides in it."""
    names, (ours, theirs) = unite(gold, system)
    return names, ours, theirs


def nobodys_partner(partner: npt.NDArray[np.integer[Any]], count: int) -> Int64:
    """Those of so many system items that no gold item is compared with."""
    free = np.ones(count, np.bool_)
    free[partner] = False
    return np.flatnonzero(free)
