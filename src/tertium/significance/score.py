"""`tertium.score`: read, align, judge, count, compute scores, and test them if requested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from tertium.exceptions import UsageError
from tertium.families.base import Metric, make
from tertium.families.sets import MetricSet
from tertium.results.assessment import Testing
from tertium.results.decisions import Decisions
from tertium.results.scores import Scores
from tertium.study.files import File
from tertium.study.scores import count, scores_of
from tertium.study.study import ReadingOptions, Study
from tertium.study.walk import walk, walk_options


class ScoringOptions(ReadingOptions, total=False):
    """What `score` takes in addition to data."""

    metric: str | Metric | Sequence[str | Metric] | None
    labels: bool | Literal["single"]
    confusion: bool
    names: Sequence[str] | None


def score(
    gold: Any,
    *systems: Any,
    significance: Testing | bool = False,
    **options: Unpack[ScoringOptions],
) -> Scores:
    """Score systems against a gold standard.

    `gold` and each system may be a path, a glob, a folder, `-`, `NAME=path`, a `Corpus`, lists of
    lists of tags, a list of dictionaries, or a polars or pandas frame; several runs of one system
    are `NAME=path,path,...` or `tertium.runs`. Without `metric` every layer that gold and systems
    share is scored. `by` also scores groups: of units by a key of the comments, `length`,
    `document` or `file`, or of items by a property of words such as `distance`. `labels` adds
    figures per label; "single" leaves them out for sets, which have many. Several
    files per side are paired by name and read one pair at a time, in `jobs` processes or by any
    `concurrent.futures` executor; `progress` is called with how many pairs are done, and of how
    many. With `significance`, True or how to test, `assessment` of the result holds intervals and
    tests of all pairs of systems, as `tertium.assess` makes them.

    >>> from tertium import score
    >>> score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "O"]], labels=False).value
    1.0
    """
    testing = Testing() if significance is True else significance or None
    if testing is not None:
        from tertium.significance.assess import assess, check

        check(testing)  # before anything is read
    way, asked = walk_options(options)
    study = Study.of(gold, systems, **asked)
    parts = [*walk(study, count, **way)]
    scores = scores_of(study, parts)
    scores = replace(scores, notes=(*scores.notes, *_unused_lexicon(study, parts[0].fitted)))
    return scores if testing is None else replace(scores, assessment=assess(scores, testing))


def decide(gold: Any, system: Any, metric: str | Metric, **options: Any) -> Decisions:
    """The decisions behind a score: one row per judged item, as columns (`.to_frame()` for polars).

    Takes one gold and one system as `score` does; `align`, `input_format`, `system_format` and
    `on_error` as there.
    """
    unknown = options.keys() - {"align", "input_format", "system_format", "on_error"}
    if unknown:
        raise UsageError(f"decide has no parameter '{min(unknown)}'")
    judge = make(metric)
    if isinstance(judge, MetricSet):
        raise UsageError(f"{judge!r} judges no single items: there is no item view of it")
    study = Study.of(gold, [system], metric=judge, also=None, **options)
    if len(study.shards) > 1:
        raise UsageError("decide takes one file a side")
    return next(walk(study, _decisions))


def _decisions(file: File) -> Decisions:
    system = next(file.systems())
    file.fitted[0].facts(system.corpus)  # raises, with what there is
    return next(system.judge()).decisions


def _unused_lexicon(study: Study, metrics: Sequence[Metric]) -> list[str]:
    if study.lexicon is None or any("lexicon" in m.parameters() for m in metrics):
        return []
    if study.by == "known":  # the groups look them up
        return []
    return [f"{study.lexicon.path} is not used: no metric here looks words up"]
