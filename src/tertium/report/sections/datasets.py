"""The section of `datasets`: who is better in general, and on how many data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tertium.corpus.wording import p_text
from tertium.report.blocks import Better, Block, Cell, Column, Missing, Ranks, Table, Text
from tertium.report.render.plain import counted
from tertium.significance.datasets import COMBINING, Datasets, Friedman, Replicability, SystemPair
from tertium.significance.outputs import AcrossDatasets, MetricAcross
from tertium.significance.ranks import RankTest

Asked = Callable[[MetricAcross], Iterator[str]]
UNDEFINED = Missing("undefined on this data set")


def build(found: AcrossDatasets) -> list[Block]:
    """For each metric the values, the diagram of ranks, and pairs of systems."""
    blocks: list[Block] = []
    for each in found.metrics:
        blocks.append(_values(found, each))
        if each.found is not None:
            if each.found.friedman is not None:
                blocks.append(_ranks(each, each.found))
            blocks.append(_pairs(each, each.found))
    blocks += [Text(line, role="tests") for line in _told(found, _tests)]
    blocks += [Text(line) for line in _told(found, _warnings)]
    blocks.append(
        Text(f"{counted(len(found.names), 'data set')} · {', '.join(found.names)}", role="gold")
    )
    blocks += [Text(note) for note in found.notes]
    return blocks


def _values(found: AcrossDatasets, each: MetricAcross) -> Table:
    """One row a data set, one column a system: systems compete within a row."""
    better: Better = "lower" if each.better == "lower" else "higher"
    columns = [Column("data set"), Column("units", "", "count")]
    columns += [
        Column(system, each.metric, "percent", better, contest=each.metric)
        for system in found.systems
    ]
    rows: list[tuple[Cell, ...]] = []
    for place, (name, units) in enumerate(zip(found.names, found.units, strict=True)):
        cells = [each.values[system][place] for system in found.systems]
        rows.append((name, units, *(UNDEFINED if cell is None else cell for cell in cells)))
    return Table(tuple(columns), tuple(rows))


def _ranks(each: MetricAcross, data: Datasets) -> Ranks:
    return Ranks(
        tuple(data.mean_ranks),
        tuple(data.mean_ranks.values()),
        critical=data.critical_difference,
        groups=data.groups,
        title=f"{each.metric}: mean ranks over {counted(len(data.names), 'data set')}",
    )


def _pairs(each: MetricAcross, data: Datasets) -> Table:
    """Every two systems over all data sets. Changes are from the first to the second."""
    several = data.friedman is not None
    effects = {(a, b): effect for a, b, effect in each.effects}
    columns = [
        Column("from"),
        Column("to"),
        Column("change", "", "delta"),
        *(Column(name, "data sets", "count") for name in ("up", "down", "equal")),
        Column("p", "Wilcoxon", "p"),
        Column("Holm", "Wilcoxon", "p") if several else Column("p", "sign test", "p"),
    ]
    if effects:
        columns += [Column("data sets", "effect in"), Column("which", "effect in")]
    rows = [
        (*_pair(pair, several), *(_effect(effects[pair.a, pair.b]) if effects else ()))
        for pair in data.pairs
    ]
    note = "change: mean over data sets; up, down: those on which the second is better, worse"
    return Table(
        tuple(columns),
        tuple(rows),
        title=f"{each.metric}: over {counted(len(data.names), 'data set')}",
        keys=2,
        contests=tuple(pair.a for pair in data.pairs),
        note=note,
    )


def _pair(pair: SystemPair, several: bool) -> tuple[Cell, ...]:
    counts = pair.losses, pair.wins, pair.ties
    tested = _p(pair.wilcoxon, pair.wilcoxon.p)
    if several:
        further = _p(pair.wilcoxon, pair.adjusted)
    else:
        further = None if pair.sign is None else _p(pair.sign, pair.sign.p)
    return pair.a, pair.b, -pair.difference, *counts, tested, further


def _p(test: RankTest, p: float | None) -> Cell:
    return Missing(test.reason or "undefined") if p is None else p


def _effect(effect: Replicability) -> tuple[Cell, Cell]:
    if effect.count is None:
        return Missing(effect.reason or "undefined"), None
    return f"{effect.count} of {effect.used}", ", ".join(effect.datasets) or None


def _told(found: AcrossDatasets, ask: Asked) -> Iterator[str]:
    """What is to be said of the metrics: once, where it holds for all."""
    of_line: dict[str, list[str]] = {}
    for each in found.metrics:
        for line in ask(each):
            of_line.setdefault(line, []).append(each.metric)
    for line, metrics in of_line.items():
        holds_for_all = len(metrics) == len(found.metrics)
        yield line if holds_for_all else f"{', '.join(metrics)}: {line}"


def _tests(each: MetricAcross) -> Iterator[str]:
    """Which tests, in words."""
    data = each.found
    if data is not None and data.friedman is not None:
        yield f"{_friedman(data.friedman)}; critical difference of Nemenyi at {data.alpha:g}"
        yield "pairs: Wilcoxon's signed-rank test over data sets, Holm over all pairs"
    elif data is not None:
        yield "Wilcoxon's signed-rank test and the sign test over data sets"
    if each.effects:
        effect = each.effects[0][2]
        yield (
            f"effect in: on at least so many data sets at {effect.alpha:g}, by partial conjunction "
            f"with {COMBINING[effect.method]}, and on which, by Holm"
        )


def _friedman(test: Friedman) -> str:
    """Friedman's test, and the form of Iman and Davenport where there is one."""
    if test.p is None or test.chi_square is None:
        return f"Friedman's test is undefined: {test.reason}"
    told = f"Friedman: chi-square({test.degrees[0]}) = {test.chi_square:.2f}, {p_text(test.p)}"
    if test.f is not None and test.f_p is not None:
        told += f"; F({test.degrees[0]}, {test.degrees[1]}) = {test.f:.2f}, {p_text(test.f_p)}"
    return told


def _warnings(each: MetricAcross) -> Iterator[str]:
    if each.found is None:
        yield each.reason
        return
    if each.found.left_out:
        yield f"left out, since a system has no value there: {', '.join(each.found.left_out)}"
    yield from each.found.warnings
