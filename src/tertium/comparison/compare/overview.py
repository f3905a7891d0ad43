"""Every score of every system (Tuggener 2017, Tables 3 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import share
from tertium.results.blocks import Block, Cell, Column, Missing, Table
from tertium.significance.score.means import with_means
from tertium.significance.score.result import Scores
from tertium.significance.score.sets import set_tables, without_members
from tertium.significance.score.table import main_table

COMPLETE = "complete"


def overview(comparison: Comparison) -> list[Block]:
    """One row a system: the usual parts of every score, and fully correct sentences."""
    scores = replace(_whole(comparison.scores), assessment=comparison.assessment)
    plain = without_members(scores)
    blocks: list[Block] = []
    if plain.results:
        table = main_table(plain)
        for view in comparison.views:
            table = _with_complete(table, view, scores)
        told = {c.group for c in table.columns if c.header == COMPLETE}
        units = dict.fromkeys(f"{r.unit}s" for r in plain if r.metric in told)
        note = f"complete: {' or '.join(units)} in which everything is right" if told else ""
        blocks.append(replace(table, note=note))
    return [*blocks, *set_tables(scores)]


def _whole(scores: Scores) -> Scores:
    """Without groups, which have tables of their own."""
    return replace(scores, by=None, results=tuple(replace(r, groups={}) for r in scores))


def _with_complete(table: Table, view: View, scores: Scores) -> Table:
    """Fully correct units beside the other columns of a metric that does not count them."""
    places = [i for i, column in enumerate(table.columns) if column.group == view.metric]
    if not places or any(table.columns[i].header == COMPLETE for i in places):
        return table
    at = places[-1] + 1
    column = Column(COMPLETE, view.metric, "percent", "higher")
    names = with_means(scores).systems
    rows = tuple(
        (*row[:at], _complete(view, scores.runs.get(name, (name,))), *row[at:])
        for name, row in zip(names, table.rows, strict=True)
    )
    return replace(table, columns=(*table.columns[:at], column, *table.columns[at:]), rows=rows)


def _complete(view: View, runs: Sequence[str]) -> Cell:
    """The share of a system's fully correct units, the mean over its runs."""
    there = [view.systems.index(name) for name in runs if name in view.systems]
    if not there:
        return Missing("not in this system's file")
    right = view.complete[there].sum() / len(there)
    found = share(float(right), int(view.answers.counted.sum()))
    return Missing(f"there are no {view.unit}s") if found is None else found
