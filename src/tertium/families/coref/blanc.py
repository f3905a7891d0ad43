"""BLANC: links between mentions of the same entity and of different ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, ranges
from tertium.families.base import Floats, Scored, citation
from tertium.families.coref.base import RECALL_AND_PRECISION, CorefMetric, fraction_stats
from tertium.families.coref.chains import set_codes
from tertium.families.coref.match import Match, links, summed
from tertium.families.coref.mentions import Mentions
from tertium.families.spans.extents import distinct
from tertium.registry import parameter
from tertium.results.decisions import fingerprint
from tertium.results.stats import Stats, Totals, join

KINDS = ("coref", "noncoref")


@dataclass(frozen=True, repr=False)
class BLANC(CorefMetric):
    """Pairs of mentions: those of one entity and those of two, half of the score each.

    `rule` says when a half is left out: where gold has no such pairs ("v8.01"), or where neither
    side has any ("ua", as the Universal Anaphora scorer).
    """

    id = "coref.blanc"
    title = "BLANC: links inside and between entities"
    display = "BLANC"
    cite = citation("recasens-hovy-2011-blanc", "luo-etal-2014-extension")
    counts = tuple(
        count._replace(name=f"{kind}.{count.name}")
        for kind in KINDS
        for count in RECALL_AND_PRECISION
    )

    rule: str = parameter(
        "v8.01",
        help="leave out half of the score if gold has no such links, or if neither side has any",
        choices=("v8.01", "ua"),
    )

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Links of both sides and those in common, by document."""
        found = self.match(gold, system, alignment)
        ours, theirs = (link_counts(side, found.units) for side in found.sides)
        halves = zip(KINDS, common_links(found), ours, theirs, strict=True)
        stats = join({kind: fraction_stats(both, a, both, b) for kind, both, a, b in halves})
        return replace(stats, coverage=found.coverage)

    def score(self, totals: Totals) -> Scored:
        """The mean of both halves, or the one that is not left out."""
        halves, weights = [], []
        for half in map(totals.part, KINDS):
            gold, system = half["recall_denominator"], half["precision_denominator"]
            is_left_out = gold == 0 if self.rule == "v8.01" else gold + system == 0
            weights.append(np.where(is_left_out, 0.0, 1.0))
            halves.append(super().score(half))
        both = weights[0] + weights[1]
        means = {
            part: sum(w * np.nan_to_num(h[part]) for w, h in zip(weights, halves, strict=True))
            for part in halves[0]
        }
        return {part: mean / np.where(both > 0, both, np.nan) for part, mean in means.items()}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why all parts are undefined."""
        if self.rule == "v8.01":
            return "no document of the gold standard has two mentions that count"
        return "no document has two mentions that count"


def link_counts(side: Mentions, units: int) -> tuple[Floats, Floats]:
    """How many pairs of mentions are in one entity, and in two different ones, by document.

    A mention that is twice in an entity is linked with itself, one in two entities stands in both
    relations; each pair counts once.
    """
    rows = side.distinct
    entity, key, unit = side.entity[rows], side.key[rows], side.unit[rows]
    each = distinct(key)
    every = links(summed(unit[each], 1, units))
    entities = times(key)
    alone = np.bincount(entity[entities == 1], minlength=side.entities)
    in_several = summed(unit[each][entities[each] > 1], 1, units)
    again = np.delete(np.arange(len(side)), rows)
    with_itself = summed(side.unit[again[distinct(side.key[again])]], 1, units)
    return (
        pair_counts(entity, key, unit, units) + with_itself,
        every - summed(side.unit_of_entity, links(alone), units) + in_several,
    )


def common_links(match: Match) -> tuple[Floats, Floats]:
    """The pairs that both sides have in one entity, and in two different ones, by document. A
    mention of both sides is in one entity of the system."""
    ours, rows, units = match.gold, match.found, match.units
    key, unit, entity = ours.key[rows], ours.unit[rows], ours.entity[rows]
    other = match.system.entity[match.partner[rows]]

    def same(chosen: Int64, group: Int64) -> Floats:
        """Pairs of the chosen mentions in one group."""
        _, first, size = np.unique(group[chosen], return_index=True, return_counts=True)
        return summed(unit[chosen][first], links(size), units)

    both = fingerprint(entity, other)
    each, alone = distinct(key), np.flatnonzero(times(key) == 1)
    apart = links(summed(unit[each], 1, units)) - same(each, other)
    apart += same(alone, both) - same(alone, entity)
    return pair_counts(both, key, unit, units), apart


def pair_counts(group: Int64, key: Int64, unit: Int32, units: int) -> Floats:
    """How many pairs of different mentions are in a group together, by document; a pair that is in
    several counts once. No mention is twice in a group."""
    _, first, size = np.unique(group, return_index=True, return_counts=True)
    found = summed(unit[first], links(size), units)
    several = np.flatnonzero(times(key) > 1)
    if not len(several):
        return found
    group, key, unit = group[several], key[several], unit[several]
    # Mentions of exactly the same groups are of a kind; pairs of kinds are few.
    mention = np.unique(key, return_inverse=True)[1]
    marks = set_codes(mention, group, len(several))
    kind = np.unique(marks[mention], return_inverse=True)[1].astype(np.int64)
    members = np.bincount(kind[distinct(key)])
    rows = distinct(fingerprint(group, kind))
    group, kind, unit = group[rows], kind[rows], unit[rows]
    order = np.lexsort((kind, group))
    size = np.unique(group, return_counts=True)[1]
    nth = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
    # Every kind with itself and with those behind it in the group.
    one = np.repeat(order, np.repeat(size, size) - nth)
    two = order[ranges(np.arange(len(order)), np.repeat(np.cumsum(size), size))]
    pairs = fingerprint(kind[one], kind[two])
    _, first, count = np.unique(pairs, return_index=True, return_counts=True)
    a, b = kind[one[first]], kind[two[first]]
    pairs_of = np.where(a == b, links(members[a]), members[a] * members[b])
    return found - summed(unit[one[first]], (count - 1) * pairs_of, units)


def times(key: Int64) -> Int64:
    """How often the key of each row occurs.

    >>> times(np.array([7, 5, 7])).tolist()
    [2, 1, 2]
    """
    _, number, count = np.unique(key, return_inverse=True, return_counts=True)
    return count[number].astype(np.int64)
