"""Tables of sets: of one system as official evaluations print them, of several a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from tertium import registry
from tertium.exceptions import UsageError, suggestion
from tertium.families.sets import MetricSet
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
from tertium.results.scores import Result, flatten, metric_names
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


def set_tables(scores: Scores, *, parts: bool = False, shown: Sequence[str] = ()) -> list[Table]:
    """A table for each set, of several systems with one number per column, or the columns `shown`;
    with `parts` all figures and counts."""
    beside, pooled = Beside(scores), with_means(scores)
    found = []
    alone = len({r.member and r.member[0] for r in scores}) == 1  # the columns say what it is
    for text in dict.fromkeys(r.member[0] for r in scores if r.member):
        results = [r for r in pooled if r.member and r.member[0] == text]
        is_long = parts or scores.against is not None or len({r.system for r in results}) == 1
        name = _name(text, results)
        title = "" if alone else name
        found.append(
            _long(name, results, beside, parts) if is_long else _wide(title, results, beside, shown)
        )
    return found


def _name(text: str, results: Sequence[Result]) -> str:
    """What a set is called, with its parameters; its text where metrics go by theirs."""
    if not any(r.header for r in results):
        return text
    name, bracket, given = text.partition("(")
    header = cast("type[MetricSet]", registry.get("metrics", name)).header
    return f"{header} ({given}" if bracket else header


def _wide(title: str, results: Sequence[Result], beside: Beside, shown: Sequence[str]) -> Table:
    """A row per system, a column per number; letters beside it, where there are any."""
    of = {(r.system, r.metric): r for r in results}
    metrics = _chosen({r.metric: r for r in results}, shown)
    names = metric_names(metrics.values())
    columns, rows = [Column("system")], []
    for metric, first in metrics.items():
        part = first.part()
        value = Column(names[metric], "", kind_of(part.kind), better_of(part.better), metric=metric)
        columns += [value, *(each for each, _ in _letters(beside, metric))]
    for system in dict.fromkeys(r.system for r in results):
        row: list[Cell] = [system]
        for metric in metrics:
            result = of[system, metric]
            row.append(_figure(result, result.headline))
            row += [_beside(result, beside, *each) for each in _letters(beside, metric)]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows), title=title)


def _letters(beside: Beside, metric: str) -> list[tuple[Column, str]]:
    return [each for each in beside.columns(metric, "") if each[1] == LETTERS]


def _chosen(metrics: Mapping[str, Result], shown: Sequence[str]) -> dict[str, Result]:
    """The metrics of these names in their order, all where none is named."""
    if not shown:
        return {**metrics}
    known = {a.casefold(): m for m, r in metrics.items() for a in (m, *(r.member or ()), r.header)}
    for name in shown:
        if name.casefold() not in known:
            headers = [r.header or m for m, r in metrics.items()]
            raise UsageError(
                f"there is no column '{name}'.{suggestion(name, headers)}",
                help=f"columns: {', '.join(headers)}",
            )
    return {m: metrics[m] for m in (known[name.casefold()] for name in shown)}


def _long(text: str, results: Sequence[Result], beside: Beside, parts: bool) -> Table:
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
        name: Column(first.part(name).header, "", kind_of(first.part(name).kind), wins)
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
            header = result.header or number
            names: list[Cell] = [header, result.system] if several else [header]
            cells: list[Cell] = []
            for name in figures:
                kind = result.part(name).kind
                figure = _figure(result, name, alone=not several)
                cells.append(own_kind(figure, kind, column_of[name]))
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


def _figure(result: Result, name: str, *, alone: bool = False) -> Cell:
    """A number of a system; `alone` also where the official evaluation invents what it lacks."""
    if lacks_layer(result):
        return Missing("the evaluation refuses this system's file")
    if result.absent and not alone:
        return Missing("not in this system's file")
    return or_missing(flatten(result.parts).get(name), result.reasons.get(name))


def _beside(result: Result, beside: Beside, column: Column, what: str) -> Cell:
    if lacks_layer(result) or result.absent:
        return None if what == LETTERS else _figure(result, result.headline)
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
