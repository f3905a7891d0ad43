"""Systems in an order in which similar ones stand together."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = Sequence[Sequence[float | None]]


def by_similarity(differences: Matrix) -> list[int]:
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
