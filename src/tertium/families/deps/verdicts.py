"""Metrics that judge words: one row per gold word, one per system word without a partner."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.families.deps.base import DepsMetric
from tertium.families.deps.words import Bools, Columns, Pair
from tertium.results.decisions import Decisions
from tertium.results.items import Items, TextColumn, of_partner

Answers = Sequence[npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a metric says about words.

    - `labels`: what gold and system words are called in tables and confusions
    - `right`: of every gold word; `error`: why not, as codes into `error_types`, of which the last
      is that of words without a partner; None where there is only one other
    - `answer`: of every system word, all that the metric looks at
    - `in_gold`, `in_system`: the words of each side that count, None for all
    """

    labels: Columns
    right: Bools
    error_types: tuple[str, ...]
    answer: Callable[[], Answers]
    error: npt.NDArray[np.uint8] | None = None
    in_gold: Bools | None = None
    in_system: Bools | None = None


@dataclass(frozen=True, repr=False)
class WordMetric(DepsMetric):
    """A metric that judges words. Subclasses give `judge` and `labels`."""

    @abstractmethod
    def judge(self, pair: Pair) -> Verdicts:
        """Which words are right, and why the others are not."""

    @abstractmethod
    def labels(self, corpus: Corpus) -> Labels:
        """What the words of a side are called."""

    def heads(self, corpus: Corpus) -> Int64 | None:
        """The head of every word, for measures that look at heads."""
        return None

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """What the metric looks at besides label and head: a column for each of `details`."""
        return ()

    def items(self, corpus: Corpus) -> Items:
        """The words with their labels."""
        details = dict(zip(self.details, self.detail_texts(corpus), strict=True))
        return Items.of_tokens(self.labels(corpus), self.heads(corpus), details)

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold word that counts, and one per system word that counts and has no partner
        that does. A gold word whose partner does not count is missing in the system."""
        pair = Pair.of(gold, system, alignment)
        found = self.judge(pair)
        partner, right, aligned, error = pair.partner, found.right, pair.aligned, found.error
        rows = None
        if found.in_gold is not None:
            rows = np.flatnonzero(found.in_gold)
            partner, right, aligned = partner[rows], right[rows], aligned[rows]
            error = None if error is None else error[rows]
        answered = aligned
        if found.in_system is not None:
            answered = aligned & found.in_system[partner]
        extra, met = _added(pair, found)
        return Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            rows=rows,
            partner=partner,
            right=right,
            answered=answered,
            extra=extra,
            met=met,
            error=None if error is None else (error, _errors(found, met)),
            error_types=found.error_types,
            labels=found.labels,
            answer=found.answer,
            marks={"aligned": (aligned, False)},
        )


def _added(pair: Pair, found: Verdicts) -> tuple[Int64, Int64 | None]:
    """System words that count and have no partner that does, and the partners of these, if any has
    one."""
    free = pair.met < 0
    if found.in_gold is not None:
        free |= ~found.in_gold[pair.met]
    if found.in_system is not None:
        free &= found.in_system
    extra = np.flatnonzero(free)
    return extra, None if found.in_gold is None else pair.met[extra].astype(np.int64)


def _errors(found: Verdicts, met: Int64 | None) -> Any:
    """Why words of the system alone are wrong."""
    last = len(found.error_types) - 1
    return last if met is None or found.error is None else of_partner(found.error, met, last)
