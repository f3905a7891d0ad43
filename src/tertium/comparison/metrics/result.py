"""The result of `metrics`: how far metrics agree about the same systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Self

import numpy as np

from tertium._version import __version__
from tertium.families.base import Floats
from tertium.results.blocks import Block, Cell, Column, Table, Text, kind_of, or_missing
from tertium.results.blocks.plots import Lines, Series
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output, Rows
from tertium.results.parts import legend, type_order
from tertium.results.scores import plain
from tertium.results.signatures import signature_texts
from tertium.results.texts import counted, listed, rest_text
from tertium.significance.correlation import COEFFICIENTS, SAME, correlate
from tertium.significance.score.coverage import coverage_lines
from tertium.significance.score.result import Scores
from tertium.significance.score.table import gold_line, main_table

SHOWN, EXAMPLES = 21, 3  # rows that text shows, and sentences that a row names


@dataclass(frozen=True, eq=False)
class MeasuredSet:
    """A gold standard, such as a treebank, with the systems on it.

    - `values`: by system and metric, the value of every sentence or document, nan for none
    - `items`: by metric and what its items are called, the number of gold items
    - `perfect`, `curves`: records as JSON has them
    """

    name: str
    scores: Scores
    values: Mapping[tuple[str, str], Floats]
    items: Mapping[tuple[str, str], int]
    perfect: Rows
    curves: Rows

    def to_dict(self) -> dict[str, Any]:
        """Its size, as JSON has it."""
        units, tokens, items = self.scores.units, self.scores.tokens, {}
        for (metric, item), n in self.items.items():
            per = {"per_sentence": _ratio(n, units), "per_token": _ratio(n, tokens)}
            items[metric] = {"item": item, "count": n, **per}
        size = {"units": units, "tokens": tokens, "tokens_per_sentence": _ratio(tokens, units)}
        return {"name": self.name, "gold": self.scores.gold, **size, "items": items}


def _ratio(count: int | None, total: int | None) -> float | None:
    return None if count is None or not total else count / total


@dataclass(frozen=True, eq=False)
class MetricComparison(Output):
    """Metrics compared on the same systems, of one gold standard or of several sets of data."""

    sets: tuple[MeasuredSet, ...]
    notes: tuple[str, ...] = ()

    look = LongLook

    @property
    def scores(self) -> Scores:
        """Those of the first set."""
        return self.sets[0].scores

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return self.scores.names

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return [*dict.fromkeys(system for each in self.sets for system in each.scores.systems)]

    @cached_property
    def labels(self) -> dict[tuple[str, str], tuple[str, str]]:
        """What every system is called in data and in tables, by the name of its set and its own."""
        names = {each.name: short_names(each.scores.systems) for each in self.sets}
        alone = all(len(each) == 1 for each in names.values())
        label = ("{1}" if len(names) == 1 else "{0}" if alone else "{0}: {1}").format
        return {(s, n): (label(s, n), label(s, x)) for s in names for n, x in names[s].items()}

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Every two metrics of the same unit."""
        units = {each.metric: each.unit for each in self.scores}
        return [(a, b) for a, b in combinations(units, 2) if units[a] == units[b]]

    @cached_property
    def values(self) -> dict[str, Floats]:
        """By metric, the value of every system; nan is undefined."""
        every = [(each.scores, system) for each in self.sets for system in each.scores.systems]
        found = {m: [of[system, m].value for of, system in every] for m in self.scores.metrics}
        return {metric: np.array(values, np.float64) for metric, values in found.items()}

    @cached_property
    def correlations(self) -> Rows:
        """Of every two metrics, over the sentences of all systems, those of each, and systems."""
        found: Rows = []
        every = [(s.name, system, s.values) for s in self.sets for system in s.scores.systems]
        for a, b in self.pairs:
            unit = next(each.unit for each in self.scores if each.metric == a)
            both = [(n, s, v[s, a], v[s, b]) for n, s, v in every if {(s, a), (s, b)} <= v.keys()]
            x, y = (np.concatenate([[], *(each[side] for each in both)]) for side in (2, 3))
            found.append(correlate(a, b, unit, x, y))
            for name, system, x, y in both if len(both) > 1 else ():
                found.append({"set": name, "system": system, **correlate(a, b, unit, x, y)})
            found.append(correlate(a, b, "system", self.values[a], self.values[b]))
        return found

    def pooled(self, level: int) -> Rows:
        """Those over sentences of all systems (0) or over systems (1), by pair of metrics."""
        return [each for each in self.correlations if "system" not in each][level::2]

    @cached_property
    def disagreements(self) -> Rows:
        """Systems that two metrics rank differently, with the changes from A to B; the clearest
        first: by the smaller of the two changes."""
        found: Rows = []
        signs = {metric: self.scores.part(metric).sign for metric in self.values}
        for one, two in self.pairs:
            for (i, (a, _)), (j, (b, _)) in combinations(enumerate(self.labels.values()), 2):
                x, y = (float(self.values[m][j] - self.values[m][i]) for m in (one, two))
                if min(abs(x), abs(y)) > SAME and x * y * signs[one] * signs[two] < 0:
                    changes = {"metric": one, "delta": x, "other": two, "other_delta": y}
                    found.append({"a": a, "b": b, **changes})
        return sorted(found, key=lambda d: -min(abs(d["delta"]), abs(d["other_delta"])))

    @property
    def title(self) -> str:
        """What was compared."""
        return f"Metrics compared on {listed([each.name for each in self.sets])}"

    def in_short(self) -> str:
        """Do they rank systems alike, and how far do sentences agree?"""
        told, shown = [], dict(self.labels.values())
        ranked = [~np.isnan(self.values[a] + self.values[b]) for a, b in self.pairs]
        size = int(np.any(ranked, axis=0).sum())  # systems with values to rank
        if self.disagreements:
            first, apart = self.disagreements[0], {(d["a"], d["b"]) for d in self.disagreements}
            such = f"{shown[first['a']]} and {shown[first['b']]}"
            pairs = f"{len(apart):,} of {size * (size - 1) // 2:,} pairs of systems"
            which = f"{pairs} differently, such as {such}" if size > 2 else f"{such} differently"
            told.append(f"Metrics rank {which} ({first['metric']} and {first['other']})")
        elif size > 1:
            told.append(f"All metrics rank the {size} systems alike")
        known = [each for each in self.pooled(0) if each["kendall"] is not None]
        known.sort(key=lambda each: float(each["kendall"]))
        ends = [f"{c['kendall']:.2f} ({c['a']}, {c['b']})" for c in known]
        if known:
            between = f"between {ends[0]} and {ends[-1]}" if len(ends) > 1 else ends[0]
            told.append(f"Kendall's tau over {known[0]['level']}s is {between}")
        return "; ".join(told)

    def with_ids(self) -> Self:
        """The same with the ids of metrics in place of their names."""
        sets = (replace(each, scores=each.scores.with_ids()) for each in self.sets)
        return replace(self, sets=tuple(sets))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium metrics` (docs/verbs/metrics.md)."""
        return {
            "tertium": __version__,
            "sets": [each.to_dict() for each in self.sets],
            "scores": [{"set": s.name, **r.to_dict()} for s in self.sets for r in s.scores],
            "correlations": self.correlations,
            "disagreements": self.disagreements,
            "perfect": [row for each in self.sets for row in each.perfect],
            "curves": [row for each in self.sets for row in each.curves],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """`correlations` has a row per pair of metrics, `disagreements` one per pair of systems."""
        names = ("correlations", "disagreements")
        return {**{each: partial(getattr, self, each) for each in names}, **Output.frames(self)}

    def blocks(self, look: LongLook) -> list[Block]:
        """Sizes, scores, learning curves, correlations, rankings, perfect sentences, notes: the
        order of the paper."""
        blocks: list[Block] = [block for section in SECTIONS for block in section(self, look)]
        for each in self.sets:
            before = f"{each.name}: " if len(self.sets) > 1 else ""
            blocks.append(Text(before + gold_line(each.scores), role="gold"))
            blocks += [Text(before + line, role="coverage") for line in coverage_lines(each.scores)]
        signed = [(r.system, r.metric, r.signature) for each in self.sets for r in each.scores]
        return [*blocks, *map(Text, self.notes), *signature_texts(signed, self.metric_names)]

    def __repr__(self) -> str:
        return f"<MetricComparison: {self.title}>"


def _table(title: str, columns: Any, rows: Any, look: LongLook, **more: Any) -> list[Block]:
    """A table whose first two columns are keys; none without rows."""
    shown = tuple(rows[: look.usual(SHOWN)])
    more |= {"contests": tuple(str(row[0]) for row in shown), "keys": more.get("keys", 2)}
    more["omitted"] = rest_text(len(rows) - len(shown), is_text=look.is_text)
    return [Table(tuple(columns), shown, title, **more)] if rows else []


def _sizes(found: MetricComparison, look: LongLook) -> list[Block]:
    """Gold items per sentence and token, tokens per sentence: the paper's Table 1."""
    columns = [Column("data"), Column("metric"), Column("", "gold items")]
    heads = (("/sentence", "gold items"), ("/token", "gold items"), ("/sentence", "tokens"))
    columns += [Column(*head, "value", digits=2) for head in heads]
    rows: list[tuple[Cell, ...]] = []
    for each in (one.to_dict() for one in found.sets):
        for metric, of in each["items"].items():
            ratios = of["per_sentence"], of["per_token"], each["tokens_per_sentence"]
            cells = (or_missing(ratio, "the gold standard has no tokens") for ratio in ratios)
            rows.append((each["name"], found.metric_names[metric], f"{of['item']}s", *cells))
    return _table("Average number of gold items and tokens", columns, rows, look)


def _scores(found: MetricComparison, look: LongLook) -> list[Block]:
    """All metrics for all systems of all sets: the paper's Table 4."""
    every = [(each.name, result) for each in found.sets for result in each.scores]
    results = tuple(replace(of, system=found.labels[name, of.system][1]) for name, of in every)
    title = f"Results for {counted(len(found.metric_names), 'metric')}"
    return [replace(main_table(replace(found.scores, results=results)), title=title)]


def _curves(found: MetricComparison, look: LongLook) -> Iterator[Block]:
    """Learning curves, as the paper's Figures 7 to 9: a figure per metric with a line per system,
    or of a single system a figure with a line per metric."""
    every = [each for one in found.sets for each in one.curves]
    alone = len({(each["set"], each["curve"]) for each in every}) == 1
    figures: dict[tuple[str, Any], list[Series]] = {}
    for each in every:
        metric, points = found.metric_names[each["metric"]], each["points"]
        reason = next((point["reason"] for point in points if point["value"] is None), "")
        xs, ys = (tuple(point[key] for point in points) for key in ("size", "value"))
        line = Series(metric if alone else f"{each['set']}: {each['curve']}", xs, ys, reason=reason)
        kind = kind_of(found.scores.part(each["metric"]).kind)
        figures.setdefault(("" if alone else metric, kind), []).append(line)
    for (metric, kind), series in figures.items():
        title = f"Learning curves ({metric})" if metric else "Learning curves"
        yield Lines(tuple(series), title, "size", metric, x_kind="count", y_kind=kind)


def _correlations(found: MetricComparison, look: LongLook) -> list[Block]:
    """Coefficients of every two metrics over sentences and over systems."""
    names, units, rows = found.metric_names, found.pooled(0), []
    noun = f"{units[0]['level']}s" if units else ""
    columns = [Column("metric"), Column("and"), Column("left out", "", "count")]
    for group in (noun, "systems"):
        columns += [Column(name, group, "value", digits=3) for name in ("r", "rho", "tau")]
    for each in zip(units, found.pooled(1), strict=True):
        cells = [or_missing(of[name], of.get("reason")) for of in each for name in COEFFICIENTS]
        rows.append((names[each[0]["a"]], names[each[0]["b"]], each[0]["undefined"], *cells))
    note = f"r: Pearson, rho: Spearman, tau: Kendall's tau-b; left out: {noun} without both values"
    return _table("Correlation of metrics", columns, rows, look, note=note)


def _disagreements(found: MetricComparison, look: LongLook) -> list[Block]:
    """Systems that metrics rank differently, with the changes by all metrics."""
    shown, columns = dict(found.labels.values()), [Column("from"), Column("to")]
    for metric, name in found.metric_names.items():
        columns.append(Column(name, "change", kind_of(found.scores.part(metric).kind, "delta")))
    rows: list[tuple[Cell, ...]] = []
    for pair in dict.fromkeys((each["a"], each["b"]) for each in found.disagreements):
        a, b = ([*shown].index(name) for name in pair)
        changes = (plain(float(each[b] - each[a])) for each in found.values.values())
        rows.append((*(shown[name] for name in pair), *map(or_missing, changes)))
    return _table("Systems that metrics rank differently", columns, rows, look)


def _perfect(found: MetricComparison, look: LongLook) -> list[Block]:
    """Sentences that are perfect under one metric but not under the other, by the error types of
    the other: the paper's sections 5.1 to 5.3. The most frequent pair of metrics comes first."""
    noun = f"{found.scores.results[0].unit}s"
    types = {each.name: each for each in found.scores.results[0].types}
    every: dict[tuple[str, str], dict[tuple[str, str], Any]] = {}
    for each in (each for one in found.sets for each in one.perfect):
        every.setdefault((each["metric"], each["other"]), {})[each["set"], each["system"]] = each
    rows, cited = list[tuple[Cell, ...]](), list[tuple[Cell, ...]]()
    sizes = {pair: sum(len(each["ids"]) for each in of.values()) for pair, of in every.items()}
    for pair in sorted(every, key=lambda pair: -sizes[pair]):
        both, of = [found.metric_names[metric] for metric in pair], every[pair]
        counts = {key: {"any": len(each["ids"]), **each["types"]} for key, each in of.items()}
        kinds = {kind for each in counts.values() for kind in each}
        ids = [*dict.fromkeys(id for each in of.values() for id in each["ids"])]
        for kind in sorted(kinds, key=lambda kind: (kind != "any", type_order(kind, types))):
            cells = (counts.get(key, {}).get(kind, 0) for key in found.labels)
            rows.append((*both, kind, *cells))
        cited.append((*both, listed(ids, len(ids) if look.all else EXAMPLES)))
    keys = [Column("perfect under"), Column("but not under")]
    of_systems = [Column(name, noun, "count") for _, name in found.labels.values()]
    title = f"{noun.capitalize()} that are perfect under one metric but not under the other"
    note = legend(dict.fromkeys(str(row[2]) for row in rows), types.values())
    examples = _table(f"Some of these {noun}", [*keys, Column("examples")], cited, look)
    columns = [*keys, Column("error type"), *of_systems]
    return [*_table(title, columns, rows, look, keys=3, note=note), *examples]


SECTIONS = (_sizes, _scores, _curves, _correlations, _disagreements, _perfect)
