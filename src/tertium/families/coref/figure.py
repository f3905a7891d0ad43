"""Figures of coreference: mentions as boxes, antecedents as links to them."""

from __future__ import annotations

from tertium.results.figures import GOLD, SYSTEM, Box, Figure, Link, box_text, link_text
from tertium.results.items import NOWHERE
from tertium.results.scenes import OUTSIDE, Scene, is_error


def chain_figure(scene: Scene) -> Figure:
    """A box over every mention, labelled with its chain, and a link from its antecedent.

    A mention that both sides have is drawn once, with the chain that gold gives it. Its box is
    wrong only if the other side lacks it; what else is wrong is the link.
    """
    marks = [[mark for mark in side if mark and mark.places] for side in scene.marks[:2]]
    boxes: list[Box] = []
    links: list[Link] = []
    for number, (name, found) in enumerate(zip((GOLD, SYSTEM), marks, strict=False)):
        others = {mark.places: mark for side in marks if side is not found for mark in side}
        words = scene.tokens[number] if number < len(scene.tokens) else ()
        for mark in found:
            other, label = others.get(mark.places), mark.chain or mark.label
            boxes.append(
                Box(
                    places=mark.places,
                    label=label or "",
                    side=name,
                    outcome=mark.outcome if other is None else None,
                    is_shared=other is not None,
                    text=box_text(mark._replace(label=label), words),
                )
            )
            if mark.second == NOWHERE:
                continue
            is_same = other is not None and mark.second == other.second != OUTSIDE
            links.append(
                Link(
                    source=mark.second,
                    target=mark.places[0],
                    number=mark.second_number,
                    label=mark.second_form,
                    side=name,
                    outcome=mark.outcome,
                    is_shared=is_same and not is_error(mark.outcome),
                    text=link_text(mark, words),
                )
            )
    return Figure(scene.words, scene.tokens, tuple(boxes), tuple(links))
