"""The section of `score`: one row a system, columns by metric, below it what a reader must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tertium.corpus.result import Result, Scores, flatten
from tertium.report.against import Against
from tertium.report.blocks import Better, Block, Cell, Column, Missing, Table, Text
from tertium.report.render.plain import counted
from tertium.report.sections.confusions import Limits, confusion_blocks
from tertium.report.sections.coverage import coverage_lines, lacks_layer
from tertium.report.sections.error_types import error_type_blocks
from tertium.report.sections.labels import label_tables, zero_notes

WHOLE = "all"
NO_LIMITS = Limits()


def build(
    scores: Scores,
    *,
    labels: bool = False,
    confusion: bool = False,
    error_types: bool = False,
    parts: bool = False,
    against: Against | None = None,
    limits: Limits = NO_LIMITS,
) -> list[Block]:
    """Blocks for all results: the main table, tables and figures asked for, then coverage, notes,
    signatures.

    `parts` shows every part of a metric instead of the usual ones; `limits` cut confusions.
    """
    if not scores.results:
        return [Text(f"nothing was scored against {scores.gold}")]
    blocks: list[Block] = [main_table(scores, parts=parts, against=against)]
    blocks += [Text(warning) for warning in (against.warnings if against else ())]
    if labels:
        blocks += label_tables(scores, parts=parts) or [
            Text("none of these metrics has figures per label")
        ]
        blocks += [Text(note) for note in zero_notes(scores)]
    if confusion:
        blocks += confusion_blocks(scores, limits) or [Text("no label was taken for another one")]
    if error_types:
        blocks += error_type_blocks(scores)
    if scores.by and (confusion or error_types or labels):
        blocks.append(Text("figures per label, confusions and error types are those of the whole"))
    blocks.append(Text(_gold(scores), role="gold"))
    blocks += [Text(line, role="coverage") for line in coverage_lines(scores)]
    # A dash in the table says already that a system lacks a layer.
    said = {f"{r.system}: {r.reasons.get('value')}" for r in scores if lacks_layer(r)}
    notes = [*(n for n in scores.notes if n not in said), *(against.notes if against else ())]
    blocks += [Text(note) for note in dict.fromkeys(notes)]
    signatures = dict.fromkeys(str(result.signature) for result in scores)
    blocks += [Text(signature, role="signature") for signature in signatures]
    return blocks


def _gold(scores: Scores) -> str:
    """The gold standard and its size; spans over token numbers come without tokens."""
    sizes = [counted(scores.units, "unit")]
    if scores.tokens is not None:
        sizes.append(counted(scores.tokens, "token"))
    return " · ".join([scores.gold, *sizes])


def main_table(scores: Scores, *, parts: bool = False, against: Against | None = None) -> Table:
    """One row a system, or with `--by` one row a group and system; the whole comes first.

    Rows of one group stand together, because systems compete within a group.
    """
    columns = [Column("system")]
    if scores.by:
        columns.insert(0, Column(scores.by))
    fields: list[tuple[str, str]] = []  # (metric, part) of every further column
    sizes = _sizes(scores)
    if sizes:
        columns.append(Column("units", "", "count"))
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        better: Better = "lower" if results[0].better == "lower" else "higher"
        for part in _columns_of(results, parts):
            header = metric.partition("(")[0].rpartition(".")[2] if part == "value" else part
            header = header.replace("_", " ").replace(".", " ")
            columns.append(Column(header, metric, "percent", better))
            fields.append((metric, part))
        if against:
            columns.append(Column("change", metric, "delta"))
            fields.append((metric, "change"))

    named = {(r.system, r.metric): r for r in scores}
    rows: list[tuple[Cell, ...]] = []
    contests: list[str] = []
    groups = dict.fromkeys(g for r in scores for g in r.groups)
    # The key of the whole is "", which no group can be confused with, even one that is named "all".
    for group in ("", *groups) if scores.by else ("",):
        for system in scores.systems:
            cells = [
                _cell(named.get((system, metric)), group, part, against) for metric, part in fields
            ]
            names: list[Cell] = [group or WHOLE, system] if scores.by else [system]
            if sizes:
                names.append(sizes.get(group))
            rows.append((*names, *cells))
            contests.append(group)
    return Table(tuple(columns), tuple(rows), keys=1 + bool(scores.by), contests=tuple(contests))


def _sizes(scores: Scores) -> dict[str, int]:
    """Units per group and of the whole, where results say so."""
    found = {
        g: r.coverage["units"] for s in scores for g, r in s.groups.items() if "units" in r.coverage
    }
    return {"": scores.units, **found} if found else {}


def _columns_of(results: Iterable[Result], parts: bool) -> list[str]:
    """Which parts of a metric are shown: those it names, or all."""
    found: dict[str, None] = {}
    for result in results:
        shown = tuple(flatten(result.parts)) if parts else result.shown
        found.update(dict.fromkeys(shown or ("value",)))
    return list(found)


def _cell(result: Result | None, group: str, part: str, against: Against | None) -> Cell:
    if result is None:
        return Missing("not scored with this metric")
    if lacks_layer(result):
        return Missing("not in this system's file")
    whole = result
    if group:
        if group not in result.groups:
            return Missing("this system has nothing in the group")
        result = result.groups[group]
    if part == "change":
        assert against is not None
        change = against.changes[whole.system, whole.metric, group]
        return Missing(change.reason) if change.delta is None else change.delta
    values: Mapping[str, Any] = {"value": result.value, **flatten(result.parts)}
    value: float | None = values.get(part)
    if value is None:
        if part not in values and result.value is not None:
            return None  # such as known and unknown words without a lexicon
        return Missing(result.reasons.get(part) or result.reasons.get("value") or "undefined")
    return value
