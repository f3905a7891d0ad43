"""How much systems differ where the same items are judged by stricter and by looser criteria."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.compare.views import View
from tertium.families.family import family_of
from tertium.families.sets import known_metric
from tertium.results.blocks import Block, Cell, Column, Table, kind_of, or_missing
from tertium.significance.score.result import Scores


def criteria_blocks(scores: Scores, views: Sequence[View]) -> list[Block]:
    """A table for each family that declares criteria and has been compared by two or more of them:
    differences and change of the score of every pair, criterion by criterion (Tuggener 2017, Table
    7)."""
    found: dict[str, list[tuple[int, View]]] = {}
    for view in views:
        metric = known_metric(view.metric)
        if metric is not None and metric.id in (criteria := family_of(metric).criteria):
            found.setdefault(view.layer, []).append((criteria.index(metric.id), view))
    every = (sorted(those, key=lambda each: each[0]) for those in found.values())
    return [_table(scores, [view for _, view in those]) for those in every if len(those) > 1]


def _table(scores: Scores, views: Sequence[View]) -> Table:
    columns: list[Column] = []
    for view in views:
        part = scores.part(view.metric)
        columns += [
            Column("diff", view.metric, "percent"),
            Column(f"{part.header} change", view.metric, kind_of(part.kind, "delta")),
        ]
    shared = [name for name in views[0].systems if all(name in view.systems for view in views)]
    ends = [(a, b) for n, a in enumerate(shared) for b in shared[n + 1 :]]
    rows = [(a, b, *(cell for v in views for cell in _cells(scores, v, a, b))) for a, b in ends]
    items, which = f"{views[0].item}s", "those of gold that both systems annotate"
    if views[0].shared == "union":
        which = "those of gold and false positives of either system"
    return Table(
        (Column("from"), Column("to"), *columns),
        tuple(rows),
        title="Differences between systems by criterion",
        keys=2,
        contests=tuple(a for a, _ in ends),
        note=f"diff: share of {items} on which two systems differ; {items}: {which}",
    )


def _cells(scores: Scores, view: View, a: str, b: str) -> tuple[Cell, Cell]:
    first, last = (scores[name, view.metric].value for name in (a, b))
    change = None if first is None or last is None else last - first
    return (
        or_missing(view.pair(a, b).diff, f"there are no {view.item}s"),
        or_missing(change, "undefined for one of the two"),
    )
