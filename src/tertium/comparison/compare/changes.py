"""How much every two systems differ, and what the differences are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import Pair, share
from tertium.comparison.compare.look import ARROW, Choice
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
