"""`tertium.across_datasets`: systems over several data sets, from the output of `tertium score`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from tertium._version import __version__
from tertium.exceptions import UsageError
from tertium.families.family import main_metric
from tertium.families.sets import headers_of, named_part
from tertium.options import SIGNIFICANCE, Verb, fill, option, takes
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Table,
    Text,
    better_of,
    kind_of,
    or_missing,
)
from tertium.results.output import Look, Output, flat_rows
from tertium.results.parts import Part, Way
from tertium.results.texts import counted, level
from tertium.significance.across import COMBINING, Datasets, Effects, across, effects
from tertium.significance.corrections import check_alpha
from tertium.significance.outputs import (
    ScoreOutput,
    check_settings,
    common_metrics,
    common_systems,
    no_metric,
    output_notes,
    read_output,
)
from tertium.significance.rank_tables import best_text, friedman_text, rank_blocks
from tertium.significance.score.result import Scores

UNDEFINED = "undefined on this data set"
NOT_SCORED = "not scored on this data set"
NO_RANKS = "neither higher nor lower values are better, so systems cannot be ranked"


@dataclass(frozen=True)
class DatasetOptions:
    """What is compared over data sets, and at which level."""

    metric: str | Sequence[str] | None = option(
        None,
        "A metric of the outputs; repeatable. Default: all, which must be the same in each.",
        many=True, metavar="ID", objects=True, short="-m"
    )  # fmt: skip
    alpha: float = option(
        0.05,
        "Significance level of the critical difference and of effects. Default: 0.05.",
        metavar="ALPHA",
        group=SIGNIFICANCE,
    )


@dataclass(frozen=True, eq=False)
class MetricAcross:
    """Systems under one metric over data sets.

    - `values`: by system, in the order of the data sets; None where undefined
    - `found`: ranks and tests over data sets; None where there is nothing to rank, with a `reason`
    - `effects`: by pair of systems, on how many data sets they differ; none where no output has
      tests
    - `part`: what the metric says about its value
    - `tested`: how many data sets have tests of this metric
    - `units`: what its units are, and how many there are in each data set
    - `partial`: systems that some data sets lack, which have no rank; `names`: the data sets
    """

    metric: str
    part: Part
    values: Mapping[str, tuple[float | None, ...]]
    found: Datasets | None
    effects: Effects = ()
    tested: int = 0
    reason: str = ""
    units: tuple[str, tuple[int | None, ...]] = ("sentence", ())
    partial: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    @property
    def averages(self) -> dict[str, float | None]:
        """The mean over data sets of every system; None where one has no value on some."""
        return {
            system: None if (some := [v for v in row if v is not None]) != [*row] else fmean(some)
            for system, row in self.values.items()
        }

    @property
    def average_reasons(self) -> dict[str, str]:
        """Of systems without an average, the data sets on which they have no value."""
        found = {}
        for system, row in self.values.items():
            lacking = [name for name, value in zip(self.names, row, strict=True) if value is None]
            if lacking:
                found[system] = f"{system} has no value on {', '.join(lacking)}"
        return found

    @property
    def better(self) -> Way:
        """Which values win."""
        return self.part.better

    def to_dict(self) -> dict[str, Any]:
        """The entry in `metrics` of the JSON output."""
        lacking = self.average_reasons
        effects = [{"a": a, "b": b, **each.to_dict()} for a, b, each in self.effects]
        return {
            "metric": self.metric,
            "better": self.better,
            "values": {system: list(row) for system, row in self.values.items()},
            "average": self.averages,
            **({"average_reasons": lacking} if lacking else {}),
            "across": self.found and self.found.to_dict(),
            **({"reason": self.reason} if self.reason else {}),
            "tested": self.tested,
            **({"effects": effects} if effects else {}),
        }


@dataclass(frozen=True, eq=False)
class AcrossDatasets(Output):
    """Systems over several data sets, metric by metric."""

    names: tuple[str, ...]
    systems: tuple[str, ...]
    units: tuple[int | None, ...]
    metrics: tuple[MetricAcross, ...]
    alpha: float
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    def __getitem__(self, metric: str) -> MetricAcross:
        for each in self.metrics:
            if each.metric == metric:
                return each
        raise no_metric(metric, [each.metric for each in self.metrics])

    @property
    def title(self) -> str:
        """Which systems, over how many data sets."""
        return f"{', '.join(self.systems)} over {len(self.names)} data sets"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of([each.metric for each in self.metrics])

    def in_short(self) -> str:
        """Which system is best over data sets by the main metric."""
        each = self[main_metric([each.metric for each in self.metrics])]
        told = each.reason if each.found is None else best_text(each.found, each.part)
        return f"{each.metric}: {told}"

    def __repr__(self) -> str:
        return f"<AcrossDatasets: {self.title}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium datasets` (docs/verbs/datasets.md)."""
        return {
            "tertium": self.version,
            "datasets": [
                {"name": name, "units": units}
                for name, units in zip(self.names, self.units, strict=True)
            ],
            "systems": list(self.systems),
            "alpha": self.alpha,
            "metrics": [each.to_dict() for each in self.metrics],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """The flattened dictionary; a value has its system and its data set beside it."""
        data = self.to_dict()
        for each in data["metrics"]:
            values, average = each.pop("values"), each.pop("average")
            each["systems"] = {
                s: {**dict(zip(self.names, row, strict=True)), self._average: average[s]}
                for s, row in values.items()
            }
        return flat_rows(data)

    def blocks(self, look: Look) -> list[Block]:
        """For each metric the values, the diagram of ranks, and pairs of systems."""
        blocks: list[Block] = []
        for each in self.metrics:
            blocks.append(self._values(each))
            if each.found is not None:
                over = f"over {counted(len(each.found.names), 'data set')}"
                blocks += rank_blocks(
                    each.metric,
                    each.found,
                    each.effects,
                    each.part,
                    titles=(f"mean ranks {over}", over),
                    sets="data sets",
                )
        blocks += [Text(line, role="tests") for line in self._told(_tests)]
        blocks += [Text(line) for line in self._told(_warnings)]
        names = ", ".join(self.names)
        blocks.append(Text(f"{counted(len(self.names), 'data set')} · {names}", role="gold"))
        return [*blocks, *map(Text, self.notes)]

    @property
    def _average(self) -> str:
        """What the row of averages is called."""
        return f"average of {len(self.names)}"

    def _values(self, each: MetricAcross) -> Table:
        """One row per data set and their average, one column per system: systems compete within a
        row."""
        kind, better = kind_of(each.part.kind), better_of(each.part.better)
        unit, sizes = each.units
        columns = [Column("data set"), Column(f"{unit}s", "", "count")]
        columns += [
            Column(system, each.metric, kind, better, contest=each.metric)
            for system in self.systems
        ]
        rows: list[tuple[Cell, ...]] = []
        for place, (name, size) in enumerate(zip(self.names, sizes, strict=True)):
            values = [
                or_missing(each.values[s][place], NOT_SCORED if s in each.partial else UNDEFINED)
                for s in self.systems
            ]
            rows.append((name, size, *values))
        average, reasons = each.averages, each.average_reasons
        values = [or_missing(average[s], reasons.get(s)) for s in self.systems]
        rows.append((self._average, None, *values))
        return Table(tuple(columns), tuple(rows))

    def _told(self, ask: Callable[[MetricAcross], Iterator[str]]) -> Iterator[str]:
        """What is to be said of the metrics: once, where it holds for all."""
        of_line: dict[str, list[str]] = {}
        for each in self.metrics:
            for line in ask(each):
                of_line.setdefault(line, []).append(each.metric)
        for line, metrics in of_line.items():
            yield line if len(metrics) == len(self.metrics) else f"{', '.join(metrics)}: {line}"


def _tests(each: MetricAcross) -> Iterator[str]:
    """Which tests, in words."""
    data = each.found
    if data is not None and data.friedman is not None:
        if data.can_rank:
            yield f"{friedman_text(data.friedman)}; Nemenyi's CD at {level(data.alpha)}"
        if data.can_differ:
            yield "pairs: Wilcoxon's signed-rank test over data sets, Holm over all pairs"
    elif data is not None and data.can_differ:
        yield "Wilcoxon's signed-rank test and the sign test over data sets"
    if each.effects:
        effect = each.effects[0][2]
        yield (
            f"effect on: partial conjunction at {level(effect.alpha)} with "
            f"{COMBINING[effect.method]}; data sets named by Holm"
        )


def _warnings(each: MetricAcross) -> Iterator[str]:
    if each.found is None:
        yield each.reason
        return
    if each.found.left_out:
        yield f"left out, since a system has no value there: {', '.join(each.found.left_out)}"
    yield from each.found.warnings


@takes(DatasetOptions)
def across_datasets(
    outputs: Mapping[str, str | Path | Scores | Mapping[str, Any]], **options: Any
) -> AcrossDatasets:
    """Compare systems over data sets (Demsar 2006): mean ranks, Friedman's test, the critical
    difference, and Wilcoxon's test for pairs with Holm's correction.

    `outputs` holds for the name of each data set its scores, or the JSON that `tertium score` wrote
    of them (a path, or what is in it). All must have the same systems, the same metrics (or those
    named) and the same settings. Where they hold tests, the number of data sets on which two
    systems differ is told as well (Dror et al. 2017); it needs no more than these. `metric` names
    one or several, `alpha` (0.05) is the level: all options are those of the command line.

    >>> from tertium.significance.score.verb import score
    >>> gold, a, b = [["N", "V"]], [["N", "N"]], [["N", "V"]]
    >>> sets = {n: score(gold, a, b, names=["a", "b"]) for n in ("x", "y", "z")}
    >>> dict(across_datasets(sets).metrics[0].found.mean_ranks)
    {'b': 1.0, 'a': 2.0}
    """
    asked = fill(DatasetOptions, options, verb="across_datasets")
    check_alpha(asked.alpha)
    if len(outputs) < 2:
        raise UsageError(
            f"give two or more data sets. Got {len(outputs)} instead.",
            help="one output of 'tertium score --format json' for each, such as news=news.json",
        )
    read = [read_output(name, each) for name, each in outputs.items()]
    systems, partial = common_systems(read)
    metrics = common_metrics(
        read, [asked.metric] if isinstance(asked.metric, str) else list(asked.metric or ())
    )
    for each in metrics:
        check_settings(read, [*systems, *partial], each)
    found = tuple(_of_metric(read, systems, partial, each, asked.alpha) for each in metrics)
    return AcrossDatasets(
        names=tuple(each.name for each in read),
        systems=(*systems, *partial),
        units=tuple(each.units for each in read),
        metrics=found,
        alpha=asked.alpha,
        notes=tuple(output_notes(read, partial, metrics)),
    )


def _of_metric(
    read: Sequence[ScoreOutput],
    systems: Sequence[str],
    partial: Sequence[str],
    metric: str,
    alpha: float,
) -> MetricAcross:
    names = [each.name for each in read]
    values = {s: tuple(each.values.get((s, metric)) for each in read) for s in systems}
    shown = {s: tuple(each.values.get((s, metric)) for each in read) for s in partial}
    sizes = [each.sizes.get(metric, ("sentence", each.units)) for each in read]
    part = named_part(metric)
    complete = [
        all(row[place] is not None for row in values.values()) for place in range(len(read))
    ]
    reason = "" if any(complete) else "there is no data set on which all systems have a value"
    if part.better == "none":
        reason = reason or NO_RANKS
    found = None if reason else across(values, names, better=part.better, alpha=alpha)
    tests = {
        (a, b, each.name): p for each in read for (a, b, m), p in each.tests.items() if m == metric
    }
    tested = len({name for *_, name in tests})
    pairs = effects(systems, names, lambda *place: tests.get(place), alpha=alpha) if tested else ()
    units = sizes[0][0], tuple(size for _, size in sizes)
    return MetricAcross(
        metric,
        part,
        {**values, **shown},
        found,
        pairs,
        tested,
        reason,
        units,
        frozenset(partial),
        tuple(names),
    )


def _of_files(*files: str, **options: Any) -> AcrossDatasets:
    """The same for files, each under its name."""
    named: dict[str, str | Path | Scores | Mapping[str, Any]] = {}
    for text in files:
        name, equals, path = text.partition("=")
        if not (equals and name) or os.path.exists(text):
            # A file whose own name has a sign of equality is still a file.
            name, path = Path(text).stem, text
        if name in named:
            raise UsageError(
                f"two data sets are called '{name}'", help="give each a name: 'NAME=file.json'"
            )
        named[name] = path
    return across_datasets(named, **options)


VERB = Verb(
    "datasets",
    _of_files,
    """Compare systems over several data sets.

    Each JSON is what 'tertium score --format json' wrote of one data set, with the same systems
    under the same names. With '--significance' there, data sets on which systems differ are
    counted.

    \b
    tertium score news.conllu A=a1.conllu B=b1.conllu --output news.json
    tertium score web.conllu A=a2.conllu B=b2.conllu --output web.json
    tertium datasets news=news.json web=web.json --metric {LAS}
    """,
    arguments="[NAME=]JSON...",
    options=(DatasetOptions,),
    study=False,
    figures=True,
    cite=("demsar-2006-statistical", "sogaard-2013-estimating", "dror-etal-2017-replicability"),
)
