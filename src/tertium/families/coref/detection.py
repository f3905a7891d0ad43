"""Detection of mentions, whatever entities they are in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Scored, citation, columns_of, with_labels
from tertium.families.coref.base import RECALL_AND_PRECISION, CorefMetric, from_fractions
from tertium.families.spans.extents import distinct
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, Totals


@dataclass(frozen=True, repr=False)
class MentionDetection(CorefMetric):
    """Mentions that both sides have. One that is there twice counts once."""

    id = "coref.mentions"
    title = "detection of mentions"
    display = "Mentions"
    cite = citation("pradhan-etal-2014-scoring")
    label_rows = "gold"

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per distinct gold mention, and one per mention of the system alone."""
        found = self.match(gold, system, alignment)
        ours, theirs = found.gold, found.system
        each, others = distinct(ours.key), distinct(theirs.key)
        partner = found.partner[each]
        return Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            rows=ours.row[each],
            partner=np.where(partner >= 0, theirs.row[partner] if len(theirs) else -1, -1),
            right=partner >= 0,
            extra=theirs.row[others[found.of_system[others] < 0]],
            coverage=lambda: self.odd_counts(gold, system, alignment),
        )

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """The same numerator for recall and precision."""
        right = decisions.per_unit(decisions.right)
        gold, system = (
            decisions.per_unit(each) for each in (decisions.in_gold, decisions.in_system)
        )
        names = (count.name for count in RECALL_AND_PRECISION)
        columns = dict(zip(names, (right, gold, right, system), strict=True))
        stats = Stats(*columns_of(columns))
        return with_labels(stats, decisions) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Over all documents together."""
        return from_fractions(*(totals[count.name] for count in RECALL_AND_PRECISION))
