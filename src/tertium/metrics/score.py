"""`tertium.score`: read, align, decide, count, and put numbers on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, Literal

from tertium.align.tokens import align as align_tokens
from tertium.exceptions import UsageError
from tertium.formats.read import read_file
from tertium.formats.resources import Lexicon
from tertium.formats.sources import Source
from tertium.formats.trees import check_trees
from tertium.metrics.base import Metric, make
from tertium.metrics.request import ReadingOptions, input_of, request
from tertium.metrics.results import results_of
from tertium.metrics.sets import MetricSet
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.running import run_all
from tertium.results.decisions import Decisions
from tertium.results.scores import Scores


class ScoringOptions(ReadingOptions, total=False):
    """What `score` takes besides data."""

    metric: str | Metric | Sequence[str | Metric] | None
    labels: bool | Literal["single"]
    confusion: bool
    jobs: int
    executor: Executor | None
    names: Sequence[str] | None
    progress: Callable[[int, int], None] | None


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
    labels: bool | Literal["single"] = True,
    confusion: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    names: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score systems against a gold standard.

    `gold` and each system may be a path, a glob, a folder, `-`, `NAME=path`, a `Corpus`, lists of
    lists of tags, a list of dictionaries, or a polars or pandas frame; several runs of one system
    are `NAME=path,path,...` or `tertium.runs`. Without `metric` every layer
    that gold and systems share is scored. `by` scores groups besides the whole: of units by a key
    of the comments, `length`, `document` or `file`, or of items by a property of words such as
    `distance`. `labels` asks for figures per label; "single" leaves them out for sets such as
    `deps.ud`, which have many. Several files a side are paired by name and read one pair at a time,
    in `jobs` processes or by any `concurrent.futures` executor; `progress` is told how many pairs
    are done, and of how many.

    >>> from tertium import score
    >>> score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "O"]], metric="spans.f1").value
    1.0
    """
    if jobs < 1:
        raise UsageError(f"jobs must be at least 1. Got {jobs} instead.")
    asked = request(
        gold,
        systems,
        metric=metric,
        input_format=input_format,
        system_format=system_format,
        columns=columns,
        system_columns=system_columns,
        align=align,
        on_error=on_error,
        by=by,
        lexicon=lexicon,
        map_labels=map_labels,
        with_files=with_files,
        labels=labels,
        confusion=confusion,
        names=names,
    )
    outcomes = []
    for outcome in run_all(asked.shards, asked.options, jobs=jobs, executor=executor):
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), len(asked.shards))

    notes = _unused_lexicon(outcomes[0].fitted, asked.options)
    scores = results_of(asked.gold, asked.systems, outcomes, asked.options, asked.digest())
    return replace(scores, notes=(*scores.notes, *notes), runs=asked.runs)


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
    judge = make(metric)
    if isinstance(judge, MetricSet):
        raise UsageError(f"{judge!r} judges no single items: there is no item view of it")
    forests = Options(metrics=(judge,)).forests
    corpora = []
    for data, format in ((gold, formats[0]), (system, formats[1] or formats[0])):
        source, _ = input_of(data, "data")
        if isinstance(source, Source):
            if source.is_sharded:
                raise UsageError("decide takes one file a side")
            file = source.files[0]
            source = read_file(file, format=format, on_error=on_error, forests=forests)
        check_trees(source, forests=forests)
        corpora.append(source)
    fitted = judge.fit(judge.facts(corpora[0]))
    fitted.check(corpora[1])
    alignment = align_tokens(corpora[0], corpora[1], method=method)
    return fitted.decide(corpora[0], corpora[1], alignment)


def _unused_lexicon(metrics: Sequence[Metric], options: Options) -> list[str]:
    if options.lexicon is None or any("lexicon" in m.parameters() for m in metrics):
        return []
    if options.by == "known":  # the groups look them up
        return []
    return [f"{options.lexicon.path} is not used: no metric here looks words up"]
