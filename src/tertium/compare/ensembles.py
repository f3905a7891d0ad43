"""Real ensembles beside the upper bound: what a vote of the systems wins of what could be won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tertium.align.tokens import align
from tertium.compare.differences import share
from tertium.compare.endings import short_names
from tertium.compare.running import Found
from tertium.compare.views import View
from tertium.compare.vote.crossfit import FOLDS, cross_fitted, folds_over
from tertium.compare.vote.ensemble import Voted, ensemble
from tertium.compare.vote.weights import Weights, weights_from_scores
from tertium.compare.vote.writing import write_voted
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import InputError, UsageError
from tertium.formats.sources import strip_compression
from tertium.metrics.base import Metric
from tertium.metrics.request import Request
from tertium.metrics.results import results_of
from tertium.metrics.shards.judging import Judged, examine
from tertium.metrics.shards.opening import Opened
from tertium.metrics.shards.pairing import Shard
from tertium.results.scores import Scores
from tertium.results.stats import Stats, add


class Gain(NamedTuple):
    """What a vote has right under one metric: gold items, beside the best single system (`best`)
    and the upper bound of all (`bound`)."""

    metric: str
    right: int
    best: int
    bound: int
    items: int

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
    - `scores`: of the vote, by the metrics of the comparison; `gains`: one for each view
    - `voted`: the outputs themselves, one for each gold file; `files`: what these are called, below
      a folder if there are several
    - `inputs`: the files compared, which are never written to
    """

    name: str
    weights: str
    scores: Scores
    gains: tuple[Gain, ...]
    voted: tuple[Voted, ...]
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    inputs: frozenset[Path] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        """The entry in `ensembles` of the JSON output."""
        return {
            "name": self.name,
            "weights": self.weights,
            "scores": [result.to_dict() for result in self.scores],
            "gains": [
                {
                    **gain._asdict(),
                    "accuracy": gain.accuracy,
                    "closed": gain.closed,
                    **({} if gain.closed is not None else {"reason": _no_gap(gain)}),
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
            if path.resolve() in self.inputs:
                raise UsageError(
                    f"'{path}' is one of the files compared: the vote would replace it",
                    help="name another folder",
                )
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot write to '{folder}': {error.strerror or error}") from None
            write_voted(voted, path)
            written.append(str(path))
        return written


def _no_gap(gain: Gain) -> str:
    return "there are no gold items" if not gain.items else "the best system reaches the bound"


def _suffix(name: str) -> str:
    """What follows the first dot of a file name; files without one get `.txt`."""
    found = "".join(Path(name).suffixes[-2:])
    return found or ".txt"


def ensembles(
    asked: Request,
    found: Sequence[Found],
    views: Sequence[View],
    metrics: Sequence[Metric],
    weights_from: Mapping[str, Any] | None = None,
    *,
    source: str = "",
) -> list[Ensemble]:
    """Majority votes and weighted ones, scored as systems are.

    `metrics` are the fitted ones of the views. Weights come from `weights_from` (the JSON of scores
    on other data, `source` its name) or are cross-fitted by document: those of a document from the
    gold standard of others.
    """
    made = [_ensemble("majority", "all equal", None, asked, found, views, metrics)]
    if weights_from is not None:
        weights = weights_from_scores(_named(weights_from, asked.systems), asked.systems, metrics)
        told = f"from {source}" if source else "from other data"
        made.append(
            _ensemble("weighted", told, [weights] * len(found), asked, found, views, metrics)
        )
        return made
    try:
        weighted = _cross_fitted(found, metrics)
    except UsageError as error:
        return [replace(made[0], notes=(*made[0].notes, f"no weighted vote: {error.message}"))]
    told = f"cross-fitted over {FOLDS} folds of documents"
    if any("no two documents" in note for note in weighted[0].notes):
        told = "cross-fitted over blocks of sentences"
    made.append(_ensemble("weighted", told, weighted, asked, found, views, metrics))
    return made


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


def _cross_fitted(found: Sequence[Found], metrics: Sequence[Metric]) -> list[Weights]:
    """Weights for each file, all from the counts of all files."""
    stats = {}
    for metric in metrics:
        m = found[0].outcome.fitted.index(metric)
        stats[metric] = [
            _added([f.outcome.judged[s][m].stats for f in found])
            for s in range(len(found[0].outcome.judged))
        ]
    whole = cross_fitted(stats, _documents(found))
    assert whole.fold_of_sentence is not None
    ends = np.cumsum([f.outcome.units for f in found])[:-1]
    each = []
    for f, fold in zip(found, np.split(whole.fold_of_sentence, ends), strict=True):
        assert f.alignment is not None
        of_base = folds_over(f.systems[0], f.alignment, fold)
        each.append(replace(whole, fold_of_sentence=of_base))
    return each


def _added(parts: Sequence[Stats | None]) -> Stats | None:
    there = [part for part in parts if part is not None]
    return add(there) if len(there) == len(parts) else None


def _documents(found: Sequence[Found]) -> Int64:
    """The document of every unit; a file that marks none is one document."""
    columns, base = [], 0
    for f in found:
        number = np.searchsorted(f.gold.documents, np.arange(f.gold.sentence_count), side="right")
        columns.append(number + base)
        base += len(f.gold.documents) + 1
    return np.concatenate(columns)


def _ensemble(
    name: str,
    told: str,
    weights: Sequence[Weights] | None,
    asked: Request,
    found: Sequence[Found],
    views: Sequence[View],
    metrics: Sequence[Metric],
) -> Ensemble:
    method = asked.options.align
    voted, outcomes = [], []
    notes: list[str] = []
    right = [0] * len(metrics)
    for n, f in enumerate(found):
        vote = ensemble(f.systems, metrics, weights[n] if weights else None, method=method)
        corpus = replace(vote.corpus, origin=name)
        assert f.opened is not None
        judged, counts = _scored(corpus, f.opened, metrics)
        right = [a + b for a, b in zip(right, counts, strict=True)]
        outcomes.append(replace(f.outcome, judged=(judged,), notes=()))
        voted.append(replace(vote, corpus=corpus))
        notes += vote.notes
    scores = results_of(asked.gold, [name], outcomes, asked.options)
    gains = [
        Gain(v.metric, r, int(v.oracle.right[v.oracle.best]), v.oracle.correct, v.oracle.items)
        for v, r in zip(views, right, strict=True)
    ]
    return Ensemble(
        name,
        told,
        scores,
        tuple(gains),
        tuple(voted),
        tuple(_file(s, f) for s, f in zip(asked.shards, found, strict=True)),
        tuple(dict.fromkeys(notes)),
        frozenset(
            Path(file).resolve()
            for shard in asked.shards
            for file in (shard.gold, *shard.systems)
            if isinstance(file, str)
        ),
    )


def _file(shard: Shard, found: Found) -> str:
    """What the vote on a file is called: as the first system's file, which in a folder may lie
    deeper down."""
    origin = found.systems[0].origin
    return shard.name + origin[len(strip_compression(origin)) :] if shard.name else origin


def _scored(
    voted: Corpus, opened: Opened, metrics: Sequence[Metric]
) -> tuple[tuple[Judged, ...], list[int]]:
    """The vote judged by every metric that was asked for, and for those of the views how many gold
    items it has right."""
    alignment = align(opened.gold, voted, method=opened.options.align)
    judged, right = [], {}
    for metric in opened.fitted:
        verdict, decisions = examine(metric, opened.gold, voted, alignment, opened)
        judged.append(verdict)
        if metric in metrics:
            rows = decisions
            if rows is None:
                rows = metric.decide(opened.gold, voted, alignment)
            right[metric] = int((rows.right & rows.in_gold).sum())
    return tuple(judged), [right[metric] for metric in metrics]
