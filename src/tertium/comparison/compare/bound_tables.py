"""Upper bounds: what a perfect choice among the systems would have right (Tuggener 2017, Tables 9
and 10), and labels that are hard or easy for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.bounds import LabelBound
from tertium.comparison.compare.views import View
from tertium.families.family import family
from tertium.comparison.compare.look import ALL, Choice
from tertium.results.blocks import Block, Cell, Column, Table, Text
from tertium.results.texts import counted

USUAL = 10
ENOUGH = 10  # items of a label that can be called hard or easy
EXTREMES = 3


def bound_blocks(view: View, choice: Choice) -> list[Block]:
    """The table of upper bounds, and hard and easy labels."""
    oracle = view.oracle
    if not oracle.items:
        return [Text(f"{view.metric}: there are no gold items, so there is no upper bound")]
    return [bound_table(view, choice), *extreme_tables(view)]


def right_word(view: View) -> str:
    """What a share of gold items is called: where systems can add items, recall."""
    return "recall" if view.has_extra else family(view.layer).share


def shown_labels(view: View, choice: Choice) -> list[LabelBound]:
    """The labels that have a row, in order."""
    labels = view.oracle.labels
    if choice.sort == "difference":
        labels = sorted(labels, key=lambda row: (-row.gain, row.label))
    return labels[: choice.rows(USUAL)]


def bound_table(view: View, choice: Choice) -> Table:
    """All labels together, then one by one: every system, the upper bound, what it gains."""
    oracle, labels = view.oracle, view.oracle.labels
    shown = shown_labels(view, choice)
    left = len(labels) - len(shown)
    whole = LabelBound(
        ALL,
        oracle.items,
        tuple(oracle.right.tolist()),
        oracle.best,
        oracle.correct,
        oracle.by_solvers[-1],
        oracle.by_solvers[0],
    )
    word = right_word(view)
    columns = (
        Column("label"),
        Column("items", "", "count"),
        *(Column(name, word, "percent", "higher", contest=word) for name in view.systems),
        Column("bound", "upper", "percent", bound=True),
        Column("gain", "upper", "delta"),
    )
    best = view.systems[oracle.best]
    note = f"gain: over {best}, which is best overall"
    if word == "recall":
        note += "; of gold items alone: what systems add does not count"
    return Table(
        columns,
        tuple(_row(row) for row in (whole, *shown)),
        title=f"{view.metric}: upper bound of all systems, labels by "
        + ("gain" if choice.sort == "difference" else "frequency"),
        omitted=choice.hidden(counted(left, "more label")) if left else "",
        note=note,
    )


def _row(row: LabelBound) -> tuple[Cell, ...]:
    return (
        row.label,
        row.items,
        *(right / row.items for right in row.right),
        row.bound / row.items,
        row.gain,
    )


def extreme_tables(view: View) -> list[Block]:
    """Labels that all systems have wrong more often than others, and right less often; and the
    other way round."""
    oracle = view.oracle
    labels = [row for row in oracle.labels if row.items >= ENOUGH]
    nobody, everybody = oracle.by_solvers[0] / oracle.items, oracle.by_solvers[-1] / oracle.items
    hard = [r for r in labels if _nobody(r) > nobody and _everybody(r) < everybody]
    hard.sort(key=lambda row: (-_nobody(row), -row.items, row.label))
    easy = [r for r in labels if _everybody(r) > everybody and _nobody(r) < nobody]
    easy.sort(key=lambda row: (-_everybody(row), -row.items, row.label))
    rows: list[tuple[Cell, ...]] = [
        (word, row.label, row.items, _everybody(row), _nobody(row))
        for word, found in (("hard", hard), ("easy", easy))
        for row in found[:EXTREMES]
    ]
    if not rows:
        return []
    return [
        Table(
            (
                Column(""),
                Column("label"),
                Column("items", "", "count"),
                Column("all", "right in", "percent"),
                Column("none", "right in", "percent"),
            ),
            tuple(rows),
            title=f"{view.metric}: labels that are hard or easy for all systems",
            keys=2,
            contests=_contests(rows),
            note="hard: none is right more often, and all less often, than over all labels; easy: "
            f"the other way round; of labels with {ENOUGH} items or more",
        )
    ]


def _everybody(row: LabelBound) -> float:
    return row.all_right / row.items


def _nobody(row: LabelBound) -> float:
    return row.none_right / row.items


def _contests(rows: Sequence[tuple[Cell, ...]]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)
