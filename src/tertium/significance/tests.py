"""Tests of a difference between two systems by resampling (docs/significance.md).

All are two-sided unless a direction is stated: a one-sided p for whoever happens to be ahead is
below .05 in about one of ten comparisons of equals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError, suggestion
from tertium.families.base import divide
from tertium.results.assessment import TIE, TOWARDS, TWO_SIDED, Test, Testing
from tertium.results.scores import Result
from tertium.results.stats import Floats, Stats, Totals, UnitKind
from tertium.results.texts import p_value
from tertium.significance.intervals import ONE_UNIT, check_trials
from tertium.significance.ranks import EXACT, LEAST, RankTest, mcnemar, sign_test, wilcoxon
from tertium.significance.resample import (
    DRAWING,
    SWAPPING,
    Number,
    Rows,
    Statistic,
    UnitCounts,
    all_swaps,
    drawn_values,
    folded,
    generator,
    swapped_values,
    unit_counts,
    ways_to_swap,
)

Units = npt.NDArray[np.generic]
Values = tuple[float | None, float | None]
PerUnit = Sequence[float | None] | Floats

RESAMPLED = {
    "randomisation": "paired approximate randomisation",
    "bootstrap": "paired bootstrap, centred",
    "berg-kirkpatrick": "paired bootstrap of Berg-Kirkpatrick et al. (2012)",
    "koehn": "paired bootstrap of Koehn (2004)",
}
RANKED = {
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "sign test",
}
TESTS = {**RESAMPLED, **RANKED}
MCNEMAR, HIERARCHICAL = "mcnemar", "hierarchical"
# Those that cannot be chosen for any two systems, as well: of single items, and of several runs.
TEST_NAMES = {
    **TESTS,
    HIERARCHICAL: "hierarchical bootstrap over runs",
    MCNEMAR: "McNemar's test",
}
DIRECTIONS = (TWO_SIDED, "greater", "less")
ONE_SIDED = ("berg-kirkpatrick", "koehn")
FEW_UNITS = 200


def error_text(test: Test) -> str:
    """A p-value with its Monte Carlo error."""
    error = f"{test.error or 0.0:.4f}".removeprefix("0")
    return f"{p_value(test.p or 0.0, test.least, digits=4)} ± {error}"


def few(unit: UnitKind = "sentence", where: str = "") -> str:
    """That there are too few units for a test by drawing some, all or `where`."""
    return (
        f"fewer than {FEW_UNITS} {unit}s{where}: p-values of the bootstrap may be "
        "artificially low (Søgaard et al. 2014, section 2)"
    )


def check_test(test: str, direction: str, trials: int, *, further: Sequence[str] = ()) -> None:
    """Refuse what there is not, and one-sided tests without a direction; `further` tests are those
    of the caller."""
    known = [*TESTS, *further]
    if test not in known:
        raise UsageError(
            f"test must be one of {', '.join(known)}. Got '{test}' instead."
            f"{suggestion(test, known)}"
        )
    if direction not in DIRECTIONS:
        raise UsageError(
            f"direction must be one of {', '.join(DIRECTIONS)}. Got '{direction}' instead."
        )
    if test in ONE_SIDED and direction == TWO_SIDED:
        raise UsageError(
            f"the test '{test}' is one-sided: give the expected direction",
            help="'greater' if the second system is expected to have the higher value, else 'less'",
        )
    check_trials(trials)


def paired_test(
    a: Result | PerUnit,
    b: Result | PerUnit,
    number: Number | None = None,
    *,
    test: str = "randomisation",
    direction: str = TWO_SIDED,
    trials: int = 10_000,
    seed: int = 0,
    units: Units | None = None,
) -> Test:
    """Test the difference between two systems on the same units, B minus A.

    `a` and `b` are results of `tertium.score`, of which a `number` is compared (the headline value
    by default), or plain values, one per unit, of which the means are. A unit without a value
    (None, nan) of one of them is left out.

    - "randomisation" (Noreen 1989): the two outputs of every unit change places by the toss of a
      coin; p = (r + 1) / (k + 1), where r of k `trials` have a difference at least as large. The
      test is exact, with as many trials as there are different ways to swap, where these are no
      more than `trials`
    - "bootstrap": units are drawn with replacement; r of k resamples have a difference that is as
      far from the observed one as that is from 0. "berg-kirkpatrick" (2012) and "koehn" (2004) are
      the published forms, which need a `direction`
    - "wilcoxon", "sign": see `wilcoxon` and `sign_test`, over differences of single units

    `direction` is "two-sided" unless it was stated beforehand that B is "greater" or "less";
    `units` (numbers or a mask) chooses some.

    >>> found = paired_test([0, 1, 0, 0, 1, 0], [1, 1, 1, 1, 1, 1])
    >>> round(found.delta, 3), found.p, found.exact
    (0.667, 0.125, True)
    """
    check_test(test, direction, trials)
    if not isinstance(a, Result) or not isinstance(b, Result):
        a, b = _mean_results(a, b)
    how = Testing(test=test, direction=direction, trials=trials, seed=seed)
    return Contrast(a, b, how, number or Number()).test(units)[0]


class _Mean:
    """The formula of plain values."""

    def score(self, totals: Totals) -> dict[str, Floats]:
        return {"mean": divide(totals["sum"], totals["units"])}

    def label_scores(self, totals: Totals) -> dict[str, Floats]:
        return {}


def _mean_results(a: Result | PerUnit, b: Result | PerUnit) -> tuple[Result, Result]:
    """Results whose value is the mean of plain values over units that have both."""
    if isinstance(a, Result) or isinstance(b, Result):
        raise UsageError("give two results of score, or two lists of values")
    values = [np.array(each, dtype=np.float64).reshape(-1) for each in (a, b)]
    if len(values[0]) != len(values[1]):
        raise UsageError(
            "A and B must have as many paired values. "
            f"Got {len(values[0])} and {len(values[1])} instead."
        )
    there = ~np.isnan(values[0] + values[1])
    counts = [np.stack([own[there], np.ones(there.sum())], axis=1) for own in values]
    first, second = (
        Result.of_counts(name, "mean", Stats(("sum", "units"), own), _Mean(), "mean")
        for name, own in zip("AB", counts, strict=True)
    )
    return first, second


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two systems under one number, made ready once and tested on any units."""

    a: Result
    b: Result
    testing: Testing
    number: Number = field(default_factory=Number)

    @cached_property
    def _counts(self) -> UnitCounts:
        common = self.testing.test == "randomisation"
        return unit_counts([self.a, self.b], self.number, common=common)

    @cached_property
    def _apart(self) -> Floats:
        """The differences of single units."""
        first, second = self._counts.sides
        return second.unit_values() - first.unit_values()

    def test(self, units: Units | None = None, *, trials: int | None = None) -> tuple[Test, Values]:
        """The test on all or some units (numbers or a mask), and the values of both systems there.
        `trials` are those of the testing unless given."""
        how = self.testing if trials is None else replace(self.testing, trials=trials)
        pair = self._counts
        if units is not None:
            pair = replace(pair, rows=pair.rows.of_units(units))
        first, second = (None if np.isnan(value) else float(value) for value in pair.observed)
        delta = None if first is None or second is None else second - first
        bare = Test(delta, None, how.test, pair.units, direction=how.direction, unit=pair.unit)
        if how.test in RANKED:
            ask = wilcoxon if how.test == "wilcoxon" else sign_test
            apart = self._apart if units is None else self._apart[units]
            found = _by_ranks(bare, ask(apart, direction=_side(how.direction)))
        elif delta is None:
            found = replace(bare, reason="the value of one of the systems is undefined")
        elif how.test == "randomisation":
            found = _randomisation(pair, delta, bare, how)
        else:
            found = _bootstrap(pair, delta, bare, how)
        return found, (first, second)


