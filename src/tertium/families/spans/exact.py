"""Exact-match scores of labelled spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, unite
from tertium.exceptions import LayerError
from tertium.families.base import (
    Scored,
    citation,
    columns_of,
    divide,
    precision_recall_f1,
    with_labels,
)
from tertium.families.spans.compat.chunks import check_same_tokens, conlleval_matches
from tertium.families.spans.compat.metric import CompatMetric
from tertium.families.spans.extents import distinct, extents_of, keys_of, paired, repeated, row_of
from tertium.formats.resources import Lexicon, words_of
from tertium.registry import parameter
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Items
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals


def _is_beta(value: object) -> bool:
    """Is it a number, not negative, or None?"""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and 0 <= float(str(value)) < float("inf"))


@dataclass(frozen=True, repr=False)
class F1(CompatMetric):
    """Precision, recall and F1 of spans that are right in position and label.

    `column` names the span layer or the column of tags; by default the only one there is, or the
    last. Spans are sets: a duplicate counts once and is reported. `scheme` and `repair` say how
    tags become spans (docs/metrics/spans.f1.md); with `compat` the tags are read as conlleval.pl
    (2004-01-26) or seqeval (1.2.2) does, and all counts are theirs. Macro averages are over the
    labels of gold or system, weighted ones by gold counts; a label without a figure counts 0.
    Unlabelled, a span is right if its place is. `beta` makes every F1 an F-beta. With a lexicon,
    spans whose text occurs as a span there are scored apart from the others.
    """

    id = "spans.f1"
    title = "exact span F1"
    display = "F1"
    cite = citation(
        "tjong-kim-sang-buchholz-2000-introduction",
        "ramshaw-marcus-1995-text",
        "nakayama-2018-seqeval",
    )
    shown = ("precision", "recall", "f1", "seen_f1", "unseen_f1")
    counts = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
    )
    parts = (
        *precision_recall_f1_parts(),
        *precision_recall_f1_parts("macro_", title="macro ", average="macro avg"),
        *precision_recall_f1_parts("weighted_", title="weighted ", average="weighted avg"),
        *precision_recall_f1_parts("unlabeled_", title="unlabelled "),
        *precision_recall_f1_parts("seen_", title="seen "),
        *precision_recall_f1_parts("unseen_", title="unseen "),
    )

    beta: float | None = parameter(
        None,
        help="F-beta instead of F1: recall weighs beta times as much as precision",
        check=_is_beta,
    )
    lexicon: Lexicon | None = parameter(
        None,
        help="training data: spans whose text is one of its spans are seen",
        resource="lexicon",
    )

    def judge(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per distinct gold span, and one per distinct system span without a partner.

        A gold span and a system span in the same place with different labels are one row, wrong
        in its label: it counts as an item of both sides.
        """
        if self.compat is not None:
            check_same_tokens(gold, system, alignment, self.tool)
        if self.compat == "conlleval":
            decisions = self._conlleval_rows(gold, system, alignment)
        else:
            decisions = _rows(self.items(gold), self.items(system), alignment)
        if self.lexicon is None:
            return decisions
        return decisions.with_marks(known=self._seen(gold, system, decisions))

    def _conlleval_rows(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        every, others = self.every(gold), self.every(system)
        columns = self.name_in(gold), self.name_in(system)
        partner, counted = conlleval_matches(gold, system, columns, len(every))
        kept, their_kept = (np.flatnonzero(self.chosen(each)) for each in (every, others))
        ours, theirs = every.take(kept), others.take(their_kept)
        # Rows among the chunks whose labels count; the last of them stands for none.
        place = np.full(len(others) + 1, -1)
        place[their_kept] = np.arange(len(their_kept))
        partner, counted = place[partner[kept]], counted[kept]
        decisions = _rows(ours, theirs, alignment, partner)
        label = decisions.gold.copy()
        right = np.flatnonzero(partner >= 0)
        label[right] = counted[right]
        if np.array_equal(label, decisions.gold):
            return decisions
        # Where conlleval misses an end, it counts a chunk under the type that it meets next.
        return decisions.with_marks(counted=label)

    def _seen(self, gold: Corpus, system: Corpus, decisions: Decisions) -> npt.NDArray[np.bool_]:
        """Is the span's text in the lexicon, by gold where it has the span, else by the system?"""
        assert self.lexicon is not None
        if gold.forms is None or system.forms is None:
            raise LayerError(f"{gold.origin} has no words to compare with a lexicon")
        known = seen_texts(self.lexicon, self.column or "")
        mine, yours = (
            np.array([*(w in known for w in words_of(side, items.start, items.end)), False])
            for side, items in ((gold, self.items(gold)), (system, self.items(system)))
        )
        # The row -1 of a side that has none is the False at the end.
        by_gold = mine[decisions.gold_row]
        return np.where(decisions.gold_row >= 0, by_gold, yours[decisions.system_row])

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Correct, gold and system spans, and pairs in the same place, whatever their labels."""
        columns = {
            "correct": decisions.credit_per_unit(),
            "gold": decisions.per_unit(decisions.in_gold),
            "system": decisions.per_unit(decisions.in_system),
            "placed": decisions.per_unit(decisions.in_gold & decisions.in_system),
        }
        if (known := decisions.mark("known")) is not None:
            for name, rows in (("seen", known), ("unseen", ~known)):
                columns[f"{name}_correct"] = decisions.credit_per_unit(rows)
                columns[f"{name}_gold"] = decisions.per_unit(rows & decisions.in_gold)
                columns[f"{name}_system"] = decisions.per_unit(rows & decisions.in_system)
        stats = Stats(*columns_of(columns))
        if not labels:
            return stats
        return with_labels(stats, decisions, correct=decisions.mark("counted"))

    def score(self, totals: Totals) -> Scored:
        """Micro averages, and macro and weighted ones where label counts are there."""
        sides = totals["gold"], totals["system"]
        beta = 1 if self.beta is None else self.beta
        scores = precision_recall_f1(totals["correct"], *sides, beta=beta)
        if "correct" in totals.sparse:
            gold = totals.label("gold")
            # The label set is fixed: one that has no figure, as in a replicate, counts 0.
            each = {k: np.nan_to_num(v, nan=0.0) for k, v in self.label_scores(totals).items()}
            for part, value in each.items():
                scores[f"macro_{part}"] = divide(value.sum(axis=-1), value.shape[-1])
            for part, value in each.items():
                scores[f"weighted_{part}"] = divide((value * gold).sum(axis=-1), gold.sum(axis=-1))
        scores |= precision_recall_f1(totals["placed"], *sides, prefix="unlabeled_", beta=beta)
        if "seen_gold" in totals:
            for kind in ("seen_", "unseen_"):
                counts = (totals[f"{kind}{side}"] for side in ("correct", "gold", "system"))
                scores |= precision_recall_f1(*counts, prefix=kind, beta=beta)
        return scores

    def label_scores(self, totals: Totals) -> Scored:
        """The same for every label."""
        if "correct" not in totals.sparse:
            return {}
        counts = (totals.label(name) for name in ("correct", "gold", "system"))
        return precision_recall_f1(*counts, beta=1 if self.beta is None else self.beta)

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """`beta` in one way of writing, and only where it is not 1."""
        shown = super().settings(facts)
        beta = shown.pop("beta", None)
        return shown if beta in (None, 1) else {**shown, "beta": float(self.beta or 0)}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        kind = next((f"{kind} " for kind in ("unseen", "seen") if part.startswith(kind)), "")
        if part.startswith("macro"):
            return "neither gold nor system has spans"
        if part.endswith("recall") or part.startswith("weighted"):
            return f"the gold standard has no {kind}spans"
        if part.endswith("precision"):
            return f"the system has no {kind}spans"
        return f"neither gold nor system has {kind}spans"


def seen_texts(lexicon: Lexicon, column: str) -> frozenset[str]:
    """The span texts of the lexicon's column of that name, or of all its columns."""
    if column in lexicon.spans:
        return lexicon.spans[column]
    if not lexicon.spans:
        raise LayerError(f"{lexicon.path} has no spans and cannot tell seen from unseen ones")
    return frozenset().union(*lexicon.spans.values())


def _rows(
    ours: Items, theirs: Items, alignment: Alignment, partner: Int64 | None = None
) -> Decisions:
    """One row per distinct gold span, and one per distinct system span without a partner.

    Spans are partners if place and label are the same; or `partner` says for each gold span which
    of the system's is, -1 for none, and every span counts. A gold span and a system span in the
    same place with different labels are one row, wrong in its label: an item of both sides.
    """
    names, (gold_label, system_label) = unite(ours.label, theirs.label)
    places = (
        extents_of(ours, alignment.gold_start, alignment.gold_end),
        extents_of(theirs, alignment.system_start, alignment.system_end),
    )
    keys = keys_of(*places, gold_label, system_label)
    if partner is None:
        gold_rows, system_rows = distinct(keys.full[0]), distinct(keys.full[1])
        partners = row_of(keys.full[0][gold_rows], keys.full[1], system_rows)
    else:
        gold_rows, system_rows = np.arange(len(ours)), np.arange(len(theirs))
        partners = partner.copy()
    found = partners >= 0
    free = np.ones(len(theirs), np.bool_)
    free[partners[found]] = False
    added = system_rows[free[system_rows]]
    missed = gold_rows[~found]
    at, other = paired(keys.place[0][missed], keys.place[1][added])
    # A tool that pairs spans by its own rule may find two of the same place and label unlike.
    unlike = gold_label[missed[at]] != system_label[added[other]]
    at, other = at[unlike], other[unlike]

    partners[np.flatnonzero(~found)[at]] = added[other]
    unit = ours.of_first(alignment.unit_of_gold), theirs.of_first(alignment.unit_of_system)
    return Decisions.of(
        ours,
        theirs,
        alignment,
        rows=gold_rows,
        partner=partners,
        right=found,
        extra=np.delete(added, other),
        labels=(names, gold_label, system_label),
        identity=lambda: (*places[1].identity, name_hashes(names)[system_label]),
        unit_counts={
            "duplicates_gold": repeated(unit[0], gold_rows, alignment.units),
            "duplicates_system": repeated(unit[1], system_rows, alignment.units),
        },
    )
