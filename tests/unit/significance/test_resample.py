"""Draws and swaps: right on average, right in spread, the same for every portion."""

from collections.abc import Callable

import numpy as np
import pytest

from count_samples import drawn_sums, swapped_sums
from tertium.results.stats import Floats
from tertium.significance import resample
from tertium.significance.resample import (
    Rows,
    all_swaps,
    drawn_values,
    folded,
    generator,
    merged,
    swapped_values,
    ways_to_swap,
)

TRIALS = 40_000


def some_rows() -> Rows:
    """Rows of which some are drawn as one number and some unit by unit."""
    random = np.random.default_rng(5)
    return Rows(random.integers(0, 9, (40, 3)).astype(float), random.integers(1, 150, 40))


def units_of(rows: Rows) -> np.ndarray:
    return np.repeat(rows.values, rows.count, axis=0)


def test_sums_of_draws_have_the_mean_and_spread_of_the_bootstrap() -> None:
    rows = some_rows()
    assert (rows.count < resample.WORTH_A_BINOMIAL).any()
    assert (rows.count >= resample.WORTH_A_BINOMIAL).any()
    sums = drawn_sums(rows, TRIALS, generator(1))
    units = units_of(rows)
    mean, spread = units.sum(axis=0), units.std(axis=0) * np.sqrt(len(units))
    assert np.abs(sums.mean(axis=0) - mean).max() < 4 * spread.max() / np.sqrt(TRIALS)
    assert sums.std(axis=0) == pytest.approx(spread, rel=0.02)
    assert np.corrcoef(sums.T) == pytest.approx(np.corrcoef(units.T), abs=0.02)


def test_fewer_or_more_units_can_be_drawn() -> None:
    rows = Rows(np.ones((3, 1)), np.array([1, 2, 100]))
    assert set(drawn_sums(rows, 50, generator(0), units=7)[:, 0]) == {7.0}
    assert set(drawn_sums(rows, 50, generator(0), units=700)[:, 0]) == {700.0}


@pytest.mark.parametrize("portion", [1, 100, 977])
def test_portions_make_no_difference(portion: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some_rows()
    drawn, swapped = (f(rows, 200, generator(3)) for f in (drawn_sums, swapped_sums))
    monkeypatch.setattr(resample, "PORTION", portion)
    assert (drawn_sums(rows, 200, generator(3)) == drawn).all()
    assert (swapped_sums(rows, 200, generator(3)) == swapped).all()


def test_another_seed_gives_other_draws() -> None:
    rows = some_rows()
    assert (drawn_sums(rows, 20, generator(1)) != drawn_sums(rows, 20, generator(2))).any()


def test_every_unit_is_swapped_in_half_of_the_trials() -> None:
    count = np.array([1, 63, 64, 65, 200, 1])
    sums = swapped_sums(Rows(np.eye(6), count), TRIALS, generator(2))
    assert sums.mean(axis=0) == pytest.approx(count / 2, rel=0.02)
    assert sums.var(axis=0) == pytest.approx(count / 4, rel=0.05)
    assert (sums <= count).all()
    assert np.abs(np.corrcoef(sums.T) - np.eye(6)).max() < 0.03  # no bit is used twice


@pytest.mark.parametrize("portion", [1, 3, 1000])
def test_all_ways_to_swap(portion: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "PORTION", portion)
    rows = Rows(np.eye(2), np.array([2, 1]))
    assert ways_to_swap(rows, 6) == 6
    assert ways_to_swap(rows, 5) is None
    swapped, chance = all_swaps(rows, 6, lambda sums: sums)
    assert swapped.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    assert chance.tolist() == [0.125, 0.125, 0.25, 0.25, 0.125, 0.125]


def test_nothing_to_swap_is_one_way() -> None:
    rows = Rows(np.zeros((0, 2)), np.zeros(0, np.int64))
    assert ways_to_swap(rows, 1) == 1
    sums, chance = all_swaps(rows, 1, lambda sums: sums)
    assert sums.tolist() == [[0.0, 0.0]]
    assert chance.tolist() == [1.0]


def test_many_equal_units_have_the_chances_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(np.ones((1, 1)), np.array([900]))
    _, tossed = all_swaps(rows, 901, lambda sums: sums)
    monkeypatch.setattr(resample, "WORTH_LOGARITHMS", 10)
    _, chance = all_swaps(rows, 901, lambda sums: sums)
    assert chance == pytest.approx(tossed, rel=1e-9, abs=1e-300)
    assert chance.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("make", [drawn_values, swapped_values])
def test_sums_of_all_trials_are_never_held_at_once(
    make: Callable[..., Floats], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = some_rows()
    monkeypatch.setattr(resample, "PORTION", 400)
    seen = []

    def first(sums: Floats) -> Floats:
        seen.append(len(sums))
        return sums[:, 0]

    found = make(rows, 25, generator(3), first)
    assert seen == [10, 10, 5]
    sums = (drawn_sums if make is drawn_values else swapped_sums)(rows, 25, generator(3))
    assert found.tolist() == sums[:, 0].tolist()


def test_a_difference_and_its_opposite_are_one_row() -> None:
    values = np.array([[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0], [2.0, 0.0]])
    rows, moved = folded(values, np.array([3, 4, 5, 1]))
    assert rows.values.tolist() == [[1.0, -1.0], [2.0, 0.0]]
    assert rows.count.tolist() == [7, 1]
    # With every unit of the first row "swapped", those of the opposite are as they were.
    assert (rows.sums(np.array([7.0, 0.0])) + moved).tolist() == [3.0, -3.0]


def test_no_differences_at_all() -> None:
    rows, moved = folded(np.zeros((2, 3)), np.array([4, 4]))
    assert rows.units == 0
    assert moved.tolist() == [0.0, 0.0, 0.0]
    assert swapped_sums(rows, 5, generator(0)).tolist() == [[0.0] * 3] * 5


def test_draws_are_uniform_over_units() -> None:
    rows = merged(np.arange(10.0)[:, None])
    one_hot = Rows(np.eye(10), rows.count)
    sums = drawn_sums(one_hot, TRIALS, generator(4))
    assert sums.mean(axis=0) == pytest.approx(np.ones(10), abs=0.03)
