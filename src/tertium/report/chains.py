"""Whole documents on the interactive page: what every side has there, by its chains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.report.binary import packed
from tertium.results.answers import Answers
from tertium.results.items import NOWHERE, Items
from tertium.results.scenes import Scene
from tertium.results.texts import visible

Sample = NDArray[np.int64]  # numbers of sentences, ascending


def chain_data(
    of: Answers, sentences: Sequence[Scene], kept: Sample, order: NDArray[Any]
) -> list[dict[str, Any]]:
    """For gold and each system all items that are in the sentences that are kept, whether a metric
    judges them or not; nothing if they form no chains.

    - `start`, `end`: tokens, end exclusive, counted through the sentences that are kept; equal for
      an item that covers no token
    - `chain`: the number of a name in `names`
    - `second`: the second anchor, NOWHERE for none
    - `item`: what the item is called in `order`, -1 if it is not judged
    - `gaps`: by item, the tokens of those that have gaps, counted from the start
    """
    if any(side.chain is None for side in of.sides) or any(s.shown for s in sentences):
        return []
    if not of.sides or of.row is None:
        return []
    sizes = np.array([scene.size for scene in sentences])
    starts = np.cumsum([0, *sizes])[:-1]
    shift = np.full(len(sizes), -1, np.int64)
    shift[kept] = np.cumsum([0, *sizes[kept]])[:-1]
    is_extra = order >= of.gold_items
    return [
        _side(items, row[order], starts, shift, is_extra)
        for items, row in zip(of.sides, of.row, strict=True)
    ]


def _side(
    items: Items,
    row: NDArray[Any],
    starts: NDArray[Any],
    shift: NDArray[Any],
    is_extra: NDArray[np.bool_],
) -> dict[str, Any]:
    assert items.chain is not None

    def moved(tokens: NDArray[Any]) -> NDArray[Any]:
        """As they are counted through the sentences that are kept, NOWHERE in others."""
        sentence = np.maximum(np.searchsorted(starts, tokens, side="right") - 1, 0)
        there = (tokens >= 0) & (shift[sentence] >= 0)
        return np.where(there, tokens - starts[sentence] + shift[sentence], NOWHERE)

    item = np.full(len(items), -1, np.int64)
    for chosen in (is_extra, ~is_extra):  # an extra item may be compared with one of gold
        places = np.flatnonzero(chosen & (row >= 0))
        item[row[places]] = places
    last = np.maximum(items.end.astype(np.int64) - 1, items.start)
    start = moved(items.start.astype(np.int64))
    end = np.where(items.end > items.start, moved(last) + 1, start)
    second = np.full(len(items), NOWHERE) if items.second is None else moved(items.second)
    rows = np.flatnonzero((start >= 0) & (end >= 0))
    names, codes = np.unique(items.chain.codes[rows], return_inverse=True)
    columns = {"start": start, "end": end, "second": second, "item": item}
    found: dict[str, Any] = {name: packed(column[rows]) for name, column in columns.items()}
    found["chain"] = packed(codes)
    found["names"] = [visible(items.chain.names.strings[code]) for code in names.tolist()]
    if items.tokens is not None:
        has_gaps = np.diff(items.tokens.bounds) < items.end - items.start
        found["gaps"] = {
            place: items.tokens[int(rows[place])].tolist()
            for place in np.flatnonzero(has_gaps[rows]).tolist()
        }
    return found
