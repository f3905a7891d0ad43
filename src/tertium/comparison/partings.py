"""Where conventions part: sequences that they read differently, found and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.families.base import Metric
from tertium.families.family import MOST_PLACES, ConventionSet, Parting
from tertium.results.blocks import Block, Cell, Column, Table, Text
from tertium.results.texts import listed, number
from tertium.study.files import File
from tertium.study.study import Study
from tertium.study.walk import walk

SHOWN = 12  # sequences on a screen
TITLE = "Where conventions differ"


@dataclass(frozen=True)
class Partings:
    """Sequences by the side that has them; `cut` are files with too many to look at all, and
    `is_read` says whether there was anything to be read."""

    every: tuple[tuple[str, Parting], ...]
    cut: tuple[str, ...]
    is_read: bool


def find_partings(
    asked: Study,
    known: ConventionSet,
    readings: Mapping[str, Metric],
    refused: frozenset[tuple[str, str]],
    way: Mapping[str, Any],
) -> Partings:
    """Where the readings of gold part, and those of each system. `refused` are systems and metrics
    that do not go together."""
    found: dict[tuple[str, Any], Parting] = {}
    cut, is_read = [], False
    study = replace(asked, metrics=tuple(readings.values()))
    for file in walk(study, _Reader(known, tuple(readings), refused), **way):
        for side, origin, places in file:
            is_read = True
            if sum(p.count for p in places) >= MOST_PLACES:
                cut.append(origin)
            for parting in places:
                key = (side, (parting.tags, tuple(parting.readings.items())))
                if key in found:
                    parting = replace(found[key], count=found[key].count + parting.count)
                found[key] = parting
    order = list(dict.fromkeys(side for side, _ in found))
    rows = [(side, parting) for (side, _), parting in found.items()]
    rows.sort(key=lambda row: (order.index(row[0]), -row[1].count, row[1].tags))
    return Partings(tuple(rows), tuple(cut), is_read)


@dataclass(frozen=True)
class _Reader:
    """Reads a file in every way that has a name, but for what a way refuses."""

    known: ConventionSet
    names: tuple[str, ...]
    refused: frozenset[tuple[str, str]]

    def __call__(self, file: File) -> list[tuple[str, str, list[Parting]]]:
        """Of gold and of each system its name, where it was read from, and where readings part."""
        found = []
        for system in file.systems():
            able = {
                name: fitted
                for name, metric, fitted in zip(self.names, file.metrics, file.fitted, strict=True)
                if (system.name, repr(metric)) not in self.refused
            }
            mine = f"system {system.name}" if system.name == "gold" else system.name
            is_first = system.name == file.study.systems[0]
            sides = [("gold", file.gold)] if is_first else []
            for side, corpus in (*sides, (mine, system.corpus)):
                places = self.known.partings(corpus, able)
                if places is not None:
                    found.append((side, corpus.origin, places))
        return found


def reach_text(rows: Sequence[tuple[str, str, float]], *, several: bool) -> str:
    """How far F1 depends on the convention, given convention, system and F1; of `several` systems,
    whether it decides which is best."""
    if not rows:
        return "No convention gives a value"
    if not several:
        low, high = (pick(rows, key=lambda row: row[2]) for pick in (min, max))
        if high[2] == low[2]:
            return f"F1 is {number(low[2])} under every convention"
        ends = [f"{number(f1)} ({convention})" for convention, _, f1 in (low, high)]
        return f"F1 is between {' and '.join(ends)}, depending on the convention"
    best: dict[str, list[str]] = {}
    for name in dict.fromkeys(convention for convention, *_ in rows):
        here = {system: f1 for convention, system, f1 in rows if convention == name}
        winners = [system for system, f1 in here.items() if f1 == max(here.values())]
        best.setdefault(listed(winners), []).append(name)
    if len(best) == 1:
        return f"Best F1 under every convention: {next(iter(best))}"
    told = [f"{who} ({listed(names)})" for who, names in best.items()]
    return f"The best system depends on the convention: {'; '.join(told)}"


def parting_blocks(
    partings: Sequence[tuple[str, Parting]], written: str, *, is_text: bool
) -> list[Block]:
    """The sequences: lines on a screen, where only the first are shown, elsewhere a table."""
    if not partings:
        return []
    note = (
        "sequences are shown with a neighbour on either side; numbers refer to the "
        f"{written} shown, from 1"
    )
    if not is_text:
        return [_table(partings, written), Text(note)]
    lines = "\n".join([*_lines(partings), ""])
    return [Text(TITLE, role="title"), Text(lines, role="code"), Text(note)]


def _lines(partings: Sequence[tuple[str, Parting]]) -> Iterator[str]:
    """How often, in which file and where first; below it each reading and who has it."""
    for side, parting in partings[:SHOWN]:
        times = f"{parting.count:,} time{'s' if parting.count > 1 else ''}"
        yield f"{' '.join(parting.tags)}"
        yield f"    {times} in {side}, first at {parting.where}"
        readings = _readings(parting)
        width = max(map(len, readings))
        for reading, names in readings.items():
            yield f"    {reading:<{width}}  {', '.join(names)}"
    if left := len(partings[SHOWN:]):
        yield f"and {left:,} more; '--format json' has all"


def _table(partings: Sequence[tuple[str, Parting]], written: str) -> Table:
    headers = ("in", "times", written, "are", "to", "first")
    rows: list[tuple[Cell, ...]] = []
    for side, parting in partings:
        once: list[Cell] = [side, parting.count, " ".join(parting.tags), parting.where]
        for reading, names in _readings(parting).items():
            rows.append((*once[:3], reading, ", ".join(names), once[3]))
            once = [None] * len(once)
    return Table(
        tuple(Column(h, kind="count" if h == "times" else "text") for h in headers),
        tuple(rows),
        title=TITLE,
    )


def _readings(parting: Parting) -> dict[str, list[str]]:
    """Each distinct reading with the conventions that have it."""
    found: dict[str, list[str]] = {}
    for name, reading in parting.readings.items():
        found.setdefault("none" if reading == "nothing" else reading, []).append(name)
    return found
