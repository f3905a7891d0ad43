"""Where arcs over a line of words go: at which level, and how far apart words must stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tertium.results.items import NOWHERE
from tertium.results.scenes import OUTSIDE, Mark, Scene

Kind = Literal["both", "gold", "system"]
STEP = 5.0  # between the feet of two arcs at the same word


@dataclass(frozen=True, slots=True)
class Arc:
    """From a head to a word, as rows; the head may be ROOT or OUTSIDE.

    - `kind`: which side has it; arcs of the system alone hang below the words
    - `level`: 1 is next to the words
    - `leaves`, `arrives`: where it begins and ends beside the middles of the two words
    """

    word: int
    head: int
    relation: str
    kind: Kind
    told: str
    level: int = 0
    leaves: float = 0.0
    arrives: float = 0.0

    @property
    def first(self) -> int:
        """The row at which it begins in the order of the text."""
        return min(self.word, self.head)

    @property
    def last(self) -> int:
        """The row at which it ends."""
        return max(self.word, self.head)


def arcs_of(scene: Scene, rows: int) -> tuple[list[Arc], list[Arc]]:
    """The arcs above and below the first so many words; a head behind them counts as outside.

    An arc that both sides have, with the same relation, is one arc above.
    """
    above, below = list[Arc](), list[Arc]()
    for place, (gold, system) in enumerate(scene.rows[:rows]):
        if gold is not None:
            above += _arc(scene, place, gold, "gold" if gold.differs else "both", rows)
        if system is not None and system.differs:
            below += _arc(scene, place, system, "system", rows)
    return above, below


def _arc(scene: Scene, place: int, mark: Mark, kind: Kind, rows: int) -> list[Arc]:
    if mark.second == NOWHERE:
        return []
    text = _described(mark, scene.marks[kind == "system"])
    told = f"{kind}: {text}" if scene.has_system else text
    is_drawn = mark.second < rows and mark.second != place
    return [Arc(place, mark.second if is_drawn else OUTSIDE, mark.label or "", kind, told)]


def _described(mark: Mark, side: Sequence[Mark | None]) -> str:
    """`obl(reopen-4, Monday-9)`."""
    head = "ROOT-0"
    if mark.second >= 0:
        there = side[mark.second]
        head = f"{there.form}-{there.number}" if there else str(mark.second_number)
    elif mark.second == OUTSIDE:
        head = f"word {mark.second_number} in another sentence"
    return f"{mark.label}({head}, {mark.form}-{mark.number})"


def laid_out(arcs: Sequence[Arc], rows: int) -> list[Arc]:
    """Arcs with their levels, as low as nesting allows, and with their feet.

    An arc lies above all that it spans, whatever their length. At a head the feet of arcs to the
    same side stand beside each other, those of high arcs nearer to the middle, so that they do not
    cross. Arcs without a head stand above everything.
    """
    heights = [0] * max(rows, 1)  # of what lies over the gap after each word
    placed: dict[int, Arc] = {}
    joined = [number for number, arc in enumerate(arcs) if arc.head >= 0]
    for number in sorted(joined, key=lambda n: (arcs[n].last - arcs[n].first, arcs[n].first)):
        arc = arcs[number]
        level = 1 + max(heights[arc.first : arc.last])
        heights[arc.first : arc.last] = [level] * (arc.last - arc.first)
        placed[number] = replace(arc, level=level)
    top = max(max(heights), 1) + 1
    feet: dict[tuple[int, bool], int] = {}
    for number in sorted(placed, key=lambda n: -placed[n].level):
        arc = placed[number]
        rightward = arc.word > arc.head
        count = feet[arc.head, rightward] = feet.get((arc.head, rightward), 0) + 1
        placed[number] = replace(arc, leaves=(count if rightward else -count) * STEP)
    return [placed.get(number) or replace(arc, level=top) for number, arc in enumerate(arcs)]


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
