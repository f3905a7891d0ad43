"""Which label was taken for which: a list of pairs, and a matrix for every system.

The matrix is that of Ortmann (2022), Figure 2: it holds errors alone, so that its diagonal shows
what went wrong although the label is right, such as boundary errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.results.blocks import NOTHING, Bars, Block, Cell, Column, Matrix, Table, Text
from tertium.results.parts import type_meanings, type_order
from tertium.results.scores import Result
from tertium.results.texts import counted
from tertium.significance.score.coverage import lacks_layer
from tertium.significance.score.result import Scores

_Pair = tuple[str | None, str | None]
_Values = tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of the confusions is shown.

    - `pairs`: so many pairs of labels are listed; None for all
    - `labels`: so many labels fit into a matrix; with more of them there is none or, where it may
      be cut (`cuts`), one of those most often involved in errors
    - `systems`: with more of them there are no matrices; None for any number
    """

    pairs: int | None = None
    labels: int = 12
    cuts: bool = False
    systems: int | None = None


def confusion_blocks(scores: Scores, limits: Limits) -> list[Block]:
    """Matrices, and lists of pairs where several systems are compared or labels are too many."""
    blocks: list[Block] = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric and not lacks_layer(r)]
        if not any(r.has_items for r in results):
            blocks += [Text(f"{metric} judges no single items, so it has no confusions")]
            continue
        matrices = _matrices(metric, results, limits)
        is_whole = matrices and len(_involved(results)) <= limits.labels
        if len(results) > 1 or not is_whole:
            blocks += _pairs(metric, results, limits.pairs)
        blocks += matrices
    return blocks or [Text("no labels were confused")]


def _pairs(metric: str, results: Sequence[Result], limit: int | None) -> list[Table]:
    """A list of confused labels, one column of counts a system; none if there are none.

    Most frequent first (over all systems), then by labels; "(none)" is where one side has nothing.
    What was right is not a confusion and stands in the table per label; JSON has both.
    """
    counts = [_confused(result) for result in results]
    total: Counter[_Pair] = Counter()
    for found in counts:
        total.update(found)
    pairs = sorted(total, key=lambda pair: (-total[pair], pair[0] or "", pair[1] or ""))
    if not pairs:
        return []
    shown = pairs[:limit]
    left = len(pairs) - len(shown)
    columns = [Column("gold label"), Column("system label")]
    if len(results) > 1:
        columns += [Column(r.system, "count", "count") for r in results]
    else:
        columns.append(Column("count", "", "count"))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *(NOTHING if name is None else name for name in pair),
            *(found[pair] for found in counts),
        )
        for pair in shown
    )
    omitted = f"and {left:,} rarer; '--format json' has all" if left else ""
    alike = any(gold == system for gold, system in shown)
    on_diagonal = _diagonal(results[0])
    return [
        Table(
            tuple(columns),
            rows,
            title=f"{metric}: confusions",
            keys=2,
            omitted=omitted,
            note=f"a label beside itself counts {' and '.join(on_diagonal)}" if alike else "",
        )
    ]


def _confused(result: Result) -> Counter[_Pair]:
    """Pairs of different labels, and of the same label for types that belong there."""
    types = {each.name for each in result.types if each.diagonal}
    found = Counter({pair: n for pair, n in result.confusion.items() if pair[0] != pair[1]})
    for (kind, gold, system), count in result.error_types.items():
        if gold == system and kind in types:
            found[gold, system] += count
    return found


def _diagonal(result: Result) -> list[str]:
    """What counts where a label meets itself, in words."""
    return list(dict.fromkeys(each.diagonal for each in result.types if each.diagonal))


def _matrices(metric: str, results: Sequence[Result], limits: Limits) -> list[Matrix]:
    """One matrix a system, all over the same labels, so that they can be laid side by side."""
    involved = _involved(results)
    if not involved or (limits.systems is not None and len(results) > limits.systems):
        return []
    if len(involved) > limits.labels and not limits.cuts:
        return []
    labels: list[str | None] = [*sorted(involved[: limits.labels])]
    errors = [_errors(result) for result in results]
    if any(None in pair for found in errors for pair in found):
        labels.append(None)
    kinds = (k for r in results for k, gold, system in r.error_types if gold == system)
    on_diagonal = list(dict.fromkeys(kinds))
    cells = [_cells(found, labels, diagonal=bool(on_diagonal)) for found in errors]
    whole = len(involved) <= limits.labels
    return [
        Matrix(
            tuple(labels),
            tuple(labels),
            values,
            title=f"{metric}: confusions" + (f" of {result.system}" if len(results) > 1 else ""),
            row_axis="gold label",
            column_axis="system label",
            note=_note(result, on_diagonal, labels, 0 if whole else found.total() - _sum(values)),
            largest=max(value or 0 for each in cells for row in each for value in row),
        )
        for result, found, values in zip(results, errors, cells, strict=True)
    ]


