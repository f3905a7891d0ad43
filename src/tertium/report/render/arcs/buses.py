"""One vertical line for every head, from its first to its last dependent, at a level of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.render.arcs.lines import Line


@dataclass(frozen=True, slots=True)
class Bus:
    """The line of a head: from which to which line of the drawing, and how far from the words.

    Level 1 is next to the words.
    """

    first: int
    last: int
    level: int


def buses_of(heads: Sequence[int], lines: Sequence[Line]) -> dict[int, Bus]:
    """The bus of every head that something is drawn of, by the head's row.

    `heads` has the head's row for every row, negative for none. A bus lies outside those of its
    dependents, and no two are drawn over each other; so lines cross only where arcs do. What
    happens inside a line that stands for several rows, or between two of them, is not drawn.
    """
    first, last, pending = _extents(heads)
    line_of, shown = [0] * len(heads), [False] * len(heads)
    for number, line in enumerate(lines):
        for row in range(line.first, line.last + 1):
            line_of[row], shown[row] = number, line.is_row
    visible = [*shown]
    for row, head in enumerate(heads):
        if head >= 0 and shown[row]:
            visible[head] = True
    found: dict[int, Bus] = {}
    taken: list[list[tuple[int, int]]] = []
    inside = [0] * len(heads)  # the level that whatever holds a row must be outside of
    for row in _leaves_first(heads, pending):
        if first[row] < last[row]:
            top, bottom = line_of[first[row]], line_of[last[row]]
            if visible[row] and top < bottom:
                level = _free(taken, inside[row], top, bottom)
                inside[row] = level
                found[row] = Bus(top, bottom, level)
        head = heads[row]
        if head >= 0 and inside[row] > inside[head]:
            inside[head] = inside[row]
    return found


def _extents(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """First and last row of each head's bus, and how many dependents it has."""
    first, last, pending = [*range(len(heads))], [*range(len(heads))], [0] * len(heads)
    for row, head in enumerate(heads):
        if head >= 0:
            first[head], last[head] = min(first[head], row), max(last[head], row)
            pending[head] += 1
    return first, last, pending


def _leaves_first(heads: Sequence[int], pending: list[int]) -> list[int]:
    """All rows, dependents before heads; rows on cycles at the end, where no order is right."""
    order = [row for row, count in enumerate(pending) if not count]
    for row in order:  # grows while it is gone through
        head = heads[row]
        if head >= 0:
            pending[head] -= 1
            if not pending[head]:
                order.append(head)
    if len(order) < len(heads):
        order += [row for row, count in enumerate(pending) if count]
    return order


def _free(taken: list[list[tuple[int, int]]], level: int, first: int, last: int) -> int:
    """Take the lowest level above `level` at which nothing is drawn on these lines."""
    while level < len(taken) and any(a <= last and first <= z for a, z in taken[level]):
        level += 1
    if level == len(taken):
        taken.append([])
    taken[level].append((first, last))
    return level + 1
