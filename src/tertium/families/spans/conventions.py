"""The conventions by which spans are counted, and where they read the same tags differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Tags
from tertium.families.base import Metric
from tertium.families.family import MOST_PLACES, Convention, ConventionSet, Parting
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.extents import overlap_groups, packed
from tertium.results.items import Items


def partings(corpus: Corpus, column: str, readings: Mapping[str, Items]) -> list[Parting]:
    """All sequences of a file that its readings disagree about, most frequent first."""
    tags = corpus.layer(column, Tags).labels
    stretches = _stretches([*readings.values()])
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    order = {name: np.argsort(spans.start, kind="stable") for name, spans in readings.items()}
    for first, last in stretches.tolist()[:MOST_PLACES]:
        # From a sentence's begin to a sentence's end: a tool may let a span reach over both.
        low = max(first - 1, int(corpus.offsets[corpus.sentence_of(first)]))
        high = min(last + 1, int(corpus.offsets[corpus.sentence_of(last - 1) + 1]))
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


def _stretches(readings: Sequence[Items]) -> Int64:
    """First token and end of what is not read alike, with all spans that overlap with it."""
    _, labels = unite(*(spans.label for spans in readings))
    start = np.concatenate([spans.start for spans in readings]).astype(np.int64)
    end = np.concatenate([spans.end for spans in readings]).astype(np.int64)
    # A number for every span of every reading, equal iff place and label are.
    keys = packed(packed(start, end - start), np.concatenate(labels).astype(np.int64))
    each = np.split(keys, np.cumsum([len(spans.start) for spans in readings])[:-1])
    is_common = np.isin(keys, reduce(np.intersect1d, each))
    group = overlap_groups(start, end)
    parted = np.unique(group[~is_common])
    first = np.full(len(keys), np.iinfo(np.int64).max)
    last = np.zeros(len(keys), np.int64)
    np.minimum.at(first, group, start)
    np.maximum.at(last, group, end)
    return np.column_stack([first[parted], last[parted]])


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
    sentence = corpus.sentence_id(int(corpus.sentence_of(token)))
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
