"""What all measures of coreference share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Metric
from tertium.families.coref.mentions import (
    DUPLICATES,
    MATCHING,
    SINGLETONS,
    Match,
    duplicates_remark,
    match,
)
from tertium.registry import parameter
from tertium.results.parts import Count, precision_recall_f1_parts

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
    - `duplicates`: mentions that are there more than once are settled as by version 8.01 of the
      reference scorer, or refused
    """

    family = "coref"
    item = "mention"
    headline = "f1"
    shown: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")
    parts = precision_recall_f1_parts()
    counts = RECALL_AND_PRECISION
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
    undefined: str = parameter(
        "zero", help="0 divided by 0: undefined or 0", choices=("null", "zero")
    )

    def match(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Match:
        """The mentions of both sides that count, and which are the same."""
        return match(
            gold,
            system,
            alignment,
            singletons=self.singletons,
            matching=self.matching,
            duplicates=self.duplicates,
        )

    def oddities(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Mapping[str, int]:
        """How many mentions of each side repeat another."""
        found = self.match(gold, system, alignment)
        counts = {
            "duplicates_gold": int(found.duplicates_gold.sum()),
            "duplicates_system": int(found.duplicates_system.sum()),
        }
        return {name: count for name, count in counts.items() if count}

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Mentions that a side has more than once."""
        return [*filter(None, map(duplicates_remark, (gold, system)))]
