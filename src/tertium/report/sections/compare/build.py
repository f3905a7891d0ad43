"""The sections of `compare`: scores, then metric by metric what differs, and below it what a reader
must know."""

from __future__ import annotations

from tertium.compare.comparison import Comparison
from tertium.compare.views import View
from tertium.report.blocks import Block, Text
from tertium.report.render.plain import counted
from tertium.report.sections.compare.bounds import bound_blocks
from tertium.report.sections.compare.choice import Choice, detailed_pairs
from tertium.report.sections.compare.groups import group_blocks
from tertium.report.sections.compare.label_differences import label_table
from tertium.report.sections.compare.overview import overview
from tertium.report.sections.compare.pairs import pair_blocks
from tertium.report.sections.compare.solvers import solver_blocks
from tertium.report.sections.compare.transitions import transition_table
from tertium.report.sections.composites import signatures
from tertium.report.sections.coverage import coverage_lines, lacks_layer
from tertium.report.sections.scores import gold_line

NO_CHOICE = Choice()


def build(comparison: Comparison, choice: Choice = NO_CHOICE) -> list[Block]:
    """Blocks of a whole comparison."""
    scores = comparison.scores
    blocks = overview(comparison)
    for view in comparison.views:
        blocks += view_blocks(comparison, view, choice)
    blocks.append(Text(gold_line(scores), role="gold"))
    blocks += [Text(line, role="coverage") for line in coverage_lines(scores)]
    blocks += [Text(note) for note in dict.fromkeys(_notes(comparison, choice))]
    blocks += [Text(signature, role="signature") for signature in signatures(scores)]
    return blocks


def view_blocks(comparison: Comparison, view: View, choice: Choice) -> list[Block]:
    """Everything about one metric."""
    blocks = pair_blocks(comparison, view, choice)
    pairs = detailed_pairs(comparison, view, choice)
    for pair in pairs:
        blocks.append(transition_table(pair, choice))
        labels = label_table(pair, choice)
        blocks += [labels] if labels is not None else []
    blocks += bound_blocks(view, choice)
    blocks += solver_blocks(view, choice)
    blocks += group_blocks(view, comparison.scores.by or "", pairs)
    return blocks


def _notes(comparison: Comparison, choice: Choice) -> list[str]:
    """What was noted, without what a dash in a table says already; who is not compared, and which
    pairs are not shown in full."""
    said = {
        f"{r.system}: {r.reasons.get('value')}" for r in comparison.scores if lacks_layer(r)
    }
    found = [note for note in comparison.notes if note not in said]
    return found
