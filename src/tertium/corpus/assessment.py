"""What tests say about scores: intervals, p-values, and everything that decided them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TWO_SIDED = "two-sided"


@dataclass(frozen=True)
class Interval:
    """A confidence interval from resamples; ends are None where it is undefined, with a `reason`.

    `undefined` counts resamples without a value, which are left out.
    """

    low: float | None
    high: float | None
    level: float
    method: str
    trials: int
    undefined: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "method": self.method,
            "trials": self.trials,
            **({"undefined": self.undefined} if self.undefined else {}),
            **({"reason": self.reason} if self.reason else {}),
        }


@dataclass(frozen=True)
class Test:
    """A test of one difference between two systems, B minus A.

    - `p`: None where the test is undefined, with a `reason`
    - `method`: its name; `exact` if p is no estimate
    - `direction`: what was stated beforehand: `two-sided`, `greater` (B above A) or `less`
    - `units`: how many were used; `differing`: those in which the systems' counts differ
    - `undefined`: resamples, or units of a rank test, without a value: they are left out
    """

    __test__ = False  # no test of ours, whatever pytest thinks

    delta: float | None
    p: float | None
    method: str
    units: int
    trials: int | None = None
    exact: bool = False
    direction: str = TWO_SIDED
    differing: int | None = None
    undefined: int = 0
    reason: str = ""
    warning: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "delta": self.delta,
            "p": self.p,
            "test": self.method,
            "exact": self.exact,
            "direction": self.direction,
            "units": self.units,
            **({"trials": self.trials} if self.trials is not None else {}),
            **({"differing": self.differing} if self.differing is not None else {}),
            **({"undefined": self.undefined} if self.undefined else {}),
            **({"reason": self.reason} if self.reason else {}),
            **({"warning": self.warning} if self.warning else {}),
        }
