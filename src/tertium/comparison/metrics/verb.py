"""`tertium.metrics`: metric against metric on the same systems (Rehbein and van Genabith 2007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tertium.align.units import shown_names
from tertium.comparison.metrics.result import MeasuredSet, MetricComparison
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.families.base import Floats, Metric, has_items, part_of
from tertium.families.family import audited_metrics
from tertium.formats.sources import SIZE, Source, series_of
from tertium.options import Verb, fill, option, take
from tertium.results.confusions import summed
from tertium.results.output import LongLook, picked
from tertium.results.sentences import sentence_ids
from tertium.results.stats import Totals
from tertium.significance.correlation import SAME
from tertium.significance.score.counts import FileScores, scores_of, texts_of
from tertium.study.data import DataOptions, arranged, reads_data
from tertium.study.files import File
from tertium.study.study import Study, Way
from tertium.study.walk import walk


@dataclass(frozen=True)
class MetricsOptions:
    """What `metrics` takes besides how files are read."""

    sets: tuple[str, ...] | Mapping[str, Sequence[Any]] = option(
        (), "A set of data, such as a treebank: its name, its gold standard and one or more "
        "systems; repeatable. GOLD SYSTEM are not needed then.",
        flag="--set", metavar="NAME=GOLD,SYSTEM,...", objects=True,
    )  # fmt: skip
    curve: tuple[str, ...] = option(
        (), "A series of outputs, such as 'out.{size}.mrg' in quotes, {size} being a number: show "
        "learning curves; repeatable. A SYSTEM may be a series as well.",
        metavar="PATTERN", path=True,
    )  # fmt: skip


OPTIONS = (Study, MetricsOptions, Way, DataOptions)


class FileMeasures(NamedTuple):
    """Scores of a file, and:

    - `values`: by system and metric, the value of every sentence or document, nan for none
    - `items`: by metric and what its items are called, the number of gold items
    - `ids`: by system and two metrics, sentences that are perfect under the first metric but not
      under the second
    - `types`: in how many of these an error type of the second metric occurs
    """

    scores: FileScores
    values: dict[tuple[str, str], Floats]
    items: dict[tuple[str, str], int]
    ids: dict[tuple[str, str, str], list[str]]
    types: dict[tuple[tuple[str, str, str], str], int]


@reads_data()
def metrics(*data: Any, **options: Any) -> MetricComparison:
    """Compare metrics on the same systems: scores, correlations, rankings that disagree, sentences
    that are perfect under one metric but not under the other, learning curves.

    The first argument is the gold standard, the others are systems; both are given as for
    `tertium.score`. `sets` holds further gold standards with their systems by name. Without
    `metric` all metrics are compared that fit the first kind of annotation in gold.

    >>> gold, a = [["B-PER", "I-PER"], ["B-LOC", "O"]], [["B-PER", "O"], ["B-LOC", "O"]]
    >>> [round(float(values[0]), 3) for values in metrics(gold, a).values.values()]
    [0.5, 0.667, 0.75]
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(MetricsOptions, rest, verb="metrics", others=OPTIONS)
    reading = {"labels": False, "also": frozenset({"comments"}), **reading}
    found: list[MeasuredSet] = []
    for name, (gold, *systems) in _given(data, own).items():
        one, reading["metric"] = _measured(name, gold, systems, reading, way)
        found.append(one)
    notes = dict.fromkeys(note for each in found for note in each.scores.notes)
    if len(found[0].scores.metrics) < 2:
        notes["there is only one metric; '--metric' names those to be compared"] = None
    return MetricComparison(tuple(found), tuple(notes))


def _given(data: Sequence[Any], own: MetricsOptions) -> dict[str, Sequence[Any]]:
    """Gold and systems by the name of their set, which is empty for those without one."""
    if not data and (own.curve or not own.sets):
        raise UsageError("give a gold standard and one or more systems, or '--set'")
    for pattern in own.curve:
        series_of(pattern)  # what is not a series is refused, not taken for a system
    given: dict[str, Sequence[Any]] = {"": [*data, *own.curve]} if data else {}
    if isinstance(own.sets, Mapping):
        return given | {name: arranged(each, DataOptions()) for name, each in own.sets.items()}
    for text in own.sets:
        name, equals, files = text.partition("=")
        if not (name and equals and "," in files):
            raise UsageError(f"a set must be NAME=GOLD,SYSTEM. Got '{text}' instead.")
        if name in given:
            raise UsageError(f"two sets are named '{name}'", help="give each its own name")
        given[name] = files.split(",")
    return given


