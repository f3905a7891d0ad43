"""Tests on paired differences that need no resampling: Wilcoxon, sign test, McNemar."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError
from tertium.results.output import record
from tertium.results.stats import Floats

Bools = npt.NDArray[np.bool_]

DIRECTIONS = (None, "greater", "less")
ZEROS = {
    "drop": "zeros left out",
    "pratt": "zeros ranked, then left out",
    "split": "zeros shared by both sides",
}
DIGITS = 12  # differences that agree so far are ties: the rest is noise of floating point
MOST_EXACT = 50  # 2 ** 50 ways to set signs are counted exactly in 64 bits
EXACT, NORMAL = "exact", "normal approximation"
LEAST = sys.float_info.min  # what is too small for a floating-point number is no 0


@dataclass(frozen=True, slots=True)
class RankTest:
    """What a test on paired differences found.

    - `statistic`: see each test
    - `p`: None where there is nothing to test, and then `reason` says why
    - `used`: differences that are neither zero nor undefined; `zeros`, `undefined`: the others
    - `method`: "exact" or "normal approximation"
    - `side`: 1 if the differences are above zero by what the test measures, -1 if below, 0 if
      neither
    """

    statistic: float | None
    p: float | None
    used: int
    zeros: int
    undefined: int
    method: str | None
    reason: str | None = None
    side: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `reason` only where p is undefined."""
        return record(replace(self, side=0))


def wilcoxon(
    differences: Sequence[float | None] | Floats,
    *,
    zeros: str = "drop",
    direction: str | None = None,
) -> RankTest:
    """Wilcoxon's signed-rank test: are differences as often, and as far, above zero as below?

    The absolute differences are ranked; W+ is the sum of ranks of those above zero, W- of those
    below. p = min(1, 2 min(P(W+ >= w), P(W+ <= w))) over all signs that differences could have.

    Undefined differences (None, nan) are left out and counted, the others rounded to 12 digits;
    equal ones get mid-ranks. Of zeros

    - "drop" leaves them out before ranking (Wilcoxon 1945)
    - "pratt" ranks them, then leaves them out (Pratt 1959)
    - "split" ranks them and gives half of their ranks to either side (Demsar 2006)

    Up to 50 differences that are not zero the test is exact, ties and zeros included: all signs
    that they could have had are counted. Half ranks of zeros are the same for all of these, so
    that the exact p of "split" is that of "pratt". With more differences the normal approximation
    with correction for ties is used, without one for continuity; the variance of "split" then
    includes the zeros, as is usual, which makes it the more cautious of the two.

    The test is two-sided, and the statistic the smaller of both rank sums, unless a `direction`
    was stated beforehand: "greater" asks whether differences tend to be above zero, "less" below;
    the statistic is then the rank sum of those above.

    >>> wilcoxon([1, 2, 3, 4, 5, -6]).p
    0.4375
    >>> wilcoxon([0, 0]).reason
    'all differences are zero'
    """
    _check_direction(direction)
    if zeros not in ZEROS:
        raise UsageError(f"zeros must be one of {', '.join(ZEROS)}. Got {zeros!r} instead.")
    values, undefined = _defined(differences)
    is_zero = values == 0
    zero_count = int(is_zero.sum())
    used = len(values) - zero_count
    if not used:
        return _nothing(zero_count, undefined)
    doubled = doubled_ranks(np.abs(values[~is_zero]))
    # Zeros are the smallest absolute differences: ranking them moves all others up by their number.
    shift = 0 if zeros == "drop" else 2 * zero_count
    above = values[~is_zero] > 0
    total = int(doubled.sum()) + shift * used
    plus = int(doubled[above].sum()) + shift * int(above.sum())
    if used <= MOST_EXACT:
        upper, lower = _exact_tails(doubled, shift, plus)
    else:
        squares = float(((doubled + float(shift)) ** 2).sum())
        if zeros == "split":
            squares += zero_count * (zero_count + 1.0) ** 2
        deviation = (plus - total / 2) / math.sqrt(squares / 4)
        upper, lower = _normal_tail(deviation), _normal_tail(-deviation)
    sums = [plus / 2, (total - plus) / 2]
    if zeros == "split":
        sums = [each + zero_count * (zero_count + 1) / 4 for each in sums]
    return RankTest(
        statistic=min(sums) if direction is None else sums[0],
        p=_p_value(upper, lower, direction),
        used=used,
        zeros=zero_count,
        undefined=undefined,
        method=EXACT if used <= MOST_EXACT else NORMAL,
        side=_sign(2 * plus - total),
    )


def sign_test(
    differences: Sequence[float | None] | Floats,
    *,
    zeros: str = "drop",
    direction: str | None = None,
) -> RankTest:
    """Sign test: are there as many differences above zero as below? Exact binomial (Dixon and Mood
    1946): of n differences that are not zero, X ~ Binomial(n, 1/2) are above, and
    p = min(1, 2 min(P(X >= x), P(X <= x))).

    Undefined differences are left out and counted. Zeros are left out ("drop"), or shared equally
    by both sides, an odd one being left out ("split", Demsar 2006, section 3.1.4). The statistic is
    the number of differences above zero, with the zeros given to them. `direction` as in
    `wilcoxon`.

    >>> sign_test([0.1, 0.2, 0.3, 0.1, -0.1]).p
    0.375
    """
    if zeros not in ("drop", "split"):
        raise UsageError(f"zeros must be one of drop, split. Got {zeros!r} instead.")
    values, undefined = _defined(differences)
    above, below = int((values > 0).sum()), int((values < 0).sum())
    zero_count = len(values) - above - below
    given = zero_count // 2 if zeros == "split" else 0
    return _binomial(above, below, given, zero_count, undefined, direction)


