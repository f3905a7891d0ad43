"""Accuracy of one label per token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, unite
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import is_span_column
from tertium.exceptions import LayerError
from tertium.formats.resources import Lexicon
from tertium.metrics.base import (
    Metric,
    Scored,
    column_remark,
    columns_of,
    counterpart,
    divide,
    label_precision_recall_f1,
    of_partner,
    precision_recall_f1,
    token_items,
    with_labels,
)
from tertium.registry import parameter
from tertium.results.decisions import (
    CORRECT,
    EXTRA,
    MISSING,
    NO_LABEL,
    WRONG,
    Decisions,
    extra_items,
    name_hashes,
)
from tertium.results.stats import Stats, Totals


@dataclass(frozen=True, repr=False)
class Accuracy(Metric):
    """Share of gold tokens that have the right tag.

    `column` names the tag column; by default `upos`, else the first that does not hold spans.
    Tokens that could not be aligned count as wrong for accuracy and recall; precision divides by
    the system's tokens. With a lexicon, known and unknown words are also scored apart.
    """

    id = "tags.accuracy"
    title = "tagging accuracy"
    layer = "tags"
    cite = """@inproceedings{church-1988-stochastic,
  title = {A Stochastic Parts Program and Noun Phrase Parser for Unrestricted Text},
  author = {Church, Kenneth Ward},
  booktitle = {Second Conference on Applied Natural Language Processing},
  year = {1988},
  pages = {136--143}
}"""
    headline = "accuracy"
    shown = ("accuracy", "complete")
    counted = ("correct", "items", "system")

    column: str | None = parameter(None, help="name of the tag column")
    lexicon: Lexicon | None = parameter(
        None, help="training data: words in it are known", resource="lexicon"
    )

    def needs(self) -> frozenset[str] | None:
        """The column, or all while it is not settled."""
        return frozenset({self.column}) if self.column else None

    def fit(self, gold: Corpus) -> Self:
        """Settle the column."""
        if self.column is not None:
            gold.layer(self.column, Tags)
            return self
        there = gold.of_kind(Tags)
        plain = [n for n, tags in there.items() if not is_span_column(tags.labels)]
        if "upos" in there:
            return replace(self, column="upos")
        if plain or there:
            return replace(self, column=(plain or list(there))[0])
        raise LayerError(f"{gold.origin} has no tags to score with {self.id}")

    def check(self, corpus: Corpus) -> None:
        """The column must be there, or be the only one."""
        self._tags(corpus)

    def name_in(self, corpus: Corpus) -> str:
        """The name of the column that answers to `column` in a file."""
        name = self.column or "upos"
        return counterpart(corpus, name, _candidates(corpus, name))

    def _tags(self, corpus: Corpus) -> Labels:
        return corpus.layer(self.name_in(corpus), Tags).labels

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Says so if the system's only column has another name."""
        name = self.column or "upos"
        return column_remark(system, name, _candidates(system, name))

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold token, and one per system token that has no partner."""
        ours, theirs = self._tags(gold), self._tags(system)
        names, (gold_code, system_code) = unite(ours, theirs)
        paired = alignment.system_of_gold >= 0
        said = of_partner(system_code, alignment.system_of_gold, NO_LABEL)
        outcome = np.where(paired, np.where(said == gold_code, CORRECT, WRONG), MISSING)
        added = np.flatnonzero(alignment.gold_of_system < 0)
        hashes = name_hashes(names)
        where = (alignment.system_start[added], alignment.system_end[added])
        extra = extra_items(*where, hashes[system_code[added]])
        label = np.concatenate([said, system_code[added]]).astype(np.int32)
        outcome = np.concatenate([outcome, np.full(len(added), EXTRA)]).astype(np.uint8)
        known = self._known(gold, system, alignment, added)
        return Decisions(
            unit=np.concatenate([alignment.unit_of_gold, alignment.unit_of_system[added]]),
            item=np.concatenate([np.arange(len(gold_code), dtype=np.int64), extra]),
            gold=np.concatenate([gold_code, np.full(len(added), NO_LABEL, np.int32)]),
            system=label,
            said=(hashes[label],),
            outcome=outcome,
            error_type=np.minimum(outcome, MISSING),  # a token without a partner is no wrong label
            credit=(outcome == CORRECT).astype(np.float64),
            names=names,
            units=alignment.units,
            error_types=("none", "label", "unaligned"),
            known=known,
            gold_row=np.concatenate([np.arange(len(gold_code)), np.full(len(added), -1)]),
            system_row=np.concatenate([alignment.system_of_gold.astype(np.int64), added]),
        )

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The tokens of both sides with their tags."""
        return token_items(self._tags(gold)), token_items(self._tags(system))

    def _known(
        self, gold: Corpus, system: Corpus, alignment: Alignment, added: np.ndarray
    ) -> np.ndarray | None:
        if self.lexicon is None:
            return None
        if gold.forms is None or system.forms is None:
            raise LayerError(f"{gold.origin} has no words to look up in a lexicon")
        ours, theirs = (
            np.array([n in self.lexicon.forms for n in forms.names] or [False])[forms.codes]
            for forms in (gold.forms, system.forms)
        )
        return np.concatenate([ours, theirs[added]])

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Counts, and the accuracy of each sentence for its mean."""
        in_gold = decisions.in_gold
        correct = decisions.credit_per_unit()
        items = decisions.per_unit(in_gold)
        occupied = (items > 0).astype(np.float64)
        columns = {
            "correct": correct,
            "items": items,
            "system": decisions.per_unit(decisions.in_system),
            "sentences": occupied,
            "sentence_accuracy": np.where(items > 0, correct / np.maximum(items, 1), 0.0),
            "complete": occupied * (correct == items) * (decisions.per_unit(~in_gold) == 0),
        }
        if decisions.known is not None:
            for name, rows in (
                ("known", decisions.known),
                ("unknown", ~decisions.known),
            ):
                columns[f"{name}_correct"] = decisions.credit_per_unit(rows)
                columns[f"{name}_items"] = decisions.per_unit(rows & in_gold)
        stats = Stats(*columns_of(columns))
        return with_labels(stats, decisions) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Accuracy and its relatives."""
        scores = {
            "accuracy": divide(totals["correct"], totals["items"]),
            "sentence_mean": divide(totals["sentence_accuracy"], totals["sentences"]),
            "complete": divide(totals["complete"], totals["sentences"]),
            **precision_recall_f1(totals["correct"], totals["items"], totals["system"]),
        }
        if "known_items" in totals:
            for name in ("known", "unknown"):
                scores[name] = divide(totals[f"{name}_correct"], totals[f"{name}_items"])
        return scores

    def shown_parts(self, parts: Mapping[str, object]) -> tuple[str, ...]:
        """Known and unknown words as well, where there is a lexicon."""
        return (*self.shown, *(n for n in ("known", "unknown") if n in parts))

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall and F1 of every tag."""
        return label_precision_recall_f1(totals)

    def reason(self, part: str) -> str:
        """Why a part is undefined."""
        if part in ("known", "unknown"):
            return f"no {part} words"
        return "there are no tokens to score"


def _candidates(corpus: Corpus, name: str) -> list[str]:
    """Columns that may answer to `name`: that one, and any of plain tags."""
    return [
        n
        for n, tags in corpus.of_kind(Tags).items()
        if n == name or not is_span_column(tags.labels)
    ]
