"""Which words get a line of their own, and which are counted in one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby

from tertium.align.trees import TreePair

SHORT = 15  # words of a sentence that is drawn whole in any case
FOLDED = 3  # words alike that are worth a line instead
MOST = 200  # lines of a drawing


@dataclass(frozen=True, slots=True)
class Line:
    """The rows that a line shows: one, or several that are only counted.

    `is_rest` marks those for which there was no room, whatever is said about them.
    """

    first: int
    last: int
    is_rest: bool = False

    @property
    def is_row(self) -> bool:
        """Is it a word, and not a count of words?"""
        return self.first == self.last and not self.is_rest

    @property
    def count(self) -> int:
        """How many rows it stands for."""
        return self.last - self.first + 1


def lines_of(
    pair: TreePair, *, whole: bool = False, keep: Collection[int] = (), most: int = MOST
) -> list[Line]:
    """A line for each row; runs of rows that no difference touches become one line.

    A difference touches its word and the heads that it has on either side. Short sentences, those
    without differences and `whole` ones have no such runs; rows in `keep` are never in one. At most
    `most` lines are made, the last of which counts the remaining rows.
    """
    rows = pair.rows
    if whole or len(rows) <= SHORT or not pair.differing:
        lines = [Line(row, row) for row in range(min(len(rows), most + 1))]
    else:
        lines = _folded(len(rows), _touched(pair) | {*keep})
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], Line(lines[most - 1].first, len(rows) - 1, is_rest=True)]


def _touched(pair: TreePair) -> set[int]:
    found = set(pair.differing)
    for row in pair.differing:
        for word in (pair.rows[row].gold, pair.rows[row].system):
            if word is not None and word.head >= 0:
                found.add(word.head)
    return found


def _folded(count: int, kept: set[int]) -> list[Line]:
    lines: list[Line] = []
    for shown, run in groupby(range(count), kept.__contains__):
        rows = list(run)
        if shown or len(rows) < FOLDED:
            lines += [Line(row, row) for row in rows]
        else:
            lines.append(Line(rows[0], rows[-1]))
    return lines
