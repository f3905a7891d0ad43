"""The paper's simulations: rates by formula, and the paper's figures within their error."""

import json
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy import stats

import toys
from tertium.exceptions import UsageError


def test_the_t_test_is_scipys() -> None:
    draw = np.random.default_rng(0)
    a, b = draw.normal(size=(20, 30)), draw.normal(0.3, 1, (20, 25))
    assert toys.t_test(a, b) == pytest.approx(stats.ttest_ind(a, b, axis=1).pvalue)


@pytest.mark.parametrize(
    ("simulate", "looks"),
    [
        (toys.alike, 1),
        (partial(toys.two_metrics, "independent"), 2),
        (toys.covariate, 2),
        (toys.metrics_and_covariate, 4),
    ],
)
def test_independent_looks_have_the_rate_of_the_formula(
    simulate: Callable[..., toys.Toy], looks: int
) -> None:
    for rate in simulate(repetitions=20_000).rates:
        assert rate.expected == pytest.approx(1 - (1 - rate.level) ** looks)
        assert abs(rate.rate - rate.expected) < 4 * rate.error
        assert rate.distance is not None
        assert abs(rate.distance) < 2.5  # the paper's figure could be one of 1000 repetitions


def test_only_some_readings_of_the_noise_come_near_the_papers_ten_per_cent() -> None:
    found = {r: toys.two_metrics(r, repetitions=20_000).rate(0.05) for r in toys.READINGS}
    near = {r for r, rate in found.items() if abs(rate.distance or 0) < 2}
    assert near == {"shift", "level", "drown", "independent"}
    assert found["shift"].rate == pytest.approx(0.104, abs=0.008)
    assert found["values"].rate == pytest.approx(0.055, abs=0.006)


def test_the_relation_of_metrics_to_p() -> None:
    relations = {r: toys.two_metrics(r).relation for r in ("shift", "level", "independent")}
    for reading in ("shift", "level"):
        relation = relations[reading]
        assert relation is not None
        assert relation.correlation > 0
        assert relation.p < 1e-4
    independent = relations["independent"]
    assert independent is not None
    assert independent.p > 0.01
    assert abs(independent.mean_rho) < 0.01


def test_the_relation_is_pearsons() -> None:
    draw = np.random.default_rng(1)
    a, b = draw.normal(size=(2, 50))
    found, wanted = toys._relation(a, b), stats.pearsonr(a, b)
    assert found.correlation == pytest.approx(wanted.statistic)
    assert found.p == pytest.approx(wanted.pvalue)


def test_more_looks_find_more() -> None:
    whole, halves = toys.covariate("whole or half"), toys.covariate("whole or halves")
    assert toys.alike().rate(0.05).rate < whole.rate(0.05).rate < halves.rate(0.05).rate
    assert whole.rate(0.05).expected is None  # a half depends on the whole
    both = toys.metrics_and_covariate("whole or half")
    assert both.rate(0.05).rate > whole.rate(0.05).rate


@pytest.mark.parametrize("choice", ["sizes", "metrics"])
def test_figure_2(choice: str) -> None:
    found = toys.histograms(choice)
    assert sum(found.without) == sum(found.chosen) == 1000
    assert len(found.chosen) == 20
    # Without a choice all p-values are equally likely; with one, small ones are.
    assert stats.chisquare(found.without).pvalue > 0.001
    assert found.chosen[0] > 2 * found.without[0]
    assert sum(found.chosen[10:]) < sum(found.without[10:]) / 2


def test_the_seed_decides() -> None:
    assert toys.two_metrics(seed=3) == toys.two_metrics(seed=3)
    assert toys.two_metrics(seed=3) != toys.two_metrics(seed=4)


def test_repetitions_in_several_portions() -> None:
    odd = toys.AT_ONCE + 1
    toy = toys.two_metrics(repetitions=odd, size=10)
    assert toy.repetitions == odd
    assert toy.rate(0.05).rate * odd == pytest.approx(round(toy.rate(0.05).rate * odd))


def test_plain_json() -> None:
    told = json.loads(json.dumps(toys.two_metrics(repetitions=50).to_dict(), allow_nan=False))
    assert told["rates"][1]["paper"] == 0.1
    assert told["relation"]["mean_rho"] == pytest.approx(0.999, abs=0.001)
    assert "relation" not in toys.alike(repetitions=50).to_dict()
    json.dumps(toys.histograms(repetitions=50).to_dict())


def test_wrong_requests() -> None:
    with pytest.raises(UsageError, match="reading must be one of shift, values"):
        toys.two_metrics("10%")
    with pytest.raises(UsageError, match="reading must be one of halves"):
        toys.covariate("thirds")
    with pytest.raises(UsageError, match="choice must be sizes or metrics"):
        toys.histograms("seeds")
    with pytest.raises(UsageError, match="needs one repetition"):
        toys.alike(repetitions=0)
