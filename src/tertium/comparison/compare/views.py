"""All systems under one metric: every pair, and all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from tertium.comparison.bounds import Oracle
from tertium.comparison.pairs import SHARED, Complete, Pair, count_pair
from tertium.exceptions import UsageError, suggestion
from tertium.results.answers import Answers, Bools
from tertium.results.names import short_names
from tertium.results.parts import ErrorType
from tertium.results.signatures import signature_entry
from tertium.results.stats import UnitKind
from tertium.signature import Signature


@dataclass(frozen=True, eq=False)
class View:
    """What systems say about the items of one metric.

    - `systems`: those that have the metric's layer, in order
    - `mode`: what transitions show of an answer, `labels`, `types` or `both`
    - `of_words`: is it a group of words rather than of sentences?
    - `groups`: the same for subsets (`--by`)
    - `signatures`: what decided the answers of each system
    - `unit`, `item`: what units and items are called; `error_types`: what types of error mean
    - `shared`: of which items pairs consist, all ("union") or those that gold and both systems
      annotate ("common"); upper bounds are of all gold items
    - `nests`: do items lie in each other, as constituents do?
    """

    metric: str
    layer: str
    systems: tuple[str, ...]
    answers: Answers
    mode: str
    signatures: Mapping[str, Signature]
    of_words: bool = False
    groups: Mapping[str, View] = field(default_factory=dict)
    unit: UnitKind = "sentence"
    item: str = "item"
    error_types: tuple[ErrorType, ...] = ()
    nests: bool = False
    shared: str = SHARED[0]

    @property
    def has_extra(self) -> bool:
        """Are there items that only systems have?"""
        return self.answers.gold_items < len(self.answers)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every pair of systems, in their order."""
        return self._pairs([*combinations(range(len(self.systems)), 2)])

    def pair(self, a: str, b: str) -> Pair:
        """From one system to another, by their names."""
        rows = self._row(a), self._row(b)
        if rows[0] < rows[1]:
            return next(p for p in self.pairs if p.rows == rows)
        return self._pairs([rows])[0]

    def _row(self, name: str) -> int:
        """A system by its name, or by what is left of it without the ending that all share."""
        short = short_names(self.systems)
        for row, system in enumerate(self.systems):
            if name in (system, short[system]):
                return row
        raise UsageError(
            f"there is no system '{name}' in {self.metric}.{suggestion(name, self.systems)}",
            help=f"it has: {', '.join(self.systems)}",
        )

    def _pairs(self, rows: list[tuple[int, int]]) -> list[Pair]:
        return [self._pair(self._answers_of(*each), *each) for each in rows]

    def _answers_of(self, a: int, b: int) -> Answers:
        """On the items of two systems."""
        of = self.answers.judged_by((a, b))
        if self.shared == "union":
            return of
        both = of.answered[a] & of.answered[b]
        both[of.gold_items :] = False
        return of.chosen(both)

    def _pair(self, of: Answers, a: int, b: int) -> Pair:
        """Two systems, given the items on which both were judged."""
        right_a, right_b = (int(of.right[row, : of.gold_items].sum()) for row in (a, b))
        return Pair(
            a=self.systems[a],
            b=self.systems[b],
            metric=self.metric,
            layer=self.layer,
            **count_pair(of, a, b),
            right_a=right_a,
            right_b=right_b,
            complete=self._complete(a, b),
            answers=of,
            rows=(a, b),
            mode=self.mode,
            unit=self.unit,
            item=self.item,
            lost=self.answers.lost_by((a, b)),
            shared=self.shared,
        )

    @cached_property
    def complete(self) -> Bools:
        """Systems x units: those in which everything is right and nothing is added."""
        of = self.answers
        found = self.counted.copy()
        for row, right in zip(found, of.right, strict=True):
            row[of.unit[~right]] = False
        return found

    @property
    def counted(self) -> Bools:
        """Systems x units: those that can be complete."""
        of = self.answers
        every = np.broadcast_to(of.counted, (of.systems, of.units))
        return every if of.lost is None else every & ~of.lost

    def _complete(self, a: int, b: int) -> Complete | None:
        if self.of_words:
            return None
        both = self.counted[a] & self.counted[b]
        ours, theirs = self.complete[a] & both, self.complete[b] & both
        counts = (int(each.sum()) for each in (ours, theirs, ours & theirs, both))
        return Complete(*counts)

    @cached_property
    def differences(self) -> list[list[float | None]]:
        """How much each two systems differ; 0 on the diagonal."""
        size = len(self.systems)
        found: list[list[float | None]] = [[0.0] * size for _ in range(size)]
        for pair in self.pairs:
            a, b = pair.rows
            found[a][b] = found[b][a] = pair.diff
        return found

    @property
    def average_diff(self) -> float | None:
        """The mean difference over all pairs."""
        found = [pair.diff for pair in self.pairs if pair.diff is not None]
        return fmean(found) if found else None

    @cached_property
    def order(self) -> list[str]:
        """The systems in an order in which similar ones stand together."""
        return [self.systems[i] for i in by_similarity(self.differences)]

    @cached_property
    def oracle(self) -> Oracle:
        """Upper bounds over all systems."""
        return Oracle(self.systems, self.answers.judged_by())

    def grouped(self, names: list[str], unit_groups: list[str] | None) -> View:
        """With a view of every group. `unit_groups` are those of units, None for words."""
        of = self.answers
        if of.group is None:
            return self
        found: dict[str, View] = {}
        for name in names:
            code = of.group_names.index(name) if name in of.group_names else -2
            units = None
            if unit_groups is not None:
                units = np.array([group == name for group in unit_groups], np.bool_)
            part = of.take(of.group == code, units)
            found[name] = replace(self, answers=part, of_words=unit_groups is None)
        return replace(self, groups=found)

    def __repr__(self) -> str:
        return (
            f"<View of {self.metric}: {', '.join(self.systems)}; "
            f"{self.answers.gold_items:,} gold {self.item}s>"
        )

    def to_dict(self) -> dict[str, Any]:
        """The entry in `views` of the JSON output, without pairs and upper bounds."""
        return {
            "metric": self.metric,
            "layer": self.layer,
            "systems": list(self.systems),
            "gold_items": self.answers.gold_items,
            "extra_items": len(self.answers) - self.answers.gold_items,
            **({"left_out": left} if (left := self.answers.lost_by()) else {}),
            "average_diff": self.average_diff,
            **({"reason": "there is nothing to compare"} if self.average_diff is None else {}),
            "order": self.order,
            "oracle": self.oracle.to_dict(),
            **(
                {
                    "groups": {
                        name: {
                            "pairs": [pair.to_dict() for pair in group.pairs],
                            "average_diff": group.average_diff,
                            "oracle": group.oracle.to_dict(),
                        }
                        for name, group in self.groups.items()
                    }
                }
                if self.groups
                else {}
            ),
            **signature_entry(self.signatures),
        }


def by_similarity(differences: Sequence[Sequence[float | None]]) -> list[int]:
    """An order of systems, given how much each two differ: the most similar ones are put together
    first, then groups by the mean difference of their members (average linkage). Two groups are
    joined at their most similar ends. Among equals the order given decides.

    >>> by_similarity([[0, 0.9, 0.1], [0.9, 0, 0.8], [0.1, 0.8, 0]])
    [0, 2, 1]
    """

    def apart(i: int, j: int) -> float:
        found = differences[i][j]
        return 0.0 if found is None else found

    groups = [[i] for i in range(len(differences))]
    while len(groups) > 1:
        _, a, b = min(
            (sum(apart(i, j) for i in x for j in y) / (len(x) * len(y)), a, b)
            for a, x in enumerate(groups)
            for b, y in enumerate(groups[:a])
        )
        first, second = groups[b], groups[a]
        ways = (
            (first, second),
            (first, second[::-1]),
            (first[::-1], second),
            (first[::-1], second[::-1]),
        )
        left, right = min(ways, key=lambda way: apart(way[0][-1], way[1][0]))
        groups[b] = [*left, *right]
        del groups[a]
    order = groups[0] if groups else []
    return order if order == sorted(order) or order[0] <= order[-1] else order[::-1]
