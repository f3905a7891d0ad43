"""Simulated test sets: what the default test would find on them."""

import math
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.significance.score.result import Scores
from tertium.significance.simulation import Simulation, critical_value
from tertium.significance.tests import paired_test

SYSTEMS = ("a", "b")


def systems(units: int, *, better: float = 0.08, seed: int = 1, metric: str = "") -> Scores:
    """Two taggers over sentences of 1 to 12 words; B repairs a share of A's errors."""
    random = np.random.default_rng(seed)
    gold, a, b = [], [], []
    for length in random.integers(1, 13, units):
        words = random.integers(3, size=length)
        first = np.where(random.random(length) < 0.25, (words + 1) % 3, words)
        second = np.where(random.random(length) < 0.25 - better, (words + 2) % 3, words)
        second = np.where(random.random(length) < 0.5, second, first)
        for side, tags in ((gold, words), (a, first), (b, second)):
            side.append(["XYZ"[tag] for tag in tags])
    return tertium.score(gold, a, b, metric=metric or "tags.accuracy", names=SYSTEMS)


def test_the_critical_value_parts_what_the_test_calls_significant_from_the_rest() -> None:
    null = np.random.default_rng(0).normal(size=999)
    at = critical_value(null, 0.05)

    def p(value: float) -> float:
        return float(((np.abs(null) >= value - 1e-12).sum() + 1) / (len(null) + 1))

    assert p(min(v for v in np.abs(null) if v > at)) < 0.05
    assert p(max(v for v in np.abs(null) if v < at)) >= 0.05


def test_the_critical_value_steps_over_values_that_are_too_frequent() -> None:
    null = np.array([0.0] * 900 + [1.0] * 60 + [-1.0] * 20 + [2.0] * 19)
    assert critical_value(null, 0.05) == 1.5
    assert critical_value(null, 0.01) == math.inf


def test_where_nothing_is_significant_nothing_is_found() -> None:
    scores = tertium.score([["N"]] * 4, [["V"]] * 4, [["N"]] * 4, names=SYSTEMS)
    simulation = Simulation(*scores.results, trials=500)
    found = simulation.at(4)
    assert found.critical == math.inf
    assert found.power(1.0) == 0
    assert found.detectable(0.8) is None
    assert paired_test(*scores.results).p == 0.125  # of all differences there can be the largest
    assert simulation.at(6).power(1.0) == 1  # 2 of 64 ways to swap are as extreme
    assert simulation.at(5).power(1.0) == 0  # 2 of 32


def test_fewer_than_six_differing_units_show_nothing() -> None:
    gold, a = [["N"]] * 10, [["V"]] * 5 + [["N"]] * 5
    scores = tertium.score(gold, a, gold, names=SYSTEMS)
    found = Simulation(*scores.results, trials=20_000).at(10)
    # Six or more of ten coins: 386 of 1,024.
    assert found.power(1.0) == pytest.approx(386 / 1024, abs=0.015)


@pytest.mark.parametrize("metric", ["tags.accuracy", "spans.f1"])
def test_spreads_are_those_of_swaps(metric: str) -> None:
    random = np.random.default_rng(3)
    if metric == "spans.f1":
        gold, a, b = (
            [["OB"[i] + "-X" * i for i in row] for row in random.integers(2, size=(80, 6))]
            for _ in range(3)
        )
        scores = tertium.score(gold, a, b, metric=metric, names=SYSTEMS)
    else:
        scores = systems(80)
    simulation = Simulation(*scores.results, trials=200)
    spread = float(simulation._spread(simulation.rows.total()[None], 80)[0])
    # By plain Python: toss coins, add up.
    first, second = (r.stats.dense for r in scores.results)  # type: ignore[union-attr]
    name, formula = scores.results[0].headline, scores.results[0].formula
    found = []
    for _ in range(3000):
        coins = random.integers(2, size=80)[:, None]
        sides = np.where(coins, first, second), np.where(coins, second, first)
        values = [
            formula.score(r.stats.totals_of(side.sum(axis=0), labels=False))[name]  # type: ignore[union-attr]
            for r, side in zip(scores.results, sides, strict=True)
        ]
        found.append(float(values[1] - values[0]))
    assert spread == pytest.approx(np.std(found), rel=0.06)
    # As of a normal distribution; few units have few values, and step over it.
    assert simulation.at(800).critical == pytest.approx(1.96, rel=0.04)
    assert 1.96 < simulation.at(40).critical < 2.25


