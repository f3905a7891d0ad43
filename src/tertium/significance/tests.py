"""Tests of a difference between two systems by resampling (docs/significance.md).

All are two-sided unless a direction is stated: a one-sided p for whoever happens to be ahead is
below .05 in about one of ten comparisons of equals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError, suggestion
from tertium.results.assessment import TIE, TOWARDS, TWO_SIDED, Test, Testing
from tertium.results.scores import Result
from tertium.results.stats import Floats, UnitKind, beside
from tertium.results.texts import unit_noun
from tertium.significance.intervals import (
    DRAWING,
    ONE_UNIT,
    SWAPPING,
    check_trials,
    statistic_of,
)
from tertium.significance.ranks import LEAST, mcnemar
from tertium.significance.resample import (
    Number,
    Rows,
    Statistic,
    SystemColumns,
    UnitCounts,
    all_swaps,
    drawn_values,
    folded,
    generator,
    merged,
    sides_of,
    swapped_values,
    unit_values,
    ways_to_swap,
)

Units = npt.NDArray[np.generic]
Values = tuple[float | None, float | None]

RESAMPLED = {
    "randomisation": "paired approximate randomisation",
    "bootstrap": "paired bootstrap, centred",
    "berg-kirkpatrick": "paired bootstrap of Berg-Kirkpatrick et al. (2012)",
    "koehn": "paired bootstrap of Koehn (2004)",
}
RANKED = {
    "wilcoxon": "Wilcoxon's signed-rank test over units",
    "sign": "sign test over units",
}
TESTS = {**RESAMPLED, **RANKED}
DIRECTIONS = (TWO_SIDED, "greater", "less")
ONE_SIDED = ("berg-kirkpatrick", "koehn")
FEW_UNITS = 200


def few(unit: UnitKind = "sentence") -> str:
    """That there are too few units for a test by drawing some."""
    return (
        f"fewer than {FEW_UNITS} {unit_noun(unit)}s: p-values of the bootstrap may be artificially "
        "low (Søgaard et al. 2014, section 2)"
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
            f"the test '{test}' is one-sided: say beforehand which direction is expected",
            help="'greater' if the second system is expected to have the higher value, else 'less'",
        )
    check_trials(trials)


def paired_test(
    a: Result,
    b: Result,
    number: Number | None = None,
    *,
    test: str = "randomisation",
    direction: str = TWO_SIDED,
    trials: int = 10_000,
    seed: int = 0,
    units: Units | None = None,
) -> Test:
    """Test the difference of a number between two systems on the same units.

    `units` (numbers or a mask) chooses some. The test is exact, with as many trials as there are
    different ways to swap, where these are no more than `trials`.
    """
    check_test(test, direction, trials)
    how = Testing(test=test, direction=direction, trials=trials, seed=seed)
    return Contrast(a, b, how, number or Number()).test(units)[0]


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two systems under one number, made ready once and tested on any units."""

    a: Result
    b: Result
    testing: Testing
    number: Number = field(default_factory=Number)

    @cached_property
    def _sides(self) -> list[SystemColumns]:
        common = self.testing.test == "randomisation"
        return sides_of([self.a, self.b], self.number, common=common)

    @cached_property
    def _rows(self) -> Rows:
        return merged(beside([side.stats.matrix(labels=side.labels) for side in self._sides]))

    @cached_property
    def _apart(self) -> Floats:
        """The differences of single units."""
        first, second = self._sides
        return unit_values(second) - unit_values(first)

    def test(self, units: Units | None = None, *, trials: int | None = None) -> tuple[Test, Values]:
        """The test on all or some units (numbers or a mask), and the values of both systems there.
        `trials` are those of the testing unless given."""
        how = self.testing
        rows = self._rows if units is None else self._rows.of_units(units)
        pair = UnitCounts(rows, tuple(self._sides))
        observed = pair.observed
        first, second = (None if np.isnan(value) else float(value) for value in observed)
        drawing: dict[str, Any] = {
            "direction": how.direction,
            "trials": trials or how.trials,
            "seed": how.seed,
        }
        if how.test in RANKED:
            apart = self._apart if units is None else self._apart[units]
            found = ranked(apart, float(observed[1] - observed[0]), how.test, how.direction)
        elif first is None or second is None:
            reason = "the value of one of the systems is undefined"
            found = Test(None, None, how.test, pair.units, direction=how.direction, reason=reason)
        elif how.test == "randomisation":
            found = randomisation(pair, **drawing)
        else:
            found = bootstrap(pair, test=how.test, **drawing)
        return replace(found, unit=pair.unit), (first, second)


