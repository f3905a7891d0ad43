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
    other columns or give theirs up. A path never leaves what is connected with its row, so parts of
    the table that have nothing to do with one another cost nothing together. Gives the cell of each
    row, -1 for none; of equal sums the one that gives earlier rows earlier columns is preferred.
    """
    rows = len(bounds) - 1
    taken = np.full(rows, -1, np.int64)  # the cell of each row
    owner = np.full(columns, -1, np.int64)  # the row of each column
    price, gain = np.zeros(columns), np.zeros(rows)
    distance, is_done = np.full(columns, np.inf), np.zeros(columns, np.bool_)
    came = np.full((2, columns), -1, np.int64)  # row and cell by which each column was reached
    touched = np.empty(columns, np.int64)
    table, state = (bounds, column, weight), (gain, price, owner, distance, is_done, came, touched)
    for first in range(rows):
        reached, least, end, loser = _path(first, table, state)
        for i in range(reached):
            to = touched[i]
            if is_done[to]:
                gain[owner[to]] += least - distance[to]
                price[to] -= least - distance[to]
            distance[to], is_done[to] = np.inf, False
        gain[first] += least
        if loser >= 0 and loser != first:
            end = column[taken[loser]]
            taken[loser] = -1
        # Back along the path: every row gets the column by which its own was reached.
        while end >= 0:
            row, cell = came[0, end], came[1, end]
            before = column[taken[row]] if taken[row] >= 0 else -1
            taken[row], owner[end] = cell, row
            end = -1 if row == first else before
    return taken


@kernel
def _path(first: Any, table: Any, state: Any) -> Any:
    """The cheapest path from a row to a free column, or to a row that gives its column up (Dijkstra
    over reduced costs). Gives how many columns were touched, the costs, and the column or row."""
    bounds, column, weight = table
    gain, price, owner, distance, is_done, came, touched = state
    heap = [(0.0, np.int64(0))]
    heap.pop()
    reached, row, base = 0, np.int64(first), 0.0
    loser, least = np.int64(-1), np.inf
    while True:
        if base - gain[row] < least:  # to stay alone costs nothing
            least, loser = base - gain[row], row
        for cell in range(bounds[row], bounds[row + 1]):
            to = column[cell]
            cost = base - weight[cell] - gain[row] - price[to]
            if not is_done[to] and cost < distance[to]:
                if distance[to] == np.inf:
                    touched[reached] = to
                    reached += 1
                distance[to], came[0, to], came[1, to] = cost, row, cell
                heappush(heap, (cost, np.int64(to)))
        found = np.int64(-1)
        while found < 0 and len(heap) > 0:
            cost, to = heappop(heap)
            if not is_done[to] and cost == distance[to]:
                found = to
        if found < 0 or distance[found] >= least:
            return reached, least, np.int64(-1), loser
        if owner[found] < 0:
            return reached, distance[found], found, np.int64(-1)
        is_done[found] = True
        row, base = owner[found], distance[found]
