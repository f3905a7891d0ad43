"""What two systems confuse: how often one corrects it, and how often it is new there."""

from __future__ import annotations

from tertium.comparison.compare.changes import same_label, type_legend, written
from tertium.comparison.compare.look import ALL, ARROW, CompareLook
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import Pair, Transition, transition_order
from tertium.results.blocks import Cell, Column, Table
from tertium.results.texts import counted, rest_text

CHANGES = 5  # rows of the table


def balance_table(pair: Pair, view: View, look: CompareLook) -> Table:
    """What systems confuse: how often the second corrects it, how often it is new there, and the
    net; most frequent first."""
    corrected = {(t.a, t.b): t.count for t in pair.transitions("corrections")}
    new = {(t.b, t.a): t.count for t in pair.transitions("new_errors")}
    found = [
        (Transition(*key, corrected.get(key, 0) + new.get(key, 0)), corrected.get(key, 0))
        for key in {**corrected, **new}
    ]
    found.sort(key=lambda each: transition_order(each[0]))
    some = found[: look.rows(CHANGES)]
    rows: list[tuple[Cell, ...]] = [
        (ALL, pair.corrections, pair.new_errors, pair.corrections - pair.new_errors)
    ]
    for each, count in some:
        rows.append((written(each), count, each.count - count, 2 * count - each.count))
    named = [each for each, _ in some]
    told = [same_label(pair, named)]
    told += [type_legend(view, named)] if pair.mode != "labels" else []
    changed = f"{counted(pair.changed_errors, pair.item)} wrong in both systems, in different ways"
    told += [changed] if pair.changed_errors else []
    size = "" if pair.diff is None else f", {100 * pair.diff:.2f}%"
    size = f"{pair.different:,} of {pair.items:,} {pair.which} differ{size}"
    return Table(
        (
            Column(f"wrong {ARROW} correct"),
            Column("corrections", "", "count"),
            Column("new errors", "", "count"),
            Column("net", "", "count_delta"),
        ),
        tuple(rows),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b} ({size})",
        omitted=rest_text(len(found) - len(some), is_text=look.is_text, noun="rarer change"),
        note="; ".join(filter(None, told)),
    )
