"""What became of items from one system to another (Tuggener 2017, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tertium.corpus.labels import Int64
from tertium.results.answers import Answers, Codes
from tertium.results.confusions import distinct_rows
from tertium.results.stats import UnitKind

# What became of an item from one system to another.
NOT_THERE, SAME, CORRECTION, NEW_ERROR, CHANGED_ERROR, OTHER_RIGHT = range(6)
CODES = {"corrections": CORRECTION, "new_errors": NEW_ERROR, "changed_errors": CHANGED_ERROR}
CLASSES = tuple(CODES)
MODES = ("labels", "types", "both")
SHARED = ("union", "common")  # what the items of a pair can be (`--items`)
EQUAL = 1e-12  # credits that differ by no more are equal


def count_pair(of: Answers, a: int, b: int) -> dict[str, int]:
    """Counts of a pair of systems; `shared_right` are gold items that both have right. Items beyond
    those of gold are extra ones, which a pair has only if one of the two answers."""
    differ = of.answer[a] != of.answer[b]
    lost, won = differ & of.right[a], differ & of.right[b]
    extra = slice(of.gold_items, None)
    different, was_right, is_right, both_right, shared, added = (
        int(np.count_nonzero(each))
        for each in (
            *(differ, lost, won, lost & won),
            (of.right[a] & of.right[b])[: of.gold_items],
            of.answered[a, extra] | of.answered[b, extra],
        )
    )
    return {
        "items": of.gold_items + added,
        "different": different,
        "corrections": is_right - both_right,
        "new_errors": was_right - both_right,
        "changed_errors": different - was_right - is_right + both_right,
        "both_right": both_right,
        "shared_right": shared,
    }


@dataclass(frozen=True, slots=True)
class Transition:
    """How often an item went from what one system says to what another says.

    `a` and `b` are None where the system has nothing. `gold` is the gold label, told of changed
    errors where labels are shown (gold -> a -> b); else it is None.
    """

    a: str | None
    b: str | None
    count: int
    gold: str | None = None


class LabelDifference(NamedTuple):
    """One gold label in two systems (Table 12): how many items, how many right in each, and what
    became of them."""

    label: str
    items: int
    right_a: int
    right_b: int
    corrections: int
    new_errors: int
    changed_errors: int

    @property
    def accuracy_a(self) -> float:
        """Share of the label's items that A has right."""
        return self.right_a / self.items

    @property
    def accuracy_b(self) -> float:
        """Share of the label's items that B has right."""
        return self.right_b / self.items

    @property
    def delta(self) -> float:
        """How much better B is."""
        return (self.right_b - self.right_a) / self.items


class Complete(NamedTuple):
    """Sentences (or documents) in which everything is right: in A, in B, in both, and of how
    many."""

    a: int
    b: int
    both: int
    sentences: int


