"""Labels on which two systems differ most (Tuggener 2017, Table 12)."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.pairs import Pair
from tertium.comparison.compare.look import ARROW, Choice
from tertium.comparison.compare.changes import CLASSES
from tertium.results.blocks import Block, Cell, Column, Table
from tertium.results.texts import counted

USUAL = 10


def label_table(pair: Pair, choice: Choice) -> Table | None:
    """Gold labels with both accuracies and what became of their items; None if there are none.

    Largest difference first, or with `sort="frequency"` the most frequent label.
    """
    labels = pair.labels
    if choice.sort == "frequency":
        labels = sorted(labels, key=lambda row: (-row.items, row.label))
    if not labels:
        return None
    shown = labels[: choice.rows(USUAL)]
    left = len(labels) - len(shown)
    rows: list[tuple[Cell, ...]] = [
        (
            row.label,
            row.items,
            row.accuracy_a,
            row.accuracy_b,
            row.delta,
            row.corrections,
            row.new_errors,
            row.changed_errors,
        )
        for row in shown
    ]
    return Table(
        (
            Column("label"),
            Column("items", "", "count"),
            Column(pair.a, "right", "percent"),
            Column(pair.b, "right", "percent"),
            Column("change", "right", "delta"),
            *(Column(n.removesuffix(" errors"), "differences", "count") for n in CLASSES.values()),
        ),
        tuple(rows),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, labels by "
        + ("frequency" if choice.sort == "frequency" else "difference"),
        note="of gold items: what systems add has no gold label" if _adds(pair) else "",
        omitted=choice.hidden(counted(left, "more label")) if left else "",
    )


def label_tables(pairs: Sequence[Pair], choice: Choice) -> list[Block]:
    """The tables of several pairs."""
    return [table for pair in pairs if (table := label_table(pair, choice)) is not None]


def _adds(pair: Pair) -> bool:
    """Are there items that only systems have?"""
    return pair.items > pair.gold_items
