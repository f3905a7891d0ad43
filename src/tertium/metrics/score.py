"""`tertium.score`: read, align, decide, count, and put numbers on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from tertium.align.tokens import METHODS
from tertium.align.tokens import align as align_tokens
from tertium.corpus.decisions import Decisions
from tertium.corpus.result import Scores
from tertium.exceptions import UsageError
from tertium.formats.base import ON_ERROR
from tertium.formats.objects import from_python
from tertium.formats.read import read_file
from tertium.formats.resources import (
    Lexicon,
    file_digest,
    load_labels,
    load_lexicon,
    text_digest,
)
from tertium.formats.sniff import named
from tertium.formats.sources import Source, resolve
from tertium.metrics.base import Metric, make
from tertium.metrics.results import results_of
from tertium.metrics.shards import Input, Options, pair, run_all


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
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score systems against a gold standard.

    `gold` and each system may be a path, a glob, a folder, `-`, `NAME=path`, a `Corpus`, lists of
    lists of tags, a list of dictionaries, or a polars or pandas frame. Without `metric` every layer
    that gold and systems share is scored. Several files a side are paired by name and read one
    pair at a time, in `jobs` processes or by any `concurrent.futures` executor; `progress` is told
    how many pairs are done, and of how many.

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
    if by == "":
        raise UsageError("by must be a key such as genre or length. Got '' instead.")
    gold_input, gold_name = _input(gold, "gold")
    given = [
        _input(s, f"system{i}" if len(systems) > 1 else "system") for i, s in enumerate(systems, 1)
    ]
    system_names = _distinct(list(names) if names else _short([n for _, n in given]), len(given))
    inputs = [gold_input, *(g for g, _ in given)]
    if sum(isinstance(i, Source) and i.files == ("-",) for i in inputs) > 1:
        raise UsageError("standard input ('-') can be read only once")
    options = Options(
        metrics=_metrics(metric),
        gold_format=named(input_format, columns),
        system_format=named(system_format, system_columns) or named(input_format, columns),
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
    outcomes = []
    for outcome in run_all(shards, options, jobs=jobs, executor=executor):
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), len(shards))

    notes = _unused_lexicon(outcomes[0].fitted, options)
    scores = results_of(gold_name, system_names, outcomes, options, _digest(sides[0]))
    return replace(scores, notes=(*scores.notes, *notes))


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
    """Standard input and pipes as a corpus, since they cannot be read twice; files as they are."""
    if not isinstance(source, Source) or source.is_sharded or Path(source.files[0]).is_file():
        return source
    format = options.gold_format if of_gold else options.system_format
    return read_file(source.files[0], format=format, on_error=options.on_error, name=source.name)


def _digest(gold: Input) -> str | None:
    """What tells one gold standard from another: a digest of its files' content."""
    if not isinstance(gold, Source):
        return None
    digests = [file_digest(file) for file in gold.files]
    return (digests[0] if len(digests) == 1 else text_digest("".join(digests)))[:16]


def _unused_lexicon(metrics: Sequence[Metric], options: Options) -> list[str]:
    if options.lexicon is None or any("lexicon" in m.parameters() for m in metrics):
        return []
    return [f"{options.lexicon.path} is not used: no metric here looks words up"]


def _short(names: list[str]) -> list[str]:
    """File names without their folders, where that leaves them distinct."""
    short = [Path(name).name or name for name in names]
    return short if len(set(short)) == len(set(names)) else names


def _distinct(names: list[str], count: int) -> list[str]:
    """Names of systems; the same name twice cannot be told apart in a table."""
    if len(names) != count:
        raise UsageError(f"there are {count} systems, but {len(names)} names")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two systems are named '{name}'", help="name them: A=path B=path")
    return names
