"""Votes of the systems beside the best of them and the upper bound."""

from __future__ import annotations

from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.vote.ensembles import Ensemble, Gain
from tertium.families.family import family
from tertium.comparison.compare.bound_tables import right_word
from tertium.comparison.compare.changes import fraction
from tertium.results.blocks import Block, Cell, Column, Missing, Table, kind_of
from tertium.results.texts import in_words


def ensemble_blocks(comparison: Comparison, view: View) -> list[Block]:
    """One row a vote, after the best single system; and the upper bound. Nothing where there was no
    vote on what the metric judges."""
    gains = {
        vote.name: gain
        for vote in comparison.ensembles
        for gain in vote.gains
        if gain.metric == view.metric
    }
    if not gains:
        return []
    oracle = view.oracle
    word, best = right_word(view), view.systems[oracle.best]
    single = comparison.result(best, view.metric)
    top = int(oracle.right[oracle.best])
    rows: list[tuple[Cell, ...]] = [
        (f"best system: {best}", None if single is None else single.value, None,
         *_right(top, oracle.items), None),
    ]  # fmt: skip
    for vote in comparison.ensembles:
        gain = gains[vote.name]
        value = _value(vote, view.metric)
        change: Cell = None
        if isinstance(value, float) and single is not None and single.value is not None:
            change = value - single.value
        rows.append(
            (f"{vote.name} vote", value, change, *_right(gain.right, oracle.items), _closed(gain))
        )
    rows.append(("upper bound", None, None, *_right(oracle.correct, oracle.items), None))
    part = comparison.scores.part(view.metric)
    headline = in_words(single.headline if single else "") or "value"
    note = "; ".join(f"{vote.name} vote: weights {vote.weights}" for vote in comparison.ensembles)
    if family(view.layer).share == "recall":
        note += "; the gap is one of recall, which a vote gives up for precision"
    else:
        note += f"; ties go to the earlier system, first of all {view.systems[0]}"
    return [
        Table(
            (
                Column(""),
                Column(headline, view.metric, kind_of(part.kind)),
                Column("change", view.metric, kind_of(part.kind, "delta")),
                Column("items", "right", "count"),
                Column(word, "right", "percent"),
                Column("gap closed", "", "delta"),
            ),
            tuple(rows),
            title=f"{view.metric}: what a vote of the systems wins",
            note=f"gap: between the best system and the upper bound; {note}",
        )
    ]


def _value(vote: Ensemble, metric: str) -> Cell:
    found = next((r for r in vote.scores if r.metric == metric), None)
    if found is None or found.value is None:
        return Missing("undefined" if found is None else found.reasons.get("value", "undefined"))
    return found.value


def _right(right: int, items: int) -> tuple[Cell, Cell]:
    return right, fraction(right, items, "there are no gold items")


def _closed(gain: Gain) -> Cell:
    if gain.closed is not None:
        return gain.closed
    if not gain.items:
        return Missing("there are no gold items")
    return Missing("the best system reaches the upper bound")
