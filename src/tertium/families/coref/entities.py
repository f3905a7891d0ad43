"""Entities as wholes: which of them a system finds exactly, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64
from tertium.families.base import Scored, citation, columns_of, precision_recall_f1
from tertium.families.coref.base import CorefMetric
from tertium.families.coref.mentions import Match, Mentions, chains_of, mention_items
from tertium.families.spans.extents import distinct
from tertium.results.decisions import Decisions, fingerprint
from tertium.results.items import Detail, Items, of_partner
from tertium.results.parts import Count, ErrorType
from tertium.results.stats import Stats, Totals

ENTITY_TYPES = (
    ErrorType("split", "its mentions are in several entities of the other side"),
    ErrorType("merged", "its mentions are in an entity with those of further entities"),
    ErrorType("mixed", "both split and merged"),
    ErrorType("partial", "found as one entity, with mentions missing or extra"),
)
_TYPES = ("none", "missing", "extra", *(each.name for each in ENTITY_TYPES))
MISSING, EXTRA, SPLIT, MERGED, MIXED, PARTIAL = range(1, len(_TYPES))
CHAIN = Detail("chain", "the mentions of the entity")
_MOST = 30  # mentions of a chain that are written out
_EMPTY = "∅"  # a mention without words


@dataclass(frozen=True)
class Chained:
    """The entities of a side in the order of their first mentions: of every mention the number of
    its entity, and of every entity its mentions. All are rows of the layer."""

    corpus: Corpus
    entity: Int64
    rows: Sequence[Int64]

    def __getitem__(self, entity: int) -> str:
        """All mentions of an entity in words."""
        rows = self.rows[entity].tolist()
        found = ", ".join(map(self._words, rows[:_MOST]))
        return found if len(rows) <= _MOST else f"{found}, … ({len(rows):,} mentions)"

    def _words(self, row: int) -> str:
        corpus, items = self.corpus, mention_items(self.corpus)
        start, end = int(items.start[row]), int(items.end[row])
        places = range(end - start) if items.tokens is None else items.tokens[row].tolist()
        if corpus.forms is None:
            return f"{start + 1}-{end}"
        return " ".join(corpus.forms[start + place] for place in places) or _EMPTY


@once
def entities_of(corpus: Corpus) -> Chained:
    """The entities of a side."""
    chains = chains_of(corpus)
    code = fingerprint(corpus.document_of_sentence[chains.sentence], chains.entity)
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    entity = place[number]
    order = np.argsort(entity, kind="stable")
    bounds = np.cumsum(np.bincount(entity, minlength=len(first)))[:-1]
    return Chained(corpus, entity, np.split(order, bounds) if len(first) else [])


@once
def entity_items(corpus: Corpus) -> Items:
    """Every entity is an item where its first mention is."""
    chained, mentions = entities_of(corpus), mention_items(corpus)
    items = mentions.take(np.array([rows[0] for rows in chained.rows], np.int64))
    label = items.label.rename({"mention": "entity"})
    return Items(items.start, items.end, label, items.tokens, details={CHAIN: chained})


class _Overlaps:
    """How the entities of two sides overlap. A mention that an entity has twice counts once.

    - `gold`, `system`: the entities that count, as numbers of items
    - `ours`, `theirs`, `shared`: every two entities with mentions in common, and how many these are
    - `parts`: of every gold entity, in how many system entities its mentions are; `held`: of every
      system entity, of how many gold entities it has mentions
    """

    def __init__(self, match: Match, gold: Chained, system: Chained) -> None:
        self.sizes, entities = [], []
        for side, chained in ((match.gold, gold), (match.system, system)):
            entities.append(chained.entity[side.row])
            once = entities[-1][_distinct_mentions(side)]
            self.sizes.append(np.bincount(once, minlength=len(chained.rows)))
        self.gold, self.system = (np.flatnonzero(sizes) for sizes in self.sizes)
        found = np.flatnonzero(match.partner >= 0)
        found = found[distinct(fingerprint(entities[0][found], match.gold.key[found]))]
        pairs = np.stack([entities[0][found], entities[1][match.partner[found]]])
        (self.ours, self.theirs), self.shared = np.unique(pairs, axis=1, return_counts=True)
        self.parts = np.bincount(self.ours, minlength=len(gold.rows))
        self.held = np.bincount(self.theirs, minlength=len(system.rows))

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


def _distinct_mentions(side: Mentions) -> Int64:
    return distinct(fingerprint(side.entity, side.key))


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
        sides = entities_of(gold), entities_of(system)
        overlaps = _Overlaps(self.match(gold, system, alignment), *sides)
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
        content = _content(system, sides[1], alignment)
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
            coverage=lambda: self.odd_counts(gold, system, alignment),
        )
        # Two systems with the same entity here may have the rest of it elsewhere, or not at all.
        answer = lambda: np.where(  # noqa: E731
            found.system_row < 0, 0, fingerprint(found.answer, found.error_type)
        )
        return found.changed({"answer": answer})

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Entities of each kind. Split are those of gold, merged those of the system."""
        of, type = decisions, decisions.error_type
        marks = decisions.marks
        return Stats(
            *columns_of(
                {
                    "correct": of.per_unit(of.in_gold & of.right),
                    "gold": of.per_unit(of.in_gold),
                    "system": of.per_unit(of.in_system),
                    "missing": of.per_unit(type == MISSING),
                    "extra": of.per_unit(type == EXTRA),
                    "split": of.per_unit(marks["split"]),
                    "merged": of.per_unit(marks["merged"]),
                }
            ),
        )

    def score(self, totals: Totals) -> Scored:
        """Of exact entities."""
        return precision_recall_f1(*(totals[name] for name in ("correct", "gold", "system")))


def _content(corpus: Corpus, chained: Chained, alignment: Alignment) -> Int64:
    """A number for each entity of a system that is the same for the same mentions."""
    items, chains = mention_items(corpus), chains_of(corpus)
    start = alignment.system_start[items.start]
    end = alignment.system_end[np.maximum(items.end - 1, items.start)]
    empty = (chains.end == chains.start).astype(np.int64)
    if chains.zeros is not None:
        empty += np.diff(chains.zeros.bounds)
    found = np.zeros(len(chained.rows), np.uint64)
    mention = fingerprint(start, end, empty, *items.gaps()).view(np.uint64)
    np.add.at(found, chained.entity, mention)  # whatever their order
    return found.view(np.int64)