def mcnemar(
    only_a: int | Sequence[bool] | Bools,
    only_b: int | Sequence[bool] | Bools,
    *,
    same: int = 0,
    direction: str | None = None,
) -> RankTest:
    """McNemar's test on paired decisions (1947): do A and B have each as many items right that the
    other has not? Exact binomial: of n items that only one of them has right, X ~ Binomial(n, 1/2)
    are those of A, and p = min(1, 2 min(P(X >= x), P(X <= x))).

    `only_a` and `only_b` are the numbers of these items, or sequences that say of every item
    whether A, or B, has it right. `same` items, on which both are right or both wrong, have no part
    in it and are told as zeros. The statistic is the number of items that only A has right. With
    `direction` "greater" the question is whether A has more items right, with "less" whether B has;
    without one the test is two-sided.

    >>> mcnemar(1, 9).p
    0.021484375
    >>> mcnemar([True, True, False, True], [False, True, True, False]).used
    3
    """
    if not (np.isscalar(only_a) and np.isscalar(only_b)):
        a, b = (np.asarray(each, dtype=np.bool_) for each in (only_a, only_b))
        if a.shape != b.shape or a.ndim != 1:
            raise UsageError("A and B must be two counts, or two lists of the same length")
        only_a, only_b, same = int((a & ~b).sum()), int((b & ~a).sum()), int((a == b).sum())
    counts: Any = {"only_a": only_a, "only_b": only_b, "same": same}
    for name, count in counts.items():
        if count < 0 or count != int(count):
            raise UsageError(f"{name} must be a count. Got {count} instead.")
    above, below, zeros = map(int, counts.values())
    return _binomial(above, below, 0, zeros, 0, direction)


def doubled_ranks(values: Floats) -> Int64:
    """Twice the rank of each value, the smallest having rank 1; equal ones share their mean rank.
    Doubled, mid-ranks are whole numbers.

    >>> doubled_ranks(np.array([0.3, 0.1, 0.3])).tolist()
    [5, 2, 5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: Int64 = (2 * np.cumsum(counts) - counts + 1).astype(np.int64)[place.reshape(-1)]
    return found


def _defined(differences: Sequence[float | None] | Floats) -> tuple[Floats, int]:
    """The rounded differences that are numbers, and how many are not."""
    values = np.array(differences, dtype=np.float64).reshape(-1)
    missing = np.isnan(values)
    return np.round(values[~missing], DIGITS), int(missing.sum())


def _check_direction(direction: str | None) -> None:
    if direction not in DIRECTIONS:
        raise UsageError(
            f"direction must be greater, less or None. Got {direction!r} instead.",
            help="None is two-sided; choose a direction before seeing the results",
        )


def _nothing(zeros: int, undefined: int) -> RankTest:
    if zeros:
        reason = "all differences are zero"
    elif undefined:
        reason = "all differences are undefined"
    else:
        reason = "there are no differences"
    return RankTest(None, None, 0, zeros, undefined, None, reason)


def _exact_tails(doubled: Int64, shift: int, plus: int) -> tuple[float, float]:
    """Chances that random signs give at least, and at most, this doubled rank sum above zero.

    `ways[k, s]` counts choices of k differences with sum s. Counting k apart lets any number of
    ranked zeros move the sum by `shift` for each difference without a larger table.
    """
    used = len(doubled)
    ways = np.zeros((used + 1, int(doubled.sum()) + 1), np.int64)
    ways[0, 0] = 1
    for rank in doubled.tolist():
        # numpy buffers overlapping operands, so that each difference is taken at most once
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank]
    sums = np.arange(ways.shape[1]) + shift * np.arange(used + 1)[:, None]
    every = 2.0**used
    return int(ways[sums >= plus].sum()) / every, int(ways[sums <= plus].sum()) / every


def _normal_tail(deviation: float) -> float:
    """Chance of a standard normal value of at least `deviation`."""
    return math.erfc(deviation / math.sqrt(2)) / 2


def _binomial(
    above: int, below: int, given: int, zeros: int, undefined: int, direction: str | None
) -> RankTest:
    from scipy.special import betainc

    _check_direction(direction)
    if not above + below:
        return _nothing(zeros, undefined)
    most, least = above + given, below + given
    upper, lower = (
        float(betainc(x, y + 1, 0.5)) if x else 1.0 for x, y in ((most, least), (least, most))
    )
    p = _p_value(upper, lower, direction)
    side = _sign(above - below)
    return RankTest(float(most), p, above + below, zeros, undefined, EXACT, side=side)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _p_value(upper: float, lower: float, direction: str | None) -> float:
    if direction is None:
        p = min(1.0, 2 * min(upper, lower))
    else:
        p = upper if direction == "greater" else lower
    return max(p, LEAST)
