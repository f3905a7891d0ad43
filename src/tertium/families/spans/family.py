"""Labelled spans, as such or in columns of tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Layer, Spans, Tags
from tertium.corpus.schemes import has_suffixes, is_span_column, stack
from tertium.exceptions import FormatError
from tertium.families.ballots import Ballot
from tertium.families.base import Metric, make
from tertium.families.family import Family, Use, is_about_chains
from tertium.families.spans.base import SpanMetric, main_of, span_items, spans_of
from tertium.families.spans.conventions import CONVENTIONS
from tertium.families.spans.vote import SpanBallot
from tertium.families.tags import may_hold_spans
from tertium.results.items import Items
from tertium.results.parts import ErrorType


def _boundary(name: str, meaning: str, between: str) -> tuple[ErrorType, ErrorType, ErrorType]:
    """A type of boundary error, and the two where the left or the right boundary is right."""
    sides = (
        ("", "", ""),
        ("-left", ", left boundary right", ", same start"),
        ("-right", ", right boundary right", ", same end"),
    )
    first, left, right = (
        ErrorType(
            f"{name}{suffix}",
            f"boundary error, {meaning}{more}",
            f"{between}{told}",
            diagonal="boundary errors",
        )
        for suffix, more, told in sides
    )
    return first, left, right


FAIR_TYPES = (
    ErrorType("TP", "true positive", "same"),
    ErrorType("FP", "false positive", "only B", "traditional_fp"),
    ErrorType("FN", "false negative", "only A", "traditional_fn"),
    ErrorType("LE", "labelling error", "label"),
    *_boundary("BEs", "system span smaller", "B shorter"),
    *_boundary("BEl", "system span larger", "B longer"),
    _boundary("BEo", "spans overlap", "overlap")[0],
    ErrorType("LBE", "labelling-boundary error", "label and boundaries"),
)


@dataclass(frozen=True, repr=False)
class SpanFamily(Family):
    """Stretches of tokens with labels: entities, chunks, annotations of text."""

    id = "spans"
    title = "spans"
    reads = (Spans, Tags)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {
        "score": ("spans.f1",),
        "compare": ("spans.f1", "spans.fair"),
        "errors": ("spans.fair",),
        "audit": ("spans.f1", "spans.fair", "spans.partial"),
        "train": ("spans.f1", "tags.accuracy"),
        "vote": ("spans.f1",),
    }
    beside = ("spans.f1",)
    types = (
        *FAIR_TYPES,
        ErrorType("extra", "", "only B"),
        ErrorType("missing", "", "only A"),
        ErrorType("label"),
        ErrorType("incorrect", "", "other"),
        ErrorType("partial"),
        ErrorType("missed", "", "only A"),
        ErrorType("spurious", "", "only B"),
    )
    conventions = CONVENTIONS
    share = "recall"
    place = "boundaries"

    def find(self, corpus: Corpus) -> list[str]:
        """Layers of spans, and columns of tags that hold some or are meant to."""
        found = [
            name
            for name, layer in corpus.layers.items()
            if type(layer) is Spans  # trees and chains are spans too, but not for this family
            or (isinstance(layer, Tags) and may_hold_spans(corpus, name, layer))
        ]
        return sorted(found, key=lambda name: name != main_of(found))

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """Without what refuses tags that others read, as nervaluate does many, and without names in
        a text with coreference chains."""
        if is_about_chains(gold):
            return []
        if use == "vote" and (tagged := [n for n in self.find(gold) if n in gold.of_kind(Tags)]):
            return [f"tags.accuracy(column='{name}')" for name in tagged]  # tag by tag
        texts = super().usual(gold, use)
        return [text for text in texts if text.startswith(self.beside) or _reads(text, gold)]

    def layer(self, corpus: Corpus, name: str) -> Spans:
        """As spans, whatever they are written as."""
        return spans_of(corpus, name).spans

    def items(self, corpus: Corpus, name: str) -> Items:
        """The spans."""
        return span_items(self.layer(corpus, name))

    def relabel(self, layer: Layer, names: Mapping[str, str]) -> Layer | None:
        """In columns of span tags the type is renamed and the prefix kept. What is no tag of a span
        is left to plain tags."""
        if not isinstance(layer, Tags):
            return super().relabel(layer, names)
        if not is_span_column(layer.labels):
            return None
        return Tags(layer.labels.rename({**_tags(layer.labels, names), **names}))

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """The layer or column."""
        if not isinstance(metric, SpanMetric):
            return ()
        return (SpanBallot(metric, metric.column or "spans"),)


def _reads(metric: str, gold: Corpus) -> bool:
    """Can a metric read the tags of a file?"""
    made = make(metric)
    try:
        made.fit(made.facts(gold)).items(gold)
    except FormatError:
        return False
    return True


def _tags(labels: Labels, names: Mapping[str, str]) -> dict[str, str]:
    """The tags with other types."""
    found = {}
    if has_suffixes(labels):
        parts = ((tag, *tag.rpartition("-")) for tag in labels.names)
        return {t: f"{names.get(k, k)}{hyphen}{prefix}" for t, k, hyphen, prefix in parts}
    for tag in labels.names:
        levels = []
        for level in stack(tag):
            prefix, hyphen, kind = level.partition("-")
            levels.append(f"{prefix}-{names.get(kind, kind)}" if hyphen else level)
        found[tag] = "|".join(levels)
    return found
