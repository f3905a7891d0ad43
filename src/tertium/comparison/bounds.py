"""Upper bounds: what a perfect combination of systems could have right (Tuggener 2017, section 3),
and who contributes what to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.comparison.pairs import share
from tertium.corpus.labels import Int64
from tertium.results.answers import Answers

MOST_FOR_SUBSETS = 16
BITS = 62


class LabelBound(NamedTuple):
    """One gold label: items, how many each system has right, at least one, all, none.

    `gain` is over the system that is best overall, as in Tables 9 and 10; `gain_label` over the one
    that is best on the label.
    """

    label: str
    items: int
    right: tuple[int, ...]
    best: int
    bound: int
    all_right: int
    none_right: int

    @property
    def gain(self) -> float:
        """Upper bound less the accuracy of the best system."""
        return (self.bound - self.right[self.best]) / self.items

    @property
    def gain_label(self) -> float:
        """Upper bound less the best accuracy on this label."""
        return (self.bound - max(self.right)) / self.items


@dataclass(frozen=True, slots=True)
class Pattern:
    """Gold items that these systems have right and no other."""

    systems: tuple[str, ...]
    count: int


class Contribution(NamedTuple):
    """What a system adds to an upper bound.

    - `alone`: items that only it has right: the bound falls by so many without it
    - `mean`: its gain averaged over all orders in which systems can be added (Shapley value)
    """

    system: str
    right: int
    alone: int
    mean: float


@dataclass(frozen=True, eq=False)
class Oracle:
    """Gold items that at least one system has right. Of spans and the like that is recall: what
    systems add wrongly does not count."""

    systems: tuple[str, ...]
    answers: Answers

    @property
    def items(self) -> int:
        """Gold items."""
        return self.answers.gold_items

    @cached_property
    def right(self) -> Int64:
        """Gold items that each system has right."""
        found: Int64 = self.answers.right[:, : self.items].sum(axis=1, dtype=np.int64)
        return found

    @property
    def best(self) -> int:
        """The number of the system with most right items, the first of equals."""
        return int(np.argmax(self.right))

    @cached_property
    def correct(self) -> int:
        """Gold items that at least one system has right."""
        return int((self.solvers > 0).sum())

    @property
    def bound(self) -> float | None:
        """The same as a share."""
        return share(self.correct, self.items)

    @property
    def credit(self) -> float | None:
        """The mean of the best credit that any system has on a gold item, where credit is
        graded."""
        credit = self.answers.credit
        return None if credit is None or not self.items else float(credit.max(axis=0).mean())

    @property
    def gain(self) -> float | None:
        """How much of that the best single system lacks."""
        return share(self.correct - int(self.right[self.best]), self.items)

    @cached_property
    def solvers(self) -> npt.NDArray[np.int32]:
        """How many systems have each gold item right."""
        found: npt.NDArray[np.int32] = self.answers.right[:, : self.items].sum(
            axis=0, dtype=np.int32
        )
        return found

    @cached_property
    def by_solvers(self) -> list[int]:
        """How many gold items 0, 1, ... all systems have right."""
        found: list[int] = np.bincount(self.solvers, minlength=len(self.systems) + 1).tolist()
        return found

    @cached_property
    def _coded(self) -> tuple[Int64, Int64, list[tuple[int, ...]]]:
        """Of every gold item the number of its pattern, how often each occurs, and who is in it."""
        right = self.answers.right[:, : self.items]
        if len(self.systems) <= BITS:
            code = np.zeros(self.items, np.int64)  # a bit per system, the first is the lowest
            for system, row in enumerate(right):
                code |= row.astype(np.int64) << system
            found, of_item, counts = np.unique(code, return_inverse=True, return_counts=True)
            members = [
                tuple(s for s in range(len(self.systems)) if bits >> s & 1)
                for bits in found.tolist()
            ]
            return of_item, counts, members
        rows, of_item, counts = np.unique(right.T, axis=0, return_inverse=True, return_counts=True)
        return of_item.reshape(-1), counts, [tuple(np.flatnonzero(r).tolist()) for r in rows]

    @cached_property
    def patterns(self) -> list[Pattern]:
        """Who has items right and who has not, most frequent first, then by the systems' order."""
        _, counts, members = self._coded
        order = sorted(range(len(members)), key=lambda i: (-counts[i], members[i]))
        return [Pattern(tuple(self.systems[s] for s in members[i]), int(counts[i])) for i in order]

    @cached_property
    def contributions(self) -> list[Contribution]:
        """What each system adds."""
        alone = np.zeros(len(self.systems), np.int64)
        mean = np.zeros(len(self.systems))
        _, counts, members = self._coded
        for who, count in zip(members, counts.tolist(), strict=True):
            for system in who:
                mean[system] += count / len(who)
            if len(who) == 1:
                alone[who[0]] += count
        return [
            Contribution(name, int(self.right[i]), int(alone[i]), float(mean[i]))
            for i, name in enumerate(self.systems)
        ]

    @cached_property
    def subsets(self) -> Int64 | None:
        """The bound of every set of systems, by its bits (the first system is the lowest); None for
        more than 16 systems."""
        if len(self.systems) > MOST_FOR_SUBSETS:
            return None
        counts = np.zeros(1 << len(self.systems), np.int64)
        _, found, members = self._coded
        for who, count in zip(members, found.tolist(), strict=True):
            counts[sum(1 << s for s in who)] += count
        within = counts.reshape((2,) * len(self.systems))  # items whose solvers are all in the set
        for axis in range(len(self.systems)):
            within = np.cumsum(within, axis=axis)
        # What no system of a set has right is what only those outside have right.
        bounds: Int64 = counts.sum() - within.reshape(-1)[::-1]
        return bounds

    def bound_of(self, *systems: str) -> int:
        """The bound of some systems, by their names."""
        rows = [self.systems.index(name) for name in systems]
        return int(self.answers.right[rows, : self.items].any(axis=0).sum())

    @cached_property
    def best_subsets(self) -> list[tuple[tuple[str, ...], int]]:
        """The best set of every size and its bound; of equals the one whose systems come first."""
        if self.subsets is None:
            return []
        best: dict[int, tuple[int, list[int]]] = {}
        for bits, bound in enumerate(self.subsets.tolist()):
            who = [s for s in range(len(self.systems)) if bits >> s & 1]
            if who and (
                len(who) not in best or (-bound, who) < (-best[len(who)][0], best[len(who)][1])
            ):
                best[len(who)] = bound, who
        return [
            (tuple(self.systems[s] for s in who), bound) for _, (bound, who) in sorted(best.items())
        ]

    @cached_property
    def labels(self) -> list[LabelBound]:
        """Every gold label, most frequent first, then by name."""
        of = self.answers
        solved = of.count_gold(
            np.array([self.solvers > 0, self.solvers == len(self.systems), self.solvers == 0])
        )
        right, items = of.right_per_label, of.gold_per_label
        told = [
            LabelBound(
                of.names[i],
                int(items[i]),
                tuple(right[:, i].tolist()),
                self.best,
                *solved[:, i].tolist(),
            )
            for i in np.flatnonzero(items).tolist()
        ]
        return sorted(told, key=lambda row: (-row.items, row.label))

    def __repr__(self) -> str:
        return f"<Oracle of {', '.join(self.systems)}: {self.correct:,} of {self.items:,} correct>"

    def to_dict(self) -> dict[str, Any]:
        """`oracle` of the JSON output."""
        subsets = self.subsets
        return {
            "correct": self.correct,
            "items": self.items,
            "bound": self.bound,
            **({} if self.answers.credit is None else {"credit": self.credit}),
            "best": self.systems[self.best],
            "gain": self.gain,
            "labels": {
                row.label: {
                    "correct": row.bound,
                    "items": row.items,
                    "systems": dict(zip(self.systems, row.right, strict=True)),
                    "all_right": row.all_right,
                    "none_right": row.none_right,
                    "gain": row.gain,
                    "gain_label": row.gain_label,
                }
                for row in self.labels
            },
            "by_solvers": self.by_solvers,
            "patterns": [
                {"right": list(pattern.systems), "count": pattern.count}
                for pattern in self.patterns
            ],
            "contributions": [each._asdict() for each in self.contributions],
            "subsets": None
            if subsets is None
            else {"systems": list(self.systems), "correct": subsets.tolist()},
            **({} if self.items else {"reason": "there is nothing in gold"}),
        }
