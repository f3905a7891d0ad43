"""Figures: what is to be drawn of a scene, as data. Renderers lay it out, nobody judges it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from tertium.results.items import NOWHERE, ROOT
from tertium.results.scenes import GAP, OUTSIDE, Mark, Scene, Word, is_error

GOLD, SYSTEM = "gold", "system"
_NAMED, _ENDS = 20, 5  # words of a shape that are all named, else at either end
LABEL, PLACE = "label", "place"  # parts of what is wrong that the other side has otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Anything over words.

    - `side`: whose it is; `is_shared`: the other side has it in the same place, so one drawing is
      enough for both
    - `outcome`: what the metric decided, None if it did not judge it
    - `parts`: of an error, what the other side has otherwise, LABEL or PLACE
    - `text`: what it is in words
    """

    label: str = ""
    side: str = GOLD
    outcome: str | None = None
    is_shared: bool = False
    parts: tuple[str, ...] = ()
    text: str = ""

    @property
    def is_error(self) -> bool:
        """Is it marked as wrong?"""
        return is_error(self.outcome)

    @property
    def kind(self) -> str:
        """How it looks: `both` for what is not wrong, else its side."""
        return self.side if self.is_error else "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Shape):
    """Something over a set of places, which may have gaps."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Shape):
    """An arc from a place, or from ROOT or OUTSIDE, to a place; `number` is the source's number in
    its own sentence."""

    source: int
    target: int
    number: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Box):
    """A node of a tree over places; `parent` is the name of another node of the same side."""

    name: str
    parent: str | None = None


B = TypeVar("B", bound=Box)


@dataclass(frozen=True)
class Figure:
    """Words, and what stands over them.

    - `words`: what stands at every place
    - `tokens`: sides x places, the words as each side has them, None for nothing
    - `nodes`: where there are any, they are drawn as trees, and boxes and links are not
    - `has_heads`: is every word linked to its head, so that a terminal can draw word by word?
    """

    words: tuple[str, ...]
    tokens: tuple[tuple[Word | None, ...], ...] = ()
    boxes: tuple[Box, ...] = ()
    links: tuple[Link, ...] = ()
    nodes: tuple[Node, ...] = ()
    has_heads: bool = False

    @property
    def has_system(self) -> bool:
        """Are there two sides?"""
        return len(self.tokens) > 1

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All that stands over the words."""
        return *self.boxes, *self.nodes, *self.links

    @cached_property
    def errors(self) -> tuple[Shape, ...]:
        """What is marked as wrong."""
        return tuple(shape for shape in self.shapes if shape.is_error)

    @cached_property
    def heads(self) -> tuple[dict[int, Link], dict[int, Link]]:
        """Of gold and of the system, the link that leads to each place."""
        gold, system = (
            {link.target: link for link in self.links if link.side == side}
            for side in (GOLD, SYSTEM)
        )
        return gold, system

    def only_in(self, place: int) -> str:
        """The side that has a word alone; empty if both do."""
        there = [side[place] is not None for side in self.tokens]
        return "" if len(there) < 2 or all(there) else GOLD if there[0] else SYSTEM

    def word(self, place: int) -> Word:
        """The word as gold has it, or else the system."""
        there = (side[place] for side in self.tokens)
        return next((word for word in there if word), Word(self.words[place], place + 1))

    def cut(self, size: int) -> Figure:
        """The first words only. A link from behind them, or from a word to itself, comes from
        outside."""
        return replace(
            self,
            words=self.words[:size],
            tokens=tuple(side[:size] for side in self.tokens),
            boxes=tuple(_covered(self.boxes, size)),
            nodes=tuple(_covered(self.nodes, size)),
            links=tuple(
                link if link.source < size and link.source != link.target
                else replace(link, source=OUTSIDE)
                for link in self.links
                if link.target < size
            ),
        )  # fmt: skip


def _covered(shapes: Sequence[B], size: int) -> Iterator[B]:
    for shape in shapes:
        if places := tuple(place for place in shape.places if place < size):
            yield replace(shape, places=places)


def figure_of(scene: Scene) -> Figure:
    """The usual figure: a link for an item with a second anchor, a box for any other, and both for
    an item of several words with a second anchor."""
    boxes: list[Box] = []
    links: list[Link] = []
    for row in scene.rows:
        for number, (mark, other) in enumerate((row, row[::-1])):
            if mark is None or not mark.places:
                continue
            words = scene.tokens[number] if number < len(scene.tokens) else ()
            is_linked = scene.has_heads or mark.second != NOWHERE
            given: dict[str, Any] = {
                "side": (GOLD, SYSTEM)[number],
                "outcome": mark.outcome,
                **_beside(mark, other, is_linked=is_linked),
            }
            label = mark.label or ""
            if not is_linked or len(mark.places) > 1:
                text = box_text(mark, words)
                boxes.append(Box(places=mark.places, label=label, text=text, **given))
                label = mark.second_form  # the box has the label
            if is_linked:
                link = Link(source=mark.second, target=mark.places[0], label=label, **given)
                text = link_text(mark, words)
                links.append(replace(link, number=mark.second_number, text=text))
    found = Figure(scene.words, scene.tokens, tuple(boxes), tuple(links))
    return replace(found, has_heads=scene.has_heads and bool(links))


def _beside(mark: Mark, other: Mark | None, *, is_linked: bool) -> dict[str, Any]:
    """Does the other side have the same, or of an error, what does it have otherwise?"""
    if other is None:
        return {"parts": (LABEL, PLACE)} if is_error(mark.outcome) else {}
    same_label, same_place = mark.compared == other.compared, mark.places == other.places
    if is_linked:
        same_place &= mark.second == other.second >= ROOT
    if not is_error(mark.outcome):
        return {"is_shared": same_place and same_label and not is_error(other.outcome)}
    return {"parts": (LABEL,) * (not same_label) + (PLACE,) * (not same_place)}


def _named(place: int, words: Sequence[Word | None]) -> str:
    word = words[place] if place < len(words) else None
    return f"{word.form}-{word.number}" if word else str(place + 1)


def box_text(mark: Mark, words: Sequence[Word | None]) -> str:
    """`ORG(Acme-3 Labs-4)`; of many words, the first and the last ones."""
    places = mark.places
    if len(places) <= _NAMED:
        return f"{mark.label or ''}({' '.join(_named(place, words) for place in places)})"
    first, last = (
        " ".join(_named(p, words) for p in run) for run in (places[:_ENDS], places[-_ENDS:])
    )
    return f"{mark.label or ''}({first} {GAP} {last})"


def link_text(mark: Mark, words: Sequence[Word | None]) -> str:
    """`obl(reopen-4, Monday-9)`."""
    head = "ROOT-0"
    if mark.second >= 0:
        there = words[mark.second] if mark.second < len(words) else None
        head = f"{there.form}-{there.number}" if there else str(mark.second_number)
    elif mark.second == OUTSIDE:
        form = f"{mark.second_form}-" if mark.second_form else "word "
        head = f"{form}{mark.second_number} in a different sentence"
    return f"{mark.label}({head}, {_named(mark.places[0], words)})"
