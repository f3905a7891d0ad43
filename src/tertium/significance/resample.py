"""Resamples as sums of counts: units drawn with replacement, and pairs swapped by tosses of a coin.

What is drawn from is counts per unit of some systems side by side. Units with the same counts are
the same to every formula over sums: a row that m units have is drawn and swapped as m of them,
which is far less work than m draws (docs/significance.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError
from tertium.results.scores import Result
from tertium.results.stats import Floats, Stats, UnitKind, alike, beside, common_kind

PORTION = 4_000_000  # weights (trials x rows) made at a time: 32 MB
WORTH_A_BINOMIAL = 100  # a row of so many units is drawn faster as one number than unit by unit
WORTH_LOGARITHMS = 1000  # coins of which heads are no longer counted toss by toss
DRAWING, SWAPPING, RUNS = 1, 2, 3  # purposes of random numbers

UInt64 = npt.NDArray[np.uint64]
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Rows:
    """Distinct rows of counts (dense, or sparse where there are labels) and how many units have
    each. Their order depends on their content alone. `place` is the row of every unit, where it is
    known."""

    values: Any
    count: Int64
    place: Int64 | None = None

    @property
    def units(self) -> int:
        """Number of units."""
        return int(self.count.sum())

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])

    @property
    def occupied(self) -> int:
        """Number of units that have any counts."""
        there = (
            (self.values != 0).any(axis=1)
            if isinstance(self.values, np.ndarray)
            else np.diff(self.values.indptr) > 0
        )
        return int(self.count[there].sum())

    def sums(self, weights: Floats) -> Floats:
        """Summed counts for weights of rows (one, or trials x rows)."""
        return np.asarray(weights @ self.values, np.float64)

    def total(self) -> Floats:
        """Summed counts of all units."""
        return self.sums(self.count.astype(np.float64))

    def of_units(self, units: npt.NDArray[np.generic]) -> Rows:
        """The rows of chosen units (numbers or a mask): the same as if these had been merged."""
        assert self.place is not None
        count = np.bincount(self.place[units], minlength=len(self.count))
        there = np.flatnonzero(count)
        return Rows(self.values[there], count[there])

    def some(self, chosen: npt.NDArray[np.generic]) -> Floats:
        """Chosen rows as a dense block."""
        part = self.values[chosen]
        return np.asarray(part if isinstance(part, np.ndarray) else part.toarray())


def merged(matrix: Any) -> Rows:
    """The distinct rows of a matrix of units x columns, dense or sparse (CSR)."""
    is_dense = isinstance(matrix, np.ndarray)
    prints = _of_dense(matrix) if is_dense else _of_sparse(matrix)
    _, first, inverse, count = np.unique(
        prints, return_index=True, return_inverse=True, return_counts=True
    )
    if is_dense and not _is_same(matrix, first[inverse]):
        # Two rows have one fingerprint: about one chance in 10^7 for a million units.
        values, inverse, count = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
        return Rows(values, count.astype(np.int64), inverse.ravel())
    return Rows(matrix[first], count.astype(np.int64), inverse)


def _is_same(matrix: Floats, other: Int64) -> bool:
    return all(bool((column == column[other]).all()) for column in matrix.T)


def _of_dense(matrix: Floats) -> UInt64:
    """A fingerprint of every row."""
    prints = np.zeros(len(matrix), np.uint64)
    for number, column in enumerate(matrix.T, 1):
        # Adding 0 turns a negative zero into a positive one: they are equal numbers.
        prints = _mixed(prints + (column + 0.0).view(np.uint64) * np.uint64(2 * number + 1))
    return prints


def _of_sparse(matrix: Any) -> UInt64:
    """A fingerprint of every row from its cells, whatever their order."""
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    keys = _mixed((matrix.indices.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    with np.errstate(over="ignore"):
        cells = np.cumsum(_mixed(keys ^ matrix.data.view(np.uint64)))
    sums = np.concatenate([np.zeros(1, np.uint64), cells])
    found: UInt64 = sums[matrix.indptr[1:]] - sums[matrix.indptr[:-1]]
    return found


def _mixed(state: UInt64) -> UInt64:
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@dataclass(frozen=True)
class Number:
    """Which number of a result: a part (the headline by default), of a label or group if named."""

    part: str = ""
    label: str | None = None
    group: str | None = None


@dataclass(frozen=True, eq=False)
class SystemColumns:
    """One system's columns, and how the number comes from their sums."""

    result: Result
    stats: Stats
    number: Number
    labels: bool
    start: int = 0

    @property
    def stop(self) -> int:
        """Where the columns end."""
        return self.start + (self.stats.width if self.labels else len(self.stats.columns))

    def value(self, sums: Floats) -> Floats:
        """The number for sums over all columns of a sample; nan where undefined."""
        return self._value(sums[..., self.start : self.stop])

    def unit_values(self) -> Floats:
        """The number of every single unit; nan where a unit has none."""
        matrix = self.matrix()
        return self._value(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())

    def matrix(self) -> Any:
        """The counts of units x columns, dense or sparse."""
        return self.stats.matrix(labels=self.labels)

    def _value(self, sums: Floats) -> Floats:
        totals = self.stats.totals_of(sums, labels=self.labels)
        formula, part = self.result.formula, self.number.part or self.result.headline
        assert formula is not None
        if self.number.label is None:
            found = formula.score(totals)
        else:
            found = {k: v[..., 0] for k, v in formula.label_scores(totals).items()}
        if part not in found:
            raise UsageError(
                f"{self.result.metric} has no part '{part}'. It has: {', '.join(found)}."
            )
        return np.asarray(found[part], np.float64)