def _cells(found: Counter[_Pair], labels: Sequence[str | None], *, diagonal: bool) -> _Values:
    """Counts by gold label and system label; what cannot be is None."""
    return tuple(
        tuple(
            None if gold == system and (gold is None or not diagonal) else found[gold, system]
            for system in labels
        )
        for gold in labels
    )


def _sum(values: _Values) -> int:
    return sum(value or 0 for row in values for value in row)


def _errors(result: Result) -> Counter[_Pair]:
    found: Counter[_Pair] = Counter()
    for (_, gold, system), count in result.error_types.items():
        found[gold, system] += count
    return found


def _involved(results: Iterable[Result]) -> list[str]:
    """Labels of errors on either side: the most frequent first, then by name."""
    found: Counter[str] = Counter()
    for result in results:
        for (gold, system), count in _errors(result).items():
            found.update({label: count for label in {gold, system} if label is not None})
    return sorted(found, key=lambda label: (-found[label], label))


def _note(
    result: Result, on_diagonal: Sequence[str], labels: Sequence[str | None], left: int
) -> str:
    """What the cells hold, in words that hold for every metric."""
    if not on_diagonal:
        diagonal = "is empty"
    elif {*on_diagonal} <= {each.name for each in result.types if each.diagonal}:
        diagonal = f"holds {' and '.join(_diagonal(result))}"
    else:
        diagonal = f"holds errors of type {', '.join(sorted(on_diagonal))}"
    parts = [f"only errors are counted; the diagonal {diagonal}"]
    if None in labels:
        parts.append("the last column is what the system missed, the last row what it added")
    if left:
        parts.append(f"{counted(left, 'error')} with rarer labels left out")
    return "; ".join(parts)


@dataclass(frozen=True)
class _Bar:
    """Numbers by error type; `others` is what the types have that are not among them."""

    name: str
    values: Mapping[str, float]
    others: float | None = 0


def error_type_blocks(scores: Scores) -> list[Block]:
    """Stacked bars a metric, one bar a system, or two: all errors as FP and FN, and by type.

    A metric without errors, or without items to judge, has a line that says so.
    """
    blocks: list[Block] = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric and not lacks_layer(r)]
        if not any(r.has_items for r in results):
            blocks.append(Text(f"{metric} judges no single items, so its errors have no types"))
        elif any(r.error_types for r in results):
            blocks.append(_bars(metric, results))
        elif any(r.confusion for r in results):
            blocks.append(Text(f"{metric}: there are no errors"))
        else:
            blocks.append(Text(f"{metric}: there is nothing that could be wrong"))
    return blocks


def _bars(metric: str, results: Sequence[Result]) -> Bars:
    bars = [bar for r in results for bar in _bars_of(r, several=len(results) > 1)]
    declared = {each.name: each for each in results[0].types}
    types = sorted(
        {kind for bar in bars for kind in bar.values}, key=lambda kind: type_order(kind, declared)
    )
    return Bars(
        names=tuple(bar.name for bar in bars),
        categories=tuple(types),
        values=tuple(tuple(bar.values.get(kind, bar.others) for kind in types) for bar in bars),
        title=f"{metric}: error types",
        axis="error type",
        unit="errors",
        note=legend_of(type_meanings(types, results[0].types)),
    )


def _bars_of(result: Result, *, several: bool) -> Iterable[_Bar]:
    found: Counter[str] = Counter()
    for (kind, _, _), count in result.error_types.items():
        found[kind] += count
    traditional = {
        each.name: result.counts[each.traditional]
        for each in result.types
        if each.traditional in result.counts
    }
    if not traditional:
        yield _Bar(result.system, found)
        return
    prefix = f"{result.system}, " if several else ""
    own = result.metric.partition("(")[0].rpartition(".")[2]
    yield _Bar(f"{prefix}traditional", traditional, others=None)
    yield _Bar(f"{prefix}{own}", found)


def legend_of(meanings: Mapping[str, str]) -> str:
    """Meanings in one line.

    >>> legend_of({"FP": "false positive", "FN": "false negative"})
    'FP false positive; FN false negative'
    """
    return "; ".join(f"{name} {meaning}" for name, meaning in meanings.items())
