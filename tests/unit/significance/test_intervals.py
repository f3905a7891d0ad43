"""Intervals against scipy, and where there is nothing to resample."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

import tertium
from count_samples import f1_result, random_pair
from tertium.exceptions import UsageError
from tertium.results.assessment import Testing
from tertium.significance.intervals import METHODS, SAME_VALUE, interval
from tertium.significance.resample import unit_counts


def f1(correct, gold, system, axis=-1):  # type: ignore[no-untyped-def]
    return 2 * correct.sum(axis=axis) / (gold.sum(axis=axis) + system.sum(axis=axis))


def difference(a, b, c, d, e, f, axis=-1):  # type: ignore[no-untyped-def]
    return f1(d, e, f, axis) - f1(a, b, c, axis)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("units", [40, 400])
def test_the_ends_are_those_of_scipy(method: str, units: int) -> None:
    a, b = random_pair(units, 3, a=0.7, b=0.8)
    known = {"bca": "BCa"}.get(method, method)
    columns = [*a.stats.dense[:, :3].T, *b.stats.dense[:, :3].T]  # type: ignore[union-attr]
    for results, data, statistic in (
        ([a], columns[:3], f1),
        ([a, b], columns, difference),
    ):
        ours = interval(unit_counts(results), Testing(interval=method, trials=20_000))
        theirs = scipy_stats.bootstrap(
            data,
            statistic,
            paired=True,
            method=known,
            n_resamples=20_000,
            rng=np.random.default_rng(1),
            batch=1000,
        ).confidence_interval
        width = theirs.high - theirs.low
        assert ours.low == pytest.approx(theirs.low, abs=0.04 * width)
        assert ours.high == pytest.approx(theirs.high, abs=0.04 * width)
        assert ours.undefined == 0


def test_the_acceleration_counts_a_row_once_for_every_unit() -> None:
    """BCa of merged rows equals BCa of the same rows made distinct by a column nobody looks at."""
    a, _ = random_pair(60, 8, a=0.95)
    merged = interval(unit_counts([a]), Testing(trials=200_000))
    assert a.stats is not None
    dense = a.stats.dense
    dense[:, 3] = np.arange(60)
    apart = replace(a, stats=replace(a.stats, counts=dense))
    rows = unit_counts([apart]).rows
    assert len(rows.count) == 60 > len(unit_counts([a]).rows.count)
    single = interval(unit_counts([apart]), Testing(trials=200_000))
    assert merged.low == pytest.approx(single.low, abs=0.002)
    assert merged.high == pytest.approx(single.high, abs=0.002)


def test_intervals_hold_the_truth_as_often_as_they_say(effort: Any) -> None:
    truth = 2 * 0.8 * 2 / (2 + 0.8 * 2 + 0.3)
    held = 0
    for seed in range(effort.times(600)):
        a, _ = random_pair(150, seed, a=0.8)
        found = interval(unit_counts([a]), Testing(trials=2000))
        held += found.low <= truth <= found.high  # type: ignore[operator]
    effort.assert_rate(held, 600, 0.92, 0.975)


def test_an_undefined_value_has_no_interval() -> None:
    empty = f1_result("a", np.zeros((4, 3)))
    found = interval(unit_counts([empty]), Testing(trials=50))
    assert (found.low, found.high) == (None, None)
    assert found.reason


@pytest.mark.parametrize("right", [0, 3])
def test_values_that_do_not_vary_have_a_reason_and_no_interval(right: int) -> None:
    same = f1_result("a", np.array([[right, 3, 3], [right, 3, 3]]))
    for method in ("bca", "percentile", "basic"):
        found = interval(unit_counts([same]), Testing(trials=50, interval=method))
        assert (found.low, found.high, found.reason) == (None, None, SAME_VALUE)


def test_undefined_resamples_are_left_out_and_counted() -> None:
    rare = f1_result("a", np.array([[1, 1, 2], [1, 1, 2], [0, 0, 0], [0, 0, 0]]))
    found = interval(unit_counts([rare]), Testing(trials=1000, interval="percentile"))
    assert (found.low, found.high, found.reason) == (None, None, SAME_VALUE)
    # A resample without the first two units has nothing to score: (1/2)^4 of them.
    assert found.undefined / 1000 == pytest.approx(1 / 16, abs=0.03)


def test_one_unit_cannot_vary() -> None:
    alone = f1_result("a", np.array([[1, 1, 2], [0, 0, 0]]))
    found = interval(unit_counts([alone]), Testing(trials=100))
    assert (found.low, found.high) == (None, None)
    assert "only one sentence" in found.reason


def test_nothing_cannot_vary() -> None:
    """Where 0/0 is reported as 0, there is a value without any counts."""
    gold = [["O", "O"], ["O"]]
    scores = tertium.score(gold, gold, metric="spans.partial", significance=True, trials=10)
    found = scores.to_dict()["significance"]["intervals"]
    assert {each["reason"] for each in found} == {"no sentence has counts"}


@pytest.mark.parametrize(
    "wrong", [{"interval": "wald"}, {"level": 1.0}, {"level": 0.0}, {"trials": 0}]
)
def test_what_there_is_not(wrong: dict[str, object]) -> None:
    a, _ = random_pair(5, 1)
    with pytest.raises(UsageError):
        interval(unit_counts([a]), Testing(**wrong))  # type: ignore[arg-type]