def _measured(
    name: str, gold: Any, systems: Sequence[Any], reading: Mapping[str, Any], way: Mapping[str, Any]
) -> tuple[MeasuredSet, tuple[Metric, ...]]:
    """A set, and the metrics that it was judged by as they were requested. Of a series the largest
    output is shown as a system where there is no other."""
    series = {text: series_of(text) for text in systems if isinstance(text, str) and SIZE in text}
    outputs = [Source(file, (file,)) for each in series.values() for file in each.values()]
    single = [each for each in systems if not isinstance(each, str) or each not in series]
    study = Study.of(gold, [*single, *outputs], defaults=_of_one_family, **reading)
    parts = [*walk(study, measure, **way)]
    scores = replace(scores_of(study, [part.scores for part in parts]), runs={})
    name, curves = name or Path(study.gold).name or study.gold, []
    shown = [*study.systems[: len(study.systems) - len(outputs)]]
    names = iter(study.systems[len(shown) :])
    for pattern, files in series.items():
        of_size = dict(zip(files, names, strict=False))
        shown += [] if single else [*of_size.values()][-1:]
        for metric in scores.metrics:
            each = ({"size": size, **scores[x, metric].to_dict()} for size, x in of_size.items())
            points = picked(each, "size", "system", "value", "parts", "reason")
            about = {"set": name, "curve": Path(pattern).name, "metric": metric}
            curves.append({**about, "points": points})
    types, perfect = summed(part.types for part in parts), []
    for key in parts[0].ids:
        ids = [id for part in parts for id in part.ids.get(key, ())]
        kinds = {kind: count for (one, kind), count in types.items() if one == key}
        if ids and key[0] in shown:
            about = dict(zip(("system", "metric", "other"), key, strict=True))
            perfect.append({"set": name, **about, "types": kinds, "ids": ids})
    judged = [key for key in parts[0].values if all(key in part.values for part in parts)]
    found = MeasuredSet(
        name,
        replace(scores, results=tuple(each for each in scores if each.system in shown)),
        {key: np.concatenate([part.values[key] for part in parts]) for key in judged},
        summed(part.items for part in parts),
        perfect,
        curves,
    )
    return found, parts[0].scores.metrics


def measure(file: File) -> FileMeasures:
    """Judge every system of a file by every metric."""
    findings, texts = list[Any](), texts_of(file.metrics)
    found = FileMeasures(FileScores.of(file, ()), {}, {}, {}, {})
    before = f"{file.shard.name}:" if file.shard.name else ""  # where there are several files
    names = {"sentence": sentence_ids(file.gold, file.kept), "document": shown_names(file.gold)}
    for system in file.systems():
        judged = dict(zip(texts, system.judge(), strict=True))
        findings.append([each.finding for each in judged.values()])
        perfect = {}
        for text, each in ((text, each) for text, each in judged.items() if not each.missing):
            metric, stats = each.fitted, each.stats
            values = metric.score(Totals(stats.columns, stats.dense))[metric.headline]
            found.values[system.name, text] = values
            perfect[text] = np.abs(values - _best(metric)) <= SAME
        for a, b in permutations(perfect, 2):
            mine, other = judged[a].fitted, judged[b].fitted
            if mine.unit != other.unit:
                continue
            chosen = perfect[a] & ~perfect[b] & ~np.isnan(found.values[system.name, b])
            key, places = (system.name, a, b), np.flatnonzero(chosen).tolist()
            found.ids[key] = [before + names[mine.unit][place] for place in places]
            if places and has_items(other):
                rows = judged[b].decisions
                wrong, size = ~rows.right & chosen[rows.unit], len(rows.error_types)
                codes = np.unique(rows.unit[wrong].astype(np.int64) * size + rows.error_type[wrong])
                types = enumerate(np.bincount(codes % size).tolist())
                found.types.update({(key, rows.error_types[code]): n for code, n in types if n})
        del system, judged  # before the next is read: both may be large
    # Systems may have lost sentences: gold itself has all items.
    for text, each in zip(texts, file.beside(file.gold, file.study.gold).judge(), strict=True):
        if has_items(each.fitted):
            found.items[text, each.fitted.item] = int(each.decisions.in_gold.sum())
    return found._replace(scores=FileScores.of(file, findings))


def _best(metric: Metric) -> float:
    """The value that cannot be better; nan where there is none."""
    part = part_of(metric)
    return {"higher": part.range[1], "lower": part.range[0]}.get(part.better, np.nan)


def _of_one_family(gold: Corpus) -> tuple[Metric, ...]:
    """All metrics that somebody might report of the first kind of annotation that gold has."""
    found = audited_metrics(gold)
    return tuple(metric for metric in found if metric.family == found[0].family)


def _files(given: Mapping[str, Any]) -> list[str]:
    """All files that options name."""
    sets = [text.partition("=")[2].split(",") for text in given.get("sets", ())]
    every = [*(file for each in sets for file in each), *given.get("curve", ())]
    return [file.replace(SIZE, "*") for file in every]


VERB = Verb(
    "metrics",
    metrics,
    """Compare metrics with each other on the same systems.

    Shows how far metrics agree (Rehbein and van Genabith 2007): their correlation over sentences
    and systems, systems that they rank differently, and sentences that are perfect under one metric
    but not under the other. GOLD and each SYSTEM are given as for 'tertium score'.

    \b
    tertium metrics gold.conllu a.conllu b.conllu c.conllu
    tertium metrics gold.mrg --curve 'out.{size}.mrg'
    tertium metrics --set tiger=gold.mrg,parse.mrg --set tueba=other.mrg,out.mrg
    """,
    arguments="GOLD SYSTEM...",
    options=OPTIONS,
    look=LongLook,
    without=frozenset({"by", "lexicon"}),
    figures=True,
    stands_in="sets",
    also_reads=_files,
    cite=("rehbein-van-genabith-2007-evaluating",),
)
