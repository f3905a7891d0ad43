"""Metrics that judge words: one row per gold word, one per system word without a partner."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans
from tertium.metrics.base import of_partner, token_items
from tertium.metrics.deps.base import DepsMetric, stats_of
from tertium.metrics.deps.pairs import Bools, Columns, Pair
from tertium.results.decisions import (
    CORRECT,
    EXTRA,
    MISSING,
    NO_LABEL,
    WRONG,
    Decisions,
    extra_items,
    name_hashes,
)
from tertium.results.stats import Block, Stats, label_cells

Answers = tuple[npt.NDArray[Any], ...]
_ALL: Bools = np.zeros(0, np.bool_)  # every word counts
_NO_ROWS = (np.zeros(0, np.int32), np.zeros(0, np.int32), _ALL)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a metric says about words.

    - `labels`: what gold and system words are called in tables and confusions
    - `right`: of every gold word; `error`: why not, as codes into `error_types`
    - `said`: of every system word, all that the metric looks at; made only when asked for
    - `in_gold`, `in_system`: the words of each side that count, None for all
    """

    labels: Columns
    right: Bools
    error: npt.NDArray[np.uint8]
    error_types: tuple[str, ...]
    said: Callable[[], Answers]
    in_gold: Bools | None = None
    in_system: Bools | None = None


@dataclass(frozen=True, repr=False)
class WordMetric(DepsMetric):
    """A metric that judges words. Subclasses give `judge`."""

    @abstractmethod
    def judge(self, pair: Pair) -> Verdicts:
        """Which words are right, and why the others are not."""

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold word that counts, and one per system word that counts and has no partner
        that does. A gold word whose partner does not count is missing in the system."""
        pair = Pair.of(gold, system, alignment)
        found = self.judge(pair)
        names, ours, theirs = found.labels
        answers = found.said()
        partner, aligned = pair.partner, pair.aligned
        answered = aligned
        if found.in_system is not None:
            answered = aligned & found.in_system[partner]
        outcome = np.where(found.right, CORRECT, np.where(answered, WRONG, MISSING))
        rows = _Rows(
            unit=alignment.unit_of_gold,
            item=np.arange(len(partner), dtype=np.int64),
            gold=ours,
            system=of_partner(theirs, partner, NO_LABEL),
            said=tuple(of_partner(column, partner, -2) for column in answers),
            outcome=outcome.astype(np.uint8),
            error=found.error,
            aligned=aligned,
            gold_row=np.arange(len(partner), dtype=np.int64),
            system_row=partner.astype(np.int64),
        )
        if found.in_gold is not None:
            rows = rows.take(np.flatnonzero(found.in_gold))
        added = _added(pair, found)
        if len(added):
            met = alignment.gold_of_system[added].astype(np.int64)
            where = alignment.system_start[added], alignment.system_end[added]
            said = tuple(column[added] for column in answers)
            rows = rows.then(
                _Rows(
                    unit=alignment.unit_of_system[added],
                    item=extra_items(*where, name_hashes(names)[theirs[added]]),
                    gold=of_partner(ours, met, NO_LABEL),
                    system=theirs[added],
                    said=said,
                    outcome=np.full(len(added), EXTRA, np.uint8),
                    error=of_partner(found.error, met, len(found.error_types) - 1),
                    aligned=np.zeros(len(added), np.bool_),
                    gold_row=met,
                    system_row=added,
                )
            )
        return Decisions(
            unit=rows.unit,
            item=rows.item,
            gold=rows.gold,
            system=rows.system,
            said=rows.said,
            outcome=rows.outcome,
            error_type=rows.error,
            credit=(rows.outcome == CORRECT).astype(np.float64),
            names=names,
            units=alignment.units,
            error_types=found.error_types,
            gold_row=rows.gold_row,
            system_row=rows.system_row,
            marks={"aligned": rows.aligned},
        )

    def tally(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Counts straight from the verdicts."""
        from tertium.metrics.deps._kernels import count_words

        pair = Pair.of(gold, system, alignment)
        found = self.judge(pair)
        counts = count_words(
            alignment.unit_of_gold,
            alignment.unit_of_system,
            pair.partner,
            pair.met,
            found.right,
            _ALL if found.in_gold is None else found.in_gold,
            _ALL if found.in_system is None else found.in_system,
            alignment.units,
        )
        stats = stats_of(counts)
        if not labels or not self.has_labels:
            return stats
        return Stats(stats.columns, stats.dense, *self.label_counts(pair, found, alignment))

    def label_counts(self, pair: Pair, found: Verdicts, alignment: Alignment) -> Block:
        """Counts per label, the same as `with_labels` of the rows."""
        names, ours, theirs = found.labels
        in_gold = _every(ours) if found.in_gold is None else found.in_gold
        answered = pair.aligned & in_gold
        if found.in_system is not None:
            answered &= found.in_system[pair.partner]
        said = ours if self.label_rows == "gold" else of_partner(theirs, pair.partner, 0)
        unit = alignment.unit_of_gold
        added = _added(pair, found)
        added = added[np.argsort(alignment.unit_of_system[added], kind="stable")]
        extra = (alignment.unit_of_system[added], theirs[added], _every(added))
        if self.label_rows == "gold":
            met = pair.met[added]
            extra = (extra[0], ours[met], met >= 0) if len(ours) else _NO_ROWS
        return label_cells(
            names,
            {
                "correct": [(unit, ours, found.right & in_gold)],
                "gold": [(unit, ours, in_gold)],
                "system": [(unit, said, answered), extra],
            },
        )

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The words of both sides with their labels."""
        ours, theirs = (self.labels(corpus) for corpus in (gold, system))
        return token_items(ours), token_items(theirs)

    @abstractmethod
    def labels(self, corpus: Corpus) -> Labels:
        """What the words of a side are called."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Columns of decisions in the making."""

    unit: npt.NDArray[np.int32]
    item: npt.NDArray[np.int64]
    gold: npt.NDArray[np.int32]
    system: npt.NDArray[np.int32]
    said: Answers
    outcome: npt.NDArray[np.uint8]
    error: npt.NDArray[np.uint8]
    aligned: Bools
    gold_row: npt.NDArray[np.int64]
    system_row: npt.NDArray[np.int64]

    def take(self, rows: npt.NDArray[np.int64]) -> _Rows:
        columns = {n: v[rows] for n, v in vars(self).items() if n != "said"}
        return _Rows(**columns, said=tuple(column[rows] for column in self.said))

    def then(self, other: _Rows) -> _Rows:
        columns = {
            n: np.concatenate([v, getattr(other, n)]) for n, v in vars(self).items() if n != "said"
        }
        said = zip(self.said, other.said, strict=True)
        return _Rows(**columns, said=tuple(np.concatenate(both) for both in said))


def _every(rows: npt.NDArray[Any]) -> Bools:
    return np.ones(len(rows), np.bool_)


def _added(pair: Pair, found: Verdicts) -> npt.NDArray[np.int64]:
    """System words that count and have no partner that does."""
    free = pair.met < 0
    if found.in_gold is not None:
        free |= ~found.in_gold[pair.met]
    if found.in_system is not None:
        free &= found.in_system
    return np.flatnonzero(free)
