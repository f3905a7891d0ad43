"""Detection: which mentions a system finds, whatever entities they are in; which entities it finds
exactly, and what is wrong with the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.families.base import Scored, citation, columns_of, precision_recall_f1, with_labels
from tertium.families.coref.base import CorefMetric, fraction_stats
from tertium.families.coref.chains import (
    CHAIN,
    entity_items,
    entity_of_mention,
    mention_extents,
    set_codes,
)
from tertium.families.coref.match import Match
from tertium.families.coref.mentions import Mentions
from tertium.families.spans.extents import distinct
from tertium.results.decisions import Decisions, fingerprint
from tertium.results.items import Items, of_partner
from tertium.results.parts import Count, ErrorType
from tertium.results.stats import Stats, Totals

ENTITY_TYPES = (
    ErrorType("split", "its mentions are in several entities of the other side"),
    ErrorType("merged", "its mentions are joined with mentions of other entities"),
    ErrorType("mixed", "both split and merged"),
    ErrorType("partial", "found as one entity, with mentions missing or extra"),
)
_TYPES = ("none", "missing", "extra", *(each.name for each in ENTITY_TYPES))
MISSING, EXTRA, SPLIT, MERGED, MIXED, PARTIAL = range(1, len(_TYPES))


@dataclass(frozen=True, repr=False)
class MentionDetection(CorefMetric):
    """Mentions that both sides have. One that is there twice counts once."""

    id = "coref.mentions"
    title = "mention detection"
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
            partner=of_partner(theirs.row, partner, -1),
            right=partner >= 0,
            extra=theirs.row[others[found.of_system[others] < 0]],
            coverage=lambda: found.coverage,
        )

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """The same numerator for recall and precision."""
        of = decisions
        right, gold, system = map(of.per_unit, (of.right, of.in_gold, of.in_system))
        stats = fraction_stats(right, gold, right, system)
        return with_labels(stats, decisions) if labels else stats


class _Overlaps:
    """How the entities of two sides overlap. A mention that an entity has twice counts once.

    - `gold`, `system`: the entities that count, as numbers of items
    - `ours`, `theirs`, `shared`: every two entities with mentions in common, and how many these are
    - `parts`: of every gold entity, in how many system entities its mentions are; `held`: of every
      system entity, of how many gold entities it has mentions
    """

    def __init__(self, match: Match) -> None:
        self.sizes, numbers, overlaps = [], [], []
        for side, entities in zip(match.sides, match.entities, strict=True):
            number, count = entity_of_mention(side.corpus)[side.row], len(entity_items(side.corpus))
            self.sizes.append(np.bincount(number[side.distinct], minlength=count))
            of_entity = np.zeros(side.entities, np.int64)
            of_entity[side.entity] = number
            numbers.append(of_entity[entities])
            overlaps.append(np.bincount(numbers[-1], minlength=count))
        self.gold, self.system = (np.flatnonzero(sizes) for sizes in self.sizes)
        (self.ours, self.theirs), self.shared = numbers, match.shared
        self.parts, self.held = overlaps

    @cached_property
    def partner(self) -> Int64:
        """The system entity of every gold entity, -1 for none: those with most mentions in common
        first, then the smaller ones, then earlier ones."""
        size = self.sizes[0][self.ours] + self.sizes[1][self.theirs]
        found = np.full(len(self.parts), -1, np.int64)
        taken = np.zeros(len(self.held), np.bool_)
        for pair in np.lexsort((self.theirs, self.ours, size, -self.shared)).tolist():
            gold, system = self.ours[pair], self.theirs[pair]
            if found[gold] < 0 and not taken[system]:
                found[gold], taken[system] = system, True
        return found

    def nearest(self, side: int) -> Int64:
        """Of every entity of a side (0 is gold), the one of the other side with most mentions in
        common, -1 for none."""
        own, other = (self.ours, self.theirs) if side == 0 else (self.theirs, self.ours)
        found = np.full(len(self.sizes[side]), -1, np.int64)
        order = np.lexsort((-other, self.shared))
        found[own[order]] = other[order]
        return found

    def types(self, side: int) -> Int64:
        """What happened to every entity of a side that is not found exactly."""
        own = (self.ours, self.theirs)[side]
        is_split, is_merged = (np.zeros(len(self.sizes[side]), np.bool_) for _ in range(2))
        is_split[own[self.parts[self.ours] > 1]] = True
        is_merged[own[self.held[self.theirs] > 1]] = True
        found = np.where(is_merged, MERGED, np.where(is_split, SPLIT, PARTIAL))
        found[is_split & is_merged] = MIXED
        found[(self.parts, self.held)[side] == 0] = (MISSING, EXTRA)[side]
        return found


@dataclass(frozen=True, repr=False)
class Entities(CorefMetric):
    """Entities of which a system finds every mention and no other; the rest are missing, extra,
    split, merged or partial."""

    id = "coref.entities"
    title = "exact entities"
    display = "Entities"
    item = "entity"
    cite = citation("kummerfeld-klein-2013-error")
    details = (CHAIN,)
    counts = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
        Count("missing"),
        Count("extra", "system"),
        Count("split"),
        Count("merged", "system"),
    )

    def items(self, corpus: Corpus) -> Items:
        """All entities, each where its first mention is."""
        return entity_items(corpus)

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per entity of gold, and one for each of the system that is nobody's partner."""
        match = self.match(gold, system, alignment)
        overlaps = _Overlaps(match)
        rows, partner = overlaps.gold, overlaps.partner[overlaps.gold]
        answered = partner >= 0
        partner = np.where(answered, partner, overlaps.nearest(0)[rows])
        extra = np.setdiff1d(overlaps.system, partner[answered])
        common = np.zeros(len(overlaps.parts), np.int64)
        common[overlaps.ours] = overlaps.shared
        ours, theirs = overlaps.sizes
        right = (overlaps.parts[rows] == 1) & (of_partner(overlaps.held, partner, 0) == 1)
        right &= (common[rows] == ours[rows]) & (common[rows] == of_partner(theirs, partner, -1))
        types = np.where(right, 0, overlaps.types(0)[rows])
        several = overlaps.held > 1
        content = _content(match.system)
        found = Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            rows=rows,
            partner=partner,
            right=right,
            answered=answered,
            extra=extra,
            met=overlaps.nearest(1)[extra],
            error=(types, overlaps.types(1)[extra]),
            error_types=_TYPES,
            answer=lambda: [content],
            identity=lambda: [content],
            marks={
                "split": (overlaps.parts[rows] > 1, False),
                "merged": (answered & of_partner(several, partner, False), several[extra]),
            },
            coverage=lambda: match.coverage,
        )
        # Two systems with the same entity here may have the rest of it elsewhere, or not at all.
        answer = lambda: np.where(  # noqa: E731
            found.system_row < 0, 0, fingerprint(found.answer, found.error_type)
        )
        return found.changed({"answer": answer})

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Entities of each kind. Split are those of gold, merged those of the system."""
        of = decisions
        rows = {
            "correct": of.in_gold & of.right,
            "gold": of.in_gold,
            "system": of.in_system,
            "missing": of.error_type == MISSING,
            "extra": of.error_type == EXTRA,
            **of.marks,
        }
        return Stats(*columns_of({name: of.per_unit(each) for name, each in rows.items()}))

    def score(self, totals: Totals) -> Scored:
        """Of exact entities."""
        return precision_recall_f1(*(totals[name] for name in ("correct", "gold", "system")))


def _content(side: Mentions) -> Int64:
    """A number for each entity of a system that is the same for the same mentions."""
    mentions = fingerprint(*mention_extents(side.corpus, side.atoms).identity)
    return set_codes(entity_of_mention(side.corpus), mentions, len(entity_items(side.corpus)))
