"""Hot loops over entities."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def best_pairs(bounds: Any, column: Any, weight: Any, columns: Any) -> Any:
    """The pairs of rows and columns that weigh most in sum, with each of them in one at most.

    Row i has the cells `bounds[i]` to `bounds[i + 1]`, whose weights are above 0. Rows come in one
    by one: each takes the cheapest path to a column that is free, on which rows before it move to
    other columns or give theirs up. A path never leaves what is connected with its row, so nothing
    is done twice for parts of the table that have nothing to do with one another. Gives the cell of
    each row, -1 for none.
    """
    rows = len(bounds) - 1
    taken = np.full(rows, -1, np.int64)  # the cell of each row
    owner = np.full(columns, -1, np.int64)  # the row of each column
    price, gain = np.zeros(columns), np.zeros(rows)
    distance = np.full(columns, np.inf)
    came = np.full(columns, -1, np.int64)  # the cell by which each column was reached
    row_of_cell = np.empty(len(column), np.int64)
    for row in range(rows):
        row_of_cell[bounds[row] : bounds[row + 1]] = row
    is_done = np.zeros(columns, np.bool_)
    touched = np.empty(columns, np.int64)
    for first in range(rows):
        heap = [(0.0, np.int64(0))]
        heap.pop()
        reached = 0
        row, base = np.int64(first), 0.0
        loser, least, end = np.int64(-1), np.inf, np.int64(-1)
        while True:
            # The row may stay alone, at the cost of nothing.
            alone = base - gain[row]
            if alone < least:
                least, loser = alone, row
            for cell in range(bounds[row], bounds[row + 1]):
                to = column[cell]
                cost = base - weight[cell] - gain[row] - price[to]
                if not is_done[to] and cost < distance[to]:
                    if distance[to] == np.inf:
                        touched[reached] = to
                        reached += 1
                    distance[to] = cost
                    came[to] = cell
                    heappush(heap, (cost, np.int64(to)))
            found = np.int64(-1)
            while len(heap) > 0:
                cost, to = heappop(heap)
                if not is_done[to] and cost == distance[to]:
                    found = to
                    break
            if found < 0 or distance[found] >= least:
                break
            if owner[found] < 0:
                least, end, loser = distance[found], found, np.int64(-1)
                break
            is_done[found] = True
            row, base = owner[found], distance[found]
        for i in range(reached):
            to = touched[i]
            if is_done[to]:
                gain[owner[to]] += least - distance[to]
                price[to] -= least - distance[to]
        gain[first] += least
        # Back along the path: every row gets the column by which its own was reached.
        if loser >= 0 and loser != first:
            end = column[taken[loser]]
            taken[loser] = -1
        while end >= 0:
            cell = came[end]
            row = row_of_cell[cell]
            before = np.int64(-1) if taken[row] < 0 else np.int64(column[taken[row]])
            taken[row], owner[end] = cell, row
            end = np.int64(-1) if row == first else before
        for i in range(reached):
            distance[touched[i]], is_done[touched[i]] = np.inf, False
    return taken
