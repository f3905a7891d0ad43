"""Which labels were taken for which, and by what kind of error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.results.decisions import EXCUSED, Decisions

Confusion = dict[tuple[str | None, str | None], int]
ErrorTypes = dict[tuple[str, str | None, str | None], int]
K = TypeVar("K", bound=Hashable)


def confusion_of(decisions: Decisions) -> Confusion:
    """How often each pair of gold and system label occurs; None where one side has no item. What is
    excused is neither right nor confused."""
    names: list[str | None] = [*decisions.names, None]
    kept: Any = decisions.outcome != EXCUSED
    columns = [column[kept] % len(names) for column in (decisions.gold, decisions.system)]
    return {(names[gold], names[system]): n for (gold, system), n in distinct_rows(columns)}


def error_types_of(decisions: Decisions) -> ErrorTypes:
    """How often each kind of error occurs with each pair of labels."""
    names: list[str | None] = [*decisions.names, None]
    wrong = np.flatnonzero(~decisions.right)
    labels = [column[wrong] % len(names) for column in (decisions.gold, decisions.system)]
    return {
        (decisions.error_types[type], names[gold], names[system]): n
        for (type, gold, system), n in distinct_rows([decisions.error_type[wrong], *labels])
    }


def distinct_rows(columns: Sequence[npt.NDArray[Any]]) -> Iterator[tuple[tuple[int, ...], int]]:
    """The distinct rows of some columns of small integers, in order, and how often each occurs."""
    lows = [int(column.min(initial=0)) for column in columns]
    sizes = [int(c.max(initial=0)) - low + 1 for c, low in zip(columns, lows, strict=True)]
    key = np.zeros(len(columns[0]), np.int64)
    for column, low, size in zip(columns, lows, sizes, strict=True):
        key = key * size + (column - low)
    keys, counts = np.unique(key, return_counts=True)
    places = np.unravel_index(keys, sizes)
    rows = np.column_stack([place + low for place, low in zip(places, lows, strict=True)])
    return zip(map(tuple, rows.tolist()), counts.tolist(), strict=True)


def summed(parts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    """Counts of several shards added up, keys in order of first occurrence.

    >>> summed([{"a": 1}, {"b": 2, "a": 1}])
    {'a': 2, 'b': 2}
    """
    total: Counter[K] = Counter()
    for part in parts:
        total.update(part)
    return dict(total)
