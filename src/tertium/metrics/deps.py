"""Attachment scores of dependency trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.decisions import (
    CORRECT,
    EXTRA,
    NO_LABEL,
    Decisions,
    extra_items,
    fingerprint,
    name_hashes,
)
from tertium.corpus.labels import Int64, Labels, unite
from tertium.corpus.layers import Arcs, Spans, Tags
from tertium.corpus.stats import Stats, Totals
from tertium.metrics.base import (
    Metric,
    Scored,
    columns_of,
    divide,
    label_precision_recall_f1,
    of_partner,
    precision_recall_f1,
    token_items,
    with_labels,
)
from tertium.metrics.punctuation import is_punctuation
from tertium.registry import parameter

NO_HEAD, UNALIGNED = -2, -3  # and -1 for the root
PUNCT = ("keep", "deprel", "upos", "form")
_ERRORS = ("none", "attachment", "label", "both", "unaligned")


@dataclass(frozen=True, repr=False)
class Attachment(Metric):
    """What UAS, LAS and LS share: which words count, and what makes one right.

    Words are paired by the alignment; a head is right if the system's head is paired with the gold
    head (the root with the root). `punct` says which words do not count: none ("keep"), those
    whose gold relation is punct, whose gold UPOS is PUNCT, or whose form is all punctuation
    (Unicode category P).
    """

    layer = "deps"
    headline = "f1"
    shown: ClassVar[tuple[str, ...]] = ("f1",)
    counted = ("correct", "gold", "system", "aligned")
    cite = """@inproceedings{buchholz-marsi-2006-conll,
  title = {{CoNLL}-X Shared Task on Multilingual Dependency Parsing},
  author = {Buchholz, Sabine and Marsi, Erwin},
  booktitle = {Proceedings of the Tenth Conference on Computational Natural Language Learning},
  year = {2006},
  pages = {149--164}
}
@inproceedings{zeman-etal-2018-conll,
  title = {{CoNLL} 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies},
  author = {Zeman, Daniel and Haji{\\v{c}}, Jan and Popel, Martin and Potthast, Martin and
    Straka, Milan and Ginter, Filip and Nivre, Joakim and Petrov, Slav},
  booktitle = {Proceedings of the {CoNLL} 2018 Shared Task},
  year = {2018},
  pages = {1--21}
}"""
    uses_head: ClassVar[bool]
    uses_label: ClassVar[bool]

    punct: str = parameter("keep", help="which words do not count", choices=PUNCT)

    @property
    def cuts_subtypes(self) -> bool:
        """Are relations cut at the colon?"""
        return True

    def needs(self) -> frozenset[str] | None:
        """Trees, and tags where punctuation is told by them."""
        return frozenset({"deps", "upos"} if self.punct == "upos" else {"deps"})

    def fit(self, gold: Corpus) -> Attachment:
        """Only checks."""
        self.check(gold)
        if self.punct == "upos":
            gold.layer("upos", Tags)
        return self

    def check(self, corpus: Corpus) -> None:
        """There must be trees."""
        corpus.layer("deps", Arcs)

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold word, and one per system word that has no partner."""
        from tertium.metrics._kernels import global_heads, judge_arcs

        ours, theirs = gold.layer("deps", Arcs), system.layer("deps", Arcs)
        names, (gold_label, system_label) = unite(self._relations(ours), self._relations(theirs))
        gold_head = global_heads(ours.head, gold.offsets)
        system_head = _in_gold(global_heads(theirs.head, system.offsets), alignment)
        partner = alignment.system_of_gold
        outcome, error, head, label = judge_arcs(
            gold_head,
            gold_label,
            system_head,
            system_label,
            partner,
            self.uses_head,
            self.uses_label,
        )
        unit, item = alignment.unit_of_gold, np.arange(len(partner), dtype=np.int64)
        if self.punct != "keep":
            keep = ~self._punctuation(gold)
            unit, item, gold_label = unit[keep], item[keep], gold_label[keep]
            outcome, error, head, label = outcome[keep], error[keep], head[keep], label[keep]
        added = np.flatnonzero(alignment.gold_of_system < 0)
        if len(added):
            added = added[~self._punctuation(system)[added]]
        hashes = name_hashes(names)
        if len(added):
            where = alignment.system_start[added], alignment.system_end[added]
            extra = np.full(len(added), 1)
            unit = np.concatenate([unit, alignment.unit_of_system[added]])
            item = np.concatenate([item, extra_items(*where, hashes[system_label[added]])])
            gold_label = np.concatenate([gold_label, NO_LABEL * extra]).astype(np.int32)
            outcome = np.concatenate([outcome, EXTRA * extra]).astype(np.uint8)
            error = np.concatenate([error, _ERRORS.index("unaligned") * extra]).astype(np.uint8)
            head = np.concatenate([head, system_head[added]])
            label = np.concatenate([label, system_label[added]])
        return Decisions(
            unit=unit,
            item=item,
            gold=gold_label,
            system=label,
            said=(
                *((head,) if self.uses_head else ()),
                *((hashes[label],) if self.uses_label else ()),
            ),
            outcome=outcome,
            error_type=error,
            credit=(outcome == CORRECT).astype(np.float64),
            names=names,
            units=alignment.units,
            error_types=_ERRORS,
            gold_row=np.concatenate([item[: len(item) - len(added)], np.full(len(added), -1)]),
            system_row=np.concatenate([partner[item[: len(item) - len(added)]], added]),
        )

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The words of both sides with their relations."""
        ours, theirs = gold.layer("deps", Arcs), system.layer("deps", Arcs)
        return token_items(self._relations(ours)), token_items(self._relations(theirs))

    def _relations(self, arcs: Arcs) -> Labels:
        if not self.cuts_subtypes:
            return arcs.label
        return arcs.label.rename({n: n.split(":")[0] for n in arcs.label.names})

    def _punctuation(self, corpus: Corpus) -> npt.NDArray[np.bool_]:
        """Words that do not count."""
        if self.punct == "keep":
            return np.zeros(corpus.token_count, np.bool_)
        if self.punct == "deprel":
            labels = corpus.layer("deps", Arcs).label
            marks = [n.split(":")[0].lower() == "punct" for n in labels.names]
        elif self.punct == "upos":
            labels = corpus.layer("upos", Tags).labels
            marks = [n == "PUNCT" for n in labels.names]
        else:
            assert corpus.forms is not None
            labels = corpus.forms
            marks = [is_punctuation(n) for n in labels.names]
        return np.array(marks or [False], np.bool_)[labels.codes]

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Counts and complete sentences."""
        in_gold = decisions.in_gold
        correct, gold = decisions.credit_per_unit(), decisions.per_unit(in_gold)
        occupied = (gold > 0).astype(np.float64)
        columns = {
            "correct": correct,
            "gold": gold,
            "system": decisions.per_unit(decisions.in_system),
            "aligned": decisions.per_unit(in_gold & decisions.in_system),
            "sentences": occupied,
            "complete": occupied * (correct == gold) * (decisions.per_unit(~in_gold) == 0),
        }
        stats = Stats(*columns_of(columns))
        return with_labels(stats, decisions, self.label_rows) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """F1 and its relatives; with the same words on both sides F1 is plain accuracy."""
        return {
            **precision_recall_f1(totals["correct"], totals["gold"], totals["system"]),
            "aligned_accuracy": divide(totals["correct"], totals["aligned"]),
            "complete": divide(totals["complete"], totals["sentences"]),
        }

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall and F1 of every relation."""
        return label_precision_recall_f1(totals)

    def reason(self, part: str) -> str:
        """Why a part is undefined."""
        return "there are no words to score"


@dataclass(frozen=True, repr=False)
class UAS(Attachment):
    """Unlabelled attachment score: the head is right."""

    id = "deps.uas"
    title = "unlabelled attachment score"
    uses_head = True
    uses_label = False
    label_rows = "gold"


@dataclass(frozen=True, repr=False)
class LAS(Attachment):
    """Labelled attachment score: head and relation are right.

    Relations are cut at the colon unless `subtypes`, as in the UD evaluation.
    """

    id = "deps.las"
    title = "labelled attachment score"
    uses_head = True
    uses_label = True
    shown: ClassVar[tuple[str, ...]] = ("f1", "complete")

    subtypes: bool = parameter(
        False, help="do subtypes of relations (nsubj:pass) count?", choices=(False, True)
    )

    @property
    def cuts_subtypes(self) -> bool:
        """Unless `subtypes`."""
        return not self.subtypes


@dataclass(frozen=True, repr=False)
class LS(LAS):
    """Label score: the relation is right, whatever the head."""

    id = "deps.ls"
    title = "label score"
    uses_head = False
    shown = ("f1",)


def _in_gold(heads: Int64, alignment: Alignment) -> Int64:
    """System heads as gold tokens. A head without a partner is known by its first character, so
    that two systems that chose the same piece of text gave the same answer."""
    if alignment.gold_of_system is alignment.system_of_gold:  # one to one
        return heads
    found = of_partner(alignment.gold_of_system.astype(np.int64), heads, NO_HEAD)
    found[heads < 0] = heads[heads < 0]
    lost = np.flatnonzero((heads >= 0) & (found < 0))
    if len(lost):
        at = heads[lost]
        where = fingerprint(alignment.system_start[at], alignment.system_end[at])
        found[lost] = UNALIGNED - where % np.int64(2**62)
    return found
