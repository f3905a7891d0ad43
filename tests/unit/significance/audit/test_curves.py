"""Samples, cut-offs and how often they are significant."""

import numpy as np
import pytest

import tertium
from tertium.results.assessment import Testing
from tertium.significance.audit.curves import (
    DRAWN,
    ORDER,
    ORDERS,
    SHARES,
    length_curve,
    rates,
    size_curve,
)
from tertium.significance.audit.looks import AuditLook
from tertium.significance.resample import generator
from tertium.significance.tests import Contrast, few, paired_test

RANDOM = np.random.default_rng(3)


def corrupted(gold: list[list[str]], share: float) -> list[list[str]]:
    return [["X" if RANDOM.random() < share else tag for tag in tags] for tags in gold]


LENGTHS = RANDOM.integers(1, 30, size=150)
GOLD = [["N"] * int(length) for length in LENGTHS]
SCORES = tertium.score(GOLD, corrupted(GOLD, 0.2), corrupted(GOLD, 0.18), metric="tags.accuracy")


def pair_of(test: str = "randomisation") -> tuple[Contrast, AuditLook]:
    pair = Contrast(*SCORES.results, Testing(test=test, trials=400))
    found, values = pair.test()
    return pair, AuditLook("main", "tags.accuracy", found, values, found.units)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "wilcoxon", "sign"])
def test_a_pair_tests_as_the_engine_does(test: str) -> None:
    pair, _ = pair_of(test)
    units = np.arange(20, 90)
    assert pair.test()[0] == paired_test(*SCORES.results, test=test, trials=400)
    assert pair.test(units)[0] == paired_test(*SCORES.results, test=test, trials=400, units=units)
    few = pair.test(units, trials=70)[0]
    assert few == paired_test(*SCORES.results, test=test, trials=70, units=units)


def test_rates_are_of_seeded_samples_without_replacement() -> None:
    pair, whole = pair_of()
    found = rates([(pair, whole)], samples=6, trials=80)
    assert [rate.share for rate in found] == [*SHARES, 1.0]
    for rate in found[:-1]:
        random = generator(0, DRAWN, round(100 * rate.share))
        drawn = [random.choice(150, rate.units, replace=False) for _ in range(6)]
        tests = [paired_test(*SCORES.results, trials=80, units=np.sort(units)) for units in drawn]
        assert rate.significant == sum(test.p is not None and test.p < 0.05 for test in tests)
    assert (found[-1].samples, found[-1].trials) == (1, 400)
    assert found[-1].significant == whole.is_significant()


def test_a_bootstrap_of_few_units_is_warned_of() -> None:
    pair, whole = pair_of("bootstrap")
    assert {rate.warning for rate in rates([(pair, whole)], samples=2, trials=20)} == {few()}
    pair, whole = pair_of()
    assert {rate.warning for rate in rates([(pair, whole)], samples=2, trials=20)} == {""}


def test_samples_grow_and_end_with_all() -> None:
    pair, whole = pair_of()
    curve, _ = size_curve(pair, whole, LENGTHS, trials=50)
    sizes = [look.units for look in curve.looks]
    assert len(sizes) == 20
    assert sizes == sorted(set(sizes))
    assert curve.looks[-1] is whole
    assert all(0 < (look.words or 0) < LENGTHS.sum() for look in curve.looks[:-1])
    assert {look.words for look in size_curve(pair, whole, None, trials=50)[0].looks} == {None}


def test_cut_offs_that_add_next_to_nothing_are_left_out() -> None:
    pair, whole = pair_of()
    lengths = LENGTHS.copy()
    lengths[np.flatnonzero(lengths == 7)[1:]] = 8
    curve = length_curve(pair, whole, lengths)
    cuts = [look.most_words for look in curve.looks]
    assert cuts == sorted(set(cuts))  # type: ignore[type-var]
    assert 7 not in cuts, "one unit of 150 is less than one of a hundred"
    assert 8 in cuts
    assert cuts[-1] == lengths.max()
    assert curve.looks[-1].p == whole.p
    for look in curve.looks:
        assert look.units == (lengths <= (look.most_words or 0)).sum()


def test_a_size_is_significant_if_most_orders_are() -> None:
    pair, whole = pair_of()
    curve, orders = size_curve(pair, whole, None, trials=400)
    assert orders.tried == ORDERS
    assert 0 <= orders.lost <= ORDERS
    for place in (3, 10, 17):
        size = curve.looks[place].units
        p = []
        for number in range(ORDERS):
            order = generator(0, ORDER, number).permutation(150)
            chosen = np.sort(order[:size])
            p.append(paired_test(*SCORES.results, trials=400, units=chosen).p)
        assert curve.looks[place].p == sorted(p)[ORDERS // 2]  # type: ignore[type-var]


def test_one_lucky_order_does_not_decide() -> None:
    """Of equal systems no sample is significant, whatever the seed; some single orders were."""
    gold = GOLD[:80]
    both = tertium.score(
        gold, corrupted(gold, 0.2), corrupted(gold, 0.2), metric="tags.accuracy"
    ).results
    lucky = 0
    for seed in range(4):
        pair = Contrast(*both, Testing(trials=100, seed=seed))
        test, values = pair.test()
        whole = AuditLook("main", "tags.accuracy", test, values, test.units)
        curve, orders = size_curve(pair, whole, None, trials=100)
        assert not any(look.is_significant() for look in curve.looks)
        lucky += orders.lost
    assert lucky
