"""The result of `metrics`: how far metrics agree about the same systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Self

import numpy as np

from tertium._version import __version__
from tertium.families.base import Floats
from tertium.results.blocks import Block, Cell, Column, Table, Text, kind_of, or_missing
from tertium.results.blocks.figures import Matrix
from tertium.results.blocks.plots import Lines, Series
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output, Rows
from tertium.results.parts import legend, type_order
from tertium.results.scores import plain
from tertium.results.signatures import signature_texts
from tertium.results.texts import counted, listed, rest_text
from tertium.significance.score.coverage import coverage_lines
from tertium.significance.score.frames import score_rows
from tertium.significance.score.result import Scores
from tertium.significance.score.table import gold_line, main_table

SAME = 1e-12  # values that differ by less are the same
LEAST = 3  # values that a correlation needs
SHOWN, MANY, EXAMPLES = 6, 28, 3  # rows that text shows, and sentences that a row names
COEFFICIENTS = ("pearson", "spearman", "kendall")
SIGNS = {"higher": 1, "lower": -1, "none": 0}


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
        size = {"units": self.scores.units, "tokens": self.scores.tokens}
        found = {"name": self.name, "gold": self.scores.gold, **size}
        items = {}
        for (metric, item), n in self.items.items():
            per = {"per_sentence": _ratio(n, size["units"]), "per_token": _ratio(n, size["tokens"])}
            items[metric] = {"item": item, "count": n, **per}
        return {
            **found,
            "tokens_per_sentence": _ratio(size["tokens"], size["units"]),
            "items": items,
        }


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
        found = {(s.name, r.system, r.metric): r.value for s in self.sets for r in s.scores}
        return {
            metric: np.array([found.get((*key, metric)) for key in self.labels], np.float64)
            for metric in self.scores.metrics
        }

    @cached_property
    def correlations(self) -> Rows:
        """Of every two metrics, over the sentences of all systems, those of each, and systems."""
        return [each for pair in self.pairs for each in self._of_pair(*pair)]

    def pooled(self, level: int) -> Rows:
        """Those over sentences of all systems (0) or over systems (1), by pair of metrics."""
        return [each for each in self.correlations if "system" not in each][level::2]

    def _of_pair(self, a: str, b: str) -> Iterator[dict[str, Any]]:
        signs = [SIGNS[self.scores.part(metric).better] or 1 for metric in (a, b)]
        unit = next(each.unit for each in self.scores if each.metric == a)
        every = {(s.name, system): s.values for s in self.sets for system in s.scores.systems}
        each = {
            (name, system): (values[system, a] * signs[0], values[system, b] * signs[1])
            for (name, system), values in every.items()
            if (system, a) in values and (system, b) in values
        }
        x, y = (np.concatenate(column) for column in zip(*each.values(), strict=True))
        yield correlate(a, b, unit, x, y)
        for (name, system), both in each.items() if len(each) > 1 else ():
            yield {"set": name, "system": system, **correlate(a, b, unit, *both)}
        yield correlate(a, b, "system", self.values[a] * signs[0], self.values[b] * signs[1])

    @cached_property
    def disagreements(self) -> Rows:
        """Systems that two metrics rank differently, with the changes from A to B; the clearest
        first: by the smaller of the two changes."""
        found: list[tuple[float, dict[str, Any]]] = []
        sign = {m: SIGNS[self.scores.part(m).better] for m in self.values}
        for one, two in self.pairs:
            for (i, (a, _)), (j, (b, _)) in combinations(enumerate(self.labels.values()), 2):
                first, second = (float(self.values[m][j] - self.values[m][i]) for m in (one, two))
                least = min(abs(first), abs(second))
                if least > SAME and first * second * sign[one] * sign[two] < 0:
                    changes = {"delta": first, "other": two, "other_delta": second}
                    found.append((least, {"a": a, "b": b, "metric": one, **changes}))
        return [each for _, each in sorted(found, key=lambda each: -each[0])]

    @property
    def title(self) -> str:
        """What was compared."""
        metrics = counted(len(self.metric_names), "metric")
        return f"{metrics} compared on {listed([each.name for each in self.sets])}"

    def in_short(self) -> str:
        """Do they rank systems alike, and how far do sentences agree?"""
        told, size, shown = [], len(self.labels), dict(self.labels.values())
        apart = {(each["a"], each["b"]) for each in self.disagreements}
        if apart:
            first = self.disagreements[0]
            pairs = f"{len(apart):,} of {counted(size * (size - 1) // 2, 'pair')} of systems"
            such = f"{shown[first['a']]} and {shown[first['b']]}"
            why = f"{first['metric']} and {first['other']}"
            told.append(f"Metrics rank {pairs} differently, most clearly {such} ({why})")
        elif size > 1 and self.pairs:
            told.append(f"All metrics rank the {size} systems alike")
        over = [each for each in self.pooled(0) if each["kendall"] is not None]
        if over:
            over.sort(key=lambda each: float(each["kendall"]))
            ends = [f"{c['kendall']:.2f} ({c['a']}, {c['b']})" for c in (over[0], over[-1])]
            between = f"between {ends[0]} and {ends[1]}" if len(over) > 1 else ends[0]
            told.append(f"Kendall's tau over {over[0]['level']}s is {between}")
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
        """`scores` has a row per system and metric, the others one per record of that name."""
        rows = [{"set": s.name, **row} for s in self.sets for row in score_rows(s.scores)]
        found = {name: partial(getattr, self, name) for name in ("correlations", "disagreements")}
        return {"scores": lambda: rows, **found, **Output.frames(self)}

    def blocks(self, look: LongLook) -> list[Block]:
        """Sizes, scores, learning curves, correlations, rankings, perfect sentences, notes: the
        order of the paper."""
        blocks: list[Block] = [*_sizes(self), _scores(self), *_curves(self)]
        for section in (_correlations, _disagreements, _perfect) if self.pairs else ():
            blocks += section(self, look)
        for each in self.sets:
            before = f"{each.name}: " if len(self.sets) > 1 else ""
            blocks.append(Text(before + gold_line(each.scores), role="gold"))
            blocks += [Text(before + line, role="coverage") for line in coverage_lines(each.scores)]
        signed = [(r.system, r.metric, r.signature) for each in self.sets for r in each.scores]
        return [*blocks, *map(Text, self.notes), *signature_texts(signed, self.metric_names)]

    def __repr__(self) -> str:
        return f"<MetricComparison: {self.title}>"


def correlate(a: str, b: str, level: str, x: Floats, y: Floats) -> dict[str, Any]:
    """Pearson's r, Spearman's rho and Kendall's tau-b over places where both metrics have a value,
    as a record; or a reason why there are none."""
    both = ~np.isnan(x + y)
    x, y = x[both], y[both]
    found = {"a": a, "b": b, "level": level, "n": len(x), "undefined": len(both) - len(x)}
    same = [metric for metric, v in ((a, x), (b, y)) if len(v) < LEAST or np.ptp(v) <= SAME]
    if same:
        few = f"there are fewer than three {level}s with both values"
        reason = few if len(x) < LEAST else f"all {level}s have the same {same[0]}"
        return {**found, **dict.fromkeys(COEFFICIENTS), "reason": reason}
    from scipy import stats

    each = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    return {**found, **dict(zip(COEFFICIENTS, (float(c.statistic) for c in each), strict=True))}


def _sizes(found: MetricComparison) -> Iterator[Table]:
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
    if rows:
        title, data = "Average number of gold items and tokens", [str(row[0]) for row in rows]
        yield Table(tuple(columns), tuple(rows), title=title, keys=2, contests=tuple(data))


def _scores(found: MetricComparison) -> Table:
    """All metrics for all systems: the paper's Table 4. Systems compete within their set, or sets
    with each other where each has one system."""
    tables = {each.name: main_table(each.scores.shortly_named()) for each in found.sets}
    rows = [(name, row) for name, table in tables.items() for row in table.rows]
    first, several = next(iter(tables.values())), len(tables) > 1
    return Table(
        (*([Column("data")] if several else []), *first.columns),
        tuple((name, *row) if several else row for name, row in rows),
        title=f"Results for {counted(len(found.metric_names), 'metric')}",
        keys=1 + several,
        contests=() if len(rows) == len(tables) else tuple(name for name, _ in rows),
    )


def _curves(found: MetricComparison) -> Iterator[Lines]:
    """Learning curves, as the paper's Figures 7 to 9: a figure per metric with a line per system,
    or of a single system a figure with a line per metric."""
    every = [each for one in found.sets for each in one.curves]
    alone = len({(each["set"], each["curve"]) for each in every}) == 1
    figures: dict[tuple[str, Any], list[Series]] = {}
    for each in every:
        metric, points = found.metric_names[each["metric"]], each["points"]
        reason = next((point["reason"] for point in points if point["value"] is None), "")
        xs, ys = (tuple(point[key] for point in points) for key in ("size", "value"))
        name = metric if alone else f"{each['set']}: {each['curve']}"
        kind = kind_of(found.scores.part(each["metric"]).kind)
        line = Series(name, xs, ys, reason=reason)
        figures.setdefault(("" if alone else metric, kind), []).append(line)
    for (metric, kind), series in figures.items():
        title = f"Learning curves{f' ({metric})' if metric else ''}"
        axes: dict[str, Any] = {"x_axis": "size", "x_kind": "count", "y_kind": kind}
        yield Lines(tuple(series), title=title, y_axis=metric, **axes)


def _correlations(found: MetricComparison, look: LongLook) -> Iterator[Block]:
    """Coefficients of every two metrics over sentences and over systems; as a picture, those of
    Kendall."""
    names, units = found.metric_names, found.pooled(0)
    noun = f"{units[0]['level']}s"
    columns = [Column("metric"), Column("and"), *_coefficients(noun)]
    columns += [Column("left out", noun, "count"), *_coefficients("systems")]
    rows: list[tuple[Cell, ...]] = []
    for each, over in zip(units, found.pooled(1), strict=True):
        first, second = (
            [or_missing(of[c], of.get("reason")) for c in COEFFICIENTS] for of in (each, over)
        )
        rows.append((names[each["a"]], names[each["b"]], *first, each["undefined"], *second))
    shown = tuple(rows[: look.usual(MANY)])
    yield Table(
        tuple(columns),
        shown,
        title="Correlation of metrics",
        keys=2,
        omitted=rest_text(len(rows) - len(shown), is_text=look.is_text),
        note="r: Pearson, rho: Spearman, tau: Kendall's tau-b; left out: no value for one metric",
    )
    if look.draws and len(names) > 2:
        tau = {frozenset((each["a"], each["b"])): each["kendall"] for each in units}
        values = tuple(tuple(tau.get(frozenset((a, b))) for b in names) for a in names)
        every, title = tuple(names.values()), f"Kendall's tau over {noun}"
        yield Matrix(every, every, values, title=title, kind="value", largest=1, name="tau")


def _coefficients(group: str) -> list[Column]:
    return [Column(name, group, "value", digits=3) for name in ("r", "rho", "tau")]


def _disagreements(found: MetricComparison, look: LongLook) -> Iterator[Block]:
    """Systems that metrics rank differently, with the changes by all metrics."""
    apart = [*dict.fromkeys((each["a"], each["b"]) for each in found.disagreements)]
    place = {label: n for n, (label, _) in enumerate(found.labels.values())}
    shown = dict(found.labels.values())
    columns = [Column("from"), Column("to")]
    for metric, name in found.metric_names.items():
        columns.append(Column(name, "change", kind_of(found.scores.part(metric).kind, "delta")))
    rows: list[tuple[Cell, ...]] = []
    for a, b in apart[: look.usual(SHOWN)]:
        changes = (float(each[place[b]] - each[place[a]]) for each in found.values.values())
        rows.append((shown[a], shown[b], *(or_missing(plain(change)) for change in changes)))
    if rows:
        title = "Systems that metrics rank differently"
        rest = rest_text(len(apart) - len(rows), is_text=look.is_text)
        yield Table(tuple(columns), tuple(rows), title=title, keys=2, omitted=rest)


def _perfect(found: MetricComparison, look: LongLook) -> Iterator[Block]:
    """Sentences that are perfect under one metric but not under the other, by the error types of the
    other: the paper's sections 5.1 to 5.3."""
    every: dict[tuple[str, str], dict[tuple[str, str], Any]] = {}
    totals: Counter[tuple[str, str]] = Counter()
    for each in (each for one in found.sets for each in one.perfect):
        pair = each["metric"], each["other"]
        every.setdefault(pair, {})[each["set"], each["system"]] = each
        totals[pair] += len(each["ids"])
    declared = {each.name: each for each in found.scores.results[0].types}
    shown = [pair for pair, _ in totals.most_common(look.usual(SHOWN))]
    rows: list[tuple[Cell, ...]] = []
    cited: list[tuple[Cell, ...]] = []
    for pair in shown:
        both = [found.metric_names[metric] for metric in pair]
        counts = {key: {"any": len(of["ids"]), **of["types"]} for key, of in every[pair].items()}
        kinds = {kind for each in counts.values() for kind in each}
        for kind in sorted(kinds, key=lambda kind: (kind != "any", type_order(kind, declared))):
            cells = (counts.get(key, {}).get(kind, 0) for key in found.labels)
            rows.append((*both, kind, *cells))
        for key, each in every[pair].items():
            ids = listed(each["ids"], len(each["ids"]) if look.all else EXAMPLES)
            cited.append((*both, found.labels[key][1], ids))
    keys = [Column("perfect under"), Column("but not under")]
    columns = [Column(name, "sentences", "count") for _, name in found.labels.values()]
    if rows:
        yield Table(
            (*keys, Column("error type"), *columns),
            tuple(rows),
            title="Sentences that are perfect under one metric but not under the other",
            keys=3,
            contests=tuple(f"{row[0]} {row[1]}" for row in rows),
            omitted=rest_text(len(totals) - len(shown), is_text=look.is_text, noun="more pair"),
            note=legend(dict.fromkeys(str(row[2]) for row in rows), declared.values()),
        )
    if cited:
        columns = [*keys, Column("system"), Column("examples")]
        yield Table(tuple(columns), tuple(cited), title="Examples of these sentences", keys=3)
