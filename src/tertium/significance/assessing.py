"""`tertium.assess`: intervals of all scores and tests of all differences between systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from tertium.exceptions import UsageError
from tertium.results.assessment import (
    Assessment,
    Compared,
    Interval,
    RunSummary,
    Test,
    Testing,
    summary,
)
from tertium.results.scores import Result
from tertium.results.stats import UnitKind
from tertium.results.texts import unit_noun
from tertium.significance.corrections import adjust, check_alpha
from tertium.significance.intervals import check_interval, interval
from tertium.significance.letters import letters
from tertium.significance.paired import FEW_UNITS, ONE_SIDED, check_test, few, paired_test
from tertium.significance.runs import run_interval, run_test
from tertium.significance.samples import Number, sample
from tertium.significance.score.result import Scores

if TYPE_CHECKING:
    from tertium.significance.datasets import Datasets
    from tertium.significance.replicability import Replicability

MOST_THREADS = 4  # each takes some 50 MB
MOST_INTERVALS = 3  # pairs of systems whose differences have intervals; beyond, only tests

T = TypeVar("T")
# Of one system, all its runs; a system that ran once has one.
Systems = dict[str, list[Result]]
# Tests two systems that ran once, by a metric and in a group.
Judge = Callable[[str, str, str, str | None], Test]


@dataclass(frozen=True, eq=False)
class Across:
    """What holds across data sets: ranks of all systems, and in how many sets each pair differs."""

    datasets: Datasets
    replicability: tuple[tuple[str, str, Replicability], ...]

    def named(self, names: Mapping[str, str]) -> Across:
        """The same with other names of systems."""
        return Across(
            self.datasets.named(names),
            tuple((names.get(a, a), names.get(b, b), found) for a, b, found in self.replicability),
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.datasets.to_dict(),
            "replicability": [
                {"a": a, "b": b, **found.to_dict()} for a, b, found in self.replicability
            ],
        }


def assess(
    scores: Scores, testing: Testing | None = None, *, judge: Judge | None = None
) -> Assessment:
    """Intervals of the headline values of all results, and tests of all pairs of systems, B minus
    A, in the order of the systems; inside groups as well, where there are any. Differences have
    intervals too, unless there are more than three systems.

    p-values are corrected for all tests made here, those inside groups by themselves, so that a
    look into groups does not change what holds of the whole. Nothing is scored again: resamples are
    weighted sums of the counts that the scores were made of. `judge` makes tests that counts per
    unit do not suffice for, in place of the one named in `testing`.

    >>> from tertium.significance.score.verb import score
    >>> gold, a, b = [["N", "V"]] * 3, [["N", "N"]] * 3, [["N", "V"]] * 3
    >>> found = assess(score(gold, a, b))
    >>> found.comparisons[0].test.delta, found.comparisons[0].test.p
    (0.5, 0.25)
    """
    testing = testing or Testing()
    check(testing, further=() if judge is None else (testing.test,))
    tables = [(metric, _systems(scores, metric)) for metric in scores.metrics]
    scored: list[tuple[str, str, str | None]] = []
    paired: list[tuple[str, str, str, str | None]] = []
    interval_tasks: list[Callable[[], Interval]] = []
    test_tasks: list[Callable[[], tuple[Test, Interval | None]]] = []
    for metric, systems in tables:
        few = len(systems) * (len(systems) - 1) // 2 <= MOST_INTERVALS
        for group in (None, *(_groups(systems) if testing.groups else ())):
            number = Number(group=group)
            there = {name: runs for name, runs in systems.items() if _has_counts(runs, group)}
            for name, runs in there.items():
                single = _interval if len(runs) == 1 else _interval_of_mean
                scored.append((name, metric, group))
                interval_tasks.append(partial(single, runs, number, testing))
            for a, b in combinations(there, 2):
                paired.append((a, b, metric, group))
                pair = (there[a], there[b], number, testing, judge)
                test_tasks.append(partial(_test, *pair, between=few))
    intervals = dict(zip(scored, _side_by_side(interval_tasks), strict=True))
    tested = _side_by_side(test_tasks)
    adjusted = _adjusted(
        [test.p for test, _ in tested], [group is None for *_, group in paired], testing.correction
    )
    comparisons = tuple(
        Compared(a, b, metric, test, p, between, group=group)
        for (a, b, metric, group), (test, between), p in zip(paired, tested, adjusted, strict=True)
    )
    return Assessment(
        testing=testing,
        systems=tuple(dict.fromkeys(name for _, systems in tables for name in systems)),
        intervals=intervals,
        comparisons=comparisons,
        letters={
            (name, metric): text
            for metric, systems in tables
            for name, text in _letters(metric, systems, comparisons, testing.alpha).items()
        },
        runs=tuple(_summaries(tables)),
        across={
            metric: across
            for metric, systems in tables
            if testing.groups
            and (across := _across(metric, systems, comparisons, testing.alpha)) is not None
        },
        notes=tuple(_notes(comparisons, testing, scores.sizes or {"sentence": scores.units})),
        parts={metric: scores.part(metric) for metric in scores.metrics},
    )


def check(testing: Testing, *, further: Sequence[str] = ()) -> None:
    """Refuse what there is not, before anything is read; `further` tests are those of a judge."""
    check_test(testing.test, testing.direction, testing.trials, further=further)
    check_interval(testing.interval, testing.level, testing.trials)
    adjust([], testing.correction)
    check_alpha(testing.alpha)
    if testing.seed < 0:
        raise UsageError(f"a seed must be 0 or more. Got {testing.seed} instead.")


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


def _interval(results: Sequence[Result], number: Number, testing: Testing) -> Interval:
    """That of a system's number, or of the difference of two."""
    return interval(sample(results, number), **interval_options(testing))


