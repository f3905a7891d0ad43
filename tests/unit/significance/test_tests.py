"""Tests of differences: against enumeration, against scipy, and under the null hypothesis."""

from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from count_samples import f1_result, plain_exact_p, random_pair
from tertium.exceptions import UsageError
from tertium.significance.resample import Number
from tertium.significance.tests import TESTS, few, paired_test


def difference(correct_a, gold_a, system_a, correct_b, gold_b, system_b, axis=-1):  # type: ignore[no-untyped-def]
    def f1(correct, gold, system):  # type: ignore[no-untyped-def]
        return 2 * correct.sum(axis) / (gold.sum(axis) + system.sum(axis))

    return f1(correct_b, gold_b, system_b) - f1(correct_a, gold_a, system_a)


@pytest.mark.parametrize("seed", range(8))
def test_few_units_are_enumerated(seed: int) -> None:
    a, b = random_pair(9, seed, a=0.6, b=0.85)
    found = paired_test(a, b)
    assert found.exact
    assert found.p == pytest.approx(plain_exact_p(a, b), abs=1e-12)


def test_scipy_enumerates_to_the_same_p() -> None:
    """scipy's own permutation test of pairs, on a mean of differences: accuracy with equal
    denominators."""
    random = np.random.default_rng(2)
    counts = [np.column_stack([random.integers(0, 5, 10), np.full(10, 4), np.full(10, 4)])] * 2
    counts[1] = np.column_stack([random.integers(0, 5, 10), np.full(10, 4), np.full(10, 4)])
    a, b = (f1_result(name, each) for name, each in zip("ab", counts, strict=True))
    theirs = scipy_stats.permutation_test(
        [counts[0][:, 0], counts[1][:, 0]],
        lambda x, y, axis: np.abs(np.mean(y - x, axis=axis)),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        alternative="greater",
    )
    assert paired_test(a, b).p == pytest.approx(theirs.pvalue, abs=1e-12)
    upper = scipy_stats.permutation_test(
        [counts[0][:, 0], counts[1][:, 0]],
        lambda x, y, axis: np.mean(y - x, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        alternative="greater",
    )
    found = paired_test(a, b, direction="greater")
    assert found.p == pytest.approx(upper.pvalue, abs=1e-12)


def test_trials_come_close_to_what_enumeration_says() -> None:
    a, b = random_pair(14, 4, a=0.6, b=0.8, spurious=2.0)
    exact = plain_exact_p(a, b)
    found = paired_test(a, b, trials=1500)
    assert not found.exact
    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 1500))


def test_scipys_bootstrap_gives_the_same_p() -> None:
    a, b = random_pair(300, 6, a=0.78, b=0.8)
    theirs = scipy_stats.bootstrap(
        [*a.stats.dense[:, :3].T, *b.stats.dense[:, :3].T],  # type: ignore[union-attr]
        difference,
        paired=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
        batch=1000,
        method="percentile",
    ).bootstrap_distribution
    ours = paired_test(a, b, test="bootstrap", trials=20_000)
    assert ours.delta is not None
    far = np.abs(theirs - ours.delta) >= abs(ours.delta)
    assert ours.p == pytest.approx(far.mean(), abs=0.015)
    higher = paired_test(a, b, test="berg-kirkpatrick", direction="greater", trials=20_000)
    assert higher.p == pytest.approx((theirs > 2 * ours.delta).mean(), abs=0.012)
    koehn = paired_test(a, b, test="koehn", direction="greater", trials=20_000)
    assert koehn.p == pytest.approx((theirs <= 0).mean(), abs=0.012)


@pytest.mark.parametrize("units", [30, 120])
def test_ranks_are_those_of_the_units_own_values(units: int) -> None:
    a, b = random_pair(units, 7, a=0.6, b=0.8)
    with np.errstate(invalid="ignore"):
        values = [
            2 * r.stats.dense[:, 0] / (r.stats.dense[:, 1] + r.stats.dense[:, 2])  # type: ignore[union-attr]
            for r in (a, b)
        ]
    apart = np.round(values[1] - values[0], 12)
    there = apart[~np.isnan(apart)]
    found = paired_test(a, b, test="wilcoxon")
    assert found.undefined == int(np.isnan(apart).sum())
    assert found.differing == int((there != 0).sum())
    if not found.exact:
        theirs = scipy_stats.wilcoxon(there, method="asymptotic", correction=False)
        assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    signs = scipy_stats.binomtest(int((there > 0).sum()), int((there != 0).sum()))
    assert paired_test(a, b, test="sign").p == pytest.approx(signs.pvalue, rel=1e-9)


@pytest.mark.parametrize("test", TESTS)
def test_a_system_against_itself(test: str) -> None:
    a, _ = random_pair(20, 9)
    found = paired_test(a, a, test=test, direction="greater", trials=100)
    assert found.delta == 0
    if test in ("wilcoxon", "sign"):
        assert found.p is None
        assert found.reason
    else:
        assert found.p == 1


def test_swapping_the_systems_turns_the_sign_only() -> None:
    a, b = random_pair(200, 10, a=0.75, b=0.8)
    one, other = paired_test(a, b), paired_test(b, a)
    assert one.delta == pytest.approx(-other.delta)  # type: ignore[operator]
    assert one.p == pytest.approx(other.p, abs=0.02)
    low, high = (paired_test(a, b, direction=d).p for d in ("less", "greater"))
    assert high < 0.5 < low  # type: ignore[operator]


