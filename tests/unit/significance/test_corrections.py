"""Corrections: worked by hand, and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tertium.exceptions import UsageError
from tertium.significance.corrections import METHODS, adjust

P_VALUES = [0.01, 0.02, 0.03, 0.005, 0.6]


@pytest.mark.parametrize(
    ("method", "wanted"),
    [
        # sorted .005 .01 .02 .03 .6, times 5 4 3 2 1: .025 .04 .06 .06 .6
        ("holm", [0.04, 0.06, 0.06, 0.025, 0.6]),
        # times 5/1 5/2 5/3 5/4 5/5: .025 .025 .0333 .0375 .6
        ("bh", [0.025, 0.1 / 3, 0.0375, 0.025, 0.6]),
        ("bonferroni", [0.05, 0.1, 0.15, 0.025, 1.0]),
        ("none", P_VALUES),
    ],
)
def test_by_hand(method: str, wanted: list[float]) -> None:
    assert adjust(P_VALUES, method) == pytest.approx(wanted)


def test_an_undefined_one_stays_so_and_does_not_count() -> None:
    with_gaps = [None, *P_VALUES[:2], None, *P_VALUES[2:]]
    for method in METHODS:
        found = adjust(with_gaps, method)
        assert found[0] is None
        assert found[3] is None
        assert [p for p in found if p is not None] == adjust(P_VALUES, method)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_benjamini_hochberg_is_scipys(p_values: list[float]) -> None:
    assert adjust(p_values, "bh") == pytest.approx(
        stats.false_discovery_control(p_values).tolist(), abs=1e-12
    )


@given(
    st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12), st.sampled_from(sorted(METHODS))
)
def test_order_and_bounds(p_values: list[float | None], method: str) -> None:
    found = adjust(p_values, method)
    pairs = sorted(
        (p, q) for p, q in zip(p_values, found, strict=True) if p is not None and q is not None
    )
    assert len(pairs) == sum(p is not None for p in p_values)
    assert all(p <= q <= 1 for p, q in pairs)
    assert (np.diff([q for _, q in pairs]) >= 0).all()
    if method in ("holm", "bh"):
        plain = adjust(p_values, "bonferroni")
        assert all(q is None or r is None or q <= r for q, r in zip(found, plain, strict=True))


def test_no_p_values() -> None:
    assert adjust([], "holm") == []
    assert adjust([None], "bh") == [None]


def test_wrong_requests() -> None:
    with pytest.raises(UsageError, match="method must be one of holm, bh, bonferroni, none"):
        adjust([0.1], "sidak")
    for wrong in (1.1, -0.1, float("nan")):
        with pytest.raises(UsageError, match="p-values must be between 0 and 1, or None"):
            adjust([0.1, wrong], "holm")
