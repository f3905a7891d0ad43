"""All tables of a comparison: scores, then metric by metric what differs, and below them what a
reader must know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.comparison.compare.balance import balance_table
from tertium.comparison.compare.changes import (
    detailed_pairs,
    group_blocks,
    label_tables,
    pair_blocks,
    transition_table,
    type_legend,
)
from tertium.comparison.compare.criteria import criteria_blocks
from tertium.comparison.compare.look import (
    IN_FULL,
    TABLES,
    CompareLook,
    chosen_pairs,
)
from tertium.comparison.compare.solvers import bound_blocks, solver_blocks
from tertium.comparison.compare.views import View
from tertium.comparison.examples import example_blocks
from tertium.comparison.golds import gold_blocks
from tertium.comparison.pairs import share
from tertium.comparison.vote.tables import ensemble_blocks
from tertium.results.blocks import Block, Cell, Column, Table, Text, or_missing
from tertium.results.names import ending_note, renamed, short_names
from tertium.results.parts import EXACT_MATCH
from tertium.results.texts import counted
from tertium.significance.runs import with_means
from tertium.significance.score.result import Scores
from tertium.significance.score.sets import set_tables, without_members
from tertium.significance.score.summary import main_metric
from tertium.significance.score.table import closing_lines, main_table
from tertium.significance.tables import (
    ROWS,
    group_significance,
    pair_text,
    significance_blocks,
)

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison


def all_blocks(comparison: Comparison, look: CompareLook) -> list[Block]:
    """Blocks of a whole comparison, with the names of systems as short as they can be."""
    names = short_names(comparison.systems)
    chosen = chosen_pairs(comparison.systems, look.pairs)
    look = replace(look, pairs=tuple((names[a], names[b]) for a, b in chosen))
    comparison, notes = shortly_named(comparison)
    blocks = overview(comparison, complete=not look.is_short) if look.has("scores") else []
    if look.has("significance"):
        rows = look.rows(ROWS) if look.is_text else look.limit or None
        blocks += significance_blocks(comparison.assessment, comparison.scores.by, rows=rows)
        for other in comparison.regrouped:
            blocks += group_significance(other.assessment, other.scores.by, rows=rows)
    if look.has("criteria"):
        blocks += criteria_blocks(comparison.scores, comparison.views)
    blocks += gold_blocks(comparison.golds) if look.has("golds") else []
    main = main_view(comparison)
    for view in comparison.views:
        blocks += view_blocks(comparison, view, look, is_main=view is main)
    notes = [] if look.is_short else notes
    views = [main] if look.is_short and main else comparison.views
    notes += _other_pairs(comparison, views, look)
    return [*blocks, *lines_below(comparison, notes, [*_left(comparison, main, look)])]


def main_view(comparison: Comparison) -> View | None:
    """The view of the main metric or, if items are compared by others, the most prominent one."""
    main = main_metric(comparison.scores)
    rank = {r.metric: (r.metric == main, r.prominence) for r in comparison.scores}
    return max(comparison.views, key=lambda view: rank[view.metric], default=None)


def _left(comparison: Comparison, main: View | None, look: CompareLook) -> Iterator[str]:
    """What there is besides what is shown."""
    if not look.is_short or main is None:
        return
    others = [view.metric for view in comparison.views if view is not main]
    also = f", also for {', '.join(others)}" if others else ""
    names = [name for name in TABLES if not look.has(name)]
    yield f"'--table NAME' shows {', '.join(names)}{also}; '--all' shows everything"


def shortly_named(comparison: Comparison) -> tuple[Comparison, list[str]]:
    """With the names of systems as short as they can be, and a note that says so. What the first
    table tells by a dash is no longer among the notes."""
    from tertium.comparison.compare.result import about_layers

    said = about_layers(comparison.scores)
    notes = tuple(note for note in comparison.notes if note not in said)
    comparison = replace(comparison, notes=notes)
    names, golds = short_names(comparison.systems), comparison.golds
    if golds is not None:  # which may bear the name of a system themselves
        each = (replace(s, system=names.get(s.system, s.system)) for s in golds.scores)
        golds = replace(golds, scores=tuple(each))
    named = replace(
        comparison,
        scores=renamed(comparison.scores, names),
        views=renamed(comparison.views, names),
        assessing=renamed(comparison.assessment, names),
        regrouped=tuple(shortly_named(each)[0] for each in comparison.regrouped),
        golds=golds,
    )
    return named, ending_note(comparison.systems)


def lines_below(
    comparison: Comparison, notes: Sequence[str], last: Sequence[str] = ()
) -> list[Text]:
    """What stands below scores, with what is to be noted about the comparison, and noted `last`."""
    votes = [note for vote in comparison.ensembles for note in vote.notes]
    found = [*notes, *comparison.notes, *_absent(comparison), *votes, *last]
    others = tuple(each.tested_scores for each in comparison.regrouped)
    scores = replace(comparison.scores, regrouped=others)
    return closing_lines(scores, comparison.assessment, found)


def view_blocks(
    comparison: Comparison, view: View, look: CompareLook, *, is_main: bool = True
) -> list[Block]:
    """Everything about one metric, as far as it was chosen. If little is shown, changes are those
    of the main one."""
    scores, assessment = comparison.scores, comparison.assessment
    pairs = detailed_pairs(scores, view, look)
    types = "" if view.mode == "labels" else type_legend(view)
    made: dict[str, Callable[[], Sequence[Block]]] = {
        "changes": lambda: [
            balance_table(p, view, look) for p in pairs if is_main or not look.is_short
        ],
        "differences": lambda: pair_blocks(scores, view, look),
        "transitions": lambda: [
            transition_table(p, look, types, pair_text(assessment, p.a, p.b, p.metric))
            for p in pairs
        ],
        "labels": lambda: label_tables(pairs, look),
        "examples": lambda: example_blocks(comparison.material, view, pairs, look),
        "oracle": lambda: bound_blocks(view, look),
        "solvers": lambda: solver_blocks(view, look),
        "ensembles": lambda: ensemble_blocks(
            comparison.ensembles, scores, view, comparison.vote_assessment
        ),
        "groups": lambda: [
            block
            for each in (comparison, *comparison.regrouped)
            for block in group_blocks(each[view.metric], each.scores.by or "", pairs)
        ],
    }
    return [block for name, blocks in made.items() if look.has(name) for block in blocks()]


def _absent(comparison: Comparison) -> Iterator[str]:
    """Which systems a metric does not compare."""
    for view in comparison.views:
        absent = [name for name in comparison.systems if name not in view.systems]
        if absent:
            yield f"{view.metric} compares {len(view.systems)} systems, not {', '.join(absent)}"


def _other_pairs(comparison: Comparison, views: Sequence[View], look: CompareLook) -> Iterator[str]:
    """Which pairs are not shown, and how to see them."""
    for view in views:
        absent = [":".join(pair) for pair in look.pairs if not {*pair} <= {*view.systems}]
        if absent:
            yield f"{view.metric} was not computed for both systems of {', '.join(absent)}"
        is_read = look.is_text or look.draws  # rather than printed
        has_pairs = any(look.has(name) for name in ("changes", *IN_FULL))
        if look.pairs or len(view.pairs) < 2 or not is_read or not has_pairs:
            continue
        best = detailed_pairs(comparison.scores, view, look)[0]
        left = len(view.pairs) - 1
        yield (
            f"{view.metric}: changes are shown from {best.a} to {best.b}, the two best systems; "
            f"'--pair A:B' shows {counted(left, 'more pair')}, such as "
            f"{next(f'{p.a}:{p.b}' for p in view.pairs if p.rows != best.rows)}"
        )


def overview(comparison: Comparison, *, complete: bool = True) -> list[Block]:
    """One row per system: the usual parts of every score and, if `complete`, fully correct
    sentences (Tuggener 2017, Tables 3 and 5)."""
    whole = tuple(replace(r, groups={}) for r in comparison.scores)  # groups have their own tables
    scores = replace(comparison.scores, by=None, results=whole, assessment=comparison.assessment)
    plain = without_members(scores)
    blocks: list[Block] = []
    if plain.results:
        table = main_table(plain)
        for view in comparison.views if complete else ():
            table = _with_complete(table, view, scores)
        if not complete and scores.assessment is not None:
            added = [f for f in scores.assessment.families if f.is_added]
            table = _with_usual(table, {metric for family in added for metric in family.metrics})
        told = {c.metric for c in table.columns if c.header.endswith(EXACT_MATCH)}
        units = dict.fromkeys(f"{r.unit}s" for r in plain if r.metric in told)
        note = f"{EXACT_MATCH}: {' or '.join(units)} without an error" if told else ""
        blocks.append(replace(table, note=note))
    return [*blocks, *set_tables(scores)]


def _with_usual(table: Table, added: Collection[str]) -> Table:
    """Of metrics that nobody asked for, only the columns that other metrics have as well."""
    usual = {column.header for column in table.columns if column.metric not in added}
    kept = [i for i, c in enumerate(table.columns) if c.metric not in added or c.header in usual]
    columns = tuple(table.columns[i] for i in kept)
    return replace(
        table, columns=columns, rows=tuple(tuple(r[i] for i in kept) for r in table.rows)
    )


def _with_complete(table: Table, view: View, scores: Scores) -> Table:
    """Fully correct units beside the other columns of a metric that does not count them."""
    places = [i for i, column in enumerate(table.columns) if column.metric == view.metric]
    if not places:
        return table
    at, group = places[-1] + 1, table.columns[places[0]].group
    header = EXACT_MATCH if group else f"{scores.names[view.metric]} {EXACT_MATCH}"
    column = Column(header, group, "percent", "higher", metric=view.metric)
    names = with_means(scores).systems
    rows = tuple(
        (*row[:at], _complete(view, scores.runs.get(name, (name,)), row[at - 1]), *row[at:])
        for name, row in zip(names, table.rows, strict=True)
    )
    return replace(table, columns=(*table.columns[:at], column, *table.columns[at:]), rows=rows)


def _complete(view: View, runs: Sequence[str], lacking: Cell) -> Cell:
    """The share of a system's fully correct units, the mean over its runs; what is `lacking` if the
    system is not compared."""
    there = [view.systems.index(name) for name in runs if name in view.systems]
    if not there:
        return lacking
    right, every = (float(each[there].sum()) for each in (view.complete, view.counted))
    return or_missing(share(right, every), f"there are no {view.unit}s")
