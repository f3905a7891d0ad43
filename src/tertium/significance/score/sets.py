"""Tables of sets: one row a member, as official evaluations print them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.results.blocks import (
    Better,
    Cell,
    Column,
    Missing,
    Table,
    Text,
    better_of,
    kind_of,
    or_missing,
    own_kind,
)
from tertium.results.scores import Result, flatten
from tertium.results.signatures import signature_texts
from tertium.signature import Signature
from tertium.significance.runs import with_means
from tertium.significance.score.coverage import lacks_layer
from tertium.significance.score.result import Scores
from tertium.significance.tables import LETTERS, Beside

FIGURES = ("precision", "recall", "f1", "aligned_accuracy")


def without_members(scores: Scores) -> Scores:
    """The results that are of no set."""
    return replace(scores, results=tuple(r for r in scores if r.member is None))


def set_tables(scores: Scores, *, parts: bool = False) -> list[Table]:
    """A table for each set; with `parts` also its minor figures and counts."""
    texts = dict.fromkeys(r.member[0] for r in scores if r.member)
    beside, pooled = Beside(scores), with_means(scores)
    return [
        _table(text, [r for r in pooled if r.member and r.member[0] == text], beside, parts)
        for text in texts
    ]


def _table(text: str, results: Sequence[Result], beside: Beside, parts: bool) -> Table:
    """Numbers in the set's order; systems compete within each. A single system is named in
    the title."""
    systems = list(dict.fromkeys(r.system for r in results))
    several = len(systems) > 1
    there = dict.fromkeys(name for r in results for name in flatten(r.parts))
    usual = {*FIGURES, *(r.headline for r in results)}
    figures = [name for name in there if parts or name in usual]
    counts = list(dict.fromkeys(n for r in results for n in r.counts)) if parts else []
    columns = [Column("score"), *([Column("system")] if several else [])]
    headline = next((r.headline for r in results if r.headline in figures), "")
    first = results[0]
    further = beside.columns(first.metric, "")
    wins: Better | None = "higher" if several else None
    column_of = {
        name: Column(name.replace("_", " "), "", kind_of(first.part(name).kind), wins)
        for name in figures
    }
    for name, column in column_of.items():
        columns.append(column)
        columns += [other for other, _ in further] if name == headline else []
    change = Column("change", "", kind_of(first.part().kind, "delta"))
    columns += [change] if beside.scores.against else []
    columns += [Column(name, "counts", "count") for name in counts]
    rows: list[tuple[Cell, ...]] = []
    numbers = dict.fromkeys(r.member[1] for r in results if r.member)
    contests = []
    for number in numbers:
        for result in (r for r in results if r.member and r.member[1] == number):
            names: list[Cell] = [number, result.system] if several else [number]
            cells: list[Cell] = []
            for name in figures:
                kind = result.part(name).kind
                cells.append(own_kind(_figure(result, name), kind, column_of[name]))
                if name == headline:
                    cells += [_beside(result, beside, *each) for each in further]
            if beside.scores.against:
                found = beside.change(result.system, result.metric)
                cells.append(own_kind(found, result.part().kind, change))
            rows.append((*names, *cells, *(result.counts.get(name) for name in counts)))
            contests.append(number)
    return Table(
        tuple(columns),
        tuple(rows),
        title=text if several else f"{text} of {systems[0]}",
        keys=1 + several,
        contests=tuple(contests) if several else (),
        ways={r.member[1]: better_of(r.part().better) for r in results if r.member},
    )


def _figure(result: Result, name: str) -> Cell:
    if lacks_layer(result):
        return Missing("not in this system's file")
    return or_missing(flatten(result.parts).get(name), result.reasons.get(name))


def _beside(result: Result, beside: Beside, column: Column, what: str) -> Cell:
    if lacks_layer(result):
        return None if what == LETTERS else Missing("not in this system's file")
    return own_kind(beside.cell(what, result.system, result.metric), result.part().kind, column)


def signatures(scores: Scores) -> list[Text]:
    """Every signature once; those of a set's members, which differ in nothing but the name,
    as one with a star."""
    found = []
    for result in scores:
        metric, signature = result.metric, result.signature
        if result.member:
            whole = signature.metric.removesuffix(f".{result.member[1]}")
            metric, signature = whole, Signature(f"{whole}.*", signature.entries)
        found.append((result.system, metric, signature))
    return signature_texts(found, scores.names)
