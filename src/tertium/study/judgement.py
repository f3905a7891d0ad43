"""How one metric judges one system's file, and what of that adds up over files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric
from tertium.families.groups.buckets import NONE
from tertium.families.groups.sides import Grouped, grouped_stats
from tertium.families.groups.words import has_layer, word_groups
from tertium.results.confusions import Confusion, ErrorTypes, confusion_of, error_types_of
from tertium.results.decisions import Decisions
from tertium.results.figures import figure_of
from tertium.results.sentences import Scenes
from tertium.results.stats import Stats

if TYPE_CHECKING:
    from tertium.study.files import File, SystemFile


@dataclass(frozen=True)
class Finding:
    """What one metric found in one system's file; findings of several files add up. `groups` are
    counts by a property of words."""

    stats: Stats | None
    coverage: Mapping[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusion: Confusion = field(default_factory=dict)
    error_types: ErrorTypes = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: Grouped = field(default_factory=dict)


class Judgement:
    """One metric's judgement of one system's file: counts and rows from the same decisions.

    It holds corpora and does not travel; `finding` does. `missing` says why there is none.
    """

    def __init__(self, system: SystemFile, fitted: Metric) -> None:
        self.file, self.system, self.fitted = system.file, system, fitted
        self.missing: str | None = None
        try:
            fitted.check(system.corpus)
        except LayerError as error:
            self.missing = f"{self.file.text(fitted)}: {error.message}"

    @property
    def gold(self) -> Corpus:
        """The gold side."""
        return self.file.gold

    @property
    def corpus(self) -> Corpus:
        """The system's side."""
        return self.system.over(self.fitted.unit)[0]

    @property
    def _words(self) -> Corpus:
        """The system's side as its words are grouped."""
        return self.system.with_lent(self.fitted.unit)

    @cached_property
    def alignment(self) -> Alignment:
        """How both lie over each other for this metric."""
        corpus, alignment = self.system.over(self.fitted.unit)
        return self.fitted.aligned(self.gold, corpus, alignment)

    @cached_property
    def _measured(self) -> tuple[Stats, Decisions | None]:
        labels = self.file.study.labels
        if labels == "single":
            labels = self.fitted.member is None
        stats, rows = self.fitted.measure(self.gold, self.corpus, self.alignment, labels=labels)
        return replace(stats, kind=self.fitted.unit), rows

    @cached_property
    def decisions(self) -> Decisions:
        """One row per judged item."""
        found = self._measured[1] if "_measured" in self.__dict__ else None
        if found is None:
            found = self.fitted.decide(self.gold, self.corpus, self.alignment)
        if key := self.file.study.word_key:
            return found.with_group(word_groups(self.gold, key), word_groups(self._words, key))
        return found

    @property
    def _in_sentences(self) -> Alignment:
        """How both lie over each other, sentence by sentence whatever the metric's unit."""
        if self.fitted.unit == "sentence":
            return self.alignment
        _, alignment = self.system.in_order.over("sentence")
        return alignment

    @cached_property
    def sentence(self) -> Int32:
        """The gold sentence of every row, whatever the metric's unit."""
        if self.fitted.unit == "sentence":
            return self.decisions.unit
        over = self._in_sentences
        mine, yours = self.decisions.of_first(over.unit_of_gold, over.unit_of_system)
        return np.where(mine >= 0, mine, yours)

    def scenes(self) -> Scenes:
        """The sentences with the items of both sides and what was decided about them."""
        return scenes_of(self.file, self.fitted, self)

    @cached_property
    def coverage(self) -> dict[str, int]:
        """What was judged and what was not, and whatever is odd about it."""
        odd = {
            "skipped": self.file.skipped,
            "repaired": self.gold.repaired + self.corpus.repaired,
            "differing_forms": self.alignment.differing_forms,
        }
        rows = self.decisions if self.fitted.has_items else None
        return {
            "scored": 0,
            **self.fitted.unaligned(self.alignment),
            **{name: count for name, count in odd.items() if count},
            **self.fitted.coverage(rows, self.gold, self.corpus),
        }

    @property
    def facts(self) -> frozenset[str]:
        """What the metric noticed about both files."""
        return self.fitted.facts(self.gold) | self.fitted.facts(self.corpus)

    @cached_property
    def finding(self) -> Finding:
        """What adds up over files; nothing but a reason where the system lacks the layer."""
        if self.missing:
            return Finding(None, missing=self.missing)
        fitted, study = self.fitted, self.file.study
        stats, _ = self._measured
        remarks = fitted.remarks(self.gold, self.corpus)
        groups: Grouped = {}
        if key := study.word_key:
            try:
                rows = self.decisions if fitted.has_items else None
                groups = grouped_stats(fitted.plain, self.gold, self._words, rows, key)
            except UsageError as error:
                if self.file.text(fitted) != repr(fitted):
                    remarks.append(f"{fitted.id} is not grouped by {key.text}: {error.message}")
                elif study.metrics is not None:
                    raise
                else:
                    return Finding(None, remarks=(error.message,), missing=error.message)
            if not has_layer(self._words, key):
                remarks.append(
                    f"{self.corpus.origin} has no '{key.layer}', so that all its items are in "
                    f"'{NONE}'"
                )
        told = self.decisions if study.confusion and fitted.has_items else None
        return Finding(
            stats,
            self.coverage,
            self.facts,
            {} if told is None else confusion_of(told),
            {} if told is None else error_types_of(told),
            tuple(remarks),
            groups=groups,
        )


def scenes_of(file: File, fitted: Metric, judged: Judgement | None = None) -> Scenes:
    """The gold sentences of a file with the metric's items, and those of a system."""
    drawn, gold = fitted.drawn, file.gold
    if judged is None:
        return Scenes(gold, drawn(gold), kept=file.kept, figure=figure_of)
    return Scenes(
        gold,
        drawn(gold),
        judged.corpus,
        drawn(judged.corpus),
        judged.decisions,
        judged._in_sentences,
        kept=file.kept,
        figure=figure_of,
    )
