"""Systems against several gold standards, and these against each other."""

from __future__ import annotations

from dataclasses import replace

from tertium.comparison.golds import Golds, Reversal
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Table,
    Text,
    better_of,
    kind_of,
    own_kind,
)

SHOWN = 5  # pairs of systems whose order is told


def gold_blocks(golds: Golds | None) -> list[Block]:
    """A row for every system and metric, a row for every two gold standards, and whose order
    depends on the gold standard; nothing where there is one gold standard only."""
    if golds is None:
        return []
    lines = [_reversal(each) for each in golds.reversals]
    if len(lines) > SHOWN:
        more = len(lines) - SHOWN
        lines = [*lines[:SHOWN], f"the order of {more:,} more pairs depends on the gold standard"]
    blocks: list[Block] = [replace(_scores(golds), note="; ".join(lines))]
    if golds.agreements:
        blocks.append(_agreement(golds))
    return [*blocks, *(Text(note) for note in golds.notes)]


def _scores(golds: Golds) -> Table:
    several = len(golds.metrics) > 1
    kind = kind_of(golds.scores[0].kind if golds.scores else "share")
    columns = [*([Column("metric")] if several else []), Column("system")]
    columns += [Column(name, "against", kind, "higher") for name in golds.names]
    columns += [Column(name, "", kind) for name in ("minimum", "mean", "maximum")]
    rows: list[tuple[Cell, ...]] = []
    contests = []
    for metric in golds.metrics:
        for each in (s for s in golds.scores if s.metric == metric):
            values = [
                Missing(each.reasons.get(name, "undefined")) if value is None else value
                for name, value in zip(golds.names, each.values, strict=True)
            ]
            undefined = Missing("undefined against a gold standard")
            summary = [
                undefined if value is None else value
                for value in (each.minimum, each.mean, each.maximum)
            ]
            numbers = [own_kind(value, each.kind, columns[-1]) for value in values + summary]
            rows.append((*([metric] if several else []), each.system, *numbers))
            contests.append(metric)
    title = "Against several gold standards"
    return Table(
        tuple(columns),
        tuple(rows),
        title=title if several else f"{golds.metrics[0]}: {title.lower()}",
        keys=1 + several,
        contests=tuple(contests),
        ways={s.metric: better_of(s.better) for s in golds.scores},
    )


def _agreement(golds: Golds) -> Table:
    empty = Missing("there is nothing to compare")
    return Table(
        (
            Column("metric"),
            Column("gold"),
            Column("other gold"),
            *(Column(name, "", "count") for name in ("items", "different")),
            *(Column(name, "", "percent") for name in ("diff", "agreement")),
        ),
        tuple(
            (a.metric, a.a, a.b, a.items, a.different,
             *(empty if value is None else value for value in (a.diff, a.agreement)))
            for a in golds.agreements
        ),
        title="How far the gold standards agree",
        keys=3,
    )  # fmt: skip


def _reversal(each: Reversal) -> str:
    return (
        f"{each.metric}: {each.above} is better than {each.below} against {', '.join(each.golds)}, "
        f"but worse against {', '.join(each.other_golds)}"
    )
