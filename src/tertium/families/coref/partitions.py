"""Measures that compare two ways of dividing mentions into entities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Floats, Scored, citation
from tertium.families.coref.base import CorefMetric, PartitionMetric
from tertium.families.coref.match import Match, links
from tertium.families.coref.mentions import Mentions
from tertium.results.parts import Part
from tertium.results.stats import Stats, Totals, join


@dataclass(frozen=True, repr=False)
class MUC(PartitionMetric):
    """Links between mentions: how many would have to be added to either side."""

    id = "coref.muc"
    title = "MUC: links within entities"
    display = "MUC"
    cite = citation("vilain-etal-1995-model")
    counted = "links"

    def common(self, match: Match) -> tuple[Floats, Floats]:
        """An entity of n mentions has n - 1 links."""
        links = np.maximum(match.last - 1, 0)
        return links, links

    def total(self, side: Mentions) -> npt.ArrayLike:
        """Its links."""
        return side.size - 1


@dataclass(frozen=True, repr=False)
class B3(PartitionMetric):
    """For every mention, how much of its entity is right."""

    id = "coref.b3"
    title = "B-cubed: the entity of every mention"
    display = "B3"
    cite = citation("bagga-baldwin-1998-algorithms")

    def common(self, match: Match) -> tuple[Floats, Floats]:
        """Mentions of only one side count in a denominator alone."""
        (gold, system), pairs = match.sizes, match.last * match.shared
        return pairs / gold, pairs / system


@dataclass(frozen=True, repr=False)
class CEAFm(PartitionMetric):
    """Mentions in common under the best one-to-one map of entities."""

    id = "coref.ceafm"
    title = "CEAF: mentions of mapped entities"
    display = "CEAFm"
    cite = citation("luo-2005-coreference")

    def common(self, match: Match) -> tuple[Floats, Floats]:
        """The similarity of two entities is the number of mentions in common."""
        best = match.best(match.written.astype(np.float64))
        return best, best


@dataclass(frozen=True, repr=False)
class CEAFe(PartitionMetric):
    """Similarity of entities under the best one-to-one map."""

    id = "coref.ceafe"
    title = "CEAF: similarity of mapped entities"
    display = "CEAFe"
    cite = citation("luo-2005-coreference")
    counted = "entities"

    def common(self, match: Match) -> tuple[Floats, Floats]:
        """The similarity of two entities is the F1 of their mentions."""
        gold, system = match.sizes
        best = match.best(2 * match.written / (gold + system))
        return best, best

    def total(self, side: Mentions) -> npt.ArrayLike:
        """Every entity counts once."""
        return 1


@dataclass(frozen=True, repr=False)
class LEA(PartitionMetric):
    """Links that are found of every entity, weighted by its size."""

    id = "coref.lea"
    title = "LEA: links within entities, weighted by size"
    display = "LEA"
    cite = citation("moosavi-strube-2016-coreference")

    def common(self, match: Match) -> tuple[Floats, Floats]:
        """A singleton is found if it is one on the other side too."""
        (gold, system), found = match.sizes, []
        is_single = (gold == 1) & (system == 1)
        for size, common in ((gold, match.written), (system, match.last)):
            share = links(common) / np.maximum(links(size), 1)
            found.append(np.where(size == 1, is_single & (common > 0), size * share))
        return found[0], found[1]


@dataclass(frozen=True, repr=False)
class CoNLL(CorefMetric):
    """The mean of the F1 of MUC, B3 and CEAFe (MELA), by which systems are ranked."""

    id = "coref.conll"
    title = "CoNLL score: mean F1 of MUC, B3 and CEAFe"
    display = "CoNLL"
    parts = (
        Part("f1", over="both", title="F1"),
        *(Part(m.id.rpartition(".")[2], over="both", title=m.display) for m in (MUC, B3, CEAFe)),
    )
    shown = ("f1",)
    counts = ()
    cite = citation("denis-baldridge-2009-global", "pradhan-etal-2014-scoring")

    @property
    def members(self) -> Mapping[str, PartitionMetric]:
        """The three measures with the same parameters."""
        own = {f.name: getattr(self, f.name) for f in fields(self)}
        return {each.id.rpartition(".")[2]: each(**own) for each in (MUC, B3, CEAFe)}

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Counts of all three."""
        found = {name: m.measure(gold, system, alignment) for name, m in self.members.items()}
        return replace(join(found), coverage=self.match(gold, system, alignment).coverage)

    def score(self, totals: Totals) -> Scored:
        """The mean, and what it is the mean of."""
        found = {name: each.score(totals.part(name))["f1"] for name, each in self.members.items()}
        parts = np.stack([*found.values()])
        if self.undefined == "zero":  # what has nothing to score at all stays undefined
            parts = np.where(np.isnan(parts).all(axis=0), np.nan, np.nan_to_num(parts))
        return {"f1": parts.mean(axis=0), **found}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined: as its measure says."""
        return self.members.get(part, self.members["b3"]).reason("f1")
