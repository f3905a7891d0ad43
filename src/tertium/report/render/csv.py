"""CSV (RFC 4180). Scores in long form, one row a number; tables of other verbs as they stand.

Texts are written as they are. A label may begin with `=`, `+`, `-` or `@`, which spreadsheets take
for a formula; putting a sign in front would change the label. Import such files with the columns
set to text.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Range,
    Text,
    as_table,
    is_interval,
)
from tertium.results.scores import flatten

if TYPE_CHECKING:
    from tertium.results.scores import Result
    from tertium.significance.score.against import Against
    from tertium.significance.score.result import Scores

HEADER = ("system", "metric", "group", "label", "part", "value", "signature")

_Row = tuple[str, str, str, float | None]  # group, label, part, value
_Told = tuple[str, str, str, str, float | str | None]  # system, metric, group, part, value


def render(scores: Scores, *, against: Against | None = None) -> str:
    """Every number of every result. An undefined value is empty.

    `part` is `value` (the headline number), a part such as `precision`, `counts.NAME`,
    `coverage.NAME`, `confusion.SYSTEM LABEL` (with the gold label in `label`; both empty where a
    side has nothing), `errors.TYPE` for all errors of a type and `errors.TYPE.SYSTEM LABEL` for
    those with a pair of labels, or `against.value` and `against.delta`. `group` and `label` are
    empty for figures of the whole. Intervals are `interval.low` and `interval.high`, letters
    `letters`; `difference.B.delta`, `.low`, `.high`, `.p` and `.adjusted` compare the system with a
    later one, B. A system with several runs has `runs.count`, `runs.mean` and `runs.sd`.
    """
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    for result in scores:
        signature = str(result.signature)
        for group, label, part, value in _rows(result, against):
            writer.writerow((result.system, result.metric, group, label, part, value, signature))
    signatures = {result.metric: str(result.signature) for result in scores}
    for system, metric, group, part, told in (*_of_runs(scores), *_significance(scores)):
        writer.writerow((system, metric, group, "", part, told, signatures[metric]))
    return out.getvalue()


def _of_runs(scores: Scores) -> Iterator[_Told]:
    for each in scores.run_summaries:
        figures = {"count": len(each.runs), "mean": each.mean, "sd": each.sd}
        for name, value in figures.items():
            yield each.system, each.metric, "", f"runs.{name}", value


def _significance(scores: Scores) -> Iterator[_Told]:
    found = scores.assessment
    if found is None:
        return
    for (system, metric, group), interval in found.intervals.items():
        yield system, metric, group or "", "interval.low", interval.low
        yield system, metric, group or "", "interval.high", interval.high
    for (system, metric), letters in found.letters.items():
        yield system, metric, "", "letters", letters
    for each in found.comparisons:
        figures = {"delta": each.test.delta, "p": each.test.p, "adjusted": each.adjusted}
        if each.interval is not None:
            figures |= {"low": each.interval.low, "high": each.interval.high}
        for name, value in figures.items():
            yield each.a, each.metric, each.group or "", f"difference.{each.b}.{name}", value


def render_tables(blocks: Sequence[Block]) -> str:
    """Tables and the numbers behind figures, unrounded, with an empty line between them."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    tables = [as_table(b, grouped=False) for b in blocks if not isinstance(b, Text)]
    for number, table in enumerate(tables):
        if number:
            writer.writerow(())
        writer.writerow([name for column in table.columns for name in _headers(column)])
        for row in table.rows:
            cells = zip(row, table.columns, strict=True)
            writer.writerow([value for cell in cells for value in _values(*cell)])
    return out.getvalue()


def _headers(column: Column) -> Iterator[str]:
    """The name of a column; of an interval there are two, one for each end."""
    name = " ".join(filter(None, (column.group, column.header)))
    yield from (f"{name} low", f"{name} high") if is_interval(column.kind) else (name,)


def _values(value: Cell, column: Column) -> Iterator[str | float]:
    if isinstance(value, Range):
        yield from (value.low, value.high)
    elif value is None or isinstance(value, Missing):
        yield from ("", "") if is_interval(column.kind) else ("",)
    else:
        yield value


def _rows(result: Result, against: Against | None) -> Iterator[_Row]:
    yield from _whole(result, "")
    for label, row in result.labels.items():
        figures = {k: v for k, v in row.items() if k not in ("reason", "reasons")}
        yield from (("", label, part, value) for part, value in flatten(figures).items())
    for (gold, system), count in result.confusion.items():
        yield "", gold or "", f"confusion.{system or ''}", count
    types: Counter[str] = Counter()
    for (kind, _, _), count in result.error_types.items():
        types[kind] += count
    yield from (("", "", f"errors.{kind}", count) for kind, count in types.items())
    for (kind, gold, system), count in result.error_types.items():
        yield "", gold or "", f"errors.{kind}.{system or ''}", count
    for name, group in result.groups.items():
        yield from _whole(group, name)
    if against:
        for name in ("", *result.groups):
            change = against.changes[result.system, result.metric, name]
            yield name, "", "against.value", change.earlier
            yield name, "", "against.delta", change.delta


def _whole(result: Result, group: str) -> Iterator[_Row]:
    figures = {
        "value": result.value,
        **result.parts,
        "counts": result.counts,
        "coverage": result.coverage,
    }
    yield from ((group, "", part, value) for part, value in flatten(figures).items())
