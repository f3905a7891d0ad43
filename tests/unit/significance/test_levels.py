"""What docs/significance.md says about levels of tests, in simulations (tests/levels.py)."""

from typing import Any

import pytest

from levels import Pair, by_length, clustered, rejected, rejected_over_runs, unlike_precision


@pytest.mark.parametrize(
    ("pair", "units", "test", "low", "high"),
    [
        # Errors in a few sentences are noticed in small test sets.
        (clustered, 50, "randomisation", 0.07, 0.13),
        (clustered, 1000, "randomisation", 0.0, 0.07),
        # Errors by length are no problem.
        (by_length, 50, "randomisation", 0.02, 0.065),
        # The precision of systems that find unlike numbers.
        (unlike_precision, 200, "randomisation", 0.11, 0.21),
        (unlike_precision, 200, "bootstrap", 0.03, 0.09),
    ],
)
def test_levels(pair: Pair, units: int, test: str, low: float, high: float, effort: Any) -> None:
    found = rejected(pair, units, test=test, times=effort.times(600))
    effort.assert_rate(found, 600, low, high)


@pytest.mark.parametrize(("runs", "low", "high"), [(2, 0.25, 1), (5, 0.05, 0.125), (10, 0, 0.09)])
def test_runs(runs: int, low: float, high: float, effort: Any) -> None:
    effort.assert_rate(rejected_over_runs(runs, times=effort.times(400)), 400, low, high)
