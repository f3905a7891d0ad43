"""Sums over votes: additive counts per unit, from which coefficients are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.exceptions import InputError, suggestion
from tertium.families.base import columns_of
from tertium.results.compact import Cells
from tertium.results.stats import Stats
from tertium.results.votes import PORTION, Floats, Votes, values_of

RatedUnit = Literal["item", "sentence", "all"]


def rated(votes: Votes, unit: RatedUnit = "item", order: Sequence[str] = ()) -> Votes:
    """Votes by units, with the labels that occur in their order: as requested, by value where all
    are numbers, else by name. `order` lists labels from the least to the greatest; one that it
    lacks is refused."""
    used = np.flatnonzero(np.bincount(votes.label, minlength=len(votes.labels)))
    names = votes.labels.some(used)
    labels = _ordered(names, order)
    place = {label: number for number, label in enumerate(labels)}
    code = np.full(len(votes.labels), -1, np.int64)
    code[used] = [place[name] for name in names]
    has_order = bool(order) or values_of(names) is not None
    found = votes.relabel(code, labels, has_order=has_order)
    if unit == "sentence":
        return found
    return found.as_one() if unit == "all" else found.by_item()


def _ordered(names: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    if order:
        unknown = sorted({*names} - {*order})
        if unknown:
            raise InputError(
                f"the label '{unknown[0]}' is not in the order of labels."
                f"{suggestion(unknown[0], [*order])}",
                help=f"'--order' must list all labels: {', '.join(sorted(names)[:20])}",
            )
        place: Mapping[str, Any] = {name: number for number, name in enumerate(order)}
    else:
        values = values_of(names)
        place = {} if values is None else dict(zip(names, values.tolist(), strict=True))
    return tuple(sorted(names, key=lambda name: (place.get(name, 0), name)))


def without(votes: Votes, label: str) -> Votes:
    """Without items that everybody gives the same label, this one."""
    if label not in votes.labels:
        return votes
    is_other = votes.label != votes.labels.find(label)
    return votes.of_items(np.bincount(votes.item, is_other, len(votes)) > 0)


def by_value(votes: Votes) -> Votes:
    """With one label for every number, however it is written; the same where labels are not
    numbers in rising order."""
    if votes.values is None or (np.diff(votes.values) < 0).any():
        return votes
    values, place = np.unique(votes.values, return_inverse=True)
    if len(values) == len(place):
        return votes
    return votes.relabel(place, [*map(repr, values.tolist())], has_order=votes.has_order)


@dataclass
class Sums:
    """Collects additive counts of votes per unit: columns, and cells of columns by labels.

    `labels` are what cells are by: labels of votes, or whatever else has its own counts.
    """

    votes: Votes
    labels: Sequence[str] = ()
    columns: Sequence[str] = ()
    dense: dict[str, Floats] = field(default_factory=dict)
    cells: list[tuple[Int64, Int64, Floats]] = field(default_factory=list)

    def add(self, name: str, per_item: npt.NDArray[Any]) -> None:
        """A column, given its number for every item."""
        made = np.bincount(self.votes.unit, per_item, minlength=self.votes.units)
        self.dense[name] = made.astype(np.float64)

    def cell(
        self, column: int | Int64, label: Int64, item: Int64, value: npt.ArrayLike = 1.0
    ) -> None:
        """Numbers by column and label, given the item of each."""
        key = np.asarray(column) * len(self.labels) + label
        values: Floats = np.broadcast_to(np.asarray(value, np.float64), key.shape)
        unit = self.votes.unit[item].astype(np.int64)
        width = len(self.labels) * len(self.columns)
        if self.votes.units == 1 and width <= PORTION:
            sums = np.bincount(key, values, minlength=width).astype(np.float64)
            key = np.flatnonzero(sums)
            unit, values = np.zeros(len(key), np.int64), sums[key]
        self.cells.append((unit, key, values))

    def stats(self) -> Stats:
        """All of it; every cell has a key, also one without a count."""
        parts = self.cells or [(np.zeros(0, np.int64),) * 2 + (np.zeros(0),)]
        unit, key, value = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(unit, kind="stable")
        keys = ((column, label) for column in self.columns for label in self.labels)
        return Stats(
            *columns_of(self.dense),
            keys=tuple(keys),
            cells=Cells.of(unit[order], key[order], value[order]),
            label_columns=tuple(self.columns),
        )
