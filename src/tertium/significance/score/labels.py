"""Tables per label, for every metric that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tertium.results.blocks import Cell, Column, Missing, Table, better_of, kind_of
from tertium.results.scores import Result, flatten
from tertium.results.texts import in_words
from tertium.significance.score.result import Scores

ALL = "(all)"
_NOT_FIGURES = ("counts", "reason", "reasons")


def label_tables(scores: Scores, *, parts: bool = False) -> list[Table]:
    """One table a metric: labels by gold frequency, then name, and all together at the end; systems
    compete within a label.

    Figures inside objects, such as those of another way of counting, and minor counts are shown
    with `parts`.
    """
    tables = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        if any(r.labels for r in results):
            tables.append(_label_table(metric, results, parts))
    return tables


def _label_table(metric: str, results: Sequence[Result], parts: bool) -> Table:
    rows = [row for r in results for row in r.labels.values()]
    figures = list(dict.fromkeys(k for row in rows for k in _figures(row, parts)))
    counts = list(dict.fromkeys(k for row in rows for k in flatten(row.get("counts", {}))))
    if results[0].shown_counts and not parts:
        counts = [name for name in results[0].shown_counts if name in counts]
    gold: dict[str, float] = {}
    totals = [c.name for c in results[0].declared_counts if c.is_total and c.side == "gold"]
    for result in results:
        for name, row in result.labels.items():
            there = [row.get("counts", {}).get(count, 0) for count in (*totals, "gold")]
            gold[name] = max(gold.get(name, 0), *there)
    several = len(results) > 1
    columns = [Column("label"), *([Column("system")] if several else [])]
    for name in figures:
        part = results[0].part(name)
        # Systems compete, labels do not.
        better = better_of(part.better) if several else None
        columns.append(Column(in_words(name), "", kind_of(part.kind), better))
    columns += [Column(in_words(name), "counts", "count") for name in counts]
    cells: list[tuple[Cell, ...]] = []
    contests = []
    # None is the row of all labels, which no label can be confused with.
    order: list[str | None] = [*sorted(gold, key=lambda name: (-gold[name], name)), None]
    for label in order:
        for result in results:
            row = _whole(result) if label is None else result.labels.get(label, {})
            first = ALL if label is None else label
            names: list[Cell] = [first, result.system] if several else [first]
            cells.append(
                (
                    *names,
                    *(_figure(row, name) for name in figures),
                    *(flatten(row.get("counts", {})).get(name) for name in counts),
                )
            )
            contests.append("" if label is None else f"label {label}")
    return Table(
        tuple(columns),
        tuple(cells),
        title=f"{metric} by label",
        keys=1 + several,
        contests=tuple(contests) if several else (),
    )


def _whole(result: Result) -> dict[str, Any]:
    """Figures and counts of all labels together, as a row of a label."""
    counts = dict(result.counts)
    items = result.total("gold")
    if items is not None:
        counts.setdefault("gold", items)
    return {**result.parts, "counts": counts, "reasons": result.reasons}


def _figures(row: Mapping[str, Any], parts: bool) -> dict[str, Any]:
    """The numbers of a row that are shown, those inside objects as `outer.inner`."""
    found = {name: value for name, value in row.items() if name not in _NOT_FIGURES}
    if parts:
        return flatten(found)
    return {name: value for name, value in found.items() if not isinstance(value, Mapping)}


def _figure(row: Mapping[str, Any], name: str) -> Cell:
    if not row:
        return Missing("the label does not occur here")
    value: float | None = _figures(row, parts=True).get(name)
    if value is not None:
        return value
    reason = row.get("reasons", {}).get(name) or row.get("reason")
    return Missing(reason or "nothing to divide by: the label does not occur on that side")


def label_notes(scores: Scores) -> list[str]:
    """Which labels have a figure that is undefined but reported as 0, by a tool's convention."""
    notes = []
    for result in scores:
        zero = [
            label or "''"
            for label, row in result.labels.items()
            if any(flatten(row).get(name) is not None for name in row.get("reasons", {}))
        ]
        if zero:
            shown = ", ".join(zero[:5]) + (f" and {len(zero) - 5} more" if len(zero) > 5 else "")
            notes.append(
                f"{result.system}: {result.metric} has 0 where a figure of a label is undefined, "
                f"since gold or system lacks it: {shown}"
            )
    return notes
