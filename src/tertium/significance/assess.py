"""`tertium.assess`: intervals of all scores and tests of all differences between systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import combinations
from time import perf_counter
from typing import TypeVar

from tertium import _progress as progress
from tertium.exceptions import UsageError
from tertium.results.assessment import (
    Assessment,
    Interval,
    PairTest,
    Test,
    TestFamily,
    Testing,
    summary,
)
from tertium.results.scores import Result
from tertium.significance.across import Across, across, effects
from tertium.significance.corrections import adjust, check_alpha
from tertium.significance.documents import by_documents, design_effects, design_notes
from tertium.significance.intervals import check_interval, interval
from tertium.significance.letters import letters
from tertium.significance.notes import NARROW, assessment_notes
from tertium.significance.resample import Number, unit_counts
from tertium.significance.runs import run_interval, run_test
from tertium.significance.score.result import Scores
from tertium.significance.tests import MCNEMAR, Contrast, check_test

RESAMPLING = "resampling"
MOST_THREADS = 4  # each takes some 50 MB
LONG = 20  # seconds that nobody need be told of beforehand
MOST_INTERVALS = 3  # pairs of systems whose differences have intervals; beyond, only tests

K = TypeVar("K")
T = TypeVar("T")
Place = tuple[str, str, str, str | None]  # of a test: A, B, metric and group
# Of one system, all its runs; a system that ran once has one.
Systems = dict[str, list[Result]]
# Tests two systems that ran once, by a metric and in a group.
Judge = Callable[[str, str, str, str | None], Test]


def assess(
    scores: Scores,
    testing: Testing | None = None,
    *,
    judge: Judge | None = None,
    added: Collection[str] = (),
    notice: Callable[[str], None] | None = None,
    first_only: bool = False,
) -> Assessment:
    """Intervals of the headline values of all results, and tests of all pairs of systems, B minus
    A, in the order of the systems; inside groups as well, where there are any. Differences have
    intervals too, unless there are more than three systems.

    p-values are corrected for all tests made here, those inside groups by themselves, so that a
    look into groups does not change what holds of the whole. Nothing is scored again: resamples are
    weighted sums of the counts that the scores were made of. `judge` makes tests that counts per
    unit do not suffice for, in place of the one named in `testing`. Tests by metrics that were
    `added` to explain others, each a family of its own, do not change what holds of the others.
    `notice` is told if it will take long. If `first_only`, the first system of each metric is
    tested against each of the others, and these not among themselves.

    >>> from tertium.significance.score.verb import score
    >>> gold, a, b = [["N", "V"]] * 3, [["N", "N"]] * 3, [["N", "V"]] * 3
    >>> found = assess(score(gold, a, b))
    >>> found.comparisons[0].test.delta, found.comparisons[0].test.p
    (0.5, 0.25)
    """
    testing = testing or Testing()
    check(testing, further=() if judge is None else (testing.test,))
    if testing.unit == "document":
        scores = by_documents(scores)
    tables = {metric: _systems(scores, metric) for metric in scores.metrics}
    intervals, tests = _tasks(tables, testing, judge, first_only=first_only)
    tested = _side_by_side(tests, notice)
    found_intervals = _side_by_side(intervals)
    comparisons, families = _corrected(tested, testing.correction, added)
    across = {
        metric: _across(metric, systems, comparisons, testing.alpha)
        for metric, systems in tables.items()
        if testing.groups
    }
    designs = [] if testing.unit == "document" else [*design_effects(tables, testing)]
    parts = {metric: scores.part(metric) for metric in scores.metrics}
    notes = assessment_notes(comparisons, families, testing, scores)
    return Assessment(
        testing=testing,
        systems=tuple(dict.fromkeys(name for systems in tables.values() for name in systems)),
        intervals=found_intervals,
        comparisons=comparisons,
        letters={
            (name, metric): text
            for metric, systems in tables.items()
            for name, text in _letters(metric, systems, comparisons, testing.alpha).items()
        },
        families=families,
        runs=tuple(
            summary(name, runs)
            for systems in tables.values()
            for name, runs in systems.items()
            if len(runs) > 1
        ),
        across={metric: each for metric, each in across.items() if each is not None},
        notes=(*notes, *design_notes(designs, parts, scores.names)),
        parts=parts,
        names=scores.names,
        units=scores.sizes.get("document") if testing.unit == "document" else None,
        designs=tuple(designs),
    )


def joined(found: Sequence[Assessment]) -> Assessment:
    """Several as one, made in the same way of different scores; families of tests stay apart."""
    return replace(
        found[0],
        systems=tuple(dict.fromkeys(system for each in found for system in each.systems)),
        intervals={key: value for each in found for key, value in each.intervals.items()},
        comparisons=tuple(test for each in found for test in each.comparisons),
        letters={key: value for each in found for key, value in each.letters.items()},
        families=tuple(family for each in found for family in each.families),
        notes=tuple(dict.fromkeys(note for each in found for note in each.notes)),
        parts={key: part for each in found for key, part in each.parts.items()},
        names={key: name for each in found for key, name in each.names.items()},
    )


def without_intervals(found: Assessment) -> Assessment:
    """The tests alone."""
    return replace(
        found,
        intervals={},
        comparisons=tuple(replace(test, interval=None) for test in found.comparisons),
        notes=tuple(note for note in found.notes if not note.endswith(NARROW)),
    )


def _tasks(
    tables: Mapping[str, Systems], testing: Testing, judge: Judge | None, *, first_only: bool
) -> tuple[
    dict[tuple[str, str, str | None], Callable[[], Interval]],
    dict[Place, Callable[[], tuple[Test, Interval | None]]],
]:
    """What makes each interval and each test."""
    intervals: dict[tuple[str, str, str | None], Callable[[], Interval]] = {}
    tests: dict[Place, Callable[[], tuple[Test, Interval | None]]] = {}
    for metric, systems in tables.items():
        few = len(systems) * (len(systems) - 1) // 2 <= MOST_INTERVALS
        for group in (None, *(_groups(systems) if testing.groups else ())):
            number = Number(group=group)
            there = {name: runs for name, runs in systems.items() if _has_counts(runs, group)}
            for name, runs in there.items():
                intervals[name, metric, group] = partial(_interval, runs, number, testing)
            for a, b in combinations(there, 2):
                if first_only and a != next(iter(there)):
                    break
                pair = (there[a], there[b], number, testing, judge)
                tests[a, b, metric, group] = partial(_test, *pair, between=few)
    return intervals, tests


def check(testing: Testing, *, further: Sequence[str] = ()) -> None:
    """Refuse what there is not, before anything is read; `further` tests are those of a judge."""
    check_test(testing.test, testing.direction, testing.trials, further=further)
    check_interval(testing)
    adjust([], testing.correction)
    check_alpha(testing.alpha)
    if testing.unit == "document" and testing.test == MCNEMAR:
        raise UsageError(
            "McNemar's test compares single tokens or spans and cannot resample documents",
            help="leave out '--unit document', or choose a different test",
        )
    if testing.seed < 0:
        raise UsageError(f"the seed must not be negative. Got {testing.seed} instead.")


def _systems(scores: Scores, metric: str) -> Systems:
    """The results of a metric by system, those of several runs under one name."""
    found: Systems = {}
    for result in scores:
        if result.metric == metric:
            found.setdefault(scores.owner(result.system), []).append(result)
    return found


def _groups(systems: Systems) -> list[str]:
    return list(dict.fromkeys(g for runs in systems.values() for r in runs for g in r.groups))


def _has_counts(runs: Sequence[Result], group: str | None) -> bool:
    held = [run if group is None else run.groups.get(group) for run in runs]
    return all(
        each is not None and each.stats is not None and (each.stats.units or each.stats.out_of)
        for each in held
    )


def _interval(runs: Sequence[Result], number: Number, testing: Testing) -> Interval:
    """That of a system's number, or of its mean over runs."""
    if len(runs) > 1:
        return run_interval(runs, number, testing)
    return interval(unit_counts(runs, number), testing)


