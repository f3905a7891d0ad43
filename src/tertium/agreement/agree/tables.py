"""What is shown of agreement: tables, figures and texts."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.agreement.agree.result import AgreeLook, AgreementResult
from tertium.agreement.label_matrix import LabelMatrix
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
)
from tertium.results.names import short_names
from tertium.results.texts import interval_header, number, p_text

SHOWN = 10  # rows of long tables in text
NO_PAIR = "no item in common"
NONE = Missing(NO_PAIR)
BOTH = (Column("agreement", kind="percent"), Column("cohen", kind="value"))
UNSHARED_LABEL = "no item with two or more ratings has this label"
UNDEFINED_PAIR = "undefined: both annotators use only one label, the same one"


def build(result: AgreementResult, look: AgreeLook) -> list[Block]:
    """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
    blocks: list[Block] = [_coefficients(result)] if result.values.values else []
    blocks += [_groups(result, key) for key in result.groups]
    if len(result.annotators) > 2:
        blocks.append(look.shortened(_people(result), SHOWN, "more annotator"))
    if len(result.annotators) > 2 or _has_other_scores(result):
        blocks += [look.shortened(_pairs(result), SHOWN, "more pair"), *_types(result)]
    if result.matrix is not None and result.matrix.items:
        if look.labels or not look.is_text:
            blocks.append(look.shortened(_labels(result), SHOWN, "rarer label"))
            blocks.append(look.shortened(_confusions(result.matrix), SHOWN, "rarer confusion"))
        both = look.draws and not (look.confusion or look.hinton)
        blocks += [_matrix(result)] if look.confusion or both else []
        blocks += [_hinton(result)] if look.hinton or both else []
    blocks += map(Text, _comparisons(result))
    blocks += [Text(_sizes(result), role="coverage")] if result.items else []
    blocks += [Text(note) for note in result.notes]
    if result.testing is not None:
        drawn = f"{result.testing.trials:,} resamples of {result.unit}s, seed {result.testing.seed}"
        blocks.append(Text(f"{result.testing.interval} intervals: {drawn}", role="tests"))
    return [*blocks, *([Text(result.signature, role="signature")] if result.signature else [])]


def _coefficients(result: AgreementResult) -> Table:
    """One row per coefficient."""
    several = {"": result.values, **{f"without {n}": s for n, s in result.without.items()}}
    columns = [Column("coefficient")]
    for name in several:
        columns.append(Column("value", name or ("all items" if result.without else ""), "value"))
        if result.testing is not None:
            header = interval_header(result.testing.level)
            columns.append(Column(header, columns[-1].group, "interval_value"))
    width = 1 + (result.testing is not None)
    rows: list[tuple[Cell, ...]] = [
        (name, *(cell for each in several.values() for cell in each.values[name].cells[:width]))
        for name in result.values.values
    ]
    return Table(tuple(columns), tuple(rows), title="coefficients")


def _groups(result: AgreementResult, key: str) -> Table:
    """One row per group."""
    names = [*result.values.values]
    rows = [
        (group, each.items["shared"], *(each.values[name].cells[0] for name in names))
        for group, each in result.groups[key].items()
    ]
    columns = [Column(key), Column("items", kind="count")]
    columns += [Column(name, "coefficient", "value") for name in names]
    return Table(tuple(columns), tuple(rows), title=f"coefficients by {key}")


def _people(result: AgreementResult) -> Table:
    """One row per annotator."""
    counts = (Column(name, kind="count") for name in ("ratings", "shared"))
    rows = [
        (
            *(row.name, row.items, row.shared),
            *(or_missing(value, NO_PAIR) for value in (row.agreement, row.cohen)),
        )
        for row in result.annotators
    ]
    note = "cohen: mean over all pairs with this annotator"
    return Table((Column("annotator"), *counts, *BOTH), tuple(rows), title="annotators", note=note)


def _pairs(result: AgreementResult) -> Table:
    """One row per pair."""
    metrics = {score.result.metric: score.result for score in result.scores}
    columns = [Column("A"), Column("B")]
    columns += [Column("items", kind="count"), *BOTH] if result.pairs else []
    columns += [Column(m, "B scored against A", kind_of(r.part().kind)) for m, r in metrics.items()]
    held = {(s.a, s.b, s.result.metric): s.result for s in result.scores}
    rated = {(row.a, row.b): row for row in result.pairs}
    rows: list[tuple[Cell, ...]] = []
    for pair in dict.fromkeys([*rated, *((s.a, s.b) for s in result.scores)]):
        cells: list[Cell] = [*pair]
        if row := rated.get(pair):
            cells += [row.items, row.agreement, or_missing(row.cohen, UNDEFINED_PAIR)]
        elif result.pairs:
            cells += [Missing(NO_PAIR)] * 3
        for metric in metrics:
            found = held.get((*pair, metric))
            cells.append(or_missing(found.value, found.reasons.get("value")) if found else NONE)
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), title="pairs", keys=2)


