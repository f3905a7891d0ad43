"""What single looks and curves say, with p-values made up."""

import pytest

from tertium.results.assessment import Test
from tertium.significance.audit.curves import Curve, Rate
from tertium.significance.audit.looks import AuditLook, tally


def look(p: float | None, delta: float = 0.1, *, words: int = 1, wins: str = "higher") -> AuditLook:
    test = Test(delta, p, "randomisation", 10, reason="" if p is not None else "why not")
    return AuditLook("length", "m", test, (0.0, delta), 10, most_words=words, wins=wins)


def test_who_is_better() -> None:
    assert look(0.5, 0.1).better == "b"
    assert look(0.5, -0.1).better == "a"
    assert look(0.5, 0.0).better is None
    assert look(0.5, 0.1, wins="lower").better == "a"


def test_a_test_over_units_favours_who_is_better_there() -> None:
    test = Test(0.01, 0.01, "wilcoxon", units=9, towards="less")
    assert AuditLook("test", "m", test, (0.4, 0.41), 9).better == "a"
    assert AuditLook("test", "m", test, (0.4, 0.41), 9, wins="lower").better == "b"
    assert tally("test", [AuditLook("test", "m", test, (0.4, 0.41), 9)]).for_side("a") == 1


def test_levels_are_strict() -> None:
    assert not look(0.05).is_significant()
    assert look(0.0499).is_significant()
    assert not look(0.0499).is_significant(0.0025)
    assert not look(None).is_significant()


def test_a_tally_counts_by_level_and_side() -> None:
    found = tally("x", [look(0.001), look(0.04, -0.1), look(0.03, 0.0), look(0.2), look(None)])
    assert (found.looks, found.undefined) == (4, 1)
    assert found.significant == ((1, 1, 1), (0, 1, 0))
    assert (found.at(0.05), found.at(0.0025)) == (3, 1)
    assert (found.for_side("a"), found.for_side("b", 0.0025)) == (1, 1)
    assert found.smallest is not None
    assert found.smallest.p == 0.001
    assert tally("x", [look(None)]).smallest is None


@pytest.mark.parametrize(
    ("ps", "lost", "gained", "stretches"),
    [
        ([0.2, 0.3], 0, 0, []),
        ([0.01, 0.2, 0.01], 1, 1, [(0, 0), (2, 2)]),
        ([0.2, 0.01, 0.02, 0.2, 0.001, 0.002], 1, 2, [(1, 2), (4, 5)]),
        ([0.01, None, 0.2], 1, 0, [(0, 0)]),
        ([0.01, None, 0.01], 0, 0, [(0, 0), (2, 2)]),
    ],
)
def test_curves_say_where_they_cross(
    ps: list[float | None], lost: int, gained: int, stretches: list[tuple[int, int]]
) -> None:
    curve = Curve("length", "m", tuple(look(p, words=n) for n, p in enumerate(ps)))
    assert (curve.lost, curve.gained) == (lost, gained)
    assert [(a.most_words, b.most_words) for a, b in curve.stretches] == stretches


def test_rates_are_of_samples_that_have_a_p_value() -> None:
    rate = Rate("m", 0.5, 10, samples=10, a=1, b=2, neither=0, undefined=4, trials=100)
    assert rate.value == 0.5
    empty = Rate("m", 0.5, 10, samples=2, a=0, b=0, neither=0, undefined=2, trials=100)
    assert empty.value is None
    assert empty.to_dict()["reason"]
