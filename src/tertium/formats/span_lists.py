"""Lists of spans without their text, one list per sentence, as nervaluate takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import Spans
from tertium.exceptions import InputError
from tertium.formats.record_keys import LABEL_KEYS, PIPELINE_KEYS, first_of

LONGEST = 1_000_000  # a larger number is a slip
SHAPE = "spans without a text are dictionaries with 'label', 'start' and 'end' (the last token)"


class SpanLists(list[Any]):
    """Lists of spans, if only empty ones."""


def are_span_lists(data: Any) -> bool:
    """Is it a list of lists of dictionaries, one list per sentence?"""
    if isinstance(data, SpanLists):
        return True
    if not isinstance(data, list | tuple) or not all(isinstance(s, list | tuple) for s in data):
        return False
    spans = [span for sentence in data for span in sentence]
    return bool(spans) and all(isinstance(span, Mapping) for span in spans)


def is_pipeline(data: Any) -> bool:
    """Are these lists of what a pipeline for token classification gives?"""
    return are_span_lists(data) and any(
        isinstance(span, Mapping) and any(key in span for key in PIPELINE_KEYS)
        for sentence in data
        for span in sentence
    )


def of_span_lists(data: Sequence[Sequence[Any]], name: str) -> Corpus:
    """A corpus of spans over token numbers. Tokens count from 0, and `end` is the last one."""
    if is_pipeline(data):
        raise InputError(
            f"{name}: the spans of a pipeline need the texts they are of",
            help="[{'text': text, 'entities': found} for text, found in zip(texts, output)]",
        )
    rows: list[tuple[int, int, int, str]] = []
    for number, spans in enumerate(data):
        for place, span in enumerate(spans, 1):
            rows.append((number, *_span(span, f"{name}: span {place} of sentence {number + 1}")))
    longest = np.zeros(len(data), np.int64)
    sentence, start, end = np.array([row[:3] for row in rows], np.int64).reshape(-1, 3).T
    np.maximum.at(longest, sentence, end)
    offsets = bounds_of(longest)
    if offsets[-1] >= 2**31:
        raise InputError(f"{name}: the sentences are longer together than can be counted")
    begin, stop = ((offsets[sentence] + limit).astype(np.int32) for limit in (start, end))
    layers = {"spans": Spans(begin, stop, Labels.of(row[3] for row in rows))}
    return Corpus(offsets, None, layers, atoms="indices", origin=name, format="python")


def _span(span: Any, where: str) -> tuple[int, int, str]:
    """Start and end (exclusive) and label."""
    if not isinstance(span, Mapping):
        raise InputError(f"{where} is of type {type(span).__name__}", help=SHAPE)
    start, end, label = span.get("start"), span.get("end"), first_of(span, LABEL_KEYS)
    for what, value in (("start", start), ("end", end)):
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise InputError(f"{where} has no whole number as '{what}': {value!r}", help=SHAPE)
    if not isinstance(label, str) or not label:
        raise InputError(f"{where} has no string as label: {label!r}", help=SHAPE)
    first, last = int(start or 0), int(end or 0)
    if not 0 <= first <= last < LONGEST:
        raise InputError(f"{where} goes from {first} to {last}", help=SHAPE)
    return first, last + 1, label
