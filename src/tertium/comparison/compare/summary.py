"""A comparison in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.comparison.compare.tables import main_view
from tertium.comparison.pairs import Pair
from tertium.results.names import short_names
from tertium.results.texts import counted
from tertium.significance.score.summary import main_metric, ranked, summary

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison


def summary_of(comparison: Comparison) -> str:
    """The best system with its lead, as of scores, and what changes between the two best."""
    scores, names = comparison.scores, short_names(comparison.systems)
    metric = main_metric(scores)
    text = summary(scores, comparison.assessment, names, metric)
    order = [r.system for r in ranked(scores, metric)]
    if scores.runs or len(order) < 2:
        return text
    # What is scored by one metric may be compared item by item under another one of its family.
    view = main_view(comparison)
    if view is None or not {*order[:2]} <= {*view.systems}:
        return text
    pair = view.pair(*sorted(order[:2], key=view.systems.index))  # as tables have it
    by = "" if view.metric == metric else f" (by {scores.names[view.metric]})"
    return f"{text}; {_changes(pair, names[pair.a], names[pair.b])}{by}"


def _changes(pair: Pair, a: str, b: str) -> str:
    if not pair.different:
        where = " in the sentences compared" if pair.lost else ""
        return f"{a} and {b} have the same answers{where}"
    found = [counted(pair.corrections, "correction"), counted(pair.new_errors, "new error")]
    return f"from {a} to {b} {' and '.join(found)}"
