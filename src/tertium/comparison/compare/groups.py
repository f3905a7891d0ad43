"""The same inside groups (`--by`)."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.compare.views import View
from tertium.comparison.pairs import Pair
from tertium.comparison.compare.bound_tables import right_word
from tertium.comparison.compare.look import ARROW
from tertium.comparison.compare.changes import CLASSES, fraction
from tertium.results.blocks import Block, Cell, Column, Table

WHOLE = "all"
_EMPTY = "there are no gold items in the group"


def group_blocks(view: View, by: str, pairs: Sequence[Pair]) -> list[Block]:
    """Groups against systems with their upper bound, and what changed in each, pair by pair."""
    if not view.groups:
        return []
    tables: list[Block] = [differences_table(view, by, pair) for pair in pairs]
    # Of two systems, the table of differences says all of it.
    return tables if tables and len(view.systems) == 2 else [systems_table(view, by), *tables]


def _views(view: View) -> list[tuple[str, View]]:
    return [(WHOLE, view), *view.groups.items()]


def systems_table(view: View, by: str) -> Table:
    """Every system in every group, and the upper bound there."""
    word = right_word(view)
    rows: list[tuple[Cell, ...]] = []
    for name, part in _views(view):
        oracle = part.oracle
        size = oracle.items
        rows.append(
            (
                name,
                size,
                *(fraction(right, size, _EMPTY) for right in oracle.right.tolist()),
                fraction(oracle.correct, size, _EMPTY),
                fraction(oracle.correct - int(oracle.right[oracle.best]), size, _EMPTY),
            )
        )
    return Table(
        (
            Column(by),
            Column("items", "", "count"),
            *(Column(name, word, "percent", "higher", contest=word) for name in view.systems),
            Column("bound", "upper", "percent", bound=True),
            Column("gain", "upper", "delta"),
        ),
        tuple(rows),
        title=f"{view.metric}: systems by {by}",
        note="gain: over the system that is best in the group",
    )


def differences_table(view: View, by: str, pair: Pair) -> Table:
    """What changed between two systems in every group."""
    rows: list[tuple[Cell, ...]] = []
    for name, part in _views(view):
        found = part.pair(pair.a, pair.b)
        rows.append(
            (
                name,
                found.items,
                found.different,
                fraction(found.different, found.items, "there are no items in the group"),
                *(getattr(found, kind) for kind in CLASSES),
                fraction(found.right_a, found.gold_items, _EMPTY),
                fraction(found.right_b, found.gold_items, _EMPTY),
                fraction(found.right_b - found.right_a, found.gold_items, _EMPTY),
                fraction(
                    found.right_a + found.right_b - found.shared_right, found.gold_items, _EMPTY
                ),
            )
        )
    word = right_word(view)
    return Table(
        (
            Column(by),
            Column("items", "", "count"),
            Column("items", "different", "count"),
            Column("diff", "different", "percent"),
            *(Column(n.removesuffix(" errors"), "differences", "count") for n in CLASSES.values()),
            Column(pair.a, word, "percent"),
            Column(pair.b, word, "percent"),
            Column("change", word, "delta"),
            Column("bound", word, "percent", bound=True),
        ),
        tuple(rows),
        title=f"{view.metric}: {pair.a} {ARROW} {pair.b} by {by}",
        note="bound: upper bound of the two",
    )
