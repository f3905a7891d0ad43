"""The section of `errors`: a table of instances, and what stands below any list of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tertium.comparison.errors.instances import Context, Instance, Item
from tertium.comparison.errors.verb import Errors
from tertium.results.blocks import Block, Cell, Column, Picture, Table, Text
from tertium.results.texts import counted
from tertium.significance.score.coverage import system_coverage

AROUND = 30  # characters on either side of a span in a table
CUT = "…"
MANY_TYPES, LONG_TYPE = 8, 15  # beyond these a table has a row for each type


def build(errors: Errors, *, figures: bool = False) -> list[Block]:
    """For every format but text: a table of instances, then the summary.

    With `figures` errors in arcs stand below a drawing of their sentence.
    """
    drawn = [e for e in errors if e.scene is not None] if figures else []
    if drawn:
        return [*_pictures(drawn), *summary(errors)]
    return [*([_table(errors)] if errors.instances else []), *summary(errors)]


def _pictures(errors: Sequence[Instance]) -> Iterator[Picture]:
    """A figure for each sentence of each system, with its errors."""
    columns = (Column("type"), Column("gold"), Column("system"), Column("file"))
    for _, group in groupby(errors, lambda e: (e.system, e.file, e.unit)):
        found = list(group)
        first = found[0]
        assert first.scene is not None
        assert first.scene.figure is not None
        rows = [(e.type, described(e.gold_item), described(e.system_item), _line(e)) for e in found]
        yield Picture(
            first.scene.figure,
            Table(columns, tuple(rows)),
            names=("gold", first.system),
            title=f"Sentence '{first.sentence}', {first.system}",
            summary=counted(len(found), "error"),
            is_open=True,
        )


def described(item: Item | None) -> str:
    """`ORG 4-6`, or of a word in a tree `obl(reopen-4, Monday-9)`, with what else the metric looks
    at in brackets; empty for nothing."""
    if item is None:
        return ""
    detail = f" [{item.detail}]" if item.detail else ""
    if item.head is None:
        return f"{item.label} {item.place}{detail}"
    head = "ROOT-0" if item.head.number == 0 else _dashed(item.head.form, item.head.number)
    head += "" if item.head.sentence is None else f" of '{item.head.sentence}'"
    return f"{item.label}({head}, {_dashed(item.text, item.first)}){detail}"


def _dashed(form: str | None, number: int | None) -> str:
    return f"{form}-{number}" if form is not None else str(number)


def _line(error: Instance) -> str:
    item = error.gold_item or error.system_item
    return error.file if item is None else f"{item.file}:{item.line}" if item.line else item.file


def _table(errors: Errors) -> Table:
    several = len(errors.systems) > 1
    trees = any(item.head for e in errors for item in (e.gold_item, e.system_item) if item)
    columns = [Column("system")] if several else []
    columns += [Column("type"), Column("sentence")]
    for side in ("gold", "system"):
        columns += [Column("label", side), Column("tokens", side)]
        columns += [Column("head", side)] if trees else []
    columns.append(Column("[gold] and <system> in context"))
    rows: list[tuple[Cell, ...]] = []
    for e in errors:
        names: list[Cell] = [e.system] if several else []
        sides = (*item_cells(e.gold_item, trees=trees), *item_cells(e.system_item, trees=trees))
        words = None if e.context.numbers else marked(e.context)
        rows.append((*names, e.type, e.sentence, *sides, words))
    left = errors.total - len(errors)
    return Table(
        tuple(columns),
        tuple(rows),
        keys=1 + several,
        omitted=f"{left:,} more {'are' if left > 1 else 'is'} not shown" if left else "",
    )


def item_cells(item: Item | None, *, trees: bool) -> list[Cell]:
    """Label and place of an item, and its head where there are trees; nothing for None."""
    if item is None:
        return [None] * (3 if trees else 2)
    head = ""
    if item.head is not None:
        head = " ".join(filter(None, (str(item.head.number), item.head.form)))
    return [item.label, item.place, *([head] if trees else [])]


def marked(context: Context) -> str:
    """The words near an error: `[` and `]` around what gold has, `<` and `>` around the system's.

    >>> marked(Context("The new Acme Labs Oslo office", gold=((8, 22),), system=((8, 17),)))
    'The new [<Acme Labs> Oslo] office'
    """
    signs = [
        sign
        for ranges, (left, right) in ((context.gold, "[]"), (context.system, "<>"))
        for start, end in ranges
        for sign in ((start, end, left), (end, start, right))
    ]
    if not signs:
        return ""
    # What begins first ends last, as far as it can be; closing signs come before opening ones.
    signs.sort(key=lambda s: (s[0], s[2] in "[<", -s[1], s[2] in "]<"))
    text = context.text
    start = _edge(text, signs[0][0] - AROUND, 1)
    end = _edge(text, signs[-1][0] + AROUND, -1)
    parts = [f"{CUT} " if start or context.left_out[0] else ""]
    done = start
    for at, _, sign in signs:
        parts += [text[done:at], sign]
        done = at
    parts += [text[done:end], f" {CUT}" if end < len(text) or context.left_out[1] else ""]
    return "".join(parts)


def _edge(text: str, at: int, step: int) -> int:
    """The nearest border of a word at or, by `step`, towards the marks; not far for long words."""
    if not 0 < at < len(text):
        return min(max(at, 0), len(text))
    for place in range(at, at + step * AROUND, step):
        if text[place - 1 if step > 0 else place].isspace():
            return place
    return at


def summary(errors: Errors) -> list[Block]:
    """How many errors there are of each type, how many are shown, and what decided it."""
    blocks: list[Block] = []
    if errors.total:
        blocks.append(_counts(errors))
    elif errors.has_items:
        blocks.append(Text(_nothing(errors)))
    blocks.append(Text(errors.gold, role="gold"))
    blocks += [Text(line, role="coverage") for line in system_coverage(errors.coverage)]
    others = sum(sum(each.values()) for each in errors.unfiltered.values()) - errors.total
    if others and errors.total:
        blocks.append(Text(f"{counted(others, 'other error')} not of that kind"))
    if errors.seed is not None:
        blocks.append(Text(f"drawn at random with seed {errors.seed}"))
    blocks += [Text(note) for note in errors.notes]
    signatures = dict.fromkeys(str(signature) for signature in errors.signatures.values())
    blocks += [Text(signature, role="signature") for signature in signatures]
    return blocks


def _counts(errors: Errors) -> Table:
    """One row a system, one column a type; how many are shown, if not all. Where there are many
    types, the other way round."""
    types = list(dict.fromkeys(t for each in errors.counts.values() for t in each))
    partly = errors.total != sum(errors.shown.values())
    if len(types) > MANY_TYPES or any(len(t) > LONG_TYPE for t in types):
        return _long_counts(errors, types, partly)
    columns = [Column("system"), *(Column(t, kind="count") for t in types)]
    columns.append(Column("errors", kind="count"))
    columns += [Column("shown", kind="count")] if partly else []
    rows: list[tuple[Cell, ...]] = []
    for name in errors.systems:
        counts = errors.counts[name]
        row: list[Cell] = [name, *(counts.get(t, 0) for t in types), sum(counts.values())]
        rows.append((*row, *([errors.shown[name]] if partly else [])))
    return Table(tuple(columns), tuple(rows), title="Errors by type")


def _long_counts(errors: Errors, types: Sequence[str], partly: bool) -> Table:
    """One row a type, one column a system."""
    columns = [Column("type"), *(Column(name, kind="count") for name in errors.systems)]
    counts = [errors.counts[name] for name in errors.systems]
    rows: list[tuple[Cell, ...]] = [(t, *(each.get(t, 0) for each in counts)) for t in types]
    rows.append(("(all)", *(sum(each.values()) for each in counts)))
    if partly:
        rows.append(("(shown)", *(errors.shown[name] for name in errors.systems)))
    return Table(tuple(columns), tuple(rows), title="Errors by type")


def _nothing(errors: Errors) -> str:
    """`no errors`, or what there is besides what was asked for."""
    others: dict[str, int] = {}
    for each in errors.unfiltered.values():
        for kind, count in each.items():
            others[kind] = others.get(kind, 0) + count
    if not others:
        return "no errors"
    there = ", ".join(f"{kind} {count:,}" for kind, count in others.items())
    return f"no errors of that kind; there are {counted(sum(others.values()), 'other')}: {there}"
