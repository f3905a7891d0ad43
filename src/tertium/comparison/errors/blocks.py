"""Errors as blocks: each with its words, those of a sentence around its arcs, or all in a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tertium.comparison.errors.instances import SIDES, Instance, Item
from tertium.results.blocks import Cell, Column, Excerpt, Picture, Table, Underline
from tertium.results.texts import counted


def example_blocks(
    instances: Iterable[Instance],
    *,
    sides: tuple[str, str] = SIDES,
    names: tuple[str, str] | None = None,
    several: bool = False,
) -> Iterator[Excerpt | Picture]:
    """For text: errors one by one, those of arcs once for each sentence of each system.

    - `sides`: what the two sides are called; `names`: what stands above their arcs, by default
      "gold" and the system's name
    - `several` puts the system's name into each error without arcs
    """
    for _, group in groupby(instances, lambda e: (e.scene is None, e.system, e.file, e.unit)):
        found = iter(group)
        first = next(found)
        if first.scene is None:
            yield _excerpt(first, sides, several)
            yield from (_excerpt(each, sides, several) for each in found)
        else:
            yield _picture([first, *found], sides, names or ("gold", first.system))


def pictures(instances: Iterable[Instance]) -> Iterator[Picture]:
    """For HTML: the same of errors in arcs."""
    drawn = (each for each in instances if each.scene is not None)
    return (each for each in example_blocks(drawn) if isinstance(each, Picture))


def _picture(errors: Sequence[Instance], sides: tuple[str, str], names: tuple[str, str]) -> Picture:
    first = errors[0]
    scene = first.scene
    assert scene is not None
    assert scene.figure is not None
    columns = (Column("type"), *map(Column, SIDES), Column("file"))
    rows = [
        (e.type, *("" if item is None else item.described for item in e.items), _where(e))
        for e in errors
    ]
    numbers = {error.gold_item.first for error in errors if error.gold_item}
    where = f"{first.file}:{scene.line}" if scene.line else first.file
    return Picture(
        scene.figure,
        Table(columns, tuple(rows)),
        names=names,
        title=f"Sentence '{first.sentence}', {first.system}",
        summary=counted(len(errors), "error"),
        is_open=True,
        sentence=first.sentence,
        where=f"{where}, sentence '{first.sentence}'",
        lines=tuple(_heading(error, sides) for error in errors),
        keep=tuple(n for n, word in enumerate(scene.tokens[0]) if word and word.number in numbers),
    )


def _excerpt(instance: Instance, sides: tuple[str, str], several: bool) -> Excerpt:
    context = instance.context
    places = ((context.gold, context.gold_head), (context.system, context.system_head))
    marks = [
        Underline(side, there, item.label, head, item.head is not None)
        for side, item, (there, head) in zip(sides, instance.items, places, strict=True)
        if item is not None and (there or item.sentence == instance.sentence)
    ]
    before, after = context.left_out
    heading = _heading(instance, sides, several=several)
    cut = (before > 0, after > 0)
    return Excerpt(heading, context.text, tuple(marks), cut, context.numbers)


def _heading(
    instance: Instance, sides: tuple[str, str], *, several: bool = False
) -> tuple[str, ...]:
    """Type, both sides, and where to find it: in the gold file, or in the system's if only that
    has something. Below arcs, system, file and sentence are known from what stands above."""
    items = zip(sides, instance.items, strict=True)
    told = [f"{side} {item.described}" for side, item in items if item is not None]
    found = instance.gold_item or instance.system_item
    where = _where(instance)
    if instance.scene is None:
        where += f", sentence '{found.sentence if found else instance.sentence}'"
    elif found and found.line and found.file == instance.file:
        where = f"line {found.line}"
    system = [instance.system] if several else []
    return instance.type, *system, *told, where


def _where(error: Instance) -> str:
    item = error.gold_item or error.system_item
    return error.file if item is None else f"{item.file}:{item.line}" if item.line else item.file


def instance_table(
    instances: Sequence[Instance],
    *,
    first: str = "",
    kind: str = "type",
    sides: tuple[str, str] = SIDES,
    title: str = "",
    omitted: str = "",
) -> Table:
    """A row for each error; `first` is what its first column holds besides, such as the system."""
    trees = any(item.head for e in instances for item in e.items if item)
    columns = [*([Column(first)] if first else []), Column(kind), Column("sentence")]
    for side in sides:
        columns += [Column("label", side), Column("tokens", side)]
        columns += [Column("head", side)] if trees else []
    columns.append(Column(f"[{sides[0]}] and <{sides[1]}> in context"))
    rows: list[tuple[Cell, ...]] = []
    for each in instances:
        names: list[Cell] = [getattr(each, first)] if first else []
        cells = [cell for item in each.items for cell in _item_cells(item, trees=trees)]
        words = None if each.context.numbers else each.context.marked()
        rows.append((*names, each.type, each.sentence, *cells, words))
    keys = 2 if first else 1
    return Table(tuple(columns), tuple(rows), title=title, keys=keys, omitted=omitted)


def _item_cells(item: Item | None, *, trees: bool) -> list[Cell]:
    """Label and place of an item, and its head where there are trees; nothing for None."""
    if item is None:
        return [None] * (3 if trees else 2)
    head = ""
    if item.head is not None:
        head = " ".join(filter(None, (str(item.head.number), item.head.form)))
    return [item.label, item.place, *([head] if trees else [])]
