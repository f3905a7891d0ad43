"""Running shards one by one or in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tertium.exceptions import AlignmentError, LayerError
from tertium.metrics.base import Metric, union
from tertium.metrics.shards.judging import Judged, judge
from tertium.metrics.shards.opening import Opened, fitted_to, gold_of, listed, open_shard
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """What came out of a shard: per system and metric, and the groups of its units.

    `fitted` are the metrics with everything settled that depends on the data.
    """

    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    judged: tuple[tuple[Judged, ...], ...]
    groups: tuple[str, ...]
    units: int
    tokens: int | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, opened: Opened, judged: Sequence[tuple[Judged, ...]]) -> Outcome:
        """That of an opened shard whose systems have been judged."""
        gold = opened.gold
        return cls(
            metrics=opened.metrics,
            fitted=opened.fitted,
            judged=tuple(judged),
            groups=opened.groups,
            units=gold.sentence_count,
            tokens=None if gold.forms is None else gold.token_count,
            notes=opened.notes,
        )


def run_all(
    shards: Sequence[Shard], options: Options, *, jobs: int = 1, executor: Executor | None = None
) -> Iterator[Outcome]:
    """The outcome of every shard, in order.

    Without named metrics each shard is scored by those that fit its layers; shards must agree on
    them, or numbers would be over different parts of the data.
    """
    first: Outcome | None = None
    with _executor(jobs, executor) as pool:
        each = pool.map if pool is not None and len(shards) > 1 else map
        options = settled_on_all(shards, options, each)
        found = each(run, shards, [options] * len(shards))
        for shard, outcome in zip(shards, found, strict=True):
            first = first or outcome
            if outcome.metrics != first.metrics:
                raise LayerError(
                    f"'{shard.name}' and '{shards[0].name}' have different layers: "
                    f"{listed(outcome.metrics)} fit the one, {listed(first.metrics)} the other",
                    help="'--metric' names what is to be scored",
                )
            yield outcome


def settled_on_all(shards: Sequence[Shard], options: Options, each: Any) -> Options:
    """Metrics that depend on a fact about all gold data, settled before any shard is scored."""
    if options.metrics is None or len(shards) < 2:
        return options
    if not any(m.needs_all_facts() for m in options.metrics):
        return options
    facts = list(each(gold_facts, shards, [options] * len(shards)))
    settled = [
        m.settle(union(f[i] for f in facts)) if m.needs_all_facts() else m
        for i, m in enumerate(options.metrics)
    ]
    return replace(options, settled=tuple(settled))


def gold_facts(shard: Shard, options: Options) -> list[frozenset[str]]:
    """What each metric notices about a shard's gold file."""
    gold, _ = gold_of(shard, options, options.needs())
    return [fitted_to(m, gold, options).facts(gold) for m in options.metrics or ()]


@contextmanager
def _executor(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    if executor is not None or jobs <= 1:
        yield executor
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, never forked: a fork after polars has started its threads hangs.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def run(shard: Shard, options: Options) -> Outcome:
    """Read one shard's files and judge every system by every metric."""
    return with_ids(options, lambda needs: _run(shard, options, needs))


def with_ids(options: Options, run: Callable[[frozenset[str] | None], T]) -> T:
    """What `run` gives with the columns that are needed. If texts do not fit, it is run once more
    with everything read: the message can then name sentences by their ids."""
    try:
        return run(options.needs())
    except AlignmentError:
        if options.needs() is None:
            raise
        return run(None)


def _run(shard: Shard, options: Options, needs: frozenset[str] | None) -> Outcome:
    opened = open_shard(shard, options, needs)
    gold, judged = opened.gold, []
    for system, alignment in opened.systems():
        judged.append(tuple(judge(m, gold, system, alignment, opened) for m in opened.fitted))
        del system, alignment  # before the next are read
    return Outcome.of(opened, judged)