def share(part: float, whole: float) -> float | None:
    """A quotient; None where there is nothing to divide by."""
    return part / whole if whole else None


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems, A and then B. A difference is a correction if B is right and A was not, a new
    error the other way round, a changed error if both are wrong; where a metric takes several
    answers for right, two right ones may differ as well (`both_right`).

    - `items`: gold items and what either of the two adds; if `shared` is "common" only gold items
      that both annotate (equation 2)
    - `right_a`, `right_b`, `shared_right`: gold items that A, B, both have right
    - `complete`: sentences in which everything is right; None for groups of words
    - `answers`: on the items that both were judged on; `lost`: how many sentences are left out
      because one of the two lacks them or has other words there
    """

    a: str
    b: str
    metric: str
    layer: str
    items: int
    different: int
    corrections: int
    new_errors: int
    changed_errors: int
    both_right: int
    shared_right: int
    right_a: int
    right_b: int
    complete: Complete | None
    answers: Answers
    rows: tuple[int, int]
    mode: str
    unit: UnitKind = "sentence"
    item: str = "item"
    lost: int = 0
    shared: str = SHARED[0]

    @property
    def which(self) -> str:
        """What its items are called: `words`, of some `common words`."""
        return f"{'common ' if self.shared == 'common' else ''}{self.item}s"

    @property
    def counts(self) -> tuple[int, ...]:
        """How many differences are of each class, in the order of `CLASSES`."""
        return self.corrections, self.new_errors, self.changed_errors

    @property
    def gold_items(self) -> int:
        """Items of the gold standard."""
        return self.answers.gold_items

    @property
    def diff(self) -> float | None:
        """Share of items on which the two differ (equation 1; of common items equation 2)."""
        return share(self.different, self.items)

    @property
    def accuracy_a(self) -> float | None:
        """Share of gold items that A has right."""
        return share(self.right_a, self.gold_items)

    @property
    def accuracy_b(self) -> float | None:
        """Share of gold items that B has right."""
        return share(self.right_b, self.gold_items)

    @property
    def delta(self) -> float | None:
        """How many more of the gold items B has right, as a share."""
        return share(self.right_b - self.right_a, self.gold_items)

    @property
    def overlap_right(self) -> float | None:
        """Overlap of the right answers (Table 1): twice the shared ones over those of A and B."""
        return share(2 * self.shared_right, self.right_a + self.right_b)

    @property
    def overlap_all(self) -> float | None:
        """Share of items with equal answers, right or wrong (Table 2)."""
        return share(self.items - self.different, self.items)

    @cached_property
    def classes(self) -> Codes:
        """What became of every item of `answers`, as codes above."""
        a, b = self.rows
        of = self.answers
        found = np.where(
            of.right[b],
            np.where(of.right[a], OTHER_RIGHT, CORRECTION),
            np.where(of.right[a], NEW_ERROR, CHANGED_ERROR),
        ).astype(np.uint8)
        found[of.answer[a] == of.answer[b]] = SAME
        extra = slice(of.gold_items, None)
        found[extra][~(of.answered[a, extra] | of.answered[b, extra])] = NOT_THERE
        return found

    @cached_property
    def changed(self) -> dict[str, int] | None:
        """Of changed errors on gold items, how many are better in B, worse, and level, by credit;
        None where right or wrong is all there is."""
        of = self.answers
        if of.credit is None:
            return None
        items = self.items_of("changed_errors")
        items = items[items < of.gold_items]
        a, b = self.rows
        gain = of.credit[b, items] - of.credit[a, items]
        better, worse = int((gain > EQUAL).sum()), int((gain < -EQUAL).sum())
        return {"better": better, "worse": worse, "level": len(items) - better - worse}

    def items_of(self, kind: str) -> Int64:
        """The items of a class (`corrections`, `new_errors`, `changed_errors`), by their number in
        `answers`."""
        return np.flatnonzero(self.classes == CODES[kind])

    def transitions(self, kind: str, mode: str | None = None) -> list[Transition]:
        """How often each change of a class occurs, most frequent first, then by name.

        `mode` says what is shown of an answer: its label, its error type, or both; by default what
        suits the metric.
        """
        mode = mode or self.mode
        rows = self.items_of(kind)
        names, codes = states(self.answers, rows, self.rows, mode)
        columns = [codes[0], codes[1]]
        with_gold = kind == "changed_errors" and mode != "types"
        if with_gold:
            columns.append(self.answers.gold[rows].astype(np.int64))
        gold = (*self.answers.names, None)
        told = [
            Transition(names[a], names[b], count, gold[rest[0]] if rest else None)
            for (a, b, *rest), count in distinct_rows(columns)
        ]
        return sorted(told, key=transition_order)

    @cached_property
    def labels(self) -> list[LabelDifference]:
        """Every gold label, by the net number of items that became right or wrong, then by name."""
        of = self.answers
        classes = self.classes[: of.gold_items]
        per_class = of.count_gold(np.array([classes == CODES[kind] for kind in CLASSES]))
        right, items = of.right_per_label[list(self.rows)], of.gold_per_label
        told = [
            LabelDifference(
                of.names[i], int(items[i]), *right[:, i].tolist(), *per_class[:, i].tolist()
            )
            for i in np.flatnonzero(items).tolist()
        ]
        return sorted(told, key=lambda row: (-abs(row.right_b - row.right_a), row.label))

    def to_dict(self) -> dict[str, Any]:
        """The entry in `pairs` of the JSON output."""
        entry: dict[str, Any] = {
            "a": self.a,
            "b": self.b,
            "layer": self.layer,
            "metric": self.metric,
            "gold_items": self.gold_items,
            "items": self.items,
            **({"left_out": self.lost} if self.lost else {}),
            "different": self.different,
            "diff": self.diff,
            "corrections": self.corrections,
            "new_errors": self.new_errors,
            "changed_errors": self.changed_errors,
            **({} if self.changed is None else {"changed": self.changed}),
            **({"both_right": self.both_right} if self.both_right else {}),
            "right": {"a": self.right_a, "b": self.right_b, "both": self.shared_right},
            "accuracy": {"a": self.accuracy_a, "b": self.accuracy_b, "delta": self.delta},
            "overlap": {"right": self.overlap_right, "all": self.overlap_all},
        }
        if self.complete is not None:
            *right, size = self.complete
            entry["complete"] = dict(zip(("a", "b", "both"), right, strict=True))
            entry["complete"][f"{self.unit}s"] = size
        entry["transitions"] = {
            kind: [_transition(t) for t in self.transitions(kind)] for kind in CLASSES
        }
        entry["labels"] = {
            row.label: {
                "items": row.items,
                "right": {"a": row.right_a, "b": row.right_b},
                "accuracy": {"a": row.accuracy_a, "b": row.accuracy_b, "delta": row.delta},
                "corrections": row.corrections,
                "new_errors": row.new_errors,
                "changed_errors": row.changed_errors,
            }
            for row in self.labels
        }
        reasons = self.reasons()
        if reasons:
            entry["reason"] = next(iter(reasons.values()))
            entry["reasons"] = reasons
        return entry

    def reasons(self) -> dict[str, str]:
        """Why shares are None, by their places in the JSON output."""
        found: dict[str, str] = {}
        if not self.items:
            found |= dict.fromkeys(("diff", "overlap.all"), "there is nothing to compare")
        if not self.gold_items:
            parts = ("accuracy.a", "accuracy.b", "accuracy.delta")
            found |= dict.fromkeys(parts, "there is nothing in gold")
        if not self.right_a + self.right_b:
            found["overlap.right"] = "neither has a correct answer"
        return found

    def __repr__(self) -> str:
        return (
            f"<{self.a} -> {self.b}, {self.metric}: {self.different:,} of {self.items:,} differ; "
            f"{self.corrections:,} corrections, {self.new_errors:,} new and "
            f"{self.changed_errors:,} changed errors"
            f"{f', {self.both_right:,} both correct' if self.both_right else ''}>"
        )


def _transition(found: Transition) -> dict[str, Any]:
    gold = {"gold": found.gold} if found.gold is not None else {}
    return {**gold, "a": found.a, "b": found.b, "count": found.count}


def transition_order(found: Transition) -> tuple[Any, ...]:
    """Most frequent first, then by names; nothing comes last among names."""
    names = (found.gold, found.a, found.b)
    return (-found.count, *((name is None, name or "") for name in names))


def states(
    answers: Answers, items: Int64, systems: Sequence[int], mode: str
) -> tuple[list[str | None], list[Int64]]:
    """What some systems say about some items, as codes into names: labels, error types, or both.

    A system that says nothing about an extra item has None, unless silence is a type. So has, of
    labels, one that misses a gold item.
    """
    label, type = len(answers.names), len(answers.types)
    codes: list[Int64] = []
    for system in systems:
        silent = (items >= answers.gold_items) & ~answers.answered[system, items]
        labels = answers.label[system, items].astype(np.int64)
        types = answers.type[system, items].astype(np.int64)
        if mode == "labels":
            code = np.where(silent | (labels < 0), label, labels)
        elif answers.silence:
            code = types if mode == "types" else types * (label + 1) + labels + 1
        elif mode == "types":
            code = np.where(silent, type, types)
        else:
            code = np.where(silent, type * (label + 1), types * (label + 1) + labels + 1)
        codes.append(code)
    if mode == "labels":
        return [*answers.names, None], codes
    if mode == "types":
        return [*answers.types, None], codes
    both: list[str | None] = [
        f"{kind} {name}" if name else kind
        for kind in answers.types
        for name in ("", *answers.names)
    ]
    return [*both, None], codes
