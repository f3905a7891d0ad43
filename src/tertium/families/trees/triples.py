"""Dependency-based evaluation of trees (Lin 1998): of every word its tag and its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, concatenate, unite
from tertium.corpus.layers import Tags, Trees
from tertium.corpus.trees import FUNCTIONS, POS, TREES
from tertium.exceptions import LayerError
from tertium.families.base import Scored, citation, precision_recall_f1
from tertium.families.deps.base import WordMetric
from tertium.families.deps.words import UNALIGNED, Bools, WordPairs
from tertium.families.trees.family import plain_function
from tertium.formats.heads import (
    Dependencies,
    HeadRules,
    dependencies,
    fitting_rules,
    has_head_functions,
    load_heads,
    marks,
)
from tertium.registry import parameter
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Detail, TextColumn, of_partner
from tertium.results.parts import Count, Part, precision_recall_f1_parts
from tertium.results.stats import Totals

RULES = "rules="  # before the name of rules in a fact


@dataclass(frozen=True, repr=False)
class Triples(WordMetric):
    """Precision and recall of triples of word, tag and head, with words known by their positions.

    The head of a constituent is the daughter with the function HD, else the one that head rules
    prefer; `heads='rules'` ignores functions. Without `rules` those that fit the gold standard's
    labels are used for all sides. The word that heads the sentence has the root as its head. Words
    without a letter or digit do not count unless `punct='keep'`; what depends on one still does.
    With `labeled` the function of the largest constituent that the word heads counts as well.
    """

    id = "trees.triples"
    title = "dependency triples of trees"
    display = "triples"
    family = "trees"
    parts: ClassVar[tuple[Part, ...]] = precision_recall_f1_parts()
    shown: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1")
    counts = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
    )
    cite = citation("lin-1998-dependency", "rehbein-van-genabith-2007-evaluating")
    transitions = "types"
    details = (Detail("relation", "the function of the word's largest constituent"),)
    name = POS
    columns: ClassVar[frozenset[str]] = frozenset({TREES, POS})
    error_types = (
        *("none", "POS", "attachment", "POS and attachment"),
        *("relation", "unaligned"),
    )

    heads: str = parameter(
        "auto", help="functions (HD) before head rules, or rules alone", choices=("auto", "rules")
    )
    rules: HeadRules | None = parameter(
        None, help="head rules: penn, penn-content, tiger, tueba or a file", resource="heads"
    )
    labeled: bool = parameter(False, help="compare functions as well", choices=(False, True))
    punct: str = parameter(
        "drop", help="leave out words without a letter or digit", choices=("drop", "keep")
    )

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """The rules that fit the labels; trees and parts of speech must be there."""
        for name, kind, what in ((TREES, Trees, "trees"), (POS, Tags, "parts of speech")):
            if not isinstance(corpus.layers.get(name), kind):
                raise LayerError(f"{corpus.origin} has no {what} for {self.id} to compare")
        return frozenset({f"{RULES}{name}" for name in fitting_rules(corpus)})

    def fit(self, facts: frozenset[str]) -> Self:
        """With the rules that fit gold. All gold files are looked at: one may be too small to
        tell."""
        if self.rules is not None:
            return self
        found = [name for name in ("tueba", "tiger", "penn") if f"{RULES}{name}" in facts]
        return replace(self, rules=load_heads(found[0] if found else "penn"))

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per word that counts; the same rules for both sides. Sentences that the system
        lacks, or has with other words, are left out."""
        if self.rules is None:
            return self.fit(self.facts(gold)).decide(gold, system, alignment)
        return super().decide(gold, system, alignment)

    def dependencies(self, corpus: Corpus) -> Dependencies:
        """What every word depends on."""
        rules = self.rules or self.fit(self.facts(corpus)).rules
        assert rules is not None
        return dependencies(corpus, rules, self.heads == "auto")

    def heads_of(self, corpus: Corpus) -> Int64:
        """The head of every word."""
        return self.dependencies(corpus).head

    def relations(self, corpus: Corpus) -> Labels:
        """The function of the largest constituent that each word heads; the root has none."""
        of_words = corpus.extra(FUNCTIONS, Tags)
        words = Labels.constant("", corpus.token_count) if of_words is None else of_words.labels
        found = concatenate([words, corpus.layer(TREES, Trees).function, Labels.of([""])])
        found = found.rename({name: plain_function(name) for name in found.names})
        head, place = self.dependencies(corpus)
        return found.take(np.where(head < 0, len(found) - 1, place))

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """Relations, where they are compared."""
        none = Labels.constant("", corpus.token_count)
        return (self.relations(corpus) if self.labeled else none,)

    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """By what is wrong: tag, head or both; relations only where these are right."""
        theirs = of_partner(pair.in_gold(self.heads_of(pair.system)), pair.partner, UNALIGNED)
        wrong_head = theirs != self.heads_of(pair.gold)
        error: npt.NDArray[np.uint8] = (~pair.same(POS) + 2 * wrong_head).astype(np.uint8)
        if self.labeled:
            _, (mine, yours) = unite(*map(self.relations, (pair.gold, pair.system)))
            error[(error == 0) & (mine != of_partner(yours, pair.partner, -1))] = 4
        error[~pair.aligned] = 5
        return error

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """Head and tag of every system word, and its relation where that is compared."""
        found = pair.in_gold(self.heads_of(pair.system)), pair.hashes(POS)
        if not self.labeled:
            return found
        relations = self.relations(pair.system)
        return (*found, name_hashes(relations.names)[relations.codes])

    def counted(self, pair: WordPairs) -> tuple[Bools | None, Bools | None]:
        """Words with a letter or digit, in gold where they have a partner there."""
        if self.punct == "keep":
            return None, None
        ours, theirs = ~marks(pair.gold), ~marks(pair.system)
        paired = pair.met >= 0
        theirs[paired] = ours[pair.met[paired]]
        return ours, theirs

    def score(self, totals: Totals) -> Scored:
        """The three numbers of the field."""
        return precision_recall_f1(totals["correct"], totals["gold"], totals["system"])

    def agreement(self, gold: Corpus) -> tuple[int, int]:
        """How many words have the same head by rules alone as by functions, and how many there
        are: what section 3.3 of Rehbein and van Genabith (2007) reports."""
        same = self.heads_of(gold) == replace(self, heads="rules").heads_of(gold)
        counted = ~marks(gold) if self.punct == "drop" else np.ones(len(same), np.bool_)
        return int(same[counted].sum()), int(counted.sum())

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """How far the rules agree with functions, where gold has these."""
        if self.heads != "auto" or self.rules is None or not has_head_functions(gold):
            return []
        same, words = self.agreement(gold)
        share = 100 * same / words if words else 0.0
        return [
            f"{gold.origin}: head rules ({self.rules.name}) against function labels: "
            f"P, R and F1 {share:.2f} ({same:,} of {words:,} words)"
        ]
