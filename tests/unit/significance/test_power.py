"""`tertium.power`: sizes and differences."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.exceptions import UsageError
from tertium.significance.power import MetricPower, Power, power, power_of
from tertium.significance.simulation import AT_MOST, MORE_THAN, Plan, SimulatedSets

GOLD = [["N", "V", "N"]] * 60
WORSE = [["N", "N", "N"]] * 6 + [["V", "V", "N"]] * 14 + [["N", "V", "N"]] * 40
OTHER = [["N", "N", "N"]] * 12 + [["N", "V", "N"]] * 48


@pytest.fixture(autouse=True, scope="module")
def fewer_test_sets() -> Iterator[None]:
    """A quarter of those on which the test itself is run: enough for what is asked here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tertium.significance.simulation.TEST_SETS", 50)
        yield


@cache
def found(**options: object) -> MetricPower:
    options = {"trials": 1000, **options}
    whole = power(GOLD, WORSE, OTHER, metric="tags.accuracy", **options)  # type: ignore[arg-type]
    return whole.metrics[0]


class Normal:
    """Differences with a known distribution, in place of a simulation: normal, with a standard
    deviation of 1 over the square root of the size."""

    trials, observed = 100_000, 0.1

    class pair:  # noqa: N801
        units = 100

    def at(self, units: int) -> SimulatedSets:
        centred = np.random.default_rng(units).normal(size=self.trials) / np.sqrt(units)
        return SimulatedSets(units, 1.96, centred, np.full(self.trials, 1 / np.sqrt(units)), 0)


def test_the_size_needed_is_that_of_the_textbook() -> None:
    plan = Plan(Normal(), 0.8, 2000)  # type: ignore[arg-type]
    # n = ((z_.975 + z_.8) / difference)^2
    needed = plan.needed(0.1)
    assert needed.units == pytest.approx((1.96 + 0.8416) ** 2 / 0.01, rel=0.02)
    assert needed.words == pytest.approx(20 * needed.units, rel=0.01)
    assert needed.bound == ""
    detectable = plan.detectable(100)
    assert detectable == pytest.approx((1.96 + 0.8416) / 10, rel=0.01)
    assert plan.power(100, 0.1) == pytest.approx(0.1701, abs=0.005)


def test_the_size_needed_is_not_guessed_beyond_what_was_simulated() -> None:
    plan = Plan(Normal(), 0.8, None)  # type: ignore[arg-type]
    far, near = plan.needed(0.01), plan.needed(1.0)
    assert (far.units, far.words, far.bound) == (6400, None, MORE_THAN)
    assert (near.units, near.bound) == (8, AT_MOST)
    assert plan.needed(0.04).units == pytest.approx(4906, rel=0.02)
    assert plan.needed(0.9).units == pytest.approx(9.7, abs=1)


def test_everything_agrees() -> None:
    one = found()
    assert one.observed == pytest.approx(8 / 180)
    assert one.difference == one.observed
    assert one.test.p is not None
    given = {each.units: each for each in one.by_units}[60]
    assert given.words == 180
    assert given.power == one.power
    assert given.detectable == one.detectable
    assert [each.units for each in one.by_units] == [8, 15, 30, 45, 60, 90, 120, 240, 480, 960]
    assert one.by_difference[0].difference == 0
    assert len(one.by_difference) == 11
    assert one.needed is not None
    assert one.needed.units > 60 if (one.power or 0) < 0.8 else one.needed.units <= 60


def test_a_named_difference_is_asked_about_instead() -> None:
    small, large = found(difference=0.02), found(difference=0.2)
    assert small.difference == 0.02
    assert small.power is not None
    assert large.power is not None
    assert small.power < 0.5 < large.power
    assert small.detectable == large.detectable
    assert small.needed is not None
    assert large.needed is not None
    assert small.needed.units > large.needed.units


def test_systems_have_the_names_they_are_given() -> None:
    gold, a, b = [["N", "V"]] * 40, [["N", "V"]] * 40, [["N", "N"]] * 20 + [["N", "V"]] * 20
    named = power(gold, a, b, trials=100, names=["old", "new"])
    assert (named.a, named.b) == ("old", "new")


