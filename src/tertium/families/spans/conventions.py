"""The conventions by which spans are counted, and where they read the same tags differently."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Tags
from tertium.families.base import Metric
from tertium.families.family import MOST_PLACES, Convention, ConventionSet, Parting
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.extents import packed
from tertium.results.items import Items


def partings(corpus: Corpus, column: str, readings: Mapping[str, Items]) -> list[Parting]:
    """All sequences of a file that its readings disagree about, most frequent first."""
    tags = corpus.layer(column, Tags).labels
    keys = _keys(readings)
    stretches = _stretches(corpus, readings, keys)
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    order = {name: np.argsort(spans.start, kind="stable") for name, spans in readings.items()}
    for first, last in stretches.tolist()[:MOST_PLACES]:
        # From a sentence's begin to a sentence's end: a tool may let a span reach over both.
        low = max(first - 1, int(corpus.offsets[corpus.sentence_of_token[first]]))
        high = min(last + 1, int(corpus.offsets[corpus.sentence_of_token[last - 1] + 1]))
        shown = tuple(tags[token] for token in range(low, high))
        said = tuple(
            _reading(spans, order[name], low, first, last) for name, spans in readings.items()
        )
        found.setdefault((shown, said), []).append(first)
    rows = [
        Parting(
            corpus.origin,
            shown,
            dict(zip(readings, said, strict=True)),
            len(places),
            _where(corpus, places[0]),
        )
        for (shown, said), places in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.count, row.tags))


def _keys(readings: Mapping[str, Items]) -> dict[str, Int64]:
    """A number for every span of every reading, equal iff place and label are."""
    _, labels = unite(*(spans.label for spans in readings.values()))
    start = np.concatenate([spans.start for spans in readings.values()]).astype(np.int64)
    end = np.concatenate([spans.end for spans in readings.values()]).astype(np.int64)
    every = packed(packed(start, end - start), np.concatenate(labels).astype(np.int64))
    cuts = np.cumsum([len(spans.start) for spans in readings.values()])[:-1]
    return dict(zip(readings, np.split(every, cuts), strict=True))


def _stretches(corpus: Corpus, readings: Mapping[str, Items], keys: Mapping[str, Int64]) -> Int64:
    """First token and end of what is not read alike, with all spans that overlap with it."""
    common: Int64 | None = None
    for numbers in keys.values():
        common = numbers if common is None else np.intersect1d(common, numbers)
    assert common is not None
    start = np.concatenate([spans.start for spans in readings.values()]).astype(np.int64)
    end = np.concatenate([spans.end for spans in readings.values()]).astype(np.int64)
    odd = ~np.isin(np.concatenate([keys[name] for name in readings]), common)
    if not odd.any():
        return np.zeros((0, 2), np.int64)
    order = np.argsort(start, kind="stable")
    start, end, odd = start[order], end[order], odd[order]
    reach = np.maximum.accumulate(end)
    group = np.zeros(len(start), np.int64)
    group[1:] = np.cumsum(start[1:] >= reach[:-1])
    first = np.searchsorted(group, np.arange(group[-1] + 1))
    last = np.append(first[1:], len(group)) - 1
    parted = np.unique(group[odd])
    return np.column_stack([start[first[parted]], reach[last[parted]]])


def _reading(spans: Items, order: Int64, low: int, first: int, last: int) -> str:
    starts = spans.start[order]
    rows = order[np.searchsorted(starts, first) : np.searchsorted(starts, last)]
    said = []
    for row in rows.tolist():
        a, z = int(spans.start[row]) - low + 1, int(spans.end[row]) - low
        name = spans.label[row] or "(no type)"
        said.append(f"{name} {a}" if a == z else f"{name} {a}-{z}")
    return ", ".join(said) or "nothing"


def _where(corpus: Corpus, token: int) -> str:
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    if corpus.lines is None:
        return f"sentence '{sentence}'"
    return f"line {int(corpus.lines[token])}, sentence '{sentence}'"


_MUC = ("correct", "possible", "actual")
_FAIR = ("tp", "gold", "system")


def _read(corpus: Corpus, metrics: Mapping[str, Metric]) -> list[Parting] | None:
    """Where readings of a column of tags part; None where spans are given as such."""
    first = next(iter(metrics.values()), None)
    if not isinstance(first, SpanMetric):
        return None
    column = first.name_in(corpus)
    if not isinstance(corpus.layers[column], Tags):
        return None
    return partings(corpus, column, {n: metric.items(corpus) for n, metric in metrics.items()})


CONVENTIONS = ConventionSet(
    (
        Convention("Tertium", "spans.f1", reading="Tertium"),
        Convention("without irregular", "spans.f1(repair='drop')", reading="without irregular"),
        Convention("conlleval", "spans.f1(compat='conlleval')", reading="conlleval"),
        Convention("seqeval", "spans.f1(compat='seqeval')", reading="seqeval"),
        Convention("seqeval strict", "spans.f1(compat='seqeval-strict')", reading="seqeval strict"),
        # All modes of nervaluate read tags alike.
        Convention("nervaluate strict", "spans.partial(mode='strict')", _MUC, reading="nervaluate"),
        Convention("nervaluate exact", "spans.partial(mode='exact')", _MUC),
        Convention("nervaluate partial", "spans.partial", _MUC),
        Convention("nervaluate type", "spans.partial(mode='type')", _MUC),
        Convention("unlabelled", "spans.f1", ("placed", "gold", "system"), "unlabeled_"),
        Convention("fair, equation 5", "spans.fair", _FAIR),
        Convention("fair, equation 7", "spans.fair(weights='eq7')", _FAIR),
    ),
    written="tags",
    partings=_read,
)
