"""Cross-fitting: weights from gold, but never from the gold that the vote is scored with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment, units_by
from tertium.comparison.vote.weights import (
    NO_FOLD,
    Reliability,
    Weights,
    label_share,
    text_of,
    weights_of,
)
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.exceptions import UsageError
from tertium.families.base import Metric
from tertium.families.family import family_of
from tertium.results.scores import plain
from tertium.results.stats import Stats, Totals

FOLDS = 5


def cross_fitted(
    stats: Mapping[Metric, Sequence[Stats | None]],
    document_of_unit: npt.NDArray[np.integer] | Sequence[int],
    *,
    folds: int = FOLDS,
) -> Weights:
    """Weights for each fold of the gold standard from the counts of all other folds.

    `stats` are every system's counts by each metric, None for a system without the layer;
    `document_of_unit` is the document of each gold sentence, -1 for none. Documents go to folds in
    their order, each to the fold with fewest sentences so far; with fewer than two documents blocks
    of sentences are folds, and a note says so. Folds are those of gold sentences: where the base
    has others, `folds_over` gives theirs.
    """
    document_of_unit = np.asarray(document_of_unit)
    fold_of_unit, notes = folds_of(document_of_unit, folds)
    firsts = np.unique(document_of_unit, return_index=True)[1]
    count = int(fold_of_unit.max()) + 1
    found: dict[str, list[list[Reliability]]] = {}
    for metric, systems in stats.items():
        by_document = metric.unit == "document"
        if by_document and len(firsts) < 2:
            raise UsageError(
                f"{metric!r}: weights cannot be cross-fitted on one document",
                help="give weights from other data, or use equal weights",
            )
        folds_there = fold_of_unit[firsts] if by_document else fold_of_unit
        each = [_left_out(metric, stats, folds_there, count) for stats in systems]
        found[text_of(metric)] = [[system[f] for system in each] for f in range(count)]
    return replace(weights_of(found), fold_of_sentence=fold_of_unit, notes=tuple(notes))


def folds_of(document_of_unit: npt.NDArray[np.integer], folds: int) -> tuple[Int32, list[str]]:
    """The fold of every unit, and a note where there are no documents to go by."""
    units = len(document_of_unit)
    if folds < 2:
        raise UsageError(f"folds must be at least 2. Got {folds} instead.")
    if units < 2:
        raise UsageError(
            "weights cannot be cross-fitted on one sentence",
            help="give weights from other data, or use equal weights",
        )
    documents, of_unit = np.unique(document_of_unit, return_inverse=True)
    if len(documents) < 2:
        blocks = min(folds, units)
        fold = np.arange(units) * blocks // units
        note = (
            f"the gold standard does not have two documents: weights are cross-fitted over "
            f"{blocks} blocks of sentences"
        )
        return fold.astype(np.int32), [note]
    sizes = np.bincount(of_unit)
    first = np.full(len(documents), units)
    np.minimum.at(first, of_unit, np.arange(units))
    filled = np.zeros(min(folds, len(documents)), np.int64)
    fold_of_document = np.zeros(len(documents), np.int32)
    for document in np.argsort(first, kind="stable").tolist():
        smallest = int(filled.argmin())
        fold_of_document[document] = smallest
        filled[smallest] += sizes[document]
    return fold_of_document[of_unit], []


def _left_out(
    metric: Metric, stats: Stats | None, fold_of_unit: Int32, folds: int
) -> list[Reliability]:
    """How reliable a system is on all folds but each."""
    if stats is None:
        return [Reliability(None)] * folds
    if stats.units != len(fold_of_unit):
        raise UsageError(
            f"{metric!r} has counts of {stats.units:,} sentences, not of {len(fold_of_unit):,}"
        )
    parts = [stats.take(fold_of_unit == f).totals() for f in range(folds)]
    # Sums of the others, not the whole minus one: rounding would let its gold shine through.
    return [
        _reliability(metric, _added([p for n, p in enumerate(parts) if n != f]))
        for f in range(folds)
    ]


def _added(parts: Sequence[Totals]) -> Totals:
    first = parts[0]
    dense = np.sum([p.dense for p in parts], axis=0)
    sparse = {name: np.sum([p.sparse[name] for p in parts], axis=0) for name in first.sparse}
    return Totals(first.columns, dense, first.labels, sparse)


def _reliability(metric: Metric, totals: Totals) -> Reliability:
    scores = metric.score(totals)
    headline = scores[metric.headline]
    share = scores.get(family_of(metric).weight, headline)
    labels = {}
    part, count = label_share(metric) or ("", "")
    each, said = metric.label_scores(totals).get(part), totals.sparse.get(count)
    if each is not None and said is not None:
        for label, right, times in zip(totals.labels, each, said, strict=True):
            if times > 0 and not np.isnan(right):
                labels[label] = (float(right), float(times))
    return Reliability(plain(float(share)), labels)


def folds_over(base: Corpus, alignment: Alignment, fold_of_unit: Int32) -> Int32:
    """The fold of every sentence of the base, given those of the gold sentences; `alignment` is
    that of gold and base.

    A sentence that lies over gold sentences of several folds belongs to none: whatever fold it had,
    weights would come from gold that it is scored with.
    """
    fold = np.asarray(units_by(fold_of_unit, alignment.unit_of_system))
    found = np.full(base.sentence_count, NO_FOLD, np.int32)
    occupied = np.flatnonzero(np.diff(base.offsets) > 0)
    if len(occupied):
        lowest = np.minimum.reduceat(fold, base.offsets[occupied])
        highest = np.maximum.reduceat(fold, base.offsets[occupied])
        found[occupied] = np.where(lowest == highest, lowest, NO_FOLD)
    return found