def _randomisation(pair: UnitCounts, observed: float, bare: Test, how: Testing) -> Test:
    """Paired approximate randomisation, or stratified shuffling (Noreen 1989, Cohen 1995).

    Each unit's two outputs change places by the toss of a coin; p = (r + 1) / (k + 1), where r of k
    trials have a difference at least as large as the observed one, ties included.
    """
    rows, statistic = _swaps(pair)
    ways = ways_to_swap(rows, how.trials)
    chance: Floats | None = None
    if ways is not None:
        found, chance = all_swaps(rows, ways, statistic)
    else:
        found = swapped_values(rows, how.trials, generator(how.seed, SWAPPING), statistic)
    defined = ~np.isnan(found)
    beyond = extreme(found, observed, how.direction, _tie(pair)) & defined
    if chance is not None:
        whole = float(chance[defined].sum())
        p = min(max(float(chance[beyond].sum()) / whole, LEAST), 1.0)
    else:
        p = float((beyond.sum() + 1) / (defined.sum() + 1))
    return replace(
        bare,
        p=p,
        trials=len(found),
        exact=chance is not None,
        differing=rows.units,
        undefined=int((~defined).sum()),
    )


def differences_after_swaps(pair: UnitCounts, trials: int, random: np.random.Generator) -> Floats:
    """What the test by randomisation compares the observed difference with; nan where undefined."""
    rows, statistic = _swaps(pair)
    return swapped_values(rows, trials, random, statistic)


