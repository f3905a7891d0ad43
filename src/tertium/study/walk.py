"""The walk: the one way through the files of a study. Open, align, judge.

It has two stages. *Look* learns what metrics must know about all gold files before one of them is
judged; *judge* reads every gold file with the systems' files beside it and hands it to a function,
which makes of it what a verb needs. Files are walked one by one, in several processes, or on any
executor of `concurrent.futures`; what travels is the study without its files, one shard, the
function and what it returns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from tertium import registry
from tertium._signals import leave_to_parent, uninterrupted
from tertium.align.units import check_distinct
from tertium.exceptions import AlignmentError, InputError, LayerError
from tertium.families.base import Metric, union
from tertium.study.files import File, metric_texts, read_gold
from tertium.study.sides import Shard
from tertium.study.study import Study

T = TypeVar("T")
Plugins = dict[str, dict[str, type[registry.Plugin]]]
Judges = tuple[tuple[Metric, ...], tuple[Metric, ...]]  # as requested, and fitted to a file


def walk(
    study: Study,
    visit: Callable[[File], T],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    must_agree: bool = True,
) -> Iterator[T]:
    """What `visit` makes of every file, in order.

    With `jobs` or an executor `visit` and what it returns must pickle. Without named metrics each
    file is judged by those that fit its layers, and without a named column by the one a metric
    finds; files must agree on both, or numbers would be over different parts of the data, unless
    the caller sees to that (`must_agree`).
    """
    shards = study.shards
    with _executor(jobs, executor) as pool:
        each: Any = pool.map if pool is not None and len(shards) > 1 else map
        light = _look(study, each).without_files()
        found = each(partial(_visit, light, visit, registry.added()), shards)
        first: Judges | None = None
        documents: dict[str, dict[str, str]] = {}
        for done, (shard, seen) in enumerate(zip(shards, found, strict=True), 1):
            judges, named, result = seen
            for side, names in named.items():
                check_distinct(side, shard.name, names, documents.setdefault(side, {}))
            first = first or judges
            for here, there in zip(judges, first, strict=True):
                if must_agree and here != there:
                    raise LayerError(
                        f"'{shard.name}' and '{shards[0].name}' have different layers: "
                        f"{metric_texts(here)} fit the one, {metric_texts(there)} the other",
                        help="'--metric' chooses what is scored",
                    )
            yield result
            if progress is not None:
                progress(done, len(shards))


@contextmanager
def _executor(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    if executor is not None or jobs <= 1:
        yield executor
        return
    from concurrent.futures.process import BrokenProcessPool

    with processes(jobs) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise InputError(
                "a process of '--jobs' ended before its work was done",
                help="it may have run out of memory; use fewer '--jobs'",
            ) from None
        except BaseException:  # also Ctrl-C: what has not begun is not to be waited for
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def processes(jobs: int) -> Executor:
    """Processes that get no signals, not even while they start."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    class Pool(ProcessPoolExecutor):
        def submit(self, *args: Any, **named: Any) -> Any:  # where processes are started
            with uninterrupted():
                return super().submit(*args, **named)

    if os.name == "posix":  # Python's tracker tidies up after signals, and is to do so quietly
        from multiprocessing import resource_tracker

        sys.warnoptions.append("ignore:resource_tracker:UserWarning")
        with uninterrupted():
            resource_tracker.ensure_running()
        sys.warnoptions.pop()
    # Spawned, never forked: a fork after polars has started its threads hangs.
    context = multiprocessing.get_context("spawn")
    return Pool(jobs, mp_context=context, initializer=_begin_worker)


def _begin_worker() -> None:
    """Leave signals to the parent, and end when it ends, whatever ended it."""
    leave_to_parent()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _look(study: Study, each: Any) -> Study:
    """The study with facts about all gold files, if a metric must know them beforehand."""
    if study.metrics is None or len(study.shards) < 2:
        return study
    if all(m.fit(frozenset()) == m for m in study.metrics):
        return study
    light = study.without_files()
    facts = list(each(partial(_facts, light, registry.added()), study.shards))
    return replace(study, facts=tuple(union(column) for column in zip(*facts, strict=True)))


def _facts(study: Study, plugins: Plugins, shard: Shard) -> list[frozenset[str]]:
    """What each metric notices about a shard's gold file."""
    registry.restore(plugins)
    gold, _, _ = read_gold(shard, study, study.needs())
    return [m.facts(gold) for m in study.metrics or ()]


def _visit(
    study: Study, visit: Callable[[File], T], plugins: Plugins, shard: Shard
) -> tuple[Judges, Mapping[str, tuple[str, ...]], T]:
    """Open a shard and let `visit` see it. Returns the metrics, the names of documents, and what
    `visit` returns. If texts do not fit, everything is read and tried again: the message can then
    name sentences by their ids."""
    registry.restore(plugins)
    try:
        file = File.open(shard, study, study.needs())
        result = visit(file)
    except AlignmentError:
        if study.needs() is None:
            raise
        file = File.open(shard, study, None)
        result = visit(file)
    return (file.metrics, file.fitted), file.documents, result
