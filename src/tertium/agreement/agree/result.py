"""What `agree` gives back, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium._version import __version__
from tertium.agreement.agree.texts import PairScore
from tertium.agreement.coefficients import Coefficient
from tertium.agreement.label_matrix import LabelMatrix
from tertium.exceptions import UsageError, counted, suggestion
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.assessment import TIE, Interval, Testing
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Hinton,
    Matrix,
    Missing,
    Range,
    Table,
    Text,
    kind_of,
    or_missing,
)
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output
from tertium.results.texts import interval_header, listed, number, p_text

SHOWN = 10  # rows of long tables in text
NO_PAIR = "no item in common"
UNDEFINED_PAIR = "undefined: both give one label only, the same"


@dataclass(frozen=True, eq=False)
class CoefficientValue:
    """One coefficient; `value` is None where it is undefined, and `reason` says why."""

    coefficient: Coefficient
    value: float | None
    reason: str = ""
    interval: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """The entry in `coefficients` of the JSON output."""
        return {
            "value": self.value,
            **({"interval": self.interval.to_dict()} if self.interval else {}),
            **({"reason": self.reason} if self.reason else {}),
        }

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Value and interval as a table has them."""
        return or_missing(self.value, self.reason), _range(self.interval)


@dataclass(frozen=True, eq=False)
class Selection:
    """Coefficients of some items, by their texts, and how many items these are."""

    values: Mapping[str, CoefficientValue]
    items: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "items": dict(self.items),
            "coefficients": {name: each.to_dict() for name, each in self.values.items()},
        }


@dataclass(frozen=True)
class AnnotatorRow:
    """One annotator: ratings, those of items that others rated too, raw agreement with others over
    all of these, and the mean of Cohen's kappa."""

    name: str
    items: int
    shared: int
    agreement: float | None
    cohen: float | None


@dataclass(frozen=True)
class PairRow:
    """Two annotators with items in common."""

    a: str
    b: str
    items: int
    agreement: float
    cohen: float | None


@dataclass(frozen=True)
class AgreeLook(LongLook):
    """What is shown of agreement."""

    labels: bool = option(False, "Show agreement per label (F1) and which labels are confused.")
    confusion: bool = option(False, "Show which labels meet as a matrix, in pictures a heat map.")
    hinton: bool = option(
        False, "Show confusion probabilities as a Hinton diagram: squares instead of numbers."
    )


