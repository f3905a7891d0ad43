"""Resamples as sums of counts: units drawn with replacement, and pairs swapped by tosses of a coin.

Work is done in portions of trials, so that memory stays bounded, and comes out the same whatever
their size. Of every trial only the values are kept that are made of its sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.results.stats import Floats
from tertium.significance.rows import Rows

PORTION = 4_000_000  # weights (trials x rows) made at a time: 32 MB
WORTH_A_BINOMIAL = 100  # a row of so many units is drawn faster as one number than unit by unit
WORTH_LOGARITHMS = 1000  # coins of which heads are no longer counted toss by toss

Statistic = Callable[[Floats], Floats]


def generator(seed: int, *purpose: int) -> np.random.Generator:
    """A generator of random numbers for a seed; other purposes get other numbers."""
    return np.random.default_rng([seed, *purpose])


def drawn_values(
    rows: Rows,
    trials: int,
    random: np.random.Generator,
    statistic: Statistic,
    *,
    units: int | None = None,
) -> Floats:
    """What `statistic` makes of the sums of `units` units (all by default) drawn with replacement,
    trials first."""
    size = rows.units if units is None else units
    return _gathered(trials, map(statistic, _drawn(rows, trials, random, size)))


def swapped_values(
    rows: Rows, trials: int, random: np.random.Generator, statistic: Statistic
) -> Floats:
    """What `statistic` makes of the sums of the rows whose units were swapped, each by the toss of
    a coin, trials first."""
    return _gathered(trials, map(statistic, _swapped(rows, trials, random)))


def _drawn(rows: Rows, trials: int, random: np.random.Generator, size: int) -> Iterator[Floats]:
    from tertium.significance._kernels import draw_units

    order = np.argsort(-rows.count, kind="stable")
    frequent = order[: int((rows.count >= WORTH_A_BINOMIAL).sum())]
    rare = np.setdiff1d(np.arange(len(rows.count)), frequent)
    row_of_unit = np.repeat(rare, rows.count[rare])
    shares = np.append(rows.count[frequent], len(row_of_unit)) / rows.units
    seeds = random.integers(2**64, size=trials, dtype=np.uint64)
    for part in portions(trials, rows):
        weights = np.zeros((part.stop - part.start, len(rows.count)))
        draws = random.multinomial(size, shares, size=len(weights))
        weights[:, frequent] = draws[:, :-1]
        if len(row_of_unit):
            draw_units(seeds[part], np.ascontiguousarray(draws[:, -1]), row_of_unit, weights)
        yield rows.sums(weights)


def _swapped(rows: Rows, trials: int, random: np.random.Generator) -> Iterator[Floats]:
    from tertium.significance._kernels import draw_swaps

    seeds = random.integers(2**64, size=trials, dtype=np.uint64)
    for part in portions(trials, rows):
        weights = np.empty((part.stop - part.start, len(rows.count)))
        draw_swaps(seeds[part], rows.count, weights)
        yield rows.sums(weights)


def _gathered(trials: int, parts: Iterator[Floats]) -> Floats:
    first = next(parts)
    found = np.empty((trials, *first.shape[1:]))
    found[: len(first)] = first
    start = len(first)
    for part in parts:
        found[start : start + len(part)] = part
        start += len(part)
    return found


def ways_to_swap(rows: Rows, most: int) -> int | None:
    """In how many ways some units of each row can be swapped, None if in more than `most`. Which of
    the equal units of a row are swapped makes no difference."""
    if np.log(rows.count + 1.0).sum() > np.log(most) + 1e-9:
        return None
    return math.prod(int(units) + 1 for units in rows.count)


def all_swaps(rows: Rows, ways: int, statistic: Statistic) -> tuple[Floats, Floats]:
    """What `statistic` makes of the sums of every way to swap, and the probability of each."""
    heads = [_binomial(units) for units in rows.count.tolist()]
    chance = np.ones(ways)

    def sums() -> Iterator[Floats]:
        for part in portions(ways, rows):
            way = np.arange(part.start, part.stop)
            weights = np.empty((len(way), len(heads)))
            stride = ways
            for row, own in enumerate(heads):
                stride //= len(own)
                swapped = way // stride % len(own)
                weights[:, row] = swapped
                chance[part] *= own[swapped]
            yield rows.sums(weights)

    return _gathered(ways, map(statistic, sums())), chance


def _binomial(units: int) -> Floats:
    """The probabilities of 0, 1, ... heads of so many coins."""
    if units > WORTH_LOGARITHMS:
        logs = np.append(0.0, np.cumsum(np.log(np.arange(1, units + 1))))
        chances: Floats = np.exp(logs[-1] - logs - logs[::-1] - units * math.log(2))
        return chances
    chance = np.ones(1)
    for _ in range(units):
        chance = (np.append(chance, 0.0) + np.append(0.0, chance)) / 2
    return chance


def portions(trials: int, rows: Rows) -> Iterator[slice]:
    """Trials in portions whose weights and sums take a bounded amount of memory."""
    step = max(1, PORTION // max(len(rows.count), rows.width, 1))
    for start in range(0, trials, step):
        yield slice(start, min(start + step, trials))


def folded(values: Floats, count: Int64) -> tuple[Rows, Floats]:
    """Differences of pairs, made ready to be swapped, and what to add to every sum.

    Pairs without a difference are left out: swapping them changes nothing. A difference and its
    opposite are one row: to swap one is to leave the other.
    """
    sign = _first_signs(values)
    some = np.flatnonzero(sign)
    turned = values[some] * sign[some, None]
    if not len(some):
        return Rows(np.zeros((0, values.shape[1])), np.zeros(0, np.int64)), np.zeros(
            values.shape[1]
        )
    distinct, place = np.unique(turned, axis=0, return_inverse=True)
    units = np.bincount(place.ravel(), weights=count[some]).astype(np.int64)
    negative = np.bincount(place.ravel(), weights=count[some] * (sign[some] < 0))
    return Rows(distinct, units), -(negative @ distinct)


def _first_signs(values: Floats) -> npt.NDArray[np.int64]:
    """The sign of the first number of each row that is not 0; 0 where all are."""
    if not values.size:
        return np.zeros(len(values), np.int64)
    first = (values != 0).argmax(axis=1)
    return np.sign(np.take_along_axis(values, first[:, None], axis=1)[:, 0]).astype(np.int64)
