"""What an audit looks at: two systems read once, scored by all metrics that fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.exceptions import AlignmentError, LayerError
from tertium.families.base import Metric, has_items
from tertium.families.family import audited_metrics
from tertium.families.keys import unit_lengths
from tertium.results.scores import Result
from tertium.significance.documents import by_documents
from tertium.significance.score.counts import FileScores, no_shared_layer, scores_of
from tertium.significance.score.result import Scores
from tertium.study.files import File, metric_texts
from tertium.study.study import Study
from tertium.study.walk import walk

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Two systems scored by all metrics, the main one first.

    - `lengths`: words of every unit; None for files of spans without tokens
    - `right`: which gold items each system has right under the main metric; None if it judges none
    """

    scores: Scores
    lengths: Int64 | None
    right: tuple[Bools, Bools] | None

    def results(self, metric: str) -> tuple[Result, Result]:
        """Those of A and B under a metric."""
        a, b = (result for result in self.scores if result.metric == metric)
        return a, b

    @property
    def pairs(self) -> list[tuple[Result, Result]]:
        """Of every metric that both systems have counts for."""
        every = [self.results(metric) for metric in self.scores.metrics]
        return [pair for pair in every if all(r.stats is not None for r in pair)]

    @property
    def main(self) -> tuple[Result, Result]:
        """The results under the main metric."""
        return self.pairs[0]

    def by_documents(self) -> Evidence:
        """The same with documents as units."""
        of_sentence = self.main[0].documents
        lengths = self.lengths
        if lengths is not None and of_sentence is not None:
            lengths = np.bincount(of_sentence, weights=lengths).astype(np.int64)
        return replace(self, scores=by_documents(self.scores), lengths=lengths)

    def words(self, units: Int64) -> int | None:
        """How many words some units have; None where lengths are unknown."""
        return None if self.lengths is None else int(self.lengths[units].sum())


def chosen_metrics(
    study: Study, named: Sequence[Metric]
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """Those that were named, then all others for the same kind of layer that both systems have; and
    what is left out, with the reason. Systems of the first file decide."""
    first = replace(
        study, shards=study.shards[:1], metrics=None, by=None, defaults=Candidates(tuple(named))
    )
    ((metrics, lacking),) = walk(first, partial(_lacking, len(named)))
    there = [m for place, m in enumerate(metrics) if place not in lacking]
    if not there:
        raise no_shared_layer(next(iter(lacking.values())))
    kept = [m for m in there if m in named or m.family == there[0].family]
    others = [m for m in there if m not in kept]
    left_out = [
        f"{metrics[place]!r} was not tested: {message}"
        for place, message in lacking.items()
        if metrics[place].family == there[0].family
    ]
    if others:
        left_out.append(
            "other layers are different tasks and were not tested; '--metric' selects one of "
            f"these: {metric_texts(others)}"
        )
    return tuple(kept), tuple(left_out)


@dataclass(frozen=True)
class Candidates:
    """The metrics that an audit may look at: those that were named, then all others that fit."""

    named: tuple[Metric, ...]

    def __call__(self, gold: Corpus) -> tuple[Metric, ...]:
        fitted = {metric.fit(metric.facts(gold)) for metric in self.named}
        try:
            found = audited_metrics(gold)
        except LayerError:
            if not self.named:
                raise
            found = ()
        further = [m for m in found if m.fit(m.facts(gold)) not in fitted]
        return (*self.named, *further)


def _lacking(named: int, file: File) -> tuple[tuple[Metric, ...], dict[int, str]]:
    """The metrics that fit the gold file, and which of them a system has no layer for."""
    lacking: dict[int, str] = {}
    for system in file.systems():
        for place, fitted in enumerate(file.fitted):
            try:
                fitted.facts(system.corpus)
            except LayerError as error:
                if place < named:
                    raise
                lacking.setdefault(place, error.written[0].partition(". ")[0])
            if why := system.refused(fitted):
                if place < named:
                    raise AlignmentError(why)
                lacking.setdefault(place, why)
    return file.metrics, lacking


def gather(
    study: Study, metrics: Sequence[Metric], way: Mapping[str, Any], *, by: str | None = None
) -> Evidence:
    """Score both systems by some metrics; with `by` in groups as well."""
    study = replace(study, metrics=tuple(metrics), by=by, by_name=by)
    parts = [*walk(study, _part, **way)]
    scores = scores_of(study, [part.scores for part in parts])
    lengths = [part.lengths for part in parts if part.lengths is not None]
    right = [part.right for part in parts if part.right is not None]
    return Evidence(
        scores,
        np.concatenate(lengths) if len(lengths) == len(parts) else None,
        (np.concatenate([a for a, _ in right]), np.concatenate([b for _, b in right]))
        if len(right) == len(parts)
        else None,
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """What one pair of files gives."""

    scores: FileScores
    lengths: Int64 | None
    right: tuple[Bools, Bools] | None


def _part(file: File) -> _Part:
    findings, right = [], []
    main = file.fitted[0]
    for system in file.systems():
        judged = [*system.judge()]
        findings.append([each.finding for each in judged])
        if has_items(main) and judged[0].missing is None:
            rows = judged[0].decisions
            gold = rows.in_gold
            right.append((rows.item[gold], rows.right[gold], rows.unit[gold], rows.lost))
            del rows
        del system, judged  # before the next is read: both may be large
    lengths = None if file.gold.forms is None else unit_lengths(file.gold, main.unit)
    return _Part(FileScores.of(file, findings), lengths, _right(right) if len(right) == 2 else None)


def _right(systems: Sequence[tuple[Int64, Bools, Int32, Bools | None]]) -> tuple[Bools, Bools]:
    """Which gold items are right; one that a system has no row for is not. Items of units that
    either has lost are left out."""
    there = [(item, right) for item, right, *_ in systems]
    if gone := [lost for *_, lost in systems if lost is not None]:
        kept = [~np.logical_or.reduce(gone)[unit] for _, _, unit, _ in systems]
        there = [(i[k], r[k]) for (i, r), k in zip(there, kept, strict=True)]
    every = np.unique(np.concatenate([item for item, _ in there]))
    found = []
    for item, right in there:
        column = np.zeros(len(every), np.bool_)
        column[np.searchsorted(every, item)] = right
        found.append(column)
    return found[0], found[1]