@dataclass(frozen=True, eq=False)
class AgreementResult(Output):
    """How far annotators agree.

    - `values`: coefficients of all items; `result["cohen"]` is one of them
    - `without`: the same without items that everybody gives a label; `groups`: by key and group
    - `annotators`, `pairs`: one by one, and every two; `scores`: every two by metrics
    - `matrix`: which labels meet; None where items are not labels of words (`reason`) or labels are
      too many
    - `against`, `coarse`: comparisons of the matrix, where they were asked for
    - `sentences`: how many each annotator has of a text
    """

    annotators: tuple[AnnotatorRow, ...]
    items: Mapping[str, int]
    values: Selection
    without: Mapping[str, Selection] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Selection]] = field(default_factory=dict)
    pairs: tuple[PairRow, ...] = ()
    matrix: LabelMatrix | None = None
    scores: tuple[PairScore, ...] = ()
    score_intervals: Mapping[tuple[str, str, str], Interval] = field(default_factory=dict)
    metric: str = ""
    signature: str = ""
    sentences: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    reason: str = ""
    against: Mapping[str, Any] | None = None
    coarse: Mapping[str, Any] | None = None
    testing: Testing | None = None
    unit: str = "item"
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    look = AgreeLook

    def __getitem__(self, name: str) -> CoefficientValue:
        known = self.values.values
        if name not in known:
            raise UsageError(
                f"there is no coefficient '{name}'.{suggestion(name, [*known])}",
                help=f"coefficients: {', '.join(known)}",
            )
        return known[name]

    @property
    def labels(self) -> dict[str, dict[str, float | None]]:
        """By label: F1 between annotators, and how often each of two gives it, on average."""
        return {} if self.matrix is None else self.matrix.label_scores()

    @property
    def title(self) -> str:
        """Who was compared."""
        names = [*(self.names or (row.name for row in self.annotators))]
        return f"Agreement of {listed([*short_names(names).values()], most=4)}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of([*dict.fromkeys(score.result.metric for score in self.scores)])

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return self.names

    def __repr__(self) -> str:
        texts = (f"{name} {each.value}" for name, each in self.values.values.items())
        return f"<{self.title}: {', '.join(texts)}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium agree` (docs/verbs/agree.md)."""
        scores: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for score in self.scores:
            made = self.score_intervals.get((score.a, score.b, score.result.metric))
            entry = {**score.to_dict(), **({"interval": made.to_dict()} if made else {})}
            scores.setdefault((score.a, score.b), []).append(entry)
        pairs = {(row.a, row.b): dict(vars(row)) for row in self.pairs}
        for pair, entries in scores.items():
            pairs.setdefault(pair, {"a": pair[0], "b": pair[1]})["scores"] = entries
        people = {row.name: _fields(row) for row in self.annotators}
        for name, count in self.sentences.items():
            people.setdefault(name, {})["sentences"] = count
        return {
            "tertium": self.version,
            **({"metric": self.metric} if self.metric else {}),
            "annotators": people,
            "items": dict(self.items),
            "coefficients": self.values.to_dict()["coefficients"],
            **({"reason": self.reason} if self.reason else {}),
            "without": {label: each.to_dict() for label, each in self.without.items()},
            "groups": {
                key: {name: each.to_dict() for name, each in groups.items()}
                for key, groups in self.groups.items()
            },
            "labels": self.labels,
            "confusion": {} if self.matrix is None else self.matrix.to_dict(),
            "pairs": [*pairs.values()],
            **({"against": dict(self.against)} if self.against else {}),
            **({"coarse": dict(self.coarse)} if self.coarse else {}),
            **({"testing": _how(self.testing, self.unit)} if self.testing else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"signature": self.signature} if self.signature else {}),
        }

    def in_short(self) -> str:
        """How far all agree."""
        if self.reason:
            return f"No coefficients: {self.reason}"
        if not self.items.get("shared"):
            return "No item has two or more ratings, so no agreement can be measured"
        same, shared = self.items["unanimous"], self.items["shared"]
        who = listed([row.name for row in self.annotators], most=4)
        if len(self.annotators) > 5:
            who = f"All {len(self.annotators):,} annotators"
        text = f"{who} agree on {same:,} of {counted(shared, 'item')} ({number(same / shared)}%)"
        if len(self.annotators) > 5:
            text = f"Whoever rated an item agrees on {same:,} of {counted(shared, 'item')} "
            text += f"({number(same / shared)}%)"
        alpha = self.values.values.get("alpha")
        if alpha is not None and alpha.value is not None:
            text += f"; Krippendorff's alpha {number(alpha.value, 'value')}"
        return text

    # -- tables --------------------------------------------------------------------------------

    def blocks(self, look: AgreeLook) -> list[Block]:
        """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
        limit = look.usual(SHOWN)
        blocks: list[Block] = []
        if self.values.values:
            blocks.append(self._coefficients())
        blocks += [self._groups(key) for key in self.groups]
        if len(self.annotators) > 2:
            blocks.append(self._people(limit))
        if len(self.annotators) > 2 or self._has_other_scores():
            blocks += [self._pairs(limit), *self._types()]
        if self.matrix is not None and self.matrix.items:
            if look.labels or not look.is_text:
                blocks += self._labels(limit)
            both = look.draws and not (look.confusion or look.hinton)
            blocks += [self._matrix()] if look.confusion or both else []
            blocks += [self._hinton()] if look.hinton or both else []
        blocks += map(Text, self._comparisons())
        blocks += [Text(self._sizes(), role="coverage")] if self.items else []
        blocks += [Text(note) for note in self.notes]
        if self.testing is not None:
            drawn = f"{self.testing.trials:,} resamples of {self.unit}s, seed {self.testing.seed}"
            blocks.append(Text(f"{self.testing.interval} intervals: {drawn}", role="tests"))
        return [*blocks, *([Text(self.signature, role="signature")] if self.signature else [])]

    def _coefficients(self) -> Table:
        """One row per coefficient."""
        several = {"": self.values, **{f"without {n}": s for n, s in self.without.items()}}
        columns = [Column("coefficient")]
        for name in several:
            columns.append(Column("value", name or ("all items" if self.without else ""), "value"))
            if self.testing is not None:
                header = interval_header(self.testing.level)
                columns.append(Column(header, columns[-1].group, "interval_value"))
        width = 1 + (self.testing is not None)
        rows: list[tuple[Cell, ...]] = [
            (name, *(cell for each in several.values() for cell in each.values[name].cells[:width]))
            for name in self.values.values
        ]
        return Table(tuple(columns), tuple(rows), title="coefficients")

    def _groups(self, key: str) -> Table:
        """One row per group."""
        names = [*self.values.values]
        rows = [
            (group, each.items["shared"], *(each.values[name].cells[0] for name in names))
            for group, each in self.groups[key].items()
        ]
        columns = [Column(key), Column("items", kind="count")]
        columns += [Column(name, "coefficient", "value") for name in names]
        return Table(tuple(columns), tuple(rows), title=f"coefficients by {key}")

    def _people(self, limit: int | None) -> Table:
        """One row per annotator."""
        columns = (
            Column("annotator"),
            Column("ratings", kind="count"),
            Column("shared", kind="count"),
            Column("agreement", kind="percent"),
            Column("cohen", kind="value"),
        )
        rows = [
            (
                *(row.name, row.items, row.shared),
                *(or_missing(value, NO_PAIR) for value in (row.agreement, row.cohen)),
            )
            for row in self.annotators
        ]
        left = len(rows) - len(rows[:limit])
        omitted = f"and {counted(left, 'more annotator')}; '--all' shows them" if left else ""
        note = "cohen: mean over pairs with others"
        return Table(columns, tuple(rows[:limit]), title="annotators", omitted=omitted, note=note)

    def _pairs(self, limit: int | None) -> Table:
        """One row per pair."""
        metrics = {score.result.metric: score.result for score in self.scores}
        columns = [Column("A"), Column("B")]
        if self.pairs:
            columns += [Column("items", kind="count"), Column("agreement", kind="percent")]
            columns.append(Column("cohen", kind="value"))
        columns += [
            Column(m, "B scored against A", kind_of(r.part().kind)) for m, r in metrics.items()
        ]
        held = {(s.a, s.b, s.result.metric): s.result for s in self.scores}
        rated = {(row.a, row.b): row for row in self.pairs}
        rows: list[tuple[Cell, ...]] = []
        for a, b in dict.fromkeys([*rated, *((s.a, s.b) for s in self.scores)]):
            cells: list[Cell] = [a, b]
            if self.pairs:
                row = rated.get((a, b))
                cells += (
                    [row.items, row.agreement, or_missing(row.cohen, UNDEFINED_PAIR)]
                    if row is not None
                    else [Missing(NO_PAIR)] * 3
                )
            for metric in metrics:
                found = held.get((a, b, metric))
                why = NO_PAIR if found is None else found.reasons.get("value", "")
                cells.append(or_missing(None if found is None else found.value, why))
            rows.append(tuple(cells))
        left = len(rows) - len(rows[:limit])
        omitted = f"and {counted(left, 'more pair')}; '--all' shows them" if left else ""
        return Table(tuple(columns), tuple(rows[:limit]), title="pairs", keys=2, omitted=omitted)

    def _has_other_scores(self) -> bool:
        """Do metrics say more of two annotators than raw agreement does?"""
        same = {(row.a, row.b): row.agreement for row in self.pairs}
        return any(
            s.result.value is None or abs(s.result.value - same.get((s.a, s.b), -1.0)) > TIE
            for s in self.scores
        )

    def _types(self) -> Iterator[Table]:
        """How two annotators differ, by metrics that tell kinds apart; a row per kind."""
        for metric in dict.fromkeys(score.result.metric for score in self.scores):
            held = [score for score in self.scores if score.result.metric == metric]
            kinds = [*dict.fromkeys(kind for score in held for kind in score.types)]
            if len(kinds) < 2:
                continue
            names = short_names(self.names)
            pairs = [Column(f"{names[s.a]}, {names[s.b]}", "A, B", "count") for s in held]
            rows: list[tuple[Cell, ...]] = [
                (kind, *(s.types.get(kind, 0) for s in held)) for kind in kinds
            ]
            columns = (Column("difference"), *pairs)
            yield Table(columns, tuple(rows), title=f"{metric}: how B differs from A")

    def _labels(self, limit: int | None) -> list[Block]:
        """Agreement per label, and confused labels."""
        assert self.matrix is not None
        scores = sorted(self.labels.items(), key=lambda e: (-(e[1]["count"] or 0), e[0]))
        rows = [
            (name, each["count"], or_missing(each["f1"], "no annotator gives this label twice"))
            for name, each in scores
        ]
        columns = (Column("label"), Column("count", kind="count"), Column("F1", kind="percent"))
        pairs = self.matrix.pairs()
        left, more = len(rows) - len(rows[:limit]), len(pairs) - len(pairs[:limit])
        confused = (Column("label"), Column("label"), Column("count", kind="count"))
        return [
            Table(
                columns,
                tuple(rows[:limit]),
                title="labels",
                omitted=f"and {counted(left, 'rarer label')}; '--all' shows them" if left else "",
                note="count: how often an annotator gives the label, the mean of two",
            ),
            Table(
                (*confused, Column("probability", kind="value")),
                tuple(pairs[:limit]),
                title="confusions",
                keys=2,
                omitted=f"and {more:,} rarer; '--all' shows them" if more else "",
                note="probability: the mean of both directions, of all items",
            ),
        ]

    def _axes(self) -> tuple[str, str]:
        if len(self.annotators) == 2:
            return self.annotators[0].name, self.annotators[1].name
        return "one annotator", "another annotator"

    def _matrix(self) -> Matrix:
        assert self.matrix is not None
        rows, columns = self._axes()
        values = tuple(tuple(row) for row in self.matrix.counts.tolist())
        labels = self.matrix.labels
        return Matrix(
            labels, labels, values, "labels of two annotators", rows, columns, name="confusion"
        )

    def _hinton(self) -> Hinton:
        """Confusion probabilities without the diagonal."""
        assert self.matrix is not None
        confused = {label for pair in self.matrix.pairs() for label in pair[:2]}
        places = [n for n, label in enumerate(self.matrix.labels) if label in confused]
        chances = self.matrix.probabilities
        values = tuple(
            tuple(None if i == j else float(chances[i, j]) for j in places) for i in places
        )
        labels = tuple(self.matrix.labels[n] for n in places)
        largest = max((v for row in values for v in row if v is not None), default=0.0)
        note = f"the largest square is a probability of {number(largest, 'value')}"
        if left := len(self.matrix.labels) - len(labels):
            note += f"; {counted(left, 'label')} never confused left out"
        return Hinton(
            labels, labels, values, "disagreement", kind="value", note=note, name="hinton"
        )

    def _comparisons(self) -> Iterator[str]:
        """What an earlier run and coarse labels say, in words."""
        if self.against is not None:
            told = f"confusions beside {self.against['file']}, {self.against['pairs']:,} pairs of "
            told += f"{self.against['labels']} labels: "
            if "reason" in self.against:
                yield f"{told}undefined, because {self.against['reason']}"
            else:
                each = [(name, self.against[name]) for name in ("spearman", "kendall")]
                yield told + "; ".join(
                    f"{name.title()} {number(c['value'], 'value')} ({p_text(c['p'])})"
                    for name, c in each
                )
        if self.coarse is not None:
            lost, types = self.coarse["lost"], self.coarse["types"]
            share, rest = self.coarse["share"], self.coarse["share_of_disagreements"]
            told = f"{lost:,} of {counted(types, 'confusion type')}"
            if share is None:
                yield f"coarse labels hide nothing: {self.coarse['reason']}"
            else:
                yield (
                    f"coarse labels hide {told} ({number(share)}%) and {number(rest)}% of all "
                    "disagreements"
                )

    def _sizes(self) -> str:
        held = self.items
        text = f"{held['shared']:,} of {counted(held['all'], 'item')} with two or more ratings"
        return f"{text}, {held['unanimous']:,} of them with one label only"


def _range(interval: Interval | None) -> Cell:
    if interval is None or interval.low is None or interval.high is None:
        return Missing(interval.reason if interval else "not computed")
    return Range(interval.low, interval.high)


def _fields(row: AnnotatorRow) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "name"}


def _how(testing: Testing, unit: str) -> dict[str, Any]:
    """How intervals were made."""
    held = testing.to_dict()
    return {"unit": unit, **{name: held[name] for name in ("interval", "level", "trials", "seed")}}
