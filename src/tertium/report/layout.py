"""Where shapes go: over a line of words, or in a terminal beside a column of them.

Over a line every shape has a level, and words stand as far apart as its label needs. Beside a
column every head has one upright line from its first to its last dependent, a bus, at a level of
its own. Every picture of a figure is laid out here; `assets/report.js` does the same in the
browser.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from tertium.results.figures import SYSTEM, Box, Figure, Link, Shape
from tertium.results.items import NOWHERE
from tertium.results.texts import counted

MOST = 400  # words of a drawing
SHORT = 15  # words of a sentence that is drawn whole in any case
FOLDED = 3  # words alike that are worth a line instead
MOST_LINES = 200  # of a drawing word by word
_TOLD = 20  # errors in the description of a picture
STEP = 5.0  # between the feet of two arcs at the same word
S = TypeVar("S", bound=Shape)


@dataclass(frozen=True, slots=True)
class Arc:
    """A link with its level, 1 next to the words, and where it leaves its source beside the middle
    of that word."""

    link: Link
    level: int
    leaves: float = 0.0


def halves(shapes: Sequence[S]) -> tuple[list[S], list[S]]:
    """What is drawn above the words, and what below: what only the system has."""
    drawn = [each for each in shapes if not (isinstance(each, Link) and each.source == NOWHERE)]
    above = [each for each in drawn if each.side != SYSTEM]
    return above, [each for each in drawn if each.side == SYSTEM and not each.is_shared]


def levels(stretches: Sequence[tuple[int, int]], size: int) -> list[int]:
    """The level of every stretch (end exclusive), as low as nesting allows: the shortest first,
    each above all that lies under it."""
    heights = [0] * max(size, 1)
    found = [0] * len(stretches)
    lengths = [(last - first, first) for first, last in stretches]
    for number in sorted(range(len(stretches)), key=lengths.__getitem__):
        first, last = stretches[number]
        found[number] = 1 + max(heights[first:last])
        heights[first:last] = [found[number]] * (last - first)
    return found


def arcs_of(links: Sequence[Link], size: int) -> list[Arc]:
    """Links with their levels and feet.

    An arc lies above all that it spans, whatever their length. At its source the feet of arcs to
    the same side stand beside each other, those of high arcs nearer to the middle, so that they do
    not cross. Those from no word stand above everything.
    """
    joined = [number for number, link in enumerate(links) if link.source >= 0]
    found = [0] * len(links)
    for number, level in zip(joined, levels([_ends(links[n]) for n in joined], size), strict=True):
        found[number] = level
    top = max([1, *found]) + 1
    feet: dict[tuple[int, bool], int] = {}
    leaves = [0.0] * len(links)
    for number in sorted(joined, key=lambda n: -found[n]):
        link = links[number]
        rightward = link.target > link.source
        count = feet[link.source, rightward] = feet.get((link.source, rightward), 0) + 1
        leaves[number] = (count if rightward else -count) * STEP
    return [Arc(link, found[n] or top, leaves[n]) for n, link in enumerate(links)]


def _ends(link: Link) -> tuple[int, int]:
    return min(link.source, link.target), max(link.source, link.target)


def extent(shape: Shape) -> tuple[int, int]:
    """The first place that a shape stands over, and the one behind the last."""
    if isinstance(shape, Link):
        first, last = _ends(shape) if shape.source >= 0 else (shape.target, shape.target)
        return first, last + 1
    assert isinstance(shape, Box)
    return shape.places[0], shape.places[-1] + 1


def stacked(shapes: Sequence[S], size: int) -> list[tuple[S, int]]:
    """Shapes with their levels, none beside another that it touches."""
    return [*zip(shapes, levels([extent(each) for each in shapes], size), strict=True)]


def spread(
    halves: Sequence[float], gap: float, needs: Sequence[tuple[int, int, float]]
) -> list[float]:
    """The middles of words that stand side by side, half their widths given.

    `needs` are pairs of words whose middles must be so far apart.
    """
    wanted: dict[int, list[tuple[int, float]]] = {}
    for first, last, distance in needs:
        wanted.setdefault(last, []).append((first, distance))
    middles: list[float] = []
    for word, half in enumerate(halves):
        at = middles[-1] + halves[word - 1] + gap + half if word else half
        middles.append(max([at, *(middles[a] + d for a, d in wanted.get(word, ()))]))
    return middles


def leftward(words: Sequence[str]) -> bool:
    """Does a text run from right to left? What most of its letters do."""
    letters = (unicodedata.bidirectional(letter) for word in words for letter in word)
    votes = [kind != "L" for kind in letters if kind in ("L", "R", "AL")]
    return sum(votes) * 2 > len(votes)


@dataclass(frozen=True, slots=True)
class WordLine:
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


def lines_of(figure: Figure, *, whole: bool = False, keep: Collection[int] = ()) -> list[WordLine]:
    """A line for each row; runs of rows that no error touches become one line.

    An error touches its word and the heads that it has on either side. Short sentences, those
    without errors and `whole` ones have no such runs; rows in `keep` are never in one. The last of
    MOST_LINES lines counts the remaining rows.
    """
    count = len(figure.words)
    if whole or count <= SHORT or not figure.errors:
        lines = [WordLine(row, row) for row in range(min(count, MOST_LINES + 1))]
    else:
        lines = _folded(count, _touched(figure) | {*keep})
    if len(lines) <= MOST_LINES:
        return lines
    *shown, last = lines[:MOST_LINES]
    return [*shown, WordLine(last.first, count - 1, is_rest=True)]


def _touched(figure: Figure) -> set[int]:
    gold, system = figure.heads
    found = {row for heads in (gold, system) for row, link in heads.items() if link.is_error}
    links = [heads[row] for heads in (gold, system) for row in found if row in heads]
    return found | {link.source for link in links if link.source >= 0}


def _folded(count: int, kept: set[int]) -> list[WordLine]:
    lines: list[WordLine] = []
    for shown, run in groupby(range(count), kept.__contains__):
        rows = list(run)
        if shown or len(rows) < FOLDED:
            lines += [WordLine(row, row) for row in rows]
        else:
            lines.append(WordLine(rows[0], rows[-1]))
    return lines


@dataclass(frozen=True, slots=True)
class Bus:
    """The line of a head: from which to which line of the drawing, and how far from the words.

    Level 1 is next to the words.
    """

    first: int
    last: int
    level: int


def buses_of(heads: Sequence[int], lines: Sequence[WordLine]) -> dict[int, Bus]:
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


def told(figure: Figure) -> str:
    """The sentence, and what is wrong in it, for those who cannot see the picture."""
    text = f"{counted(len(figure.words), 'word')}: {' '.join(figure.words[:MOST])}"
    if not figure.has_system:
        return text
    found = sorted(figure.errors, key=lambda shape: shape.side)
    if not found:
        return f"{text}; nothing is marked."
    shown = [f"{shape.side}: {shape.text}" for shape in found[:_TOLD]]
    more = "; ..." if len(found) > _TOLD else ""
    return f"{text}; marked: {'; '.join(shown)}{more}."
