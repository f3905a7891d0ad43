"""Correlations of two measures, and reasons why there is none."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.significance.correlation import correlate


def test_a_correlation_by_hand() -> None:
    x, y = np.array([1.0, 2, 3, np.nan, 4]), np.array([1.0, 3, 2, 5, 4])
    assert correlate("p", "q", "sentence", x, y) == {
        "a": "p", "b": "q", "level": "sentence", "n": 4, "undefined": 1,
        "pearson": pytest.approx(0.8), "spearman": pytest.approx(0.8),
        "kendall": pytest.approx(4 / 6),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1.0, 2.0], [1.0, 2.0], "there are fewer than three systems with both values"),
        (
            [1.0, 2.0, np.nan],
            [1.0, 2.0, 3.0],
            "there are fewer than three systems with both values",
        ),
        ([1.0, 2.0, 3.0], [0.5] * 3, "all systems have the same q"),
        ([], [], "there are fewer than three systems with both values"),
    ],
)
def test_undefined_correlations_have_a_reason(x: list[float], y: list[float], reason: str) -> None:
    found = correlate("p", "q", "system", np.array(x), np.array(y))
    assert [found[name] for name in ("pearson", "spearman", "kendall")] == [None] * 3
    assert found["reason"] == reason


def test_the_order_of_systems_does_not_matter() -> None:
    x, y = np.random.default_rng(0).random((2, 50))
    shuffled = np.random.default_rng(1).permutation(50)
    assert correlate("p", "q", "system", x, y) == correlate(
        "p", "q", "system", x[shuffled], y[shuffled]
    )