def test_ties_count() -> None:
    """Every swap gives the same difference or its opposite: p is 1, not 0."""
    a = f1_result("a", np.array([[1, 2, 2], [1, 2, 2]]))
    b = f1_result("b", np.array([[2, 2, 2], [1, 2, 2]]))
    assert paired_test(a, b).p == 1


def test_few_units_carry_the_warning_for_the_bootstrap_only() -> None:
    a, b = random_pair(199, 11)
    assert paired_test(a, b, test="bootstrap", trials=50).warning == few()
    assert paired_test(a, b, trials=50).warning == ""
    a, b = random_pair(200, 11)
    assert paired_test(a, b, test="bootstrap", trials=50).warning == ""


def test_a_direction_is_stated_beforehand() -> None:
    a, b = random_pair(10, 1)
    for test in ("koehn", "berg-kirkpatrick"):
        with pytest.raises(UsageError, match="one-sided"):
            paired_test(a, b, test=test)
    with pytest.raises(UsageError, match="direction"):
        paired_test(a, b, direction="better")
    with pytest.raises(UsageError, match="Did you mean 'wilcoxon'"):
        paired_test(a, b, test="wilcoxn")


def test_some_units_only() -> None:
    a, b = random_pair(60, 12, a=0.5, b=0.9)
    some = np.arange(0, 60, 6)
    first, second = (
        f1_result(r.system, r.stats.dense[some][:, :3])  # type: ignore[union-attr]
        for r in (a, b)
    )
    assert paired_test(a, b, units=some).p == paired_test(first, second).p
    mask = np.zeros(60, np.bool_)
    mask[some] = True
    assert paired_test(a, b, units=mask).p == paired_test(first, second).p


def test_an_undefined_value() -> None:
    empty = f1_result("a", np.zeros((3, 3)))
    found = paired_test(empty, empty)
    assert (found.p, found.delta) == (None, None)
    assert found.reason


def test_a_part_that_there_is_not() -> None:
    a, b = random_pair(5, 1)
    with pytest.raises(UsageError, match="no part 'recoil'"):
        paired_test(a, b, Number("recoil"))


def test_systems_that_are_alike_differ_in_one_of_twenty(effort: Any) -> None:
    """3,000 pairs of systems with the same chances on 400 units each: at .05, 4 to 6 % reject."""
    rejected, trials = 0, effort.times(10_000)
    for seed in range(effort.times(3000)):
        a, b = random_pair(400, 10_000 + seed)
        rejected += paired_test(a, b, seed=seed, trials=trials).p < 0.05  # type: ignore[operator]
    effort.assert_rate(rejected, 3000, 0.04, 0.06)


def test_so_do_they_by_the_centred_bootstrap(effort: Any) -> None:
    rejected = 0
    for seed in range(effort.times(1000)):
        a, b = random_pair(400, 10_000 + seed)
        p = paired_test(a, b, test="bootstrap", trials=1000, seed=seed).p
        rejected += p < 0.05  # type: ignore[operator]
    effort.assert_rate(rejected, 1000, 0.03, 0.07)


def test_one_sided_for_whoever_is_ahead_rejects_twice_as_often(effort: Any) -> None:
    rejected = 0
    for seed in range(effort.times(1000)):
        a, b = random_pair(400, 20_000 + seed)
        ahead = "greater" if (b.value or 0) > (a.value or 0) else "less"
        p = paired_test(a, b, test="berg-kirkpatrick", direction=ahead, trials=1000).p
        rejected += p < 0.05  # type: ignore[operator]
    effort.assert_rate(rejected, 1000, 0.08)


def test_what_is_too_small_for_a_number_is_not_zero() -> None:
    a, b = (f1_result(name, np.array([[i, 1, 1]] * 3000)) for i, name in enumerate("ab"))
    for test in ("randomisation", "sign", "wilcoxon"):
        assert 0 < paired_test(a, b, test=test).p < 1e-300  # type: ignore[operator]


def test_a_bootstrap_of_one_unit_says_nothing() -> None:
    a, b = (f1_result(n, np.array([[i, 2, 2], [0, 0, 0]])) for i, n in enumerate("ab"))
    found = paired_test(a, b, test="bootstrap", trials=100)
    assert found.p is None
    assert "only one sentence" in found.reason
    assert paired_test(a, b).p == 1  # two ways to swap, as far apart as each other


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "wilcoxon", "sign"])
def test_plain_values_are_tested_as_those_of_results(test: str) -> None:
    """With one item per unit, accuracy is the mean of what is right."""
    random = np.random.default_rng(5)
    a, b = random.integers(0, 2, 40), random.integers(0, 2, 40)
    ones = np.ones(40)
    results = [f1_result("x", np.column_stack([right, ones, ones])) for right in (a, b)]
    found = paired_test(a.tolist(), b, test=test, trials=500, seed=3)
    assert found == paired_test(*results, test=test, trials=500, seed=3)
    assert found.delta == pytest.approx(float(b.mean() - a.mean()))


def test_units_without_a_value_of_both_are_left_out() -> None:
    found = paired_test([1.0, None, 0.5, 2.0], [2.0, 9.0, float("nan"), 2.0])
    assert (found.delta, found.units) == (0.5, 2)
    assert found == paired_test([1.0, 2.0], [2.0, 2.0])
    nothing = paired_test([None], [1.0])
    assert nothing.p is None
    assert "undefined" in nothing.reason


def test_values_that_are_not_paired_are_refused() -> None:
    with pytest.raises(UsageError, match="as many paired values"):
        paired_test([1.0], [1.0, 2.0])
    with pytest.raises(UsageError, match="two results of score, or two lists"):
        paired_test(random_pair(5, 1)[0], [1.0])
