"""What an audit of two systems found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Unpack

from tertium._version import __version__
from tertium.exceptions import InputError, UsageError
from tertium.families.base import Metric
from tertium.families.sets import expand
from tertium.results.assessment import Interval, Testing
from tertium.results.scores import Result
from tertium.results.stats import UnitKind
from tertium.significance.assess import check
from tertium.significance.audit.curves import (
    SUBSAMPLE_TRIALS,
    SUBSAMPLES,
    Curve,
    Orders,
    Rate,
    length_curve,
    other_orders,
    rates,
    size_curve,
)
from tertium.significance.audit.evidence import Evidence, chosen_metrics, gather
from tertium.significance.audit.looks import (
    FAMILIES,
    LEVELS,
    USUAL,
    AuditLook,
    AuditTally,
    entity_look,
    group_looks,
    label_looks,
    looks_by_other_tests,
    metric_looks,
    number_look,
    tally,
)
from tertium.significance.corrections import adjust
from tertium.significance.intervals import interval
from tertium.significance.ppv import BETA, PRIOR_ODDS, ppv
from tertium.significance.resample import Number, unit_counts
from tertium.significance.tests import Contrast
from tertium.study.study import FileOptions, Study
from tertium.study.walk import walk_options


@dataclass(frozen=True, eq=False)
class Audit:
    """Two systems looked at in every way that a paper could have chosen, each with its p-value.

    - `results`: of A and B under the main metric; `main` is the test of its headline value on all
      units, and `interval` that of the difference
    - `metrics`, `labels`, `tests`: the other numbers, the main metric's labels, and the main number
      under other tests
    - `size`, `length`: p as data is added and on units up to a length (None where lengths are
      unknown)
    - `groups`: parts of the data
    - `rates`: how often random parts of the data are significant, by metric and size; `orders`: in
      how many further orders adding data made a significant result insignificant
    - `left_out`: what could have been looked at and was not, with the reason
    """

    gold: str
    units: int
    tokens: int | None
    testing: Testing
    results: tuple[Result, Result]
    main: AuditLook
    interval: Interval
    metrics: tuple[AuditLook, ...]
    labels: tuple[AuditLook, ...]
    tests: tuple[AuditLook, ...]
    size: Curve
    length: Curve | None
    groups: tuple[AuditLook, ...]
    rates: tuple[Rate, ...]
    orders: Orders
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    @property
    def a(self) -> str:
        """Name of the first system."""
        return self.results[0].system

    @property
    def b(self) -> str:
        """Name of the second system."""
        return self.results[1].system

    @property
    def unit(self) -> UnitKind:
        """What units are."""
        return self.results[0].unit

    @property
    def metric(self) -> str:
        """The main metric."""
        return self.main.metric

    @cached_property
    def looks(self) -> tuple[AuditLook, ...]:
        """All of them, the main one first. Curves end with the main look, which counts once; random
        parts of the data (`rates`) are no looks of their own."""
        return (self.main, *self._others())

    def _others(self) -> Iterator[AuditLook]:
        yield from (*self.metrics, *self.labels, *self.tests)
        for curve in (self.size, self.length):
            yield from curve.looks[:-1] if curve is not None else ()
        yield from self.groups

    @cached_property
    def adjusted(self) -> tuple[float | None, ...]:
        """p of every look, corrected for all of them (Holm)."""
        return tuple(adjust([look.p for look in self.looks], "holm"))

    @cached_property
    def tallies(self) -> tuple[AuditTally, ...]:
        """How many looks of each family were significant, for families that have any."""
        found = [tally(name, self.family(name)) for name in FAMILIES]
        return tuple(each for each in found if each.looks or each.undefined)

    @property
    def whole(self) -> AuditTally:
        """How many of all looks were significant."""
        return tally("all", self.looks)

    def family(self, name: str) -> list[AuditLook]:
        """The looks of a family."""
        return [look for look in self.looks if look.family == name]

    @cached_property
    def numbers(self) -> tuple[AuditLook, ...]:
        """What a free choice of metric is between: the main number, the others, and labels."""
        return (self.main, *self.metrics, *self.labels)

    @property
    def chosen(self) -> AuditLook | None:
        """The number with the smallest p: what a free choice of metric would have reported."""
        return tally("", self.numbers).smallest

    @property
    def chosen_adjusted(self) -> float | None:
        """Its p corrected for the choice (Holm)."""
        found = [p for p in adjust([look.p for look in self.numbers], "holm") if p is not None]
        return min(found, default=None)

    @property
    def is_same(self) -> bool:
        """Do the systems never differ?"""
        return all(look.p in (None, 1.0) and not look.test.differing for look in self.looks)

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """What all this means, in plain language: paragraphs."""
        from tertium.significance.audit.verdict import verdict

        return tuple(verdict(self))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium audit` (docs/verbs/audit.md)."""
        whole = self.whole
        chosen = self.chosen
        return {
            "tertium": self.version,
            "gold": self.gold,
            "a": self.a,
            "b": self.b,
            "units": self.units,
            **({"unit": self.unit} if self.unit != "sentence" else {}),
            "tokens": self.tokens,
            "metric": self.metric,
            "signature": str(self.results[0].signature),
            "testing": {
                name: value
                for name, value in self.testing.to_dict().items()
                if name not in ("correction", "alpha", "groups")
            },
            "main": {**self.main.to_dict(), "interval": self.interval.to_dict()},
            "looks": [
                {**look.to_dict(), "adjusted": p}
                for look, p in zip(self.looks, self.adjusted, strict=True)
            ],
            "summary": {
                **whole.to_dict(),
                "expected_by_chance": [
                    {"level": level, "looks": whole.looks * level} for level in LEVELS
                ],
                "families": [each.to_dict() for each in self.tallies],
            },
            "free_choice": {
                "numbers": len(self.numbers),
                "look": None if chosen is None else chosen.name,
                "p": None if chosen is None else chosen.p,
                "adjusted": self.chosen_adjusted,
            },
            "curves": [c.to_dict() for c in (self.size, self.length) if c is not None],
            "orders": self.orders.to_dict(),
            "rates": [rate.to_dict() for rate in self.rates],
            "ppv": {
                "prior_odds": PRIOR_ODDS,
                "beta": BETA,
                "levels": [{"level": level, "ppv": ppv(level)} for level in LEVELS],
            },
            "verdict": list(self.verdict),
            **({"left_out": list(self.left_out)} if self.left_out else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __repr__(self) -> str:
        whole = self.whole
        return (
            f"<Audit of {self.a} and {self.b} by {self.metric}: {whole.at(LEVELS[0])} of "
            f"{whole.looks} looks below {LEVELS[0]:g}, {whole.at(LEVELS[1])} below {LEVELS[1]:g}>"
        )


def audit(
    gold: Any,
    a: Any,
    b: Any,
    *more: Any,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    by: str | Sequence[str] = (),
    testing: Testing | None = None,
    samples: int = SUBSAMPLES,
    sample_trials: int = SUBSAMPLE_TRIALS,
    **reading: Unpack[FileOptions],
) -> Audit:
    """Ask of two systems what Søgaard et al. (2014) ask of published results: how easily would the
    difference have come out otherwise?

    Takes data as `score` does. The first `metric` is the main one, by default that of the first
    layer both systems have; the others that fit the layer are looked at all the same, as are the
    main metric's labels, other tests, growing samples, sentences up to a length, and the groups of
    every key of `by`. `samples` random parts of the data of each of several sizes are tested with
    `sample_trials` trials. Corrections are always Holm's; `alpha` of `testing` is not used: looks
    are counted at .05 and at .0025.

    >>> gold, a, b = [["N", "V"]] * 6, [["N", "N"]] * 6, [["N", "V"]] * 6
    >>> found = audit(gold, a, b)
    >>> found.main.test.delta, found.main.p
    (0.5, 0.03125)
    """
    if more:
        raise UsageError(
            f"an audit is of two systems. Got {2 + len(more)} instead.",
            help="'tertium compare' compares any number of systems",
        )
    testing = testing or Testing()
    check(testing)
    for name, value in (("samples", samples), ("sample_trials", sample_trials)):
        if value < 1:
            raise UsageError(f"{name} must be 1 or more. Got {value} instead.")
    named = _named(metric)
    way, options = walk_options(reading)
    study = Study.of(gold, [a, b], **options)
    if study.runs:
        name = next(iter(study.runs))
        raise UsageError(
            f"'{name}' has several runs, and an audit is of two single outputs",
            help="'tertium compare' tests systems with several runs; choose one of each here",
        )
    keys = _keys(by, study)
    metrics, left_out = chosen_metrics(study, named)
    evidence = gather(study, metrics, way)
    if not evidence.scores.units:
        raise InputError(f"{study.gold} has no sentences")
    if study.lexicon is not None and "lexicon" not in metrics[0].parameters():
        # Seen and unseen words, where the main metric does not tell them apart itself.
        keys = [*dict.fromkeys((*keys, "known"))]
    by_key = {key: gather(study, metrics[:1], {**way, "progress": None}, by=key) for key in keys}
    found = _audit(evidence, by_key, testing, samples, sample_trials)
    return replace(found, left_out=(*left_out, *_not_asked(study, evidence)))


def _audit(
    evidence: Evidence,
    by_key: Mapping[str, Evidence],
    testing: Testing,
    samples: int,
    sample_trials: int,
) -> Audit:
    """All looks at what was read, once as a whole and once in the groups of every key."""
    main = number_look("main", evidence, evidence.main, Number(), testing)
    pair = Contrast(*evidence.main, testing)
    others = [*metric_looks(evidence, testing)]
    heads = [(Contrast(*evidence.results(o.metric), testing), o) for o in others if not o.part]
    tests = [*looks_by_other_tests(evidence, testing)]
    look = entity_look(pair, evidence)
    groups = [] if look is None else [look]
    for key, found in by_key.items():
        groups += group_looks(found, pair.a.metric, key, testing)
    lengths = evidence.lengths
    read = (evidence, *by_key.values())
    notes = [note for each in read for note in each.scores.notes]
    return Audit(
        gold=evidence.scores.gold,
        units=evidence.scores.sizes[evidence.main[0].unit],
        tokens=evidence.scores.tokens,
        testing=testing,
        results=evidence.main,
        main=main,
        interval=interval(unit_counts(evidence.main), testing),
        metrics=tuple(others),
        labels=tuple(label_looks(evidence, testing)),
        tests=tuple(tests),
        size=size_curve(pair, main, lengths),
        length=None if lengths is None else length_curve(pair, main, lengths),
        groups=tuple(groups),
        rates=tuple(rates([(pair, main), *heads], samples=samples, trials=sample_trials)),
        orders=other_orders(pair, main, trials=sample_trials),
        notes=tuple(dict.fromkeys([*notes, *_warnings(main, [*tests, *groups])])),
    )


def _named(metric: str | Metric | Sequence[str | Metric] | None) -> tuple[Metric, ...]:
    metrics, sets = ((), {}) if metric is None else expand(metric)
    if metrics and metrics[0] in sets:
        text = sets[metrics[0]]
        raise UsageError(
            f"{text} is a set of numbers; the main metric must be one of them",
            help=f"such as {[m.id for m in sets if sets[m] == text][-1]}",
        )
    return metrics


def _keys(by: str | Sequence[str], study: Study) -> list[str]:
    """The keys of groups; a misspelt one is refused before data is scored."""
    from tertium.families.keys import key_of

    keys = [by] if isinstance(by, str) else list(dict.fromkeys(by))
    for key in keys:
        if not key:
            raise UsageError("by must be a key such as genre or length. Got '' instead.")
        key_of(key, study.lexicon)
    return keys


def _not_asked(study: Study, evidence: Evidence) -> list[str]:
    found = []
    if study.lexicon is None:
        found.append(
            "seen and unseen words were not looked at: '--lexicon FILE' names training data"
        )
    if evidence.lengths is None:
        unit = evidence.main[0].unit
        found.append(f"{unit} lengths are unknown, since there are no tokens: no cut-offs")
    return found


def _warnings(main: AuditLook, others: Sequence[AuditLook]) -> list[str]:
    """What tests say themselves, and that p-values are too coarse."""
    found = [look.test.warning for look in (main, *others) if look.test.warning]
    trials = main.test.trials
    if trials is not None and not main.test.exact and 1 / (trials + 1) >= USUAL:
        found.append(f"{trials:,} trials are too few: no p can be below {1 / (trials + 1):.2g}")
    return found
