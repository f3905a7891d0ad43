"""What all measures of coreference share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Floats, Metric, Scored, columns_of, divide
from tertium.families.coref.chains import CHAINS, duplicate_remarks
from tertium.families.coref.match import DUPLICATES, MATCHING, SINGLETONS, Match, match, summed
from tertium.families.coref.mentions import Mentions
from tertium.families.coref.zeros import ZEROS
from tertium.formats.coref.documents import ENTITIES, NOT_READ
from tertium.registry import parameter
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals

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
        "exact",
        help="when two mentions are the same: same words, a part with the head, same head",
        choices=MATCHING,
    )
    duplicates: str = parameter(
        "v8.01",
        help="repeated mentions: count them as version 8.01 of the reference scorer, or refuse",
        choices=DUPLICATES,
    )
    zeros: str = parameter(
        "dependencies",
        help="pair mentions headed by empty nodes by what these depend on, or by position",
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
        names = ("singletons", "matching", "duplicates", "zeros")
        return match(gold, system, alignment, **{name: getattr(self, name) for name in names})

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Mentions that a side has more than once, and what was not read or is odd in it."""
        read = [
            f"{side.origin}: {problem.message}"
            for side in (gold, system)
            for problem in side.problems
            if problem.kind in (NOT_READ, ENTITIES)
        ]
        return [*read, *duplicate_remarks(gold, system)]

    def score(self, totals: Totals) -> Scored:
        """Over all documents together. One that is undefined counts as 0 in F1, unless both are."""
        recall, gold, precision, system = (totals[count.name] for count in RECALL_AND_PRECISION)
        recall, precision = divide(recall, gold), divide(precision, system)
        r, p = np.nan_to_num(recall), np.nan_to_num(precision)
        f1 = np.nan_to_num(divide(2 * (p * r), p + r))
        f1 = np.where(np.isnan(precision) & np.isnan(recall), np.nan, f1)
        return {"precision": precision, "recall": recall, "f1": f1}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        what = self.counted
        return {
            "precision": f"the system has no {what} that count",
            "recall": f"the gold standard has no {what} that count",
        }.get(part, f"neither gold nor system has {what} that count")


def fraction_stats(*columns: Floats) -> Stats:
    """Numerator and denominator of recall, then of precision, by document."""
    names = (count.name for count in RECALL_AND_PRECISION)
    return Stats(*columns_of(dict(zip(names, columns, strict=True))))


@dataclass(frozen=True, repr=False)
class PartitionMetric(CorefMetric):
    """A measure of recall and precision, each a numerator and a denominator."""

    @abstractmethod
    def common(self, match: Match) -> tuple[Floats, Floats]:
        """What each cell of the match adds to the numerators of recall and precision."""

    def total(self, side: Mentions) -> npt.ArrayLike:
        """What each entity of a side adds to the denominator: how many mentions it has."""
        return side.size

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Numerators and denominators by document."""
        found = self.match(gold, system, alignment)
        recall, precision = (found.per_unit(cells) for cells in self.common(found))
        ours, theirs = (summed(s.unit_of_entity, self.total(s), found.units) for s in found.sides)
        return replace(fraction_stats(recall, ours, precision, theirs), coverage=found.coverage)
