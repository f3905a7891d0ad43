"""Fair evaluation (Ortmann 2022) of the brackets that PARSEVAL counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.families.spans.fair import FairMetric, Side
from tertium.families.trees.brackets import BracketMetric, CountedBrackets
from tertium.formats.evalb_prm import Prm
from tertium.registry import parameter
from tertium.results.decisions import Decisions
from tertium.results.items import Items, V

_BRACKET = "bracket"  # the label of all where labels are not compared


@dataclass(frozen=True, repr=False)
class TreeFair(FairMetric, BracketMetric):
    """Brackets matched by Ortmann's (2022) algorithm, so that each error counts once."""

    id = "trees.fair"
    title = "fair bracket F1"
    display = "Fair brackets"
    as_sets = False

    undefined: str = parameter(
        "null", help="0 divided by 0: undefined or 0", choices=("null", "zero")
    )

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """As PARSEVAL has the brackets; those over traces alone are left out."""
        ours, theirs = self.brackets(gold, system, alignment)
        sides = self._side(ours, self.items(gold)), self._side(theirs, self.items(system))
        return self.matched(*sides, alignment, judges_lost=self.missing == "penalise")

    def _side(self, brackets: CountedBrackets, items: Items) -> Side:
        seen = np.flatnonzero(brackets.item >= 0)
        rows, places = brackets.item[seen], brackets.places.take(seen)

        def spread(column: npt.NDArray[V]) -> npt.NDArray[V]:
            """As a column of all items."""
            found = np.zeros(len(items), column.dtype)
            found[rows] = column
            return found

        labels = one_name_each(self.prm, brackets.label)
        label = Labels(labels.names, spread(labels.codes[seen]))
        identity = tuple(map(spread, places.identity))
        return Side(items, label, identity, rows, places, brackets.unit[seen])


def one_name_each(prm: Prm, labels: Labels) -> Labels:
    """Labels with one name for those that count as the same, directly or through others."""
    if not prm.has_labels:
        return Labels.constant(_BRACKET, len(labels))
    first: dict[str, str] = {}
    for label in sorted({label for pair in prm.same_labels for label in pair}):
        reached, left = {label}, [label]
        while left:
            near = {b for a, b in prm.same_labels if a == left[-1]} - reached
            left[-1:] = sorted(near)
            reached |= near
        first[label] = min(reached)
    return labels.rename(first)
