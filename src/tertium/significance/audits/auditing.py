"""`tertium.audit`: would the difference between two systems have gone away?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from tertium.exceptions import InputError, UsageError
from tertium.families.base import Metric
from tertium.families.sets import expand
from tertium.results.assessment import Testing
from tertium.significance.assessing import check, interval_options
from tertium.significance.audits.audit import Audit
from tertium.significance.audits.gathering import Material, chosen_metrics, gather
from tertium.significance.audits.looks import USUAL, Look
from tertium.significance.audits.numbers import (
    entity_look,
    group_looks,
    has_entities,
    label_looks,
    main_look,
    metric_looks,
    test_looks,
)
from tertium.significance.audits.sampling import (
    SUBSAMPLE_TRIALS,
    SUBSAMPLES,
    length_curve,
    other_orders,
    rates,
    size_curve,
)
from tertium.significance.intervals import interval
from tertium.significance.paired import Pair
from tertium.significance.samples import sample
from tertium.study.study import FileOptions, Study, WalkOptions
from tertium.study.walk import walk_options


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
    keys = [by] if isinstance(by, str) else list(dict.fromkeys(by))
    named = _named(metric)
    way, options = walk_options(reading)
    asked = Study.of(gold, [a, b], **options)
    if asked.runs:
        name = next(iter(asked.runs))
        raise UsageError(
            f"'{name}' has several runs, and an audit is of two single outputs",
            help="'tertium compare' tests systems with several runs; choose one of each here",
        )
    for key in keys:
        _check_key(key, asked)
    metrics, left_out = chosen_metrics(asked, named)
    material = gather(asked, metrics, way)
    if not material.scores.units:
        raise InputError(f"{asked.gold} has no sentences")
    quiet: WalkOptions = {**way, "progress": None}
    return _audit(
        asked, metrics[0], material, keys, testing, samples, sample_trials, left_out, quiet
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


def _check_key(key: str, asked: Study) -> None:
    """Refuse a misspelt key before data is scored."""
    from tertium.families.keys import key_of

    if not key:
        raise UsageError("by must be a key such as genre or length. Got '' instead.")
    key_of(key, asked.lexicon)


def _audit(
    asked: Study,
    metric: Metric,
    material: Material,
    keys: Sequence[str],
    testing: Testing,
    samples: int,
    sample_trials: int,
    left_out: Sequence[str],
    way: WalkOptions,
) -> Audit:
    main = main_look(material, testing)
    pair = Pair(*material.main, testing)
    metrics = metric_looks(material, testing)
    tests = test_looks(material, testing)
    further, notes = _groups(asked, metric, material, pair, keys, way)
    heads = [(pair, main), *_headlines(material, metrics, testing)]
    return Audit(
        gold=asked.gold,
        units=material.scores.sizes[material.main[0].unit],
        tokens=material.scores.tokens,
        testing=testing,
        results=material.main,
        main=main,
        interval=interval(sample(material.main), **interval_options(testing)),
        metrics=tuple(metrics),
        labels=tuple(label_looks(material, testing)),
        tests=tuple(tests),
        size=size_curve(pair, main, material.lengths),
        length=None if material.lengths is None else length_curve(pair, main, material.lengths),
        groups=tuple(further),
        rates=tuple(rates(heads, samples=samples, trials=sample_trials)),
        orders=other_orders(pair, main, trials=sample_trials),
        left_out=(*left_out, *_not_asked(asked, material)),
        notes=tuple(
            dict.fromkeys([*material.scores.notes, *notes, *_warnings(main, tests, further)])
        ),
    )


def _headlines(
    material: Material, looks: Sequence[Look], testing: Testing
) -> list[tuple[Pair, Look]]:
    """The other metrics' headline values, with their looks."""
    return [
        (Pair(*material.results(look.metric), testing), look) for look in looks if not look.part
    ]


def _groups(
    asked: Study,
    metric: Metric,
    material: Material,
    pair: Pair,
    keys: Sequence[str],
    way: WalkOptions,
) -> tuple[list[Look], list[str]]:
    """Looks at parts of the data: sentences with entities, groups of keys, seen and unseen words
    where the main metric does not tell them apart itself."""
    found: list[Look] = []
    has_any = has_entities(material)
    if has_any is not None and (look := entity_look(pair, has_any, material.lengths)):
        found.append(look)
    wanted = list(keys)
    if asked.lexicon is not None and "lexicon" not in metric.parameters():
        wanted += [] if "known" in keys else ["known"]
    more, notes = group_looks(asked, metric, pair.a.metric, wanted, pair.testing, way)
    return found + more, notes


def _not_asked(asked: Study, material: Material) -> list[str]:
    found = []
    if asked.lexicon is None:
        found.append(
            "seen and unseen words were not looked at: '--lexicon FILE' names training data"
        )
    if material.lengths is None:
        unit = material.main[0].unit
        found.append(f"{unit} lengths are unknown, since there are no tokens: no cut-offs")
    return found


def _warnings(main: Look, tests: Sequence[Look], groups: Sequence[Look]) -> list[str]:
    """What tests say themselves, and that p-values are too coarse."""
    found = [look.test.warning for look in (main, *tests, *groups) if look.test.warning]
    trials = main.test.trials
    if trials is not None and not main.test.exact and 1 / (trials + 1) >= USUAL:
        found.append(f"{trials:,} trials are too few: no p can be below {1 / (trials + 1):.2g}")
    return found