def _has_other_scores(result: AgreementResult) -> bool:
    """Do metrics say more of two annotators than raw agreement does?"""
    same = {(row.a, row.b): row.agreement for row in result.pairs}
    return any(
        s.result.value is None or abs(s.result.value - same.get((s.a, s.b), -1.0)) > TIE
        for s in result.scores
    )


def _types(result: AgreementResult) -> Iterator[Table]:
    """How two annotators differ, by metrics that tell kinds apart; a row per kind."""
    for metric in dict.fromkeys(score.result.metric for score in result.scores):
        held = [score for score in result.scores if score.result.metric == metric]
        kinds = [*dict.fromkeys(kind for score in held for kind in score.types)]
        if len(kinds) < 2:
            continue
        names = short_names(result.names)
        pairs = [Column(f"{names[s.a]}, {names[s.b]}", "A, B", "count") for s in held]
        rows: list[tuple[Cell, ...]] = [
            (kind, *(s.types.get(kind, 0) for s in held)) for kind in kinds
        ]
        columns = (Column("difference"), *pairs)
        yield Table(columns, tuple(rows), title=f"{metric}: how B differs from A")


def _labels(result: AgreementResult) -> Table:
    """Agreement per label."""
    rows = [
        (
            name,
            each["count"],
            or_missing(each["f1"], "no item with two or more ratings has this label"),
        )
        for name, each in sorted(result.labels.items(), key=lambda e: (-(e[1]["count"] or 0), e[0]))
    ]
    columns = (Column("label"), Column("count", kind="count"), Column("F1", kind="percent"))
    note = "count: how often one annotator of a pair gives the label, on average"
    return Table(columns, tuple(rows), title="labels", note=note)


def _confusions(matrix: LabelMatrix) -> Table:
    """One row per pair of labels."""
    count, chance = Column("count", kind="count"), Column("probability", kind="value")
    columns = (Column("label"), Column("label"), count, chance)
    note = "probability: mean of both directions, over all items"
    return Table(columns, tuple(matrix.pairs()), title="confusions", keys=2, note=note)


def _matrix(result: AgreementResult) -> Matrix:
    assert result.matrix is not None
    names = [row.name for row in result.annotators]
    rows, columns = names if len(names) == 2 else ["one annotator", "the other annotator"]
    values = tuple(map(tuple, result.matrix.counts.tolist()))
    labels = result.matrix.labels
    title = "labels of two annotators"
    return Matrix(labels, labels, values, title, rows, columns, name="confusion")


def _hinton(result: AgreementResult) -> Hinton:
    """Confusion probabilities without the diagonal."""
    assert result.matrix is not None
    confused = {label for pair in result.matrix.pairs() for label in pair[:2]}
    places = [n for n, label in enumerate(result.matrix.labels) if label in confused]
    chances = result.matrix.probabilities
    values = tuple(tuple(None if i == j else float(chances[i, j]) for j in places) for i in places)
    labels = tuple(result.matrix.labels[n] for n in places)
    largest = max((v for row in values for v in row if v is not None), default=0.0)
    note = f"the largest square is a probability of {number(largest, 'value')}"
    if left := len(result.matrix.labels) - len(labels):
        note += f"; not shown: {counted(left, 'label')} without confusions"
    return Hinton(labels, labels, values, "disagreement", kind="value", note=note, name="hinton")


def _comparisons(result: AgreementResult) -> Iterator[str]:
    """What an earlier run and coarse labels say, in words."""
    if (found := result.against) is not None:
        told = f"confusions compared with {found['file']}, {found['pairs']:,} pairs of "
        told += f"{found['labels']} labels: "
        if "reason" in found:
            yield f"{told}undefined, because {found['reason']}"
        else:
            each = ((name.title(), *found[name].values()) for name in ("spearman", "kendall"))
            texts = (f"{name} {number(value, 'value')} ({p_text(p)})" for name, value, p in each)
            yield told + "; ".join(texts)
    if (found := result.coarse) is not None:
        if found["share"] is None:
            yield f"coarse labels hide nothing: {found['reason']}"
        else:
            told = f"{found['lost']:,} of {counted(found['types'], 'confusion type')}"
            rest = number(found["share_of_disagreements"])
            told += f" ({number(found['share'])}%) and {rest}% of all disagreements"
            yield f"coarse labels hide {told}"


def _sizes(result: AgreementResult) -> str:
    held = result.items
    text = f"{held['shared']:,} of {counted(held['all'], 'item')} with two or more ratings"
    return f"{text}, {held['unanimous']:,} of them with one label only"
