"""Figures of constituents: a tree for each side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tertium.results.figures import GOLD, SYSTEM, Box, Figure, Node, figure_of
from tertium.results.scenes import Mark, Scene


def tree_figure(scene: Scene) -> Figure:
    """The constituents of both sides as nodes. Of items that are words, only wrong ones are marked,
    if anything is: what they are called takes room. Words with heads are drawn as always."""
    usual = figure_of(scene)
    if usual.links or not usual.boxes:
        return usual
    if scene.by_token:
        wrong = tuple(box for box in usual.boxes if box.is_error)
        return replace(usual, boxes=wrong or usual.boxes)
    marks = [mark for row in scene.rows for mark in row if mark and mark.places]
    found = [*zip(usual.boxes, marks, strict=True)]
    nodes = [
        node for side in (GOLD, SYSTEM) for node in _nodes([f for f in found if f[0].side == side])
    ]
    return replace(usual, boxes=(), nodes=tuple(nodes))


def _nodes(found: Sequence[tuple[Box, Mark]]) -> Iterator[Node]:
    """The nodes of one side, larger ones first, each under the smallest that has all its words. Of
    those over the same words, the one that comes first among the items is above."""
    lowest: dict[int, int] = {}  # by place, the number of the smallest node so far
    parents: list[int] = []
    order = sorted(found, key=lambda each: (-len(each[0].places), each[1].row))
    places = [frozenset(box.places) for box, _ in order]
    for number, (box, _) in enumerate(order):
        parent = lowest.get(box.places[0], -1)
        while parent >= 0 and not places[number] <= places[parent]:
            parent = parents[parent]  # of brackets that cross
        parents.append(parent)
        lowest.update(dict.fromkeys(box.places, number))
        yield Node(
            places=box.places,
            label=box.label,
            side=box.side,
            outcome=box.outcome,
            is_shared=box.is_shared,
            parts=box.parts,
            text=box.text,
            name=f"{box.side}-{number}",
            parent=f"{box.side}-{parent}" if parent >= 0 else None,
        )
