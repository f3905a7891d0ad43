"""`tertium.audit`: how easily would a difference between two systems go away?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.exceptions import InputError, UsageError
from tertium.families.base import Metric
from tertium.families.keys import key_of, named_keys
from tertium.families.sets import expand
from tertium.options import Verb, fill, option, take
from tertium.results.assessment import MOST_TRIALS, Testing
from tertium.results.scores import Result
from tertium.results.texts import counted, listed
from tertium.significance.audit.curves import (
    SUBSAMPLE_TRIALS,
    SUBSAMPLES,
    length_curve,
    rates,
    size_curve,
)
from tertium.significance.audit.evidence import Evidence, chosen_metrics, gather
from tertium.significance.audit.looks import (
    FAMILIES,
    LEVELS,
    USUAL,
    entity_look,
    group_looks,
    label_looks,
    looks_by_other_tests,
    looks_by_other_units,
    metric_looks,
    number_look,
)
from tertium.significance.audit.result import Audit, AuditTables
from tertium.significance.intervals import interval
from tertium.significance.notes import near_text
from tertium.significance.resample import Number, unit_counts
from tertium.significance.score.verb import check_testing
from tertium.significance.tests import Contrast, error_text, few
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way


@dataclass(frozen=True)
class AuditOptions:
    """What is looked at besides the usual, and how many random samples are drawn."""

    by: str | Sequence[str] = option(
        (),
        "Also test within groups: length, document, file, a key of gold's comments, or a property "
        "of words such as upos; repeatable.",
        metavar="[NAME=]KEY",
    )
    samples: int = option(
        SUBSAMPLES, f"Random samples per size. Default: {SUBSAMPLES:,}.",
        metavar="N", least=1, most=1_000_000,
    )  # fmt: skip
    sample_trials: int = option(
        SUBSAMPLE_TRIALS,
        f"Resamples per test of a random sample. Default: {SUBSAMPLE_TRIALS:,}.",
        metavar="N", least=1, most=MOST_TRIALS,
    )  # fmt: skip
    testing: Testing | None = option(None, "Settings of the tests.", flag="")
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")


OPTIONS = (AuditOptions, Study, Testing, Way, DataOptions)


@reads_data()
def audit(gold: Any, a: Any, b: Any, *more: Any, **options: Any) -> Audit:
    """Ask of two systems what Søgaard et al. (2014) ask of published results: how easily would the
    difference have come out otherwise?

    Takes data as `score` does. The first `metric` is the main one, by default that of the first
    layer both systems have; the others that fit the layer are looked at all the same, as are the
    main metric's labels, other tests, growing samples, sentences up to a length, and the groups of
    every key of `by`. `samples` random parts of the data of each of several sizes are tested with
    `sample_trials` trials. Corrections are always Holm's; `alpha` of `testing` is not used: looks
    are counted at .05 and at .0025. All options are those of the command line; those of tests may
    also be given as one `testing`.

    >>> gold, a, b = [["N", "V"]] * 6, [["N", "N"]] * 6, [["N", "V"]] * 6
    >>> found = audit(gold, a, b)
    >>> found.main.test.delta, found.main.p
    (0.5, 0.03125)
    """
    if more:
        raise UsageError(
            f"audit takes two systems. Got {2 + len(more)} instead.",
            help="'tertium compare' compares any number of systems",
        )
    rest = dict(options)
    given, way, reading = take(AuditOptions, rest), take(Way, rest), take(Study, rest)
    tests = take(Testing, rest)
    own = fill(AuditOptions, {**given, **rest}, verb="audit", others=OPTIONS)
    testing = replace(own.testing or Testing(), **tests)
    check_testing(testing)
    named = _named(reading.pop("metric", None))
    study = Study.of(gold, [a, b], names=own.names, **{**reading, "documents": True})
    if study.runs:
        name = next(iter(study.runs))
        raise UsageError(
            f"'{name}' has several runs, but audit takes two single outputs",
            help="'tertium compare' tests systems with several runs; choose one of each here",
        )
    if len(study.systems) != 2:
        raise UsageError(
            f"audit takes two systems. Got {len(study.systems)} instead.",
            help="name the two files; every file of a folder or pattern is one system",
        )
    keys = named_keys(own.by)
    for key in keys.values():
        key_of(key, study.lexicon)  # a misspelt one is refused before data is scored
    metrics, left_out = chosen_metrics(study, named)
    evidence = gather(study, metrics, way)
    if not evidence.scores.units:
        raise InputError(f"{study.gold} has no sentences")
    if study.lexicon is not None and "lexicon" not in metrics[0].parameters():
        # Seen and unseen words, where the main metric does not tell them apart itself.
        keys.setdefault("known", "known")
    quiet = {**way, "progress": None}
    by_key = {name: gather(study, metrics[:1], quiet, by=key) for name, key in keys.items()}
    other = evidence.main
    if testing.unit == "document":
        evidence = evidence.by_documents()
        by_key = {key: found.by_documents() for key, found in by_key.items()}
    found = _audit(evidence, by_key, testing, own, other)
    return replace(
        found,
        notes=(*found.notes, *_warnings(found)),
        left_out=(*left_out, *_not_asked(study, evidence)),
    )


def _audit(
    evidence: Evidence,
    by_key: Mapping[str, Evidence],
    testing: Testing,
    own: AuditOptions,
    sentences: tuple[Result, Result],
) -> Audit:
    """All looks at what was read, once as a whole and once in the groups of every key; `sentences`
    are the main results before they were summed to documents, if they were."""
    main = number_look("main", evidence, evidence.main, Number(), testing)
    pair = Contrast(*evidence.main, testing)
    others = [*metric_looks(evidence, testing)]
    heads = [(Contrast(*evidence.results(o.metric), testing), o) for o in others if not o.part]
    tests = [*looks_by_other_tests(evidence, testing), *looks_by_other_units(sentences, testing)]
    look = entity_look(pair, evidence)
    groups = [] if look is None else [look]
    for key, found in by_key.items():
        groups += group_looks(found, pair.a.metric, key, testing)
    lengths = evidence.lengths
    size, orders = size_curve(pair, main, lengths, trials=own.sample_trials)
    length = None if lengths is None else length_curve(pair, main, lengths)
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
        size=size,
        length=length,
        groups=tuple(groups),
        rates=tuple(rates([(pair, main), *heads], samples=own.samples, trials=own.sample_trials)),
        orders=orders,
        notes=tuple(dict.fromkeys(notes)),
    )


def _named(metric: str | Metric | Sequence[str | Metric] | None) -> tuple[Metric, ...]:
    metrics, sets = ((), {}) if metric is None else expand(metric)
    if metrics and metrics[0] in sets:
        text = sets[metrics[0]]
        raise UsageError(
            f"{text} is a set of metrics; the main metric must be one of them",
            help=f"such as {[m.id for m in sets if sets[m] == text][-1]}",
        )
    return metrics


def _not_asked(study: Study, evidence: Evidence) -> list[str]:
    found = []
    if study.lexicon is None:
        found.append("seen and unseen words were not tested: '--lexicon FILE' names training data")
    if evidence.lengths is None:
        unit = evidence.main[0].unit
        found.append(f"{unit} lengths are unknown, since there are no tokens: no cut-offs")
    return found


def _warnings(found: Audit) -> Iterator[str]:
    """What tests say themselves, that p-values are too coarse, and which trials could decide
    otherwise."""
    main = found.main.test
    warned = {w: None for look in (found.main, *found.tests) if (w := look.test.warning)}
    yield from warned
    if not warned:
        where = []
        for family in ("size", "length", "group"):
            looks = found.family(family)
            small = sum(bool(look.test.warning) for look in looks)
            where += [f"{small:,} of {len(looks):,} {FAMILIES[family]}"] if small else []
        if where:
            yield few(found.unit, f" in {listed(where)}")
    if main.trials is not None and not main.exact and 1 / (main.trials + 1) >= USUAL:
        least = 1 / (main.trials + 1)
        yield f"{main.trials:,} trials are too few: no p can be below {least:.2g}"
    for alpha in LEVELS:
        near = [look for look in found.looks if look.test.is_near(alpha)]
        if near:
            told = [f"{look.name} ({error_text(look.test)})" for look in near]
            yield near_text(told, "look", alpha)


def _check_files(files: Sequence[Any]) -> None:
    if len(files) != 3:
        raise UsageError(
            "give a gold standard and two systems, GOLD A B. "
            f"Got {counted(len(files), 'file')} instead.",
            help="'tertium compare' compares any number of systems and tests every pair",
        )


VERB = Verb(
    "audit",
    audit,
    """Check how robust a difference between two systems is.

    The difference is tested under every metric that fits, for every label, by other tests, as data
    is added, on sentences up to a length and in parts of the data (Søgaard et al. 2014). Systems
    are given as for 'tertium score'.

    \b
    tertium audit gold.conllu a.conllu b.conllu
    tertium audit gold.conllu a.conllu b.conllu --metric {LAS} --by genre
    tertium audit gold.bio a.bio b.bio --lexicon train.bio --output audit.html
    """,
    arguments="GOLD A B",
    options=OPTIONS,
    look=AuditTables,
    without=frozenset({"correction", "alpha"}),
    words={
        "metric": "The main metric, such as {LAS}; further ones are tested as well as those that "
        "fit the layer. Default: the first that fits.",
        "lexicon": "Training data: also test on words, or spans, that occur in it and on those "
        "that do not; repeatable.",
    },
    check=_check_files,
    figures=True,
    cite=("sogaard-etal-2014-whats",),
)