@dataclass(frozen=True, eq=False)
class UnitCounts:
    """Merged rows of counts of one or several systems over the same units."""

    rows: Rows
    sides: tuple[SystemColumns, ...]

    def values(self, sums: Floats) -> Floats:
        """The number of every system, last axis as `sides`."""
        return np.stack([side.value(sums) for side in self.sides], axis=-1)

    def statistic(self, sums: Floats) -> Floats:
        """The number of the only system, or the difference of the second from the first."""
        first, *others = self.sides
        return others[0].value(sums) - first.value(sums) if others else first.value(sums)

    @property
    def observed(self) -> Floats:
        """The number of every system on all units."""
        return self.values(self.rows.total())

    @property
    def units(self) -> int:
        """How many units there are."""
        return self.rows.units

    @property
    def unit(self) -> UnitKind:
        """What they are."""
        return self.sides[0].stats.kind


def sides_of(
    results: Sequence[Result], number: Number, *, common: bool = False
) -> list[SystemColumns]:
    """The columns that decide a number, for each result; with `common` labels they have the same
    columns, so that rows of one can stand for rows of another."""
    chosen = [_chosen(result, number) for result in results]
    common_kind(stats for _, stats in chosen)
    sizes = {stats.units for _, stats in chosen}
    if len(sizes) > 1:
        raise UsageError(
            f"systems to be paired must have equally many sentences. Got {sorted(sizes)} instead."
        )
    labels = number.label is not None or any(_needs_labels(r, number) for r, _ in chosen)
    if common and labels:
        blocks = alike([stats for _, stats in chosen])
        chosen = [(r, stats) for (r, _), stats in zip(chosen, blocks, strict=True)]
    sides: list[SystemColumns] = []
    for result, stats in chosen:
        start = sides[-1].stop if sides else 0
        sides.append(SystemColumns(result, stats, number, labels, start))
    return sides


def unit_counts(
    results: Sequence[Result], number: Number | None = None, *, common: bool = False
) -> UnitCounts:
    """The counts of some systems by one metric, side by side."""
    sides = sides_of(results, number or Number(), common=common)
    return UnitCounts(merged(beside([side.matrix() for side in sides])), tuple(sides))