def test_power_counts_what_lies_beyond_on_either_side() -> None:
    found = Simulation(*systems(60).results, trials=2000).at(60)
    for difference in (-0.1, 0.0, 0.03, 0.2):
        plain = [
            abs(apart + difference) > found.critical * spread
            for apart, spread in zip(found.centred, found.spread, strict=True)
        ]
        assert found.power(difference) == pytest.approx(np.mean(plain))


def test_the_detectable_difference_is_the_smallest_with_that_power() -> None:
    found = Simulation(*systems(60).results, trials=2000).at(60)
    for sign in (1.0, -1.0):
        least = found.detectable(0.8, sign)
        assert least is not None
        assert found.power(sign * least) >= 0.8
        assert found.power(sign * (least - 1e-6)) < 0.8


def test_more_units_find_smaller_differences() -> None:
    simulation = Simulation(*systems(60).results, trials=4000)
    small, large = simulation.at(60).detectable(0.8), simulation.at(240).detectable(0.8)
    assert small is not None
    assert large is not None
    assert small / large == pytest.approx(2.0, rel=0.1)  # the square root of four times as many


def test_without_a_difference_the_rate_is_alpha() -> None:
    scores = systems(400, better=0.0, seed=4)
    for alpha in (0.05, 0.2):
        simulation = Simulation(*scores.results, alpha=alpha, trials=10_000)
        # The critical value is an estimate as well, and values of counts are not continuous.
        assert simulation.at(400).power(0.0) == pytest.approx(alpha, rel=0.15)


def test_seeds_decide_and_sizes_are_simulated_once() -> None:
    scores = systems(40)
    one, same, other = (Simulation(*scores.results, trials=200, seed=s) for s in (0, 0, 1))
    assert one.at(40) is one.at(40)
    assert (one.at(40).centred == same.at(40).centred).all()
    assert (one.at(40).centred != other.at(40).centred).any()


def test_labels_are_drawn_too() -> None:
    scores = tertium.score(
        [["B-X", "O", "B-Y"]] * 30, [["B-X", "O", "O"]] * 30, [["O", "O", "B-Y"]] * 30,
        metric="spans.f1", names=SYSTEMS,
    )  # fmt: skip
    from tertium.significance.resample import Number

    simulation = Simulation(*scores.results, Number(part="macro_f1"), trials=200)
    assert simulation.differing == 30
    assert simulation.observed == 0
    assert simulation.at(30).power(0.0) == 0


@pytest.mark.parametrize(
    ("units", "drawn", "better"), [(200, 200, 0.04), (60, 120, 0.05), (40, 25, 0.1)]
)
def test_power_is_how_often_the_test_itself_is_significant(
    units: int, drawn: int, better: float, effort: Any
) -> None:
    """Data sets drawn one by one, and the default test run on each of them."""
    scores = systems(units, better=better, seed=7)
    a, b = scores.results
    random = np.random.default_rng(11)
    rounds = effort.times(1500)
    significant = 0
    for number in range(rounds):
        test = paired_test(a, b, units=random.integers(units, size=drawn), trials=999, seed=number)
        significant += test.p is not None and test.p < 0.05
    simulation = Simulation(a, b, trials=20_000)
    power = simulation.at(drawn).power(simulation.observed)
    assert 0.15 < power < 0.95
    error = np.sqrt(power * (1 - power) / rounds)
    assert power == pytest.approx(significant / rounds, abs=4 * error)
