"""Who is right: how many systems, which ones, what each adds, and which belong together."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.bounds import MOST_FOR_SUBSETS, LabelBound, Oracle
from tertium.comparison.compare.look import ALL, Choice
from tertium.comparison.compare.views import View
from tertium.families.family import family
from tertium.results.blocks import Block, Cell, Column, Intersections, Table, Text
from tertium.results.texts import counted

USUAL = 10
DRAWN = 24


def solver_blocks(view: View, choice: Choice) -> list[Block]:
    """Items by how many systems have them right, and by which; contributions; best sets."""
    oracle = view.oracle
    if not oracle.items:
        return []
    blocks: list[Block] = []
    if len(view.systems) > 2:
        blocks.append(count_table(view, oracle))
    blocks.append(pattern_block(view, oracle, choice))
    if len(view.systems) > 2:
        blocks.append(contribution_table(view, oracle))
        blocks += subset_tables(view, oracle)
    if oracle.subsets is None:
        text = f"{view.metric}: sets of more than {MOST_FOR_SUBSETS} systems are not tried"
        blocks.append(Text(text))
    return blocks


def count_table(view: View, oracle: Oracle) -> Table:
    """Gold items by how many systems have them right, all first."""
    size = len(view.systems)
    words = {0: "none", size: f"{size} (all)"}
    return Table(
        (
            Column("systems that are right"),
            Column("gold items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple(
            (words.get(n, str(n)), oracle.by_solvers[n], oracle.by_solvers[n] / oracle.items)
            for n in range(size, -1, -1)
        ),
        title=f"{view.metric}: how many systems are right",
    )


def pattern_block(view: View, oracle: Oracle, choice: Choice) -> Block:
    """A figure where a format can draw, else a list in words."""
    title = f"{view.metric}: which systems are right"
    if choice.pictures:
        return Intersections(
            view.systems,
            tuple(tuple(name in p.systems for name in view.systems) for p in oracle.patterns),
            tuple(p.count for p in oracle.patterns),
            title=title,
            axis="right",
            unit="items",
            most=choice.rows(DRAWN),
        )
    shown = oracle.patterns[: choice.rows(USUAL)]
    left = oracle.patterns[len(shown) :]
    items = sum(pattern.count for pattern in left)
    return Table(
        (
            Column("systems that are right"),
            Column("gold items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple((who(p.systems, view.systems), p.count, p.count / oracle.items) for p in shown),
        title=title,
        omitted=choice.hidden(
            f"{counted(len(left), 'rarer combination')} with {counted(items, 'item')}"
        )
        if left
        else "",
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


def contribution_table(view: View, oracle: Oracle) -> Table:
    """What each system has right, alone and on average."""
    rows: list[tuple[Cell, ...]] = [
        (
            each.system,
            each.right,
            each.right / oracle.items,
            each.alone,
            each.alone / oracle.items,
            each.mean / oracle.items,
        )
        for each in oracle.contributions
    ]
    columns = (
        Column("system"),
        Column("items", "right", "count"),
        Column("share", "right", "percent", "higher"),
        Column("items", "no other is right", "count"),
        Column("share", "no other is right", "percent", "higher"),
        Column("share", "mean gain", "percent", "higher"),
    )
    return Table(
        columns,
        tuple(rows),
        title=f"{view.metric}: what each system adds to the upper bound",
        note="mean gain: what adding the system brings, over all orders in which systems can be "
        "added (Shapley value)",
    )


def subset_tables(view: View, oracle: Oracle) -> list[Block]:
    """The best set of every size; nothing for more systems than can be tried."""
    rows: list[tuple[Cell, ...]] = []
    before = 0
    for names, bound in oracle.best_subsets:
        gain = (bound - before) / oracle.items if rows else None
        rows.append((len(names), ", ".join(names), bound, bound / oracle.items, gain))
        before = bound
    if not rows:
        return []
    columns = (
        Column("size", kind="count"),
        Column("best set of systems"),
        Column("items", "right in one of them", "count"),
        Column("share", "right in one of them", "percent"),
        Column("gain", "right in one of them", "delta"),
    )
    return [
        Table(
            columns,
            tuple(rows),
            title=f"{view.metric}: the best set of systems of every size",
            keys=2,
            note="gain: over the best smaller set",
        )
    ]


USUAL = 10
ENOUGH = 10  # items of a label that can be called hard or easy
EXTREMES = 3


def bound_blocks(view: View, choice: Choice) -> list[Block]:
    """The table of upper bounds, and hard and easy labels."""
    oracle = view.oracle
    if not oracle.items:
        return [Text(f"{view.metric}: there are no gold items, so there is no upper bound")]
    return [bound_table(view, choice), *extreme_tables(view)]


def right_word(view: View) -> str:
    """What a share of gold items is called: where systems can add items, recall."""
    return "recall" if view.has_extra else family(view.layer).share


def shown_labels(view: View, choice: Choice) -> list[LabelBound]:
    """The labels that have a row, in order."""
    labels = view.oracle.labels
    if choice.sort == "difference":
        labels = sorted(labels, key=lambda row: (-row.gain, row.label))
    return labels[: choice.rows(USUAL)]


def bound_table(view: View, choice: Choice) -> Table:
    """All labels together, then one by one: every system, the upper bound, what it gains."""
    oracle, labels = view.oracle, view.oracle.labels
    shown = shown_labels(view, choice)
    left = len(labels) - len(shown)
    whole = LabelBound(
        ALL,
        oracle.items,
        tuple(oracle.right.tolist()),
        oracle.best,
        oracle.correct,
        oracle.by_solvers[-1],
        oracle.by_solvers[0],
    )
    word = right_word(view)
    columns = (
        Column("label"),
        Column("items", "", "count"),
        *(Column(name, word, "percent", "higher", contest=word) for name in view.systems),
        Column("bound", "upper", "percent", bound=True),
        Column("gain", "upper", "delta"),
    )
    best = view.systems[oracle.best]
    note = f"gain: over {best}, which is best overall"
    if word == "recall":
        note += "; of gold items alone: what systems add does not count"
    return Table(
        columns,
        tuple(_row(row) for row in (whole, *shown)),
        title=f"{view.metric}: upper bound of all systems, labels by "
        + ("gain" if choice.sort == "difference" else "frequency"),
        omitted=choice.hidden(counted(left, "more label")) if left else "",
        note=note,
    )


def _row(row: LabelBound) -> tuple[Cell, ...]:
    return (
        row.label,
        row.items,
        *(right / row.items for right in row.right),
        row.bound / row.items,
        row.gain,
    )


def extreme_tables(view: View) -> list[Block]:
    """Labels that all systems have wrong more often than others, and right less often; and the
    other way round."""
    oracle = view.oracle
    labels = [row for row in oracle.labels if row.items >= ENOUGH]
    nobody, everybody = oracle.by_solvers[0] / oracle.items, oracle.by_solvers[-1] / oracle.items
    hard = [r for r in labels if _nobody(r) > nobody and _everybody(r) < everybody]
    hard.sort(key=lambda row: (-_nobody(row), -row.items, row.label))
    easy = [r for r in labels if _everybody(r) > everybody and _nobody(r) < nobody]
    easy.sort(key=lambda row: (-_everybody(row), -row.items, row.label))
    rows: list[tuple[Cell, ...]] = [
        (word, row.label, row.items, _everybody(row), _nobody(row))
        for word, found in (("hard", hard), ("easy", easy))
        for row in found[:EXTREMES]
    ]
    if not rows:
        return []
    return [
        Table(
            (
                Column(""),
                Column("label"),
                Column("items", "", "count"),
                Column("all", "right in", "percent"),
                Column("none", "right in", "percent"),
            ),
            tuple(rows),
            title=f"{view.metric}: labels that are hard or easy for all systems",
            keys=2,
            contests=_contests(rows),
            note="hard: none is right more often, and all less often, than over all labels; easy: "
            f"the other way round; of labels with {ENOUGH} items or more",
        )
    ]


def _everybody(row: LabelBound) -> float:
    return row.all_right / row.items


def _nobody(row: LabelBound) -> float:
    return row.none_right / row.items


def _contests(rows: Sequence[tuple[Cell, ...]]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)
