"""Fair evaluation of labelled spans (Ortmann 2022): every annotation counts once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, unite
from tertium.families.base import Floats, Metric, Scored, citation, columns_of, divide
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.extents import (
    PUNCT,
    Bools,
    Extents,
    SpanKeys,
    distinct,
    extents_of,
    keys_of,
    overlap_groups,
    punctuation,
    repeated,
    sides_of,
)
from tertium.families.spans.ortmann import (
    BEL,
    BES,
    EQUATIONS,
    HELP,
    NO_ROW,
    TP,
    TYPES,
    Codes,
    SpanMatches,
    Weights,
    are_weights,
    match,
    parse_weights,
    weights_text,
)
from tertium.registry import parameter
from tertium.results.decisions import Decisions, Pieces, name_hashes
from tertium.results.items import Items, of_partner
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals, label_block

_ONE_WAY = (
    "{}s of one side overlap, so kinds and the number of items may differ if A and B are "
    "swapped; what is the same, and counts of labels, would not"
)
_SIDED = tuple(f"{TYPES[kind]}-{side}" for kind in (BES, BEL) for side in ("left", "right"))
ERROR_TYPES = ("none", *TYPES[1:], *_SIDED)
# The kind of error behind each error type: BEs-left is a BEs.
_KIND = np.array([*range(len(TYPES)), BES, BES, BEL, BEL])
# Which kinds enter each count: `be` are all boundary errors.
_COUNTED = {
    name: [code for code, kind in enumerate(TYPES) if kind.lower().startswith(name)]
    for name in ("tp", "fp", "fn", "le", "be", "bes", "bel", "beo", "lbe")
}


@dataclass(frozen=True, eq=False)
class Side:
    """The spans of one side.

    - `items`, `label`: all of them, and what they are called
    - `identity`: what tells their places apart
    - `rows`: those that count; `places` and `unit` are of these
    """

    items: Items
    label: Labels
    identity: tuple[Int64, ...]
    rows: Int64
    places: Extents
    unit: Int32


@dataclass(frozen=True, repr=False)
class FairMetric(Metric):
    """What fair evaluations of spans of any kind share: matching, counts and numbers.

    Right (TP), right place but other label (LE), right label but other boundaries (BE: smaller
    BEs, larger BEl, overlapping BEo), neither but overlapping (LBE), missing (FN), added (FP).
    `weights` says what share of a true positive, false positive and false negative an error counts
    as. `focus` counts LE and LBE under the gold or the system label. The traditional figures and
    those under equation 7 stand beside.

    - `as_sets`: are all repetitions of a span found traditionally if one is?
    """

    cite = citation("ortmann-2022-fine")
    as_sets: ClassVar[bool] = True
    headline = "f1"
    shown = ("traditional.f1", "precision", "recall", "f1", "weighted.f1")
    parts = tuple(
        part
        for prefix in ("", "traditional.", "weighted.")
        for part in precision_recall_f1_parts(prefix, title=prefix.replace(".", " "))
    )
    counts = (
        *(Count("tp", "both"), Count("fp", "system"), Count("fn"), Count("le")),
        *(Count(name) for name in ("be", "bes", "bel", "beo", "lbe", "be_left", "be_right")),
        *(Count("gold", is_total=True), Count("system", "system", is_total=True)),
        *(Count("traditional_tp"), Count("traditional_fp", "system"), Count("traditional_fn")),
    )
    shown_counts = ("tp", "fp", "le", "bes", "bel", "beo", "be", "lbe", "fn")
    transitions = "types"
    right_type = "TP"

    weights: str = parameter("eq5", help=HELP, check=are_weights)
    focus: str = parameter(
        "gold", help="label under which LE and LBE count", choices=("gold", "system")
    )
    boundaries: bool = parameter(
        False,
        help="distinguish boundary errors whose left or right boundary is right",
        choices=(False, True),
    )

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """Weights in one way of writing."""
        shown = super().settings(facts)
        shown["weights"] = weights_text(self._weights)
        return shown

    def matched(
        self, ours: Side, theirs: Side, alignment: Alignment, *, judges_lost: bool = False
    ) -> Decisions:
        """One row per gold span; one per system span that met none, or only a span that already
        had a partner (third passes): these are extra items, with the label of that gold span."""
        names, labels = unite(ours.label, theirs.label)
        gold_label, system_label = labels[0][ours.rows], labels[1][theirs.rows]
        keys = keys_of(ours.places, theirs.places, gold_label, system_label)
        matched = match(ours.places, theirs.places, keys, gold_label, system_label)

        added = np.flatnonzero(matched.system_type != NO_ROW)
        count = len(ours.rows)
        places = ours.places, theirs.places
        kind, marks = _kinds_and_marks(matched, added, keys, *places, self.as_sets)
        credit = np.array([self._weights[name][0] for name in TYPES])[kind]
        error = kind
        if self.boundaries:
            error = _sided(kind, marks["be_left"], marks["be_right"])

        def said() -> tuple[Int64, ...]:
            return (*theirs.identity, name_hashes(names)[labels[1]])

        def pieces(column: npt.NDArray[Any]) -> Pieces:
            return column[:count], column[count:]

        decisions = Decisions.of(
            ours.items,
            theirs.items,
            alignment,
            rows=ours.rows,
            partner=of_partner(theirs.rows, matched.gold_partner, -1),
            right=matched.gold_type == TP,
            extra=theirs.rows[added],
            met=of_partner(ours.rows, matched.system_partner[added], -1),
            error=pieces(error),
            error_types=ERROR_TYPES if self.boundaries else ERROR_TYPES[: len(TYPES)],
            labels=(names, labels[0], labels[1]),
            answer=said,
            identity=said,
            credit=pieces(credit),
            marks={name: pieces(mark) for name, mark in marks.items()},
            unit_counts={
                "duplicates_gold": repeated(ours.unit, distinct(keys.full[0]), alignment.units),
                "duplicates_system": repeated(theirs.unit, distinct(keys.full[1]), alignment.units),
            },
            judges_lost=judges_lost,
        )
        items = ours.items, theirs.items
        one_way = _ONE_WAY.format(self.item)
        return decisions.changed(tell_one_way=lambda: one_way if any(map(_overlap, items)) else "")

    @property
    def _weights(self) -> Weights:
        return parse_weights(self.weights)

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """How often each kind occurs, and the traditional counts."""
        kind = _KIND[decisions.error_type]
        by_system = {"fp", "system", "traditional_fp"}
        by_system |= {"le", "lbe"} if self.focus == "system" else set()
        columns = {name: np.isin(kind, kinds) for name, kinds in _COUNTED.items()}
        columns |= {"gold": decisions.in_gold, **decisions.marks}
        stats = Stats(*columns_of({n: decisions.per_unit(rows) for n, rows in columns.items()}))
        if not labels:
            return stats
        block = label_block(
            decisions.names,
            decisions.unit,
            {
                name: (decisions.system if name in by_system else decisions.gold, rows)
                for name, rows in columns.items()
            },
        )
        return Stats(stats.columns, stats.counts, *block)

    def score(self, totals: Totals) -> Scored:
        """Precision, recall and F1 under `weights`, the traditional ones, and under equation 7."""
        return self._figures({each.name: totals[each.name] for each in self.counts})

    def label_scores(self, totals: Totals) -> Scored:
        """The same for every label."""
        if "tp" not in totals.sparse:
            return {}
        return self._figures({each.name: totals.label(each.name) for each in self.counts})

    def _figures(self, counts: Mapping[str, Floats]) -> Scored:
        kinds = {name: counts[name.lower()] for name in TYPES}
        old = {name: counts[f"traditional_{name.lower()}"] for name in ("TP", "FP", "FN")}
        return {
            **_weighted(kinds, self._weights),
            **_weighted(old, EQUATIONS["eq5"], "traditional."),
            **_weighted(kinds, EQUATIONS["eq7"], "weighted."),
        }

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            name = part.rpartition(".")[2]
            kinds = {"precision": "positives", "recall": "true positives and false negatives"}
            return f"no {kinds.get(name, 'true positives and errors')} are counted under this label"
        if part.endswith("precision"):
            return f"the system has no {self.item}s that count"
        if part.endswith("recall"):
            return f"the gold standard has no {self.item}s that count"
        return f"neither gold nor system has {self.item}s that count"


@dataclass(frozen=True, repr=False)
class Fair(FairMetric, SpanMetric):
    """Spans matched by Ortmann's (2022) algorithm, so that each error counts once."""

    id = "spans.fair"
    title = "fair span F1"
    display = "Fair F1"

    punct: str = parameter("keep", help="tokens that do not count", choices=PUNCT)
    undefined: str = parameter(
        "null", help="0 divided by 0: undefined or 0", choices=("null", "zero")
    )

    def needs(self) -> frozenset[str] | None:
        """The column; all of them where a column of tags tells punctuation."""
        return None if self.punct == "tag" else super().needs()

    def judge(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """Spans in their places; spans of punctuation alone are nowhere once punctuation does not
        count."""
        dropped = None
        if self.punct != "keep":
            dropped = punctuation(gold, alignment, self.punct, self.column or "")
        sides, lost = [], []
        for items, start, end, unit in sides_of(self.items(gold), self.items(system), alignment):
            places = extents_of(items, start, end, dropped)
            rows = np.flatnonzero(places.end > places.start)
            lost.append(repeated(unit, rows, alignment.units))
            kept = places.take(rows)
            sides.append(Side(items, items.label, places.identity, rows, kept, unit[rows]))
        decisions = self.matched(sides[0], sides[1], alignment)
        left_out = {"punctuation_gold": lost[0], "punctuation_system": lost[1]}
        return decisions.changed(unit_counts={**decisions.unit_counts, **left_out})


def _kinds_and_marks(
    matched: SpanMatches,
    added: Int64,
    keys: SpanKeys,
    gold: Extents,
    system: Extents,
    as_sets: bool,
) -> tuple[Codes, dict[str, Bools]]:
    """Of every row its kind, and what enters the counts that do not follow from that. `as_sets`:
    are all repetitions of a span found traditionally if one is?"""
    count = len(gold)
    kind = np.concatenate([matched.gold_type, matched.system_type[added]])
    mine = np.concatenate([np.arange(count), matched.system_partner[added]])
    yours = np.concatenate([matched.gold_partner, added])
    # In the second passes a gold span meets a system span that has been counted already.
    is_new = yours >= 0
    is_new[:count] &= ~matched.is_second
    is_gold = np.arange(len(kind)) < count
    found = is_asked = kind == TP
    if as_sets:
        found = of_partner(np.isin(keys.full[0], keys.full[1]), mine, False)
        is_asked = of_partner(np.isin(keys.full[1], keys.full[0]), yours, True)
    is_left, is_right = _right_boundaries(kind, gold, system, mine, yours)
    return kind, {
        "system": is_new,
        "be_left": is_left,
        "be_right": is_right,
        "traditional_tp": is_gold & found,
        "traditional_fn": is_gold & ~found,
        "traditional_fp": is_new & ~is_asked,
    }


def _right_boundaries(
    kind: Codes, gold: Extents, system: Extents, mine: Int64, yours: Int64
) -> tuple[Bools, Bools]:
    """Boundary errors whose left, and whose right boundary is right (footnote 2)."""
    is_left, is_right = np.zeros(len(kind), np.bool_), np.zeros(len(kind), np.bool_)
    rows = np.flatnonzero((kind == BES) | (kind == BEL))
    is_left[rows] = gold.start[mine[rows]] == system.start[yours[rows]]
    is_right[rows] = gold.end[mine[rows]] == system.end[yours[rows]]
    return is_left, is_right


def _sided(kind: Codes, is_left: Bools, is_right: Bools) -> Codes:
    """Error types that tell the boundary that is right."""
    first = np.where(kind == BES, len(TYPES), len(TYPES) + 2)
    return np.where(is_left, first, np.where(is_right, first + 1, kind)).astype(np.uint8)


def _weighted(counts: Mapping[str, Floats], weights: Weights, prefix: str = "") -> Scored:
    tp, fp, fn = (sum(n * weights[kind][i] for kind, n in counts.items()) for i in range(3))
    return {
        f"{prefix}precision": divide(tp, tp + fp),
        f"{prefix}recall": divide(tp, tp + fn),
        f"{prefix}f1": divide(2 * tp, 2 * tp + fp + fn),
    }


def _overlap(spans: Items) -> bool:
    """Do some of the spans overlap?"""
    group = overlap_groups(spans.start, spans.end)
    return len(np.unique(group)) < len(group)
