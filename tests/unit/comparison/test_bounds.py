"""Upper bounds, subsets, patterns and contributions against counting by hand."""

from itertools import combinations

import numpy as np
import pytest

import plain_compare as plain
import tertium
from tertium.comparison.bounds import MOST_FOR_SUBSETS, Pattern

LABELS = "ABCD"


def random_systems(count: int, words: int = 60, seed: int = 0) -> tuple[list[list[str]], ...]:
    """Gold and systems that are right about half of the time, in sentences of five words."""
    draw = np.random.default_rng(seed)
    gold = draw.choice([*LABELS], words)
    found = [gold]
    for _ in range(count):
        found.append(np.where(draw.random(words) < 0.5, gold, draw.choice([*LABELS], words)))
    return tuple([row.tolist() for row in each.reshape(-1, 5)] for each in found)


def view_of(count: int, words: int = 60, seed: int = 0) -> tuple[tertium.Comparison, plain.Table]:
    data = random_systems(count, words, seed)
    return tertium.compare(*data, metric="tags.accuracy"), plain.tags(*data)


@pytest.mark.parametrize("count", [2, 3, 5, 17, 64])
def test_everything_as_the_plain_way_finds_it(count: int) -> None:
    comparison, table = view_of(count)
    plain.check(comparison.view, table)


def test_subsets_by_brute_force() -> None:
    comparison, table = view_of(5)
    bounds = comparison.view.oracle.subsets
    assert bounds is not None
    assert len(bounds) == 2**5
    assert bounds[0] == 0
    for bits in range(2**5):
        who = [s for s in range(5) if bits >> s & 1]
        assert bounds[bits] == plain.bound(table, who)


def test_the_best_subset_of_every_size() -> None:
    comparison, table = view_of(5, seed=3)
    oracle = comparison.view.oracle
    assert [len(who) for who, _ in oracle.best_subsets] == [1, 2, 3, 4, 5]
    for who, bound in oracle.best_subsets:
        every = [*combinations(range(5), len(who))]
        best = max(plain.bound(table, rows) for rows in every)
        assert bound == best == oracle.bound_of(*who)
        first = next(rows for rows in every if plain.bound(table, rows) == best)
        assert who == tuple(comparison.systems[s] for s in first)


def test_contributions_share_out_the_bound() -> None:
    comparison, table = view_of(4, seed=1)
    oracle = comparison.view.oracle
    assert sum(c.mean for c in oracle.contributions) == pytest.approx(oracle.correct)
    for s, each in enumerate(oracle.contributions):
        others = [o for o in range(4) if o != s]
        assert each.alone == oracle.correct - plain.bound(table, others)
        assert each.right == plain.right(table, s)


def test_the_mean_contribution_is_that_over_all_orders() -> None:
    from itertools import permutations

    comparison, table = view_of(3, seed=2)
    gains = [0] * 3
    orders = [*permutations(range(3))]
    for order in orders:
        for place, s in enumerate(order):
            gains[s] += plain.bound(table, order[: place + 1]) - plain.bound(table, order[:place])
    means = [c.mean for c in comparison.view.oracle.contributions]
    assert means == pytest.approx([g / len(orders) for g in gains])


def test_by_solvers_counts_every_item_once() -> None:
    comparison, table = view_of(4)
    counts = [0] * 5
    for who, count in plain.pattern_counts(table).items():
        counts[len(who)] += count
    assert comparison.view.oracle.by_solvers == counts
    assert sum(counts) == 60


def test_patterns_are_in_order_of_count_then_of_systems() -> None:
    gold = [list("AAAAA")]
    a, b = [list("AAxxx")], [list("xxAAx")]
    found = tertium.compare(gold, a, b, metric="tags.accuracy", names="ab").view.oracle.patterns
    assert found == [Pattern(("a",), 2), Pattern(("b",), 2), Pattern((), 1)]


@pytest.mark.parametrize("count", [MOST_FOR_SUBSETS, MOST_FOR_SUBSETS + 1])
def test_all_subsets_up_to_sixteen_systems(count: int) -> None:
    comparison, table = view_of(count, words=40)
    oracle = comparison.view.oracle
    if count > MOST_FOR_SUBSETS:
        assert oracle.subsets is None
        assert oracle.best_subsets == []
        assert oracle.to_dict()["subsets"] is None
    else:
        assert oracle.subsets is not None
        assert oracle.subsets[-1] == oracle.correct
        assert oracle.subsets[0b1010] == plain.bound(table, [1, 3])


@pytest.mark.parametrize("count", [61, 62, 63, 70])
def test_patterns_of_more_systems_than_an_integer_has_bits(count: int) -> None:
    comparison, table = view_of(count, words=30)
    oracle = comparison.view.oracle
    told = {p.systems: p.count for p in oracle.patterns}
    names = comparison.systems
    assert told == {
        tuple(names[s] for s in who): n for who, n in plain.pattern_counts(table).items()
    }
    assert len(comparison.view.order) == count
    assert sum(c.mean for c in oracle.contributions) == pytest.approx(oracle.correct)


def test_gain_over_the_best_system_and_over_the_best_on_a_label() -> None:
    gold = [list("AAAABB")]
    a, b = [list("AAAxxx")], [list("xxxABx")]  # a: 3 of A; b: 1 of A, 1 of B
    oracle = tertium.compare(gold, a, b, metric="tags.accuracy").view.oracle
    assert (oracle.correct, oracle.best, oracle.gain) == (5, 0, pytest.approx(2 / 6))
    rows = {r.label: r for r in oracle.labels}
    assert [*rows] == ["A", "B"]
    assert (rows["A"].bound, rows["A"].gain, rows["A"].gain_label) == (4, 0.25, 0.25)
    assert (rows["B"].bound, rows["B"].gain, rows["B"].gain_label) == (1, 0.5, 0)
    assert (rows["B"].all_right, rows["B"].none_right) == (0, 1)


def test_what_systems_add_is_not_in_the_bound() -> None:
    gold = [["B-X", "O", "O"]]
    a, b = [["B-X", "O", "B-Y"]], [["O", "O", "B-Z"]]
    oracle = tertium.compare(gold, a, b, metric="spans.fair").view.oracle
    assert (oracle.items, oracle.correct, oracle.by_solvers) == (1, 1, [0, 1, 0])
    assert [r.label for r in oracle.labels] == ["X"]


def test_a_system_more_never_lowers_the_bound() -> None:
    data = random_systems(6, seed=7)
    bounds = [
        tertium.compare(*data[: n + 1], metric="tags.accuracy").view.oracle.correct
        for n in range(2, 7)
    ]
    assert bounds == sorted(bounds)
