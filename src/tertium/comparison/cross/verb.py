"""`tertium.cross`: systems of different theories on one scale (Tsarfaty, Nivre and Andersson
2012)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from tertium.comparison.cross.result import GENERAL, CrossComparison
from tertium.comparison.draw import drawn
from tertium.comparison.pictures import Drawing
from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError, UsageError
from tertium.families.base import Metric, lacks
from tertium.families.family import family_of
from tertium.families.theories.native import (
    ATTACHMENT,
    against,
    as_dependencies,
    has_dependencies,
    head_rules,
    native_metrics,
    overlaps,
    variants,
    warnings,
)
from tertium.formats.heads import HeadRules, load_heads
from tertium.options import SIGNIFICANCE, Verb, fill, option, take
from tertium.results.assessment import Testing, Waiting
from tertium.results.output import LongLook, Rows
from tertium.results.stats import Totals
from tertium.results.texts import counted
from tertium.significance.score.counts import count, scores_of
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import wanted_tests
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import read_gold
from tertium.study.native import NativeSides
from tertium.study.study import Study
from tertium.study.theories import is_across
from tertium.study.walk import walk


@dataclass(frozen=True)
class CrossOptions:
    """What `cross` takes besides what a study and tests take."""

    head_rules: str | None = option(
        None, "Head rules for converting constituents to dependencies: penn, penn-content, tiger, "
        "tueba or a file. Default: the built-in rules that agree best with the gold dependencies.",
        metavar="NAME|FILE",
    )  # fmt: skip
    sentence: str | int | Sequence[str | int] | None = option(
        None, "Also draw the trees of the sentence with this id, or with this number (from 1); "
        "repeatable.",
        many=True, metavar="ID|NUMBER", objects=True
    )  # fmt: skip
    draw: int = option(
        0, "Also draw the trees of the N sentences with the lowest scores. Default: 10 in HTML, "
        "otherwise none.",
        metavar="N", least=0,
    )  # fmt: skip
    significance: bool | Testing | None = option(
        None, "Test all differences between systems. Default: yes.",
        flag="--significance/--no-significance", kind=bool, group=SIGNIFICANCE
    )  # fmt: skip
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")


OPTIONS = (Study, CrossOptions, Testing, Waiting, DataOptions)


@reads_data()
def cross(gold: Any, *systems: Any, **options: Any) -> CrossComparison:
    """Compare systems of different theories, such as dependency and constituency parsers.

    `gold` is a dictionary with the gold standard of each theory; a system is `"THEORY:path"`,
    `"NAME=THEORY:path"` or `tertium.theory("THEORY", data)`. Each system is scored by the usual
    metrics of its theory, constituents also by unlabelled attachment scores after conversion to
    dependencies, and all systems by TedEval: against the gold standard of their own theory, and
    against what all gold standards have in common, with labels and without. All differences are
    tested unless `significance=False`.

    >>> from tertium.samples import path
    >>> golds = {"dep": path("theories-dep.conllu"), "ps": path("trees-gold.mrg")}
    >>> elm, hazel = f"dep:{path('theories-elm.conllu')}", f"ps:{path('theories-hazel.mrg')}"
    >>> found = cross(golds, elm, hazel, significance=False)
    >>> [each["golds"] for each in found.overlap]
    [['dep', 'ps']]
    """
    rest = dict(options)
    reading, tests, waiting = take(Study, rest), take(Testing, rest), take(Waiting, rest)
    own = fill(CrossOptions, rest, verb="cross", others=OPTIONS)
    testing = wanted_tests(own.significance, tests)
    rules = None if own.head_rules is None else load_heads(own.head_rules)
    if not is_across(gold):
        raise UsageError(
            "every gold standard needs the name of its theory",
            help="such as '--gold dep=gold.conllu --gold ps=gold.mrg pcfg=ps:pcfg.mrg'",
        )
    reading = {"labels": False, "documents": testing is not None, **reading}
    study = Study.of(gold, systems, names=own.names, **reading)
    if study.metrics is not None and len(study.metrics) > 1:
        raise UsageError("cross compares systems by one metric", help="give '--metric' once")
    kinds, study = variants(*(study.metrics or ())), _called(study)
    golds = read_gold(study.shards[0], study, None)[0]
    every = [cast(Corpus, system) for system in study.shards[0].systems]
    # Without labels in gold, or in any system, there is nothing that could be scored with labels.
    fit = [m for m in kinds.values() if lacks(m, golds) is None]
    fit = [m for m in fit if any(lacks(m, system) is None for system in every)]
    study = replace(study, metrics=tuple(fit))
    scores = replace(scores_of(study, [*walk(study, count)]), runs={})
    # The tables have the overlap, and reasons for what is undefined.
    said = {note for m in fit for system in every for note in m.remarks(golds, system)}
    said -= {*warnings(kinds["all", "L"], golds)}
    scores = replace(scores, notes=tuple(note for note in scores.notes if note not in said))
    shared = overlaps(kinds["all", "L"], kinds["all", "U"], golds)
    for each in (golds, *every):
        each.derived.clear()  # large, and only drawings need it again
    with ThreadPoolExecutor(1) as beside:  # resampling does not stop other threads
        tested = beside.submit(_tested, scores, testing, waiting)
        native = Native.of(study, rules)
        judged = [name for name in study.theory_names if name in native.scores]
        natives = {name: _tested(native.scores[name], testing, waiting) for name in judged}
    found = CrossComparison(
        scores=tested.result(),
        native=natives,
        theories=native.sides.theories,
        variants={repr(metric): names for names, metric in kinds.items()},
        overlap=shared,
        conversions=native.conversions,
        reasons=native.reasons,
    )
    wanted = [own.sentence] if isinstance(own.sentence, str | int) else [*(own.sentence or ())]
    wanted += _lowest(found, golds, own.draw)
    drawings = _drawings(study, found.main, wanted) if wanted else ()
    return replace(found, drawings=tuple(drawings))


def _lowest(found: CrossComparison, gold: Corpus, most: int) -> list[str]:
    """The sentences with the lowest mean score over systems; those without any error are left
    out."""
    values = []
    for each in found.scores:
        if each.metric == found.main and each.stats is not None and each.formula is not None:
            totals = Totals(each.stats.columns, each.stats.dense)
            values.append(np.nan_to_num(each.formula.score(totals)[each.headline], nan=1.0))
    mean = np.mean(values, axis=0)
    order = np.argsort(mean, kind="stable")[:most]
    return [gold.sentence_id(int(n)) for n in order if mean[n] < 1]


def _drawings(study: Study, metric: str, sentences: Sequence[str | int]) -> Iterator[Drawing]:
    """The gold standards beside the first of them, then each system beside what all gold standards
    have in common."""
    (shard,), (first, *others) = study.shards, study.theory_names
    judge = next(each for each in study.metrics or () if repr(each) == metric)
    assert isinstance(shard.gold, Corpus)
    for name in others:
        gold = replace(shard.gold, layers={name: shard.gold.layers[name]}, extras={}, origin=name)
        shards = (replace(shard, systems=(gold,)),)
        alone = replace(study, systems=(name,), runs={}, shards=shards)
        yield drawn(replace(alone, metrics=(against(judge, first),)), sentences, (first, name))
    for number, name in enumerate(study.systems):
        alone = replace(study.alone(number), metrics=(judge,))
        yield drawn(alone, sentences, (GENERAL, name))


def _called(study: Study) -> Study:
    """With systems that go by their names, also in reasons."""
    (shard,) = study.shards
    pairs = zip(study.systems, shard.systems, strict=True)
    named = (replace(each, origin=name) for name, each in pairs if isinstance(each, Corpus))
    return replace(study, shards=(replace(shard, systems=tuple(named)),))


def _tested(scores: Scores, testing: Testing | None, waiting: Mapping[str, Any]) -> Scores:
    if testing is None:
        return scores
    from tertium.significance.assess import assess

    return replace(scores, assessment=assess(scores, testing, **waiting))


@dataclass(frozen=True, eq=False)
class Native:
    """Systems against the gold standards that they can be compared with by the usual metrics.

    - `scores`: by the theory of the gold standard; `conversions`: as JSON has them
    - `reasons`: why a system has no scores against a gold standard
    """

    study: Study
    sides: NativeSides
    scores: dict[str, Scores] = field(default_factory=dict)
    conversions: Rows = field(default_factory=list)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study, rules: HeadRules | None) -> Native:
        """Score all systems, and those of other theories than dependencies once more, converted by
        head rules."""
        found = cls(study, NativeSides.of(study))
        golds = found.sides.golds
        for theory, gold in golds.items():
            for name in found._names(theory):
                found._score(name, theory, native_metrics(gold), found.sides.systems[name])
        targets = [theory for theory, gold in golds.items() if has_dependencies(gold)]
        for theory in (name for name in golds if targets and name not in targets):
            found._convert(theory, targets[0], rules)
        return found

    def _names(self, theory: str) -> list[str]:
        return [name for name, own in self.sides.theories.items() if own == theory]

    def _score(self, name: str, theory: str, metrics: tuple[Metric, ...], system: Corpus) -> None:
        """Score a system, or what it was converted to, against a gold standard."""
        lacking = self.sides.lacking[name]
        if lacking and any(family_of(metric).pairs == "text" for metric in metrics):
            reason = f"lacks {counted(lacking, 'sentence')}, or has different words there"
            self.reasons[name, theory] = reason
            return
        try:
            found = self._scored(name, theory, metrics, system)
        except InputError as error:
            self.reasons[name, theory] = str(error)
            return
        before = self.scores.setdefault(theory, replace(found, results=()))
        self.scores[theory] = replace(before, results=(*before.results, *found.results))

    def _scored(
        self, name: str, theory: str, metrics: tuple[Metric, ...], system: Corpus
    ) -> Scores:
        gold, whole = self.sides.golds[theory], self.study
        given: Any = {n: getattr(whole, n) for n in ("labels", "documents", "align", "on_error")}
        study = Study.of(gold, [system], names=[name], metric=metrics, **given)
        return scores_of(study, [*walk(study, count)])

    def _convert(self, theory: str, target: str, rules: HeadRules | None) -> None:
        """Systems of a theory as dependencies, and how its gold trees fare."""
        gold, metrics = self.sides.golds[theory], (ATTACHMENT,)
        rules = rules or head_rules(gold, self.sides.golds[target])
        if rules is None:
            reason = "no built-in head rules fit the labels; name a file with '--head-rules'"
            self.reasons.update({(name, target): reason for name in self._names(theory)})
            return
        (top,) = self._scored(theory, target, metrics, as_dependencies(gold, rules))
        about = {"from": theory, "to": target, "rules": rules.name}
        self.conversions.append({**about, "metric": top.metric, "value": top.value})
        for name in self._names(theory):
            made = as_dependencies(self.sides.systems[name], rules)
            self._score(name, target, metrics, made)


def _prepare(given: dict[str, Any], look: LongLook) -> dict[str, Any]:
    if look.format == "html" and not {"sentence", "draw"} & {*given}:
        return {**given, "draw": 10}
    return given


VERB = Verb(
    "cross",
    cross,
    """Compare systems of different theories on one scale.

    Systems may be dependency parsers and constituency parsers. Each '--gold' is the gold standard
    of a theory, over the same sentences, and each SYSTEM says which theory it has. The table has
    the usual metrics of each theory, unlabelled attachment scores of constituents after conversion
    to dependencies, and TedEval (Tsarfaty, Nivre and Andersson 2012), which puts all systems on one
    scale.

    \b
    tertium cross --gold dep=g.conllu --gold ps=g.mrg A=dep:a.conllu B=ps:b.mrg
    tertium cross --gold dep=g.conllu --gold ps=g.mrg --enrich ps=dep \\
        A=dep:a.conllu B=ps:b.mrg+dep:b.conllu
    """,
    arguments="SYSTEM...",
    options=OPTIONS,
    look=LongLook,
    prepare=_prepare,
    without=frozenset({"by", "lexicon", "with_files"}),
    words={"metric": "TedEval with different parameters, which apply to all of its columns."},
    cite=("tsarfaty-etal-2012-cross",),
)
