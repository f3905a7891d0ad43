"""What is shown of agreement: tables, figures and texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tertium.agreement.agree.result import AgreeLook, AgreementResult
from tertium.agreement.estimates import NOTHING_IN_COMMON
from tertium.agreement.label_matrix import RANKED, LabelMatrix
from tertium.exceptions import counted
from tertium.results.assessment import TIE
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Hinton,
    Matrix,
    Missing,
    Table,
    Text,
    kind_of,
    or_missing,
    table_of,
)
from tertium.results.names import short_names
from tertium.results.scores import plain
from tertium.results.texts import interval_header, number, p_text
from tertium.significance.intervals import METHODS
from tertium.significance.tables import interval_cell

SHOWN = 10  # rows of long tables in text
NONE = Missing(NOTHING_IN_COMMON)
BOTH = (Column("agreement", kind="percent"), Column("cohen", kind="value"))
COUNT = Column("count", kind="count")


def build(result: AgreementResult, look: AgreeLook) -> list[Block]:
    """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
    blocks: list[Block] = [_coefficients(result)] if result.whole.coefficients else []
    blocks += [_groups(result, key) for key in result.groups]
    several = len(result.annotators) > 2
    if several:
        blocks.append(look.shortened(_people(result), SHOWN, "more annotator"))
    if result.pairs and (several or _has_other_scores(result)):
        blocks += [look.shortened(_pairs(result), SHOWN, "more pair"), *_types(result)]
    if result.matrix is not None and result.matrix.items:
        if look.labels or not look.is_text:
            tables = {"label": _labels(result), "confusion": _confusions(result.matrix)}
            blocks += [look.shortened(t, SHOWN, f"rarer {n}") for n, t in tables.items() if t.rows]
        both = look.draws and not (look.confusion or look.hinton)
        blocks += [_matrix(result)] if look.confusion or both else []
        blocks += _hintons(result) if look.hinton or both else []
    if (held := result.items) and held["all"]:
        text = f"{held['shared']:,} of {counted(held['all'], 'item')} have two or more ratings"
        text += f"; on {held['unanimous']:,} all ratings agree" if held["shared"] else ""
        blocks.append(Text(text, role="coverage"))
    blocks += map(Text, (*_comparisons(result), *result.notes))
    if (how := result.testing) is not None:
        drawn = f"{counted(how.trials, 'resample')} of {how.unit}s, seed {how.seed}"
        blocks.append(Text(f"{METHODS[how.interval]} intervals from {drawn}", role="tests"))
    return [*blocks, *([Text(result.signature, role="signature")] if result.signature else [])]


def _cells(row: Any, *names: str) -> list[Cell]:
    """Numbers of something that has a reason where one of them is missing."""
    return [or_missing(getattr(row, name), row.reason or NOTHING_IN_COMMON) for name in names]


def _coefficients(result: AgreementResult) -> Table:
    """One row per coefficient."""
    columns = [Column("coefficient")]
    rows: dict[str, list[Cell]] = {name: [name] for name in result.whole.coefficients}
    several = {"": result.whole, **{f"without {n}": s for n, s in result.without.items()}}
    for name, selection in several.items():
        group = name or ("all items" if result.without else "")
        columns.append(Column("value", group, "value"))
        if result.testing is not None:
            columns.append(Column(interval_header(result.testing.level), group, "interval_value"))
        for each, row in rows.items():
            row += _cells(selection[each], "value")
            row += [] if result.testing is None else [interval_cell(selection[each].interval)]
    return table_of(columns, rows.values(), title="coefficients")


def _groups(result: AgreementResult, key: str) -> Table:
    """One row per group."""
    columns = [Column(key), Column("items", kind="count")]
    columns += [Column(name, "coefficient", "value") for name in result.whole.coefficients]
    rows = [
        [
            name,
            group.items["shared"],
            *(_cells(each, "value")[0] for each in group.coefficients.values()),
        ]
        for name, group in result.groups[key].items()
    ]
    return table_of(columns, rows, title=f"coefficients by {key}")


