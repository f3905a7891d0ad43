"""What is resampled: counts per unit of some systems side by side, and the number they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError
from tertium.results.scores import Result, flatten
from tertium.results.stats import Floats, Stats, UnitKind, alike, beside, common_kind
from tertium.significance.rows import Rows, merged


@dataclass(frozen=True)
class Number:
    """Which number of a result: a part (the headline by default), of a label or group if named."""

    part: str = ""
    label: str | None = None
    group: str | None = None

    def of(self, result: Result) -> float | None:
        """Its value in a result; None where it is undefined or not there."""
        held = result if self.group is None else result.groups.get(self.group)
        if held is None:
            return None
        part = self.part or held.headline
        if self.label is None:
            value = flatten(held.parts).get(part)
        else:
            value = flatten(held.labels.get(self.label, {})).get(part)
        return None if value is None else float(value)


@dataclass(frozen=True, eq=False)
class Side:
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
        totals = self.stats.totals_of(sums[..., self.start : self.stop], labels=self.labels)
        return self.value_of(totals)

    def value_of(self, totals: object) -> Floats:
        """The number for totals."""
        formula, part = self.result.formula, self.number.part or self.result.headline
        assert formula is not None
        if self.number.label is None:
            found = formula.score(totals)  # type: ignore[arg-type]
        else:
            found = {k: v[..., 0] for k, v in formula.label_scores(totals).items()}  # type: ignore[arg-type]
        if part not in found:
            raise UsageError(
                f"{self.result.metric} has no part '{part}'. It has: {', '.join(found)}."
            )
        return np.asarray(found[part], np.float64)


@dataclass(frozen=True, eq=False)
class Sample:
    """Merged rows of counts of one or several systems over the same units."""

    rows: Rows
    sides: tuple[Side, ...]

    def values(self, sums: Floats) -> Floats:
        """The number of every system, last axis as `sides`."""
        return np.stack([side.value(sums) for side in self.sides], axis=-1)

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


def sides_of(results: Sequence[Result], number: Number, *, common: bool = False) -> list[Side]:
    """The columns that decide a number, for each result; with `common` labels they have the same
    columns, so that rows of one can stand for rows of another."""
    chosen = [_chosen(result, number) for result in results]
    common_kind(stats for _, stats in chosen)
    sizes = {stats.units for _, stats in chosen}
    if len(sizes) > 1:
        raise UsageError(
            f"systems must have the same units to be paired. Got {sorted(sizes)} units instead."
        )
    labels = number.label is not None or any(_needs_labels(r, number) for r, _ in chosen)
    if common and labels:
        blocks = alike([stats for _, stats in chosen])
        chosen = [(r, stats) for (r, _), stats in zip(chosen, blocks, strict=True)]
    sides: list[Side] = []
    for result, stats in chosen:
        start = sides[-1].stop if sides else 0
        sides.append(Side(result, stats, number, labels, start))
    return sides


def sample(
    results: Sequence[Result],
    number: Number | None = None,
    *,
    units: npt.NDArray[np.generic] | None = None,
    common: bool = False,
) -> Sample:
    """The counts of some systems by one metric, side by side; of chosen `units` only."""
    sides = sides_of(results, number or Number(), common=common)
    blocks = [side.stats.matrix(labels=side.labels) for side in sides]
    matrix = beside(blocks)
    return Sample(merged(matrix if units is None else matrix[units]), tuple(sides))


def unit_values(side: Side) -> Floats:
    """The number of every single unit; nan where a unit has none."""
    stats = side.stats
    matrix = stats.matrix(labels=side.labels)
    sums = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    return side.value_of(stats.totals_of(sums, labels=side.labels))


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
