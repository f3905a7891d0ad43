"""Which gold span each system span is compared with, by the rules of nervaluate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int32, Int64, Names, unite
from tertium.families.spans.extents import atoms_of, distinct, packed, repeated
from tertium.results.items import Items

MODES = ("strict", "exact", "partial", "type")
# Verdicts, as codes into VERDICTS.
CORRECT, INCORRECT, PARTIAL, MISSED, SPURIOUS = range(5)
VERDICTS = ("correct", "incorrect", "partial", "missed", "spurious")


@dataclass(frozen=True, slots=True)
class Side:
    """Spans of one side in the order of their list: unit, stretch of atoms, label.

    Only spans of the same group are compared: those of a unit, or of a unit and label.
    """

    unit: Int32
    start: Int64
    end: Int64
    label: Int32
    group: Int64

    def __len__(self) -> int:
        return len(self.unit)

    def within_labels(self, labels: int) -> Side:
        """The same spans, to be compared with spans of their own label only."""
        return replace(self, group=self.unit.astype(np.int64) * labels + self.label)

    def without_labels(self) -> Side:
        """The same spans with one label for all; groups stay."""
        return replace(self, label=np.zeros_like(self.label))

    def is_flat(self) -> bool:
        """Does every span begin behind the one before?"""
        return bool((np.diff(self.start) > 0).all())

    def duplicates(self, units: int) -> npt.NDArray[np.float64]:
        """How many spans of each unit repeat another one."""
        rows = np.arange(len(self))
        if not self.is_flat():
            stretch = packed(packed(self.start, self.end - self.start), self.label.astype(np.int64))
            rows = distinct(stretch)
        return repeated(self.unit, rows, units)

    def by_position(self) -> Int64:
        """Rows by group, start, end, label; rows that are alike in the order of the list."""
        if self.is_flat():
            return np.argsort(self.group, kind="stable")
        return np.lexsort((self.label, self.end, self.start, self.group))

    def columns(self, rows: Int64) -> tuple[Int64, Int64, Int64, Int32]:
        """Group, start, end and label of some rows."""
        return self.group[rows], self.start[rows], self.end[rows], self.label[rows]


def sides_of(ours: Items, theirs: Items, alignment: Alignment) -> tuple[Names, Side, Side]:
    """The spans of gold and system on common ground, and the names of their labels."""
    names, labels = unite(ours.label, theirs.label)
    sides = []
    for items, label, start, end, unit_of_token in (
        (ours, labels[0], alignment.gold_start, alignment.gold_end, alignment.unit_of_gold),
        (theirs, labels[1], alignment.system_start, alignment.system_end, alignment.unit_of_system),
    ):
        unit = items.of_first(unit_of_token)
        sides.append(Side(unit, *atoms_of(items, start, end), label, unit.astype(np.int64)))
    return names, sides[0], sides[1]


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on every gold span, then on every system span that is compared with none.

    `partner` is the system row each gold span is compared with, -1 for none; `spurious` are the
    system rows of the rest.
    """

    partner: Int64
    spurious: Int64
    verdict: npt.NDArray[np.uint8]


def judge(gold: Side, system: Side, mode: str, overlap: float) -> Judged:
    """Pair the spans of two sides and judge the pairs.

    System spans choose in the order of their list, and each gold span is chosen once. A gold span
    of the same boundaries comes first (and of the same label, under "strict" and "type"): correct.
    Else it is the first one of the gold list that has at least `overlap` percent of its atoms
    covered: partial under that mode, otherwise incorrect. Under "type" the covered one of the same
    label whose boundaries are closest comes before that, and is correct.
    """
    from tertium.families.spans._partial_kernels import pair_overlapping

    if mode in ("exact", "partial"):
        gold, system = gold.without_labels(), system.without_labels()
    order = gold.by_position(), np.argsort(system.group, kind="stable")
    chosen, right = pair_overlapping(
        *gold.columns(order[0]),
        order[0],
        *system.columns(order[1]),
        mode == "type",
        float(overlap),
    )
    has_partner = chosen >= 0
    gold_rows, system_rows = order[0][chosen[has_partner]], order[1][has_partner]
    partner = np.full(len(gold), -1, np.int64)
    partner[gold_rows] = system_rows
    verdict = np.full(len(gold), MISSED, np.uint8)
    half = PARTIAL if mode == "partial" else INCORRECT
    verdict[gold_rows] = np.where(right[has_partner], CORRECT, half)
    spurious = np.sort(order[1][~has_partner])
    added = np.full(len(spurious), SPURIOUS, np.uint8)
    return Judged(partner, spurious, np.concatenate([verdict, added]))
