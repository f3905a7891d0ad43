"""What tests say about scores: intervals, p-values, and everything that decided them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tertium.options import SIGNIFICANCE, option
from tertium.results.output import record
from tertium.results.parts import Part

if TYPE_CHECKING:
    from tertium.results.scores import Result
    from tertium.results.stats import UnitKind

TWO_SIDED = "two-sided"
MOST_TRIALS = 10_000_000  # that fit into memory
TIE = 1e-12  # a difference of scores that is no larger is none
NEAR = 3  # standard errors: what lies no farther from a level may be on the other side of it
TOWARDS = {1: "greater", 0: "", -1: "less"}


@dataclass(frozen=True)
class Interval:
    """A confidence interval from resamples; ends are None where it is undefined, with a `reason`.

    `undefined` counts resamples without a value, which are left out; `unit` is what is drawn.
    """

    low: float | None
    high: float | None
    level: float
    method: str
    trials: int
    unit: UnitKind = "sentence"
    undefined: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return record(self)


@dataclass(frozen=True)
class Test:
    """A test of one difference between two systems, B minus A.

    - `p`: None where the test is undefined, with a `reason`
    - `method`: its name; `exact` if p is no estimate
    - `direction`: what was stated beforehand: `two-sided`, `greater` (B above A) or `less`
    - `units`: how many were used; `differing`: those in which the systems' counts differ; `unit`:
      what they are
    - `undefined`: resamples, or units of a rank test, without a value: they are left out
    - `towards`: of a test that goes by single units or items, which way these point, `greater` or
      `less`; `delta`, the difference of the scores, may point the other way
    """

    __test__ = False  # no test of ours, whatever pytest thinks

    delta: float | None
    p: float | None
    method: str
    units: int
    unit: UnitKind = "sentence"
    exact: bool = False
    direction: str = TWO_SIDED
    trials: int | None = None
    differing: int | None = None
    towards: str = ""
    undefined: int = 0
    reason: str = ""
    warning: str = ""

    @property
    def least(self) -> float:
        """What p is known to be below if no trial counts; 0 where it is no share of trials."""
        return 1 / self.trials if self.trials and not self.exact else 0.0

    @property
    def error(self) -> float | None:
        """The standard error of p by the number of trials (Monte Carlo error); None where p is not
        estimated from any."""
        if self.p is None or self.exact or not self.trials:
            return None
        return math.sqrt(self.p * (1 - self.p) / max(self.trials - self.undefined, 1))

    def is_near(self, alpha: float, factor: float = 1.0) -> bool:
        """Is p, or p times the factor of a correction, so near a level that more trials might put
        it on the other side?"""
        if self.p is None or self.error is None:
            return False
        return abs(factor * self.p - alpha) < NEAR * factor * self.error

    @property
    def sign(self) -> int:
        """1 if what was tested is greater for B, -1 if less, 0 if neither."""
        if self.towards:
            return 1 if self.towards == "greater" else -1
        if self.delta is None or abs(self.delta) <= TIE:
            return 0
        return 1 if self.delta > 0 else -1

    @property
    def contradicts(self) -> bool:
        """Does it point another way than the scores do?"""
        return bool(self.towards) and replace(self, towards="").sign == -self.sign

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        first = ("delta", "p", "method", "exact", "direction", "units")
        found = record(self, first=first, names={"method": "test"})
        return found if self.error is None else {**found, "p_error": self.error}


@dataclass(frozen=True)
class Testing:
    """How differences are tested and intervals made: the defaults are those of every verb.

    - `test`: a name of `tertium.significance.tests.TESTS`
    - `correction`: for the number of tests made at once: over all tests of all units, and over all
      tests inside groups
    - `alpha`: a corrected p below it is called significant
    - `unit`: what is drawn or swapped: that of the metric, or "document" for whole documents
    - `groups`: make intervals and tests inside groups as well, where there are any
    """

    __test__ = False
    option_group: ClassVar[str] = SIGNIFICANCE

    test: str = option(
        "randomisation", "Significance test: randomisation, bootstrap, berg-kirkpatrick, koehn, "
        "wilcoxon or sign; in 'tertium compare' also mcnemar. Default: randomisation.",
        metavar="NAME",
    )  # fmt: skip
    direction: str = option(
        TWO_SIDED, "Use one-sided tests of whether the later system has the greater or lesser "
        "value. Choose it before seeing results. Default: two-sided tests.",
        metavar="[greater|less]",
    )  # fmt: skip
    trials: int = option(
        10_000, "Resamples per test and interval. Default: 10,000.",
        metavar="N", least=1, most=MOST_TRIALS,
    )  # fmt: skip
    seed: int = option(0, "Random seed. Default: 0.", metavar="S", least=0)
    interval: str = option(
        "bca", "Kind of bootstrap confidence interval. Default: bca.",
        choices=("bca", "percentile", "basic"),
    )  # fmt: skip
    level: float = option(0.95, "Confidence level of intervals. Default: 0.95.", metavar="LEVEL")
    correction: str = option(
        "holm", "Correction of p-values for multiple testing. Default: holm.",
        choices=("holm", "bh", "bonferroni", "none"),
    )  # fmt: skip
    alpha: float = option(
        0.05, "Significance level for corrected p-values. Default: 0.05.", metavar="ALPHA"
    )
    unit: str = option(
        "sentence", "What to resample: sentences, or whole documents if sentences of a document "
        "are similar. Default: sentence.",
        choices=("sentence", "document"),
    )  # fmt: skip
    groups: bool = True

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = asdict(self)
        if self.unit == "sentence":
            del found["unit"]
        return found


@dataclass(frozen=True)
class Waiting:
    """Who is told before tests that take long."""

    notice: Callable[[str], None] | None = option(
        None, "A function that is called with notices, such as how long tests may take.", flag=""
    )


@dataclass(frozen=True)
class PairTest:
    """A test of two systems by one metric among all tests made, with p corrected for their number.

    `part` is what of the metric was tested and `group` where, if not in all units.
    """

    a: str
    b: str
    metric: str
    test: Test
    adjusted: float | None
    interval: Interval | None = None
    part: str = ""
    group: str | None = None

    def turned(self) -> PairTest:
        """The same from B to A."""
        test, interval = self.test, self.interval
        other = {"greater": "less", "less": "greater"}
        if interval is not None and interval.low is not None and interval.high is not None:
            interval = replace(interval, low=-interval.high, high=-interval.low)
        return replace(
            self,
            a=self.b,
            b=self.a,
            interval=interval,
            test=replace(
                test,
                delta=None if test.delta is None else -test.delta,
                direction=other.get(test.direction, test.direction),
                towards=other.get(test.towards, ""),
            ),
        )

    def is_significant(self, alpha: float) -> bool:
        """Is the corrected p below a level?"""
        return self.adjusted is not None and self.adjusted < alpha

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            **({"part": self.part} if self.part else {}),
            **({"group": self.group} if self.group is not None else {}),
            **self.test.to_dict(),
            "adjusted": self.adjusted,
            **({"interval": self.interval.to_dict()} if self.interval else {}),
        }


@dataclass(frozen=True)
class TestFamily:
    """Tests whose p-values are corrected together: of so many pairs of systems by some metrics,
    inside `groups` if there are any. `tests` are those with a p-value; `is_added` if nobody asked
    for the metric, which is there to explain others."""

    __test__ = False

    metrics: tuple[str, ...]
    pairs: int
    tests: int
    groups: int = 0
    is_added: bool = False

    def has(self, compared: PairTest) -> bool:
        """Is a test one of these?"""
        return compared.metric in self.metrics and (compared.group is not None) == bool(self.groups)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return record(self, names={"is_added": "added"})


@dataclass(frozen=True)
class RunSummary:
    """Several runs of one system under one metric.

    `sd` is the standard deviation over runs (n - 1), None for one run; runs without a value are
    left out of both and counted.
    """

    system: str
    metric: str
    runs: tuple[str, ...]
    values: tuple[float | None, ...]
    mean: float | None
    sd: float | None
    undefined: int = 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return record(self)


def summary(system: str, runs: Sequence[Result]) -> RunSummary:
    """Mean and standard deviation of the headline value over runs."""
    import numpy as np  # the options of the command line need this module, and no numbers

    values = [run.value for run in runs]
    there = [value for value in values if value is not None]
    return RunSummary(
        system=system,
        metric=runs[0].metric,
        runs=tuple(run.system for run in runs),
        values=tuple(values),
        mean=float(np.mean(there)) if there else None,
        sd=float(np.std(there, ddof=1)) if len(there) > 1 else None,
        undefined=len(values) - len(there),
    )


@dataclass(frozen=True)
class DesignEffect:
    """The variance of a difference between two systems, or of a system's value, by documents
    divided by that by sentences. `intervals`, by sentences and by documents, are there where it is
    so large that both should be seen."""

    metric: str
    systems: tuple[str, ...]
    effect: float
    documents: int
    intervals: tuple[Interval, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("a", "b") if len(self.systems) == 2 else ("system",)
        return {
            "metric": self.metric,
            **dict(zip(names, self.systems, strict=True)),
            "effect": self.effect,
            "documents": self.documents,
            "intervals": [each.to_dict() for each in self.intervals],
        }


@dataclass(frozen=True, eq=False)
class Assessment:
    """Intervals of all scores and tests of all differences, and how they were made.

    - `intervals`: by system, metric and group (None for all units); of a system with several runs
      it is that of their mean
    - `letters`: by system and metric: systems that share a letter do not differ significantly
    - `runs`: systems with several runs
    - `across`: by metric, what holds across data sets, where groups of units are such
    - `families`: which tests were corrected together
    - `parts`: by metric, what it says about its value; `names`: what tables call it
    - `units`: how many documents there are, where these were resampled
    - `designs`: how much more numbers vary by documents, where these are marked and sentences were
      resampled
    """

    testing: Testing
    systems: tuple[str, ...]
    intervals: Mapping[tuple[str, str, str | None], Interval]
    comparisons: tuple[PairTest, ...]
    letters: Mapping[tuple[str, str], str]
    families: tuple[TestFamily, ...] = ()
    runs: tuple[RunSummary, ...] = ()
    across: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    units: int | None = None
    designs: tuple[DesignEffect, ...] = ()

    def name(self, metric: str) -> str:
        """What tables call a metric."""
        return self.names.get(metric, metric)

    def part(self, metric: str) -> Part:
        """What a metric says about its value."""
        return self.parts.get(metric, Part("value"))

    def family(self, compared: PairTest) -> TestFamily:
        """The tests that one was corrected for."""
        return next(each for each in self.families if each.has(compared))

    def of(self, a: str, b: str, metric: str, group: str | None = None) -> PairTest | None:
        """The test of two systems, in the order in which it was made or the other one."""
        wanted = (metric, group)
        for each in self.comparisons:
            if {each.a, each.b} == {a, b} and (each.metric, each.group) == wanted:
                return each
        return None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.testing.to_dict(),
            **({} if self.units is None else {"units": self.units}),
            "families": [each.to_dict() for each in self.families],
            "tests": [each.to_dict() for each in self.comparisons],
            "intervals": [
                {
                    "system": system,
                    "metric": metric,
                    **({} if group is None else {"group": group}),
                    **interval.to_dict(),
                }
                for (system, metric, group), interval in self.intervals.items()
            ],
            "letters": [
                {"system": system, "metric": metric, "letters": letters}
                for (system, metric), letters in self.letters.items()
            ],
            **({"runs": [r.to_dict() for r in self.runs]} if self.runs else {}),
            **({"across": {m: a.to_dict() for m, a in self.across.items()}} if self.across else {}),
            **({"design_effects": [d.to_dict() for d in self.designs]} if self.designs else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }
