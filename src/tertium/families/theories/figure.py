"""Figures of function trees: what gold standards agree on beside the tree of a system."""

from __future__ import annotations

from dataclasses import replace

from tertium.families.theories.constraints import NODE
from tertium.families.theories.conversion import ROOT
from tertium.families.trees.figure import tree_figure
from tertium.results.figures import Figure
from tertium.results.scenes import Mark, Scene

UNLABELLED = "•"  # in place of a label where labels are not compared


def theory_figure(scene: Scene) -> Figure:
    """The sorted function trees of both sides. Beside a system, gold has only what is judged: what
    all gold standards have, which does not cross."""
    found = {mark.label or "" for side in scene.marks for mark in side if mark}
    rank = {label: n for n, label in enumerate(sorted(found, key=lambda x: (x != ROOT, x)))}

    def shown(mark: Mark | None, is_gold: bool) -> Mark | None:
        if mark is None or (is_gold and scene.has_system and mark.outcome is None):
            return None
        label = UNLABELLED if mark.label == NODE else mark.label
        return mark._replace(row=rank[mark.label or ""], label=label)

    marks = tuple(
        tuple(shown(mark, number == 0) for mark in side) for number, side in enumerate(scene.marks)
    )
    return tree_figure(replace(scene, marks=marks))
