"""`tertium.compare`: read every file once, judge it, and look at all systems together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from tertium.comparison.compare.files import FileAnswers, SideBySide
from tertium.comparison.compare.result import Comparison, LazyAssessment, condensed
from tertium.comparison.compare.views import View
from tertium.comparison.examples import Material
from tertium.comparison.pairs import MODES
from tertium.exceptions import UsageError
from tertium.families.base import Metric, has_items
from tertium.families.family import compared_metrics, family_of
from tertium.families.keys import group_order
from tertium.families.sets import expand
from tertium.formats.sources import load_json
from tertium.results.answers import Answers
from tertium.results.assessment import Testing
from tertium.significance.assess import check
from tertium.significance.score.counts import scores_of, texts_of
from tertium.significance.score.result import Scores
from tertium.significance.tests import MCNEMAR
from tertium.study.sides import count_of
from tertium.study.study import ReadingOptions, Study, WalkOptions
from tertium.study.walk import walk, walk_options

if TYPE_CHECKING:
    from tertium.comparison.vote.ensembles import Ensemble


def compare(
    gold: Any,
    *systems: Any,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    transitions: str = "auto",
    ensembles: bool = False,
    weights_from: str | Mapping[str, Any] | None = None,
    golds: Sequence[Any] = (),
    examples: bool = False,
    significance: Testing | bool = True,
    names: Sequence[str] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Comparison:
    """Compare systems item by item: what changed between them, and what all could reach together.

    Takes data as `score` does, with two or more systems. Every metric that judges single items has
    a view of its own; by default tags by accuracy, arcs by LAS and spans by fair F1. `transitions`
    says what is told of an answer that changed: `labels`, (error) `types` or `both`; `auto` is what
    suits each metric. `by` compares inside groups besides. With `ensembles` the systems vote, with
    equal weights and with weights from `weights_from`, the JSON of `tertium score` on other data,
    or else cross-fitted by document. `golds` are further gold standards of the same text: `golds`
    of the result then says how far scores depend on the one chosen. With `examples` the sentences
    are kept, so that `comparison.material` can show them. `significance` is how `assessment` of the
    result is made, when somebody looks at it; False for none. Here it may be McNemar's test of
    items. Of several runs of a system each is compared item by item, while tests are of systems.

    >>> gold, a, b = [["N", "V"]], [["N", "N"]], [["V", "V"]]
    >>> pair = compare(gold, a, b).view.pairs[0]
    >>> pair.corrections, pair.new_errors, pair.transitions("corrections")
    (1, 1, [Transition(a='N', b='V', count=1, gold=None)])
    """
    _check(systems, transitions)
    testing = Testing(groups=False) if significance is True else significance or None
    if testing is not None:
        check(testing, further=(MCNEMAR,))
    weights, source = _weights(weights_from)
    wants_votes = ensembles or weights is not None
    way, options = walk_options(reading)
    quiet: WalkOptions = {**way, "progress": None}
    study = Study.of(
        gold,
        systems,
        metric=metric,
        labels=wants_votes and weights_from is None,  # what cross-fitted weights are made of
        names=names,
        defaults=compared_metrics,
        # What is voted on is written with all that the first system's file holds.
        also=None if wants_votes else frozenset({"comments", "misc"} if examples else ()),
        **options,
    )
    if weights is not None:
        _check_other_gold(weights, study.digest())
    found = [*walk(study, SideBySide(places=examples), **way)]
    scores = scores_of(study, [f.scores for f in found])
    views, notes = _views(study, found, scores, transitions)
    votes: list[Ensemble] = []
    if wants_votes:
        from tertium.comparison.vote.ensembles import ensembles as vote

        votes = vote(study, found, views, weights, source=source, way=quiet)
    several = None
    if golds:
        from tertium.comparison.golds import against_golds

        compared = [view.metric for view in views]
        several = against_golds(scores, compared, gold, golds, systems, {**options, **quiet})
    material = None
    if examples:
        material = Material([f.gold for f in found if f.gold is not None], [f.kept for f in found])
    return Comparison(
        scores=scores,
        views=tuple(views),
        ensembles=tuple(votes),
        golds=several,
        notes=(*condensed(scores), *notes, *_of_runs(scores)),
        material=material,
        assessing=None if testing is None else LazyAssessment(scores, tuple(views), testing),
    )


def _of_runs(scores: Scores) -> list[str]:
    """What a comparison of runs is."""
    return [
        f"{system} ran {len(runs)} times: items are compared run by run, as {runs[0]} to "
        f"{runs[-1]}; scores and tests are those of the system"
        for system, runs in scores.runs.items()
    ]


def _check(systems: Sequence[Any], transitions: str) -> None:
    if transitions not in ("auto", *MODES):
        raise UsageError(
            f"transitions must be one of auto, {', '.join(MODES)}. Got '{transitions}' instead."
        )
    if len(systems) < 2 and count_of(systems) < 2:
        raise UsageError(
            "there must be two systems or more to compare",
            help="'tertium score' scores one; 'tertium diff' compares two without a gold standard",
        )


def _weights(given: str | Mapping[str, Any] | None) -> tuple[Mapping[str, Any] | None, str]:
    """Scores to take weights from, and what they are called."""
    if not isinstance(given, str):
        return given, ""
    return load_json(given), Path(given).name


def _check_other_gold(weights: Mapping[str, Any], digest: str | None) -> None:
    """Refuse weights from the gold standard that the vote would be scored with."""
    if digest is not None and isinstance(weights, Mapping) and weights.get("gold_digest") == digest:
        raise UsageError(
            "the weights come from the same gold standard that the vote would be scored with",
            help="score the systems on other data, or leave '--weights-from' out: weights are then "
            "cross-fitted",
        )


def _views(
    study: Study, found: Sequence[FileAnswers], scores: Scores, transitions: str
) -> tuple[list[View], list[str]]:
    views: list[View] = []
    notes: list[str] = []
    first = found[0].scores
    named = study.metrics is not None
    for m, (metric, name) in enumerate(zip(first.metrics, texts_of(first.metrics), strict=True)):
        if not study.compares(metric):
            notes += _scored_only(metric, study)
            continue
        parts = [f.answers[m] for f in found]
        there = [p for p in parts if p is not None]
        if not there or len(there) < len(parts):
            if named:
                notes.append(f"{name}: fewer than two systems have its layer")
            continue
        rows = [r for r in there[0][0] if all(r in p[0] for p in there)]
        if len(rows) < 2:
            notes.append(f"{name}: fewer than two systems have its layer in all files")
            continue
        answers = Answers.in_sequence(
            [
                a if len(rows) == len(r) else a.of_systems([r.index(n) for n in rows])
                for r, a in there
            ]
        )
        systems = tuple(study.systems[r] for r in rows)
        view = View(
            metric=name,
            layer=metric.family,
            systems=systems,
            answers=answers,
            mode=metric.transitions if transitions == "auto" else transitions,
            signature=scores[systems[0], name].signature,
            unit=metric.unit,
            error_types=family_of(metric).types,
        )
        views.append(_grouped(view, found, study))
    if not views and any(map(has_items, first.metrics)):
        why = f" ({'; '.join(notes)})" if notes else ""
        raise UsageError(
            f"there is nothing to compare item by item{why}",
            help="two systems must have the layer of a metric that judges single items",
        )
    return views, notes


def _scored_only(metric: Metric, study: Study) -> list[str]:
    """Why systems are not compared by a metric; a set is mentioned once."""
    text = study.sets.get(metric)
    if text is not None:
        if metric != next(m for m, of in study.sets.items() if of == text):
            return []
        members = ", ".join(m.id for m in expand(text)[0] if has_items(m))
        return [f"{text} is scored, not compared: take one of its numbers: {members}"]
    if has_items(metric):
        return []
    return [f"{metric!r} is scored, not compared: it judges no single items"]


def _grouped(view: View, found: Sequence[FileAnswers], study: Study) -> View:
    if study.by is None:
        return view
    key = study.key
    if key is None:
        units = [group for f in found for group in f.scores.groups[view.unit]]
        return view.grouped(group_order(study.by, units), units)
    of = view.answers
    assert of.group is not None
    sizes = {
        name: int((of.group[: of.gold_items] == code).sum())
        for code, name in enumerate(of.group_names)
        if (of.group == code).any()  # a vocabulary may have names that nothing here bears
    }
    return view.grouped(key.in_order(sizes), None)
