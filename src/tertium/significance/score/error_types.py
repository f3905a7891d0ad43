"""The distribution of error types, beside the traditional one where a metric has both.

After Ortmann (2022), Figure 1: what counts as false positives and negatives alone, and what it is
when the errors are told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.results.blocks import Bars, Block, Text
from tertium.results.parts import type_meanings, type_order
from tertium.results.scores import Result
from tertium.significance.score.coverage import lacks_layer
from tertium.significance.score.result import Scores


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
