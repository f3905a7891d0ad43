"""Systems over data sets: Demsar's worked example, scipy, and cases by hand."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tertium.exceptions import UsageError
from tertium.significance.across import across, critical_difference, partial_conjunction
from tertium.significance.corrections import adjust
from tertium.significance.ranks import sign_test, wilcoxon

# Ranks in Table 6 of Demsar (2006); as values, where lower is better, they rank as themselves.
TABLE_6 = {
    "C4.5": [4, 1, 4, 4, 4, 1, 3, 2.5, 4, 2.5, 4, 3, 4, 3],
    "C4.5+m": [3, 2, 1, 1, 2, 2.5, 2, 2.5, 3, 2.5, 2.5, 2, 1, 1],
    "C4.5+cf": [2, 3, 2, 3, 3, 4, 4, 4, 2, 2.5, 1, 4, 2, 4],
    "C4.5+m+cf": [1, 4, 3, 2, 1, 2.5, 1, 1, 1, 2.5, 2.5, 1, 3, 2],
}
FOURTEEN = [f"set {i}" for i in range(14)]
Q_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
Q_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


def test_demsars_example() -> None:
    found = across(TABLE_6, FOURTEEN, better="lower", tie_correction=False)
    assert {s: round(r, 3) for s, r in found.mean_ranks.items()} == {
        "C4.5+m+cf": 1.964,
        "C4.5+m": 2.0,
        "C4.5+cf": 2.893,
        "C4.5": 3.143,
    }
    friedman = found.friedman
    assert friedman is not None
    assert round(friedman.chi_square or 0, 2) == 9.28
    assert round(friedman.f or 0, 2) == 3.69
    assert friedman.degrees == (3, 39)
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    at_ten = across(TABLE_6, FOURTEEN, better="lower", alpha=0.1)
    assert at_ten.critical_difference == pytest.approx(1.12, abs=0.005)
    # The text: at .10 C4.5 differs from C4.5+m and C4.5+m+cf, and from nothing else.
    assert {(p.a, p.b) for p in at_ten.pairs if p.ranks_differ} == {
        ("C4.5", "C4.5+m"),
        ("C4.5", "C4.5+m+cf"),
    }
    assert at_ten.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))


@pytest.mark.parametrize("systems", range(2, 11))
def test_demsars_table_of_q(systems: int) -> None:
    scale = math.sqrt(systems * (systems + 1) / 6)
    assert critical_difference(systems, 1) / scale == pytest.approx(Q_05[systems - 2], abs=1.1e-3)
    found = critical_difference(systems, 1, alpha=0.1) / scale
    assert found == pytest.approx(Q_10[systems - 2], abs=1.1e-3)


def test_friedman_with_ties_is_scipys() -> None:
    table = np.random.default_rng(0).integers(0, 5, (4, 12)) / 10
    found = across({str(i): row.tolist() for i, row in enumerate(table)}, [*"abcdefghijkl"])
    wanted = stats.friedmanchisquare(*table)
    assert found.friedman is not None
    assert found.friedman.chi_square == pytest.approx(wanted.statistic)
    assert found.friedman.p == pytest.approx(wanted.pvalue)
    f = found.friedman.f or 0
    assert found.friedman.f_p == pytest.approx(stats.f.sf(f, *found.friedman.degrees))


def test_pairs_have_wilcoxon_with_holm() -> None:
    found = across(TABLE_6, FOURTEEN, better="lower")
    tests = [wilcoxon(np.array(TABLE_6[p.b]) - np.array(TABLE_6[p.a])) for p in found.pairs]
    assert [p.wilcoxon for p in found.pairs] == tests
    assert [p.adjusted for p in found.pairs] == adjust([t.p for t in tests], "holm")
    first = found.pairs[0]
    assert (first.a, first.b, first.wins, first.losses, first.ties) == ("C4.5", "C4.5+m", 2, 10, 2)
    assert first.difference == pytest.approx(2 - 44 / 14)
    assert first.sign is None


def test_two_systems_have_wilcoxon_and_the_sign_test_only() -> None:
    a, b = [0.9, 0.8, 0.7, 0.6, 0.9, 0.5], [0.8, 0.6, 0.7, 0.5, 0.6, 0.1]
    found = across({"A": a, "B": b}, [*"uvwxyz"])
    assert (found.friedman, found.critical_difference, found.groups) == (None, None, ())
    (pair,) = found.pairs
    difference = np.array(a) - np.array(b)
    assert pair.wilcoxon == wilcoxon(difference)
    assert pair.sign == sign_test(difference)
    assert pair.adjusted == pair.wilcoxon.p
    assert pair.ranks_differ is None
    assert found.warnings == ()
    assert "friedman" not in found.to_dict()


def test_lower_is_better() -> None:
    values = {"A": [1.0, 2, 3], "B": [2.0, 3, 4], "C": [3.0, 4, 5]}
    low, high = (across(values, "xyz", better=b) for b in ("lower", "higher"))
    assert list(low.mean_ranks) == ["A", "B", "C"]
    assert list(high.mean_ranks) == ["C", "B", "A"]
    assert low.pairs[0].wins == 3
    assert low.pairs[0].difference == high.pairs[0].difference == 1


def test_a_data_set_without_a_value_is_left_out_and_named() -> None:
    values = {"A": [0.1, None, 0.3, 0.4], "B": [0.2, 0.2, float("nan"), 0.3], "C": [0.3] * 4}
    found = across(values, ["w", "x", "y", "z"])
    assert found.names == ("w", "z")
    assert found.left_out == ("x", "y")
    assert found.pairs[0].wins == found.pairs[0].losses == 1
    with pytest.raises(UsageError, match="no data set on which all systems have a value"):
        across({"A": [None, 1.0], "B": [1.0, None]}, "xy")


def test_few_data_sets_carry_warnings() -> None:
    def warnings(count: int, alpha: float = 0.05) -> tuple[str, ...]:
        return across(
            {"A": [1.0] * count, "B": [2.0] * count}, [*"abcdef"[:count]], alpha=alpha
        ).warnings

    told = "4 data sets are too few to test pairs of systems over data sets: p cannot be below .125"
    assert warnings(4) == (told,)
    assert "fewer than 5 data sets" in warnings(4, 0.2)[0]
    assert len(warnings(5)) == 1
    assert warnings(5, 0.1) == warnings(6) == ()


def test_what_friedman_cannot_say() -> None:
    same = across({"A": [1.0, 2], "B": [1.0, 2], "C": [1.0, 2]}, "xy")
    assert same.friedman is not None
    assert (same.friedman.chi_square, same.friedman.p) == (None, None)
    assert same.friedman.reason == "all systems are equal on all data sets"
    assert same.pairs[0].wilcoxon.p is None
    assert same.pairs[0].adjusted is None
    clear = across({"A": [1.0, 2], "B": [2.0, 3], "C": [3.0, 4]}, "xy").friedman
    assert clear is not None
    assert clear.chi_square == pytest.approx(4)
    assert (clear.f, clear.f_p) == (None, None)
    assert "same order" in (clear.reason or "")


def test_groups_are_runs_that_no_other_holds() -> None:
    rng = np.random.default_rng(4)
    quality = np.array([0, 0.2, 0.4, 1.5, 1.7, 3.0])
    values = {f"s{i}": (q + rng.normal(0, 0.5, 20)).tolist() for i, q in enumerate(quality)}
    found = across(values, [str(i) for i in range(20)])
    names, ranks = list(found.mean_ranks), list(found.mean_ranks.values())
    assert ranks == sorted(ranks)
    apart = found.critical_difference or 0
    for group in found.groups:
        first, last = names.index(group[0]), names.index(group[-1])
        assert list(group) == names[first : last + 1]
        assert ranks[last] - ranks[first] < apart
        assert first == 0 or ranks[last] - ranks[first - 1] >= apart
        assert last == len(names) - 1 or ranks[last + 1] - ranks[first] >= apart
    together = {(a, b) for g in found.groups for a in g for b in g}
    for pair in found.pairs:
        assert pair.ranks_differ == ((pair.a, pair.b) not in together)


def test_results_are_plain_json() -> None:
    found = across(TABLE_6, FOURTEEN, better="lower")
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["friedman"]["degrees"] == [3, 39]
    assert told["groups"] == [list(g) for g in found.groups]
    assert told["pairs"][0]["wilcoxon"]["used"] == 12
    assert "sign" not in told["pairs"][0]
    assert told["left_out"] == []


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ({"A": [1.0, 2]}, {}, "two systems are needed to compare. Got 1"),
        ({"A": [1.0, 2], "B": [1.0]}, {}, "'B' has 1 values for 2 data sets"),
        ({"A": [1.0, 2], "B": [1.0, 2]}, {"better": "more"}, "better must be higher or lower"),
        ({"A": [1.0, 2], "B": [1.0, 2]}, {"alpha": 0}, "alpha must be between 0 and 1"),
        ({"A": [1.0, math.inf], "B": [1.0, 2]}, {}, "values must be finite"),
    ],
)
def test_wrong_requests(values, options, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=message):
        across(values, "xy", **options)


def test_partial_conjunction_by_hand() -> None:
    # sorted .001 .012 .02 .3, times 4 3 2 1: .004 .036 .04 .3
    found = partial_conjunction([0.3, 0.001, 0.02, 0.012], ["w", "x", "y", "z"])
    assert found.partial == pytest.approx((0.004, 0.036, 0.04, 0.3))
    assert found.count == 3
    assert found.datasets == ("x", "y", "z")
    stricter = partial_conjunction([0.3, 0.001, 0.02, 0.012], "wxyz", alpha=0.01)
    assert (stricter.count, stricter.datasets) == (1, ("x",))


def test_partial_conjunction_by_fisher() -> None:
    p_values = [0.01, 0.04, 0.06, 0.2]
    found = partial_conjunction(p_values, "wxyz", method="fisher")
    wanted = [stats.combine_pvalues(p_values[u:], method="fisher").pvalue for u in range(4)]
    assert found.partial == pytest.approx(np.maximum.accumulate(wanted))
    assert found.count == 2
    # Together they say more than each alone: Holm names one of the two.
    assert found.datasets == ("w",)


def test_partial_conjunction_is_monotone() -> None:
    # 3 x .018 is above 2 x .02: an effect on two data sets cannot be surer than on one.
    found = partial_conjunction([0.018, 0.02, 0.9], "xyz")
    assert found.partial == pytest.approx((0.054, 0.054, 0.9))
    assert found.count == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_bonferroni_counts_what_holm_names(p_values: list[float]) -> None:
    found = partial_conjunction(p_values, [str(i) for i in range(len(p_values))])
    assert found.count == len(found.datasets)
    fisher = partial_conjunction(p_values, [str(i) for i in range(len(p_values))], method="fisher")
    for both in (found.partial, fisher.partial):
        assert (np.diff(both) >= 0).all()
        assert all(0 <= p <= 1 for p in both)


def test_partial_conjunction_of_undefined_p_values() -> None:
    found = partial_conjunction([0.001, None, 0.002], "xyz")
    assert (found.count, found.used, found.undefined) == (2, 2, 1)
    none = partial_conjunction([None], "x")
    assert none.count is None
    assert none.to_dict()["reason"] == "no data set has a p-value"
    sure = partial_conjunction([0.0, 0.5], "xy", method="fisher")
    assert sure.partial == pytest.approx((0.0, 0.5))
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(UsageError, match="there are 1 p-values for 2 data sets"):
        partial_conjunction([0.1], "xy")
    with pytest.raises(UsageError, match="method must be one of bonferroni, fisher"):
        partial_conjunction([0.1], "x", method="stouffer")
