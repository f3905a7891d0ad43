"""The sections of `compare`: scores, then metric by metric what differs, and below it what a reader
must know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tertium.comparison.compare.changes import (
    group_blocks,
    label_tables,
    pair_blocks,
    transition_table,
)
from tertium.comparison.compare.look import Choice, detailed_pairs
from tertium.comparison.compare.result import Comparison, about_layers
from tertium.comparison.compare.solvers import bound_blocks, solver_blocks
from tertium.comparison.compare.views import View, common_ending, short_names
from tertium.comparison.examples import example_blocks
from tertium.comparison.golds import gold_blocks
from tertium.comparison.pairs import Pair, share
from tertium.comparison.vote.ensembles import ensemble_blocks
from tertium.results.blocks import Block, Cell, Column, Missing, Table, Text
from tertium.results.texts import counted
from tertium.significance.score.coverage import coverage_lines
from tertium.significance.score.means import with_means
from tertium.significance.score.result import Scores
from tertium.significance.score.sets import set_tables, signatures, without_members
from tertium.significance.score.table import gold_line, main_table
from tertium.significance.tables import (
    ROWS,
    pair_text,
    run_notes,
    significance_blocks,
    significance_lines,
)

NO_CHOICE = Choice()


def build(comparison: Comparison, choice: Choice = NO_CHOICE) -> list[Block]:
    """Blocks of a whole comparison, with the names of systems as short as they can be."""
    names = short_names(comparison.systems)
    comparison, notes = shortly_named(comparison)
    choice = replace(
        choice, pairs=tuple((names.get(a, a), names.get(b, b)) for a, b in choice.pairs)
    )
    blocks = overview(comparison) if choice.has("scores") else []
    if choice.has("significance"):
        rows = choice.rows(ROWS) if choice.is_text else choice.limit or None
        blocks += significance_blocks(comparison.assessment, comparison.scores.by, rows=rows)
    blocks += gold_blocks(comparison.golds) if choice.has("golds") else []
    for view in comparison.views:
        blocks += view_blocks(comparison, view, choice)
    return [*blocks, *closing_lines(comparison, [*notes, *_other_pairs(comparison, choice)])]


def shortly_named(comparison: Comparison) -> tuple[Comparison, list[str]]:
    """With the names of systems as short as they can be, and a note that says so. What the first
    table tells by a dash is no longer among the notes."""
    said = about_layers(comparison.scores)
    ending = common_ending(comparison.systems)
    notes = tuple(note for note in comparison.notes if note not in said)
    comparison = replace(comparison, notes=notes)
    if not ending:
        return comparison, []
    named = comparison.named(short_names(comparison.systems))
    return named, [f"names of systems are shown without '{ending}'"]


def closing_lines(comparison: Comparison, notes: Sequence[str]) -> list[Text]:
    """What was compared, how much of it was judged, notes and signatures."""
    scores = comparison.scores
    lines = [Text(gold_line(scores), role="gold")]
    lines += [Text(line, role="coverage") for line in coverage_lines(scores)]
    lines += [*significance_lines(comparison.assessment), *map(Text, run_notes(scores))]
    votes = [note for vote in comparison.ensembles for note in vote.notes]
    found = [*notes, *comparison.notes, *_absent(comparison), *votes]
    lines += [Text(note) for note in dict.fromkeys(found)]
    return lines + [Text(signature, role="signature") for signature in signatures(scores)]


def view_blocks(comparison: Comparison, view: View, choice: Choice) -> list[Block]:
    """Everything about one metric, as far as it was chosen."""
    pairs = detailed_pairs(comparison, view, choice)
    made: dict[str, Callable[[], list[Block]]] = {
        "differences": lambda: pair_blocks(comparison, view, choice),
        "transitions": lambda: [_transitions(comparison, pair, choice) for pair in pairs],
        "labels": lambda: label_tables(pairs, choice),
        "examples": lambda: example_blocks(comparison, view, pairs, choice),
        "bounds": lambda: bound_blocks(view, choice),
        "solvers": lambda: solver_blocks(view, choice),
        "ensembles": lambda: ensemble_blocks(comparison, view),
        "groups": lambda: group_blocks(view, comparison.scores.by or "", pairs),
    }
    return [block for name, blocks in made.items() if choice.has(name) for block in blocks()]


def _transitions(comparison: Comparison, pair: Pair, choice: Choice) -> Table:
    """The transitions of a pair, and below them whether its scores differ by chance."""
    table = transition_table(pair, choice)
    tested = pair_text(comparison.assessment, pair.a, pair.b, pair.metric)
    return replace(table, note="; ".join(filter(None, (table.note, tested))))


def _absent(comparison: Comparison) -> Iterator[str]:
    """Which systems a metric does not compare."""
    for view in comparison.views:
        absent = [name for name in comparison.systems if name not in view.systems]
        if absent:
            yield f"{view.metric} compares {len(view.systems)} systems, without {', '.join(absent)}"


def _other_pairs(comparison: Comparison, choice: Choice) -> Iterator[str]:
    """Which pairs are not shown in full, and how to see them."""
    for view in comparison.views:
        absent = [
            f"{a}:{b}" for a, b in choice.pairs if a not in view.systems or b not in view.systems
        ]
        if absent:
            yield f"{view.metric} does not have both systems of {', '.join(absent)}"
        is_read = choice.is_text or choice.pictures  # rather than printed
        if choice.pairs or len(view.pairs) < 2 or not is_read:
            continue
        best = detailed_pairs(comparison, view, choice)[0]
        left = len(view.pairs) - 1
        yield (
            f"{view.metric}: {best.a} and {best.b}, the two best systems, are shown in full; "
            f"'--pair A:B' shows {counted(left, 'other pair')}, such as "
            f"{next(f'{p.a}:{p.b}' for p in view.pairs if p.rows != best.rows)}"
        )


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
