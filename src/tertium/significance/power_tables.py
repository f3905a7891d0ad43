"""Tables and curves of `power`: what the test set can show, and how large it would have to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tertium.families.family import main_metric
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Lines,
    Series,
    Table,
    Text,
    kind_of,
    or_missing,
    own_kind,
)
from tertium.results.signatures import signature_texts
from tertium.results.texts import counted, number, points, sizes_text
from tertium.significance.power import MetricPower, Power
from tertium.significance.simulation import MORE_THAN, SetSize

PICTURES = ("text", "html", "svg")
NONE_NAMED = (
    "the power for the observed difference says no more than its p-value (Hoenig and Heisey 2001): "
    "ask about a difference that would matter"
)


def build(found: Power, format: str = "text") -> list[Block]:
    """A table of all metrics, what it says in words, and power over sizes and differences."""
    blocks: list[Block] = [_overview(found)]
    told = [each for each in found.metrics if each.by_units]
    if told:
        kinds = list(dict.fromkeys(each.unit for each in told))
        of_kind = [[each for each in told if each.unit == kind] for kind in kinds]
        blocks += [_sizes(found, some) for some in of_kind]
        for some in of_kind:
            asked = [each for each in some if each.power is not None]
            if format in PICTURES and asked:  # elsewhere it would be the same table again
                blocks.append(_by_units(found, asked))
        blocks += [_by_difference(found, each) for each in told if each.by_difference]
    if format == "svg" and not any(isinstance(block, Lines) for block in blocks):
        # It has no tables that could say why.
        blocks += [Text(f"{each.metric}: {each.reasons['power']}") for each in found.metrics]
    first = found.in_short()  # which is shown above
    blocks += [Text(t) for each in found.metrics if (t := in_words(found, each)) != first]
    if not found.asked and any(each.power is not None for each in found.metrics):
        how = " with '--difference'" if format == "text" else ""
        blocks.append(Text(f"{NONE_NAMED}{how}"))
    blocks.append(
        Text(
            "paired approximate randomisation, two-sided, significant at "
            f"{found.alpha:g} · {found.trials:,} simulated test sets of each size, seed "
            f"{found.seed}",
            role="tests",
        )
    )
    blocks += [
        Text(f"{each.metric}: {counted(each.undefined, 'simulated test set')} without a value")
        for each in found.metrics
        if each.undefined
    ]
    sizes = {each.unit: each.test.units for each in found.metrics}
    told_sizes = sizes_text(sizes, found.units, found.tokens)
    blocks.append(Text(f"{found.gold} · {told_sizes}", role="gold"))
    blocks += [Text(note) for note in found.notes]
    blocks += signature_texts(
        (system, each.metric, signature)
        for each in found.metrics
        for system, signature in each.signatures.items()
    )
    return blocks


def _overview(found: Power) -> Table:
    sure = _percent(found.target)
    has_words = found.tokens is not None
    kinds = list(dict.fromkeys(each.unit for each in found.metrics))
    alone = len(kinds) == 1
    first = found.metrics[0]
    observed = Column("B - A", "observed", kind_of(first.kind, "delta"))
    asked = Column("difference", "asked about", kind_of(first.kind))
    least = Column("difference", f"found with {sure}", kind_of(first.kind))
    columns = [
        Column("metric"),
        observed,
        Column("p", "observed", "p"),
        asked,
        Column("power", "asked about", "percent"),
        Column(f"{kinds[0]}s" if alone else "size", f"needed for {sure}", "count"),
        *([Column("words", f"needed for {sure}", "count")] if has_words else []),
        least,
    ]
    rows: list[tuple[Cell, ...]] = []
    for each in found.metrics:
        test = each.test
        needed: list[Cell] = [or_missing(None, each.reasons.get("needed"))] * (1 + has_words)
        if each.needed is not None:
            needed = _needed(each.needed, has_words, "" if alone else each.unit)
        rows.append(
            (
                each.metric,
                own_kind(or_missing(test.delta, test.reason), each.kind, observed),
                or_missing(test.p, test.reason),
                own_kind(_told(each, "difference"), each.kind, asked),
                _told(each, "power"),
                *needed,
                own_kind(_told(each, "detectable"), each.kind, least),
            )
        )
    return Table(tuple(columns), tuple(rows), title=f"{found.a} (A) and {found.b} (B)")


def _told(each: MetricPower, name: str) -> Cell:
    return or_missing(getattr(each, name), each.reasons.get(name))


def _needed(needed: SetSize, has_words: bool, unit: str = "") -> list[Cell]:
    """Sizes; in a column of different `unit`s, each with its own."""
    sizes: list[Cell] = [needed.units, *([needed.words] if has_words else [])]
    if needed.bound:
        sign = "> " if needed.bound == MORE_THAN else "≤ "
        sizes = [size if size is None else f"{sign}{size:,}" for size in sizes]
    if unit:
        noun = unit if needed.units == 1 else f"{unit}s"
        sizes[0] = f"{sizes[0] if needed.bound else f'{needed.units:,}'} {noun}"
    return sizes


def _sizes(found: Power, told: list[MetricPower]) -> Table:
    """A row a size, for metrics with the same kind of unit."""
    has_words = found.tokens is not None
    noun = told[0].unit
    columns = [Column(f"{noun}s", "", "count")]
    columns += [Column("words", "", "count")] if has_words else []
    for each in told:
        asked = each.difference
        header = "power" if asked is None else f"power for {number(asked, each.kind)}"
        columns.append(Column(header, each.metric, "percent"))
        columns.append(Column("found", each.metric, kind_of(each.kind)))
    units = sorted({at.units for each in told for at in each.by_units})
    by_size = [{at.units: at for at in each.by_units} for each in told]
    rows: list[tuple[Cell, ...]] = []
    for size in units:
        cells: list[Cell] = [size]
        if has_words:
            cells.append(next(each[size].words for each in by_size if size in each))
        for each, sizes in zip(told, by_size, strict=True):
            at = sizes.get(size)
            few = f"too few {noun}s to detect any difference so often"
            cells.append(or_missing(at and at.power, each.reasons.get("power")))
            cells.append(or_missing(at and at.detectable, few))
        rows.append(tuple(cells))
    return Table(
        tuple(columns),
        tuple(rows),
        title="By size of the test set",
        note=f"found: the smallest difference with a power of {_percent(found.target)}",
    )


def _by_units(found: Power, asked: list[MetricPower]) -> Lines:
    series = [
        Series(
            f"{each.metric}, {number(each.difference or 0, each.kind)}",
            tuple(float(size.units) for size in each.by_units),
            tuple(size.power for size in each.by_units),
        )
        for each in asked
    ]
    return _curves(
        found,
        series,
        title="Power by size of the test set",
        x_axis=f"{asked[0].unit}s",
        x_kind="count",
        log_x=True,
        marks=((float(asked[0].test.units), "given"),),
    )


def _by_difference(found: Power, each: MetricPower) -> Lines:
    observed = each.observed or 0.0
    size = counted(each.test.units, each.unit)
    differences, powers = zip(*each.by_difference, strict=True)
    return _curves(
        found,
        [Series(each.metric, differences, powers)],
        title=f"{each.metric}: power by difference, {size}",
        x_axis="difference",
        x_kind="percent" if each.kind == "share" else "value",
        marks=((abs(observed), "observed"),) if observed else (),
    )


def _curves(found: Power, series: Sequence[Series], **shown: Any) -> Lines:
    return Lines(
        tuple(series),
        y_axis="power",
        y_kind="percent",
        y_range=(0.0, 1.0),
        thresholds=((found.target, _percent(found.target)),),
        numbers=False,
        **shown,
    )


def summary_of(found: Power) -> str:
    """What the test set can show by the main metric."""
    return in_words(found, found[main_metric([each.metric for each in found.metrics])])


def in_words(found: Power, each: MetricPower) -> str:
    """The row of a metric as a sentence."""
    if each.power is None or each.difference is None or each.needed is None:
        return f"{each.metric}: {each.reasons.get('power', 'the power is undefined')}"
    sure, noun = _percent(found.target), points(each.kind)
    asked = f"{number(each.difference, each.kind)}{noun}"
    which = "a" if found.asked else "the observed"
    text = f"{each.metric}: {which} difference of {asked} would be significant in "
    text += f"{_percent(each.power)} of test sets of this size"
    size = counted(each.needed.units, each.unit)
    if each.needed.words is not None:
        size += f" ({counted(each.needed.words, 'word')})"
    size = f"{each.needed.bound} {size}".strip()
    text += f"; {sure} power takes {size}"
    if each.detectable is not None:
        text += f" or a difference of {number(each.detectable, each.kind)}{noun}"
    return text


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"
