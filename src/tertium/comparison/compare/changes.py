"""How much every two systems differ, and what the differences are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium.comparison.compare.look import ALL, ARROW, Choice
from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.solvers import right_word
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import Pair, Transition, share
from tertium.results.blocks import Bars, Block, Cell, Column, Matrix, Missing, Table, kind_of
from tertium.results.texts import counted, in_words

CLASSES = {
    "corrections": "corrections",
    "new_errors": "new errors",
    "changed_errors": "changed errors",
}
MOST_BARS = 28  # all pairs of eight systems
MOST_NUMBERED = 20
_NO_ITEMS, _NO_DIFFERENCES = "there are no items", "there are no differences"


def pair_blocks(comparison: Comparison, view: View, choice: Choice) -> list[Block]:
    """Tables of all pairs, of how much they differ and of what the differences are; where it helps,
    a matrix and bars."""
    size = len(view.systems)
    blocks: list[Block] = [difference_table(comparison, view)]
    # In a text the numbers of a few pairs are read as easily in the table.
    if size > (2 if choice.pictures else 3):
        blocks.append(difference_matrix(view, numbered=choice.is_text))
    if size > 2:  # the transitions of a single pair say it, too
        blocks.append(class_table(view))
    if choice.pictures or (choice.is_text and size > 2):
        blocks += class_bars(view)
    return blocks


def fraction(part: float, whole: float, reason: str) -> Cell:
    """A quotient as a cell; where there is none, why."""
    found = share(part, whole)
    return Missing(reason) if found is None else found


def difference_table(comparison: Comparison, view: View) -> Table:
    """How many items differ beside the change of the score (Tuggener 2017, Tables 3 and 5), and
    what two systems share: right answers, all answers, fully correct sentences."""
    first = next((r for r in comparison.scores if r.metric == view.metric), None)
    headline = in_words(first.headline if first else "") or "value"
    columns = [
        Column("items", "different", "count"),
        Column("diff", "different", "percent"),
        Column(headline, "change", kind_of(comparison.scores.part(view.metric).kind, "delta")),
        Column("right", "equal answers", "percent"),
        Column("all", "equal answers", "percent"),
    ]
    complete = any(pair.complete is not None for pair in view.pairs)
    columns += [Column("both", "complete", "count")] if complete else []
    rows: list[list[Cell]] = []
    for pair in view.pairs:
        cells: list[Cell] = [
            pair.different,
            fraction(pair.different, pair.items, _NO_ITEMS),
            _change(comparison, view, pair),
            fraction(2 * pair.shared_right, pair.right_a + pair.right_b, "nothing is right"),
            fraction(pair.items - pair.different, pair.items, _NO_ITEMS),
        ]
        if complete:
            cells.append(None if pair.complete is None else pair.complete.both)
        rows.append(cells)
    return _of_pairs(view, columns, rows, "how much systems differ", _note(view))


def class_table(view: View) -> Table:
    """How many differences are corrections, new errors and changed errors."""
    columns: list[Column] = []
    for name in CLASSES.values():
        columns += [Column("items", name, "count"), Column("share", name, "percent")]
    others = any(pair.both_right for pair in view.pairs)
    columns += [Column("items", "both right", "count")] if others else []
    rows: list[list[Cell]] = []
    for pair in view.pairs:
        cells: list[Cell] = []
        for kind in CLASSES:
            count = getattr(pair, kind)
            cells += [count, fraction(count, pair.different, _NO_DIFFERENCES)]
        rows.append([*cells, *([pair.both_right] if others else [])])
    return _of_pairs(view, columns, rows, "what the differences are")


def _of_pairs(
    view: View,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    title: str,
    note: str = "",
) -> Table:
    return Table(
        (Column("from"), Column("to"), *columns),
        tuple((p.a, p.b, *row) for p, row in zip(view.pairs, rows, strict=True)),
        title=f"{view.metric}: {title}",
        keys=2,
        contests=tuple(pair.a for pair in view.pairs),
        note=note,
    )


def _change(comparison: Comparison, view: View, pair: Pair) -> Cell:
    values = [
        None if (found := comparison.result(name, view.metric)) is None else found.value
        for name in (pair.a, pair.b)
    ]
    if values[0] is None or values[1] is None:
        return Missing("undefined in one of the two")
    return values[1] - values[0]


def _note(view: View) -> str:
    found = []
    if view.average_diff is not None and len(view.pairs) > 1:
        found.append(f"average diff {100 * view.average_diff:.2f}")
    found.append("equal answers among the right ones of both, and among all items")
    if view.has_extra:
        found.append("items are those of gold and what either of the two adds")
    if not view.of_words:
        found.append(f"complete: {view.unit}s in which everything is right")
    return "; ".join(found)


def difference_matrix(view: View, *, numbered: bool = False) -> Matrix:
    """How much each two systems differ, similar ones side by side. `numbered` puts numbers in place
    of names above the columns."""
    order = [view.systems.index(name) for name in view.order]
    rows: Sequence[str] = view.order
    columns: Sequence[str] = view.order
    if numbered and len(order) <= MOST_NUMBERED:
        rows = [f"{n} {name}" for n, name in enumerate(view.order, 1)]
        columns = [str(n) for n in range(1, len(order) + 1)]
    values = [[None if a == b else view.differences[a][b] for b in order] for a in order]
    smallest, largest = colour_range([v for row in values for v in row if v is not None])
    return Matrix(
        tuple(rows),
        tuple(columns),
        tuple(map(tuple, values)),
        title=f"{view.metric}: share of items on which two systems differ",
        row_axis="system",
        kind="percent",
        note="similar systems stand together",
        largest=largest,
        smallest=smallest,
    )


def colour_range(shares: Sequence[float]) -> tuple[float, float | None]:
    """Round numbers around some shares, so that colours tell them apart, but do not make much of
    less than a percentage point.

    >>> colour_range([0.3901, 0.5735]), colour_range([0.012, 0.081]), colour_range([0.5011])
    ((0.35, 0.6), (0.0, 0.1), (0.5, 0.51))
    """
    if not shares:
        return 0.0, None
    low, high = 100 * min(shares), 100 * max(shares)
    step = next((s for s in (1, 2, 5, 10) if high - low <= 4 * s), 20)
    first = math.floor(low / step) * step
    return first / 100, max(math.ceil(high / step) * step, first + step) / 100


def drawn_pairs(view: View) -> list[Pair]:
    """The pairs that have a bar, those without differences and, of very many, the last left out."""
    return [pair for pair in view.pairs if pair.different][:MOST_BARS]


def class_bars(view: View) -> list[Block]:
    """What the differences of each pair are, as bars."""
    pairs = drawn_pairs(view)
    if not pairs:
        return []
    left = sum(pair.different > 0 for pair in view.pairs) - len(pairs)
    others = any(pair.both_right for pair in pairs)
    categories = [*CLASSES.values(), *(["both right"] if others else [])]
    return [
        Bars(
            tuple(f"{pair.a} {ARROW} {pair.b}" for pair in pairs),
            tuple(categories),
            tuple(
                (
                    *(getattr(pair, kind) for kind in CLASSES),
                    *([pair.both_right] if others else []),
                )
                for pair in pairs
            ),
            title=f"{view.metric}: corrections, new and changed errors",
            axis="difference",
            unit="items",
            note=f"and {counted(left, 'more pair')}, to be found in the table of differences"
            if left
            else "",
            numbers=False,
        )
    ]


USUAL = 5
NONE = "none"


def written(transition: Transition) -> str:
    """`NN → NE`, of a changed error `gold → NN → NE`; `none` where there is nothing."""
    names = [transition.a, transition.b]
    if transition.gold is not None:
        names.insert(0, transition.gold)
    return f" {ARROW} ".join(NONE if name is None else name for name in names)


def transition_table(pair: Pair, choice: Choice) -> Table:
    """Class by class the most frequent transitions, with their share of the class."""
    rows: list[tuple[Cell, ...]] = []
    contests: list[str] = []
    hidden = 0
    for kind, name in CLASSES.items():
        count = getattr(pair, kind)
        rows.append((name, ALL, count, fraction(count, pair.different, "there are no differences")))
        found = pair.transitions(kind)
        shown = found[: choice.rows(USUAL)]
        hidden += len(found) - len(shown)
        rows += [(name, written(t), t.count, t.count / count) for t in shown]
        contests += [name] * (1 + len(shown))
    if pair.both_right:
        count = pair.both_right
        rows.append(("both right", ALL, count, count / pair.different))
        contests.append("both right")
    size = "" if pair.diff is None else f"{100 * pair.diff:.2f} % "
    return Table(
        (
            Column("difference"),
            Column("transition"),
            Column("items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple(rows),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, "
        f"difference {size}({pair.different:,}/{pair.items:,})",
        keys=2,
        contests=tuple(contests),
        omitted=choice.hidden(counted(hidden, "rarer transition")) if hidden else "",
        note=_note(pair),
    )


def class_transitions(pair: Pair, kind: str, most: int) -> Table:
    """One class by itself: its most frequent transitions."""
    count, found = getattr(pair, kind), pair.transitions(kind)
    left = found[most:]
    size = "" if not pair.different else f" ({100 * count / pair.different:.2f} %)"
    return Table(
        (
            Column("gold → A → B" if any(t.gold for t in found) else "A → B"),
            Column("items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple((written(t), t.count, t.count / count) for t in found[:most]),
        title=f"{CLASSES[kind]}: {count:,}{size}",
        omitted=f"and {counted(len(left), 'rarer transition')} of "
        f"{counted(sum(t.count for t in left), 'item')}"
        if left
        else "",
    )


def _note(pair: Pair) -> str:
    found = "share: of a class among all differences, of a transition in its class"
    if any(t.gold is not None for t in pair.transitions("changed_errors")):
        found += f"; changed errors are gold {ARROW} {pair.a} {ARROW} {pair.b}"
    return found


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
