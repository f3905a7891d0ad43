"""Exact-match scores of labelled spans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.decisions import (
    CORRECT,
    EXTRA,
    MISSING,
    NO_LABEL,
    WRONG,
    Decisions,
    extra_items,
    name_hashes,
)
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Spans
from tertium.corpus.stats import Stats, Totals
from tertium.exceptions import LayerError
from tertium.formats.resources import Lexicon, words_of
from tertium.metrics.base import (
    Scored,
    columns_of,
    divide,
    f1,
    label_precision_recall_f1,
    precision_recall_f1,
    with_labels,
)
from tertium.metrics.spans.base import SpanMetric
from tertium.metrics.spans.matching import atoms_of, distinct, keys_of, repeated, row_of, same_place
from tertium.registry import parameter


@dataclass(frozen=True, repr=False)
class F1(SpanMetric):
    """Precision, recall and F1 of spans that are right in position and label.

    `column` names the span layer or the column of tags; by default the only one there is, or the
    last. Spans are sets: a duplicate counts once and is reported. `scheme` and `repair` say how
    tags become spans (docs/metrics/spans.f1.md). Macro F1 is over the labels of gold or system,
    weighted F1 by gold counts. With a lexicon, spans whose text occurs as a span there are
    scored apart from the others.
    """

    id = "spans.f1"
    title = "exact span F1"
    cite = """@inproceedings{tjong-kim-sang-buchholz-2000-introduction,
  title = {Introduction to the {CoNLL}-2000 Shared Task Chunking},
  author = {Tjong Kim Sang, Erik F. and Buchholz, Sabine},
  booktitle = {Fourth Conference on Computational Natural Language Learning and the Second
    Learning Language in Logic Workshop},
  year = {2000},
  pages = {127--132}
}"""
    headline = "f1"
    shown = ("precision", "recall", "f1")
    counted = ("correct", "gold", "system")

    lexicon: Lexicon | None = parameter(
        None,
        help="training data: spans whose text is one of its spans are seen",
        resource="lexicon",
    )

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per distinct gold span, and one per distinct system span without a partner.

        A gold span and a system span in the same place with different labels are one row, wrong
        in its label: it counts as an item of both sides.
        """
        ours, theirs = self.items(gold, system)
        names, (gold_label, system_label) = unite(ours.label, theirs.label)
        places, keys = keys_of(ours, theirs, gold_label, system_label, alignment)
        gold_rows, system_rows = distinct(keys[0]), distinct(keys[1])
        partners = row_of(keys[0][gold_rows], keys[1], system_rows)
        found = partners >= 0
        added = system_rows[~np.isin(keys[1][system_rows], keys[0])]
        missed = gold_rows[~found]
        at, partner = same_place(places[0][missed], places[1][added])

        outcome = np.where(found, CORRECT, MISSING)
        label = np.where(found, gold_label[gold_rows], NO_LABEL)
        misnamed = np.flatnonzero(~found)[at]
        outcome[misnamed] = WRONG
        label[misnamed] = system_label[added[partner]]
        partners[misnamed] = added[partner]
        added = np.delete(added, partner)
        outcome = np.concatenate([outcome, np.full(len(added), EXTRA)]).astype(np.uint8)
        label = np.concatenate([label, system_label[added]]).astype(np.int32)

        hashes = name_hashes(names)
        where = atoms_of(theirs, alignment.system_start, alignment.system_end)
        extra = [column[added] for column in (*where, hashes[system_label])]
        unit = alignment.unit_of_gold[ours.start], alignment.unit_of_system[theirs.start]
        known = self._seen(gold, system, ours, theirs, gold_rows, added)
        return Decisions(
            unit=np.concatenate([unit[0][gold_rows], unit[1][added]]),
            item=np.concatenate([gold_rows, extra_items(*extra)]),
            gold=np.concatenate([gold_label[gold_rows], np.full(len(added), NO_LABEL, np.int32)]),
            system=label,
            said=((outcome != MISSING).astype(np.int64), hashes[label]),
            outcome=outcome,
            error_type=outcome,
            credit=(outcome == CORRECT).astype(np.float64),
            names=names,
            units=alignment.units,
            error_types=("none", "label", "missing", "extra"),
            known=known,
            gold_row=np.concatenate([gold_rows, np.full(len(added), -1)]),
            system_row=np.concatenate([partners, added]),
            unit_counts={
                "duplicates_gold": repeated(unit[0], gold_rows, alignment.units),
                "duplicates_system": repeated(unit[1], system_rows, alignment.units),
            },
        )

    def _seen(
        self,
        gold: Corpus,
        system: Corpus,
        ours: Spans,
        theirs: Spans,
        gold_rows: Int64,
        added: Int64,
    ) -> npt.NDArray[np.bool_] | None:
        if self.lexicon is None:
            return None
        if gold.forms is None or system.forms is None:
            raise LayerError(f"{gold.origin} has no words to look up in a lexicon")
        known = seen_texts(self.lexicon, self.column or "")
        mine = np.array([w in known for w in words_of(gold, ours)], np.bool_)
        yours = np.array([w in known for w in words_of(system, theirs)], np.bool_)
        return np.concatenate([mine[gold_rows], yours[added]])

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Correct, gold and system spans."""
        columns = {
            "correct": decisions.credit_per_unit(),
            "gold": decisions.per_unit(decisions.in_gold),
            "system": decisions.per_unit(decisions.in_system),
        }
        if decisions.known is not None:
            for name, rows in (("seen", decisions.known), ("unseen", ~decisions.known)):
                columns[f"{name}_correct"] = decisions.credit_per_unit(rows)
                columns[f"{name}_gold"] = decisions.per_unit(rows & decisions.in_gold)
                columns[f"{name}_system"] = decisions.per_unit(rows & decisions.in_system)
        stats = Stats(*columns_of(columns))
        return with_labels(stats, decisions) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Micro averages, and macro and weighted F1 where label counts are there."""
        scores = precision_recall_f1(totals["correct"], totals["gold"], totals["system"])
        if "correct" in totals.sparse:
            correct, gold, system = (totals.label(n) for n in ("correct", "gold", "system"))
            each = f1(correct, gold, system)
            # A label that does not occur in a replicate counts 0 there: the label set is fixed.
            each = np.where(np.isnan(each), 0.0, each)
            scores["macro_f1"] = divide(each.sum(axis=-1), each.shape[-1])
            scores["weighted_f1"] = divide((each * gold).sum(axis=-1), gold.sum(axis=-1))
        if "seen_gold" in totals:
            for name in ("seen", "unseen"):
                counts = (totals[f"{name}_{side}"] for side in ("correct", "gold", "system"))
                for part, value in precision_recall_f1(*counts).items():
                    scores[f"{name}_{part}"] = value
        return scores

    def shown_parts(self, parts: Mapping[str, object]) -> tuple[str, ...]:
        """Seen and unseen spans as well, where there is a lexicon."""
        return (*self.shown, *(n for n in ("seen_f1", "unseen_f1") if n in parts))

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall and F1 of every label."""
        return label_precision_recall_f1(totals)

    def reason(self, part: str) -> str:
        """Why a part is undefined."""
        kind = (
            "unseen " if part.startswith("unseen") else "seen " if part.startswith("seen") else ""
        )
        if part.endswith("precision"):
            return f"the system has no {kind}spans"
        if part.endswith("recall") or part == "weighted_f1":
            return f"the gold standard has no {kind}spans"
        return f"neither gold nor system has {kind}spans"


def seen_texts(lexicon: Lexicon, column: str) -> frozenset[str]:
    """The span texts of the lexicon's column of that name, or of all its columns."""
    if column in lexicon.spans:
        return lexicon.spans[column]
    if not lexicon.spans:
        raise LayerError(f"{lexicon.path} has no spans and cannot tell seen from unseen ones")
    return frozenset().union(*lexicon.spans.values())
