"""`tertium.score`: scores, with their significance if it is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from tertium.metrics.score import ScoringOptions
from tertium.metrics.score import score as score_alone
from tertium.results.assessment import Testing
from tertium.results.scores import Scores


def score(
    gold: Any,
    *systems: Any,
    significance: Testing | bool = False,
    **options: Unpack[ScoringOptions],
) -> Scores:
    """Score systems against a gold standard.

    Data and options are those of `tertium.metrics.score.score`: a path, a glob, a folder, `-`,
    `NAME=path`, a `Corpus`, lists of lists of tags, a list of dictionaries, a polars or pandas
    frame, or `tertium.runs`; `metric`, `by`, `labels`, `lexicon`, `jobs` and how files are read.

    With `significance`, True or how to test, `assessment` of the result holds intervals and tests
    of all pairs of systems, as `tertium.assess` makes them.

    >>> from tertium import score
    >>> score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "O"]], metric="spans.f1").value
    1.0
    """
    if significance is False:
        return score_alone(gold, *systems, **options)
    from tertium.significance.assessing import assess, check

    testing = Testing() if significance is True else significance
    check(testing)  # before anything is read
    scores = score_alone(gold, *systems, **options)
    return replace(scores, assessment=assess(scores, testing))
