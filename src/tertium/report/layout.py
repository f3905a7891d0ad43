"""Where shapes over a line of words go: at which level, and how far apart words must stand.

Every picture of a figure is laid out here; `assets/report.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from tertium.results.figures import SYSTEM, Box, Link, Node, Shape
from tertium.results.items import NOWHERE

MOST = 400  # words of a drawing
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
    """Shapes with their levels, none beside another that it touches; a node lies above its
    children, also over the same words."""
    parents = {each.name: each.parent for each in shapes if isinstance(each, Node)}

    def depth(shape: Shape) -> int:
        found, above = 0, shape.parent if isinstance(shape, Node) else None
        while above is not None and found < len(parents):
            found, above = found + 1, parents.get(above)
        return found

    ordered = sorted(shapes, key=lambda each: -depth(each))
    return [*zip(ordered, levels([extent(each) for each in ordered], size), strict=True)]


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
