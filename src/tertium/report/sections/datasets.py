"""The section of `datasets`: who is better in general, and on how many data sets."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.report.blocks import Better, Block, Cell, Column, Missing, Ranks, Table, Text
from tertium.report.render.plain import counted, p_value
from tertium.significance.datasets import COMBINING, Datasets
from tertium.significance.outputs import AcrossDatasets, MetricAcross

UNDEFINED = Missing("undefined on this data set")


def build(found: AcrossDatasets) -> list[Block]:
    """For each metric the values, the diagram of ranks, tests of pairs, and effects."""
    blocks: list[Block] = []
    for each in found.metrics:
        blocks.append(_values(found, each))
        if each.found is not None:
            blocks.append(_ranks(each, each.found))
            blocks.append(_pairs(each, each.found))
        if each.effects:
            blocks.append(_effects(found, each))
    blocks += [Text(line) for line in _told(found)]
    blocks.append(
        Text(f"{counted(len(found.names), 'data set')} · {', '.join(found.names)}", role="gold")
    )
    blocks += [Text(note) for note in found.notes]
    return blocks


def _told(found: AcrossDatasets) -> Iterator[str]:
    """What is to be said of the metrics: once, where it holds for all."""
    of_line: dict[str, list[str]] = {}
    for each in found.metrics:
        for line in _lines(each):
            of_line.setdefault(line, []).append(each.metric)
    for line, metrics in of_line.items():
        holds_for_all = len(metrics) == len(found.metrics)
        yield line if holds_for_all else f"{', '.join(metrics)}: {line}"


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
    return Table(tuple(columns), tuple(rows), title=each.metric)


def _ranks(each: MetricAcross, data: Datasets) -> Ranks:
    return Ranks(
        tuple(data.mean_ranks),
        tuple(data.mean_ranks.values()),
        critical=data.critical_difference,
        groups=data.groups,
        title=f"{each.metric}: mean ranks over {counted(len(data.names), 'data set')}",
    )


def _pairs(each: MetricAcross, data: Datasets) -> Table:
    several = data.friedman is not None
    columns = [
        Column("A"),
        Column("B"),
        Column("A - B", "", "delta"),
        *(Column(name, "A", "count") for name in ("wins", "losses", "ties")),
        Column("p", "Wilcoxon", "p"),
        Column("Holm" if several else "", "Wilcoxon", "p"),
    ]
    columns = columns if several else columns[:-1]
    columns.append(Column("ranks differ", "", "text") if several else Column("p", "sign test", "p"))
    rows: list[tuple[Cell, ...]] = []
    for pair in data.pairs:
        why = Missing(pair.wilcoxon.reason or "undefined")
        cells: list[Cell] = [pair.a, pair.b, pair.difference, pair.wins, pair.losses, pair.ties]
        cells.append(why if pair.wilcoxon.p is None else pair.wilcoxon.p)
        if several:
            cells.append(why if pair.adjusted is None else pair.adjusted)
            cells.append("yes" if pair.ranks_differ else "no")
        else:
            sign = pair.sign
            p = None if sign is None else sign.p
            cells.append(Missing((sign and sign.reason) or "undefined") if p is None else p)
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), title=f"{each.metric}: pairs over data sets", keys=2)


def _effects(found: AcrossDatasets, each: MetricAcross) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for a, b, effect in each.effects:
        count = Missing(effect.reason or "undefined") if effect.count is None else effect.count
        rows.append((a, b, count, effect.used, ", ".join(effect.datasets)))
    columns = (
        Column("A"),
        Column("B"),
        Column("at least", "data sets with an effect", "count"),
        Column("of", "data sets with an effect", "count"),
        Column("which", "data sets with an effect"),
    )
    return Table(columns, tuple(rows), title=f"{each.metric}: on how many data sets", keys=2)


def _lines(each: MetricAcross) -> Iterator[str]:
    """Tests and warnings in words."""
    data = each.found
    if data is None:
        yield each.reason
        return
    friedman = data.friedman
    if friedman is not None:
        yield _friedman(
            friedman.chi_square,
            friedman.p,
            friedman.f,
            friedman.f_p,
            friedman.degrees,
            friedman.reason,
        )
        yield (
            f"ranks differ: by the critical difference of Nemenyi at {data.alpha:g} or more "
            "(Demsar 2006)"
        )
    if each.effects:
        method = COMBINING[each.effects[0][2].method]
        yield (
            f"data sets with an effect: with confidence {1 - data.alpha:.3g}, combined by {method} "
            "(Dror et al. 2017); which: by Holm"
        )
    if data.left_out:
        yield f"left out, since a system has no value there: {', '.join(data.left_out)}"
    yield from data.warnings


def _friedman(
    chi_square: float | None,
    p: float | None,
    f: float | None,
    f_p: float | None,
    degrees: tuple[int, int],
    reason: str | None,
) -> str:
    parts = []
    if chi_square is not None and p is not None:
        parts.append(f"chi-square({degrees[0]}) = {chi_square:.4g}, p {_p(p)}")
    if f is not None and f_p is not None:
        parts.append(f"F({degrees[0]}, {degrees[1]}) = {f:.4g}, p {_p(f_p)} (Iman and Davenport)")
    if reason:
        parts.append(reason)
    return f"Friedman's test: {'; '.join(parts)}"


def _p(value: float) -> str:
    text = p_value(value)
    return text if text[0] in "<>" else f"= {text}"
