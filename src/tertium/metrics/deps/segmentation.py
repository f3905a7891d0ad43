"""Tokens, sentences and words as the UD evaluation scores them: as stretches of characters."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Multiwords, Spans, ranges
from tertium.metrics.deps.base import DepsMetric, stats_of
from tertium.results.decisions import CORRECT, EXTRA, MISSING, Decisions, extra_items
from tertium.results.stats import Stats


@dataclass(frozen=True, repr=False)
class Segmentation(DepsMetric):
    """Stretches of text that both sides have. Tables per label would have one row."""

    has_labels = False
    label: ClassVar[str]
    columns: ClassVar[frozenset[str]] = frozenset()

    @property
    def never_defined(self) -> frozenset[str]:
        """What is aligned is right."""
        return frozenset({"aligned_accuracy"})

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per stretch of gold, and one per stretch that only the system has."""
        ours, theirs = self.items(gold, system)
        found = self.pairs(ours, theirs, alignment)
        added = np.flatnonzero(_inverse(found, len(theirs.start)) < 0)
        there = (found >= 0).astype(np.int64)
        start, end = _stretches(theirs, alignment.system_start, alignment.system_end)
        nothing = np.full(len(added), -1, np.int64)
        one = np.zeros(len(found), np.int32)
        none = nothing.astype(np.int32)
        return Decisions(
            unit=np.concatenate(
                [alignment.unit_of_gold[ours.start], alignment.unit_of_system[theirs.start[added]]]
            ),
            item=np.concatenate([np.arange(len(found)), extra_items(start[added], end[added])]),
            gold=np.concatenate([one, none]),
            system=np.concatenate([np.where(found >= 0, 0, -1), none + 1]).astype(np.int32),
            said=(np.concatenate([there, nothing + 2]),),
            outcome=np.concatenate(
                [np.where(found >= 0, CORRECT, MISSING), np.full(len(added), EXTRA)]
            ).astype(np.uint8),
            error_type=np.concatenate([1 - there, nothing + 3]).astype(np.uint8),
            credit=np.concatenate([there, nothing * 0]).astype(np.float64),
            names=Names.of([self.label]),
            units=alignment.units,
            error_types=("none", "missing", "extra"),
            gold_row=np.concatenate([np.arange(len(found)), nothing]),
            system_row=np.concatenate([found, added]),
            marks={"aligned": np.concatenate([found >= 0, added < 0])},
        )

    def tally(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Counts without rows."""
        ours, theirs = self.items(gold, system)
        found = self.pairs(ours, theirs, alignment)
        return self._counted(
            alignment.unit_of_gold[ours.start],
            alignment.unit_of_system[theirs.start],
            found,
            _inverse(found, len(theirs.start)),
            alignment.units,
        )

    def _counted(
        self,
        gold_unit: Int32,
        system_unit: Int32,
        partner: npt.NDArray[np.integer[Any]],
        met: npt.NDArray[np.integer[Any]],
        units: int,
    ) -> Stats:
        from tertium.metrics.deps._kernels import count_words

        everything = np.zeros(0, np.bool_)
        return stats_of(
            count_words(
                gold_unit, system_unit, partner, met, partner >= 0, everything, everything, units
            )
        )

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The stretches of both sides."""
        return self._spans(gold), self._spans(system)

    def _spans(self, corpus: Corpus) -> Spans:
        start, end = self.stretches(corpus)
        return Spans(start, end, Labels.constant(self.label, len(start)))

    @abstractmethod
    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """First word of each stretch, and the one behind its last."""

    def pairs(self, ours: Spans, theirs: Spans, alignment: Alignment) -> Int64:
        """The partner of each gold stretch: the one with the same characters."""
        from tertium.metrics.deps._kernels import match_stretches

        found: Int64 = match_stretches(
            *_stretches(ours, alignment.gold_start, alignment.gold_end),
            *_stretches(theirs, alignment.system_start, alignment.system_end),
        )
        return found


def _inverse(partner: Int64, size: int) -> Int64:
    """The gold stretch of each system stretch."""
    met = np.full(size, -1, np.int64)
    paired = np.flatnonzero(partner >= 0)
    met[partner[paired]] = paired
    return met


def _stretches(spans: Spans, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    return start[spans.start], end[spans.end - 1]


@dataclass(frozen=True, repr=False)
class Tokens(Segmentation):
    """Surface tokens: a multiword token is one."""

    id = "deps.tokens"
    title = "tokens of the UD evaluation"
    what = "tokens"
    label = "token"

    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """Words outside multiword tokens, and these."""
        multiwords = corpus.extras.get("multiwords")
        end = np.arange(1, corpus.token_count + 1, dtype=np.int32)
        if not isinstance(multiwords, Multiwords):
            return end - np.int32(1), end
        begins = np.ones(corpus.token_count, np.bool_)
        begins[ranges(multiwords.start.astype(np.int64) + 1, multiwords.end.astype(np.int64))] = (
            False
        )
        end[multiwords.start] = multiwords.end
        first = np.flatnonzero(begins).astype(np.int32)
        return first, end[first]


@dataclass(frozen=True, repr=False)
class Sentences(Segmentation):
    """Sentences with the same first and last character."""

    id = "deps.sentences"
    title = "sentences of the UD evaluation"
    what = "sentences"
    label = "sentence"
    unit_parts = (*DepsMetric.unit_parts, "precision", "recall", "f1")

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
    what = "words"
    label = "word"

    def stretches(self, corpus: Corpus) -> tuple[Int32, Int32]:
        """Every word."""
        end = np.arange(1, corpus.token_count + 1, dtype=np.int32)
        return end - np.int32(1), end

    def tally(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """The alignment has it all."""
        return self._counted(
            alignment.unit_of_gold,
            alignment.unit_of_system,
            alignment.system_of_gold,
            alignment.gold_of_system,
            alignment.units,
        )

    def pairs(self, ours: Spans, theirs: Spans, alignment: Alignment) -> Int64:
        """As the alignment has it."""
        return alignment.system_of_gold.astype(np.int64)