def randomisation(
    pair: UnitCounts, *, direction: str = TWO_SIDED, trials: int = 10_000, seed: int = 0
) -> Test:
    """Paired approximate randomisation, or stratified shuffling (Noreen 1989, Cohen 1995).

    Each unit's two outputs change places by the toss of a coin; p = (r + 1) / (k + 1), where r of k
    trials have a difference at least as large as the observed one, ties included.
    """
    observed = float(statistic_of(pair)(pair.rows.total()))
    rows, moved = _differences(pair)
    statistic = _after_swaps(pair, moved)
    ways = ways_to_swap(rows, trials)
    chance: Floats | None = None
    if ways is not None:
        found, chance = all_swaps(rows, ways, statistic)
    else:
        found = swapped_values(rows, trials, generator(seed, SWAPPING), statistic)
    defined = ~np.isnan(found)
    beyond = extreme(found, observed, direction, _tie(pair)) & defined
    if chance is not None:
        whole = float(chance[defined].sum())
        p = min(max(float(chance[beyond].sum()) / whole, LEAST), 1.0)
    else:
        p = float((beyond.sum() + 1) / (defined.sum() + 1))
    return Test(
        observed,
        p,
        "randomisation",
        pair.units,
        trials=len(found),
        exact=chance is not None,
        direction=direction,
        differing=rows.units,
        undefined=int((~defined).sum()),
    )


def differences_after_swaps(pair: UnitCounts, trials: int, random: np.random.Generator) -> Floats:
    """What the test by randomisation compares the observed difference with; nan where undefined."""
    rows, moved = _differences(pair)
    return swapped_values(rows, trials, random, _after_swaps(pair, moved))


def _differences(pair: UnitCounts) -> tuple[Rows, Floats]:
    """What swapping a unit adds to A's sums and takes from B's."""
    a, b = pair.sides
    values = pair.rows.values
    apart = values[:, b.start : b.stop] - values[:, a.start : a.stop]
    if isinstance(apart, np.ndarray):
        return folded(apart, pair.rows.count)
    apart.eliminate_zeros()
    some = np.flatnonzero(np.diff(apart.indptr))
    return Rows(apart[some], pair.rows.count[some]), np.zeros(a.stop)


def _after_swaps(pair: UnitCounts, moved: Floats) -> Statistic:
    """The difference of the systems for sums of swapped rows; `moved` is what goes from one to the
    other besides."""
    a, b = pair.sides
    total = pair.rows.total()
    difference = statistic_of(pair)

    def after(sums: Floats) -> Floats:
        gone = sums + moved
        sides = [total[a.start : a.stop] + gone, total[b.start : b.stop] - gone]
        return difference(np.concatenate(sides, axis=-1))

    return after


def bootstrap(
    pair: UnitCounts,
    *,
    test: str = "bootstrap",
    direction: str = TWO_SIDED,
    trials: int = 10_000,
    seed: int = 0,
) -> Test:
    """A test from units drawn with replacement.

    - `bootstrap`: the share of resamples whose difference is as far from the observed one as that
      is from 0, p = (r + 1) / (k + 1)
    - `berg-kirkpatrick`: the share whose difference is more than twice the observed one
    - `koehn`: the share in which the system that was expected to win does not
    """
    statistic = statistic_of(pair)
    observed = float(statistic(pair.rows.total()))
    found = drawn_values(pair.rows, trials, generator(seed, DRAWING), statistic)
    defined = found[~np.isnan(found)]
    p: float | None
    reason = ""
    if pair.rows.occupied < 2:
        p, reason = None, ONE_UNIT
    elif not len(defined):
        p, reason = None, "no resample has a value"
    elif test == "bootstrap":
        beyond = extreme(defined - observed, observed, direction, _tie(pair))
        p = float((beyond.sum() + 1) / (len(defined) + 1))
    else:
        sign = 1 if direction == "greater" else -1
        p = float(_one_sided(sign * defined, sign * observed, test).mean())
    return Test(
        observed,
        p,
        test,
        pair.units,
        trials=len(found),
        direction=direction,
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


def ranked(apart: Floats, delta: float, test: str, direction: str) -> Test:
    """A test of differences of single units; those in which one of the systems has no value are
    left out. `delta` is the difference of the systems on all of them."""
    from tertium.significance.ranks import sign_test, wilcoxon

    ask = wilcoxon if test == "wilcoxon" else sign_test
    found = ask(apart, direction=None if direction == TWO_SIDED else direction)
    return Test(
        None if np.isnan(delta) else delta,
        found.p,
        test,
        len(apart),
        exact=found.method == "exact",
        direction=direction,
        differing=found.used,
        undefined=found.undefined,
        reason=f"over units, {found.reason}" if found.reason else "",
        towards=TOWARDS[found.side],
    )


MCNEMAR = "mcnemar"
TITLE = "McNemar's test over gold items"


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
    found = mcnemar(
        only_b,
        only_a,
        same=items - only_a - only_b,
        direction=None if direction == TWO_SIDED else direction,
    )
    return Test(
        delta,
        1.0 if items and found.p is None else found.p,
        MCNEMAR,
        items,
        exact=True,
        direction=direction,
        differing=found.used,
        reason="" if items else found.reason or "",
        warning=warning,
        towards=TOWARDS[found.side],
    )
