"""Metrics for tests of what is done with metrics of any kind."""

from dataclasses import dataclass

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Metric, Scored, divide
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, Totals


@dataclass(frozen=True, repr=False)
class Lengths(Metric):
    """Share of sentences with as many tokens on both sides: no items at all."""

    id = "tokens.lengths"
    title = "lengths"
    layer = "deps"
    cite = "@misc{x}"
    headline = "same"
    shown = ("same",)
    counted = ("same", "sentences")
    has_items = False

    def check(self, corpus: Corpus) -> None:
        pass

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> tuple[Stats, Decisions | None]:
        sizes = np.bincount(alignment.unit_of_system, minlength=alignment.units)
        same = (sizes == np.diff(gold.offsets)).astype(float)
        return Stats(("same", "sentences"), np.column_stack([same, np.ones_like(same)])), None

    def score(self, totals: Totals) -> Scored:
        return {"same": divide(totals["same"], totals["sentences"])}
