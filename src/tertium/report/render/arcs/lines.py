"""Which words get a line of their own, and which are counted in one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby

from tertium.results.figures import Figure

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
    figure: Figure, *, whole: bool = False, keep: Collection[int] = (), most: int = MOST
) -> list[Line]:
    """A line for each row; runs of rows that no error touches become one line.

    An error touches its word and the heads that it has on either side. Short sentences, those
    without errors and `whole` ones have no such runs; rows in `keep` are never in one. At most
    `most` lines are made, the last of which counts the remaining rows.
    """
    count = len(figure.words)
    if whole or count <= SHORT or not figure.errors:
        lines = [Line(row, row) for row in range(min(count, most + 1))]
    else:
        lines = _folded(count, _touched(figure) | {*keep})
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], Line(lines[most - 1].first, count - 1, is_rest=True)]


def _touched(figure: Figure) -> set[int]:
    gold, system = figure.heads
    found = {row for heads in (gold, system) for row, link in heads.items() if link.is_error}
    links = [heads[row] for heads in (gold, system) for row in found if row in heads]
    return found | {link.source for link in links if link.source >= 0}


def _folded(count: int, kept: set[int]) -> list[Line]:
    lines: list[Line] = []
    for shown, run in groupby(range(count), kept.__contains__):
        rows = list(run)
        if shown or len(rows) < FOLDED:
            lines += [Line(row, row) for row in rows]
        else:
            lines.append(Line(rows[0], rows[-1]))
    return lines
