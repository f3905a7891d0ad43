"""How much is simulated: a tenth in every run, everything in `make levels`."""

from dataclasses import dataclass

import pytest
from scipy.stats import binom


@dataclass(frozen=True)
class Effort:
    """How often a simulation is repeated, and which shares it may then find."""

    share: float

    def times(self, full: int) -> int:
        return round(full * self.share)

    def assert_rate(self, found: int, full: int, low: float = 0.0, high: float = 1.0) -> None:
        """The share lies within the bounds; of a part of the repetitions, it is one that a rate
        within them gives in all but one of ten thousand simulations."""
        times = self.times(full)
        if times < full:
            low, high = binom.ppf(1e-4, times, low) / times, binom.isf(1e-4, times, high) / times
        assert low <= found / times <= high


@pytest.fixture(
    params=[pytest.param(0.1, id="part"), pytest.param(1.0, id="full", marks=pytest.mark.levels)]
)
def effort(request: pytest.FixtureRequest) -> Effort:
    return Effort(request.param)
