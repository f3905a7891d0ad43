"""Real ensembles beside the upper bound: what a vote of the systems wins of what could be won."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tertium.comparison.compare.files import FileAnswers
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import share
from tertium.comparison.vote.consensus import NO_VOTE, Consensus
from tertium.comparison.vote.crossfit import FOLDS, cross_fitted, folds_over
from tertium.comparison.vote.vote import JointOutput, combine
from tertium.comparison.vote.weights import Weights, weights_from_scores
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.exceptions import UsageError, cannot
from tertium.families.base import Metric
from tertium.families.family import family_of
from tertium.formats.sources import strip_compression
from tertium.results.assessment import Assessment
from tertium.results.names import short_names
from tertium.results.stats import Stats, add
from tertium.significance.score.counts import FileScores, scores_of, texts_of
from tertium.significance.score.result import Scores
from tertium.study.files import File, SystemFile
from tertium.study.sides import Shard
from tertium.study.study import Study
from tertium.study.walk import walk


class Gain(NamedTuple):
    """What a vote has right under one metric: gold items, beside the best single system (`best`)
    and the upper bound of all (`bound`); `ties` are places where votes alone do not decide."""

    metric: str
    right: int
    best: int
    bound: int
    items: int
    ties: int = 0

    @property
    def accuracy(self) -> float | None:
        """Share of gold items that the vote has right."""
        return share(self.right, self.items)

    @property
    def closed(self) -> float | None:
        """Share of the gap between the best system and the upper bound that the vote closes;
        negative where it does worse than the best. None where there is no gap."""
        return share(self.right - self.best, self.bound - self.best)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """One way of voting.

    - `weights`: where the weights of votes come from, in words
    - `scores`: of the vote, by the metrics of the comparison; `gains`: one for each view whose
      metric judges what was voted on
    - `voted`: the outputs themselves, one for each gold file; `files`: what these are called, below
      a folder if there are several
    - `inputs`: the files compared, which are never written to
    """

    name: str
    weights: str
    scores: Scores
    gains: tuple[Gain, ...]
    voted: tuple[JointOutput, ...]
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    inputs: frozenset[Path] = frozenset()

    @property
    def title(self) -> str:
        """What the vote is called beside systems."""
        return f"{self.name} vote"

    def to_dict(self, assessment: Assessment | None = None) -> dict[str, Any]:
        """The entry in `ensembles` of the JSON output; `assessment` is that of all votes."""
        intervals = {} if assessment is None else assessment.intervals
        tests = () if assessment is None else assessment.comparisons
        ends = {metric: each for (name, metric, _), each in intervals.items() if name == self.title}
        tested = {each.metric: each for each in tests if each.b == self.title}
        return {
            "name": self.name,
            "weights": self.weights,
            "scores": [
                {
                    **result.to_dict(),
                    **({"interval": ends[m].to_dict()} if (m := result.metric) in ends else {}),
                }
                for result in self.scores
            ],
            "gains": [
                {
                    **gain._asdict(),
                    "accuracy": gain.accuracy,
                    "closed": gain.closed,
                    **({} if gain.closed is not None else {"reason": no_gap(gain)}),
                    **({"test": tested[m].to_dict()} if (m := gain.metric) in tested else {}),
                }
                for gain in self.gains
            ],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def write(self, folder: str | Path) -> list[str]:
        """Write the outputs into a folder: one file, or a folder of several. The paths."""
        target = Path(folder)
        written = []
        for voted, file in zip(self.voted, self.files, strict=True):
            if len(self.voted) > 1:
                path = target / self.name / file
            else:
                path = target / f"{self.name}{_suffix(Path(file).name)}"
            try:
                replaced = path.resolve() in self.inputs
                path.parent.mkdir(parents=True, exist_ok=True)
            except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
                raise cannot("write to", folder, error) from None
            if replaced:
                raise UsageError(
                    f"'{path}' is one of the files compared: the vote would replace it",
                    help="choose a different folder",
                )
            voted.write(path)
            written.append(str(path))
        return written


def no_gap(gain: Gain, bound: str = "the oracle") -> str:
    """Why no share of the gap can be closed."""
    return "there is nothing in gold" if not gain.items else f"the best system reaches {bound}"


def _suffix(name: str) -> str:
    """What follows the first dot of a file name; files without one get `.txt`."""
    found = "".join(Path(name).suffixes[-2:])
    return found or ".txt"


def ensembles(
    study: Study,
    found: Sequence[FileAnswers],
    views: Sequence[View],
    weights_from: Mapping[str, Any] | None = None,
    *,
    source: str = "",
    way: Mapping[str, Any] | None = None,
) -> list[Ensemble]:
    """Majority votes and weighted ones, scored as systems are.

    Weights come from `weights_from` (the JSON of scores on other data, `source` its name) or are
    cross-fitted by document: those of a document from the gold standard of others.
    """
    first = found[0].scores
    fitted = dict(zip(texts_of(first.metrics), first.fitted, strict=True))
    metrics = [fitted[view.metric] for view in views]
    ways = {"majority": _Way("all equal")}
    refused = []
    # Without any the vote itself says why there is none.
    voting = [metric for metric in metrics if family_of(metric).vote(metric)] or metrics
    voted_on = [view for view, m in zip(views, metrics, strict=True) if m in voting]
    if weights_from is not None:
        weights = weights_from_scores(_named(weights_from, study.systems), study.systems, voting)
        ways["weighted"] = _Way(f"from {source}" if source else "from other data", weights)
    else:
        try:
            ways["weighted"] = _cross_fitted(study, found, voting)
        except UsageError as error:
            refused.append(f"no weighted vote: {error.written[0]}")
    refused += [f"no vote: {m!r} {NO_VOTE}" for m in metrics if m not in voting]
    # Whatever its file, a tie goes by the agreement in all of them.
    several = len(study.shards) > 1
    known = [*walk(study, _Agree(tuple(voting)), **(way or {}))] if several else []
    visit = _Vote(tuple(voting), ways, reduce(operator.add, known) if known else None)
    parts = [*walk(study, visit, **(way or {}))]
    made = [
        _ensemble(name, told, study, [part[n] for part in parts], voted_on)
        for n, (name, told) in enumerate(ways.items())
    ]
    return [replace(made[0], notes=(*made[0].notes, *refused)), *made[1:]]


@dataclass(frozen=True)
class _Way:
    """A way of weighing votes: in words, the weights, and where they are cross-fitted the fold of
    every gold sentence of each file."""

    told: str
    weights: Weights | None = None
    folds: Mapping[str, Int32] = field(default_factory=dict)

    def of_systems(self, order: Sequence[int]) -> _Way:
        """The same for systems in another order."""
        weights = self.weights
        return self if weights is None else replace(self, weights=weights.of_systems(order))


@dataclass(frozen=True, eq=False)
class _FileVote:
    """What one way of voting gives in one file; `right` are the gold items that are right under
    each metric of the views, `ties` those of the layers it judges."""

    voted: JointOutput
    scores: FileScores
    right: tuple[int, ...]
    ties: tuple[int, ...]
    file: str


@dataclass(frozen=True)
class _Agree:
    """Counts how often the systems of a file vote alike."""

    metrics: tuple[Metric, ...]

    def __call__(self, file: File) -> Consensus:
        corpora = [system.corpus for system in file.systems()]
        return Consensus.of(corpora, self.metrics, file.study.align)


@dataclass(frozen=True)
class _Vote:
    """Lets the systems of a file vote in several ways, and judges what comes out; `agreement` is
    that in all files, None if there is one."""

    metrics: tuple[Metric, ...]
    ways: Mapping[str, _Way]
    agreement: Consensus | None = None

    def __call__(self, file: File) -> list[_FileVote]:
        """The systems vote in an order of their own, whatever the one they were given in."""
        systems, method = [*file.systems()], file.study.align
        corpora = [system.corpus for system in systems]
        agreement = self.agreement or Consensus.of(corpora, self.metrics, method)
        order = agreement.order(corpora, method)
        ordered, agreement = [systems[n] for n in order], agreement.take(order)
        return [
            self._voted(file, ordered, agreement, name, way.of_systems(order))
            for name, way in self.ways.items()
        ]

    def _voted(
        self, file: File, systems: Sequence[SystemFile], agreement: Consensus, name: str, way: _Way
    ) -> _FileVote:
        weights, first = way.weights, systems[0]
        if weights is not None and way.folds:
            fold = folds_over(first.corpus, first.alignment, way.folds[file.shard.name])
            weights = replace(weights, fold_of_sentence=fold)
        corpora = [system.corpus for system in systems]
        method = file.study.align
        vote = combine(corpora, self.metrics, weights, method=method, agreement=agreement)
        corpus = replace(vote.corpus, origin=name)
        judged = [*file.beside(corpus, name).judge()]
        scores = FileScores.of(file, [[each.finding for each in judged]])
        right = {
            each.fitted: int((each.decisions.right & each.decisions.in_gold).sum())
            for each in judged
            if each.fitted in self.metrics
        }
        return _FileVote(
            replace(vote, corpus=corpus),
            replace(scores, notes=()),
            tuple(right[metric] for metric in self.metrics),
            tuple(_ties(vote, first.corpus, metric) for metric in self.metrics),
            _file(file.shard, first.corpus.origin),
        )


def _ties(vote: JointOutput, base: Corpus, metric: Metric) -> int:
    """The ties in all layers that a metric judges."""
    voted = family_of(metric).vote(metric)
    return sum(vote.ties.get(each.name_in(base) or each.column, 0) for each in voted)


def _named(scores: Mapping[str, Any], systems: Sequence[str]) -> Mapping[str, Any]:
    """Scores with systems named as here, where they are the same but for the ending of all names:
    `spacy-dev.conllu` is `spacy-test.conllu`."""
    entries = scores.get("scores") if isinstance(scores, Mapping) else None
    if not isinstance(entries, list):
        return scores
    there = [*dict.fromkeys(str(e.get("system")) for e in entries if isinstance(e, Mapping))]
    ours = {short: name for name, short in short_names(systems).items()}
    theirs = {name: ours.get(short, name) for name, short in short_names(there).items()}
    if not {*systems} <= {*theirs.values()} or {*systems} <= {*there}:
        return scores
    renamed = [{**e, "system": theirs[str(e["system"])]} for e in entries]
    return {**scores, "scores": renamed}


def _cross_fitted(study: Study, found: Sequence[FileAnswers], metrics: Sequence[Metric]) -> _Way:
    """Weights for each file, all from the counts of all files."""
    stats = {}
    for metric in metrics:
        m = found[0].scores.fitted.index(metric)
        stats[metric] = [
            _added([f.scores.findings[s][m].stats for f in found])
            for s in range(len(found[0].scores.findings))
        ]
    ends = np.cumsum([f.scores.units for f in found])[:-1]
    bases = np.cumsum([0, *(int(f.documents[-1]) + 1 if len(f.documents) else 0 for f in found)])
    documents = [f.documents + base for f, base in zip(found, bases, strict=False)]
    whole = cross_fitted(stats, np.concatenate(documents))
    assert whole.fold_of_sentence is not None
    folds = np.split(whole.fold_of_sentence, ends)
    told = f"cross-fitted over {FOLDS} folds of documents"
    if any("no two documents" in note for note in whole.notes):
        told = "cross-fitted over blocks of sentences"
    names = [shard.name for shard in study.shards]
    return _Way(told, whole, dict(zip(names, folds, strict=True)))


def _added(parts: Sequence[Stats | None]) -> Stats | None:
    there = [part for part in parts if part is not None]
    return add(there) if len(there) == len(parts) else None


def _ensemble(
    name: str, way: _Way, study: Study, parts: Sequence[_FileVote], views: Sequence[View]
) -> Ensemble:
    gains = [
        Gain(
            view.metric,
            sum(part.right[m] for part in parts),
            int(view.oracle.right[view.oracle.best]),
            view.oracle.correct,
            view.oracle.items,
            sum(part.ties[m] for part in parts),
        )
        for m, view in enumerate(views)
    ]
    return Ensemble(
        name,
        way.told,
        scores_of(study, [part.scores for part in parts], [name]),
        tuple(gains),
        tuple(part.voted for part in parts),
        tuple(part.file for part in parts),
        tuple(dict.fromkeys(note for part in parts for note in part.voted.notes)),
        frozenset(
            Path(file).resolve()
            for shard in study.shards
            for file in (shard.gold, *shard.systems)
            if isinstance(file, str)
        ),
    )


def _file(shard: Shard, origin: str) -> str:
    """What the vote on a file is called: as the first system's file, which in a folder may lie
    deeper down."""
    return shard.name + origin[len(strip_compression(origin)) :] if shard.name else origin


def beside_the_best(ensembles: Sequence[Ensemble], scores: Scores, views: Sequence[View]) -> Scores:
    """The scores of votes after that of the best single system, metric by metric: what is tested.
    `scores` are those of the systems."""
    results = []
    for view in views:
        best = scores.find(view.systems[view.oracle.best], view.metric)
        votes = [(vote.title, vote.scores.find(vote.name, view.metric)) for vote in ensembles]
        if best is not None and any(g.metric == view.metric for g in ensembles[0].gains):
            results += [best, *(replace(each, system=name) for name, each in votes if each)]
    return replace(scores, results=tuple(results), runs={})
