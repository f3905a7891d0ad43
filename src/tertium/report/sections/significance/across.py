"""What holds across data sets: ranks of systems, and in how many sets each two differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.corpus.assessment import Assessment
from tertium.corpus.wording import p_text
from tertium.report.blocks import Block, Cell, Column, Missing, Ranks, Table
from tertium.report.render.plain import counted

if TYPE_CHECKING:
    from tertium.significance.assessing import Across
    from tertium.significance.datasets import Datasets
    from tertium.significance.ranks import RankTest

MOST_NAMED = 8  # groups with an effect
ARROW = "→"


def across_blocks(assessment: Assessment, metrics: Sequence[str], by: str) -> list[Block]:
    """For some metrics mean ranks with the critical difference, and a table of pairs."""
    blocks: list[Block] = []
    for metric in metrics:
        across: Across | None = assessment.across.get(metric)
        if across is None:
            continue
        if across.datasets.friedman is not None:
            blocks.append(_ranks(metric, across.datasets, by))
        blocks.append(_pairs(metric, across, by))
    return blocks


def across_notes(assessment: Assessment) -> list[str]:
    """What is to be said about so few data sets, and those that were left out."""
    notes: list[str] = []
    for metric, across in assessment.across.items():
        found: Datasets = across.datasets
        notes += [f"groups as data sets: {each}" for each in found.warnings]
        if found.left_out:
            names = ", ".join(found.left_out)
            notes.append(f"{metric}: undefined for a system, and left out of ranks: {names}")
    return list(dict.fromkeys(notes))


def _ranks(metric: str, found: Datasets, by: str) -> Ranks:
    return Ranks(
        tuple(found.mean_ranks),
        tuple(found.mean_ranks.values()),
        critical=found.critical_difference,
        groups=found.groups,
        title=f"{metric}: mean ranks over {counted(len(found.names), 'group')} of {by}",
        note=_friedman(found),
    )


def _friedman(found: Datasets) -> str:
    """Friedman's test in words, in the form of Iman and Davenport where there is one."""
    test = found.friedman
    assert test is not None
    if test.p is None or test.chi_square is None:
        return f"Friedman's test is undefined: {test.reason}"
    told = f"Friedman: chi-square({test.degrees[0]}) = {test.chi_square:.2f}, {p_text(test.p)}"
    if test.f is not None and test.f_p is not None:
        told += f"; F({test.degrees[0]}, {test.degrees[1]}) = {test.f:.2f}, {p_text(test.f_p)}"
    return f"{told}; critical difference: Nemenyi at {found.alpha:g}"


def _pairs(metric: str, across: Across, by: str) -> Table:
    """Every two systems over all data sets. Changes are from the first to the second."""
    found = across.datasets
    effects = {(a, b): each for a, b, each in across.replicability}
    several = len(found.pairs) > 1
    rows: list[tuple[Cell, ...]] = []
    for pair in found.pairs:
        effect = effects[pair.a, pair.b]
        count: Cell = Missing(effect.reason or "undefined")
        if effect.count is not None:
            count = f"{effect.count} of {effect.used}"
        rows.append(
            (
                pair.a,
                pair.b,
                -pair.difference,
                pair.losses,
                pair.wins,
                pair.ties,
                _p(pair.wilcoxon, pair.wilcoxon.p),
                *([_p(pair.wilcoxon, pair.adjusted)] if several else []),
                count,
            )
        )
    return Table(
        (
            Column("from"),
            Column("to"),
            Column("change", "", "delta"),
            Column("up", by, "count"),
            Column("down", by, "count"),
            Column("equal", by, "count"),
            Column("p", "Wilcoxon", "p"),
            *([Column("Holm", "Wilcoxon", "p")] if several else []),
            Column("effect in"),
        ),
        tuple(rows),
        title=f"{metric}: across {counted(len(found.names), 'group')} of {by}",
        keys=2,
        contests=tuple(pair.a for pair in found.pairs),
        note="change: mean over groups; up, down: groups in which the second is better, worse; "
        f"effect: in at least so many groups at {found.alpha:g} (partial conjunction), and in "
        "which by Holm, over the groups of each pair alone"
        + "".join(_which(a, b, effect.datasets) for a, b, effect in across.replicability),
    )


def _which(a: str, b: str, groups: Sequence[str]) -> str:
    """The groups in which two systems differ, after Holm's correction."""
    if not groups:
        return ""
    left = f" and {len(groups) - MOST_NAMED:,} more" if len(groups) > MOST_NAMED else ""
    return f"; {a} {ARROW} {b}: {', '.join(groups[:MOST_NAMED])}{left}"


def _p(test: RankTest, p: float | None) -> Cell:
    return Missing(test.reason or "undefined") if p is None else p
