"""Who is right: how many systems, which ones, what each adds, and which belong together."""

from __future__ import annotations

from tertium.compare.oracle import Oracle
from tertium.compare.views import View
from tertium.report.blocks import Block, Cell, Column, Intersections, Table
from tertium.report.sections.compare.choice import Choice

USUAL = 10


def solver_blocks(view: View, choice: Choice) -> list[Block]:
    """Items by how many systems have them right, and by which; contributions; best sets."""
    oracle = view.oracle
    if not oracle.items:
        return []
    blocks: list[Block] = []
    if len(view.systems) > 2:
        blocks.append(_counts(view, oracle))
    blocks.append(_patterns(view, oracle, choice))
    if len(view.systems) > 2:
        blocks.append(_contributions(view, oracle))
        blocks += _subsets(view, oracle)
    return blocks


def _counts(view: View, oracle: Oracle) -> Table:
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


def _patterns(view: View, oracle: Oracle, choice: Choice) -> Intersections:
    usual = 24 if choice.pictures else USUAL
    return Intersections(
        view.systems,
        tuple(tuple(name in p.systems for name in view.systems) for p in oracle.patterns),
        tuple(p.count for p in oracle.patterns),
        title=f"{view.metric}: which systems are right",
        axis="right",
        unit="items",
        most=choice.rows(usual),
    )


def _contributions(view: View, oracle: Oracle) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            each.system,
            each.right,
            each.right / oracle.items,
            each.alone,
            each.alone / oracle.items,
            each.mean,
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
        Column("items", "mean contribution", "number"),
        Column("share", "mean contribution", "percent", "higher"),
    )
    return Table(
        columns,
        tuple(rows),
        title=f"{view.metric}: what each system adds to the upper bound",
        note="mean contribution: the gain from adding the system, over all orders in which systems "
        "can be added (Shapley value)",
    )


def _subsets(view: View, oracle: Oracle) -> list[Block]:
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