def _test(
    a: Sequence[Result],
    b: Sequence[Result],
    number: Number,
    testing: Testing,
    judge: Judge | None,
    *,
    between: bool,
) -> tuple[Test, Interval | None]:
    if len(a) > 1 or len(b) > 1:
        return run_test(a, b, number, testing)
    ends = interval(unit_counts([a[0], b[0]], number), testing) if between else None
    if judge is not None:
        return judge(a[0].system, b[0].system, a[0].metric, number.group), ends
    return Contrast(a[0], b[0], testing, number).test()[0], ends


def _letters(
    metric: str, systems: Systems, comparisons: Sequence[PairTest], alpha: float
) -> Mapping[str, str]:
    """Letters of the systems that have a value, best first; none where no value is better, or where
    nothing was tested."""
    better = next(iter(systems.values()))[0].better
    if better == "none":
        return {}
    means = {name: summary(name, runs).mean for name, runs in systems.items()}
    sign = 1 if better == "lower" else -1
    there = [name for name, mean in means.items() if mean is not None]
    there.sort(key=lambda name: sign * (means[name] or 0.0))
    tested = [c for c in comparisons if c.metric == metric and c.group is None]
    apart = {(c.a, c.b) for c in tested if c.is_significant(alpha)}
    was_tested = any(c.test.p is not None for c in tested)
    return letters(there, apart) if len(there) > 1 and was_tested else {}


