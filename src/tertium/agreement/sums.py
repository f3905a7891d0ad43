"""Sums over votes: additive counts per unit, from which coefficients are computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import once
from tertium.exceptions import InputError, UsageError, suggestion
from tertium.families.ballots import in_text_order
from tertium.results.compact import Cells
from tertium.results.stats import Stats
from tertium.results.votes import PORTION, Floats, Ints, Votes, values_of

CellNumbers = tuple[int | Ints, Ints, Ints, npt.ArrayLike]  # column, label, item, number


def rated(votes: Votes, unit: str = "item", order: Sequence[str] = ()) -> Votes:
    """Votes by units ("item", "sentence", or "all" together), with the labels that occur in their
    order: as requested, by value where all are numbers, else by name. `order` lists labels from the
    least to the greatest; one that it lacks is refused."""
    if unit == "sentence" and votes.kind == "item":
        raise UsageError("'--unit sentence' needs a table with a column of sentences")
    used = np.flatnonzero(np.bincount(votes.label, minlength=len(votes.labels)))
    names = votes.labels.some(used)
    values = _values(names, order)
    rank = np.zeros(len(names)) if values is None else values
    first = sorted(range(len(names)), key=lambda n: (rank[n], names[n]))
    code = np.full(len(votes.labels), -1, np.int64)
    code[used[first]] = np.arange(len(names))
    labels = [names[n] for n in first]
    found = votes.relabel(code, labels, None if values is None else values[first])
    if unit == "sentence":
        return found
    return found.as_one() if unit == "all" else found.by_item()


def _values(names: Sequence[str], order: Sequence[str]) -> Floats | None:
    """Numbers by which to put labels in order; None if they have no order but that of names."""
    if not order:
        return values_of(names)
    if unknown := sorted({*names} - {*order}):
        raise InputError(
            f"the label '{unknown[0]}' is not in the order of labels."
            f"{suggestion(unknown[0], [*order])}",
            help=f"'--order' must list all labels: {', '.join(sorted(names)[:20])}",
        )
    return np.array([order.index(name) for name in names], np.float64)


@once
def by_number(votes: Votes) -> Votes:
    """With one label for every number, however it is written."""
    if votes.values is None or len({*votes.values.tolist()}) == len(votes.labels):
        return votes
    values, place = np.unique(votes.values, return_inverse=True)
    return votes.relabel(place, [*map(str, values)], values)


@once
def in_name_order(votes: Votes) -> Votes:
    """With sides in the order of names, so resamples do not depend on that of files or rows."""
    side = in_text_order(votes.sides)[votes.side]
    order = np.lexsort((side, votes.label, votes.item))
    return replace(votes, side=side[order], sides=tuple(sorted(votes.sides)))


def without(votes: Votes, label: str) -> Votes:
    """Without items that everybody gives the same label, this one."""
    is_other = votes.label != votes.labels.find(label)
    return votes.of_items((np.bincount(votes.item, is_other, len(votes)) > 0) | (votes.size == 0))


def stats_of(
    votes: Votes,
    columns: Mapping[str, npt.NDArray[Any]],
    label_columns: Sequence[str] = (),
    labels: Sequence[str] = (),
    cells: Iterable[CellNumbers] = (),
) -> Stats:
    """Additive counts of votes per unit: columns of which each item has a number, and cells of
    columns by labels: labels of votes, or whatever else has its own counts."""
    width, parts = len(label_columns) * len(labels), []
    for column, label, item, number in cells:
        unit, key = votes.unit[item], np.asarray(column) * len(labels) + label
        value: Floats = np.broadcast_to(np.asarray(number, np.float64), key.shape)
        if votes.units == 1 and width <= PORTION:
            summed = np.bincount(key, value, minlength=width).astype(np.float64)
            key = np.flatnonzero(summed)
            unit, value = np.zeros_like(key), summed[key]
        parts.append((unit, key, value))
    sums = [np.bincount(votes.unit, each, minlength=votes.units) for each in columns.values()]
    return Stats(
        tuple(columns),
        np.column_stack(sums).astype(np.float64),
        # Every cell has a key, also one without a count.
        keys=tuple((column, label) for column in label_columns for label in labels),
        cells=Cells.of(*map(np.concatenate, zip(*parts, strict=True))) if parts else Cells(),
        label_columns=tuple(label_columns),
        kind=votes.kind,
    )
