"""`ensemble`: several systems' outputs become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.comparison.vote.ballots import Ballot, ballots
from tertium.comparison.vote.spans import SpanVotes, span_votes, vote_spans
from tertium.comparison.vote.tagging import as_tags, is_stacked
from tertium.comparison.vote.tags import vote_tags
from tertium.comparison.vote.trees import TreeVotes, tree_votes, vote_trees
from tertium.comparison.vote.weights import Table, Weights, equal_table
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Labels
from tertium.corpus.layers import Layer, Spans, Tags
from tertium.corpus.schemes import scheme_of
from tertium.exceptions import UsageError
from tertium.families.base import Metric
from tertium.families.deps.attachment import TreeMetric
from tertium.families.deps.relations import relations
from tertium.families.spans.base import SpanMetric
from tertium.formats.trees import check_trees
from tertium.results.votes import Votes

NAME = "vote"


@dataclass(frozen=True, eq=False)
class Voted:
    """What systems decided together.

    `corpus` is the first system's with other layers where there was a vote, `layers` the names of
    these; `notes` says what stayed as it was and who could not vote.
    """

    corpus: Corpus
    layers: tuple[str, ...]
    notes: tuple[str, ...] = ()


def ensemble(
    systems: Sequence[Corpus],
    metrics: Sequence[Metric],
    weights: Weights | None = None,
    *,
    method: str = "auto",
) -> Voted:
    """One output from those of several systems; gold is not looked at.

    The first system is the base: its tokens, sentences and whatever is not voted on are those of
    the result, and ties are decided for systems that stand earlier. `metrics` name the layers:
    tags get the label with most votes, spans are kept that more than half propose, trees are the
    best of all arcs (see the modules of this package). Without `weights` every vote counts the
    same. The other systems are aligned to the base by `method`, and a token without partner casts
    no vote. A system without the layer does not vote on it.
    """
    if not systems:
        raise UsageError("there is no system to vote")
    for system in systems:
        check_trees(system, checks=frozenset())  # kernels trust heads to lie inside their sentences
    notes = list(weights.notes) if weights is not None else []
    keep = shared_sentences(systems[0], systems[1:])
    if keep is not None:
        systems = [system.take(keep) for system in systems]
        weights = weights.take(keep) if weights is not None else None
        notes.append(f"{int((~keep).sum()):,} sentences that a file lacks are left out of the vote")
    base = _with_room(systems)
    systems = [base, *systems[1:]]
    vote = _Vote(base, weights)
    chosen = ballots(metrics, systems)
    for number, system in enumerate(systems):
        alignment = align(base, system, method=method)
        for ballot in chosen:
            notes += vote.cast(ballot, number, system, alignment)
        lacking, _ = alignment.unaligned()
        if lacking:
            notes.append(
                f"{system.origin} has no partner for {lacking:,} tokens of {base.origin}: "
                "it casts no vote there"
            )
    layers: dict[str, Layer] = dict(base.layers)
    for ballot in chosen:
        layers[ballot.column], more = vote.count(ballot)
        notes += more
    names = tuple(ballot.column for ballot in chosen)
    further = [n for n in ("enhanced",) if n in base.extras]
    kept = [n for n in (*base.layers, *further) if n not in names]
    if kept:
        notes.append(f"not voted on, and as in {base.origin}: {', '.join(kept)}")
    corpus = replace(base, layers=layers, origin=NAME, lines=None, problems=(), repaired=0)
    return Voted(corpus, names, tuple(dict.fromkeys(notes)))


def _with_room(systems: Sequence[Corpus]) -> Corpus:
    """The base; spans over token numbers get sentences as long as the longest of any system, since
    a file of spans does not say how long sentences are."""
    base = systems[0]
    if base.forms is not None or any(s.sentence_count != base.sentence_count for s in systems):
        return base
    sizes = np.max([np.diff(s.offsets) for s in systems], axis=0)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    layers: dict[str, Layer] = {}
    for name, layer in base.of_kind(Spans).items():
        sentence = layer.sentence_of_row(base.offsets)
        shift = (offsets[:-1] - base.offsets[:-1])[sentence].astype(np.int32)
        layers[name] = replace(layer, start=layer.start + shift, end=layer.end + shift)
    return replace(base, offsets=offsets, layers=layers, lines=None)


class _Vote:
    """Collects what systems say about each layer, and counts."""

    def __init__(self, base: Corpus, weights: Weights | None) -> None:
        self.base, self.weights = base, weights
        if weights is None:
            self.fold: Int32 = np.zeros(base.sentence_count, np.int32)
        else:
            self.fold = weights.folds(base)
        self.votes: dict[str, list[Any]] = {}
        self.voters: dict[str, list[int]] = {}
        self.facts: dict[str, frozenset[str]] = {}

    def cast(self, ballot: Ballot, number: int, system: Corpus, alignment: Alignment) -> list[str]:
        """What a system says; a note where it says nothing, or less than it could."""
        name = ballot.name_in(system)
        if name is None:
            return [f"{system.origin} has no '{ballot.column}' and does not vote on it"]
        said: tuple[Labels, Int32] | SpanVotes | TreeVotes
        notes = []
        if ballot.kind == "tags":
            said = system.layer(name, Tags).labels, alignment.system_of_gold
        elif ballot.kind == "spans":
            said = self._spans(ballot, system, alignment)
            if said.lost:
                notes.append(
                    f"{said.lost:,} spans of {system.origin} do not fit the tokens or sentences of "
                    f"{self.base.origin}, or the layer: they are no votes"
                )
        else:
            partners = alignment.system_of_gold, alignment.gold_of_system
            said = tree_votes(self.base, system, *partners)
            if said.lost:
                notes.append(
                    f"{said.lost:,} arcs of {system.origin} leave a sentence of "
                    f"{self.base.origin} or lead to a word it does not have: they are no votes"
                )
        self.votes.setdefault(ballot.column, []).append(said)
        self.voters.setdefault(ballot.column, []).append(number)
        return notes

    def _spans(self, ballot: Ballot, system: Corpus, alignment: Alignment) -> SpanVotes:
        metric = ballot.metric
        assert isinstance(metric, SpanMetric)
        spans = _spans(metric, system)
        facts = metric.facts(system)
        # The scheme of the base; that of the next system where the base has no span.
        if scheme_of(self.facts.get(ballot.column, frozenset())) == "none":
            self.facts[ballot.column] = facts
        in_tags = isinstance(self.base.layers.get(ballot.column), Tags)
        return span_votes(self.base, spans, alignment, gaps=not in_tags)

    def count(self, ballot: Ballot) -> tuple[Layer, list[str]]:
        """The layer as voted, and notes."""
        base, votes = self.base, self.votes[ballot.column]
        if ballot.kind == "tags":
            return vote_tags(self._on_tokens(ballot), self.fold, self._table(ballot)), []
        if ballot.kind == "spans":
            return self._count_spans(ballot, votes)
        metric = ballot.metric
        way = metric.way if isinstance(metric, TreeMetric) else "universal"

        def compared(labels: Labels) -> Labels:
            return relations(labels, way)

        arcs, headless = vote_trees(base, votes, self.fold, self._table(ballot), compared)
        note = f"{headless:,} words have no head, since the votes make no tree there"
        return arcs, [note] if headless else []

    def _on_tokens(self, ballot: Ballot) -> Votes:
        """The labels that systems give to the tokens of the base."""
        names = [str(number) for number in self.voters[ballot.column]]
        labels, partners = zip(*self.votes[ballot.column], strict=True)
        unit, units = self.base.sentence_of_token, self.base.sentence_count
        return Votes.of(names, labels, partners, unit, units)

    def _count_spans(self, ballot: Ballot, votes: list[SpanVotes]) -> tuple[Layer, list[str]]:
        layer = self.base.layers.get(ballot.column)
        flat = isinstance(layer, Tags) and not is_stacked(layer)
        spans, lost = vote_spans(self.base, votes, self.fold, self._table(ballot), flat=flat)
        notes = []
        if lost:
            notes.append(f"{lost:,} spans with enough votes overlap others and were given up")
        if not isinstance(layer, Tags):
            return spans, notes
        metric = ballot.metric
        assert isinstance(metric, SpanMetric)
        own = _spans(metric, self.base)
        return as_tags(self.base, ballot.column, own, spans, self.facts[ballot.column]), notes

    def _table(self, ballot: Ballot) -> Callable[[Sequence[str]], Table]:
        voters, weights = self.voters[ballot.column], self.weights
        if weights is None:
            return lambda names: equal_table(len(voters), len(names))
        return lambda names: weights.table(ballot.weighed_by, voters, names)


def _spans(metric: SpanMetric, corpus: Corpus) -> Spans:
    """The spans that a metric looks at."""
    items = metric.items(corpus)
    return Spans(items.start, items.end, items.label, items.tokens)
