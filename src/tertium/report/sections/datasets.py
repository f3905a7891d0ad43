"""The section of `datasets`: who is better in general, and on how many data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tertium.results.blocks import Block, Cell, Column, Missing, Table, Text, better_of, kind_of
from tertium.results.texts import counted
from tertium.significance.across import COMBINING
from tertium.significance.datasets import AcrossDatasets, MetricAcross
from tertium.significance.rank_tables import friedman_text, pairs_table, ranks_figure

Asked = Callable[[MetricAcross], Iterator[str]]
UNDEFINED = Missing("undefined on this data set")


def build(found: AcrossDatasets) -> list[Block]:
    """For each metric the values, the diagram of ranks, and pairs of systems."""
    blocks: list[Block] = []
    for each in found.metrics:
        blocks.append(_values(found, each))
        if each.found is not None:
            sets = counted(len(each.found.names), "data set")
            if each.found.friedman is not None:
                blocks.append(ranks_figure(each.found, f"{each.metric}: mean ranks over {sets}"))
            blocks.append(
                pairs_table(
                    each.found,
                    {(a, b): effect for a, b, effect in each.effects},
                    each.part,
                    title=f"{each.metric}: over {sets}",
                    sets="data sets",
                    above="data sets",
                )
            )
    blocks += [Text(line, role="tests") for line in _told(found, _tests)]
    blocks += [Text(line) for line in _told(found, _warnings)]
    blocks.append(
        Text(f"{counted(len(found.names), 'data set')} · {', '.join(found.names)}", role="gold")
    )
    blocks += [Text(note) for note in found.notes]
    return blocks


def _values(found: AcrossDatasets, each: MetricAcross) -> Table:
    """One row a data set, one column a system: systems compete within a row."""
    kind, better = kind_of(each.part.kind), better_of(each.part.better)
    columns = [Column("data set"), Column("units", "", "count")]
    columns += [
        Column(system, each.metric, kind, better, contest=each.metric) for system in found.systems
    ]
    rows: list[tuple[Cell, ...]] = []
    for place, (name, units) in enumerate(zip(found.names, found.units, strict=True)):
        cells = [each.values[system][place] for system in found.systems]
        rows.append((name, units, *(UNDEFINED if cell is None else cell for cell in cells)))
    return Table(tuple(columns), tuple(rows))


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
        yield f"{friedman_text(data.friedman)}; critical difference of Nemenyi at {data.alpha:g}"
        yield "pairs: Wilcoxon's signed-rank test over data sets, Holm over all pairs"
    elif data is not None:
        yield "Wilcoxon's signed-rank test and the sign test over data sets"
    if each.effects:
        effect = each.effects[0][2]
        yield (
            f"effect in: on at least so many data sets at {effect.alpha:g}, by partial conjunction "
            f"with {COMBINING[effect.method]}, and on which, by Holm"
        )


def _warnings(each: MetricAcross) -> Iterator[str]:
    if each.found is None:
        yield each.reason
        return
    if each.found.left_out:
        yield f"left out, since a system has no value there: {', '.join(each.found.left_out)}"
    yield from each.found.warnings
