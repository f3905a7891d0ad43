"""All that is shown of significance below the scores."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.results.assessment import Assessment
from tertium.results.blocks import Block, Text
from tertium.significance.tables.across import across_blocks, across_notes
from tertium.significance.tables.tests import (
    difference_tests,
    group_tests,
    tested_metrics,
)
from tertium.significance.tables.wording import significance_line


def significance_blocks(
    assessment: Assessment | None,
    by: str | None,
    *,
    metrics: Sequence[str] | None = None,
    rows: int | None = None,
) -> list[Block]:
    """Tables of tests by all metrics or some, inside groups as well, and what holds across groups;
    nothing where there is nothing to test. A table has at most so many `rows`."""
    if assessment is None:
        return []
    if metrics is None:
        metrics = tested_metrics(assessment)
    blocks: list[Block] = [*difference_tests(assessment, metrics, rows=rows)]
    if by:
        blocks += group_tests(assessment, metrics, by, rows=rows)
        blocks += across_blocks(assessment, metrics, by)
    return blocks


def significance_lines(assessment: Assessment | None) -> list[Text]:
    """How it was made, and warnings."""
    if assessment is None:
        return []
    return [
        Text(significance_line(assessment), role="tests"),
        *(Text(note) for note in (*assessment.notes, *across_notes(assessment))),
    ]
