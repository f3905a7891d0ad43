"""Metrics for tests of what is done with metrics of any kind."""

from dataclasses import dataclass

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags
from tertium.families.base import Metric, Scored, divide
from tertium.families.tags import Accuracy
from tertium.registry import parameter
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


@dataclass(frozen=True, repr=False)
class DocumentTags(Accuracy):
    """F1 of tags with documents as units."""

    id = "docs.tags"
    title = "tags by document"
    unit = "document"
    headline = "f1"
    shown = ("precision", "recall", "f1")

    column: str | None = parameter("upos", help="name of the tag column")


@dataclass(frozen=True, repr=False)
class DocumentVerbs(Metric):
    """Share of documents with as many verbs on both sides: documents as units, and no items."""

    id = "docs.verbs"
    title = "verbs by document"
    layer = "tags"
    unit = "document"
    cite = "@misc{x}"
    headline = "same"
    shown = ("same",)
    counted = ("same", "documents")
    unit_parts = ("same",)
    has_items = False

    def needs(self) -> frozenset[str] | None:
        return frozenset({"upos"})

    def check(self, corpus: Corpus) -> None:
        corpus.layer("upos", Tags)

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> tuple[Stats, Decisions | None]:
        verbs = []
        for corpus, unit in ((gold, alignment.unit_of_gold), (system, alignment.unit_of_system)):
            tags = np.array(corpus.layer("upos", Tags).labels.to_list())
            verbs.append(np.bincount(unit[tags == "VERB"], minlength=alignment.units))
        same = (verbs[0] == verbs[1]).astype(float)
        return Stats(("same", "documents"), np.column_stack([same, np.ones_like(same)])), None

    def score(self, totals: Totals) -> Scored:
        return {"same": divide(totals["same"], totals["documents"])}
