"""How one metric judges one system's file, and what of that adds up over files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.families.base import HAS, Metric, has_items, lacks, part_of, union
from tertium.families.family import family, family_of, whole_items
from tertium.families.groups import Grouped, grouped_stats
from tertium.families.keys import NONE, Key
from tertium.families.sets import plain
from tertium.results.confusions import Confusion, ErrorTypes, confusion_of, error_types_of, summed
from tertium.results.decisions import Decisions
from tertium.results.lost import Lost, Named
from tertium.results.sentences import Scenes
from tertium.results.stats import Stats, add

if TYPE_CHECKING:
    from tertium.study.files import File, SystemFile


@dataclass(frozen=True)
class Finding:
    """What one metric found in one system's file; findings of several files add up. `groups` are
    counts by a property of words, `absent` the columns that gold has and the system lacks, where
    there are numbers all the same, `lost` the sentences that could not be compared."""

    stats: Stats | None
    coverage: Mapping[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusion: Confusion = field(default_factory=dict)
    error_types: ErrorTypes = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: Grouped = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    lost: Lost = field(default_factory=Lost)

    @classmethod
    def added(cls, parts: Sequence[Finding]) -> Finding:
        """One metric's findings on one system over all files."""
        whole = [p.stats for p in parts if p.stats is not None]
        missing = next((p.missing for p in parts if p.missing), None)
        if missing or not whole:
            remarks = tuple(dict.fromkeys(r for p in parts if p.missing for r in p.remarks))
            return cls(None, remarks=remarks, missing=missing or "there is nothing to score")
        return cls(
            add(whole),
            summed(p.coverage for p in parts),
            union(p.facts for p in parts),
            summed(p.confusion for p in parts),
            summed(p.error_types for p in parts),
            tuple(dict.fromkeys(r for p in parts for r in p.remarks)),
            groups=_added_groups([p.groups for p in parts], [s.units for s in whole]),
            absent=union(p.absent for p in parts),
            lost=Lost.added([p.lost for p in parts]),
        )


def _added_groups(parts: Sequence[Grouped], units: Sequence[int]) -> Grouped:
    """Groups of the same name in one; a file that lacks one adds its units without counts."""
    if len(parts) == 1:
        return parts[0]
    found: Grouped = {}
    for part in parts:
        for name, stats in part.items():
            found.setdefault(name, stats)
    nobody = np.zeros(0, np.int64)
    return {
        name: add(
            [
                part.get(name) or replace(one.take(nobody), out_of=size)
                for part, size in zip(parts, units, strict=True)
            ]
        )
        for name, one in found.items()
    }


def _ungrouped(metric: Metric, key: Key) -> str:
    """Why a metric has no groups of items; empty if it has."""
    if not has_items(metric):
        return "it does not judge single items"
    if not key.fits(metric):
        return f"that is a property of {family(key.family).title}"
    return f"its value is over whole {metric.unit}s" if part_of(metric).over == "units" else ""


