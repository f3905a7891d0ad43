"""What docs/significance.md says about levels of tests, in simulations (tests/levels.py)."""

import pytest

from levels import by_length, clustered, rejected, rejected_over_runs, unlike_precision

pytestmark = pytest.mark.slow


def test_errors_in_a_few_sentences_are_noticed_in_small_test_sets() -> None:
    assert 0.07 < rejected(clustered, 50) < 0.13
    assert rejected(clustered, 1000) < 0.07


def test_errors_by_length_are_no_problem() -> None:
    assert 0.02 < rejected(by_length, 50) < 0.065


def test_precision_of_systems_that_find_unlike_numbers() -> None:
    assert 0.11 < rejected(unlike_precision, 200) < 0.21
    assert 0.03 < rejected(unlike_precision, 200, test="bootstrap") < 0.09


def test_runs() -> None:
    assert rejected_over_runs(2) > 0.25
    assert 0.05 < rejected_over_runs(5) < 0.125
    assert rejected_over_runs(10) < 0.09
