"""What an audit looks at: two systems read once, scored by all metrics that fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import LayerError
from tertium.metrics.base import Metric
from tertium.metrics.defaults import audited_metrics
from tertium.metrics.request import Request
from tertium.metrics.results import results_of
from tertium.metrics.shards.judging import examine
from tertium.metrics.shards.opening import fitted_to, listed, open_shard
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard
from tertium.metrics.shards.running import Outcome, settled_on_all, with_ids
from tertium.results.decisions import Decisions
from tertium.results.scores import Result, Scores

Bools = npt.NDArray[np.bool_]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Material:
    """Two systems scored by all metrics, the main one first.

    - `lengths`: words of every unit; None for files of spans without tokens
    - `right`: which gold items each system has right under the main metric; None if it judges none
    """

    scores: Scores
    lengths: Int64 | None
    right: tuple[Bools, Bools] | None

    def results(self, metric: str) -> tuple[Result, Result]:
        """Those of A and B under a metric."""
        a, b = (result for result in self.scores if result.metric == metric)
        return a, b

    @property
    def pairs(self) -> list[tuple[Result, Result]]:
        """Of every metric that both systems have counts for."""
        every = [self.results(metric) for metric in self.scores.metrics]
        return [pair for pair in every if all(r.stats is not None for r in pair)]

    @property
    def main(self) -> tuple[Result, Result]:
        """The results under the main metric."""
        return self.pairs[0]


def chosen_metrics(
    asked: Request, named: Sequence[Metric]
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """Those that were named, then all others for the same kind of layer that both systems have; and
    what is left out, with the reason. Systems of the first file decide."""

    def candidates(gold: Corpus) -> tuple[Metric, ...]:
        fitted = {fitted_to(metric, gold, asked.options) for metric in named}
        try:
            found = audited_metrics(gold)
        except LayerError:
            if not named:
                raise
            found = ()
        further = [m for m in found if fitted_to(m, gold, asked.options) not in fitted]
        return (*named, *further)

    options = replace(asked.options, metrics=None, by=None, defaults=candidates)
    opened = open_shard(asked.shards[0], options, None)
    lacking: dict[int, str] = {}
    for system, _ in opened.systems():
        for place, fitted in enumerate(opened.fitted):
            try:
                fitted.check(system)
            except LayerError as error:
                if place < len(named):
                    raise
                lacking.setdefault(place, error.message.partition(". ")[0])
    there = [m for place, m in enumerate(opened.metrics) if place not in lacking]
    if not there:
        raise LayerError(
            f"gold and systems share no layer that can be scored ({next(iter(lacking.values()))})",
            help="'--columns' names the columns of a file, '--system-columns' those of the systems",
        )
    kept = [m for m in there if m in named or m.layer == there[0].layer]
    others = [m for m in there if m not in kept]
    left_out = [
        f"{opened.metrics[place]!r} was not looked at: {message}"
        for place, message in lacking.items()
        if opened.metrics[place].layer == there[0].layer
    ]
    if others:
        left_out.append(
            "other layers are other tasks and were not looked at; '--metric' with one of these "
            f"audits them: {listed(others)}"
        )
    return tuple(kept), tuple(left_out)


def gather(
    asked: Request,
    metrics: Sequence[Metric],
    *,
    by: str | None = None,
    progress: Progress | None = None,
) -> Material:
    """Score both systems by some metrics; with `by` in groups as well."""
    options = replace(asked.options, metrics=tuple(metrics), by=by)
    options = settled_on_all(asked.shards, options, map)
    parts = []
    for shard in asked.shards:
        parts.append(with_ids(options, partial(_run, shard, options)))
        if progress is not None:
            progress(len(parts), len(asked.shards))
    scores = results_of(
        asked.gold, asked.systems, [part.outcome for part in parts], options, asked.digest()
    )
    lengths = [part.lengths for part in parts if part.lengths is not None]
    right = [part.right for part in parts if part.right is not None]
    return Material(
        scores,
        np.concatenate(lengths) if len(lengths) == len(parts) else None,
        (np.concatenate([a for a, _ in right]), np.concatenate([b for _, b in right]))
        if len(right) == len(parts)
        else None,
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """What one pair of files gives."""

    outcome: Outcome
    lengths: Int64 | None
    right: tuple[Bools, Bools] | None


def _run(shard: Shard, options: Options, needs: frozenset[str] | None) -> _Part:
    opened = open_shard(shard, options, needs)
    judged, verdicts = [], []
    for system, alignment in opened.systems():
        found = [examine(m, opened.gold, system, alignment, opened) for m in opened.fitted]
        judged.append(tuple(each for each, _ in found))
        decisions = found[0][1]
        # The numbers of a set are tested over units alone.
        if decisions is not None and opened.fitted[0].member is None:
            verdicts.append(decisions)
    return _Part(
        Outcome.of(opened, judged),
        None if opened.gold.forms is None else np.diff(opened.gold.offsets).astype(np.int64),
        _right(*verdicts) if len(verdicts) == 2 else None,
    )


def _right(a: Decisions, b: Decisions) -> tuple[Bools, Bools]:
    """Which gold items are right; one that a system has no row for is not."""
    every = np.union1d(a.item[a.in_gold], b.item[b.in_gold])
    found = []
    for decisions in (a, b):
        right = np.zeros(len(every), np.bool_)
        rows = decisions.in_gold
        right[np.searchsorted(every, decisions.item[rows])] = decisions.right[rows]
        found.append(right)
    return found[0], found[1]
