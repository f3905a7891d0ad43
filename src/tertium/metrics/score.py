"""`tertium.score`: read, align, decide, count, and put numbers on it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.align.tokens import METHODS
from tertium.align.tokens import align as align_tokens
from tertium.corpus.decisions import Decisions
from tertium.corpus.result import Result, Scores, plain
from tertium.corpus.stats import Stats, Totals
from tertium.exceptions import LayerError, UsageError
from tertium.formats.base import ON_ERROR, Format
from tertium.formats.columns import Columns
from tertium.formats.objects import from_python
from tertium.formats.read import read_file
from tertium.formats.resources import Lexicon, load_labels, load_lexicon
from tertium.formats.sniff import make as make_format
from tertium.formats.sources import Source, resolve
from tertium.metrics.base import Metric, make, union
from tertium.metrics.groups import group_order
from tertium.metrics.shards import Input, Judged, Options, Outcome, merge, pair, run_all
from tertium.signature import Signature


def score(
    gold: Any,
    *systems: Any,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    input_format: str | None = None,
    system_format: str | None = None,
    columns: str | None = None,
    system_columns: str | None = None,
    align: str = "auto",
    on_error: str = "fail",
    by: str | None = None,
    lexicon: str | Lexicon | None = None,
    map_labels: Sequence[str] = (),
    with_files: Sequence[str] = (),
    labels: bool = True,
    confusion: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    names: Sequence[str] | None = None,
) -> Scores:
    """Score systems against a gold standard.

    `gold` and each system may be a path, a glob, a folder, `-`, `NAME=path`, a `Corpus`, lists of
    lists of tags, a list of dictionaries, or a polars or pandas frame. Without `metric` every layer
    that gold and systems share is scored. Several files a side are paired by name and read one
    pair at a time, in `jobs` processes or by any `concurrent.futures` executor.

    >>> from tertium import score
    >>> score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "O"]], metric="spans.f1").value
    1.0
    """
    if not systems:
        raise UsageError("there is no system to score; give one or more after the gold standard")
    if align not in METHODS:
        raise UsageError(f"align must be one of {', '.join(METHODS)}. Got '{align}' instead.")
    if on_error not in ON_ERROR:
        raise UsageError(
            f"on_error must be one of {', '.join(ON_ERROR)}. Got '{on_error}' instead."
        )
    if jobs < 1:
        raise UsageError(f"jobs must be at least 1. Got {jobs} instead.")
    gold_input, gold_name = _input(gold, "gold")
    given = [
        _input(s, f"system{i}" if len(systems) > 1 else "system") for i, s in enumerate(systems, 1)
    ]
    system_names = _distinct(list(names) if names else [name for _, name in given], len(given))
    inputs = [gold_input, *(g for g, _ in given)]
    if sum(isinstance(i, Source) and i.files == ("-",) for i in inputs) > 1:
        raise UsageError("standard input ('-') can be read only once")
    options = Options(
        metrics=_metrics(metric),
        gold_format=_format(input_format, columns),
        system_format=_format(system_format, system_columns) or _format(input_format, columns),
        align=align,
        on_error=on_error,
        by=by,
        lexicon=load_lexicon(lexicon) if isinstance(lexicon, str) else lexicon,
        maps=tuple(load_labels(text) for text in map_labels),
        with_files=tuple(with_files),
        labels=labels,
        confusion=confusion,
    )
    sides = [_in_memory(i, options, of_gold=n == 0) for n, i in enumerate(inputs)]
    shards = pair(sides[0], sides[1:])
    outcomes = list(run_all(shards, options, jobs=jobs, executor=executor))

    return _scores(gold_name, system_names, outcomes, options)


def decide(gold: Any, system: Any, metric: str | Metric, **options: Any) -> Decisions:
    """The decisions behind a score: one row per judged item, as columns (`.to_frame()` for polars).

    Takes one gold and one system as `score` does; `align`, `input_format`, `system_format` and
    `on_error` as there.
    """
    method = options.pop("align", "auto")
    formats = [options.pop(k, None) for k in ("input_format", "system_format")]
    on_error = options.pop("on_error", "fail")
    if options:
        raise UsageError(f"decide has no parameter '{next(iter(options))}'")
    corpora = []
    for data, format in ((gold, formats[0]), (system, formats[1] or formats[0])):
        source, _ = _input(data, "data")
        if isinstance(source, Source):
            if source.is_sharded:
                raise UsageError("decide takes one file a side")
            source = read_file(source.files[0], format=format, on_error=on_error)
        corpora.append(source)
    fitted = make(metric).fit(corpora[0])
    fitted.check(corpora[1])
    alignment = align_tokens(corpora[0], corpora[1], method=method)
    return fitted.decide(corpora[0], corpora[1], alignment)


def _scores(
    gold_name: str, systems: Sequence[str], outcomes: Sequence[Outcome], options: Options
) -> Scores:
    """Add up shards and put numbers on the sums."""
    metrics, fitted = outcomes[0].metrics, outcomes[0].fitted
    groups = [key for outcome in outcomes for key in outcome.groups]
    notes = list(dict.fromkeys(note for outcome in outcomes for note in outcome.notes))
    results: list[Result] = []
    found = {
        (s, m): merge([o.judged[s][m] for o in outcomes])
        for s in range(len(systems))
        for m in range(len(metrics))
    }
    for m in range(len(metrics)):
        if all(found[s, m].stats is None for s in range(len(systems))):
            raise LayerError(found[0, m].missing or "there is nothing to score")
    for s, name in enumerate(systems):
        for m, metric in enumerate(metrics):
            facts = union(found[other, m].facts for other in range(len(systems)))
            signature = _signature(fitted[m], facts, options)
            judged = found[s, m]
            result = _result(name, metric, judged, judged.stats, signature)
            notes += judged.remarks
            if judged.stats is None:
                notes.append(f"{name}: {judged.missing}")
            elif options.by:
                result = replace(
                    result, groups=_grouped(result, metric, judged, groups, options.by)
                )
            results.append(result)
    return Scores(
        gold=gold_name,
        units=sum(o.units for o in outcomes),
        tokens=sum(o.tokens for o in outcomes),
        results=tuple(results),
        by=options.by,
        notes=tuple(dict.fromkeys(notes)),
        version=__version__,
    )


def _result(
    system: str, metric: Metric, judged: Judged, stats: Stats | None, signature: Signature
) -> Result:
    common: dict[str, Any] = {
        "system": system,
        "metric": repr(metric),
        "signature": signature,
        "better": metric.better,
        "shown": metric.shown,
    }
    if stats is None:
        return Result(
            value=None,
            parts={},
            counts={},
            labels={},
            coverage={},
            reasons={"value": judged.missing or ""},
            **common,
        )
    totals = stats.totals()
    parts = {name: plain(float(value)) for name, value in metric.score(totals).items()}
    reasons = {name: metric.reason(name) for name, value in parts.items() if value is None}
    if parts[metric.headline] is None:
        reasons = {"value": reasons[metric.headline], **reasons}
    return Result(
        value=parts[metric.headline],
        parts=parts,
        counts={name: _number(float(totals[name])) for name in metric.counted},
        labels=_labels(metric, totals),
        coverage=judged.coverage,
        reasons=reasons,
        confusion=judged.confusion,
        stats=stats,
        **common,
    )


def _labels(metric: Metric, totals: Totals) -> dict[str, dict[str, Any]]:
    """Numbers and counts of every label that occurs, by name."""
    scores = metric.label_scores(totals)
    return {
        label: {
            **{name: plain(float(values[i])) for name, values in scores.items()},
            "counts": {name: _number(float(block[i])) for name, block in totals.sparse.items()},
        }
        for i, label in enumerate(totals.labels)
        if any(block[i] for block in totals.sparse.values())
    }


def _grouped(
    whole: Result, metric: Metric, judged: Judged, groups: Sequence[str], by: str
) -> dict[str, Result]:
    assert judged.stats is not None
    keys = np.array(groups, dtype=object)
    results = {}
    for name in group_order(by, groups):
        members = keys == name
        stats = judged.stats.take(members)
        part = replace(judged, coverage={"units": int(members.sum())}, confusion={})
        results[name] = _result(whole.system, metric, part, stats, whole.signature)
    return results


def _number(value: float) -> float:
    return int(value) if value == int(value) else value


def _signature(metric: Metric, facts: frozenset[str], options: Options) -> Signature:
    settings = metric.settings(facts)
    settings["align"] = options.align
    if options.on_error != "fail":
        settings["on_error"] = options.on_error
    if options.maps:
        settings["map"] = tuple(f"{m.layer}={m.name}" if m.layer else m.name for m in options.maps)
    settings["version"] = metric.version
    settings["tertium"] = __version__
    return Signature.make(metric.id, settings)


def _metrics(
    metric: str | Metric | Sequence[str | Metric] | None,
) -> tuple[Metric, ...] | None:
    if metric is None:
        return None
    made = [make(m) for m in ([metric] if isinstance(metric, str | Metric) else metric)]
    for i, m in enumerate(made):
        if m in made[:i]:
            raise UsageError(f"metric {m!r} is asked for twice")
    return tuple(made)


def _format(name: str | None, columns: str | None) -> Format | None:
    if columns is None:
        return make_format(name) if name else None
    if name not in (None, "columns"):
        raise UsageError(f"'columns' goes with format 'columns', not with '{name}'")
    return Columns(columns=columns)


def _input(data: Any, name: str) -> tuple[Input, str]:
    """A source or a corpus, and its name."""
    if isinstance(data, str):
        source = resolve(data)
        return source, source.name
    if hasattr(data, "__fspath__"):
        source = resolve(str(data))
        return source, source.name
    if isinstance(data, Source):
        return data, data.name
    corpus = from_python(data, name=name)
    return corpus, corpus.origin


def _in_memory(source: Input, options: Options, *, of_gold: bool) -> Input:
    """Standard input as a corpus, since it cannot be read twice; everything else as it is."""
    if not isinstance(source, Source) or source.files != ("-",):
        return source
    format = options.gold_format if of_gold else options.system_format
    return read_file("-", format=format, on_error=options.on_error, name=source.name)


def _distinct(names: list[str], count: int) -> list[str]:
    """Names of systems; the same name twice cannot be told apart in a table."""
    if len(names) != count:
        raise UsageError(f"there are {count} systems, but {len(names)} names")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two systems are named '{name}'", help="name them: A=path B=path")
    return names
