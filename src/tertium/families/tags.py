"""Tags: one label per token, and their accuracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, get_args

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Tags, Trees
from tertium.corpus.schemes import is_span_column, span_columns
from tertium.exceptions import LayerError, UsageError
from tertium.families import debatable as debate
from tertium.families.ballots import Ballot, Poll, Proposals, Vote, winners
from tertium.families.base import (
    Metric,
    Scored,
    citation,
    column_fact,
    column_remark,
    columns_of,
    counterpart,
    divide,
    precision_recall_f1,
    which,
    with_column,
    with_labels,
)
from tertium.families.family import Family, Use, is_about_chains
from tertium.families.keys import NONE, Key, KnownKey
from tertium.families.token_labels import tags_of
from tertium.formats.base import is_for_spans
from tertium.formats.confusions import Confusions
from tertium.formats.resources import Lexicon
from tertium.registry import parameter
from tertium.results.decisions import NO_LABEL, Decisions, Pieces
from tertium.results.items import Items, of_partner
from tertium.results.parts import EXACT_MATCH, Count, ErrorType, Part, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals
from tertium.results.votes import partner_codes

# What tables call the columns that everybody knows.
COLUMNS = {"upos": "UPOS", "xpos": "XPOS", "pos": "POS", "feats": "FEATS", "lemma": "LEMMA"}


class TagKey(Key):
    """Groups by the tags of a column."""

    def has(self, corpus: Corpus) -> bool:
        """Is the column there?"""
        return isinstance(corpus.layers.get(self.column), Tags)

    def of_words(self, corpus: Corpus) -> Labels:
        """The tags."""
        return corpus.layer(self.column, Tags).labels.rename({"_": NONE})


@dataclass(frozen=True)
class UposKey(TagKey):
    """The universal part of speech."""

    name = column = "upos"
    what = "tags 'upos'"


@dataclass(frozen=True)
class XposKey(TagKey):
    """The language-specific tag."""

    name = column = "xpos"
    what = "tags 'xpos'"


@dataclass(frozen=True)
class FeatureKey(TagKey):
    """The value of a morphological feature."""

    name = "feature"
    form = "feature:NAME"
    column = "feats"
    what = "morphological features (layer 'feats')"

    feature: str = ""

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """The feature stands behind the colon."""
        if not argument:
            raise UsageError(f"'{text}' names no feature; write feature:NAME, such as feature:Case")
        return cls(text, argument)

    @property
    def absent(self) -> str:
        """The feature may be misspelt."""
        return f"nothing in the gold standard has the feature '{self.feature}'"

    def of_words(self, corpus: Corpus) -> Labels:
        """Several values as written."""
        feats = corpus.layer(self.column, Tags).labels
        return feats.rename({text: feature_value(text, self.feature) for text in feats.names})


def feature_value(feats: str, name: str) -> str:
    """The value of a feature in a FEATS column, several values as written; NONE without it.

    >>> feature_value("Case=Nom,Acc|Number[psor]=Sing", "Number[psor]")
    'Sing'
    >>> feature_value("Case=Nom,Acc|Number[psor]=Sing", "Number")
    '(none)'
    """
    for entry in feats.split("|"):
        key, equals, value = entry.partition("=")
        if equals and key == name:
            return value
    return NONE


# Columns of CoNLL-U Plus and .conllulex that no metric judges unless it names them.
_NO_TAGS = frozenset("lemma head deps misc smwe lexlemma wmwe wcat wlemma".split())


@dataclass(frozen=True, repr=False)
class TagFamily(Family):
    """One label per token, in any column that does not hold spans."""

    id = "tags"
    title = "tags"
    reads = (Tags,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = dict.fromkeys(
        get_args(Use), ("tags.accuracy",)
    )
    beside = ("tags.accuracy(column)",)  # further columns would bury other layers
    types = (ErrorType("label"), debate.DEBATABLE, ErrorType("unaligned"))
    keys = (UposKey, XposKey, FeatureKey, KnownKey)

    def find(self, corpus: Corpus) -> list[str]:
        """Columns of plain tags, `upos` first. Lemmas are left out: their conventions differ too
        much to be a default. So are heads and numbers of words, unless there is nothing else."""
        plain = [
            name
            for name, layer in corpus.of_kind(Tags).items()
            if name != "lemma" and not may_hold_spans(corpus, name, layer)
        ]
        tags = [name for name in plain if not is_no_tag(name, corpus)] or plain
        return sorted(tags, key=lambda name: name != "upos")

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """Without features where their own metric has them (`DependencyFamily`), and without the
        parts of speech of trees, which are judged with these, and of coreference chains."""
        from tertium.families.deps.words import has_universal_features

        if gold.of_kind(Trees) or is_about_chains(gold):
            return []
        found = super().usual(gold, use)
        if use not in ("score", "compare") or not has_universal_features(gold):
            return found
        return [text for text in found if "'feats'" not in text]

    def items(self, corpus: Corpus, name: str) -> Items:
        """The tokens with their tags."""
        return Items.of_tokens(corpus.layer(name, Tags).labels)

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """The column."""
        known = metric if isinstance(metric, Accuracy) else None
        return (TagBallot(known, known.column or "upos"),) if known else ()


@dataclass(frozen=True, eq=False)
class TagBallot(Ballot):
    """Votes on one label per token."""

    def find(self, corpus: Corpus) -> str:
        """As the metric finds it, where it is one that has a choice."""
        if isinstance(self.metric, Accuracy):
            return self.metric.name_in(corpus)
        corpus.layer(self.column, Tags)
        return self.column

    def votes(self, poll: Poll) -> Int64:
        """The label of every token."""
        return _said(poll)[1].astype(np.int64)

    def count(self, poll: Poll) -> Vote:
        """The label with most votes for every token of the base; a token without a partner casts
        none."""
        names, said = _said(poll)
        fold = poll.fold[poll.base.sentence_of_token]
        labels, tied = winners(names, said, fold, poll.worth(names), poll.agreement)
        return Vote(Tags(labels), ties=int(tied.sum()))

    def elect(self, base: Corpus, found: Proposals) -> Vote:
        """The best label of every token; those of spans are made legal."""
        return tags_of(base, found)


def _said(poll: Poll) -> tuple[Names, Int32]:
    """What voters say about the tokens of the base."""
    voters = poll.voters
    labels = [voter.corpus.layer(voter.layer, Tags).labels for voter in voters]
    partners = [voter.alignment.system_of_gold for voter in voters]
    return partner_codes(labels, partners, poll.base.token_count)


def is_no_tag(name: str, corpus: Corpus) -> bool:
    """Does a column of that name hold lemmas, heads or numbers of words? Relations beside heads
    belong to them."""
    return name in _NO_TAGS or (name == "deprel" and "head" in corpus.layers)


def may_hold_spans(corpus: Corpus, name: str, layer: Tags) -> bool:
    """Is a column of tags meant to hold spans? Decoding names the tags in it that are none."""
    if is_span_column(layer.labels):
        return True
    return not is_no_tag(name, corpus) and is_for_spans(corpus, layer)


@dataclass(frozen=True, repr=False)
class Accuracy(Metric):
    """Share of gold tokens that have the right tag.

    `column` names the tag column; by default `upos`, else the first that does not hold spans.
    Tokens that could not be aligned count as wrong for accuracy and recall; precision divides by
    the system's tokens. With a lexicon, known and unknown words are also scored apart; with what
    annotators confuse (`debatable`), debatable errors are excused or count less.
    """

    id = "tags.accuracy"
    title = "tagging accuracy"
    family = "tags"
    item = "token"
    parts = (
        Part("accuracy"),
        Part("sentence_mean", over="units"),
        Part("complete", over="units", title=EXACT_MATCH),
        *precision_recall_f1_parts(),
        Part("known"),
        Part("unknown"),
        *debate.PARTS,
    )
    cite = citation("church-1988-stochastic", "plank-etal-2014-linguistically")
    headline = "accuracy"
    shown = ("accuracy", "known", "unknown", *(part.name for part in debate.PARTS))
    counts = (
        Count("correct", "both"),
        Count("items", is_total=True),
        Count("system", "system", is_total=True),
    )

    column: str | None = parameter(None, help="name of the tag column")
    lexicon: Lexicon | None = parameter(
        None, help="training data: words in it are known", resource="lexicon"
    )
    debatable: Confusions | None = debate.debatable_parameter()
    scoring: str = debate.scoring_parameter()
    confused: float = debate.confused_parameter()
    share: float = debate.share_parameter()

    @property
    def header(self) -> str:
        """The name of a well-known column."""
        if self.id != Accuracy.id:
            return super().header
        return COLUMNS.get(self.column or "", "accuracy")

    def needs(self) -> frozenset[str] | None:
        """The column, or all while it is not settled."""
        return frozenset({self.column}) if self.column else None

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """The column that would be scored, where none is named."""
        if self.column is not None:
            self._tags(corpus)  # raises, with what there is
            return frozenset()
        if (name := usual_column(corpus)) is None:
            raise LayerError(f"{corpus.origin} has no tags to score with {self.id}")
        return column_fact(name)

    def fit(self, facts: frozenset[str]) -> Self:
        """Settle the column."""
        return with_column(self, facts)

    def name_in(self, corpus: Corpus) -> str:
        """The name of the column that answers to `column` in a file."""
        name = self.column or "upos"
        return counterpart(corpus, name, _candidates(corpus, name))

    def _tags(self, corpus: Corpus) -> Labels:
        return corpus.layer(self.name_in(corpus), Tags).labels

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Says so if the system's only column has another name, and what is debatable."""
        name = self.column or "upos"
        found = column_remark(system, name, _candidates(system, name))
        return [*found, *debate.remarks(self, self._tags(gold))]

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold token, and one per system token that has no partner."""
        if self.column is not None:
            gold.layer(self.column, Tags)  # of the two, only a system may call it otherwise
        ours, theirs = self.items(gold), self.items(system)
        names, (gold_code, system_code) = unite(ours.label, theirs.label)
        partner = alignment.system_of_gold
        extra = np.flatnonzero(alignment.gold_of_system < 0)
        rows = Decisions.of(
            ours,
            theirs,
            alignment,
            partner=partner,
            right=of_partner(system_code, partner, NO_LABEL) == gold_code,
            extra=extra,
            labels=(names, gold_code, system_code),
            error_types=("none", "label", "unaligned"),
            marks=self._known(gold, system, extra),
        )
        return debate.debated(self, rows)

    def items(self, corpus: Corpus) -> Items:
        """The tokens with their tags."""
        return Items.of_tokens(self._tags(corpus))

    def _known(self, gold: Corpus, system: Corpus, extra: Int64) -> dict[str, Pieces]:
        """Is the word in the lexicon, by its gold side where it has one, else by the system's?"""
        if self.lexicon is None:
            return {}
        if gold.forms is None or system.forms is None:
            raise LayerError(f"{gold.origin} has no words to compare with a lexicon")
        known = self.lexicon.forms.__contains__
        ours, theirs = which(gold.forms, known), which(system.forms, known)
        return {"known": (ours, theirs[extra])}

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Counts, and the accuracy of each sentence for its mean."""
        in_gold = decisions.in_gold
        correct, items = decisions.credit_per_unit(), decisions.per_unit(in_gold)
        right = decisions.per_unit(decisions.right & in_gold) if decisions.is_graded else correct
        occupied = (items > 0).astype(np.float64)
        columns = {
            "correct": correct,
            "items": items,
            "system": decisions.per_unit(decisions.in_system),
            "sentences": occupied,
            "sentence_accuracy": np.where(items > 0, correct / np.maximum(items, 1), 0.0),
            "complete": occupied * (right == items) * (decisions.per_unit(~in_gold) == 0),
            **debate.columns(decisions),
        }
        if (known := decisions.mark("known")) is not None:
            for name, rows in (("known", known), ("unknown", ~known)):
                columns[f"{name}_correct"] = decisions.credit_per_unit(rows)
                columns[f"{name}_items"] = decisions.per_unit(rows & in_gold)
        stats = Stats(*columns_of(columns))
        return with_labels(stats, debate.for_labels(decisions)) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Accuracy and its relatives."""
        scores = {
            "accuracy": divide(totals["correct"], totals["items"]),
            "sentence_mean": divide(totals["sentence_accuracy"], totals["sentences"]),
            "complete": divide(totals["complete"], totals["sentences"]),
            **precision_recall_f1(totals["correct"], totals["items"], totals["system"]),
            **debate.scores(totals, totals["items"]),
        }
        if "known_items" in totals:
            for name in ("known", "unknown"):
                scores[name] = divide(totals[f"{name}_correct"], totals[f"{name}_items"])
        return scores

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        if part in ("known", "unknown"):
            return f"no {part} words"
        return debate.reason(part) or "there are no tokens to score"


@once
def usual_column(corpus: Corpus) -> str | None:
    """The column that is scored where none is named: `upos`, else the first that does not hold
    spans, else the first."""
    there = corpus.of_kind(Tags)
    if "upos" in there:
        return "upos"
    spans = span_columns(corpus)
    return next((name for name in there if name not in spans), next(iter(there), None))


def _candidates(corpus: Corpus, name: str) -> list[str]:
    """Columns that may answer to `name`: that one or, where there is none, any of plain tags."""
    if isinstance(corpus.layers.get(name), Tags):
        return [name]
    spans = span_columns(corpus)
    return [n for n in corpus.of_kind(Tags) if n not in spans]
