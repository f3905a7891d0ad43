"""What all metrics of this family share: how rows become counts and counts numbers; and, for those
that judge words, how judgements become rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import LayerError
from tertium.families.base import (
    Floats,
    Metric,
    Scored,
    citation,
    columns_of,
    divide,
    part_of,
    precision_recall_f1,
    with_labels,
)
from tertium.families.deps.words import Bools, WordPairs, column
from tertium.results.decisions import Decisions, Pieces
from tertium.results.items import Items, TextColumn, of_partner
from tertium.results.parts import EXACT_MATCH, Count, Part, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals

WHAT = {
    "deps": "trees (column HEAD)",
    "enhanced": "enhanced graphs (column DEPS)",
    "upos": "tags in column UPOS",
    "xpos": "tags in column XPOS",
    "feats": "features (column FEATS)",
    "lemma": "lemmas (column LEMMA)",
}


def without_aligned_accuracy(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of an evaluation that gives none: it stays for the common form, undefined."""
    return tuple(
        replace(part, over=None) if part.name == "aligned_accuracy" else part for part in parts
    )


def _marked_rows(decisions: Decisions, *marks: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How many rows of each unit have each mark, and how many rows it has: all in one pass."""
    sets = 1 << len(marks)
    which = np.zeros(len(decisions), np.uint8)  # a bit per mark
    for place, mark in enumerate(marks):
        which |= mark.view(np.uint8) << np.uint8(place)
    key = decisions.unit.astype(np.int64) * sets + which
    rows = np.bincount(key, minlength=decisions.units * sets).reshape(-1, sets).T.astype(np.float64)
    has = np.arange(sets) >> np.arange(len(marks))[:, None] & 1
    return has @ rows, rows.sum(axis=0)


@dataclass(frozen=True, repr=False)
class DepsMetric(Metric):
    """Precision, recall and F1 of items, and accuracy on those whose words have a partner.

    Decisions say in the mark `aligned` which gold items these are; `surplus` in their counts per
    unit is what a tool counts as right beyond the rows.
    """

    family = "deps"
    parts: ClassVar[tuple[Part, ...]] = (
        *precision_recall_f1_parts(),
        Part("aligned_accuracy"),
        Part("complete", over="units", title=EXACT_MATCH),
    )
    headline = "f1"
    shown: ClassVar[tuple[str, ...]] = ("f1",)
    counts: ClassVar[tuple[Count, ...]] = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
        Count("aligned"),
    )
    cite = citation("zeman-etal-2018-conll")
    item: ClassVar[str] = "word"
    has_labels: ClassVar[bool] = True
    columns: ClassVar[frozenset[str]] = frozenset({"deps"})

    def needs(self) -> frozenset[str] | None:
        """The columns that are compared."""
        return self.columns

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """Nothing; every column that is compared must be there."""
        for name in sorted(self.columns):
            if name not in corpus.layers and name not in corpus.extras:
                raise LayerError(
                    f"{corpus.origin} has no {WHAT.get(name, name)} for {self.id} to compare"
                )
            if name != "enhanced":  # raises if it is something else
                corpus.layer(name, Arcs if name == "deps" else Tags)
        return frozenset()

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Counts, and sentences in which everything is right and nothing was added."""
        aligned = decisions.marks["aligned"]
        marks = decisions.right, decisions.in_gold, decisions.in_system, aligned
        (correct, gold, system, aligned), rows = _marked_rows(decisions, *marks)
        occupied = (gold > 0).astype(np.float64)
        columns = {
            "correct": correct + decisions.unit_counts.get("surplus", 0.0),
            "gold": gold,
            "system": system,
            "aligned": aligned,
            "sentences": occupied,
            "complete": occupied * (correct == gold) * (rows == gold),
        }
        stats = Stats(*columns_of(columns))
        return self.with_labels(stats, decisions) if labels and self.has_labels else stats

    def with_labels(self, stats: Stats, decisions: Decisions) -> Stats:
        """Counts per label as well."""
        return with_labels(stats, decisions, self.label_rows)

    def score(self, totals: Totals) -> Scored:
        """F1 and its relatives; with the same words on both sides F1 is plain accuracy."""
        aligned = totals["aligned"]
        if part_of(self, "aligned_accuracy").over is None:
            aligned = np.zeros_like(aligned)
        return {
            **precision_recall_f1(totals["correct"], totals["gold"], totals["system"]),
            "aligned_accuracy": divide(totals["correct"], aligned),
            "complete": divide(totals["complete"], totals["sentences"]),
        }

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        if part_of(self, part).over is None:
            return "not defined for this metric"
        return f"there are no {self.item}s to score"


@dataclass(frozen=True, repr=False)
class WordMetric(DepsMetric):
    """A metric that judges words: one row per gold word, one per system word without a partner.

    - `name`: the column whose entries words are called by in tables and confusions
    - `error_types`: why words are wrong; the first stands for right ones, the last for words
      without a partner
    """

    name: ClassVar[str]
    error_types: ClassVar[tuple[str, ...]]

    @property
    def way(self) -> str:
        """How entries of the column are compared (`column`)."""
        return "whole"

    @abstractmethod
    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """Of every gold word: 0 if it is right, else why not, as a code into `error_types`."""

    @abstractmethod
    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """Of every system word, all that the metric looks at."""

    def counted(self, pair: WordPairs) -> tuple[Bools | None, Bools | None]:
        """The words of each side that count, None for all."""
        return None, None

    def heads_of(self, corpus: Corpus) -> Int64 | None:
        """The head of every word, for measures that look at heads."""
        return None

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """What the metric looks at besides label and head: a column for each of `details`."""
        return ()

    def items(self, corpus: Corpus) -> Items:
        """The words with their labels."""
        details = dict(zip(self.details, self.detail_texts(corpus), strict=True))
        return Items.of_tokens(column(corpus, self.name, self.way), self.heads_of(corpus), details)

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold word that counts, and one per system word that counts and has no partner
        that does. A gold word whose partner does not count is missing in the system."""
        pair = WordPairs.of(gold, system, alignment)
        partner, aligned, error = pair.partner, pair.aligned, self.errors(pair)
        in_gold, in_system = self.counted(pair)
        free = pair.met < 0
        if in_gold is not None:
            free = ~of_partner(in_gold, pair.met, False)
        if in_system is not None:
            free &= in_system
        extra, rows, met = np.flatnonzero(free), None, None
        last = len(self.error_types) - 1
        errors: Pieces = error, last
        if in_gold is not None:
            rows, met = np.flatnonzero(in_gold), pair.met[extra].astype(np.int64)
            partner, aligned = partner[rows], aligned[rows]
            errors = error[rows], of_partner(error, met, last)
        return Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            rows=rows,
            partner=partner,
            right=errors[0] == 0,
            answered=aligned if in_system is None else of_partner(in_system, partner, False),
            extra=extra,
            met=met,
            error=errors,
            error_types=self.error_types,
            labels=pair.columns(self.name, self.way),
            answer=lambda: self.answers(pair),
            marks={"aligned": (aligned, False)},
        )
