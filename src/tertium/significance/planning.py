"""`tertium.power`: what a test set can show, and how large it has to be, by simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any, Unpack

from tertium.exceptions import UsageError
from tertium.families.base import Metric, make, named_part, part_of
from tertium.families.family import family_of
from tertium.results.assessment import Test
from tertium.results.parts import Part
from tertium.results.scores import Result
from tertium.significance.corrections import check_alpha
from tertium.significance.paired import paired_test
from tertium.significance.powers import (
    AT_MOST,
    MORE_THAN,
    TARGET,
    AtDifference,
    AtSize,
    MetricPower,
    Needed,
    Power,
)
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import score
from tertium.significance.simulations import Simulation
from tertium.study.study import ReadingOptions

SIZES = (1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2, 4, 8, 16)  # of the curve, relative to the given
FARTHEST = 64  # times the given size: what lies beyond is not guessed
FEWEST = 8  # units: below them nothing is asked
DIFFERENCES = 10  # of the curve, besides 0
REFINED = 3  # simulations between two sizes of which one is too small
EQUAL = "the observed difference is 0: name one that would matter"
UNDEFINED = "the value of one of the systems is undefined"
SAME = "the systems have the same counts in every unit: there is nothing to simulate from"
TOO_SMALL = "no difference is large enough to be found with so few units"


def power(
    gold: Any,
    a: Any,
    b: Any,
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    difference: float | None = None,
    target: float = TARGET,
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> Power:
    """The power of the default test (paired approximate randomisation, two-sided) for two systems,
    by simulation from their counts per unit. Data and options are those of `score`; without
    `metric` it is the usual one of each kind of layer.

    `difference` is the one to be found, without a sign and of shares as a fraction: 0.005 is half a
    point. By default it is the observed one. `target` is the power wanted; `trials` test sets of
    each size are simulated.

    >>> gold, a, b = [["N", "V"]] * 40, [["N", "V"]] * 40, [["N", "N"]] * 20 + [["N", "V"]] * 20
    >>> found = power(gold, a, b, trials=1000).metrics[0]
    >>> found.observed, found.power
    (-0.25, 1.0)
    """
    check_power(difference, target, alpha, trials, seed)
    for each in [metric] if isinstance(metric, str | Metric) else metric or ():
        _check_size(difference, part_of(each) if isinstance(each, Metric) else named_part(each))
    scores = score(gold, a, b, metric=metric, labels=False, **reading)
    if metric is None:
        chosen = _main_metrics(scores)
        scores = replace(scores, results=tuple(r for r in scores if r.metric in chosen))
    return power_of(
        scores, difference=difference, target=target, alpha=alpha, trials=trials, seed=seed
    )


def power_of(
    scores: Scores,
    *,
    difference: float | None = None,
    target: float = TARGET,
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
) -> Power:
    """The same for scores of two systems."""
    check_power(difference, target, alpha, trials, seed)
    if scores.runs:
        raise UsageError(
            f"{next(iter(scores.runs))} has several runs, and the power is that of a test of two "
            "single outputs",
            help="choose one run of each system",
        )
    if len(scores.systems) != 2:
        raise UsageError(f"power takes two systems. Got {len(scores.systems)} instead.")
    a, b = scores.systems
    found = []
    for metric in scores.metrics:
        pair = scores[a, metric], scores[b, metric]
        _check_size(difference, pair[0].part())
        if why := _cannot_be_drawn(*pair):
            units = scores.sizes[pair[0].unit]
            test = Test(None, None, "randomisation", units, reason=why, unit=pair[0].unit)
            found.append(_nothing(pair[0], test, difference, why))
            continue
        simulation = Simulation(*pair, alpha=alpha, trials=trials, seed=seed)
        is_whole = simulation.pair.units == scores.sizes[pair[0].unit]
        tokens = scores.tokens if is_whole else None
        found.append(_of_metric(*pair, _Plan(simulation, target, tokens), difference))
    return Power(
        gold=scores.gold,
        a=a,
        b=b,
        units=scores.units,
        tokens=scores.tokens,
        metrics=tuple(found),
        asked=difference is not None,
        target=target,
        alpha=alpha,
        trials=trials,
        seed=seed,
        notes=scores.notes,
    )


def check_power(
    difference: float | None, target: float, alpha: float, trials: int, seed: int
) -> None:
    """Refuse what cannot be, before anything is read."""
    if difference is not None and not difference > 0:
        raise UsageError(f"a difference must be above 0. Got {difference:g} instead.")
    check_alpha(alpha)
    if not alpha < target < 1:
        raise UsageError(
            f"the power must be between alpha ({alpha:g}) and 1, such as 0.8. "
            f"Got {target:g} instead."
        )
    if alpha * (trials + 1) <= 2:
        raise UsageError(
            f"{trials:,} {'trial is' if trials == 1 else 'trials are'} too few to tell what is "
            f"significant at {alpha:g}",
            help=f"take {math.ceil(20 / alpha):,} or more",
        )
    if seed < 0:
        raise UsageError(f"a seed must be 0 or more. Got {seed} instead.")


def _check_size(difference: float | None, part: Part) -> None:
    """Refuse a difference that two values of a metric cannot have."""
    if difference is not None and not 0 < difference <= part.width:
        raise UsageError(
            f"a difference must be above 0 and at most {part.width:g}. Got {difference:g} instead.",
            help="it is a fraction without a sign: 0.005 is half a point"
            if part.kind == "share"
            else None,
        )


def _main_metrics(scores: Scores) -> list[str]:
    """One for each kind of layer that both systems have, the usual one if it is there: simulations
    take longer than scores."""
    found: dict[str, str] = {}
    for metric in scores.metrics:
        of = family_of(make(metric))
        is_there = not _cannot_be_drawn(*(r for r in scores if r.metric == metric))
        if is_there and (of.id not in found or metric in of.metrics.get("audit", ())[:1]):
            found[of.id] = metric
    return [*found.values()] or scores.metrics


class _Plan:
    """Sizes and differences asked of one simulation."""

    def __init__(self, simulation: Simulation, target: float, tokens: int | None) -> None:
        self.simulation, self.target = simulation, target
        self.given = simulation.pair.units
        self.words_per_unit = tokens / self.given if tokens is not None and self.given else None
        self.sign = -1.0 if simulation.observed < 0 else 1.0

    def power(self, units: int, difference: float) -> float:
        return self.simulation.at(units).power(self.sign * difference)

    def detectable(self, units: int) -> float | None:
        return self.simulation.at(units).detectable(self.target, self.sign)

    def words(self, units: int) -> int | None:
        per_unit = self.words_per_unit
        return None if per_unit is None else round(units * per_unit)

    def by_units(self, difference: float | None) -> tuple[AtSize, ...]:
        sizes = dict.fromkeys(max(2, round(self.given * factor)) for factor in SIZES)
        return tuple(
            AtSize(
                units,
                self.words(units),
                None if difference is None else self.power(units, difference),
                self.detectable(units),
            )
            for units in sizes
        )

    def by_difference(self, difference: float | None) -> tuple[AtDifference, ...]:
        """Up to where power is nearly 1: a half more than what is found with the power wanted.
        Nothing where no difference is found or asked about."""
        widest = max(1.5 * (self.detectable(self.given) or 0.0), difference or 0.0)
        if not widest:
            return ()
        widest = min(widest, self.simulation.part.width)
        steps = [widest * step / DIFFERENCES for step in range(DIFFERENCES + 1)]
        return tuple(AtDifference(each, self.power(self.given, each)) for each in steps)

    def needed(self, difference: float) -> Needed:
        """The size at which power reaches the target: found between two sizes of which one is
        twice the other, then by interpolation between nearer ones."""
        least, most = min(FEWEST, self.given), FARTHEST * self.given
        low = high = self.given
        if self.power(self.given, difference) < self.target:
            while self.power(high, difference) < self.target:
                if high >= most:
                    return self._size(most, MORE_THAN)
                low, high = high, min(2 * high, most)
        else:
            while self.power(low, difference) >= self.target:
                if low <= least:
                    return self._size(least, AT_MOST)
                low, high = max(low // 2, least), low
        for _ in range(REFINED):
            between = self._between(low, high, difference)
            if not low < between < high:
                break
            if self.power(between, difference) < self.target:
                low = between
            else:
                high = between
        return self._size(rounded_up(self._between(low, high, difference)))

    def _between(self, low: int, high: int, difference: float) -> int:
        """Interpolated: for a normal distribution the quantile of power is linear in the square
        root of the size."""
        normal, room = NormalDist(), 1 / (2 * self.simulation.trials)
        ends = [
            normal.inv_cdf(min(max(self.power(n, difference), room), 1 - room)) for n in (low, high)
        ]
        share = (normal.inv_cdf(self.target) - ends[0]) / (ends[1] - ends[0])
        root = math.sqrt(low) + share * (math.sqrt(high) - math.sqrt(low))
        return min(max(math.ceil(root * root), low), high)

    def _size(self, units: int, bound: str = "") -> Needed:
        words = self.words(units)
        return Needed(units, None if words is None else rounded_up(words), bound)


def rounded_up(number: int, digits: int = 3) -> int:
    """As many digits as a simulation can vouch for.

    >>> rounded_up(12_341), rounded_up(987)
    (12400, 987)
    """
    step: int = 10 ** max(0, len(str(number)) - digits)
    return -(-number // step) * step


def _cannot_be_drawn(*results: Result) -> str:
    """Why a metric has no counts of a system, where it has none."""
    for result in results:
        if result.stats is None or not result.stats.units:
            why = result.reasons.get("value", "")
            return why if result.system in why else f"{result.system} has no counts to draw from"
    return ""


def _nothing(result: Result, test: Test, difference: float | None, why: str) -> MetricPower:
    names = ("difference", "power", "needed", "detectable")
    reasons = dict.fromkeys(names[difference is not None :], why)
    return MetricPower(
        result.metric,
        test,
        difference,
        None,
        None,
        None,
        reasons=reasons,
        signature=str(result.signature),
        kind=result.part().kind,
    )


def _of_metric(a: Result, b: Result, plan: _Plan, difference: float | None) -> MetricPower:
    simulation = plan.simulation
    test = paired_test(a, b, trials=simulation.trials, seed=simulation.seed)
    if why := UNDEFINED if test.delta is None else SAME if not simulation.differing else "":
        return _nothing(a, test, difference, why)
    reasons: dict[str, str] = {}
    if difference is None and simulation.observed:
        difference = abs(simulation.observed)
    if difference is None:
        reasons = dict.fromkeys(("difference", "power", "needed"), EQUAL)
    given = simulation.at(plan.given)
    detectable = plan.detectable(plan.given)
    if detectable is None:
        reasons["detectable"] = TOO_SMALL
    return MetricPower(
        metric=a.metric,
        test=test,
        difference=difference,
        power=None if difference is None else plan.power(plan.given, difference),
        needed=None if difference is None else plan.needed(difference),
        detectable=detectable,
        by_units=plan.by_units(difference),
        by_difference=plan.by_difference(difference),
        undefined=given.undefined,
        reasons=reasons,
        signature=str(a.signature),
        kind=a.part().kind,
    )
