"""What `agree` gives back, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tertium._version import __version__
from tertium.agreement.label_matrix import RANKED, LabelMatrix
from tertium.agreement.values import NOTHING_IN_COMMON, Common, Selection
from tertium.exceptions import counted
from tertium.options import option
from tertium.results.assessment import TIE, Testing
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Table,
    Text,
    kind_of,
    or_missing,
    table_of,
    table_of_records,
)
from tertium.results.output import LongLook, Output, Rows, record
from tertium.results.scores import metric_names as names_of
from tertium.results.texts import interval_header, listed, number, p_text
from tertium.significance.intervals import METHODS
from tertium.significance.score.sides import NO_ITEMS, PairScore, type_tables
from tertium.significance.tables import interval_cell

SHOWN = 10  # rows of long tables in text
MEANS = "cohen: mean over all pairs with this annotator"
COLUMNS = {
    **{name: Column(name) for name in ("annotator", "A", "B")},
    **{name: Column(name, kind="count") for name in ("items", "shared")},
    **{name: Column(name, kind="value") for name in ("agreement", "cohen")},
}


@dataclass(frozen=True)
class AgreeLook(LongLook):
    """What is shown of agreement."""

    labels: bool = option(False, "Show agreement per label (F1) and which labels are confused.")
    confusion: bool = option(False, "Show the confusion matrix; in figures, a heat map.")
    hinton: bool = option(
        False, "Show confusion probabilities as a Hinton diagram: squares instead of numbers."
    )


@dataclass(frozen=True, eq=False, repr=False)
class AgreementResult(Output, Selection):
    """How far annotators agree: coefficients of all items, of which `result["cohen"]` is one, and
    what else there is to say.

    - `headline`: the text of the coefficient that sums it up
    - `without`: coefficients without items that everybody gives a label; `groups`: by key and group
    - `annotators`, `pairs`: what one has in common with the others, and every two; `scores`: every
      two by metrics
    - `matrix`: which labels meet; None where items are not labels of words (`reason`) or labels are
      too many
    - `against`, `coarse`: comparisons of the matrix, where they were asked for
    - `sentences`: how many each annotator has of a text
    """

    headline: str = "alpha"
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
    coarse: Mapping[str, Any] | None = None
    testing: Testing | None = None
    notes: tuple[str, ...] = ()
    signature: str = ""

    look = AgreeLook
    is_page = True

    @property
    def labels(self) -> dict[str, dict[str, Any]]:
        """By label: F1 between annotators, and how often each of two gives it, on average."""
        return {} if self.matrix is None else self.matrix.label_scores()

    @property
    def title(self) -> str:
        """Who was compared."""
        return f"Agreement of {counted(len(self.sentences or self.annotators), 'annotator')}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return names_of(score.result for score in self.scores)

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return [*self.sentences]

    @property
    def pair_records(self) -> list[dict[str, Any]]:
        """Every two annotators with items or scores, as JSON has them."""
        found = {pair: record(row) for pair, row in self.pairs.items()}
        for score in self.scores:
            entry = found.setdefault((score.a, score.b), {})
            entry.setdefault("scores", []).append(score.to_dict())
        return [{"a": a, "b": b, **entry} for (a, b), entry in found.items()]

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium agree` (docs/verbs/agree.md)."""
        found = {"tertium": __version__, **record(self, names={"matrix": "confusion"})}
        for name, count in found.pop("sentences").items():
            found["annotators"].setdefault(name, {})["sentences"] = count
        if self.testing is not None:
            how = ("unit", "interval", "level", "trials", "seed")  # what intervals depend on
            found["testing"] = {name: getattr(self.testing, name) for name in how}
        found |= {"labels": self.labels, "pairs": self.pair_records}
        found.setdefault("confusion", {})
        for name in ("scores", "headline"):
            found.pop(name, None)
        return found

    def tables(self) -> dict[str, Rows]:
        """The records of its tables, by their names."""
        pairs: Rows = []
        for row in self.pair_records:
            scores = {each["metric"]: each["value"] for each in row.pop("scores", ())}
            pairs.append({"A": row.pop("a"), "B": row.pop("b"), **row, **scores})
        return {
            "coefficients": self.rows,
            "annotators": [{"annotator": n, **record(row)} for n, row in self.annotators.items()],
            "pairs": pairs,
            **(self.matrix.rows if self.matrix else {}),
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Coefficients, annotators, pairs, labels, confusions, and all numbers."""
        return {**{n: partial(list, rows) for n, rows in self.tables().items()}, **super().frames()}

    def in_short(self) -> str:
        """How far all agree."""
        if self.reason:
            return f"No coefficients: {self.reason}"
        if not self.items.get("shared"):
            return "No item has two or more ratings, so no agreement can be measured"
        same, shared = self.items["unanimous"], self.items["shared"]
        names = [name for name, row in self.annotators.items() if row.shared]
        who, common = f"{listed(names, 4)} agree", {row.shared for row in self.annotators.values()}
        if len(names) > 5 or not common <= {0, shared}:
            who = f"The ratings of {len(names):,} annotators are unanimous"
        told = [f"{who} on {same:,} of {counted(shared, 'item')} ({number(same / shared)}%)"]
        if (value := self[self.headline].value) is not None and self.headline != "agreement":
            name = self.headline.replace("alpha", "Krippendorff's alpha")
            told.append(f"{name} {number(value, 'value')}")
        if len(self.scores) and len(self.pairs) == 1:
            score = next(each.result for each in self.scores if each.result.metric == self.metric)
            if score.value is not None and abs(score.value - same / shared) > TIE:
                told.append(f"{score.metric} {number(score.value, score.part().kind)}")
        return "; ".join(told)

    def blocks(self, look: AgreeLook) -> list[Block]:
        """Coefficients, annotators, pairs, confusions, labels, and what a reader must know."""
        rows, matrix, several = self.tables(), self.matrix, len(self.annotators) > 2
        blocks, scores = [*_coefficients(self)], _more_columns(self.scores, rows["pairs"])
        if several:
            blocks.append(_table(look, "Annotators", rows["annotators"], {}, note=MEANS))
        if several or scores:
            blocks.append(_table(look, "Pairs", rows["pairs"], scores, keys=2))
            blocks += type_tables(self.scores)
        if matrix is not None and matrix.items:
            both = look.draws and not (look.confusion or look.hinton)
            drawn = {"heat_map": look.confusion or both, "hinton": look.hinton or both}
            blocks += matrix.figures([*self.annotators], **drawn) if any(drawn.values()) else []
            tables = matrix.tables if look.labels or not look.is_text else {}
            blocks += [look.shortened(t, SHOWN, f"rarer {name}") for name, t in tables.items()]
        if self.items:
            shared, every = self.items["shared"], counted(self.items["all"], "item")
            blocks.append(Text(f"two or more ratings on {shared:,} of {every}", role="coverage"))
        blocks += map(Text, (*_comparisons(self), *self.notes))
        if (how := self.testing) is not None:
            told = f"{counted(how.trials, 'resample')} of {how.unit}s, seed {how.seed}"
            blocks.append(Text(f"{METHODS[how.interval]} intervals from {told}", role="tests"))
        blocks += [Text(self.signature, role="signature")] if self.signature else []
        return [each for each in blocks if not isinstance(each, Table) or each.rows]


def _table(
    look: AgreeLook, title: str, rows: Rows, more: Mapping[str, Column], **about: Any
) -> Table:
    """With the columns that annotators or pairs have, and further ones of pairs; where not all rows
    are shown, those that agree least."""
    reasons = {**dict.fromkeys(COLUMNS, NOTHING_IN_COMMON), **dict.fromkeys(more, NO_ITEMS)}
    noun, columns = f"more {title.lower().removesuffix('s')}", {**COLUMNS, **more}
    if len(rows) > (look.usual(SHOWN) or len(rows)):
        rows = sorted(rows, key=lambda row: 2.0 if row["agreement"] is None else row["agreement"])
        title = f"{title} that agree least"
    table = table_of_records(rows, title=title, columns=columns, reasons=reasons, **about)
    return look.shortened(table, SHOWN, noun)


def _coefficients(result: AgreementResult) -> Iterator[Block]:
    """One row per coefficient; then tables of groups with one row per group."""
    columns, testing = [Column("coefficient")], result.testing
    rows: dict[str, list[Cell]] = {name: [name] for name in result.coefficients}
    several = {"": result, **{f"without {n}": s for n, s in result.without.items()}}
    for name, selection in several.items():
        group = name or ("all items" if result.without else "")
        columns.append(Column("value", group, "value"))
        if testing:
            columns.append(Column(interval_header(testing.level), group, "interval_value"))
        for each, row in rows.items():
            found = selection[each]
            row.append(or_missing(found.value, found.reason))
            row += [interval_cell(found.interval)] if testing else []
    yield table_of(columns, rows.values(), title="Coefficients")
    names = [Column(name, "coefficient", "value") for name in result.coefficients]
    for key, groups in result.groups.items():
        lines: list[list[Cell]] = []
        for by, own in groups.items():
            values = (or_missing(v.value, v.reason) for v in own.coefficients.values())
            lines.append([by, own.items["shared"], *values])
        columns = [Column(key), COLUMNS["items"], *names]
        yield table_of(columns, lines, title=f"Coefficients by {key}")


def _more_columns(scores: Sequence[PairScore], pairs: Rows) -> dict[str, Column]:
    """Those of metrics, without shares of one annotator's items that equal raw agreement."""
    found = {}
    for score in scores:
        name, part = score.result.metric, score.result.part()
        kind, both = kind_of(part.kind), [(row.get("agreement"), row.get(name)) for row in pairs]
        is_new = any(a is None or b is None or abs(a - b) > TIE for a, b in both)
        if is_new or part.over != "gold":
            found[name] = Column(name, "B scored against A", kind)
    return found


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
        hidden = f"nothing: {found.get('reason')}"
        if types := found["types"]:
            share, rest = number(found["share"]), number(found["share_of_disagreements"])
            hidden = f"{found['lost']:,} of {counted(types, 'confusion type')} ({share}%)"
            hidden += f" and {rest}% of all disagreements"
        yield f"coarse labels hide {hidden}"
