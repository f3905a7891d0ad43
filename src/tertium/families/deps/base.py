"""What all metrics of this family share: how rows become counts and counts numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import LayerError
from tertium.families.base import (
    Floats,
    Metric,
    Scored,
    divide,
    label_precision_recall_f1,
    part_of,
    precision_recall_f1,
    with_labels,
)
from tertium.results.decisions import Decisions
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
COLUMNS = ("correct", "gold", "system", "aligned", "sentences", "complete")


def stats_of(counts: Floats, surplus: Floats | None = None) -> Stats:
    """Stats from what a kernel counts per unit: right, gold, system, aligned, of the system alone.

    A sentence is complete if everything in it is right and nothing was added.
    """
    occupied = (counts[:, 1] > 0).astype(np.float64)
    complete = occupied * (counts[:, 0] == counts[:, 1]) * (counts[:, 4] == 0)
    if surplus is not None:
        counts[:, 0] += surplus
    return Stats(COLUMNS, np.column_stack([counts[:, :4], occupied, complete]))


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
    counts = (Count("correct", "both"), Count("gold"), Count("system", "system"), Count("aligned"))
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
        """Counts, and sentences in which everything is right."""
        from tertium.families.deps._kernels import count_rows

        found = count_rows(
            decisions.unit,
            decisions.right,
            decisions.in_gold,
            decisions.in_system,
            decisions.mark("aligned"),
            decisions.units,
        )
        stats = stats_of(found, decisions.unit_counts.get("surplus"))
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
