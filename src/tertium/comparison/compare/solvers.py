"""Tables of who is right: upper bounds, which are what a perfect choice among the systems would
have right (Tuggener 2017, Tables 9 and 10), labels that are hard or easy for all, how many systems
are right and which, what each adds, and which belong together."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.bounds import MOST_FOR_SUBSETS, LabelBound
from tertium.comparison.compare.changes import right_word, systems_and_bound
from tertium.comparison.compare.look import ALL, CompareLook
from tertium.comparison.compare.views import View
from tertium.results.blocks import Block, Cell, Column, Intersections, Table, Text
from tertium.results.texts import counted, rest_text

USUAL = 10
DRAWN = 24
ENOUGH = 10  # items of a label that can be called hard or easy
EXTREMES = 3


def bound_blocks(view: View, look: CompareLook) -> list[Block]:
    """The table of upper bounds, and hard and easy labels."""
    if not view.oracle.items:
        return [Text(f"{view.metric}: there are no gold {view.item}s, so there is no oracle")]
    return [bound_table(view, look), *extreme_tables(view)]


def shown_labels(view: View, look: CompareLook) -> list[LabelBound]:
    """The labels that have a row, in order."""
    labels = view.oracle.labels
    if look.sort == "difference":
        labels = sorted(labels, key=lambda row: (-row.gain, row.label))
    return labels[: look.rows(USUAL)]


def bound_table(view: View, look: CompareLook) -> Table:
    """All labels together, then one by one: every system, the upper bound, what it gains."""
    oracle = view.oracle
    shown = shown_labels(view, look)
    left = len(oracle.labels) - len(shown)
    right, best, solvers = tuple(oracle.right.tolist()), oracle.best, oracle.by_solvers
    whole = LabelBound(ALL, oracle.items, right, best, oracle.correct, solvers[-1], solvers[0])
    note = f"oracle: correct if any system is; gain: over {view.systems[best]}, the best system"
    if right_word(view) == "recall":
        note += f"; gold {view.item}s only: false positives do not count"
    return Table(
        (Column("label"), Column(f"{view.item}s", "", "count"), *systems_and_bound(view)),
        tuple(
            (row.label, row.items, *(n / row.items for n in (*row.right, row.bound)), row.gain)
            for row in (whole, *shown)
        ),
        title=f"{view.metric}: oracle of all systems, labels by "
        + ("gain" if look.sort == "difference" else "frequency"),
        omitted=rest_text(left, is_text=look.is_text, noun="more label"),
        note=note,
    )


def extreme_tables(view: View) -> list[Block]:
    """Labels that all systems have wrong more often than others, and right less often; and the
    other way round."""
    oracle = view.oracle
    nobody, everybody = oracle.by_solvers[0] / oracle.items, oracle.by_solvers[-1] / oracle.items
    # Each with the share of its items that all have right, and that none has.
    labels = [
        (row, row.all_right / row.items, row.none_right / row.items)
        for row in oracle.labels
        if row.items >= ENOUGH
    ]
    hard = [each for each in labels if each[2] > nobody and each[1] < everybody]
    hard.sort(key=lambda each: (-each[2], -each[0].items, each[0].label))
    easy = [each for each in labels if each[1] > everybody and each[2] < nobody]
    easy.sort(key=lambda each: (-each[1], -each[0].items, each[0].label))
    rows = [
        (word, row.label, row.items, every, none)
        for word, found in (("hard", hard), ("easy", easy))
        for row, every, none in found[:EXTREMES]
    ]
    if not rows:
        return []
    return [
        Table(
            (
                Column(""),
                Column("label"),
                Column(f"{view.item}s", "", "count"),
                Column("all", "correct systems", "percent"),
                Column("none", "correct systems", "percent"),
            ),
            tuple(rows),
            title=f"{view.metric}: hard and easy labels",
            keys=2,
            contests=tuple(row[0] for row in rows),
            note="hard: 'all' is below and 'none' above the average of all labels; easy: the "
            f"opposite; only labels with {ENOUGH} {view.item}s or more",
        )
    ]


def solver_blocks(view: View, look: CompareLook) -> list[Block]:
    """Items by how many systems have them right, and by which; contributions; best sets."""
    if not view.oracle.items:
        return []
    blocks: list[Block] = [pattern_block(view, look)]
    if len(view.systems) > 2:
        blocks = [count_table(view), *blocks, contribution_table(view), *subset_tables(view)]
    if view.oracle.subsets is None:
        text = f"{view.metric}: subsets of more than {MOST_FOR_SUBSETS} systems are not searched"
        blocks.append(Text(text))
    return blocks


def _columns(view: View) -> tuple[Column, ...]:
    return (
        Column("correct systems"),
        Column(f"gold {view.item}s", "", "count"),
        Column("share", "", "percent"),
    )


def count_table(view: View) -> Table:
    """Gold items by how many systems have them right, all first."""
    oracle, size = view.oracle, len(view.systems)
    words = {0: "none", size: f"{size} (all)"}
    return Table(
        _columns(view),
        tuple(
            (words.get(n, str(n)), oracle.by_solvers[n], oracle.by_solvers[n] / oracle.items)
            for n in range(size, -1, -1)
        ),
        title=f"{view.metric}: number of correct systems",
    )


def pattern_block(view: View, look: CompareLook) -> Table | Intersections:
    """A figure where a format can draw, else a list in words."""
    oracle = view.oracle
    title = f"{view.metric}: correct systems"
    if look.draws:
        return Intersections(
            view.systems,
            tuple(tuple(name in p.systems for name in view.systems) for p in oracle.patterns),
            tuple(p.count for p in oracle.patterns),
            title=title,
            axis="correct",
            unit=f"{view.item}s",
            most=look.rows(DRAWN),
            name="right",
        )
    shown = oracle.patterns[: look.rows(USUAL)]
    left = oracle.patterns[len(shown) :]
    items = counted(sum(pattern.count for pattern in left), view.item)
    return Table(
        _columns(view),
        tuple((who(p.systems, view.systems), p.count, p.count / oracle.items) for p in shown),
        title=title,
        omitted=rest_text(
            len(left), is_text=look.is_text, noun="rarer combination", more=f" with {items}"
        ),
    )


def who(right: Sequence[str], systems: Sequence[str]) -> str:
    """Some of the systems in words.

    >>> who(["a", "c"], ["a", "b", "c"]), who(["b"], ["a", "b", "c"]), who([], ["a", "b"])
    ('all but b', 'only b', 'none')
    """
    wrong = [name for name in systems if name not in right]
    if not right or not wrong:
        return "none" if not right else "both" if len(systems) == 2 else "all"
    if len(right) == 1:
        return f"only {right[0]}"
    if len(wrong) < len(right):
        return f"all but {', '.join(wrong)}"
    return ", ".join(right)


def contribution_table(view: View) -> Table:
    """What each system has right, alone and on average."""
    items = view.oracle.items
    return Table(
        (
            Column("system"),
            Column(f"{view.item}s", "correct", "count"),
            Column("share", "correct", "percent", "higher"),
            Column(f"{view.item}s", "only this system", "count"),
            Column("share", "only this system", "percent", "higher"),
            Column("share", "Shapley value", "percent", "higher"),
        ),
        tuple(
            (each.system, each.right, each.right / items, each.alone, each.alone / items,
             each.mean / items)
            for each in view.oracle.contributions
        ),
        title=f"{view.metric}: contribution of each system to the oracle",
        note="Shapley value: mean gain from adding the system, over all orders of adding systems",
    )  # fmt: skip


def subset_tables(view: View) -> list[Block]:
    """The best set of every size; nothing for more systems than can be tried."""
    items = view.oracle.items
    rows: list[tuple[Cell, ...]] = []
    before = 0
    for names, bound in view.oracle.best_subsets:
        gain = (bound - before) / items if rows else None
        rows.append((len(names), ", ".join(names), bound, bound / items, gain))
        before = bound
    if not rows:
        return []
    return [
        Table(
            (
                Column("size", kind="count"),
                Column("best subset"),
                Column("items", "oracle", "count"),
                Column("share", "oracle", "percent"),
                Column("gain", "oracle", "delta"),
            ),
            tuple(rows),
            title=f"{view.metric}: best subset of systems of each size",
            keys=2,
            note="gain: over the best smaller subset",
        )
    ]
