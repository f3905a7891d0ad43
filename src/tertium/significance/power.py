"""`tertium.power`: what a test set can show, and how large it has to be, by simulation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.exceptions import UsageError, counted
from tertium.families.base import Metric, make, part_of
from tertium.families.family import family_of
from tertium.families.sets import headers_of, named_part
from tertium.options import Verb, fill, option, take
from tertium.results.assessment import Test, Testing
from tertium.results.output import Look, Output
from tertium.results.parts import Part, PartKind
from tertium.results.scores import Result
from tertium.results.signatures import signature_entry
from tertium.results.stats import UnitKind
from tertium.signature import Signature
from tertium.significance.corrections import check_alpha
from tertium.significance.documents import by_documents
from tertium.significance.outputs import no_metric
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import score
from tertium.significance.simulation import AtDifference, AtSize, Plan, SetSize, Simulation
from tertium.significance.tests import paired_test
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way

if TYPE_CHECKING:
    from tertium.results.blocks import Block

EQUAL = "the observed difference is 0: give one that would matter"
UNDEFINED = "the value of one of the systems is undefined"
SAME = "the systems have the same counts in every sentence, so there is nothing to simulate"
TOO_SMALL = "the test set is too small to detect any difference"


@dataclass(frozen=True)
class PowerOptions:
    """What is to be found, and how it is simulated."""

    difference: float | None = option(
        None,
        "The difference to detect; 0.005 is half a point. Default: the observed one.",
        kind=float, metavar="FRACTION",
    )  # fmt: skip
    target: float = option(0.8, "The power wanted. Default: 0.8.", flag="--power", metavar="SHARE")
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")

    def check(self, testing: Testing) -> None:
        """Refuse what cannot be, before anything is read."""
        if self.difference is not None and not self.difference > 0:
            raise UsageError(f"a difference must be above 0. Got {self.difference:g} instead.")
        alpha, trials = testing.alpha, testing.trials
        check_alpha(alpha)
        if not alpha < self.target < 1:
            raise UsageError(
                f"the power must be between alpha ({alpha:g}) and 1, such as 0.8. "
                f"Got {self.target:g} instead."
            )
        if alpha * (trials + 1) <= 2:
            raise UsageError(
                f"{trials:,} {'trial is' if trials == 1 else 'trials are'} too few to "
                f"determine significance at {alpha:g}",
                help=f"take {math.ceil(20 / alpha):,} or more",
            )


OPTIONS = (Study, PowerOptions, Testing, Way, DataOptions)
WITHOUT = frozenset({"test", "direction", "interval", "level", "correction"})  # as by default


def _asked(given: Mapping[str, Any], verb: str) -> tuple[PowerOptions, Testing]:
    """What is to be found and how, checked."""
    rest = dict(given)
    tests = take(Testing, rest)
    if refused := sorted(tests.keys() & WITHOUT):
        raise UsageError(f"{verb} has no option '{refused[0]}': it simulates the default test")
    asked, testing = fill(PowerOptions, rest, verb=verb, others=OPTIONS), Testing(**tests)
    asked.check(testing)
    return asked, testing


@dataclass(frozen=True, eq=False)
class MetricPower:
    """Two systems under one metric.

    - `test`: the default test on the given test set; its `delta` is B less A
    - `difference`: the one that is asked about, without a sign; None for none
    - `power`: of the given test set for it; `needed`: the size that has the power wanted
    - `detectable`: the smallest difference that the given test set shows with that power
    - `by_units`, `by_difference`: the same over sizes and over differences
    - `undefined`: simulated test sets without a value, which are left out
    - `kind`: what differences are of; those of a sum are of the given size
    - `reasons`: why `difference`, `power`, `needed` or `detectable` is None
    """

    metric: str
    test: Test
    difference: float | None
    power: float | None = None
    needed: SetSize | None = None
    detectable: float | None = None
    by_units: tuple[AtSize, ...] = ()
    by_difference: tuple[AtDifference, ...] = ()
    undefined: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    signatures: Mapping[str, Signature] = field(default_factory=dict)
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
            **signature_entry(self.signatures),
        }

    def __repr__(self) -> str:
        shown = "undefined" if self.power is None else f"{self.power:.2f}"
        return f"<{self.metric}: power {shown}>"


@dataclass(frozen=True, eq=False)
class Power(Output):
    """The power of the default test for two systems on one test set; `asked` if the difference was
    named, `target` is the power wanted."""

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
        raise no_metric(metric, [each.metric for each in self.metrics])

    @property
    def title(self) -> str:
        """What was tested."""
        return f"Power of a test of {self.a} and {self.b}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of([each.metric for each in self.metrics])

    def in_short(self) -> str:
        """What the test set can show by the main metric."""
        from tertium.significance.power_tables import summary_of

        return summary_of(self)

    def blocks(self, look: Look) -> list[Block]:
        """A table of all metrics, what it says in words, and power over sizes and differences."""
        from tertium.significance.power_tables import build

        return build(self, look.format)

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
        return f"<{self.a} and {self.b}, {self.units:,} sentences: {found}>"


@reads_data()
def power(gold: Any, a: Any, b: Any, **options: Any) -> Power:
    """The power of the default test (paired approximate randomisation, two-sided) for two systems,
    by simulation from their counts per unit. Data and options are those of `score`; without
    `metric` it is the usual one of each kind of layer.

    `difference` is the one to be found, without a sign and of shares as a fraction: 0.005 is half a
    point. By default it is the observed one. `target` is the power wanted; `trials` test sets of
    each size are simulated. All options are those of the command line, where `target` is `--power`.

    >>> gold, a, b = [["N", "V"]] * 40, [["N", "V"]] * 40, [["N", "N"]] * 20 + [["N", "V"]] * 20
    >>> found = power(gold, a, b, trials=1000).metrics[0]
    >>> found.observed, found.power
    (-0.25, 1.0)
    """
    rest = dict(options)
    reading = {**take(Way, rest), **take(Study, rest), "labels": False}
    asked, testing = _asked(rest, "power")
    reading["documents"] = testing.unit == "document"
    metric = reading.get("metric")
    for each in [metric] if isinstance(metric, str | Metric) else metric or ():
        part = part_of(each) if isinstance(each, Metric) else named_part(each)
        _check_size(asked.difference, part)
    scores = score(gold, a, b, names=asked.names, **reading)
    if not metric:
        chosen = _main_metrics(scores)
        scores = replace(scores, results=tuple(r for r in scores if r.metric in chosen))
    return _power(scores, asked, testing)


def power_of(scores: Scores, **options: Any) -> Power:
    """The same for scores of two systems; `options` are those of `power` that say what is to be
    found and how."""
    return _power(scores, *_asked(options, "power_of"))


def _power(scores: Scores, asked: PowerOptions, testing: Testing) -> Power:
    if testing.unit == "document":
        scores = by_documents(scores)
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
        _check_size(asked.difference, pair[0].part())
        if why := _cannot_be_drawn(*pair):
            units = scores.sizes[pair[0].unit]
            test = Test(None, None, "randomisation", units, reason=why, unit=pair[0].unit)
            found.append(_nothing(*pair, test, asked.difference, why))
            continue
        simulation = Simulation(
            *pair, alpha=testing.alpha, trials=testing.trials, seed=testing.seed
        )
        is_whole = simulation.pair.units == scores.sizes[pair[0].unit]
        plan = Plan(simulation, asked.target, scores.tokens if is_whole else None)
        found.append(_of_metric(*pair, plan, asked.difference))
    return Power(
        gold=scores.gold,
        a=a,
        b=b,
        units=scores.units,
        tokens=scores.tokens,
        metrics=tuple(found),
        asked=asked.difference is not None,
        target=asked.target,
        alpha=testing.alpha,
        trials=testing.trials,
        seed=testing.seed,
        notes=scores.notes,
    )


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


def _cannot_be_drawn(*results: Result) -> str:
    """Why a metric has no counts of a system, where it has none."""
    for result in results:
        if result.stats is None or not result.stats.units:
            why = result.reasons.get("value", "")
            return why if result.system in why else f"{result.system} has no counts to draw from"
    return ""


def _of_metric(a: Result, b: Result, plan: Plan, difference: float | None) -> MetricPower:
    simulation = plan.simulation
    test = paired_test(a, b, trials=simulation.trials, seed=simulation.seed)
    if test.delta is None or not simulation.differing:
        return _nothing(a, b, test, difference, UNDEFINED if test.delta is None else SAME)
    difference = difference or abs(simulation.observed) or None
    detectable = plan.detectable(plan.given)
    reasons = {} if difference else dict.fromkeys(("difference", "power", "needed"), EQUAL)
    if detectable is None:
        reasons["detectable"] = TOO_SMALL
    return replace(
        _nothing(a, b, test, difference, ""),
        power=None if difference is None else plan.power(plan.given, difference),
        needed=None if difference is None else plan.needed(difference),
        detectable=detectable,
        by_units=plan.by_units(difference),
        by_difference=plan.by_difference(difference),
        undefined=simulation.at(plan.given).undefined,
        reasons=reasons,
    )


def _nothing(a: Result, b: Result, test: Test, difference: float | None, why: str) -> MetricPower:
    """That nothing is known but the test, and why."""
    names = ("difference", "power", "needed", "detectable")
    return MetricPower(
        a.metric,
        test,
        difference,
        reasons=dict.fromkeys(names[difference is not None :], why),
        signatures={each.system: each.signature for each in (a, b)},
        kind=a.part().kind,
    )


def _check_files(files: Sequence[Any]) -> None:
    if len(files) != 3:
        raise UsageError(
            "give a gold standard and two systems, A and B. "
            f"Got {counted(len(files), 'file')} instead.",
            help="the power of a test depends on where two systems differ",
        )


VERB = Verb(
    "power",
    power,
    """Estimate the smallest difference a test set of this size can detect.

    GOLD, A and B are given as for 'tertium score'. Test sets of other sizes, and systems that
    differ more or less, are simulated from the counts per sentence of A and B.

    \b
    tertium power gold.conllu a.conllu b.conllu --metric {LAS}
    tertium power gold.bio a.bio b.bio --difference 0.01
    tertium power gold.conllu a.conllu b.conllu --power 0.9 --alpha 0.0025
    """,
    arguments="GOLD A B",
    options=OPTIONS,
    look=Look,
    without=WITHOUT | {"by"},
    words={
        "alpha": "Significance level. Default: 0.05.",
        "trials": "Simulated test sets per size. Default: 10,000.",
        "metric": "A metric such as {LAS}; repeatable. Default: one per kind of layer.",
    },
    check=_check_files,
    figures=True,
    cite=("noreen-1989-computer", "hoenig-heisey-2001-abuse"),
)