def test_the_direction_is_that_of_the_systems() -> None:
    there = power(GOLD, WORSE, OTHER, metric="tags.accuracy", trials=4000).metrics[0]
    back = power(GOLD, OTHER, WORSE, metric="tags.accuracy", trials=4000).metrics[0]
    assert there.observed == pytest.approx(-(back.observed or 0))
    assert there.power == pytest.approx(back.power, abs=0.03)


def test_a_smaller_alpha_or_more_power_needs_more() -> None:
    usual, strict, sure = found(), found(alpha=0.0025), found(target=0.95)
    assert usual.power is not None
    assert strict.power is not None
    assert strict.power < usual.power == sure.power
    for other in (strict, sure):
        assert other.needed is not None
        assert usual.needed is not None
        assert other.needed.units > usual.needed.units


def test_equal_values_have_no_difference_to_ask_about() -> None:
    a, b = [["N", "V"], ["N", "N"]] * 20, [["N", "N"], ["N", "V"]] * 20
    one = power([["N", "V"]] * 40, a, b, metric="tags.accuracy", trials=1000).metrics[0]
    assert one.observed == 0
    assert (one.difference, one.power, one.needed) == (None, None, None)
    assert "observed difference is 0" in one.reasons["power"]
    assert one.detectable is not None
    assert all(each.power is None and each.detectable for each in one.by_units[2:])
    assert len(one.by_difference) == 11


def test_equal_systems_can_not_be_simulated() -> None:
    one = power(GOLD, WORSE, WORSE, metric="tags.accuracy", difference=0.1, trials=1000).metrics[0]
    assert (one.difference, one.power, one.needed, one.detectable) == (0.1, None, None, None)
    assert one.test.p == 1
    assert "nothing to simulate" in one.reasons["detectable"]
    assert "difference" not in one.reasons


def test_what_is_undefined_says_why() -> None:
    one = power([["O"]] * 5, [["O"]] * 5, [["O"]] * 5, metric="spans.f1", trials=1000).metrics[0]
    assert one.observed is None
    assert set(one.reasons) == {"difference", "power", "needed", "detectable"}
    assert "undefined" in one.reasons["power"]


def test_few_units_can_show_nothing() -> None:
    whole = power([["N"]] * 3, [["V"]] * 3, [["N"]] * 3, metric="tags.accuracy", trials=1000)
    one = whole.metrics[0]
    assert one.power == 0
    assert one.detectable is None
    assert "too small" in one.reasons["detectable"]
    assert one.needed is not None


def test_without_a_metric_one_of_each_layer(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    whole = power(*files, trials=200)
    assert [each.metric for each in whole.metrics] == ["tags.accuracy", "deps.las"]
    assert whole["deps.las"].metric == "deps.las"
    with pytest.raises(UsageError, match=r"no metric 'deps.la'.*deps.las"):
        whole["deps.la"]
    named = power(*files, metric=["deps.uas"], trials=200)
    assert [each.metric for each in named.metrics] == ["deps.uas"]


def test_seeds_decide() -> None:
    assert found.__wrapped__(seed=1).by_units == found(seed=1).by_units
    assert found(seed=1).by_units != found(seed=2).by_units


def test_scores_will_do(samples: Path) -> None:
    scores = tertium.score(GOLD, WORSE, OTHER, metric="tags.accuracy", names=("a", "b"))
    whole = power_of(scores, trials=1000)
    assert isinstance(whole, Power)
    assert (whole.a, whole.b, whole.units, whole.tokens) == ("a", "b", 60, 180)
    one = tertium.score(GOLD, WORSE, metric="tags.accuracy")
    with pytest.raises(UsageError, match="takes two systems"):
        power_of(one)
    with pytest.raises(UsageError, match="a has several runs"):
        power(GOLD, tertium.runs("a", WORSE, OTHER), OTHER, metric="tags.accuracy")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"difference": 0}, "difference must be above 0"),
        ({"difference": -0.1}, "difference must be above 0"),
        ({"difference": 50, "metric": "tags.accuracy"}, "at most 1"),
        ({"difference": float("nan")}, "difference must be"),
        ({"alpha": 0}, "alpha must be"),
        ({"alpha": 1.5}, "alpha must be"),
        ({"target": 0.05}, "power must be between alpha"),
        ({"target": 1}, "power must be between alpha"),
        ({"trials": 30}, "trials are too few"),
        ({"seed": -1}, "seed must not be negative"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        power("no such file", "nor this", "nor that", **options)