class Judgement:
    """One metric's judgement of one system's file: counts and rows from the same decisions.

    It holds corpora and does not travel; `finding` does. `missing` says why there is none.
    """

    def __init__(self, system: SystemFile, fitted: Metric) -> None:
        self.file, self.system, self.fitted = system.file, system, fitted
        self.missing: str | None = None
        self._remarks: tuple[str, ...] = ()
        if (why := lacks(fitted, system.corpus)) is not None:
            self.missing = f"{self.file.text(fitted)}: {why}"
        elif refused := system.refused(fitted):
            self.missing, self._remarks = refused, (refused,)

    @property
    def gold(self) -> Corpus:
        """The gold side."""
        return self.file.gold

    @property
    def corpus(self) -> Corpus:
        """The system's side."""
        return self.system.over(self.fitted)[0]

    @property
    def _words(self) -> Corpus:
        """The system's side as its words are grouped."""
        return self.system.with_lent(self.fitted)

    @cached_property
    def alignment(self) -> Alignment:
        """How both lie over each other for this metric."""
        corpus, alignment = self.system.over(self.fitted)
        alignment = family_of(self.fitted).align(self.gold, corpus, alignment)
        return self.fitted.aligned(self.gold, corpus, alignment)

    @cached_property
    def stats(self) -> Stats:
        """Counts per unit."""
        fitted, labels = self.fitted, self.file.study.labels
        if labels == "single":
            labels = fitted.member is None
        if type(fitted).measure is Metric.measure:
            stats = fitted.stats(self.decisions, labels=labels)
        else:
            stats = fitted.measure(self.gold, self.corpus, self.alignment, labels=labels)
        return replace(stats, kind=fitted.unit)

    @cached_property
    def decisions(self) -> Decisions:
        """One row per judged item; UsageError if the metric has none."""
        found = self.fitted.decide(self.gold, self.corpus, self.alignment)
        if (key := self.file.study.key) and key.fits(self.fitted):
            ours, theirs = found.sides()
            groups = key.of_items(self.gold, ours), key.of_items(self._words, theirs)
            return found.with_group(*groups)
        return found

    @property
    def over_sentences(self) -> Alignment:
        """How both lie over each other, sentence by sentence whatever the metric's unit."""
        if self.fitted.unit == "sentence":
            return self.alignment
        return self.system.in_sentences(self.fitted)

    @cached_property
    def sentence(self) -> Int32:
        """The gold sentence of every row, whatever the metric's unit."""
        if self.fitted.unit == "sentence":
            return self.decisions.unit
        over = self.over_sentences
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
            "skipped_documents": self._skipped_documents,
            "repaired": self.gold.repaired + self.corpus.repaired,
            "differing_forms": self.alignment.differing_forms,
            **self.lost.coverage,
        }
        odd = {name: count for name, count in odd.items() if count}
        if not has_items(self.fitted):
            found = {"scored": self.stats.units, **self.alignment.coverage}
            return {**found, **odd, **self.stats.coverage}
        found = self.decisions.coverage
        usual = {"scored", *self.alignment.coverage}
        first = {name: count for name, count in found.items() if name in usual}
        return {**first, **odd, **found}

    @property
    def _skipped_documents(self) -> int:
        """Documents that were left out as a whole, where these are the units."""
        rest = self.file.rest
        if rest is None or self.fitted.unit == "sentence":
            return 0
        return len(rest.skipped_documents)

    @cached_property
    def lost(self) -> Lost:
        """The sentences that could not be compared, by their ids or numbers, or the documents."""
        lost, file = self.alignment.lost, self.file
        ignored = Named.of([file.named(id) for id in self.alignment.ignored])
        if family_of(self.fitted).pairs == "documents":
            missing = Named.of([file.named(name) for name in self.alignment.missing])
            return Lost(missing=missing, ignored=ignored, is_judged=True, unit="document")
        if lost is None or not lost.any():
            return Lost(ignored=ignored)
        empty = np.bincount(self.alignment.unit_of_system, minlength=len(lost)) == 0
        before = self.system.over(self.fitted)[1].lost
        own = ~empty if before is None else ~empty & ~before
        differing, missing, other = (
            Named.of([file.sentence_name(number) for number in np.flatnonzero(each).tolist()])
            for each in (lost & ~empty & ~own, lost & empty, lost & own)
        )
        is_judged = has_items(self.fitted) and self.decisions.lost is None
        return Lost(differing, missing, other, ignored, is_judged)

    @property
    def facts(self) -> frozenset[str]:
        """What the metric noticed about both files."""
        return self.fitted.facts(self.gold) | self.fitted.facts(self.corpus)

    @cached_property
    def finding(self) -> Finding:
        """What adds up over files; nothing but a reason where the system lacks the layer."""
        if self.missing:
            return Finding(None, missing=self.missing, remarks=self._remarks)
        fitted, study = self.fitted, self.file.study
        stats = self.stats
        remarks = [*self.system.notes, *fitted.remarks(self.gold, self.corpus)]
        groups: Grouped = {}
        if key := study.key:
            if why := _ungrouped(fitted, key):
                remarks.append(f"{fitted.id} is not grouped by {key.text}: {why}")
            else:
                groups = grouped_stats(plain(fitted), self.gold, self._words, self.decisions, key)
            if NONE in groups and not key.has(self._words):
                lacking = f"'{key.column}'" if key.column else key.what
                remarks.append(
                    f"{self.corpus.origin} has no {lacking}, so all its items are in '{NONE}'"
                )
        told = self.decisions if study.confusion and has_items(fitted) else None
        return Finding(
            stats,
            self.coverage,
            self.facts,
            {} if told is None else confusion_of(told),
            {} if told is None else error_types_of(told),
            tuple(remarks),
            groups=groups,
            absent=self._absent,
            lost=self.lost,
        )

    @property
    def _absent(self) -> frozenset[str]:
        lacking = self.fitted.facts(self.gold) - self.fitted.facts(self.corpus)
        return frozenset(f.removeprefix(HAS) for f in lacking if f.startswith(HAS))


def scenes_of(file: File, fitted: Metric, judged: Judgement | None = None) -> Scenes:
    """The gold sentences of a file with the metric's items, and those of a system."""
    gold, family = file.gold, family_of(fitted)
    shown: dict[str, Any] = {
        "kept": file.kept,
        "figure": family.figure,
        "nests": family.layout == "nested",
    }
    if judged is None:
        return Scenes(gold, whole_items(fitted, gold), **shown)
    decided = judged.decisions
    return Scenes(
        gold,
        whole_items(fitted, gold, decided.gold_items),
        judged.corpus,
        whole_items(fitted, judged.corpus, decided.system_items),
        decided,
        judged.over_sentences,
        **shown,
    )
