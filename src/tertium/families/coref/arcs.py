"""ARCS (Tuggener 2014, 2017): is a mention linked to a correct antecedent?

Items are the gold mentions that have an antecedent, and what systems link without reason. Each has
one of four classes, and two systems differ on an item if its classes do.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, bounds_of
from tertium.corpus.layers import Ragged
from tertium.exceptions import UsageError
from tertium.families.base import Floats, Scored, citation, columns_of, divide, f1, with_row_labels
from tertium.families.coref.base import CorefMetric
from tertium.families.coref.chains import (
    MentionTexts,
    chains_of,
    document_of_mention,
    mention_extents,
    mention_items,
)
from tertium.families.coref.groups import (
    FEATURES,
    NOUN,
    TAG_LAYERS,
    TagSet,
    mention_groups,
    preference,
    tag_layers,
    word_groups,
)
from tertium.families.coref.match import Match
from tertium.families.coref.mentions import Bools, Mentions
from tertium.families.spans.extents import row_of
from tertium.registry import parameter
from tertium.results.decisions import Decisions
from tertium.results.items import NOWHERE, Detail, Items, of_partner
from tertium.results.parts import Count, Part, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals

CLASSES = ("tp", "fn", "wl", "fp")
TP, FN, WL, FP = range(len(CLASSES))
_ANSWERS = np.array([1, 0, 2, 3])  # as it stands where a system has nothing: 0
AUTO, NO_TAGS = "auto", "none"
_TAGS, _CHAINS = "tags=", "chains"  # facts: a layer with parts of speech; that there are chains
ANTECEDENT = Detail("antecedent", "the mention that it is linked to", " ← {}")


@dataclass(frozen=True, repr=False)
class ArcsMetric(CorefMetric):
    """What both criteria share: the classes, and what is counted.

    `tags` is the layer of parts of speech, `nouns`, `pronouns` and `possessives` are tags in it,
    separated by spaces, where they are not those of the usual tag sets.
    """

    parts: ClassVar[tuple[Part, ...]] = (*precision_recall_f1_parts(), Part("accuracy"))
    shown = ("f1",)
    counts = (Count("tp", "both"), Count("fp", "system"), Count("fn"), Count("wl", "both"))
    cite = citation("tuggener-2014-coreference", "tuggener-2017-method")
    right_type = "tp"
    silence = "tn"
    details = (ANTECEDENT,)

    tags: str = parameter(
        AUTO, help="the layer of parts of speech; auto takes the first with nouns"
    )
    nouns: str | None = parameter(None, help="tags of nouns, separated by spaces")
    pronouns: str | None = parameter(None, help="tags of personal pronouns, separated by spaces")
    possessives: str | None = parameter(
        None, help="tags of possessive pronouns, separated by spaces"
    )

    @property
    def tag_set(self) -> TagSet:
        """Which parts of speech are nouns and pronouns."""
        names = ("nouns", "pronouns", "possessives")
        given = {name: text for name in names if (text := getattr(self, name)) is not None}
        return TagSet(**{name: frozenset(text.split()) for name, text in given.items()})

    def needs(self) -> frozenset[str] | None:
        """Parts of speech as well."""
        own = TAG_LAYERS if self.tags == AUTO else frozenset({self.tags, FEATURES})
        return own | (super().needs() or frozenset())

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """That there are chains, and which layers have parts of speech."""
        chains_of(corpus)
        return frozenset({_CHAINS, *(f"{_TAGS}{n}" for n in tag_layers(corpus, self.tag_set))})

    def fit(self, facts: frozenset[str]) -> Self:
        """With the layer of parts of speech that gold has; all its files are looked at, since one
        may be too small to have a noun."""
        if self.tags != AUTO:
            return self
        found = sorted(
            (f.removeprefix(_TAGS) for f in facts if f.startswith(_TAGS)), key=preference
        )
        if not found and _CHAINS in facts:
            self.check_tags("the gold standard has no known tags of nouns")
        return replace(self, tags=found[0] if found else NO_TAGS)

    def check_tags(self, lacking: str) -> None:
        """Refuse a text without parts of speech, where these are needed."""

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold mention with an antecedent, and one per false positive."""
        if self.tags == AUTO:
            return self.fit(self.facts(gold)).decide(gold, system, alignment)
        if self.tags != NO_TAGS and self.tags not in tag_layers(gold, self.tag_set):
            self.check_tags(f"'{self.tags}' of {gold.origin} has no known tags of nouns")
        found = self.match(gold, system, alignment)
        every = mention_items(gold), mention_items(system).over(alignment)
        groups = [self.groups(gold, items) for items in every]
        linked = [self.antecedents(*side) for side in zip(found.sides, groups, strict=True)]
        asked = np.flatnonzero(linked[0] >= 0)
        partner = found.partner[asked]
        link = of_partner(linked[1], partner, -1)
        is_right = (link >= 0) & self.agrees(found, asked, link)
        error = np.where(is_right, TP, np.where(link >= 0, WL, FN)).astype(np.uint8)
        extra = np.flatnonzero((linked[1] >= 0) & ~_has_antecedent(found))
        decided = Decisions.of(
            _items(found.gold, groups[0], linked[0]),
            _items(found.system, groups[1], linked[1]),
            alignment,
            rows=found.gold.row[asked],
            partner=of_partner(found.system.row, partner, -1),
            right=is_right,
            extra=found.system.row[extra],
            met=of_partner(found.gold.row, found.of_system[extra], -1),
            error=(error, FP),
            error_types=("none", *CLASSES[1:]),
            identity=lambda: mention_extents(system, found.system.atoms).identity,
            coverage=lambda: found.coverage,
        )
        # The class alone is the answer: whatever a missed mention is in a system, it is missed.
        return decided.changed({"answer": lambda: _ANSWERS[decided.error_type]})

    def groups(self, text: Corpus, items: Items) -> Labels | None:
        """The group of every mention over the tokens of a text; None without parts of speech."""
        layers = tag_layers(text, self.tag_set)
        tags = layers[0] if self.tags == AUTO and layers else self.tags
        if tags not in layers:
            return None
        return mention_groups(items, word_groups(text, tags, self.tag_set))

    @abstractmethod
    def antecedents(self, side: Mentions, groups: Labels | None) -> Int64:
        """Of every mention of a side the one that it is linked to, -1 for none."""

    @abstractmethod
    def agrees(self, found: Match, asked: Int64, link: Int64) -> Bools:
        """Which of the gold mentions `asked` for are linked correctly; `link` is what the system
        links each to, -1 for nothing."""

    def items(self, corpus: Corpus) -> Items:
        """All mentions of a side with their antecedents, by its own parts of speech."""
        items, token = mention_items(corpus), np.arange(corpus.token_count)
        document, each = document_of_mention(corpus), np.arange(len(items))
        side = Mentions.of(corpus, (token, token + 1), document, each)
        groups = self.groups(corpus, items)
        return _items(side, groups, self.antecedents(side, groups))

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """How many mentions are of each class."""
        rows = {name: decisions.error_type == code for code, name in enumerate(CLASSES)}
        stats = Stats(*columns_of({name: decisions.per_unit(each) for name, each in rows.items()}))
        return with_row_labels(stats, decisions, rows) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Precision, recall, F1, and the share of linked gold mentions that are linked right."""
        return _scores(*(totals[name] for name in CLASSES))

    def label_scores(self, totals: Totals) -> Scored:
        """The same for every group of mentions."""
        if CLASSES[0] not in totals.sparse:
            return {}
        return _scores(*(totals.label(name) for name in CLASSES))

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        return {
            "recall": "the gold standard has no mention with an antecedent",
            "precision": "the system links no mention to an antecedent",
            "accuracy": "the system links none of the mentions that have an antecedent in gold",
        }.get(part, "neither gold nor system has a mention with an antecedent")


@dataclass(frozen=True, repr=False)
class ArcsAny(ArcsMetric):
    """A mention is right if any of its antecedents in the system is one in gold."""

    id = "coref.arcs_any"
    title = "mentions linked to any correct antecedent (ARCS)"
    display = "ARCS any"

    def antecedents(self, side: Mentions, groups: Labels | None) -> Int64:
        """The closest one is shown."""
        return antecedents_of(side.entity, side.is_distinct)

    def agrees(self, found: Match, asked: Int64, link: Int64) -> Bools:
        """Is a mention before it in both chains?"""
        rows, partner = found.found, found.partner[found.found]
        number = found.cell[rows]  # of the two chains
        order = np.lexsort((rows, number))
        # The first of the system's among those before in gold; lower in every next pair of chains.
        place = partner[order] - number[order] * (len(found.system) + 1)
        least = np.minimum.accumulate(np.append(np.iinfo(np.int64).max, place))[:-1]
        shared = np.zeros(len(found.gold), np.bool_)
        shared[rows[order]] = least < place
        return shared[asked]

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """That there are no parts of speech for the stricter criterion."""
        told = super().remarks(gold, system)
        if not tag_layers(gold, self.tag_set):
            told.append(
                "gold has no parts of speech, so any correct antecedent counts "
                f"({self.id}); '--with FILE' adds them for {ArcsNom.id}, which looks for nouns"
            )
        return told


@dataclass(frozen=True, repr=False)
class ArcsNom(ArcsMetric):
    """A mention is right if its closest nominal antecedent in the system is an antecedent in gold.

    Mentions of two or more tokens are nominal, and those of one token that is a noun. Gold mentions
    without a nominal antecedent are not asked for. `antecedent='farthest'` tests the first nominal
    mention of the chain, as the published script for comparisons does.
    """

    id = "coref.arcs_nom"
    title = "mentions linked to a correct nominal antecedent (ARCS)"
    display = "ARCS nom"

    antecedent: str = parameter(
        "closest", help="which nominal antecedent is tested", choices=("closest", "farthest")
    )

    def check_tags(self, lacking: str) -> None:
        """Nouns must be known."""
        raise UsageError(
            f"{self.id} needs parts of speech, but {lacking}",
            help="'--with FILE' adds those of a second file over the same tokens; 'nouns' names "
            f"the tags of a different tag set; {ArcsAny.id} needs none",
        )

    def antecedents(self, side: Mentions, groups: Labels | None) -> Int64:
        """The closest nominal one, or the farthest; without parts of speech all are nominal."""
        is_nominal = True if groups is None else groups.codes[side.row] == NOUN
        nominal, counted = side.is_distinct & is_nominal, side.is_distinct
        return antecedents_of(side.entity, nominal, counted, farthest=self.antecedent == "farthest")

    def agrees(self, found: Match, asked: Int64, link: Int64) -> Bools:
        """Is the mention that it is linked to before it in its gold chain?"""
        chain = found.gold.entity * (len(found.system) + 1)
        before = row_of(chain[asked] + link, chain + found.partner, found.found)
        result: Bools = (before >= 0) & (before < asked)
        return result


def _items(side: Mentions, groups: Labels | None, link: Int64) -> Items:
    """The mentions of a side with their groups as labels, and their antecedents."""
    items, rows = mention_items(side.corpus), side.row
    target = np.full(len(items), -1, np.int64)
    target[rows] = of_partner(rows, link, -1)
    linked = Ragged(bounds_of(target >= 0), target[target >= 0].astype(np.int32))
    return replace(
        items,
        label=Labels.constant("mention", len(items)) if groups is None else groups,
        second=of_partner(items.start.astype(np.int64), target, NOWHERE),
        details={ANTECEDENT: MentionTexts(side.corpus, linked)},
    )


def antecedents_of(
    entity: Int64, eligible: Bools, counted: Bools | None = None, *, farthest: bool = False
) -> Int64:
    """Of every mention that counts, the last eligible one before it in its chain, or the first of
    the chain if `farthest`; -1 for none. Mentions are in the order of the text.

    >>> entity, nominal = np.array([0, 1, 0, 0]), np.array([True, True, False, True])
    >>> antecedents_of(entity, nominal, counted=np.ones(4, np.bool_)).tolist()
    [-1, -1, 0, 0]
    """
    order = np.argsort(entity, kind="stable")
    place, size = np.arange(len(order)), len(order)
    begin = np.searchsorted(entity[order], entity[order])
    chosen = eligible[order]
    if farthest:
        target = np.minimum.accumulate(np.where(chosen, place, size)[::-1])[::-1][begin]
    else:
        target = np.append(-1, np.maximum.accumulate(np.where(chosen, place, -1)))[:-1]
    is_there = (target >= begin) & (target < place)
    found = np.full(size, -1, np.int64)
    found[order] = np.append(order, -1)[np.where(is_there, target, -1)]
    found[~(eligible if counted is None else counted)] = -1
    return found


def _has_antecedent(found: Match) -> Bools:
    """Which mentions of the system have an antecedent in gold, in any of their chains there."""
    gold = found.gold
    linked = antecedents_of(gold.entity, gold.is_distinct) >= 0
    known = np.isin(gold.key, gold.key[linked])
    return of_partner(known, found.of_system, 0)


def _scores(tp: Floats, fn: Floats, wl: Floats, fp: Floats) -> Scored:
    return {
        "precision": divide(tp, tp + wl + fp),
        "recall": divide(tp, tp + wl + fn),
        "f1": f1(tp, tp + wl + fn, tp + wl + fp),
        "accuracy": divide(tp, tp + wl),
    }
