"""Tokens, sentences and words as the UD evaluation scores them: as stretches of characters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, ranges
from tertium.corpus.layers import Multiwords
from tertium.exceptions import LayerError
from tertium.families.deps.base import DepsMetric, without_aligned_accuracy
from tertium.results.decisions import Decisions
from tertium.results.items import Items
from tertium.results.parts import Part

Partners = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, repr=False)
class Segmentation(DepsMetric):
    """Stretches of text that both sides have. Tables per label would have one row."""

    has_labels = False
    label: ClassVar[str]
    columns: ClassVar[frozenset[str]] = frozenset()
    parts: ClassVar[tuple[Part, ...]] = without_aligned_accuracy(DepsMetric.parts)

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """Nothing; there must be words, whose numbers alone say nothing about the text."""
        if corpus.forms is None:
            raise LayerError(f"{corpus.origin} has no words for {self.id} to compare")
        return super().facts(corpus)

    def items(self, corpus: Corpus) -> Items:
        """The stretches of a side."""
        start, end = self.stretches(corpus)
        return Items(start, end, Labels.constant(self.label, len(start)))

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per stretch of gold, and one per stretch that only the system has."""
        ours, theirs = self.items(gold), self.items(system)
        partner = self.pairs(ours, theirs, alignment)
        found = partner >= 0
        return Decisions.of(
            ours,
            theirs,
            alignment,
            partner=partner,
            right=found,
            answered=found,
            error=((~found).astype(np.uint8), 2),
            error_types=("none", "missing", "extra"),
            labels=(ours.label.names, ours.label.codes, theirs.label.codes),
            identity=lambda: _stretches(theirs, alignment.system_start, alignment.system_end),
            marks={"aligned": (found, False)},
        )

    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """First word of each stretch, and the one behind its last; by default every word."""
        end = np.arange(1, corpus.token_count + 1, dtype=np.int32)
        return end - np.int32(1), end

    def pairs(self, ours: Items, theirs: Items, alignment: Alignment) -> Partners:
        """The partner of each gold stretch: the one with the same characters."""
        from tertium.families.deps._kernels import match_stretches

        found: Partners = match_stretches(
            *_stretches(ours, alignment.gold_start, alignment.gold_end),
            *_stretches(theirs, alignment.system_start, alignment.system_end),
        )
        return found


def _stretches(items: Items, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    return start[items.start], end[items.end - 1]


@dataclass(frozen=True, repr=False)
class Tokens(Segmentation):
    """Surface tokens: a multiword token is one."""

    id = "deps.tokens"
    title = "tokens of the UD evaluation"
    display = "Tokens"
    item = "token"
    label = "token"

    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """Words outside multiword tokens, and these."""
        start, end = super().stretches(corpus)
        multiwords = corpus.extras.get("multiwords")
        if not isinstance(multiwords, Multiwords):
            return start, end
        inside = ranges(multiwords.start.astype(np.int64) + 1, multiwords.end.astype(np.int64))
        end[multiwords.start] = multiwords.end
        return np.delete(start, inside), np.delete(end, inside)


@dataclass(frozen=True, repr=False)
class Sentences(Segmentation):
    """Sentences with the same first and last character."""

    id = "deps.sentences"
    title = "sentences of the UD evaluation"
    display = "Sentences"
    item = "sentence"
    label = "sentence"
    parts = tuple(
        part if part.over is None else replace(part, over="units", mean_of=None)
        for part in Segmentation.parts
    )

    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """Sentences that were not skipped."""
        there = np.flatnonzero(np.diff(corpus.offsets) > 0)
        start, end = corpus.offsets[there], corpus.offsets[there + 1]
        return start.astype(np.int32), end.astype(np.int32)


@dataclass(frozen=True, repr=False)
class Words(Segmentation):
    """Syntactic words that were paired: what multiword tokens stand for counts, not they."""

    id = "deps.words"
    title = "words of the UD evaluation"
    display = "Words"
    label = "word"

    def items(self, corpus: Corpus) -> Items:
        """Every word."""
        return Items.of_tokens(Labels.constant(self.label, corpus.token_count))

    def pairs(self, ours: Items, theirs: Items, alignment: Alignment) -> Partners:
        """As the alignment has it."""
        return alignment.system_of_gold
