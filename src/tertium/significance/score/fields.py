"""The columns of a table of scores, with their headers, and the order of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tertium.exceptions import UsageError, suggestion
from tertium.results.blocks import Column, better_of, kind_of
from tertium.results.scores import Result, flatten
from tertium.significance.runs import with_means
from tertium.significance.score.result import Scores
from tertium.significance.tables import BESIDE, INTERVAL, LETTERS, RUNS, Beside

CHANGE, SIZE, SYSTEM_ITEMS = "(change)", "(size)", "(system items)"  # what is no part
_NAMES = {INTERVAL: "CI", LETTERS: "letters"}  # of columns, besides their headers
BY_NAME = "name"


@dataclass(frozen=True)
class Sizes:
    """Sizes by metric and group; the group "" is the whole.

    - `are_items`: do groups hold single items, counted in gold, rather than units?
    - `shared`: are the sizes the same for all metrics, and known?
    """

    by_metric: Mapping[str, Mapping[str, int]]
    are_items: bool
    shared: bool

    def of(self, metric: str) -> Mapping[str, int]:
        """The sizes of groups as one metric sees them."""
        return self.by_metric.get(metric, {})


def group_sizes(scores: Scores) -> Sizes:
    """What results say about the sizes of their groups."""
    are_items = any("items" in group.coverage for r in scores for group in r.groups.values())
    inner, outer = ("items", "scored") if are_items else ("units", "")
    found: dict[str, dict[str, int]] = {metric: {} for metric in scores.metrics}
    for result in scores:
        mine = {g: r.coverage[inner] for g, r in result.groups.items() if inner in r.coverage}
        if mine:
            # The coverage of a set's member is that of the set; it has a count of its own.
            items = result.total("gold")
            items = result.coverage.get(outer, 0) if items is None else items
            whole = int(items) if are_items else scores.sizes[result.unit]
            found[result.metric].update({"": whole, **mine})
    if not are_items:  # units are the same for all, also where a metric has no groups
        every = {group: n for sizes in found.values() for group, n in sizes.items()}
        found = dict.fromkeys(found, every)
    first = next(iter(found.values()), {})
    return Sizes(found, are_items, bool(first) and all(s == first for s in found.values()))


def columns_of_items(results: Sequence[Result], *, alone: bool) -> list[str]:
    """The parts that a table of items by groups shows of a metric: one of several metrics only its
    value, a metric alone precision, recall and F1, where it has these, and its value if it is none
    of them."""
    headline = next((r.headline for r in results if r.headline), "value")
    means = [part for part in results[0].declared if part.mean_of]
    mean = next((part for part in means if part.name == headline), means[0] if means else None)
    if not alone:
        return [headline]
    shown = [r for result in results for r in (result, *result.groups.values())]
    flat = [flatten(r.parts) for r in shown]
    names = (*mean.mean_of, mean.name) if mean and mean.mean_of else ()
    usual = [part for part in names if any(part in parts for parts in flat)]
    # Of one label a token, accuracy is recall.
    is_there = any(all(p.get(part) == p.get(headline) for p in flat) for part in usual)
    return usual if is_there else [headline, *usual]


@dataclass(frozen=True, slots=True)
class Field:
    """A column that is filled from results: what it shows of a metric, a part or something beside
    it. `is_shared` if it is not about the metric alone."""

    column: Column
    metric: str
    what: str
    is_part: bool = False
    is_shared: bool = False


def fields_of(
    scores: Scores, sizes: Sizes, beside: Beside, *, parts: bool, shown: Sequence[str] = ()
) -> list[Field]:
    """The columns after the names of rows, all or those `shown`. Sizes of groups come first where
    they are the same for all metrics; items of both sides stand at the end, where there is one
    metric."""
    found = []
    if beside.has_runs:
        runs = Column("runs", "", "count")
        found.append(Field(runs, scores.metrics[0], RUNS, is_shared=True))
    alone = len(scores.metrics) == 1
    if sizes.shared and not (alone and sizes.are_items):
        header = "items" if sizes.are_items else f"{next(iter(scores.sizes))}s"
        size = Column(header, "", "count")
        found.append(Field(size, scores.metrics[0], SIZE, is_shared=True))
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        chosen = _parts_of(results, parts or bool(shown))
        if sizes.are_items and not (parts or shown):
            chosen = columns_of_items(results, alone=alone)
        found += _of_metric(scores, results, chosen, beside)
        if sizes.are_items and alone:
            # Columns of one group stay together: names of rows are folded to make room for them.
            found.append(Field(Column("gold", "", "count"), metric, SIZE))
            if any(result.total("system") is not None for result in results):
                found.append(Field(Column("system", "", "count"), metric, SYSTEM_ITEMS))
        elif sizes.are_items and not sizes.shared:
            found.append(Field(Column("items", "", "count"), metric, SIZE))
    return [*_with_groups(_picked(found, shown, scores) if shown else found, scores)]


def _of_metric(
    scores: Scores, results: Sequence[Result], chosen: Sequence[str], beside: Beside
) -> Iterator[Field]:
    """The parts of a metric, and what stands beside its value."""
    metric = results[0].metric
    headline = next((r.headline for r in results if r.headline in chosen), chosen[-1])
    for part in chosen:
        what = results[0].part(part)
        column = Column(what.header, "", kind_of(what.kind), better_of(what.better))
        yield Field(column, metric, part, is_part=True)
        if part == headline:
            yield from (Field(c, metric, name) for c, name in beside.columns(metric, ""))
    if scores.against:
        yield Field(Column("change", "", kind_of(results[0].part().kind, "delta")), metric, CHANGE)


def _parts_of(results: Iterable[Result], parts: bool) -> list[str]:
    """Which parts of a metric are shown: those it names, or all, and the counts that it names."""
    found: dict[str, None] = {}
    for result in results:
        found.update(dict.fromkeys([*(flatten(result.parts) if parts else ()), *result.shown]))
    return list(found) or ["value"]


def _with_groups(fields: Sequence[Field], scores: Scores) -> Iterator[Field]:
    """With the name of each metric as the header of its only column, or above its columns. It is
    left out where it says no more than the headers do; an id always stands above."""
    names, one = scores.names, {f.metric for f in fields if f.is_part}
    for field in fields:
        result = next(r for r in scores if r.metric == field.metric)
        name = names[field.metric]
        parts = [f.what for f in fields if f.metric == field.metric and f.is_part]
        is_value = parts in ([result.headline], ["value"])
        is_plain = is_value or (len(one) == 1 and name == result.part().header)
        group = "" if field.is_shared or (result.header and is_plain) else name
        header = field.column.header
        if field.is_part and (not header or (is_value and not group)):
            header = name if result.header else name.partition("(")[0].rpartition(".")[2]
        yield replace(field, column=replace(field.column, header=header, group=group))


def _picked(fields: Sequence[Field], shown: Sequence[str], scores: Scores) -> list[Field]:
    """The fields of these names in their order; letters stay with their value."""
    found: dict[Field, None] = {}
    for name in shown:
        there = [f for f in fields if name.casefold() in map(str.casefold, _aliases(f, scores))]
        if not there:
            known = [*dict.fromkeys(next(iter(_aliases(f, scores))) for f in fields)]
            near = suggestion(name, [a for f in fields for a in _aliases(f, scores)])
            raise UsageError(
                f"there is no column '{name}'.{near}", help=f"columns: {', '.join(known)}"
            )
        for field in there:
            found.setdefault(field)
            after = fields[fields.index(field) + 1 :][:1]
            found.update(dict.fromkeys(f for f in after if f.what == LETTERS))
    return [*found]


def _aliases(field: Field, scores: Scores) -> list[str]:
    """What a column can be asked for by; that of the value also goes by its metric."""
    header, metric, result = field.column.header, field.metric, None
    result = next(r for r in scores if r.metric == metric)
    own = [header] if header else []
    own += [_NAMES[field.what]] if field.what in _NAMES else []
    own += [field.what] if field.is_part else []
    if field.what not in BESIDE:
        own += [f"{name} {header}" for name in (scores.names[metric], metric)]
    if field.is_part and field.what in (result.headline, "value"):
        own = [scores.names[metric], metric, *own]
    return own


def in_order(scores: Scores, key: str) -> Scores:
    """The scores with systems by name, or by a column with the best first and undefined ones last.
    Systems that tie keep their order."""
    together = with_means(scores)
    systems = together.systems
    if key.casefold() == BY_NAME:
        order = sorted(systems, key=str.casefold)
    else:
        metric, part = _column(together, key)
        sign = 1 if part_of(together, metric, part) == "lower" else -1
        values = {r.system: r.numbers.get(part) for r in together if r.metric == metric}
        there = [name for name in systems if values.get(name) is not None]
        order = sorted(there, key=lambda name: sign * (values[name] or 0.0))
        order += [name for name in systems if name not in there]
    place = {name: i for i, name in enumerate(order)}
    results = sorted(scores.results, key=lambda r: place[scores.owner(r.system)])
    regrouped = tuple(in_order(each, key) for each in scores.regrouped)
    return replace(scores, results=tuple(results), regrouped=regrouped)


def part_of(scores: Scores, metric: str, part: str) -> str:
    """Which values of a part are better."""
    return next(r.part(part).better for r in scores if r.metric == metric)


def _column(scores: Scores, key: str) -> tuple[str, str]:
    """The metric and the part that a name means; a part that several metrics have is that of the
    only one whose value it is."""
    plain = replace(scores, against=None, assessment=None)
    fields = fields_of(plain, Sizes({}, False, False), Beside(plain), parts=True)
    every = {f: _aliases(f, scores) for f in fields if f.is_part}
    found = [f for f, names in every.items() if key.casefold() in map(str.casefold, names)]
    headlines = {r.metric: r.headline for r in scores}
    if len(found) > 1:
        found = [f for f in found if f.what == headlines[f.metric]] or found
    if len(found) == 1:
        return found[0].metric, found[0].what
    if found:
        metrics = ", ".join(f"'{scores.names[f.metric]}'" for f in found)
        raise UsageError(f"several metrics have '{key}'", help=f"sort by one of {metrics}")
    near = suggestion(key, [BY_NAME, *(name for names in every.values() for name in names)])
    headers = [f.column.header for f in every if f.column.header]
    single = (header for header in headers if headers.count(header) == 1)
    known = dict.fromkeys([BY_NAME, *scores.names.values(), *single])
    raise UsageError(
        f"there is no column '{key}' to sort by.{near}", help=f"sort by {', '.join(known)}"
    )