def _swaps(pair: UnitCounts) -> tuple[Rows, Statistic]:
    """What swapping a unit adds to A's sums and takes from B's, and the difference of the systems
    for sums of swapped rows."""
    a, b = pair.sides
    values, count, total = pair.rows.values, pair.rows.count, pair.rows.total()
    apart = values[:, b.start : b.stop] - values[:, a.start : a.stop]
    if isinstance(apart, np.ndarray):
        rows, moved = folded(apart, count)
    else:
        apart.eliminate_zeros()
        some = np.flatnonzero(np.diff(apart.indptr))
        rows, moved = Rows(apart[some], count[some]), np.zeros(a.stop)

    def difference(sums: Floats) -> Floats:
        gone = sums + moved
        sides = [total[a.start : a.stop] + gone, total[b.start : b.stop] - gone]
        return pair.statistic(np.concatenate(sides, axis=-1))

    return rows, difference


def _bootstrap(pair: UnitCounts, observed: float, bare: Test, how: Testing) -> Test:
    """A test from units drawn with replacement.

    - `bootstrap`: the share of resamples whose difference is as far from the observed one as that
      is from 0, p = (r + 1) / (k + 1)
    - `berg-kirkpatrick`: the share whose difference is more than twice the observed one
    - `koehn`: the share in which the system that was expected to win does not
    """
    found = drawn_values(pair.rows, how.trials, generator(how.seed, DRAWING), pair.statistic)
    defined = found[~np.isnan(found)]
    p: float | None
    reason = ""
    if pair.rows.occupied < 2:
        p, reason = None, ONE_UNIT.format(pair.unit)
    elif not len(defined):
        p, reason = None, "no resample has a value"
    elif how.test == "bootstrap":
        beyond = extreme(defined - observed, observed, how.direction, _tie(pair))
        p = float((beyond.sum() + 1) / (len(defined) + 1))
    else:
        sign = 1 if how.direction == "greater" else -1
        p = float(_one_sided(sign * defined, sign * observed, how.test).mean())
    return replace(
        bare,
        p=p,
        trials=len(found),
        undefined=len(found) - len(defined),
        reason=reason,
        warning=few(pair.unit) if pair.units < FEW_UNITS else "",
    )


def _one_sided(found: Floats, observed: float, test: str) -> npt.NDArray[np.bool_]:
    """Which resamples speak against a system that was expected to be ahead.

    Berg-Kirkpatrick's form supposes that it is ahead; where it is not, every resample does.
    """
    if test == "koehn":
        return found <= 0
    return found > 2 * observed if observed > 0 else np.ones(len(found), np.bool_)


def extreme(
    found: Floats, observed: float, direction: str, tie: float = TIE
) -> npt.NDArray[np.bool_]:
    """Which values are at least as far out as the observed one; `tie` is what equal ones may differ
    by."""
    if direction == "greater":
        return found >= observed - tie
    if direction == "less":
        return found <= observed + tie
    return np.abs(found) >= abs(observed) - tie


def _tie(pair: UnitCounts) -> float:
    """What equal differences may differ by: the larger the values, the more."""
    return TIE * max(1.0, float(np.nanmax(np.abs(pair.observed), initial=0.0)))


def item_test(
    only_a: int,
    only_b: int,
    items: int,
    delta: float | None,
    *,
    direction: str = TWO_SIDED,
    warning: str = "",
) -> Test:
    """Do A and B have as many of `items` right that the other has not? If all items are alike, p is
    1: that is what the hypothesis says, and no reason to doubt it."""
    same = items - only_a - only_b
    found = mcnemar(only_b, only_a, same=same, direction=_side(direction))
    test = _by_ranks(Test(delta, None, MCNEMAR, items, direction=direction, warning=warning), found)
    if found.p is None:
        reason = "" if items else found.reason or ""
        return replace(test, p=1.0 if items else None, exact=True, reason=reason)
    return test


def _by_ranks(bare: Test, found: RankTest) -> Test:
    """A test of single units or items; units in which a system has no value are left out."""
    return replace(
        bare,
        p=found.p,
        exact=found.method == EXACT,
        differing=found.used,
        undefined=found.undefined,
        reason=f"by {bare.unit}, {found.reason}" if found.reason else "",
        towards=TOWARDS[found.side],
    )


def _side(direction: str) -> str | None:
    return None if direction == TWO_SIDED else direction
