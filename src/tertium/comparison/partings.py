"""The section of `score --conventions`: what each convention says, and where they part."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.comparison.conventions import Conventions, Row
from tertium.families.family import MOST_PLACES, Parting
from tertium.results.blocks import Block, Cell, Column, Missing, Table, Text
from tertium.results.texts import counted
from tertium.significance.score.coverage import system_coverage

_FIGURES = ("precision", "recall", "f1")


def build(found: Conventions, *, limit: int | None = None, format: str = "text") -> list[Block]:
    """The table of conventions, the sequences they read differently, and what a reader must know.

    `limit` cuts the sequences on a screen, where they are lines; elsewhere they are a table.
    """
    blocks: list[Block] = [_table(found)]
    if found.partings and format == "text":
        blocks.append(Text("Where conventions part", role="title"))
        blocks.append(Text("\n".join([*_lines(found, limit), ""]), role="code"))
    elif found.partings:
        blocks.append(_partings(found))
    if found.partings:
        blocks.append(
            Text(
                "sequences are shown with a neighbour on either side; numbers count the "
                f"{found.written} that are shown, from 1"
            )
        )
    elif len(found.readings) > 1:
        refused = any(row.f1 is None and row.gold is None for row in found.rows)
        who = f"the conventions that accept the {found.written}" if refused else "all conventions"
        blocks.append(Text(f"{who} read the same {found.items}; they differ in what they count"))
    sizes = [counted(found.units, "unit")]
    if found.tokens is not None:
        sizes.append(counted(found.tokens, "token"))
    blocks.append(Text(" · ".join([found.gold, *sizes]), role="gold"))
    blocks += [Text(line, role="coverage") for line in system_coverage(found.coverage)]
    blocks += [
        Text(f"{file}: only the first {MOST_PLACES:,} places where readings part were looked at")
        for file in found.cut
    ]
    blocks += [Text(note) for note in found.notes]
    signatures = dict.fromkeys(row.signature for row in found.rows if row.signature)
    blocks += [Text(signature, role="signature") for signature in signatures]
    return blocks


def _table(found: Conventions) -> Table:
    """One row a convention, or a convention and system: then systems compete under each."""
    several = len(found.systems) > 1
    columns = [Column("convention"), *([Column("system")] if several else [])]
    columns += [Column(name, "", "percent", "higher") for name in _FIGURES]
    counts = ("correct",) if several else ("correct", "gold", "system")
    columns += [Column(name, found.items, "count") for name in counts]
    rows = []
    for row in found.rows:
        names: list[Cell] = [row.convention, row.system] if several else [row.convention]
        sizes: list[Cell] = [row.correct, row.gold, row.system_spans]
        rows.append((*names, *(_figure(row, f) for f in _FIGURES), *sizes[: len(counts)]))
    contests = tuple(row.convention for row in found.rows)
    return Table(tuple(columns), tuple(rows), keys=1 + several, contests=contests)


def _figure(row: Row, name: str) -> Cell:
    value: float | None = getattr(row, name)
    return Missing(row.reasons.get(name, "undefined")) if value is None else value


def _lines(found: Conventions, limit: int | None) -> Iterator[str]:
    """How often, in which file and where first; below it each reading and who has it."""
    shown = found.partings[:limit]
    for side, parting in shown:
        times = f"{parting.count:,} time{'s' if parting.count > 1 else ''}"
        yield f"{' '.join(parting.tags)}"
        yield f"    {times} in {side}, first at {parting.where}"
        readings = list(_readings(parting))
        width = max(len(reading) for reading, _ in readings)
        for reading, names in readings:
            yield f"    {reading:<{width}}  {', '.join(names)}"
    left = len(found.partings) - len(shown)
    if left:
        yield f"and {left:,} more; '--format json' has all"


def _partings(found: Conventions) -> Table:
    headers = ("in", "times", found.written, "are", "to", "first")
    rows: list[tuple[Cell, ...]] = []
    for side, parting in found.partings:
        for number, (reading, names) in enumerate(_readings(parting)):
            once: list[Cell] = [side, parting.count, " ".join(parting.tags), parting.where]
            if number:
                once = [None] * len(once)
            rows.append((*once[:3], reading, ", ".join(names), once[3]))
    return Table(
        tuple(Column(h, kind="count" if h == "times" else "text") for h in headers),
        tuple(rows),
        title="Where conventions part",
    )


def _readings(parting: Parting) -> Iterator[tuple[str, list[str]]]:
    """Each distinct reading with the conventions that have it."""
    by: dict[str, list[str]] = {}
    for name, reading in parting.readings.items():
        by.setdefault(reading, []).append(name)
    yield from by.items()
