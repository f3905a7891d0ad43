"""Counts of MUC and SemEval-2013: correct, incorrect, partial, missed, spurious."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, unite
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.prefixes import B, I, O, TagColumn, decode_spans
from tertium.corpus.schemes import Decoding, means_spans, span_columns
from tertium.families.base import Floats, Scored, citation, columns_of, divide
from tertium.families.spans.base import SpanMetric, refused, stacked_remark
from tertium.families.spans.extents import atoms_of, distinct, packed, repeated, sides_of
from tertium.registry import parameter
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Items
from tertium.results.parts import Count, precision_recall_f1_parts
from tertium.results.stats import Stats, Totals, label_block

MODES = ("strict", "exact", "partial", "type")
# Verdicts, as codes into VERDICTS.
CORRECT, INCORRECT, PARTIAL, MISSED, SPURIOUS = range(5)
VERDICTS = ("correct", "incorrect", "partial", "missed", "spurious")
# By verdict: correct, incorrect, partial, missed, spurious.
_CREDITS = np.array([1, 0, 0.5, 0, 0])
_ONE_WAY = "spans are paired from A's side: numbers may differ if A and B are swapped"
_FIXED = "fixed: nervaluate reads tags by a rule of its own"


@once
def _meant_for_spans(corpus: Corpus) -> list[str]:
    """Layers of spans, and columns of tags that hold spans or seem meant to."""
    tagged = span_columns(corpus)
    return [
        name
        for name, layer in corpus.layers.items()
        if type(layer) is Spans
        or name in tagged
        or (isinstance(layer, Tags) and means_spans(layer.labels))
    ]


@once
def spans_as_nervaluate(corpus: Corpus, column: str) -> Decoding:
    """The spans of a layer as they are, those of a column of tags as nervaluate's list loader.

    Only `O` is outside. The type is what follows the first two characters. A span goes on while
    the type stays and the tag does not begin with `B`, whatever its prefix; what opens a span must
    begin with `B-` or `I-` and is refused otherwise, as it is there. Spans that hold a tag of
    another prefix are counted as irregular.
    """
    layer = corpus.layers.get(column)
    if isinstance(layer, Spans):
        return Decoding(layer, frozenset(), 0)
    names, codes = corpus.layer(column, Tags).labels.names, corpus.layer(column, Tags).labels.codes
    # A name more, so that there is one where there is no token.
    types = Labels.of([*(tag[2:] for tag in names), ""])
    prefixes = [O if tag == "O" else B if tag[:1] == "B" else I for tag in names]
    prefix = np.array([*prefixes, O], np.int8)
    start, end, label, _ = decode_spans(TagColumn(codes, prefix, types.codes, corpus.offsets))
    odd = np.array([t != "O" and t[:2] not in ("B-", "I-") for t in names] or [False], np.bool_)
    bad = start[odd[codes[start]]].astype(np.int64)
    if len(bad):
        raise refused(
            corpus,
            column,
            bad,
            "opens a span, but begins neither with B- nor with I-; nervaluate refuses it",
            help="'tertium convert FILE OUT --to spans' makes spans of any tag scheme, which can "
            "be scored; 'spans.f1' reads them all",
        )
    spans_with_odd = np.searchsorted(start, np.flatnonzero(odd[codes]), side="right") - 1
    irregular = np.unique(spans_with_odd)
    first = int(start[irregular[0]]) if len(irregular) else -1
    return Decoding(
        Spans(start, end, Labels(types.names, label)), frozenset(), len(irregular), first
    )


@dataclass(frozen=True, slots=True)
class SpanList:
    """Spans of one side in the order of their list: unit, stretch of atoms, label.

    Only spans of the same group are compared: those of a unit, or of a unit and label.
    """

    unit: Int32
    start: Int64
    end: Int64
    label: Int32
    group: Int64

    def __len__(self) -> int:
        return len(self.unit)

    def within_labels(self, labels: int) -> SpanList:
        """The same spans, to be compared with spans of their own label only."""
        return replace(self, group=self.unit.astype(np.int64) * labels + self.label)

    def without_labels(self) -> SpanList:
        """The same spans with one label for all; groups stay."""
        return replace(self, label=np.zeros_like(self.label))

    def is_flat(self) -> bool:
        """Does every span begin behind the one before?"""
        return bool((np.diff(self.start) > 0).all())

    def duplicates(self, units: int) -> npt.NDArray[np.float64]:
        """How many spans of each unit repeat another one."""
        rows = np.arange(len(self))
        if not self.is_flat():
            stretch = packed(packed(self.start, self.end - self.start), self.label.astype(np.int64))
            rows = distinct(stretch)
        return repeated(self.unit, rows, units)

    def by_position(self) -> Int64:
        """Rows by group, start, end, label; rows that are alike in the order of the list."""
        if self.is_flat():
            return np.argsort(self.group, kind="stable")
        return np.lexsort((self.label, self.end, self.start, self.group))

    def rows(self, chosen: Int64) -> tuple[Int64, Int64]:
        """Of some spans their group; and rows of start, end and label."""
        columns = self.start[chosen], self.end[chosen], self.label[chosen].astype(np.int64)
        return self.group[chosen], np.stack(columns, axis=1)


def judge(
    gold: SpanList, system: SpanList, mode: str, overlap: float
) -> tuple[Int64, Int64, npt.NDArray[np.uint8]]:
    """Pair the spans of two sides and judge the pairs.

    Gives the system row that each gold span is compared with, -1 for none; the system rows of the
    rest; and a verdict on every gold span, then on each of the rest.

    System spans choose in the order of their list, and each gold span is chosen once. A gold span
    of the same boundaries comes first (and of the same label, under "strict" and "type"): correct.
    Else it is the first one of the gold list that has at least `overlap` percent of its atoms
    covered: partial under that mode, otherwise incorrect. Under "type" the covered one of the same
    label whose boundaries are closest comes before that, and is correct.
    """
    from tertium.families.spans._kernels import pair_overlapping

    if mode in ("exact", "partial"):
        gold, system = gold.without_labels(), system.without_labels()
    order = gold.by_position(), np.argsort(system.group, kind="stable")
    chosen, right = np.full(len(system), -1, np.int64), np.zeros(len(system), np.bool_)
    pair_overlapping(
        *gold.rows(order[0]),
        order[0],
        *system.rows(order[1]),
        mode == "type",
        float(overlap),
        np.empty(len(gold), np.int64),
        np.arange(len(gold) + 1),
        chosen,
        right,
    )
    has_partner = chosen >= 0
    gold_rows, system_rows = order[0][chosen[has_partner]], order[1][has_partner]
    partner = np.full(len(gold), -1, np.int64)
    partner[gold_rows] = system_rows
    verdict = np.full(len(gold), MISSED, np.uint8)
    half = PARTIAL if mode == "partial" else INCORRECT
    verdict[gold_rows] = np.where(right[has_partner], CORRECT, half)
    spurious = np.sort(order[1][~has_partner])
    added = np.full(len(spurious), SPURIOUS, np.uint8)
    return partner, spurious, np.concatenate([verdict, added])


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
    cite = citation("segura-bedmar-etal-2013-semeval", "chinchor-sundheim-1993-muc")
    display = "Partial F1"
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
    suffix: bool | None = parameter(None, help=_FIXED, choices=(None,))
    mode: str = parameter("partial", help="what must be right", choices=MODES)
    overlap: float = parameter(
        1.0,
        help="the percentage of a gold span that must be covered, 1 to 100",
        check=_is_percentage,
    )
    compat: str = parameter(
        "nervaluate", help="the program whose counts are reproduced", choices=("nervaluate",)
    )
    undefined: str = parameter(
        "zero", help="how 0 divided by 0 is shown, with the reason", choices=("zero", "null")
    )

    @property
    def zero_because(self) -> str:
        """Whose convention it is."""
        return "by nervaluate's convention" if self.undefined == "zero" else ""

    def candidates(self, corpus: Corpus) -> list[str]:
        """Also columns with tags of another form, if they are meant for spans or the only ones:
        some of them nervaluate takes."""
        names, tags = _meant_for_spans(corpus), [*corpus.of_kind(Tags)]
        alone = len(tags) == 1 and corpus.format in ("columns", "python")
        return names or (tags if alone else [])

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
        _, spurious, verdict = judge(inside[0], inside[1], self.mode, self.overlap)
        unit = np.concatenate([ours.unit, theirs.unit[spurious]])
        label = np.concatenate([ours.label, theirs.label[spurious]])
        counted = _counted(verdict)
        block = label_block(names, unit, {n: (label, mask) for n, mask in counted.items()})
        return Stats(stats.columns, stats.counts, *block)

    def _judged(
        self, gold: Corpus, system: Corpus, alignment: Alignment
    ) -> tuple[Decisions, SpanList, SpanList]:
        """The decisions, and the spans of both sides on common ground."""
        items = self.items(gold), self.items(system)
        names, labels = unite(*(side.label for side in items))
        ours, theirs = (
            SpanList(unit, *atoms_of(spans, start, end), label, unit.astype(np.int64))
            for label, (spans, start, end, unit) in zip(
                labels, sides_of(*items, alignment), strict=True
            )
        )
        partner, spurious, every = judge(ours, theirs, self.mode, self.overlap)
        verdict = every[: len(ours)], every[len(ours) :]
        place = (theirs.start, theirs.end)

        def label() -> tuple[Int64, ...]:
            """A label that is not looked at makes no two answers differ, nor two additions."""
            looked_at = self.mode in ("strict", "type")
            return (name_hashes(names)[theirs.label],) if looked_at else ()

        decisions = Decisions.of(
            *items,
            alignment,
            partner=partner,
            right=verdict[0] == CORRECT,
            extra=spurious,
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
        return decisions.changed(tell_one_way=lambda: _ONE_WAY), ours, theirs

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

    def decoded(self, corpus: Corpus) -> Decoding:
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
