"""The section of `score`: one row per system, columns by metric, and what a reader must know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tertium.results.assessment import Assessment
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Table,
    Text,
    or_missing,
)
from tertium.results.scores import Result
from tertium.results.texts import sizes_text
from tertium.significance.runs import with_means
from tertium.significance.score.confusions import confusion_blocks, error_type_blocks
from tertium.significance.score.coverage import coverage_lines, lacking_cell, lacks_layer
from tertium.significance.score.fields import (
    CHANGE,
    SIZE,
    SYSTEM_ITEMS,
    Sizes,
    fields_of,
    group_sizes,
    in_order,
)
from tertium.significance.score.labels import label_notes, label_tables
from tertium.significance.score.result import ScoreLook, Scores
from tertium.significance.score.sets import set_tables, signatures, without_members
from tertium.significance.tables import (
    BESIDE,
    LETTERS,
    RUNS,
    Beside,
    group_notes,
    group_significance,
    run_notes,
    significance_blocks,
    significance_lines,
)

WHOLE = "all"


def build(scores: Scores, look: ScoreLook) -> list[Block]:
    """Blocks for all results: the main table, tables and figures asked for, then coverage, notes,
    signatures."""
    if not scores.results:
        return [Text(f"nothing was scored against {scores.gold}")]
    against = scores.against
    if look.sort is not None:
        scores = in_order(scores, look.sort)
    plain = scores if scores.by else without_members(scores)
    blocks: list[Block] = [*main_tables(plain, parts=look.parts, shown=look.columns)]
    if not scores.by:
        blocks += set_tables(scores, parts=look.parts, shown=look.columns)
    blocks += [Text(warning) for warning in (against.warnings if against else ())]
    blocks += _significance(scores, look)
    for other in scores.regrouped:
        blocks += main_tables(other, parts=look.parts, shown=look.columns)
        blocks += group_significance(other.assessment, other.by)
    if look.labels:
        blocks += label_tables(scores, parts=look.parts, shown=look.columns) or [
            Text("none of these metrics has figures per label")
        ]
        blocks += [Text(note) for note in label_notes(scores)]
    if look.confusion:
        blocks += confusion_blocks(scores, look)
    if look.error_types:
        blocks += error_type_blocks(scores)
    if scores.by and (look.confusion or look.error_types or look.labels):
        blocks.append(Text("figures per label, confusions and error types are those of the whole"))
    # A dash in the table says already that a system lacks a layer; not why a set refuses it.
    lacking = [r for r in scores if lacks_layer(r) and not r.member]
    said = {f"{r.system}: {r.reasons.get('value')}" for r in lacking}
    notes = [*(n for n in scores.notes if n not in said), *(against.notes if against else ())]
    return [*blocks, *closing_lines(scores, scores.assessment, notes)]


def _significance(scores: Scores, look: ScoreLook) -> list[Block]:
    """The tests of all pairs, of more than two systems only on request: letters sum them up."""
    found = scores.assessment
    if found is None or look.tests or len(found.systems) < 3:
        return significance_blocks(found, scores.by)
    return group_significance(found, scores.by)


def closing_lines(
    scores: Scores, assessment: Assessment | None, notes: Iterable[str]
) -> list[Text]:
    """What was scored, how much of it was judged, how it was tested, notes and signatures."""
    return [
        Text(gold_line(scores), role="gold"),
        *(Text(line, role="coverage") for line in coverage_lines(scores)),
        *significance_lines(assessment),
        *(Text(n) for each in scores.regrouped for n in group_notes(each.assessment, assessment)),
        *(Text(note) for note in (*run_notes(scores), *dict.fromkeys(notes))),
        *signatures(scores),
    ]


def gold_line(scores: Scores) -> str:
    """The gold standard and its size; spans over token numbers come without tokens."""
    return f"{scores.gold} · {sizes_text(scores.sizes, scores.units, scores.tokens)}"


def main_tables(scores: Scores, *, parts: bool = False, shown: Sequence[str] = ()) -> list[Table]:
    """The main table; one for each kind of unit where units are grouped."""
    units = list(scores.sizes)
    if len(units) > 1 and scores.by and not group_sizes(scores).are_items:
        each = [replace(scores, results=tuple(r for r in scores if r.unit == u)) for u in units]
    else:
        each = [scores] if units else []
    return [main_table(one, parts=parts, shown=shown) for one in each]


def main_table(scores: Scores, *, parts: bool = False, shown: Sequence[str] = ()) -> Table:
    """One row per system, or with `--by` one row per group and system; the whole comes first.

    Rows of one group stand together, because systems compete within a group. Several runs of a
    system are one row, of their means.
    """
    beside, scores = Beside(scores), with_means(scores)
    keys = [Column(scores.by)] if scores.by else []
    sizes = group_sizes(scores)
    fields = fields_of(scores, sizes, beside, parts=parts, shown=shown)
    named = {(r.system, r.metric): r for r in scores}
    absent = "this system has nothing in the group"
    if sizes.are_items:
        absent = "this metric cannot be grouped"
    rows: list[tuple[Cell, ...]] = []
    contests: list[str] = []
    groups = dict.fromkeys(g for r in scores for g in r.groups)
    # The key of the whole is "", which no group can be confused with, even one that is named "all".
    for group in ("", *groups) if scores.by else ("",):
        for system in scores.systems:
            names: list[Cell] = [group or WHOLE, system] if scores.by else [system]
            cells: list[Cell] = []
            for field in fields:
                result = named.get((system, field.metric))
                if field.what == SIZE:
                    cells.append(_size(result, group, sizes))
                elif field.what == RUNS or (field.what in BESIDE and _has(result, group)):
                    cells.append(beside.cell(field.what, system, field.metric, group))
                elif field.what == LETTERS:
                    cells.append(None)
                elif field.what == CHANGE and _has(result, group):
                    cells.append(beside.change(system, field.metric, group))
                else:
                    cells.append(_cell(result, group, field.what, absent))
            rows.append((*names, *cells))
            contests.append(group)
    columns = (*keys, Column("system"), *(replace(f.column, metric=f.metric) for f in fields))
    return Table(columns, tuple(rows), keys=1 + bool(scores.by), contests=tuple(contests))


def _size(result: Result | None, group: str, sizes: Sizes) -> Cell:
    """The size of a group; of items the system's own, which was perhaps not judged on all."""
    if result is None:
        return None
    own: float | None = None
    if sizes.are_items:
        part = result.groups.get(group)
        own = result.total("gold") if not group else part.coverage.get("items") if part else None
    return sizes.of(result.metric).get(group) if own is None else own


def _has(result: Result | None, group: str) -> bool:
    """Is there something to say about a result, or about a group of it?"""
    if result is None or lacks_layer(result):
        return False
    return not group or group in result.groups


def _cell(result: Result | None, group: str, part: str, absent: str) -> Cell:
    """A part of a result, or of a group; `absent` says why a group may not be there."""
    if result is None:
        return Missing("not scored with this metric")
    if lacks_layer(result):
        return lacking_cell(result)
    if group:
        if group not in result.groups:
            return Missing(absent)
        result = result.groups[group]
    if part == SYSTEM_ITEMS:
        return result.total("system")
    values = result.numbers
    if part not in values and result.value is not None:
        return None  # such as known and unknown words without a lexicon
    return or_missing(values.get(part), result.reasons.get(part) or result.reasons.get("value"))