def _chosen(result: Result, number: Number) -> tuple[Result, Stats]:
    """The result of the group that is meant, and its counts over all units."""
    held = result
    if number.group is not None:
        if number.group not in result.groups:
            raise UsageError(f"{result.metric} of {result.system} has no group '{number.group}'")
        held = result.groups[number.group]
    if held.stats is None or held.formula is None:
        raise UsageError(f"{result.metric} of {result.system} has no counts to be resampled")
    stats = held.stats.spread()
    return held, stats if number.label is None else stats.of_label(number.label)


def _needs_labels(result: Result, number: Number) -> bool:
    """Is the part made of counts per label, as macro averages are?"""
    assert result.stats is not None
    assert result.formula is not None
    dense = result.stats.dense.sum(axis=0)
    plain = result.formula.score(result.stats.totals_of(dense, labels=False))
    return (number.part or result.headline) not in plain


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
    from tertium.significance._kernels import draw_units

    size = rows.units if units is None else units
    order = np.argsort(-rows.count, kind="stable")
    frequent = order[: int((rows.count >= WORTH_A_BINOMIAL).sum())]
    rare = np.setdiff1d(np.arange(len(rows.count)), frequent)
    row_of_unit = np.repeat(rare, rows.count[rare])
    shares = np.append(rows.count[frequent], len(row_of_unit)) / rows.units
    seeds = random.integers(2**64, size=trials, dtype=np.uint64)

    def weights(part: slice) -> Floats:
        found = np.zeros((part.stop - part.start, len(rows.count)))
        draws = random.multinomial(size, shares, size=len(found))
        found[:, frequent] = draws[:, :-1]
        if len(row_of_unit):
            draw_units(seeds[part], np.ascontiguousarray(draws[:, -1]), row_of_unit, found)
        return found

    return _values(rows, trials, weights, statistic)


def swapped_values(
    rows: Rows, trials: int, random: np.random.Generator, statistic: Statistic
) -> Floats:
    """What `statistic` makes of the sums of the rows whose units were swapped, each by the toss of
    a coin, trials first."""
    from tertium.significance._kernels import draw_swaps

    seeds = random.integers(2**64, size=trials, dtype=np.uint64)

    def weights(part: slice) -> Floats:
        found = np.empty((part.stop - part.start, len(rows.count)))
        draw_swaps(seeds[part], rows.count, found)
        return found

    return _values(rows, trials, weights, statistic)


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

    def weights(part: slice) -> Floats:
        way = np.arange(part.start, part.stop)
        found = np.empty((len(way), len(heads)))
        stride = ways
        for row, own in enumerate(heads):
            stride //= len(own)
            swapped = way // stride % len(own)
            found[:, row] = swapped
            chance[part] *= own[swapped]
        return found

    return _values(rows, ways, weights, statistic), chance


def _values(
    rows: Rows, trials: int, weights: Callable[[slice], Floats], statistic: Statistic
) -> Floats:
    """What `statistic` makes of weighted sums, in portions of trials whose weights and sums take a
    bounded amount of memory. It comes out the same whatever their size."""
    step = max(1, PORTION // max(len(rows.count), rows.width, 1))
    parts = [slice(start, min(start + step, trials)) for start in range(0, trials, step)]
    return np.concatenate([statistic(rows.sums(weights(part))) for part in parts])


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


def folded(values: Floats, count: Int64) -> tuple[Rows, Floats]:
    """Differences of pairs, made ready to be swapped, and what to add to every sum.

    Pairs without a difference are left out: swapping them changes nothing. A difference and its
    opposite are one row: to swap one is to leave the other.
    """
    some = np.flatnonzero((values != 0).any(axis=1))
    values, count = values[some], count[some]
    # A row has the sign of its first number that is not 0.
    first = (values != 0).argmax(axis=1) if len(some) else some
    is_negative = values[np.arange(len(some)), first] < 0
    turned = np.where(is_negative[:, None], -values, values)
    distinct, place = np.unique(turned, axis=0, return_inverse=True)
    units = np.bincount(place.ravel(), weights=count).astype(np.int64)
    negative = np.bincount(place.ravel(), weights=count * is_negative)
    return Rows(distinct, units), -(negative @ distinct)
