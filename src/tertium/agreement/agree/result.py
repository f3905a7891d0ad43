"""What `agree` gives back, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.agreement.annotators import PairScore
from tertium.agreement.estimates import NOTHING_IN_COMMON, Common, Selection
from tertium.agreement.label_matrix import RANKED, LabelMatrix
from tertium.exceptions import counted
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.assessment import TIE, Testing
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Hinton,
    Kind,
    Matrix,
    Table,
    Text,
    kind_of,
    or_missing,
    table_of,
)
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output, record
from tertium.results.scores import plain
from tertium.results.stats import Floats
from tertium.results.texts import interval_header, listed, number, p_text
from tertium.significance.intervals import METHODS
from tertium.significance.tables import interval_cell

SHOWN = 10  # rows of long tables in text
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("items", "ratings", "shared", "count"), "count"),
    **dict.fromkeys(("agreement", "F1"), "percent"),
    **dict.fromkeys(("cohen", "probability"), "value"),
}  # of columns that hold numbers


@dataclass(frozen=True)
class AgreeLook(LongLook):
    """What is shown of agreement."""

    labels: bool = option(False, "Show agreement per label (F1) and which labels are confused.")
    confusion: bool = option(False, "Show the confusion matrix; in figures, a heat map.")
    hinton: bool = option(
        False, "Show confusion probabilities as a Hinton diagram: squares instead of numbers."
    )


@dataclass(frozen=True, eq=False)
class AgreementResult(Selection, Output):
    """How far annotators agree: coefficients of all items, of which `result["cohen"]` is one, and
    what else there is to say.

    - `without`: coefficients without items that everybody gives a label; `groups`: by key and group
    - `annotators`, `pairs`: what one has in common with the others, and every two; `scores`: every
      two by metrics
    - `matrix`: which labels meet; None where items are not labels of words (`reason`) or labels are
      too many
    - `against`, `coarse`: comparisons of the matrix, where they were asked for; `earlier`: the one
      it was compared with
    - `sentences`: how many each annotator has of a text
    """

    metric: str = ""
    reason: str = ""
    annotators: Mapping[str, Common] = field(default_factory=dict)
    without: Mapping[str, Selection] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Selection]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Common] = field(default_factory=dict)
    scores: tuple[PairScore, ...] = ()
    sentences: Mapping[str, int] = field(default_factory=dict)
    matrix: LabelMatrix | None = None
    against: Mapping[str, Any] | None = None
    earlier: LabelMatrix | None = None
    coarse: Mapping[str, Any] | None = None
    testing: Testing | None = None
    notes: tuple[str, ...] = ()
    signature: str = ""
    version: str = field(default=__version__)

    look = AgreeLook

    @property
    def labels(self) -> dict[str, dict[str, Any]]:
        """By label: F1 between annotators, and how often each of two gives it, on average."""
        return {} if self.matrix is None else self.matrix.label_scores()

    @property
    def title(self) -> str:
        """Who was compared."""
        names = short_names([*(self.sentences or self.annotators)])
        return f"Agreement of {listed([*names.values()], most=4)}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of(dict.fromkeys(score.result.metric for score in self.scores))

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return [*self.sentences]

    def __repr__(self) -> str:
        texts = (f"{name} {each.value}" for name, each in self.coefficients.items())
        return f"<{self.title}: {', '.join(texts)}>"

    @property
    def pair_records(self) -> list[dict[str, Any]]:
        """Every two annotators with items or scores, as JSON has them."""
        found = {(a, b): {"a": a, "b": b, **record(row)} for (a, b), row in self.pairs.items()}
        for score in self.scores:
            entry = found.setdefault((score.a, score.b), {"a": score.a, "b": score.b})
            entry.setdefault("scores", []).append(score.to_dict())
        return [*found.values()]

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium agree` (docs/verbs/agree.md)."""
        names = {"version": "tertium", "matrix": "confusion"}
        found = record(self, first=("version",), names=names)
        for name, count in found.pop("sentences").items():
            found["annotators"].setdefault(name, {})["sentences"] = count
        if self.testing is not None:
            how = ("unit", "interval", "level", "trials", "seed")  # what intervals depend on
            found["testing"] = {name: getattr(self.testing, name) for name in how}
        found |= {"labels": self.labels, "pairs": self.pair_records}
        found.setdefault("confusion", {})
        return {name: each for name, each in found.items() if name not in ("scores", "earlier")}

    def in_short(self) -> str:
        """How far all agree."""
        if self.reason:
            return f"No coefficients: {self.reason}"
        if not self.items.get("shared"):
            return "No item has two or more ratings, so no agreement can be measured"
        same, shared = self.items["unanimous"], self.items["shared"]
        names = [name for name, row in self.annotators.items() if row.shared]
        who = f"The ratings of {len(names):,} annotators"
        who = listed(names, most=4) if len(names) <= 5 else who
        text = f"{who} agree on {same:,} of {counted(shared, 'item')} ({number(same / shared)}%)"
        alpha = self.coefficients.get("alpha")
        if alpha is not None and alpha.value is not None:
            text += f"; Krippendorff's alpha {number(alpha.value, 'value')}"
        return text

    def blocks(self, look: AgreeLook) -> list[Block]:
        """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
        several, pairs = len(self.annotators) > 2, self.pair_records
        blocks: list[Block] = [_coefficients(self)] if self.coefficients else []
        blocks += [_groups(key, groups) for key, groups in self.groups.items()]
        if several:
            blocks.append(look.shortened(_people(self.annotators), SHOWN, "more annotator"))
        if several or _has_other_scores(pairs):
            blocks += [look.shortened(_pairs(self), SHOWN, "more pair"), *_types(self)]
        if self.matrix is not None and self.matrix.items:
            if look.labels or not look.is_text:
                tables = {"label": _labels(self.labels), "confusion": _confusions(self.matrix)}
                blocks += [look.shortened(t, SHOWN, f"rarer {name}") for name, t in tables.items()]
            both = look.draws and not (look.confusion or look.hinton)
            blocks += [_matrix(self.matrix, [*self.annotators])] if look.confusion or both else []
            blocks += _hintons(self) if look.hinton or both else []
        if self.items:
            blocks.append(Text(_sizes(self.items), role="coverage"))
        blocks += map(Text, (*_comparisons(self), *self.notes))
        if (how := self.testing) is not None:
            drawn = f"{counted(how.trials, 'resample')} of {how.unit}s, seed {how.seed}"
            blocks.append(Text(f"{METHODS[how.interval]} intervals from {drawn}", role="tests"))
        blocks += [Text(self.signature, role="signature")] if self.signature else []
        return [each for each in blocks if not isinstance(each, Table) or each.rows]


def _columns(*names: str) -> list[Column]:
    return [Column(name, kind=KINDS.get(name, "text")) for name in names]


def _cells(record: Mapping[str, Any], *names: str) -> list[Cell]:
    """Numbers of a record, or why they are missing."""
    reason = record.get("reason", NOTHING_IN_COMMON)
    return [or_missing(record.get(name), reason) for name in names]


def _coefficients(result: AgreementResult) -> Table:
    """One row per coefficient."""
    columns = _columns("coefficient")
    rows: dict[str, list[Cell]] = {name: [name] for name in result.coefficients}
    several = {"": result, **{f"without {n}": s for n, s in result.without.items()}}
    for name, selection in several.items():
        group = name or ("all items" if result.without else "")
        columns.append(Column("value", group, "value"))
        if result.testing is not None:
            columns.append(Column(interval_header(result.testing.level), group, "interval_value"))
        for each, row in rows.items():
            row += _cells(record(selection[each]), "value")
            row += [] if result.testing is None else [interval_cell(selection[each].interval)]
    return table_of(columns, rows.values(), title="coefficients")


def _groups(key: str, groups: Mapping[str, Selection]) -> Table:
    """One row per group."""
    columns, rows = [*_columns(key, "items")], []
    for name, group in groups.items():
        values = (_cells(record(each), "value")[0] for each in group.coefficients.values())
        rows.append([name, group.items["shared"], *values])
        columns[2:] = [Column(each, "coefficient", "value") for each in group.coefficients]
    return table_of(columns, rows, title=f"coefficients by {key}")


def _people(annotators: Mapping[str, Common]) -> Table:
    """One row per annotator."""
    columns = _columns("annotator", "ratings", "shared", "agreement", "cohen")
    numbers = ("items", "shared", "agreement", "cohen")
    rows = ([name, *_cells(record(row), *numbers)] for name, row in annotators.items())
    note = "cohen: mean over all pairs with this annotator"
    return table_of(columns, rows, title="annotators", note=note)


def _pairs(result: AgreementResult) -> Table:
    """One row per pair."""
    parts = {score.result.metric: score.result.part() for score in result.scores}
    numbers = ("items", "agreement", "cohen") if result.pairs else ()
    columns = _columns("A", "B", *numbers)
    columns += [Column(m, "B scored against A", kind_of(p.kind)) for m, p in parts.items()]
    rows = []
    for each in result.pair_records:
        scores = {score["metric"]: score for score in each.get("scores", ())}
        values = (_cells(scores.get(metric, {}), "value")[0] for metric in parts)
        rows.append([each["a"], each["b"], *_cells(each, *numbers), *values])
    return table_of(columns, rows, title="pairs", keys=2)


def _has_other_scores(pairs: Sequence[Mapping[str, Any]]) -> bool:
    """Do metrics say more of two annotators than raw agreement does?"""
    scored = ((each.get("agreement"), s["value"]) for each in pairs for s in each.get("scores", ()))
    return any(a is None or b is None or abs(a - b) > TIE for a, b in scored)


def _types(result: AgreementResult) -> Iterator[Table]:
    """How two annotators differ, by metrics that tell kinds apart; a row per kind."""
    names = short_names(result.system_names)
    for metric in dict.fromkeys(score.result.metric for score in result.scores):
        held = [score for score in result.scores if score.result.metric == metric]
        kinds = dict.fromkeys(kind for score in held for kind in score.types)
        if len(kinds) > 1:
            columns = [Column(f"{names[s.a]}, {names[s.b]}", "A, B", "count") for s in held]
            rows: list[list[Cell]]
            rows = [[kind, *(s.types.get(kind, 0) for s in held)] for kind in kinds]
            title = f"{metric}: how B differs from A"
            yield table_of([Column("difference"), *columns], rows, title=title)


def _labels(labels: Mapping[str, Mapping[str, Any]]) -> Table:
    """Agreement per label."""
    order = sorted(labels.items(), key=lambda entry: (-entry[1]["count"], entry[0]))
    rows = ([name, *_cells(each, "count", "f1")] for name, each in order)
    note = "count: how often an annotator gives the label, averaged over a pair"
    return table_of(_columns("label", "count", "F1"), rows, title="labels", note=note)


def _confusions(matrix: LabelMatrix) -> Table:
    """One row per pair of labels."""
    columns = _columns("label", "label", "count", "probability")
    note = "probability: that an item gets both labels, the mean of both directions"
    return table_of(columns, matrix.pairs(), title="confusions", keys=2, note=note)


def _matrix(matrix: LabelMatrix, names: Sequence[str]) -> Matrix:
    rows, columns = names if len(names) == 2 else ["one annotator", "the other annotator"]
    values, title = _rows(matrix.counts), "labels of two annotators"
    return Matrix(matrix.labels, matrix.labels, values, title, rows, columns, name="confusion")


def _rows(table: Floats) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(map(plain, row)) for row in table.tolist())


def _hintons(result: AgreementResult) -> list[Block]:
    """Confusion probabilities without the diagonal: ours and, on the same scale, those of the run
    that it is compared with."""
    assert result.matrix is not None
    runs = {"disagreement": result.matrix}
    if result.earlier is not None and result.against is not None:
        runs[f"disagreement in {result.against['file']}"] = result.earlier
    confused = {label for run in runs.values() for pair in run.pairs() for label in pair[:2]}
    every = dict.fromkeys(label for run in runs.values() for label in run.labels)
    labels = tuple(label for label in every if label in confused)
    if not labels:
        return [Text("there is no Hinton diagram: annotators never disagree")]
    diagonal = np.eye(len(labels), dtype=np.bool_)
    tables = [np.where(diagonal, np.nan, run.probabilities(labels)) for run in runs.values()]
    largest = float(np.nanmax(tables))
    note = f"a full square is a probability of {number(largest, 'value')}"
    if left := len(every) - len(labels):
        note += f"; not shown: {counted(left, 'label')} without confusions"
    about: dict[str, Any] = {"kind": "value", "note": note, "largest": largest}
    names, figures = ("hinton", "hinton-earlier"), zip(runs, tables, strict=True)
    return [
        Hinton(labels, labels, _rows(table), title, name=name, **about)
        for name, (title, table) in zip(names, figures, strict=False)
    ]


def _comparisons(result: AgreementResult) -> Iterator[str]:
    """What an earlier run and coarse labels say, in words."""
    if (found := result.against) is not None:
        each = ((name.title(), *found[name].values()) for name in RANKED)
        texts = (f"{name} {number(rho, 'value')} ({p_text(p)})" for name, rho, p in each)
        told = found.get("reason")
        told = f"undefined, because {told}" if told else ", ".join(texts)
        pairs = counted(found["pairs"], "pair")
        yield f"correlation with the confusions in {found['file']}, {pairs} of labels: {told}"
    if (found := result.coarse) is not None:
        if "reason" in found:
            yield f"coarse labels hide nothing: {found['reason']}"
        else:
            types = counted(found["types"], "confusion type")
            share, rest = number(found["share"]), number(found["share_of_disagreements"])
            yield (
                f"coarse labels hide {found['lost']:,} of {types} ({share}%) and {rest}% of all "
                "disagreements"
            )


def _sizes(items: Mapping[str, int]) -> str:
    text = f"{items['shared']:,} of {counted(items['all'], 'item')} have two or more ratings"
    return text + (f"; on {items['unanimous']:,} all ratings agree" if items["shared"] else "")
