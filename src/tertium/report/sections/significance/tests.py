"""Tables of tests: every difference with its interval, p and corrected p."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report.sections.significance.cells import (
    delta_cell,
    interval_cell,
    level_text,
    p_cell,
)
from tertium.results.assessment import Assessment, PairTest
from tertium.results.blocks import Cell, Column, Table, kind_of, own_kind
from tertium.results.parts import Part
from tertium.results.texts import counted, p_text, shown

ROWS = 30  # of a table at a terminal
DIFFERENCE = "difference"
# Headers of corrected p-values.
SHORT = {"holm": "Holm", "bh": "BH", "bonferroni": "Bonferroni"}


def tested_metrics(assessment: Assessment) -> list[str]:
    """The metrics by which systems were tested, in order."""
    return list(dict.fromkeys(each.metric for each in assessment.comparisons))


def difference_tests(
    assessment: Assessment, metrics: Sequence[str], *, rows: int | None = None
) -> list[Table]:
    """All pairs of systems by some metrics, on all units; at most so many `rows`."""
    whole = [c for c in assessment.comparisons if c.group is None and c.metric in metrics]
    if not whole:
        return []
    if len(metrics) == 1:
        title = f"{metrics[0]}: tests of differences"
        return [_table(assessment, whole, ["from", "to"], title, rows)]
    return [_table(assessment, whole, ["metric", "from", "to"], "tests of differences", rows)]


def group_tests(
    assessment: Assessment, metrics: Sequence[str], by: str, *, rows: int | None = None
) -> list[Table]:
    """The same inside groups, a table a metric."""
    found = []
    for metric in metrics:
        inside = [c for c in assessment.comparisons if c.metric == metric and c.group is not None]
        title = f"{metric}: tests of differences by {by}"
        found.append(_table(assessment, inside, [by, "from", "to"], title, rows))
    return [table for table in found if table.rows]


def pair_text(assessment: Assessment | None, a: str, b: str, metric: str) -> str:
    """The test of two systems in a line, from A to B; empty where there is none."""
    found = None if assessment is None else assessment.of(a, b, metric)
    if assessment is None or found is None:
        return ""
    found = found if found.a == a else found.turned()
    if found.test.p is None:
        return f"difference not tested: {found.test.reason}"
    kind = assessment.part(metric).kind
    change = shown(delta_cell(found.test), kind_of(kind, "delta"))
    told = f"{metric} {change}"
    if found.interval is not None and found.interval.low is not None:
        told += f" {shown(interval_cell(found.interval), kind_of(kind, 'interval_delta'))}"
    told += f", {p_text(found.test.p, found.test.least)}"
    if is_corrected(assessment) and found.adjusted is not None:
        told += f", {SHORT[assessment.testing.correction]} {p_text(found.adjusted)}"
    return told


def is_corrected(assessment: Assessment) -> bool:
    """Does a correction change any p?"""
    tested = sum(each.test.p is not None for each in assessment.comparisons)
    return assessment.testing.correction != "none" and tested > 1


def _table(
    assessment: Assessment,
    found: Sequence[PairTest],
    keys: Sequence[str],
    title: str,
    rows: int | None,
) -> Table:
    corrects = is_corrected(assessment)
    tests = sum(each.test.p is not None for each in assessment.comparisons)
    has_intervals = any(each.interval is not None for each in found)
    some = found if rows is None else found[:rows]
    first = assessment.part(found[0].metric) if found else Part("")
    change = Column("change", DIFFERENCE, kind_of(first.kind, "delta"))
    interval = Column(
        level_text(assessment.testing.level), DIFFERENCE, kind_of(first.kind, "interval_delta")
    )
    cells: list[tuple[Cell, ...]] = []
    for each in some:
        names: dict[str, Cell] = {"metric": each.metric, "from": each.a, "to": each.b}
        kind = assessment.part(each.metric).kind
        ends = own_kind(interval_cell(each.interval), kind, interval)
        numbers = [
            own_kind(delta_cell(each.test), kind, change),
            *([ends] if has_intervals else []),
            p_cell(each.test.p, each.test),
            *([p_cell(each.adjusted, each.test, tests)] if corrects else []),
        ]
        cells.append((*(names.get(key, each.group) for key in keys), *numbers))
    left = len(found) - len(some)
    return Table(
        (
            *(Column(key) for key in keys),
            change,
            *([interval] if has_intervals else []),
            Column("p", DIFFERENCE, "p"),
            *([Column(SHORT[assessment.testing.correction], DIFFERENCE, "p")] if corrects else []),
        ),
        tuple(cells),
        title=title,
        keys=len(keys),
        contests=tuple(str(row[0]) for row in cells) if len(keys) > 1 else (),
        omitted=f"and {counted(left, 'more test')}; '--limit 0' shows all" if left else "",
    )
