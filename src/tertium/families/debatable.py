"""Debatable or wrong: errors that annotators also make are not counted, or count less.

Plank et al. (2014) find that most disagreements of annotators are hard cases, on which linguists
disagree, and few are plain errors. What annotators confuse is estimated from a sample that several
of them annotated (`tertium agree`); see docs/debatable.md.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from tertium.corpus.labels import Labels
from tertium.exceptions import InputError
from tertium.families.base import Floats, Scored, divide
from tertium.formats.confusions import Confusions
from tertium.registry import parameter
from tertium.results.decisions import CORRECT, EXCUSED, WRONG, Decisions
from tertium.results.parts import ErrorType, Part
from tertium.results.stats import Totals
from tertium.results.texts import listed

DEBATABLE = ErrorType("debatable", "annotators also confuse these labels")
PLAIN_OF_ERRORS, PLAIN = "plain_of_errors", "plain"
PARTS = (
    Part(
        PLAIN_OF_ERRORS, better="none", title="plain share of errors",
        told="{}% of its disagreements with gold",
    ),
    Part(PLAIN, better="lower", title="plain errors", told="{}% of all its tags are plain errors"),
)  # fmt: skip
DISAGREEMENTS, PLAIN_ERRORS = "disagreements", "plain_errors"  # columns of stats
SAME = 1e-9


def debatable_parameter() -> Any:
    """Which labels annotators confuse."""
    return parameter(
        None,
        help="JSON of 'tertium agree': errors that annotators also make are debatable",
        resource="confusions",
    )


def scoring_parameter() -> Any:
    """What a debatable error counts."""
    return parameter(
        "plain",
        help="debatable errors are excused (plain), or earn P(s | g) as credit (weighted)",
        choices=("plain", "weighted"),
        needs="debatable",
    )


def confused_parameter() -> Any:
    """The least count."""
    return parameter(
        2.0, help="a number, 0 or more: how often annotators must have confused two labels",
        check=lambda n: isinstance(n, int | float) and n >= 0, needs="debatable",
    )  # fmt: skip


def share_parameter() -> Any:
    """The least probability."""
    return parameter(
        0.05, help="a probability, 0 to 1: debatable errors have at least this P(s | g)",
        check=lambda p: isinstance(p, int | float) and 0 <= p <= 1, needs="debatable",
    )  # fmt: skip


class Debated(Protocol):
    """A metric with these four parameters."""

    @property
    def debatable(self) -> Confusions | None: ...
    @property
    def scoring(self) -> str: ...
    @property
    def confused(self) -> float: ...
    @property
    def share(self) -> float: ...


def remarks(metric: Debated, gold: Labels) -> list[str]:
    """What becomes of debatable errors, and which of gold's labels no annotator has used."""
    if (known := metric.debatable) is None:
        return []
    effect = "are excused" if metric.scoring == "plain" else "earn P(s | g) as credit"
    found = [f"errors that are debatable according to {known.path} {effect}"]
    if lacking := [f"'{name}'" for name in sorted({*gold.used_names()} - {*known.totals})]:
        found.append(f"{known.path} lacks {listed(lacking, 5)}: errors on these labels are plain")
    return found


def debated(metric: Debated, rows: Decisions) -> Decisions:
    """Decisions with debatable errors excused or, under weighted scoring, an error type of their
    own with P(s | g) as credit. Unchanged without `debatable`."""
    if metric.debatable is None:
        return rows
    if len(rows) and metric.debatable.totals.keys().isdisjoint(rows.names):
        raise InputError(
            f"{metric.debatable.path} has none of the labels that are scored",
            help="give the JSON that 'tertium agree' writes for annotators with the same labels",
        )
    probability = _probabilities(metric, metric.debatable, rows)
    is_debatable = probability > 0
    marked = rows.with_marks(
        disagree=rows.in_gold & np.not_equal(rows.outcome, CORRECT), debatable=is_debatable
    )
    if metric.scoring == "plain":
        return marked.changed(
            {
                "outcome": np.where(is_debatable, np.uint8(EXCUSED), rows.outcome),
                "error_type": np.where(is_debatable, np.uint8(0), rows.error_type),
                "credit": np.where(is_debatable, 1.0, rows.credit),
            }
        )
    kind = np.uint8(len(rows.error_types))
    return marked.changed(
        {
            "error_type": np.where(is_debatable, kind, rows.error_type),
            "credit": np.where(is_debatable, probability, rows.credit),
        },
        error_types=(*rows.error_types, DEBATABLE.name),
        is_graded=True,
    )


def _probabilities(metric: Debated, known: Confusions, rows: Decisions) -> Floats:
    """P(s | g) of every row that is a debatable error, 0 of all others."""
    found = np.zeros(len(rows))
    wrong = np.flatnonzero(np.equal(rows.outcome, WRONG) & rows.in_gold)
    size = max(len(rows.names), 1)
    pair = rows.gold[wrong].astype(np.int64) * size + rows.system[wrong]
    keys, place = np.unique(pair, return_inverse=True)
    value = np.zeros(len(keys))
    for number, key in enumerate(keys.tolist()):
        gold, system = rows.names[key // size], rows.names[key % size]
        probability = known.probability(system, gold)
        # Sums of shares of an item may be off by a little.
        times = known.times(gold, system)
        if times >= metric.confused - SAME and probability >= metric.share - SAME:
            value[number] = probability
    found[wrong] = value[place]
    return found


def for_labels(rows: Decisions) -> Decisions:
    """Decisions for counts per label: what is excused counts as if the system had gold's label, so
    precision and recall stay shares."""
    excused = np.equal(rows.outcome, EXCUSED)
    if not excused.any():
        return rows
    return rows.changed({"system": np.where(excused, rows.gold, rows.system)})


def columns(rows: Decisions) -> dict[str, Floats]:
    """Disagreements with gold and plain errors per unit; nothing without `debatable`."""
    debatable, disagree = rows.mark("debatable"), rows.mark("disagree")
    if debatable is None or disagree is None:
        return {}
    plain = rows.per_unit(disagree & ~debatable)
    return {DISAGREEMENTS: rows.per_unit(disagree), PLAIN_ERRORS: plain}


def scores(totals: Totals, items: Floats) -> Scored:
    """The shares of disagreements and of all items that are plain wrong."""
    if PLAIN_ERRORS not in totals:
        return {}
    plain = totals[PLAIN_ERRORS]
    return {
        PLAIN_OF_ERRORS: divide(plain, totals[DISAGREEMENTS]),
        PLAIN: divide(plain, items),
    }


def reason(part: str) -> str:
    """Why a part is undefined; empty for other parts."""
    return "the system agrees with gold everywhere" if part == PLAIN_OF_ERRORS else ""
