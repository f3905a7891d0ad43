"""Which labels were taken for which, and by what kind of error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

import numpy as np

from tertium.results.decisions import Decisions

Confusion = dict[tuple[str | None, str | None], int]
ErrorTypes = dict[tuple[str, str | None, str | None], int]
K = TypeVar("K", bound=Hashable)


def confusion_of(decisions: Decisions) -> Confusion:
    """How often each pair of gold and system label occurs; None where one side has no item."""
    names: list[str | None] = [*decisions.names, None]
    size = len(names)
    pairs = (decisions.gold % size).astype(np.int64) * size + decisions.system % size
    cells, counts = np.unique(pairs, return_counts=True)
    return {
        (names[cell // size], names[cell % size]): count
        for cell, count in zip(cells.tolist(), counts.tolist(), strict=True)
    }


def error_types_of(decisions: Decisions) -> ErrorTypes:
    """How often each kind of error occurs with each pair of labels."""
    names: list[str | None] = [*decisions.names, None]
    size = len(names)
    wrong = np.flatnonzero(~decisions.right)
    codes = decisions.error_type[wrong].astype(np.int64) * size + decisions.gold[wrong] % size
    cells, counts = np.unique(codes * size + decisions.system[wrong] % size, return_counts=True)
    return {
        (
            decisions.error_types[cell // size**2],
            names[cell // size % size],
            names[cell % size],
        ): count
        for cell, count in zip(cells.tolist(), counts.tolist(), strict=True)
    }


def summed(parts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    """Counts of several shards added up, keys in order of first occurrence.

    >>> summed([{"a": 1}, {"b": 2, "a": 1}])
    {'a': 2, 'b': 2}
    """
    total: Counter[K] = Counter()
    for part in parts:
        total.update(part)
    return dict(total)
