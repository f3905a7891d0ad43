"""Resamples as sums of counts: units drawn with replacement, and pairs swapped by tosses of a coin.

Work is done in portions of trials, so that memory stays bounded, and comes out the same whatever
their size.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.corpus.stats import Floats
from tertium.significance.rows import Rows

PORTION = 4_000_000  # weights (trials x rows) made at a time: 32 MB
WORTH_A_BINOMIAL = 100  # a row of so many units is drawn faster as one number than unit by unit


def generator(seed: int, *purpose: int) -> np.random.Generator:
    """A generator of random numbers for a seed; other purposes get other numbers."""
    return np.random.default_rng([seed, *purpose])


def drawn_sums(
    rows: Rows, trials: int, random: np.random.Generator, *, units: int | None = None
) -> Floats:
    """Sums of `units` units (all by default) drawn with replacement, trials x columns."""
    from tertium.significance._kernels import draw_units

    total = rows.units
    size = total if units is None else units
    order = np.argsort(-rows.count, kind="stable")
    frequent = order[: int((rows.count >= WORTH_A_BINOMIAL).sum())]
    rare = np.setdiff1d(np.arange(len(rows.count)), frequent)
    row_of_unit = np.repeat(rare, rows.count[rare])
    shares = np.append(rows.count[frequent], len(row_of_unit)) / total
    seeds = random.integers(2**64, size=trials, dtype=np.uint64)
    sums = np.empty((trials, rows.width))
    for part in portions(trials, len(rows.count)):
        weights = np.zeros((part.stop - part.start, len(rows.count)))
        draws = random.multinomial(size, shares, size=len(weights))
        weights[:, frequent] = draws[:, :-1]
        if len(row_of_unit):
            draw_units(seeds[part], np.ascontiguousarray(draws[:, -1]), row_of_unit, weights)
        sums[part] = rows.sums(weights)
    return sums


def swapped_sums(rows: Rows, trials: int, random: np.random.Generator) -> Floats:
    """Sums of the rows whose units were swapped, each by the toss of a coin, trials x columns."""
    from tertium.significance._kernels import draw_swaps

    seeds = random.integers(2**64, size=trials, dtype=np.uint64)
    sums = np.empty((trials, rows.width))
    for part in portions(trials, len(rows.count)):
        weights = np.empty((part.stop - part.start, len(rows.count)))
        draw_swaps(seeds[part], rows.count, weights)
        sums[part] = rows.sums(weights)
    return sums


def all_swaps(count: Int64, most: int) -> tuple[Floats, Floats] | None:
    """Every way to swap some units of each row, with its probability; None if there are more than
    `most` ways. Which of the equal units of a row are swapped makes no difference."""
    if np.log(count + 1.0).sum() > np.log(most) + 1e-9:
        return None
    weights, chance = np.zeros((1, 0)), np.ones(1)
    for units in count.tolist():
        swapped = np.arange(units + 1)
        weights = np.hstack(
            [np.repeat(weights, units + 1, axis=0), np.tile(swapped, len(weights))[:, None]]
        )
        chance = np.repeat(chance, units + 1) * np.tile(_binomial(units), len(chance))
    return weights, chance


def _binomial(units: int) -> Floats:
    """The probabilities of 0, 1, ... heads of so many coins."""
    chance = np.ones(1)
    for _ in range(units):
        chance = (np.append(chance, 0.0) + np.append(0.0, chance)) / 2
    return chance


def portions(trials: int, rows: int) -> Iterator[slice]:
    """Trials in portions whose weights take a bounded amount of memory."""
    step = max(1, PORTION // max(rows, 1))
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
