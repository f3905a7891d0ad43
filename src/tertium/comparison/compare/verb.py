"""`tertium.compare`: read every file once, judge it, and look at all systems together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tertium.comparison.compare.files import FileAnswers, SideBySide
from tertium.comparison.compare.gates import Gates
from tertium.comparison.compare.lineup import views_of
from tertium.comparison.compare.look import CompareLook
from tertium.comparison.compare.result import Comparison, LazyAssessment, condensed
from tertium.comparison.examples import Material
from tertium.comparison.pairs import MODES, SHARED
from tertium.exceptions import UsageError
from tertium.families.family import compared_metrics, is_scored
from tertium.formats.sources import load_json
from tertium.options import GATES, SIGNIFICANCE, Verb, fill, option, take
from tertium.results.assessment import Testing, Waiting
from tertium.significance.documents import by_documents
from tertium.significance.score.counts import scores_of, texts_of
from tertium.significance.score.gates import WorseOptions
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import wanted_tests
from tertium.significance.tests import MCNEMAR
from tertium.study.data import DataOptions, reads_data
from tertium.study.sides import count_of
from tertium.study.study import Study, Way
from tertium.study.walk import walk

# Tests inside groups take long where there are many: they are made if somebody asks.
USUAL = Testing(groups=False)


@dataclass(frozen=True)
class CompareOptions(WorseOptions):
    """What `compare` takes besides what a study and tests take."""

    other_golds: tuple[Any, ...] = option(
        (), "A further gold standard for the same text, such as one by a second annotator; "
        "repeatable. Shows scores against each, with minimum, mean and maximum.",
        flag="--other-gold", metavar="FILE", path=True, objects=True, once="--gold"
    )  # fmt: skip
    transitions: str = option(
        "auto", "What to show of a changed answer: its label, its error type, or both. Default: "
        "types for spans and unlabelled heads, labels otherwise.",
        choices=("auto", *MODES),
    )  # fmt: skip
    items: str = option(
        SHARED[0], "Compare two systems on gold items and what either adds (union), or on those "
        "gold items that both annotate (common).",
        choices=SHARED,
    )  # fmt: skip
    ensembles: bool = option(False, "Let the systems vote, and compare the vote with the oracle.")
    weights_from: str | Mapping[str, Any] | None = option(
        None, "Weigh votes by the scores of the systems on other data, from the JSON output of "
        "'tertium score' there. Default: weights cross-fitted by document.",
        metavar="JSON", path=True, objects=True
    )  # fmt: skip
    write_ensembles: str | None = option(
        None,
        "Write the annotation that the systems voted for to this folder.",
        metavar="FOLDER",
        path="written",
    )
    significant: bool = option(
        False, "With --fail-if-worse: only if the difference is significant, uncorrected.",
        group=GATES,
    )  # fmt: skip
    max_new_errors: int | None = option(
        None, "Exit with 1 and list them if the last system makes more than N errors that the "
        "first does not make.",
        kind=int, metavar="N", least=0, group=GATES
    )  # fmt: skip
    significance: bool | Testing | None = option(
        None, "Show confidence intervals and test all differences; on by default.",
        flag="--significance/--no-significance", kind=bool, group=SIGNIFICANCE
    )  # fmt: skip
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")
    examples: bool = option(False, "Keep the sentences.", flag="")


OPTIONS = (Study, CompareOptions, Testing, Waiting, Way, DataOptions)


@reads_data()
def compare(gold: Any, *systems: Any, **options: Any) -> Comparison:
    """Compare systems item by item: what changed between them, and what all could reach together.

    Takes data as `score` does, with two or more systems. Every metric that judges single items has
    a view of its own; by default tags by accuracy, arcs by LAS, spans by fair F1 and trees by
    PARSEVAL. `transitions` says what is shown of a changed answer: `labels`, (error) `types` or
    `both`; `auto` is what suits each metric. With `items="common"` two systems are compared only on
    gold items that both annotate. `by` also compares inside groups. With `ensembles` the
    systems vote, with equal weights and with weights from `weights_from`, the JSON of `tertium
    score` on other data, or else cross-fitted by document. `other_golds` are further gold standards
    of the same text: `golds` of the result then says how far scores depend on the one chosen. With
    `examples` the sentences are kept for `comparison.material`. `significance` is how `assessment`
    of the result is made when it is first used; False for none. Here it may be McNemar's test of
    items. Of several runs of a system each is compared item by item, while tests are of systems.

    >>> gold, a, b = [["N", "V"]], [["N", "N"]], [["V", "V"]]
    >>> pair = compare(gold, a, b).view.pairs[0]
    >>> pair.corrections, pair.new_errors, pair.transitions("corrections")
    (1, 1, [Transition(a='N', b='V', count=1, gold=None)])
    """
    rest = dict(options)
    way, reading, tests = take(Way, rest), take(Study, rest), take(Testing, rest)
    waiting = Waiting(**take(Waiting, rest))
    own = fill(CompareOptions, rest, verb="compare", others=OPTIONS)
    _check_files((gold, *systems))
    testing = wanted_tests(own.significance, tests, usual=USUAL, further=(MCNEMAR,))
    gates = Gates(
        WorseOptions(tuple(own.fail_if_worse), own.max_drop), own.significant, own.max_new_errors
    )
    gates.check_use(testing)
    if testing is not None:
        reading.setdefault("documents", True)
    study, weights = _study(gold, systems, own, reading)
    with_places = own.examples or gates.most_new is not None
    found = [*walk(study, SideBySide(places=with_places), **way)]
    comparison = _compared(study, found, own, testing, waiting.notice)
    scores = comparison.scores
    if testing is not None and testing.unit == "document":
        by_documents(scores)  # refused before anything is written
    if weights is not None:
        _check_other_gold(weights, scores.gold_digest)
    quiet = {**way, "progress": None}
    visit = SideBySide(places=False)
    others = [
        _compared(each, [*walk(each, visit, **quiet)], own, testing, waiting.notice)
        for each in study.regrouped
    ]
    notes = dict.fromkeys(note for each in (comparison, *others) for note in each.notes)
    comparison = replace(
        comparison,
        notes=tuple(notes),
        regrouped=tuple(others),
        gates=gates,
        seed=tests.get("seed", 0) if testing is None else testing.seed,
    )
    if with_places:
        golds = [f.gold for f in found if f.gold is not None]
        comparison = replace(comparison, material=Material(golds, [f.kept for f in found]))
    if _wants_votes(own):
        comparison = _with_votes(comparison, study, found, weights, own, testing, quiet)
    if own.other_golds:
        from tertium.comparison.golds import against_golds

        compared = comparison.metrics
        # What was read is not read again: a pipe has nothing left.
        once = ("lexicon", "map_labels", "with_files")
        reading |= {name: getattr(study, name) for name in once if name in reading}
        several = against_golds(
            scores, compared, gold, own.other_golds, systems, {**reading, **quiet}
        )
        comparison = replace(comparison, golds=several)
    if own.write_ensembles is not None:
        folder = own.write_ensembles
        files = [f"{v.name} vote: {', '.join(v.write(folder))}" for v in comparison.ensembles]
        comparison = replace(comparison, written=tuple(files))
    return comparison


def _with_votes(
    comparison: Comparison,
    study: Study,
    found: Sequence[FileAnswers],
    weights: Mapping[str, Any] | None,
    own: CompareOptions,
    testing: Testing | None,
    way: Mapping[str, Any],
) -> Comparison:
    """The comparison with votes of its systems, tested against the best of them."""
    from tertium.comparison.vote.ensembles import beside_the_best, ensembles

    source = Path(own.weights_from).name if isinstance(own.weights_from, str) else ""
    scores, views = comparison.scores, comparison.views
    votes = ensembles(study, found, views, weights, source=source, way=way)
    if testing is None:
        return replace(comparison, ensembles=tuple(votes))
    voted = beside_the_best(votes, scores, views)
    lazy = LazyAssessment(voted, (), replace(testing, groups=False), first_only=True)
    return replace(comparison, ensembles=tuple(votes), vote_assessing=lazy)


def _added(study: Study, found: Sequence[FileAnswers]) -> tuple[str, ...]:
    """The metrics that a comparison adds to those that `score` shows of the same files."""
    metrics = found[0].scores.metrics
    every = zip(metrics, texts_of(metrics), strict=True)
    return tuple(text for m, text in every if study.metrics is None and not is_scored(m))


def _compared(
    study: Study,
    found: Sequence[FileAnswers],
    own: CompareOptions,
    testing: Testing | None,
    notice: Callable[[str], None] | None,
) -> Comparison:
    """Systems compared in groups by one key at most."""
    scores = scores_of(study, [f.scores for f in found])
    views, notes = views_of(study, found, scores, mode=own.transitions, shared=own.items)
    return Comparison(
        scores=scores,
        views=tuple(views),
        notes=(*condensed(scores), *notes, *_of_runs(scores)),
        assessing=None
        if testing is None
        else LazyAssessment(scores, tuple(views), testing, _added(study, found), notice),
    )


def _wants_votes(own: CompareOptions) -> bool:
    return own.ensembles or own.weights_from is not None or own.write_ensembles is not None


def _study(
    gold: Any, systems: Sequence[Any], own: CompareOptions, reading: dict[str, Any]
) -> tuple[Study, Mapping[str, Any] | None]:
    """What to read, and the scores that weights of votes come from, if they were named."""
    given, votes = own.weights_from, _wants_votes(own)
    weights = load_json(given) if isinstance(given, str) else given
    sentences = own.examples or own.max_new_errors is not None
    study = Study.of(
        gold,
        systems,
        names=own.names,
        defaults=compared_metrics,
        # What is voted on is written with all that the first system's file holds.
        also=None if votes else frozenset({"comments", "misc"} if sentences else ()),
        **{**reading, "labels": votes and given is None},  # what cross-fitted weights are made of
    )
    return study, weights


def _of_runs(scores: Scores) -> list[str]:
    """What a comparison of runs is."""
    return [
        f"{system} ran {len(runs)} times: changes are shown run by run, as {runs[0]} to "
        f"{runs[-1]}; scores and tests are those of the system"
        for system, runs in scores.runs.items()
    ]


def _check_files(files: Sequence[Any]) -> None:
    systems = files[1:]
    if len(systems) < 2 and count_of(files[0], systems) < 2:
        raise UsageError(
            "compare needs two or more systems",
            help="the gold standard comes first, then the systems; 'tertium score' scores one, "
            "'tertium diff' compares two without a gold standard",
        )


def _check_other_gold(weights: Mapping[str, Any], digest: str | None) -> None:
    """Refuse weights from the gold standard that the vote would be scored with."""
    if digest is not None and isinstance(weights, Mapping) and weights.get("gold_digest") == digest:
        raise UsageError(
            "the weights come from the gold standard against which the vote would be scored",
            help="score the systems on other data, or leave '--weights-from' out: weights are then "
            "cross-fitted",
        )


def _prepare(given: dict[str, Any], look: CompareLook) -> dict[str, Any]:
    """Sentences are kept where they are shown."""
    is_shown = look.examples is not None or look.report is not None
    return {**given, "examples": True} if is_shown else given


VERB = Verb(
    "compare",
    compare,
    """Show what changed between systems: corrections, new errors and changed errors, and how good
    an ensemble of them could be.

    GOLD and the systems A, B, ... are given as for 'tertium score', oldest first: changes are shown
    from the earlier to the later system. Differences between scores are tested.

    \b
    tertium compare gold.conllu old.conllu new.conllu
    tertium compare gold.conllu a.conllu b.conllu c.conllu --metric {LAS}
    tertium compare gold.bio old.bio new.bio --examples 3 --report changes.html
    tertium compare gold.conll a.conll b.conll --with text.conllu --by mention
    tertium compare gold.bio old.bio new.bio --fail-if-worse --significant
    tertium compare gold.bio old.bio new.bio --max-new-errors 20
    """,
    arguments="GOLD A B...",
    options=OPTIONS,
    look=CompareLook,
    words={
        "metric": "A metric that judges single items, such as {LAS}; repeatable. Default: "
        "accuracy for tags, LAS for dependencies, fair F1 for spans and PARSEVAL for trees.",
        "by": "Also compare within groups, as in 'tertium score --by'; repeatable.",
        "seed": "Random seed of resampling, and of the examples in a report if it cannot hold all "
        "(20 MB). Default: 0.",
    },
    check=_check_files,
    figures=True,
    prepare=_prepare,
    checks=True,
    cite=("tuggener-2017-method", "sagae-lavie-2006-parser"),
)
