"""`tertium.cross`: systems of different theories on one scale (Tsarfaty, Nivre and Andersson
2012)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
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
from tertium.study.common_text import SideReader
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import read_gold
from tertium.study.study import Study, Way
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
        None, "Show confidence intervals and test all differences between systems. Default: yes.",
        flag="--significance/--no-significance", kind=bool, group=SIGNIFICANCE
    )  # fmt: skip
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")


OPTIONS = (Study, CrossOptions, Testing, Waiting, Way, DataOptions)


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
    way, reading, tests = take(Way, rest), take(Study, rest), take(Testing, rest)
    waiting = take(Waiting, rest)
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
        raise UsageError("cross compares systems by one metric", help="leave out all but one")
    kinds, study = variants(*(study.metrics or ())), _called(study)
    golds = read_gold(study.shards[0], study, None)[0]
    every = [cast(Corpus, system) for system in study.shards[0].systems]
    # Without labels in gold, or in any system, there is nothing that could be scored with labels.
    fit = [m for m in kinds.values() if lacks(m, golds) is None]
    fit = [m for m in fit if any(lacks(m, system) is None for system in every)]
    study = replace(study, metrics=tuple(fit))
    scores = replace(scores_of(study, [*walk(study, count, **way)]), runs={})
    remarks = {m: {n for system in every for n in m.remarks(golds, system)} for m in fit}
    # The tables have the overlap, and reasons of what is undefined; that labels differ is kept.
    kept = {note for note in remarks.get(kinds["all", "L"], ()) if not note[-1].isdigit()}
    said = set().union(*remarks.values()) - kept
    scores = replace(scores, notes=tuple(note for note in scores.notes if note not in said))
    sides = Sides.of(study)
    native = sides.scored(study, rules)
    found = CrossComparison(
        scores=_tested(scores, testing, waiting),
        native={name: _tested(each, testing, waiting) for name, each in native.scores.items()},
        theories=sides.theories,
        variants={repr(metric): names for names, metric in kinds.items()},
        overlap=_overlap(golds, study.theory_names, kinds),
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
    results = [r for r in found.scores if r.metric == found.main and r.stats and r.formula]
    values = []
    for each in results:
        assert each.stats is not None
        assert each.formula is not None
        totals = Totals(each.stats.columns, each.stats.dense)
        values.append(np.nan_to_num(each.formula.score(totals)[each.headline], nan=1.0))
    if not values or not most:
        return []
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
        layers = {name: shard.gold.layers[name]}
        gold = replace(shard.gold, layers=layers, extras={}, origin=name)
        by = (against(judge, first),)
        alone = replace(study, metrics=by, systems=(name,), runs={})
        yield drawn(
            replace(alone, shards=(replace(shard, systems=(gold,)),)), sentences, (first, name)
        )
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


def _overlap(
    gold: Corpus, theories: Sequence[str], kinds: Mapping[tuple[str, str], Metric]
) -> Rows:
    """How much every two gold standards have in common, with labels and without."""
    labeled, plain = (overlaps(kinds["all", kind], gold) for kind in "LU")
    pairs = combinations(theories, 2)
    return [
        {"golds": [*pair], "labeled": labeled[pair], "unlabeled": plain[pair]} for pair in pairs
    ]


@dataclass(frozen=True, eq=False)
class Sides:
    """Gold standards by theory and systems by name as they were read, over the same sentences, and
    the theory of every system. `lacking` counts sentences that a system lacks."""

    golds: Mapping[str, Corpus]
    systems: Mapping[str, Corpus]
    theories: Mapping[str, str]
    lacking: Mapping[str, int]

    @classmethod
    def of(cls, study: Study) -> Sides:
        """Read all sides once more, since a study across theories keeps their function trees."""
        whole = study.gold_input
        assert isinstance(whole, Corpus)
        reader = SideReader(study.formats_by_theory, study.on_error, {})
        size = len(study.theory_names)
        marks = ("documents", "document_names", "document_marks")
        documents: Any = {name: getattr(whole, name) for name in marks}
        golds = {
            name: replace(reader.native(whole, name, source, of_gold=True)[0], **documents)
            for name, source in study.origins[:size]
        }
        each = dict(zip(study.systems, study.origins[size:], strict=True))
        found = {name: reader.native(whole, *side) for name, side in each.items()}
        return cls(
            golds,
            {name: corpus for name, (corpus, _) in found.items()},
            {name: theory for name, (theory, _) in each.items()},
            {name: int((~same).sum()) for name, (_, same) in found.items()},
        )

    def scored(self, study: Study, rules: HeadRules | None) -> Native:
        """All systems against the gold standards that they can be compared with."""
        found = Native()
        for theory, gold in self.golds.items():
            metrics = native_metrics(gold)
            for name in (name for name in self.systems if self.theories[name] == theory):
                self._score(found, study, name, theory, metrics)
        target = next((name for name, gold in self.golds.items() if has_dependencies(gold)), "")
        others = [t for t, gold in self.golds.items() if target and not has_dependencies(gold)]
        for theory in others:
            self._convert(found, study, theory, target, rules)
        return found

    def _score(
        self, found: Native, study: Study, name: str, theory: str, metrics: tuple[Metric, ...],
        corpus: Corpus | None = None,
    ) -> None:  # fmt: skip
        """Score a system, or what it was converted to, against a gold standard."""
        lacking = self.lacking[name]
        if lacking and any(family_of(metric).pairs == "text" for metric in metrics):
            reason = f"lacks {counted(lacking, 'sentence')}, or has different words there"
            found.reasons[name, theory] = reason
            return
        gold, system = self.golds[theory], self.systems[name] if corpus is None else corpus
        try:
            scores = _scored(study, gold, name, system, metrics)
        except InputError as error:
            found.reasons[name, theory] = str(error)
            return
        before = found.scores.get(theory)
        results = (*before.results, *scores.results) if before else scores.results
        found.scores[theory] = replace(before or scores, results=results)

    def _convert(
        self, found: Native, study: Study, theory: str, target: str, rules: HeadRules | None
    ) -> None:
        """Systems of a theory as dependencies, and how its gold trees fare."""
        gold = self.golds[theory]
        rules = rules or head_rules(gold, self.golds[target])
        names = [name for name in self.systems if self.theories[name] == theory]
        if rules is None:
            reason = "no built-in head rules fit the labels; name a file with '--head-rules'"
            found.reasons.update({(name, target): reason for name in names})
            return
        made = as_dependencies(gold, rules)
        (ceiling,) = _scored(study, self.golds[target], theory, made, (ATTACHMENT,))
        found.conversions.append(
            {
                "from": theory,
                "to": target,
                "rules": rules.name,
                "metric": ceiling.metric,
                "value": ceiling.value,
            }
        )
        for name in names:
            corpus = as_dependencies(self.systems[name], rules)
            self._score(found, study, name, target, (ATTACHMENT,), corpus)


@dataclass(frozen=True, eq=False)
class Native:
    """Scores by the theory of the gold standard, conversions as JSON has them, and why a system has
    no scores against a gold standard."""

    scores: dict[str, Scores] = field(default_factory=dict)
    conversions: Rows = field(default_factory=list)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)


def _scored(
    study: Study, gold: Corpus, name: str, system: Corpus, metrics: tuple[Metric, ...]
) -> Scores:
    alone = Study.of(
        gold,
        [system],
        names=[name],
        metric=metrics,
        labels=False,
        documents=study.documents,
        align=study.align,
    )
    return scores_of(alone, [*walk(alone, count)])


def _prepare(given: dict[str, Any], look: LongLook) -> dict[str, Any]:
    if look.format == "html" and not {"sentence", "draw"} & {*given}:
        return {**given, "draw": 10}
    return given


VERB = Verb(
    "cross",
    cross,
    """Compare systems of different theories, such as dependency and constituency parsers.

    Each '--gold' is the gold standard of a theory, over the same sentences; each SYSTEM says which
    theory it has. The table has the usual metrics of each theory, unlabelled attachment scores of
    constituents after conversion to dependencies, and TedEval (Tsarfaty, Nivre and Andersson 2012),
    which puts all systems on one scale.

    \b
    tertium cross --gold dep=gold.conllu --gold ps=gold.mrg malt=dep:malt.conllu pcfg=ps:pcfg.mrg
    tertium cross --gold dep=gold.conllu --gold ps=gold.mrg --enrich ps=dep \\
        malt=dep:malt.conllu pcfg=ps:pcfg.mrg+dep:pcfg.conllu
    """,
    arguments="SYSTEM...",
    options=OPTIONS,
    look=LongLook,
    prepare=_prepare,
    without=frozenset({"by", "lexicon", "with_files"}),
    words={
        "metric": "The measure across theories with other parameters, which hold for all of its "
        "columns. Default: TedEval with its usual ones.",
        "significance": "Test all differences between systems. Default: yes.",
    },
    cite=("tsarfaty-etal-2012-cross",),
)
