"""The section of `diff`: how much two annotations differ, in what, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.comparison.disagreement import NOTHING as NO_ITEMS
from tertium.comparison.disagreement import Difference, GroupCounts, LayerDifference
from tertium.comparison.errors.instances import Instance
from tertium.comparison.errors.tables import item_cells, marked
from tertium.comparison.pairs import share
from tertium.families.family import family
from tertium.results.blocks import NOTHING, Block, Cell, Column, Missing, Table, Text
from tertium.results.texts import counted, sizes_text
from tertium.significance.score.coverage import coverage_text

EMPTY = Missing(NO_ITEMS)
SPREAD = Missing("a sentence has words of several groups")


def build(
    found: Difference,
    *,
    limit: int | None = None,
    examples: Sequence[Instance] = (),
    is_text: bool = False,
) -> list[Block]:
    """A table of all layers, tables of kinds, changes and labels, and what a reader must know.

    `limit` cuts long tables; at a terminal (`is_text`) they say how to see the rest. `examples` are
    a table, for formats that do not draw them.
    """
    blocks: list[Block] = [_overview(found)] if found.layers else []
    for layer in found.layers:
        blocks += _layer(layer, limit, is_text)
    if examples:
        blocks.append(_instances(examples))
    blocks.append(Text(_size(found)))
    lines = {layer.metric: coverage_text(layer.coverage) for layer in found.layers}
    alike = len(set(lines.values())) == 1
    told = dict.fromkeys(text if alike else f"{metric}: {text}" for metric, text in lines.items())
    blocks += [Text(line, role="coverage") for line in told]
    blocks += [Text(note) for note in found.notes]
    blocks += [Text(str(layer.signature), role="signature") for layer in found.layers]
    return blocks


def _size(found: Difference) -> str:
    sizes = {layer.unit: layer.sentences for layer in found.layers}
    return sizes_text(sizes, found.units, found.tokens)


def _overview(found: Difference) -> Table:
    """One row a metric, or with `--by` one row a group of it."""
    grouped = any(layer.groups for layer in found.layers)
    columns = [Column("metric"), *([Column(found.by or "group")] if grouped else [])]
    columns += [Column(name, kind="count") for name in ("items", "different")]
    columns += [Column(name, kind="percent") for name in ("diff", "agreement")]
    kinds = list(dict.fromkeys(layer.unit for layer in found.layers))
    whole_units = f"{kinds[0]}s" if len(kinds) == 1 else "units"
    columns += [Column(name, whole_units, "count") for name in ("same", "all")]
    rows: list[tuple[Cell, ...]] = []
    for layer in found.layers:
        key: list[Cell] = [layer.metric]
        sentences = (layer.same_sentences, layer.sentences)
        whole: list[Cell] = ["all"] if grouped else []
        rows.append((*key, *whole, *_shares(layer.items, layer.different), *sentences))
        rows += [
            (*key, name, *_shares(group.items, group.different), *_sentences(group))
            for name, group in layer.groups.items()
        ]
    return Table(
        tuple(columns), tuple(rows), title=f"{found.a} (A) and {found.b} (B)", keys=1 + grouped
    )


def _shares(items: int, different: int) -> tuple[Cell, ...]:
    diff, agreement = share(different, items), share(items - different, items)
    return items, different, *(EMPTY if v is None else v for v in (diff, agreement))


def _sentences(group: GroupCounts) -> tuple[Cell, Cell]:
    if group.sentences is None or group.same_sentences is None:
        return SPREAD, SPREAD
    return group.same_sentences, group.sentences


def _layer(layer: LayerDifference, limit: int | None, is_text: bool) -> Iterator[Table]:
    if not layer.different:
        return
    kinds = [(kind, count, count / layer.items) for kind, count in layer.kinds.items()]
    if len(kinds) > 2:  # else the first table has said it
        yield Table(
            (Column("kind"), Column("items", kind="count"), Column("share", kind="percent")),
            tuple(kinds[:limit]),
            title=f"{layer.metric}: kinds",
            omitted=_rest(len(kinds), limit, is_text),
        )
    changes = layer.transitions
    yield Table(
        (
            Column("A"),
            Column("B"),
            Column("count", kind="count"),
            Column("share", kind="percent"),
        ),
        tuple(
            (_name(t.a), _name(t.b), t.count, t.count / layer.different) for t in changes[:limit]
        ),
        title=f"{layer.metric}: what A has, and B instead",
        keys=2,
        omitted=_rest(len(changes), limit, is_text),
        note=_same_label(layer) if any(t.a == t.b for t in changes[:limit]) else "",
    )
    labels = [row for row in layer.labels if not row.a == row.b == row.same]
    even = len(layer.labels) - len(labels)
    yield Table(
        (
            Column("label"),
            *(Column(name, kind="count") for name in ("A", "B", "same")),
        ),
        tuple((row.label, row.a, row.b, row.same) for row in labels[:limit]),
        title=f"{layer.metric}: labels",
        omitted=_rest(len(labels), limit, is_text),
        note=f"{counted(even, 'label')} without a difference left out" if even else "",
    )


def _same_label(layer: LayerDifference) -> str:
    """What a label beside itself means."""
    return f"same label: different {family(layer.layer).place}"


def _rest(count: int, limit: int | None, is_text: bool) -> str:
    if limit is None or count <= limit:
        return ""
    told = f"and {count - limit:,} more"
    return f"{told}; '--limit 0' shows all" if is_text else told


def _name(label: str | None) -> str:
    return NOTHING if label is None else label


def _instances(instances: Sequence[Instance]) -> Table:
    trees = any(
        item.head for e in instances for item in (e.gold_item, e.system_item) if item is not None
    )
    several = len({e.metric for e in instances}) > 1
    columns = [*([Column("metric")] if several else []), Column("kind"), Column("sentence")]
    for side in "AB":
        columns += [Column("label", side), Column("tokens", side)]
        columns += [Column("head", side)] if trees else []
    columns.append(Column("[A] and <B> in context"))
    rows: list[tuple[Cell, ...]] = []
    for each in instances:
        names: list[Cell] = [each.metric] if several else []
        sides = [
            cell
            for item in (each.gold_item, each.system_item)
            for cell in item_cells(item, trees=trees)
        ]
        words = None if each.context.numbers else marked(each.context)
        rows.append((*names, each.type, each.sentence, *sides, words))
    return Table(tuple(columns), tuple(rows), title="Differences", keys=1 + several)
