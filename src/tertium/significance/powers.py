"""What `tertium.power` finds: how large a difference a test set can show, and how large a test set
has to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tertium._version import __version__
from tertium.exceptions import UsageError, suggestion
from tertium.results.assessment import Test
from tertium.results.parts import PartKind
from tertium.results.stats import UnitKind

TARGET = 0.8
MORE_THAN, AT_MOST = "more than", "at most"


class AtSize(NamedTuple):
    """A test set of a size: the power for the difference that is asked about, None if there is
    none, and the smallest difference with the power that is wanted, None if there is none."""

    units: int
    words: int | None
    power: float | None
    detectable: float | None


class AtDifference(NamedTuple):
    """The power of the given test set for a difference."""

    difference: float
    power: float


@dataclass(frozen=True, slots=True)
class Needed:
    """The size of a test set. `bound` is empty, or says that it lies beyond: "more than" or "at
    most" so many units."""

    units: int
    words: int | None
    bound: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        bound = {"bound": self.bound} if self.bound else {}
        return {"units": self.units, "words": self.words, **bound}


@dataclass(frozen=True, eq=False)
class MetricPower:
    """Two systems under one metric.

    - `test`: the default test on the given test set; its `delta` is B less A
    - `difference`: the one that is asked about, without a sign; None where none was named and the
      systems do not differ
    - `power`: of the given test set for that difference; `needed`: the size that has the power
      wanted
    - `detectable`: the smallest difference that the given test set shows with that power
    - `by_units`, `by_difference`: the same over sizes and over differences
    - `undefined`: simulated test sets of the given size without a value; they are left out
    - `kind`: what differences are of, as the part of the metric's value says; those of a sum, which
      grows with the test set, are told as of the given size
    - `reasons`: why `difference`, `power`, `needed` or `detectable` is None
    """

    metric: str
    test: Test
    difference: float | None
    power: float | None
    needed: Needed | None
    detectable: float | None
    by_units: tuple[AtSize, ...] = ()
    by_difference: tuple[AtDifference, ...] = ()
    undefined: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    signature: str = ""
    kind: PartKind = "share"

    @property
    def unit(self) -> UnitKind:
        """What sizes are counted in."""
        return self.test.unit

    @property
    def observed(self) -> float | None:
        """The difference on the given test set, B less A."""
        return self.test.delta

    def to_dict(self) -> dict[str, Any]:
        """The entry in `metrics` of the JSON output."""
        return {
            "metric": self.metric,
            **({"unit": self.unit} if self.unit != "sentence" else {}),
            "observed": self.observed,
            "test": self.test.to_dict(),
            "difference": self.difference,
            "power": self.power,
            "needed": self.needed and self.needed.to_dict(),
            "detectable": self.detectable,
            "by_units": [each._asdict() for each in self.by_units],
            "by_difference": [each._asdict() for each in self.by_difference],
            **({"undefined": self.undefined} if self.undefined else {}),
            **({"reasons": self.reasons} if self.reasons else {}),
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        shown = "undefined" if self.power is None else f"{self.power:.2f}"
        return f"<{self.metric}: power {shown}>"


@dataclass(frozen=True, eq=False)
class Power:
    """The power of the default test for two systems on one test set.

    - `asked`: is the difference that is asked about one that was named, or the observed one?
    - `target`: the power that is wanted; `alpha`: p below it is significant
    """

    gold: str
    a: str
    b: str
    units: int
    tokens: int | None
    metrics: tuple[MetricPower, ...]
    asked: bool
    target: float
    alpha: float
    trials: int
    seed: int
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    def __getitem__(self, metric: str) -> MetricPower:
        for each in self.metrics:
            if each.metric == metric:
                return each
        known = [each.metric for each in self.metrics]
        raise UsageError(
            f"there is no power of '{metric}'.{suggestion(metric, known)}",
            help=f"there is: {', '.join(known)}",
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium power` (docs/verbs/power.md)."""
        return {
            "tertium": self.version,
            "gold": self.gold,
            "a": self.a,
            "b": self.b,
            "units": self.units,
            "tokens": self.tokens,
            "test": "randomisation",
            "direction": "two-sided",
            "alpha": self.alpha,
            "target": self.target,
            "trials": self.trials,
            "seed": self.seed,
            "metrics": [each.to_dict() for each in self.metrics],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __repr__(self) -> str:
        found = "; ".join(repr(each).strip("<>") for each in self.metrics)
        return f"<{self.a} and {self.b}, {self.units:,} units: {found}>"
