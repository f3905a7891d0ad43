"""Counts of MUC and SemEval-2013: correct, incorrect, partial, missed, spurious."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.schemes import Decoded
from tertium.families.base import Floats, Scored, columns_of, divide
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.layers import stacked_remark
from tertium.families.spans.nervaluate import layers_with_spans, spans_as_nervaluate
from tertium.families.spans.nervaluate_pairs import (
    CORRECT,
    MISSED,
    MODES,
    SPURIOUS,
    VERDICTS,
    Side,
    judge,
    sides_of,
)
from tertium.registry import parameter
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Items
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals, label_block

# By verdict: correct, incorrect, partial, missed, spurious.
_CREDITS = np.array([1, 0, 0.5, 0, 0])
_ONE_WAY = "spans are paired from A's side: numbers may differ if A and B are swapped"
_FIXED = "fixed: nervaluate reads tags by a rule of its own"


def _is_percentage(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= 100


@dataclass(frozen=True, repr=False)
class Partial(SpanMetric):
    """Precision, recall and F1 with the counts of MUC and SemEval-2013, as nervaluate has them.

    `mode` says what must be right: boundaries and label ("strict"), boundaries ("exact"),
    boundaries, half right where they only overlap ("partial"), label where boundaries overlap
    ("type"; nervaluate's `ent_type`). `overlap` is the percentage of a gold span that a system span
    must cover to be compared with it. Duplicates are kept, gaps in spans are not seen. The numbers
    of a label come from matching the spans of that label alone, so that they do not add up to
    those of the whole (docs/metrics/spans.partial.md).
    """

    id = "spans.partial"
    title = "MUC and SemEval-2013 span scores"
    cite = """@inproceedings{segura-bedmar-etal-2013-semeval,
  title = {{SemEval}-2013 Task 9: Extraction of Drug-Drug Interactions from Biomedical Texts
    ({DDIExtraction} 2013)},
  author = {Segura-Bedmar, Isabel and Mart{\\'i}nez, Paloma and Herrero-Zazo, Mar{\\'i}a},
  booktitle = {Second Joint Conference on Lexical and Computational Semantics (*SEM), Volume 2:
    Proceedings of the Seventh International Workshop on Semantic Evaluation (SemEval 2013)},
  year = {2013},
  pages = {341--350}
}

@inproceedings{chinchor-sundheim-1993-muc,
  title = {{MUC}-5 Evaluation Metrics},
  author = {Chinchor, Nancy and Sundheim, Beth},
  booktitle = {Fifth Message Understanding Conference ({MUC}-5)},
  year = {1993},
  pages = {69--78}
}"""
    headline = "f1"
    shown = ("precision", "recall", "f1")
    parts = precision_recall_f1_parts()
    counts = (
        Count("correct", "both"),
        *(Count("incorrect"), Count("partial"), Count("missed"), Count("spurious", "system")),
        *(Count("possible", is_total=True), Count("actual", "system", is_total=True)),
    )
    label_rows = "refilter"

    scheme: str = parameter("auto", help=_FIXED, choices=("auto",))
    repair: str = parameter("open", help=_FIXED, choices=("open",))
    expected: str | None = parameter(None, help=_FIXED, choices=(None,))
    mode: str = parameter("partial", help="what must be right", choices=MODES)
    overlap: float = parameter(
        1.0, help="the percentage of a gold span to be covered, 1 to 100", check=_is_percentage
    )
    compat: str = parameter(
        "nervaluate", help="the program whose counts are given", choices=("nervaluate",)
    )
    undefined: str = parameter(
        "zero", help="what 0 divided by 0 is; the reason is given too", choices=("zero", "null")
    )

    @property
    def zero_because(self) -> str:
        """Whose convention it is."""
        return "by nervaluate's convention" if self.undefined == "zero" else ""

    def candidates(self, corpus: Corpus) -> list[str]:
        """Also columns with tags of another form: some of them nervaluate takes."""
        return layers_with_spans(corpus)

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """Without what decides nothing here; `overlap` is written in one way only."""
        shown = super().settings(facts)
        for name in ("scheme", "repair"):
            del shown[name]
        return {**shown, "overlap": float(self.overlap)}

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Also that gaps are not seen, where there are any."""
        count = _with_gaps(self.items(system))
        noted = (
            f"{system.origin} has spans with gaps ({count:,}); {self.id} knows only where a span "
            "begins and ends"
        )
        return [
            *super().remarks(gold, system),
            *([noted] if count else []),
            *(r for c in (gold, system) for r in stacked_remark(c, self.name_in(c), "nervaluate")),
        ]

    def oddities(self, gold: Corpus, system: Corpus) -> dict[str, int]:
        """Also spans whose gaps are not seen."""
        gaps = {
            f"gaps_{side}": _with_gaps(self.items(corpus))
            for side, corpus in (("gold", gold), ("system", system))
        }
        return {**super().oddities(gold, system), **gaps}

    def judge(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold span, and one per system span that is compared with none."""
        return self._judged(gold, system, alignment)[0]

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """Counts of the decisions; those of a label from pairing its spans among themselves."""
        decisions, ours, theirs = self._judged(gold, system, alignment)
        names, stats = decisions.names, self.stats(decisions)
        if not labels:
            return stats
        inside = [side.within_labels(len(names)) for side in (ours, theirs)]
        again = judge(inside[0], inside[1], self.mode, self.overlap)
        unit = np.concatenate([ours.unit, theirs.unit[again.spurious]])
        label = np.concatenate([ours.label, theirs.label[again.spurious]])
        counted = _counted(again.verdict)
        block = label_block(names, unit, {n: (label, mask) for n, mask in counted.items()})
        return Stats(stats.columns, stats.counts, *block)

    def _judged(
        self, gold: Corpus, system: Corpus, alignment: Alignment
    ) -> tuple[Decisions, Side, Side]:
        """The decisions, and the spans of both sides on common ground."""
        items = self.items(gold), self.items(system)
        names, ours, theirs = sides_of(*items, alignment)
        judged = judge(ours, theirs, self.mode, self.overlap)
        verdict = judged.verdict[: len(ours)], judged.verdict[len(ours) :]
        place = (theirs.start, theirs.end)

        def label() -> tuple[Int64, ...]:
            """A label that is not looked at makes no two answers differ, nor two additions."""
            looked_at = self.mode in ("strict", "type")
            return (name_hashes(names)[theirs.label],) if looked_at else ()

        decisions = Decisions.of(
            *items,
            alignment,
            partner=judged.partner,
            right=verdict[0] == CORRECT,
            extra=judged.spurious,
            error=verdict,
            error_types=("none", *VERDICTS[1:]),
            labels=(names, ours.label, theirs.label),
            answer=lambda: label() if self.mode == "type" else (*place, *label()),
            identity=lambda: (*place, *label()),
            credit=(_CREDITS[verdict[0]], 0.0),
            unit_counts={
                "duplicates_gold": ours.duplicates(alignment.units),
                "duplicates_system": theirs.duplicates(alignment.units),
            },
        )
        return decisions.changed(one_way=lambda: _ONE_WAY), ours, theirs

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Counts per unit; those of labels are no sums over decisions (`measure` gives them)."""
        counted = _counted(decisions.error_type)
        return Stats(*columns_of({n: decisions.per_unit(mask) for n, mask in counted.items()}))

    def score(self, totals: Totals) -> Scored:
        """Precision, recall and their harmonic mean."""
        return _scores({each.name: totals[each.name] for each in self.counts})

    def label_scores(self, totals: Totals) -> Scored:
        """The same for every label."""
        return _scores(totals.sparse) if "correct" in totals.sparse else {}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        return {
            "precision": "the system has no spans",
            "recall": "the gold standard has no spans",
        }.get(part, "neither gold nor system has spans")

    def decoded(self, corpus: Corpus) -> Decoded:
        """Spans as nervaluate reads them."""
        return spans_as_nervaluate(corpus, self.name_in(corpus))


def _counted(verdict: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[np.bool_]]:
    """Which rows enter each count."""
    return {
        **{name: verdict == code for code, name in enumerate(VERDICTS)},
        "possible": verdict != SPURIOUS,
        "actual": verdict != MISSED,
    }


def _scores(counts: Mapping[str, Floats]) -> Scored:
    """Precision, recall, F1. Only the mode "partial" has partial spans: one formula serves all."""
    credit = counts["correct"] + 0.5 * counts["partial"]
    precision, recall = divide(credit, counts["actual"]), divide(credit, counts["possible"])
    # As nervaluate: from precision and recall, where undefined is 0, so that the last bit is equal.
    p, r = np.nan_to_num(precision), np.nan_to_num(recall)
    f1 = np.nan_to_num(divide(2 * (p * r), p + r))
    is_empty = counts["actual"] + counts["possible"] == 0
    return {"precision": precision, "recall": recall, "f1": np.where(is_empty, np.nan, f1)}


def _with_gaps(spans: Items) -> int:
    """How many spans do not cover all tokens between their ends."""
    if spans.tokens is None:
        return 0
    return int((np.diff(spans.tokens.bounds) != spans.end - spans.start).sum())
