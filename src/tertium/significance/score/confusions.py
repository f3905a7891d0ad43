"""Which label was taken for which: a list of pairs, and a matrix for every system.

The matrix has a row for every gold label and a column for every system label, so that what was
labelled right is on its diagonal. That of Ortmann (2022), Figure 2, holds errors alone: its
diagonal shows what went wrong although the label is right, such as boundary errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.results.blocks import NOTHING, Bars, Block, Cell, Column, Matrix, Table, Text
from tertium.results.parts import legend, type_order
from tertium.results.scores import Result
from tertium.results.texts import counted
from tertium.significance.score.coverage import lacks_layer
from tertium.significance.score.result import MOST_LABELS, ScoreLook, Scores

_Pair = tuple[str | None, str | None]
_Values = tuple[tuple[float | None, ...], ...]
LISTED = 20  # pairs that text lists
FEW = 12  # labels of which a matrix shows at a glance which are confused
OTHER = "(other)"
_TITLES = {"counts": "", "shares": ", row percentages", "errors": ", errors only"}


def confusion_blocks(scores: Scores, look: ScoreLook) -> list[Block]:
    """Matrices, and lists of pairs where systems or labels are many."""
    blocks: list[Block] = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric and not lacks_layer(r)]
        if not any(r.has_items for r in results):
            blocks += [Text(f"{metric} does not judge single items, so it has no confusions")]
            continue
        found: list[Block] = []
        if len(results) > 1 or len(_ranked(results)) > FEW:
            found += _pairs(metric, results, LISTED if look.is_text else None)
        found += _matrices(metric, results, look)
        blocks += found or [Text(f"{metric}: no labels were confused")]
    return blocks


def _pairs(metric: str, results: Sequence[Result], limit: int | None) -> list[Table]:
    """A list of confused labels, one column of counts a system; none if there are none.

    Most frequent first (over all systems), then by labels; "none" is where one side has nothing.
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


@dataclass(frozen=True)
class _Axis:
    """The labels of rows and columns: those that have a place of their own by name, then all others
    (`rest`, how many they are) as one, then nothing on that side, where that occurs."""

    labels: Sequence[str]
    rest: int
    has_nothing: bool

    @property
    def names(self) -> tuple[str | None, ...]:
        others = (OTHER,) if self.rest else ()
        return (*self.labels, *others, *((None,) if self.has_nothing else ()))

    def fold(self, found: Mapping[_Pair, int]) -> list[list[int]]:
        """Counts of pairs by the places of their labels."""
        place: dict[str | None, int] = {name: i for i, name in enumerate(self.labels)}
        size = len(self.names)
        place[None] = size - 1
        cells = [[0] * size for _ in range(size)]
        for (gold, system), count in found.items():
            row, column = (place.get(name, len(self.labels)) for name in (gold, system))
            cells[row][column] += count
        return cells


def _matrices(metric: str, results: Sequence[Result], look: ScoreLook) -> list[Matrix]:
    """One matrix a system, all over the same labels, so that they can be laid side by side."""
    view = look.confusion_cells or "counts"
    found = [_errors(r) if view == "errors" else Counter(r.confusion) for r in results]
    there = {name for each in found for pair in each for name in pair}
    ranked = [name for name in _ranked(results) if name in there]
    if not ranked:
        return []
    most = look.main_labels or MOST_LABELS
    axis = _Axis(sorted(ranked[:most]), len(ranked[most:]), None in there)
    has_diagonal = view != "errors" or any(map(_kinds, results))
    folded = [axis.fold(each) for each in found]
    values = [_values(cells, axis, view, diagonal=has_diagonal) for cells in folded]
    return [
        Matrix(
            axis.names,
            axis.names,
            each,
            title=f"{metric}: confusions"
            + (f" of {result.system}" if len(results) > 1 else "")
            + _TITLES[view],
            row_axis="gold label",
            column_axis="system label",
            kind="percent" if view == "shares" else "count",
            note=_note(result, view, axis, is_asked=look.main_labels is not None),
            largest=1 if view == "shares" else _largest(values, view),
            name=result.system,
        )
        for result, each in zip(results, values, strict=True)
    ]


def _values(cells: list[list[int]], axis: _Axis, view: str, *, diagonal: bool) -> _Values:
    """Counts or shares of rows; None for what cannot be."""
    found = []
    for place, (name, counts) in enumerate(zip(axis.names, cells, strict=True)):
        row: list[float | None] = [*counts]
        if view == "shares":
            total = sum(counts)
            row = [count / total if total else None for count in counts]
        if name is None or not (diagonal or name == OTHER):
            row[place] = None
        found.append(tuple(row))
    return tuple(found)


def _largest(values: Sequence[_Values], view: str) -> float | None:
    """The number that is coloured most: beside a diagonal of what is right, that of the errors."""
    cells = (
        value or 0
        for each in values
        for i, row in enumerate(each)
        for j, value in enumerate(row)
        if view == "errors" or i != j
    )
    return max(cells, default=0) or None


def _errors(result: Result) -> Counter[_Pair]:
    found: Counter[_Pair] = Counter()
    for (_, gold, system), count in result.error_types.items():
        found[gold, system] += count
    return found


def _ranked(results: Iterable[Result]) -> list[str]:
    """All labels: those most frequent in gold first, then those of the systems, then by name."""
    found: dict[str, tuple[int, int]] = {}
    for result in results:
        for pair, count in (Counter(result.confusion) | _errors(result)).items():
            for side, label in enumerate(pair):
                if label is not None:
                    gold, system = found.get(label, (0, 0))
                    found[label] = (gold + count * (not side), system + count * side)
    return sorted(found, key=lambda label: (*(-n for n in found[label]), label))


def _kinds(result: Result) -> Counter[str]:
    """Errors in which a label met itself, by type."""
    found: Counter[str] = Counter()
    for (kind, gold, system), count in result.error_types.items():
        found[kind] += count if gold == system else 0
    return +found


def _note(result: Result, view: str, axis: _Axis, *, is_asked: bool) -> str:
    """What the cells hold, in words that hold for every metric."""
    kinds = _kinds(result)
    if {*kinds} <= {each.name for each in result.types if each.diagonal}:
        errors = f"{kinds.total():,} {' and '.join(_diagonal(result))}"
    else:
        errors = f"{counted(kinds.total(), 'error')} of type {', '.join(sorted(kinds))}"
    if view == "errors":
        diagonal = f"holds {errors}" if kinds else "is empty"
        parts = [f"only errors are counted; the diagonal {diagonal}"]
    else:
        wrong = f" and, with the correct label, {errors}" if kinds else ""
        parts = ["each row adds up to 100"] if view == "shares" else []
        parts.append(f"the diagonal holds what is correct{wrong}")
    if axis.has_nothing:
        parts.append("the last column holds what the system missed, the last row false positives")
    if axis.rest:
        rest = f"{OTHER} includes {counted(axis.rest, 'rarer label')}"
        if axis.rest > 1:
            rest += ", and its diagonal cell includes confusions among them"
        parts.append(rest if is_asked else f"{rest}; '--main-labels' shows more")
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
            blocks.append(
                Text(f"{metric} does not judge single items, so its errors have no types")
            )
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
        note=legend(types, results[0].types),
        name="error-types",
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
