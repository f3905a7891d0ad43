"""The distribution of error types, beside the traditional one where a metric has both.

After Ortmann (2022), Figure 1: what counts as false positives and negatives alone, and what it is
when the errors are told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.report.blocks import Bars, Block, Text
from tertium.report.sections.coverage import lacks_layer
from tertium.results.scores import Result, Scores

# In the order in which they are shown; those of other metrics follow by name.
_TYPES = {
    "TP": "true positive",
    "FP": "false positive",
    "FN": "false negative",
    "LE": "labelling error",
    "BEs": "boundary error, system span smaller",
    "BEl": "boundary error, system span larger",
    "BEo": "boundary error, spans overlap",
    "LBE": "labelling-boundary error",
    "extra": "",
    "missing": "",
    "label": "",
    "attachment": "the head is wrong",
    "both": "head and relation are wrong",
    "unaligned": "",
}
# What follows the colon in the types of dependencies: where the system's head stands in gold.
_HEADS = {
    ":root": "the system has no head, or one for the root",
    ":sibling": "the system's head is below the right one",
    ":grandparent": "the system's head is the head of the right one",
    ":child": "the system's head is below the word itself",
    ":other": "the system's head is another word",
}
_TRADITIONAL = {"FP": "traditional_fp", "FN": "traditional_fn"}


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
        if any(r.error_types for r in results):
            blocks.append(_bars(metric, results))
        elif any(r.confusion for r in results):
            blocks.append(Text(f"{metric}: there are no errors"))
        elif all(r.value is None or "value" in r.reasons for r in results):
            blocks.append(Text(f"{metric}: there is nothing that could be wrong"))
        else:
            blocks.append(Text(f"{metric} judges no single items, so its errors have no types"))
    return blocks


def _bars(metric: str, results: Sequence[Result]) -> Bars:
    bars = [bar for r in results for bar in _bars_of(r, several=len(results) > 1)]
    types = sorted({kind for bar in bars for kind in bar.values}, key=_place)
    return Bars(
        names=tuple(bar.name for bar in bars),
        categories=tuple(types),
        values=tuple(tuple(bar.values.get(kind, bar.others) for kind in types) for bar in bars),
        title=f"{metric}: error types",
        axis="error type",
        unit="errors",
        note=legend_of(type_meanings(types)),
    )


def _bars_of(result: Result, *, several: bool) -> Iterable[_Bar]:
    found: Counter[str] = Counter()
    for (kind, _, _), count in result.error_types.items():
        found[kind] += count
    if not all(name in result.counts for name in _TRADITIONAL.values()):
        yield _Bar(result.system, found)
        return
    prefix = f"{result.system}, " if several else ""
    own = result.metric.partition("(")[0].rpartition(".")[2]
    traditional = {kind: result.counts[name] for kind, name in _TRADITIONAL.items()}
    yield _Bar(f"{prefix}traditional", traditional, others=None)
    yield _Bar(f"{prefix}{own}", found)


def _place(kind: str) -> tuple[int, str]:
    """Sub-types such as `BEs-left` and `attachment:root` follow their type."""
    base = kind.partition("-")[0].partition(":")[0]
    order = [*_TYPES]
    return (order.index(base) if base in order else len(order), kind)


def type_meanings(types: Iterable[str]) -> dict[str, str]:
    """What those types mean that do not explain themselves.

    >>> type_meanings(["label", "LE", "BEs-left", "attachment:child"])["BEs-left"]
    'boundary error, system span smaller, left boundary right'
    >>> list(type_meanings(["label", "LE", "both:root", "both:child", "attachment:child"]))
    ['LE', 'both', 'attachment', ':root', ':child']
    """
    told: dict[str, str] = {}
    suffixes = set()
    for kind in types:
        name, colon, head = kind.partition(":")
        base, _, side = name.partition("-")
        suffixes.add(colon + head)
        if _TYPES.get(base):
            told[name] = _TYPES[base] + (f", {side} boundary right" if side else "")
    return told | {head: text for head, text in _HEADS.items() if head in suffixes}


def legend_of(meanings: Mapping[str, str]) -> str:
    """Meanings in one line.

    >>> legend_of({"FP": "false positive", "FN": "false negative"})
    'FP false positive; FN false negative'
    """
    return "; ".join(f"{name} {meaning}" for name, meaning in meanings.items())
