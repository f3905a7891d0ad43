"""What all measures of coreference share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Floats, Metric, Scored, columns_of, divide
from tertium.families.coref.mentions import (
    CHAINS,
    DUPLICATES,
    MATCHING,
    SINGLETONS,
    Match,
    duplicates_remark,
    match,
)
from tertium.families.coref.overlap import OverlapTable
from tertium.families.coref.zeros import ZEROS
from tertium.formats.coref.documents import ENTITIES, NOT_READ
from tertium.registry import parameter
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals

Fractions = tuple[Floats, Floats, Floats, Floats]

RECALL_AND_PRECISION = (
    Count("recall_numerator"),
    Count("recall_denominator"),
    Count("precision_numerator", "system"),
    Count("precision_denominator", "system"),
)


@dataclass(frozen=True, repr=False)
class CorefMetric(Metric):
    """A measure of coreference.

    - `singletons`: entities of one mention count, or are dropped before anything else
    - `matching`: when are two mentions the same? If they cover the same words ("exact"); if the
      words of the system's are among those of the gold mention and include its head ("partial"); if
      they have the same head ("head")
    - `zeros`: mentions whose head is an empty node are paired first by what that node depends on,
      or like all others by position
    - `duplicates`: mentions that are there more than once are settled as by version 8.01 of the
      reference scorer, or refused

    `counted` is what its denominators count.
    """

    counted: ClassVar[str] = "mentions"

    family = "coref"
    item = "mention"
    headline = "f1"
    shown: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")
    parts = precision_recall_f1_parts()
    counts: ClassVar[tuple[Count, ...]] = RECALL_AND_PRECISION
    transitions = "types"

    singletons: str = parameter(
        "keep",
        help="entities with one mention: keep or drop, on one side or both",
        choices=SINGLETONS,
    )
    matching: str = parameter(
        "exact", help="which mentions are the same: same words, or by the head", choices=MATCHING
    )
    duplicates: str = parameter(
        "v8.01",
        help="repeated mentions: as version 8.01 of the reference scorer, or refuse",
        choices=DUPLICATES,
    )
    zeros: str = parameter(
        "dependencies",
        help="empty nodes as heads of mentions: paired by what they depend on, or by position",
        choices=ZEROS,
    )
    undefined: str = parameter(
        "zero", help="0 divided by 0: undefined or 0", choices=("null", "zero")
    )

    def needs(self) -> frozenset[str] | None:
        """The chains, whose brackets must match, and dependencies where heads are looked for."""
        return frozenset({CHAINS} if self.matching == "exact" else {CHAINS, "deps"})

    def match(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Match:
        """The mentions of both sides that count, and which are the same."""
        return match(
            gold,
            system,
            alignment,
            singletons=self.singletons,
            matching=self.matching,
            duplicates=self.duplicates,
            zeros=self.zeros,
        )

    def odd_counts(self, gold: Corpus, system: Corpus, alignment: Alignment) -> dict[str, int]:
        """How many mentions of each side repeat another."""
        found = self.match(gold, system, alignment)
        counts = {
            "duplicates_gold": int(found.duplicates_gold.sum()),
            "duplicates_system": int(found.duplicates_system.sum()),
        }
        return {name: count for name, count in counts.items() if count}

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Mentions that a side has more than once, and what was not read or is odd in it."""
        read = [
            f"{side.origin}: {problem.message}"
            for side in (gold, system)
            for problem in side.problems
            if problem.kind in (NOT_READ, ENTITIES)
        ]
        return [*read, *filter(None, map(duplicates_remark, (gold, system)))]

    def table(self, gold: Corpus, system: Corpus, alignment: Alignment) -> OverlapTable:
        """What entities of both sides have in common; it serves all measures."""
        name = ("overlap", self.singletons, self.matching, self.duplicates, self.zeros)
        if name not in alignment.derived:
            found = self.match(gold, system, alignment)
            alignment.derived[name] = OverlapTable.of(found, alignment.units)
        table: OverlapTable = alignment.derived[name]
        return table

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        what = self.counted
        return {
            "precision": f"the system has no {what} that count",
            "recall": f"the gold standard has no {what} that count",
        }.get(part, f"neither gold nor system has {what} that count")


def harmonic(precision: Floats, recall: Floats) -> Floats:
    """F1 of two shares; one that is undefined counts as 0 unless both are."""
    total = np.nan_to_num(precision) + np.nan_to_num(recall)
    product = np.nan_to_num(precision) * np.nan_to_num(recall)
    found = np.where(total > 0, divide(2 * product, total), 0.0)
    return np.where(np.isnan(precision) & np.isnan(recall), np.nan, found)


def from_fractions(*counts: Floats) -> Scored:
    """Precision, recall and F1 from the numerators and denominators of recall and precision."""
    recall, precision = divide(counts[0], counts[1]), divide(counts[2], counts[3])
    return {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}


@dataclass(frozen=True, repr=False)
class PartitionMetric(CorefMetric):
    """A measure of recall and precision, each a numerator and a denominator."""

    @abstractmethod
    def fractions(self, table: OverlapTable) -> Fractions:
        """Numerator and denominator of recall, then of precision, by document."""

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Numerators and denominators by document."""
        columns = self.fractions(self.table(gold, system, alignment))
        names = (count.name for count in RECALL_AND_PRECISION)
        stats = Stats(*columns_of(dict(zip(names, columns, strict=True))))
        return replace(stats, coverage=self.odd_counts(gold, system, alignment))

    def score(self, totals: Totals) -> Scored:
        """Over all documents together."""
        return from_fractions(*(totals[count.name] for count in RECALL_AND_PRECISION))