def _corrected(
    tested: Mapping[Place, tuple[Test, Interval | None]], correction: str, added: Collection[str]
) -> tuple[tuple[PairTest, ...], tuple[TestFamily, ...]]:
    """Tests with p-values corrected family by family, and the families."""
    plain = [
        PairTest(a, b, metric, test, test.p, between, group=group)
        for (a, b, metric, group), (test, between) in tested.items()
    ]
    families = _families(plain, added)
    adjusted: dict[int, float | None] = {}
    for family in families:
        held = [each for each in plain if family.has(each)]
        p_values = adjust([each.test.p for each in held], correction)
        adjusted.update(zip(map(id, held), p_values, strict=True))
    return tuple(replace(each, adjusted=adjusted[id(each)]) for each in plain), tuple(families)


def _families(tested: Sequence[PairTest], added: Collection[str]) -> list[TestFamily]:
    """Tests of all units are corrected together, and so are tests inside groups; those by a metric
    that nobody asked for by themselves."""
    metrics = list(dict.fromkeys(each.metric for each in tested))
    asked = tuple(metric for metric in metrics if metric not in added)
    found = []
    for is_inside in (False, True):
        for some in (asked, *((metric,) for metric in metrics if metric in added)):
            held = [c for c in tested if c.metric in some and (c.group is not None) == is_inside]
            defined = sum(c.test.p is not None for c in held)
            pairs, groups = {(c.a, c.b) for c in held}, {c.group for c in held} - {None}
            if held:
                family = TestFamily(some, len(pairs), defined, len(groups), some != asked)
                found.append(family)
    return found


def _across(
    metric: str, systems: Systems, comparisons: Sequence[PairTest], alpha: float
) -> Across | None:
    """What holds across groups of units, taken for data sets; None where there are not two, where
    groups are of words, or where no value is better."""
    groups, better = _groups(systems), next(iter(systems.values()))[0].better
    if len(groups) < 2 or len(systems) < 2 or better == "none" or _are_of_words(systems):
        return None
    every = {
        name: [_mean([run.groups.get(group) for run in runs]) for group in groups]
        for name, runs in systems.items()
    }
    values = {name: means for name, means in every.items() if means.count(None) < len(means)}
    if len(values) < 2 or not any(None not in each for each in zip(*values.values(), strict=True)):
        return None
    tests = {(c.a, c.b, c.group): c.test.p for c in comparisons if c.metric == metric}
    return Across(
        across(values, groups, better=better, alpha=alpha),
        effects([*values], groups, lambda *place: tests.get(place), alpha=alpha),
    )


def _are_of_words(systems: Systems) -> bool:
    return any(
        held.stats is not None and held.stats.place is not None
        for runs in systems.values()
        for run in runs
        for held in run.groups.values()
    )


def _mean(held: Sequence[Result | None]) -> float | None:
    values = [each.value for each in held if each is not None and each.value is not None]
    return sum(values) / len(values) if len(values) == len(held) else None


def _side_by_side(
    tasks: Mapping[K, Callable[[], T]], notice: Callable[[str], None] | None = None
) -> dict[K, T]:
    """The results of all tasks, in order. None may depend on another. Resampling is done by code
    that does not stop other threads. If they will take long, `notice` is told so."""
    first, *others = tasks.values() or (None,)
    if first is None or len(others) < 2:
        return {key: tasks[key]() for key in progress.announce_each(RESAMPLING, tasks)}
    # The first is done alone, since it may have to compile kernels.
    found = [first()]
    start = perf_counter()
    found.append(others[0]())
    size = min(MOST_THREADS, os.cpu_count() or 1)
    seconds = (perf_counter() - start) * (len(others) - 1) / size
    if notice is not None and seconds > LONG:
        notice(
            f"{len(tasks):,} tests of differences may take {_duration(seconds)}: name fewer "
            "systems or metrics, take fewer '--trials', or leave tests out with '--no-significance'"
        )
    with ThreadPoolExecutor(size) as threads:
        for result in threads.map(lambda task: task(), others[1:]):
            found.append(result)
            progress.announce(RESAMPLING, len(found), len(tasks))
    return dict(zip(tasks, found, strict=True))


def _duration(seconds: float) -> str:
    """A rough time.

    >>> _duration(34), _duration(170), _duration(9000)
    ('34 seconds', '3 minutes', '2.5 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.1f} hours"
