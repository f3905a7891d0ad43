"""Axes: round ends, ticks and labels, whatever the values are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.report.scales import ROUND, Scale, fitted

NUMBERS = {
    "number": st.floats(-1e9, 1e9)
    .map(lambda value: float(f"{value:.6g}"))
    .map(lambda v: v if abs(v) > 1e-9 else 0.0),
    "count": st.integers(0, 10**9),
    "p": st.floats(0, 1).map(lambda value: round(value, 9)),
}


def labels(scale: Scale, most: int = ROUND) -> list[str]:
    return scale.labels(scale.ticks(most))


def test_values_have_places() -> None:
    assert Scale(0, 10).place(5) == 0.5
    assert Scale(0, 10).place(-5) == 0
    assert Scale(0.01, 1, log=True).place(0.1) == pytest.approx(0.5)
    assert Scale(0.01, 1, log=True).place(0) == 0


def test_what_is_beyond_is_told() -> None:
    scale = Scale(0.0001, 1, "p", log=True)
    assert [scale.beyond(value) for value in (0, 1e-9, 0.0001, 1, 2)] == [-1, -1, 0, 0, 1]


@pytest.mark.parametrize(
    ("values", "kind", "log", "found"),
    [
        ([0.62, 0.0004], "p", False, ["0", ".2", ".4", ".6", ".8"]),
        ([0.62, 0.0004], "p", True, [".0001", ".001", ".01", ".1", "1"]),
        ([0.9, 1e-30, 0.0], "p", True, [".0001", ".001", ".01", ".1", "1"]),
        ([0.86, 0.95], "percent", False, ["86%", "88%", "90%", "92%", "94%", "96%"]),
        ([0.5], "percent", False, ["45.0%", "47.5%", "50.0%", "52.5%", "55.0%"]),
        ([1.0], "percent", False, ["90%", "92%", "94%", "96%", "98%", "100%"]),
        ([-0.02, 0.01], "delta", False, ["-2", "-1", "0", "+1"]),
        ([3], "count", False, ["0", "1", "2", "3"]),
        ([12], "count", False, ["0", "5", "10", "15"]),
        ([25000], "count", False, ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]),
        ([2e9], "count", False, ["0", "5e+08", "1e+09", "1.5e+09", "2e+09"]),
        ([0.0, 0.0], "number", False, ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        ([], "p", False, ["0", ".2", ".4", ".6", ".8", "1"]),
    ],
)
def test_round_axes(values: list[float], kind: str, log: bool, found: list[str]) -> None:
    assert labels(fitted(values, kind, log=log, is_round=True)) == found  # type: ignore[arg-type]


def test_other_axes_end_where_the_values_do() -> None:
    scale = fitted([100, 2000], "count")
    assert (scale.low, scale.high) == (100, 2000)
    assert labels(scale) == ["500", "1,000", "1,500", "2,000"]
    assert labels(fitted([100, 2000], "count", log=True), 6) == [
        "100",
        "200",
        "500",
        "1,000",
        "2,000",
    ]
    assert labels(fitted([10, 20000], "count", log=True), 6) == ["10", "100", "1,000", "10,000"]
    assert labels(fitted([100, 900], "count", log=True), 6) == ["100", "200", "500"]
    assert labels(fitted([110, 130], "count", log=True), 6) == ["110", "115", "120", "125", "130"]


def test_limits_hold_whatever_the_values_are() -> None:
    scale = fitted([0.3, 0.4], "percent", limits=(0, 1), is_round=True)
    assert (scale.low, scale.high) == (0, 1)
    assert labels(scale) == ["0%", "20%", "40%", "60%", "80%", "100%"]
    scale = fitted([0.3, 0.4], limits=(5, None))
    assert scale.low == 5 < scale.high


@given(st.data(), st.booleans(), st.sampled_from(sorted(NUMBERS)))
def test_every_value_is_on_the_axis(data: st.DataObject, log: bool, kind: str) -> None:
    values = data.draw(st.lists(NUMBERS[kind], max_size=5))
    for is_round in (False, True):
        scale = fitted(values, kind, log=log, is_round=is_round)  # type: ignore[arg-type]
        assert scale.low < scale.high
        ticks = scale.ticks(ROUND)
        assert 1 <= len(ticks) <= ROUND + 2 or not is_round
        assert all(not scale.beyond(tick) for tick in ticks)
        assert len(set(scale.labels(ticks))) == len(ticks)
        for value in values:
            if value > 0 or not log:
                assert not scale.beyond(value) or (kind == "p" and log)
