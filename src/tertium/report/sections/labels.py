"""Tables per label and tables of confusions, for every metric that has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tertium.corpus.result import Result, Scores
from tertium.report.blocks import Better, Cell, Column, Missing, Table

NOTHING = "(none)"  # a label on one side where the other has nothing
_NOT_FIGURES = ("counts", "reason", "reasons")


def label_tables(scores: Scores) -> list[Table]:
    """One table a metric: labels by gold frequency, then name; systems compete within a label."""
    tables = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        if any(r.labels for r in results):
            tables.append(_label_table(metric, results))
    return tables


def _label_table(metric: str, results: Sequence[Result]) -> Table:
    rows = [row for r in results for row in r.labels.values()]
    figures = list(dict.fromkeys(k for row in rows for k in row if k not in _NOT_FIGURES))
    counts = list(dict.fromkeys(k for row in rows for k in row.get("counts", {})))
    gold: dict[str, float] = {}
    for result in results:
        for label, row in result.labels.items():
            gold[label] = max(gold.get(label, 0), row.get("counts", {}).get("gold", 0))
    several = len(results) > 1
    better: Better = "lower" if results[0].better == "lower" else "higher"
    columns = [Column("label"), *([Column("system")] if several else [])]
    columns += [Column(name, "", "percent", better) for name in figures]
    columns += [Column(name, "counts", "count") for name in counts]
    cells: list[tuple[Cell, ...]] = []
    contests = []
    for label in sorted(gold, key=lambda name: (-gold[name], name)):
        for result in results:
            row = result.labels.get(label, {})
            names: list[Cell] = [label, result.system] if several else [label]
            cells.append(
                (
                    *names,
                    *(_figure(row, name) for name in figures),
                    *(row.get("counts", {}).get(name) for name in counts),
                )
            )
            contests.append(label)
    return Table(
        tuple(columns),
        tuple(cells),
        title=f"{metric} by label",
        keys=1 + several,
        contests=tuple(contests),
    )


def _figure(row: Mapping[str, Any], name: str) -> Cell:
    if not row:
        return Missing("the label does not occur here")
    value: float | None = row.get(name)
    if value is not None:
        return value
    reason = row.get("reasons", {}).get(name) or row.get("reason")
    return Missing(reason or "nothing to divide by: the label does not occur on that side")


def zero_notes(scores: Scores) -> list[str]:
    """Which labels have a figure that is undefined but reported as 0, by a tool's convention."""
    notes = []
    for result in scores:
        zero = [
            label or "''"
            for label, row in result.labels.items()
            if any(row.get(name) is not None for name in row.get("reasons", {}))
        ]
        if zero:
            shown = ", ".join(zero[:5]) + (f" and {len(zero) - 5} more" if len(zero) > 5 else "")
            notes.append(
                f"{result.system}: {result.metric} has 0 where a figure of a label is undefined, "
                f"since gold or system lacks it: {shown}"
            )
    return notes


def confusion_tables(scores: Scores, *, limit: int | None = None) -> list[Table]:
    """One table a metric: which label was taken for which, one column of counts a system.

    Most frequent first (over all systems), then by labels; "(none)" is where one side has nothing.
    What was right is not a confusion and stands in the table per label; JSON has both.
    """
    tables = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        total: Counter[tuple[str | None, str | None]] = Counter()
        for result in results:
            total.update({pair: n for pair, n in result.confusion.items() if pair[0] != pair[1]})
        pairs = sorted(total, key=lambda pair: (-total[pair], pair[0] or "", pair[1] or ""))
        if not pairs:
            continue
        shown = pairs[:limit]
        left = len(pairs) - len(shown)
        columns = [Column("gold label"), Column("system label")]
        if len(results) > 1:
            columns += [Column(r.system, "count", "count") for r in results]
        else:
            columns.append(Column("count", "", "count"))
        tables.append(
            Table(
                tuple(columns),
                tuple(
                    (
                        *(NOTHING if name is None else name for name in pair),
                        *(r.confusion.get(pair, 0) for r in results),
                    )
                    for pair in shown
                ),
                title=f"{metric}: confusions",
                keys=2,
                omitted=f"and {left:,} rarer; '--format json' has all" if left else "",
            )
        )
    return tables