def _people(result: AgreementResult) -> Table:
    """One row per annotator."""
    columns = (
        Column("annotator"),
        *(Column(n, kind="count") for n in ("ratings", "shared")),
        *BOTH,
    )
    numbers = ("items", "shared", "agreement", "cohen")
    rows = ([row.name, *_cells(row, *numbers)] for row in result.annotators)
    note = "cohen: mean over all pairs with this annotator"
    return table_of(columns, rows, title="annotators", note=note)


def _pairs(result: AgreementResult) -> Table:
    """One row per pair."""
    metrics = {score.result.metric: score.result for score in result.scores}
    numbers = ("items", "agreement", "cohen") if result.whole.coefficients else ()
    columns = [Column("A"), Column("B")]
    columns += [Column("items", kind="count"), *BOTH] if numbers else []
    columns += [Column(m, "B scored against A", kind_of(r.part().kind)) for m, r in metrics.items()]
    rows = []
    for row in result.pairs:
        scores = {score.result.metric: score.result for score in row.scores}
        found = (scores.get(metric) for metric in metrics)
        cells = [or_missing(r.value, r.reasons.get("value")) if r else NONE for r in found]
        rows.append([row.a, row.b, *_cells(row, *numbers), *cells])
    return table_of(columns, rows, title="pairs", keys=2)


def _has_other_scores(result: AgreementResult) -> bool:
    """Do metrics say more of two annotators than raw agreement does?"""
    values = [(row.agreement, score.result.value) for row in result.pairs for score in row.scores]
    return any(a is None or b is None or abs(a - b) > TIE for a, b in values)


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


def _labels(result: AgreementResult) -> Table:
    """Agreement per label."""
    order = sorted(result.labels.items(), key=lambda entry: (-entry[1]["count"], entry[0]))
    rows = [
        (name, each["count"], or_missing(each["f1"], each.get("reason"))) for name, each in order
    ]
    note = "count: how often an annotator gives the label, averaged over both of a pair"
    columns = (Column("label"), COUNT, Column("F1", kind="percent"))
    return table_of(columns, rows, title="labels", note=note)


def _confusions(matrix: LabelMatrix) -> Table:
    """One row per pair of labels."""
    columns = (Column("label"), Column("label"), COUNT, Column("probability", kind="value"))
    note = "probability: mean of both directions, over all items"
    return table_of(columns, matrix.pairs(), title="confusions", keys=2, note=note)


def _matrix(result: AgreementResult) -> Matrix:
    assert result.matrix is not None
    names = [row.name for row in result.annotators]
    rows, columns = names if len(names) == 2 else ["one annotator", "the other annotator"]
    values = tuple(map(tuple, result.matrix.counts.tolist()))
    labels = result.matrix.labels
    title = "labels of two annotators"
    return Matrix(labels, labels, values, title, rows, columns, name="confusion")


def _hintons(result: AgreementResult) -> Iterator[Block]:
    """Confusion probabilities without the diagonal: ours and, on the same scale, those of the run
    that it is compared with."""
    matrices = [each for each in (result.matrix, result.earlier) if each is not None]
    confused = {label for each in matrices for pair in each.pairs() for label in pair[:2]}
    every = dict.fromkeys(label for each in matrices for label in each.labels)
    labels = tuple(label for label in every if label in confused)
    if not labels:
        yield Text("there is no Hinton diagram: annotators never disagree")
        return
    diagonal = np.eye(len(labels), dtype=np.bool_)
    chances = [np.where(diagonal, np.nan, each.probabilities(labels)) for each in matrices]
    largest = float(np.nanmax(chances))
    note = f"a full square is a probability of {number(largest, 'value')}"
    if left := len(every) - len(labels):
        note += f"; not shown: {counted(left, 'label')} without confusions"
    titles = {"hinton": "disagreement", "hinton-against": "disagreement in "}
    titles["hinton-against"] += "" if result.against is None else result.against["file"]
    for (name, title), table in zip(titles.items(), chances, strict=False):
        values = tuple(tuple(map(plain, row)) for row in table.tolist())
        yield Hinton(
            *(labels, labels, values, title), kind="value", note=note, largest=largest, name=name
        )


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
