"""Where readings of the same tags part: sequences that conventions turn into different spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Spans, Tags
from tertium.metrics.spans.places import packed

MOST_PLACES = 20_000  # in one file: a file that is read in quite another way parts everywhere


@dataclass(frozen=True)
class Parting:
    """A sequence of tags that is not the same spans to everybody.

    - `tags`: the sequence, with a neighbour at each side where there is one
    - `readings`: what each convention makes of it, such as `PER 2-3`; "nothing" for no span.
      Numbers count the tags that are shown
    - `count`: how often it occurs; `where`: its first place, as file, line and sentence
    """

    file: str
    tags: tuple[str, ...]
    readings: Mapping[str, str]
    count: int
    where: str


def partings(corpus: Corpus, column: str, readings: Mapping[str, Spans]) -> list[Parting]:
    """All sequences of a file that its readings disagree about, most frequent first."""
    tags = corpus.layer(column, Tags).labels
    keys = _keys(readings)
    stretches = _stretches(corpus, readings, keys)
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    order = {name: np.argsort(spans.start, kind="stable") for name, spans in readings.items()}
    for first, last in stretches.tolist()[:MOST_PLACES]:
        sentence = int(corpus.sentence_of_token[first])
        low = max(first - 1, int(corpus.offsets[sentence]))
        high = min(last + 1, int(corpus.offsets[sentence + 1]))
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


def _keys(readings: Mapping[str, Spans]) -> dict[str, Int64]:
    """A number for every span of every reading, equal iff place and label are."""
    _, labels = unite(*(spans.label for spans in readings.values()))
    start = np.concatenate([spans.start for spans in readings.values()]).astype(np.int64)
    end = np.concatenate([spans.end for spans in readings.values()]).astype(np.int64)
    every = packed(packed(start, end - start), np.concatenate(labels).astype(np.int64))
    cuts = np.cumsum([len(spans.start) for spans in readings.values()])[:-1]
    return dict(zip(readings, np.split(every, cuts), strict=True))


def _stretches(corpus: Corpus, readings: Mapping[str, Spans], keys: Mapping[str, Int64]) -> Int64:
    """First and last token of what is not read alike; what touches is one stretch."""
    common: Int64 | None = None
    for numbers in keys.values():
        common = numbers if common is None else np.intersect1d(common, numbers)
    assert common is not None
    starts, ends = [], []
    for name, spans in readings.items():
        odd = ~np.isin(keys[name], common)
        starts.append(spans.start[odd])
        ends.append(spans.end[odd])
    start, end = np.concatenate(starts).astype(np.int64), np.concatenate(ends).astype(np.int64)
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    if not len(start):
        return np.zeros((0, 2), np.int64)
    reach = np.maximum.accumulate(end)
    # Spans of neighbouring sentences may touch, and are two matters.
    sentence = corpus.sentence_of_token[start]
    opens = np.ones(len(start), np.bool_)
    opens[1:] = (start[1:] > reach[:-1]) | (sentence[1:] != sentence[:-1])
    closes = np.append(np.flatnonzero(opens)[1:] - 1, len(start) - 1)
    return np.column_stack([start[opens], reach[closes]])


def _reading(spans: Spans, order: Int64, low: int, first: int, last: int) -> str:
    starts = spans.start[order]
    rows = order[np.searchsorted(starts, first) : np.searchsorted(starts, last)]
    said = []
    for row in rows.tolist():
        a, z = int(spans.start[row]) - low + 1, int(spans.end[row]) - low
        said.append(f"{spans.label[row]} {a}" if a == z else f"{spans.label[row]} {a}-{z}")
    return ", ".join(said) or "nothing"


def _where(corpus: Corpus, token: int) -> str:
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    if corpus.lines is None:
        return f"sentence '{sentence}'"
    return f"line {int(corpus.lines[token])}, sentence '{sentence}'"
