"""Systems over several data sets, or groups that are taken for such: ranks and pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.results.assessment import TIE, Assessment
from tertium.results.blocks import Block, Cell, Column, Missing, Ranks, Table, kind_of, or_missing
from tertium.results.parts import Part
from tertium.results.texts import change, counted, level, listed, p_text, points
from tertium.significance.across import (
    Across,
    Datasets,
    Effects,
    Friedman,
    Replicability,
    SystemPair,
)

MOST_NAMED = 8  # data sets with an effect
ARROW = "→"


def rank_blocks(
    metric: str,
    data: Datasets,
    effects: Effects,
    part: Part,
    *,
    titles: tuple[str, str],
    sets: str,
    above: str = "",
    note: str = "",
) -> Iterator[Block]:
    """The critical-difference diagram of three systems or more, with a `note`, and a table of
    pairs; `titles` are theirs. Data sets are called `sets` in words and `above` in the table. What
    so few of them cannot show is left out."""
    ranks, pairs = (f"{metric}: {title}" for title in titles)
    if data.friedman is not None and data.can_rank:
        yield Ranks(
            tuple(data.mean_ranks),
            tuple(data.mean_ranks.values()),
            critical=data.critical_difference,
            groups=data.groups,
            title=ranks,
            note=note,
        )
    yield _pairs_table(data, effects, part, title=pairs, sets=sets, above=above or sets)


def best_text(data: Datasets, part: Part) -> str:
    """Which system is best over data sets, in a sentence."""
    sets = counted(len(data.names), "data set")
    (first, rank), (second, next_rank) = [*data.mean_ranks.items()][:2]
    best = [name for name, mean in data.mean_ranks.items() if abs(mean - rank) <= TIE]
    if len(best) > 1:
        return f"{listed(best)} have the same mean rank over {sets}"
    pair = next(each for each in data.pairs if {each.a, each.b} == {first, second})
    if data.friedman is None:
        wins, sign = (pair.wins, -1) if pair.a == first else (pair.losses, 1)
        gap = change(sign * pair.difference, part.kind)
        text = f"{first} is better than {second} on {wins} of {sets}, {gap}{points(part.kind)} on "
        text += "average"
        tested = "" if pair.wilcoxon.p is None else f"{p_text(pair.wilcoxon.p)} (Wilcoxon)"
    else:
        text = f"{first} ranks first over {sets} (mean rank {rank:.2f}), before {second} "
        text += f"({next_rank:.2f})"
        p = data.friedman.p
        tested = "" if p is None else f"{p_text(p)} (Friedman)"
    return f"{text}, {tested}" if tested and data.can_differ else text


def friedman_text(test: Friedman) -> str:
    """Friedman's test in words, and the form of Iman and Davenport where there is one."""
    if test.p is None or test.chi_square is None:
        return f"Friedman's test is undefined: {test.reason}"
    told = f"Friedman: chi-square({test.degrees[0]}) = {test.chi_square:.2f}, {p_text(test.p)}"
    if test.f is not None and test.f_p is not None:
        told += f"; F({test.degrees[0]}, {test.degrees[1]}) = {test.f:.2f}, {p_text(test.f_p)}"
    return told


def _pairs_table(
    data: Datasets, effects: Effects, part: Part, *, title: str, sets: str, above: str
) -> Table:
    """Every two systems over all data sets. Changes of the `part` are from the first to the
    second."""
    several = data.friedman is not None
    columns = [
        Column("from"),
        Column("to"),
        Column("change", "", kind_of(part.kind, "delta")),
        *(Column(name, above, "count") for name in ("up", "down", "equal")),
    ]
    if data.can_differ:
        second = Column("Holm", "Wilcoxon", "p") if several else Column("p", "sign test", "p")
        columns += [Column("p", "Wilcoxon", "p"), second]
    note = f"change: mean over {sets}; up, down: {sets} on which the second is better, worse"
    if effects:
        columns.append(Column("effect on"))
        note += (
            f"; effect on: the systems differ on at least so many {sets} at {level(data.alpha)} "
            f"(partial conjunction); those named below are significant by Holm over the {sets} of "
            "the pair"
        )
    counts = {(a, b): _count(effect) for a, b, effect in effects}
    rows: list[tuple[Cell, ...]] = []
    for pair in data.pairs:
        effect = [counts[pair.a, pair.b]] if (pair.a, pair.b) in counts else []
        rows.append((*_pair(pair, is_tested=data.can_differ), *effect))
    named = "".join(_which(a, b, effect.datasets) for a, b, effect in effects)
    return Table(
        tuple(columns),
        tuple(rows),
        title=title,
        keys=2,
        contests=tuple(pair.a for pair in data.pairs),
        note=note + named,
    )


def _pair(pair: SystemPair, *, is_tested: bool) -> tuple[Cell, ...]:
    """Of two systems alone the sign test, of more Wilcoxon's corrected p."""
    test = pair.sign or pair.wilcoxon
    tested = [(pair.wilcoxon, pair.wilcoxon.p), (test, pair.sign.p if pair.sign else pair.adjusted)]
    ps = [or_missing(p, each.reason) for each, p in tested if is_tested]
    return pair.a, pair.b, pair.difference, pair.losses, pair.wins, pair.ties, *ps


def _count(effect: Replicability) -> Cell:
    if effect.count is None:
        return Missing(effect.reason or "undefined")
    return f"{effect.count} of {effect.used}"


def _which(a: str, b: str, names: Sequence[str]) -> str:
    """Where two systems differ, after Holm's correction."""
    return f"; {a} {ARROW} {b}: {listed([*names], MOST_NAMED)}" if names else ""


def across_blocks(assessment: Assessment, metrics: Sequence[str], by: str) -> list[Block]:
    """For some metrics mean ranks with the critical difference, and a table of pairs."""
    blocks: list[Block] = []
    for metric in metrics:
        across: Across | None = assessment.across.get(metric)
        if across is None:
            continue
        data = across.datasets
        groups = f"{counted(len(data.names), 'group')} of {by}"
        tested = "" if data.friedman is None else friedman_text(data.friedman)
        blocks += rank_blocks(
            assessment.name(metric),
            data,
            across.replicability,
            assessment.part(metric),
            titles=(f"mean ranks over {groups}", f"across {groups}"),
            sets="groups",
            above=by,
            note=f"{tested}; critical difference: Nemenyi at {level(data.alpha)}",
        )
    return blocks


def across_notes(assessment: Assessment) -> list[str]:
    """What is to be said about so few data sets, and those that were left out."""
    notes: list[str] = []
    for metric, across in assessment.across.items():
        found: Datasets = across.datasets
        notes += [f"groups as data sets: {each}" for each in found.warnings]
        if found.left_out:
            names = ", ".join(found.left_out)
            name = assessment.name(metric)
            notes.append(f"{name}: undefined for a system, and left out of ranks: {names}")
    return list(dict.fromkeys(notes))
