"""Rank tests: equal to scipy where it is exact or approximates, and to all signs counted."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tertium.exceptions import UsageError
from tertium.significance.ranks import doubled_ranks, mcnemar, sign_test, wilcoxon

ZERO_METHODS = {"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}
ALTERNATIVES = {None: "two-sided", "greater": "greater", "less": "less"}

# Demsar (2006), Table 2: C4.5 with m less C4.5 on 14 data sets.
DEMSAR = [
    0.005, -0.008, 0.017, 0.033, 0.006, -0.005, 0.007, 0, 0.063, 0, 0.022, 0.047, 0.009, 0.021,
]  # fmt: skip


def all_signs(differences: list[float], zeros: str, direction: str | None) -> float:
    """The definition: every choice of signs of what is not zero is as likely as any other."""
    kept = [d for d in differences if d or zeros != "drop"]
    rank = stats.rankdata([abs(d) for d in kept])
    moving = [(d, r) for d, r in zip(kept, rank, strict=True) if d]
    seen = sum(r for d, r in moving if d > 0)
    sums = [
        sum(r for sign, (_, r) in zip(signs, moving, strict=True) if sign)
        for signs in product([False, True], repeat=len(moving))
    ]
    upper = sum(s >= seen for s in sums) / len(sums)
    lower = sum(s <= seen for s in sums) / len(sums)
    tails = {"greater": upper, "less": lower, None: min(1.0, 2 * min(upper, lower))}
    return float(tails[direction])


@pytest.mark.parametrize("direction", ALTERNATIVES)
@pytest.mark.parametrize("size", [1, 2, 7, 20, 50])
def test_exact_without_ties_is_scipys(size: int, direction: str | None) -> None:
    d = np.random.default_rng(size).normal(0.3, 1, size)
    found = wilcoxon(d, direction=direction)
    wanted = stats.wilcoxon(d, method="exact", alternative=ALTERNATIVES[direction])
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-12)
    assert found.statistic == wanted.statistic
    assert (found.method, found.used, found.zeros) == ("exact", size, 0)


@pytest.mark.parametrize("direction", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ZERO_METHODS)
def test_the_approximation_is_scipys(zeros: str, direction: str | None) -> None:
    d = np.random.default_rng(0).integers(-4, 6, 300) / 10
    found = wilcoxon(d, zeros=zeros, direction=direction)
    wanted = stats.wilcoxon(
        d,
        zero_method=ZERO_METHODS[zeros],
        alternative=ALTERNATIVES[direction],
        method="approx",
        correction=False,
    )
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-10)
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.method == "normal approximation"
    assert found.zeros == int((d == 0).sum()) > 0


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=9).filter(any),
    st.sampled_from(sorted(ZERO_METHODS)),
    st.sampled_from([None, "greater", "less"]),
)
def test_exact_with_ties_and_zeros_counts_all_signs(
    d: list[int], zeros: str, direction: str | None
) -> None:
    values = [x / 10 for x in d]
    found = wilcoxon(values, zeros=zeros, direction=direction)
    assert found.p == pytest.approx(all_signs(values, zeros, direction), rel=1e-12)


def test_many_ranked_zeros_stay_exact() -> None:
    few = [0.1, 0.2, -0.3, 0.4, 0.5]
    found = wilcoxon([*few, *[0.0] * 100_000], zeros="pratt")
    assert found.method == "exact"
    # With so many zeros all ranks are nearly equal: the number of signs decides first.
    assert found.p == pytest.approx(all_signs([*few, *[0.0] * 40], "pratt", None))


def test_51_differences_are_approximated_and_50_are_not() -> None:
    d = np.arange(1, 52) * np.where(np.arange(51) % 3, 1.0, -1.0)
    assert wilcoxon(d).method == "normal approximation"
    assert wilcoxon(d[:50]).method == "exact"
    assert wilcoxon(np.arange(1.0, 51)).p == 2.0**-49


def test_demsars_example() -> None:
    found = wilcoxon(DEMSAR, zeros="split")
    assert found.statistic == 12
    assert found.p is not None
    assert found.p < 0.05
    # 10 wins, 2 losses, 2 ties of which each side gets one
    assert sign_test(DEMSAR).statistic == 10
    assert sign_test(DEMSAR, zeros="split").statistic == 11


def test_noise_of_floating_point_does_not_break_ties() -> None:
    noisy = [0.1 + 0.2 - 0.3, 0.3 - 0.1, 0.2, -0.2, 0.7 - 0.5, 0.5]
    clean = [0.0, 0.2, 0.2, -0.2, 0.2, 0.5]
    assert wilcoxon(noisy) == wilcoxon(clean)
    assert wilcoxon(noisy).zeros == 1


def test_the_sides_mirror_each_other() -> None:
    d = np.array([0.3, -0.1, 0.2, 0.2, 0.0, 0.4])
    assert wilcoxon(d).p == wilcoxon(-d).p
    assert wilcoxon(d, direction="greater").p == wilcoxon(-d, direction="less").p


def test_undefined_differences_are_left_out_and_counted() -> None:
    found = wilcoxon([0.1, None, 0.2, float("nan"), -0.3, 0])
    assert (found.used, found.zeros, found.undefined) == (3, 1, 2)
    assert found.p == wilcoxon([0.1, 0.2, -0.3]).p
    assert sign_test([0.1, None, 0.2]).undefined == 1


@pytest.mark.parametrize(
    ("d", "reason"),
    [
        ([], "there are no differences"),
        ([None], "all differences are undefined"),
        ([0.0, None], "all differences are zero"),
    ],
)
@pytest.mark.parametrize("test", [wilcoxon, sign_test])
def test_nothing_left_is_undefined_with_a_reason(test, d, reason) -> None:  # type: ignore[no-untyped-def]
    found = test(d)
    assert (found.p, found.statistic, found.reason) == (None, None, reason)
    assert found.to_dict()["reason"] == reason
    assert json.loads(json.dumps(found.to_dict()))["p"] is None


@pytest.mark.parametrize("direction", ALTERNATIVES)
@pytest.mark.parametrize(
    ("a", "b"), [(0, 1), (5, 0), (3, 9), (4, 4), (900, 1100), (60_000, 59_000)]
)
def test_mcnemar_and_the_sign_test_are_binomial(a: int, b: int, direction: str | None) -> None:
    wanted = stats.binomtest(a, a + b, 0.5, alternative=ALTERNATIVES[direction]).pvalue
    found = mcnemar(a, b, same=7, direction=direction)
    assert found.p == pytest.approx(wanted, rel=1e-9)
    assert (found.statistic, found.used, found.zeros, found.method) == (a, a + b, 7, "exact")
    signs = [1.0] * a + [-1.0] * b
    assert sign_test(signs, direction=direction).p == found.p


def test_shared_zeros_in_the_sign_test() -> None:
    d = [1.0] * 8 + [-1.0] * 2 + [0.0] * 5
    found = sign_test(d, zeros="split")
    assert (found.statistic, found.used, found.zeros) == (10, 10, 5)
    assert found.p == pytest.approx(stats.binomtest(10, 14).pvalue)


def test_mcnemar_without_differences_is_undefined() -> None:
    assert mcnemar(0, 0, same=5).reason == "all differences are zero"
    assert mcnemar(0, 0).p is None


def test_mid_ranks() -> None:
    values = np.array([3.0, 1, 3, 2, 3, 1])
    assert (doubled_ranks(values) / 2).tolist() == stats.rankdata(values).tolist()


def test_wrong_requests() -> None:
    with pytest.raises(UsageError, match="direction must be greater, less or None"):
        wilcoxon([1.0], direction="up")
    with pytest.raises(UsageError, match="direction must be"):
        mcnemar(1, 2, direction="two-sided")
    with pytest.raises(UsageError, match="zeros must be one of drop, pratt, split"):
        wilcoxon([1.0], zeros="wilcox")
    with pytest.raises(UsageError, match="zeros must be one of drop, split"):
        sign_test([1.0], zeros="pratt")
    with pytest.raises(UsageError, match=r"only_b must be a count\. Got -1"):
        mcnemar(1, -1)


@pytest.mark.parametrize("zeros", ["drop", "split"])
def test_the_side_is_that_of_the_ranks_or_signs(zeros: str) -> None:
    values = [1, 1, 1, -9, -8, 0]  # more above, but ranks weigh more below
    assert sign_test(values, zeros=zeros).side == 1
    assert wilcoxon(values, zeros=zeros).side == -1
    assert wilcoxon([1, -1], zeros=zeros).side == sign_test([1, -1], zeros=zeros).side == 0
    assert "side" not in wilcoxon(values).to_dict()
    assert mcnemar(2, 8).side == -1


def test_mcnemar_takes_decisions_as_well() -> None:
    random = np.random.default_rng(2)
    a, b = random.random(50) < 0.7, random.random(50) < 0.6
    counts = int((a & ~b).sum()), int((b & ~a).sum())
    assert mcnemar(a, b) == mcnemar(*counts, same=50 - sum(counts))
    assert (
        mcnemar(a.tolist(), b.tolist(), direction="less").p == mcnemar(*counts, direction="less").p
    )
    for one, other in ((a, b[1:]), (a, 3), ([a], [b])):
        with pytest.raises(UsageError, match="two lists of the same length"):
            mcnemar(one, other)  # type: ignore[arg-type]
