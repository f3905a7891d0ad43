"""The sections of `compare`: scores, then metric by metric what differs, and below it what a reader
must know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tertium.comparison.compare.result import Comparison, about_layers
from tertium.comparison.compare.views import View, common_ending, short_names
from tertium.comparison.pairs import Pair
from tertium.comparison.compare.bound_tables import bound_blocks
from tertium.comparison.compare.look import Choice, detailed_pairs
from tertium.comparison.compare.ensembles import ensemble_blocks
from tertium.comparison.compare.examples import example_blocks
from tertium.comparison.compare.golds import gold_blocks
from tertium.comparison.compare.groups import group_blocks
from tertium.comparison.compare.label_differences import label_tables
from tertium.comparison.compare.overview import overview
from tertium.comparison.compare.changes import pair_blocks
from tertium.comparison.compare.solvers import solver_blocks
from tertium.comparison.compare.transitions import transition_table
from tertium.results.blocks import Block, Table, Text
from tertium.results.texts import counted
from tertium.significance.score.coverage import coverage_lines
from tertium.significance.score.sets import signatures
from tertium.significance.score.table import gold_line
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
