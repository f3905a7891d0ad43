"""What all metrics of this family share: how rows become counts and counts numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import LayerError
from tertium.families.base import (
    Metric,
    Scored,
    columns_of,
    divide,
    label_precision_recall_f1,
    part_of,
    precision_recall_f1,
    with_labels,
)
from tertium.families.deps.words import Bools, Columns, WordPairs
from tertium.results.decisions import Decisions, Pieces
from tertium.results.items import Items, TextColumn, of_partner
from tertium.results.parts import Count, Part, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals

CONLL_2018 = """@inproceedings{zeman-etal-2018-conll,
  title = {{CoNLL} 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies},
  author = {Zeman, Daniel and Haji{\\v{c}}, Jan and Popel, Martin and Potthast, Martin and
    Straka, Milan and Ginter, Filip and Nivre, Joakim and Petrov, Slav},
  booktitle = {Proceedings of the {CoNLL} 2018 Shared Task},
  year = {2018},
  pages = {1--21}
}"""
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
        Part("complete", over="units"),
    )
    headline = "f1"
    shown: ClassVar[tuple[str, ...]] = ("f1",)
    counts = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
        Count("aligned"),
    )
    cite = CONLL_2018
    what: ClassVar[str] = "words"
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
        from tertium.families.deps._kernels import count_rows

        correct, gold, system, aligned, added = count_rows(
            decisions.unit,
            decisions.right,
            decisions.in_gold,
            decisions.in_system,
            decisions.mark("aligned"),
            decisions.units,
        ).T
        occupied = (gold > 0).astype(np.float64)
        columns = {
            "correct": correct + decisions.unit_counts.get("surplus", 0.0),
            "gold": gold,
            "system": system,
            "aligned": aligned,
            "sentences": occupied,
            "complete": occupied * (correct == gold) * (added == 0),
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

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall and F1 of every label."""
        return label_precision_recall_f1(totals)

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        if part_of(self, part).over is None:
            return "the evaluation gives none: precision and recall say it all"
        return f"there are no {self.what} to score"


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
    def judge(self, pair: WordPairs) -> Verdicts:
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
        pair = WordPairs.of(gold, system, alignment)
        found = self.judge(pair)
        partner, right, aligned, error = pair.partner, found.right, pair.aligned, found.error
        rows = met = None
        free = pair.met < 0
        if found.in_gold is not None:
            rows = np.flatnonzero(found.in_gold)
            partner, right, aligned = partner[rows], right[rows], aligned[rows]
            free |= ~found.in_gold[pair.met]
        answered = aligned
        if found.in_system is not None:
            answered = aligned & found.in_system[partner]
            free &= found.in_system
        extra = np.flatnonzero(free)
        last = len(found.error_types) - 1
        errors: Pieces | None = None if error is None else (error, last)
        if rows is not None:
            met = pair.met[extra].astype(np.int64)
            errors = None if error is None else (error[rows], of_partner(error, met, last))
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
            error=errors,
            error_types=found.error_types,
            labels=found.labels,
            answer=found.answer,
            marks={"aligned": (aligned, False)},
        )
