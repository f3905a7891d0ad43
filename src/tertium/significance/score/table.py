"""The section of `score`: one row per system, columns by metric, and what a reader must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.results.assessment import Assessment
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Table,
    Text,
    better_of,
    kind_of,
    or_missing,
)
from tertium.results.scores import Result, flatten
from tertium.results.texts import sizes_text, unit_noun
from tertium.significance.runs import with_means
from tertium.significance.score.confusions import confusion_blocks, error_type_blocks
from tertium.significance.score.coverage import coverage_lines, lacks_layer
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

SIZE, SYSTEM_ITEMS = "(size)", "(system items)"  # what a column shows besides parts


@dataclass(frozen=True)
class Sizes:
    """Sizes by metric and group; the group "" is the whole.

    - `are_items`: do groups hold single items, counted in gold, rather than units?
    - `shared`: are the sizes the same for all metrics, and known?
    """

    by_metric: Mapping[str, Mapping[str, int]]
    are_items: bool
    shared: bool

    def of(self, metric: str) -> Mapping[str, int]:
        """The sizes of groups as one metric sees them."""
        return self.by_metric.get(metric, {})


def group_sizes(scores: Scores) -> Sizes:
    """What results say about the sizes of their groups."""
    are_items = any("items" in group.coverage for r in scores for group in r.groups.values())
    inner, outer = ("items", "scored") if are_items else ("units", "")
    found: dict[str, dict[str, int]] = {metric: {} for metric in scores.metrics}
    for result in scores:
        mine = {g: r.coverage[inner] for g, r in result.groups.items() if inner in r.coverage}
        if mine:
            # The coverage of a set's member is that of the set; it has a count of its own.
            items = result.total("gold")
            items = result.coverage.get(outer, 0) if items is None else items
            whole = int(items) if are_items else scores.sizes[result.unit]
            found[result.metric].update({"": whole, **mine})
    if not are_items:  # units are the same for all, also where a metric has no groups
        every = {group: n for sizes in found.values() for group, n in sizes.items()}
        found = dict.fromkeys(found, every)
    first = next(iter(found.values()), {})
    return Sizes(found, are_items, bool(first) and all(s == first for s in found.values()))


def columns_of_items(results: Sequence[Result], *, alone: bool) -> list[str]:
    """The parts that a table of items by groups shows of a metric: one of several metrics only its
    value, a metric alone precision, recall and F1, where it has these, and its value if it is none
    of them."""
    headline = next((r.headline for r in results if r.headline), "value")
    means = [part for part in results[0].declared if part.mean_of]
    mean = next((part for part in means if part.name == headline), means[0] if means else None)
    if not alone:
        return [headline]
    shown = [r for result in results for r in (result, *result.groups.values())]
    flat = [flatten(r.parts) for r in shown]
    names = (*mean.mean_of, mean.name) if mean and mean.mean_of else ()
    usual = [part for part in names if any(part in parts for parts in flat)]
    # Of one label a token, accuracy is recall.
    is_there = any(all(p.get(part) == p.get(headline) for p in flat) for part in usual)
    return usual if is_there else [headline, *usual]


WHOLE = "all"


def build(scores: Scores, look: ScoreLook) -> list[Block]:
    """Blocks for all results: the main table, tables and figures asked for, then coverage, notes,
    signatures."""
    if not scores.results:
        return [Text(f"nothing was scored against {scores.gold}")]
    against = scores.against
    plain = scores if scores.by else without_members(scores)
    blocks: list[Block] = [*main_tables(plain, parts=look.parts)]
    if not scores.by:
        blocks += set_tables(scores, parts=look.parts)
    blocks += [Text(warning) for warning in (against.warnings if against else ())]
    blocks += significance_blocks(scores.assessment, scores.by)
    for other in scores.regrouped:
        blocks += main_tables(other, parts=look.parts)
        blocks += group_significance(other.assessment, other.by)
    if look.labels:
        blocks += label_tables(scores, parts=look.parts) or [
            Text("none of these metrics has figures per label")
        ]
        blocks += [Text(note) for note in label_notes(scores)]
    if look.confusion:
        blocks += confusion_blocks(scores, look)
    if look.error_types:
        blocks += error_type_blocks(scores)
    if scores.by and (look.confusion or look.error_types or look.labels):
        blocks.append(Text("figures per label, confusions and error types are those of the whole"))
    # A dash in the table says already that a system lacks a layer.
    said = {f"{r.system}: {r.reasons.get('value')}" for r in scores if lacks_layer(r)}
    notes = [*(n for n in scores.notes if n not in said), *(against.notes if against else ())]
    return [*blocks, *closing_lines(scores, scores.assessment, notes)]


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


def main_tables(scores: Scores, *, parts: bool = False) -> list[Table]:
    """The main table; one for each kind of unit where units are grouped."""
    units = list(scores.sizes)
    if len(units) > 1 and scores.by and not group_sizes(scores).are_items:
        each = [replace(scores, results=tuple(r for r in scores if r.unit == u)) for u in units]
    else:
        each = [scores] if units else []
    return [main_table(one, parts=parts) for one in each]


def main_table(scores: Scores, *, parts: bool = False) -> Table:
    """One row per system, or with `--by` one row per group and system; the whole comes first.

    Rows of one group stand together, because systems compete within a group. Several runs of a
    system are one row, of their means.
    """
    beside, scores = Beside(scores), with_means(scores)
    keys = [Column(scores.by)] if scores.by else []
    sizes = group_sizes(scores)
    fields = _fields(scores, sizes, beside, parts=parts)
    named = {(r.system, r.metric): r for r in scores}
    absent = "this system has nothing in the group"
    if sizes.are_items:
        absent = "this metric has no items that could be grouped"
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
                if field.part == SIZE:
                    cells.append(sizes.of(field.metric).get(group))
                elif field.part == RUNS or (field.part in BESIDE and _has(result, group)):
                    cells.append(beside.cell(field.part, system, field.metric, group))
                elif field.part == LETTERS:
                    cells.append(None)
                elif field.part == "change" and _has(result, group):
                    cells.append(beside.change(system, field.metric, group))
                else:
                    cells.append(_cell(result, group, field.part, absent))
            rows.append((*names, *cells))
            contests.append(group)
    columns = (*keys, Column("system"), *(replace(f.column, metric=f.metric) for f in fields))
    return Table(columns, tuple(rows), keys=1 + bool(scores.by), contests=tuple(contests))


@dataclass(frozen=True, slots=True)
class _Field:
    """A column that is filled from results: the part of a metric it shows."""

    column: Column
    metric: str
    part: str


def _fields(scores: Scores, sizes: Sizes, beside: Beside, *, parts: bool) -> list[_Field]:
    """The columns after the names of rows. Sizes of groups come first where they are the same for
    all metrics; items of both sides stand at the end, where there is one metric."""
    found = []
    if beside.has_runs:
        found.append(_Field(Column("runs", "", "count"), scores.metrics[0], RUNS))
    alone = len(scores.metrics) == 1
    if sizes.shared and not (alone and sizes.are_items):
        header = "items" if sizes.are_items else f"{unit_noun(*scores.sizes)}s"
        found.append(_Field(Column(header, "", "count"), scores.metrics[0], SIZE))
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        chosen = _columns_of(results, parts)
        if sizes.are_items and not parts:
            chosen = columns_of_items(results, alone=alone)
        counts = []
        if sizes.are_items and alone:
            # Columns of one group stay together: names of rows are folded to make room for them.
            counts = [("gold", SIZE), ("system", SYSTEM_ITEMS)]
        elif sizes.are_items and not sizes.shared:
            counts = [("items", SIZE)]
        group = _group(scores, results[0], chosen, alone=alone)
        headline = next((r.headline for r in results if r.headline in chosen), chosen[-1])
        for part in chosen:
            what = results[0].part(part)
            header = what.header if group or len(chosen) > 1 else scores.names[metric]
            column = Column(header, group, kind_of(what.kind), better_of(what.better))
            found.append(_Field(column, metric, part))
            if part == headline:
                found += [_Field(c, metric, name) for c, name in beside.columns(metric, group)]
        if scores.against:
            kind = kind_of(results[0].part().kind, "delta")
            found.append(_Field(Column("change", group, kind), metric, "change"))
        found += [_Field(Column(name, group, "count"), metric, what) for name, what in counts]
    return found


def _group(scores: Scores, result: Result, chosen: Sequence[str], *, alone: bool) -> str:
    """What stands above the columns of a metric: its name, unless the headers say it themselves. A
    metric that goes by its id has it above."""
    name = scores.names[result.metric]
    if not result.header:
        return name
    if len(chosen) == 1 or (alone and name == result.part().header):
        return ""
    return name


def _columns_of(results: Iterable[Result], parts: bool) -> list[str]:
    """Which parts of a metric are shown: those it names, or all."""
    found: dict[str, None] = {}
    for result in results:
        shown = tuple(flatten(result.parts)) if parts else result.shown
        found.update(dict.fromkeys(shown))
    return list(found) or ["value"]


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
        return Missing("not in this system's file")
    if group:
        if group not in result.groups:
            return Missing(absent)
        result = result.groups[group]
    if part == SYSTEM_ITEMS:
        return result.total("system")
    values: Mapping[str, Any] = {"value": result.value, **flatten(result.parts)}
    if part not in values and result.value is not None:
        return None  # such as known and unknown words without a lexicon
    return or_missing(values.get(part), result.reasons.get(part) or result.reasons.get("value"))