def _interval_of_mean(runs: Sequence[Result], number: Number, testing: Testing) -> Interval:
    return run_interval(runs, number, **interval_options(testing))


def interval_options(testing: Testing) -> dict[str, Any]:
    """What of it concerns intervals, as functions that make them take it."""
    return {
        "method": testing.interval,
        "level": testing.level,
        "trials": testing.trials,
        "seed": testing.seed,
    }


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
        return run_test(a, b, number, direction=testing.direction, **interval_options(testing))
    ends = _interval([a[0], b[0]], number, testing) if between else None
    if judge is not None:
        return judge(a[0].system, b[0].system, a[0].metric, number.group), ends
    test = paired_test(
        a[0],
        b[0],
        number,
        test=testing.test,
        direction=testing.direction,
        trials=testing.trials,
        seed=testing.seed,
    )
    return test, ends


def _letters(
    metric: str, systems: Systems, comparisons: Sequence[Compared], alpha: float
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


def _adjusted(
    p_values: Sequence[float | None], of_whole: Sequence[bool], correction: str
) -> list[float | None]:
    """p-values corrected in two families: tests of all units, and tests inside groups."""
    found = list(p_values)
    for family in (True, False):
        places = [i for i, whole in enumerate(of_whole) if whole is family]
        corrected = adjust([p_values[i] for i in places], correction)
        for place, p in zip(places, corrected, strict=True):
            found[place] = p
    return found


def _notes(
    comparisons: Sequence[Compared], testing: Testing, sizes: Mapping[UnitKind, int]
) -> list[str]:
    """Warnings of tests, and that units are too few for intervals or trials for so many tests."""
    notes = [c.test.warning for c in comparisons if c.test.warning]
    for unit, size in sizes.items():
        if size < FEW_UNITS and not any(few(unit) in note for note in notes):
            noun = unit_noun(unit, among_others=len(sizes) > 1)
            notes.append(f"fewer than {FEW_UNITS} {noun}s: bootstrap intervals may be too narrow")
    turned = [c for c in comparisons if c.test.contradicts and c.is_significant(testing.alpha)]
    notes += map(_other_way, turned)
    notes += _too_few_trials([c.test for c in comparisons if c.group is None], testing)
    inside = [c.test for c in comparisons if c.group is not None]
    notes += _too_few_trials(inside, testing, " inside groups")
    return list(dict.fromkeys(notes))


def _too_few_trials(tests: Sequence[Test], testing: Testing, where: str = "") -> list[str]:
    """That trials are too few for a family of tests, if they are."""
    tested = [test for test in tests if test.p is not None]
    # Exact tests are as fine as may be, and one-sided ones are shares of resamples without the 1.
    coarse = [
        t for t in tested if t.trials is not None and not t.exact and t.method not in ONE_SIDED
    ]
    # By Holm, tests with a smaller p, which exact ones may have, take no part in the factor.
    factors = {"holm": len(coarse), "bonferroni": len(tested)}
    factor = factors.get(testing.correction, 1)
    least = factor / (testing.trials + 1)
    if not coarse or least < testing.alpha:
        return []
    few = f"{testing.trials:,} trial{'s are' if testing.trials > 1 else ' is'} too few"
    few += f" for {factor:,} tests{where}: no corrected p" if factor > 1 else ": no p"
    which = " of a test that is not exact" if len(coarse) < len(tested) else ""
    return [f"{few}{which} can be below {least:.2g}"]


def _other_way(compared: Compared) -> str:
    """That a test which goes by single units or items points another way than the scores."""
    above, below = compared.b, compared.a
    if (compared.test.delta or 0.0) < 0:
        above, below = below, above
    where = compared.metric if compared.group is None else f"{compared.metric}, {compared.group}"
    test = compared.test
    what = "gold items" if test.method == "mcnemar" else f"{unit_noun(test.unit)}s"
    return (
        f"{where}: the score of {above} is above that of {below}; by single {what}, which the test "
        "is about, it is below"
    )


def _summaries(tables: Sequence[tuple[str, Systems]]) -> list[RunSummary]:
    return [
        summary(name, runs)
        for _, systems in tables
        for name, runs in systems.items()
        if len(runs) > 1
    ]


def _across(
    metric: str, systems: Systems, comparisons: Sequence[Compared], alpha: float
) -> Across | None:
    """What holds across groups of units, taken for data sets; None where there are not two, where
    groups are of words, or where no value is better."""
    from tertium.significance.datasets import across
    from tertium.significance.replicability import partial_conjunction

    groups, better = _groups(systems), next(iter(systems.values()))[0].better
    if len(groups) < 2 or len(systems) < 2 or better == "none" or _are_of_words(systems):
        return None
    values = {
        name: [_mean([run.groups.get(group) for run in runs]) for group in groups]
        for name, runs in systems.items()
    }
    tests = {(c.a, c.b, c.group): c.test.p for c in comparisons if c.metric == metric}
    return Across(
        across(values, groups, better=better, alpha=alpha),
        tuple(
            (
                a,
                b,
                partial_conjunction(
                    [tests.get((a, b, group)) for group in groups], groups, alpha=alpha
                ),
            )
            for a, b in combinations(systems, 2)
        ),
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


def _side_by_side(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """The results of all tasks, in order. None may depend on another. Resampling is done by code
    that does not stop other threads."""
    if len(tasks) < 3:
        return [task() for task in tasks]
    # The first is done alone, since it may have to compile kernels.
    first = tasks[0]()
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as threads:
        return [first, *threads.map(lambda task: task(), tasks[1:])]
