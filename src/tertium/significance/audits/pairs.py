"""Two systems under one number, made ready once and tested on many subsets of units."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.corpus.assessment import Test, Testing
from tertium.corpus.result import Result
from tertium.corpus.stats import Floats, beside
from tertium.significance.paired import RANKED, bootstrap, randomisation, ranked
from tertium.significance.rows import Rows, merged
from tertium.significance.samples import Number, Sample, Side, sides_of, unit_values

Units = npt.NDArray[np.generic]
Values = tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class Pair:
    """The counts of two systems side by side; `test` gives what `paired_test` would."""

    a: Result
    b: Result
    testing: Testing
    number: Number = field(default_factory=Number)

    @cached_property
    def _sides(self) -> list[Side]:
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
        """The test on all or some units, and the values of both systems there."""
        how = self.testing
        rows = self._rows if units is None else self._rows.of_units(units)
        pair = Sample(rows, tuple(self._sides))
        observed = pair.observed
        first, second = (None if np.isnan(value) else float(value) for value in observed)
        if how.test in RANKED:
            apart = self._apart if units is None else self._apart[units]
            found = ranked(apart, float(observed[1] - observed[0]), how.test, how.direction)
        elif first is None or second is None:
            reason = "the value of one of the systems is undefined"
            found = Test(None, None, how.test, pair.units, direction=how.direction, reason=reason)
        elif how.test == "randomisation":
            found = randomisation(
                pair, direction=how.direction, trials=trials or how.trials, seed=how.seed
            )
        else:
            found = bootstrap(
                pair,
                test=how.test,
                direction=how.direction,
                trials=trials or how.trials,
                seed=how.seed,
            )
        return found, (first, second)
