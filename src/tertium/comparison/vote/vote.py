"""`combine`: several systems' outputs become one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium import registry
from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.comparison.vote.weights import Weights, equal_worth, text_of
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot, Poll, Vote, Voter, Worth
from tertium.families.base import Metric
from tertium.families.family import Family, families, family_of
from tertium.formats.files import make, write_file

NAME = "vote"
NO_VOTE = "judges no layer on which systems could vote"


def ballots(metrics: Sequence[Metric], systems: Sequence[Corpus]) -> list[Ballot]:
    """The layers that these metrics judge, each once, with the metric that gives the weights.

    Raises UsageError for a metric that judges no layer on which a vote is possible, LayerError
    where no system has the layer.
    """
    found: dict[str, Ballot] = {}
    for metric in metrics:
        named = 0
        for ballot in family_of(metric).vote(metric):
            names = [ballot.name_in(system) for system in systems]
            if not any(names):
                metric.facts(systems[0])  # raises, with what there is
                continue
            named += 1
            column = names[0] or ballot.column
            if column not in found or ballot.rank > found[column].rank:
                found[column] = replace(ballot, column=column)
        if not named:
            raise UsageError(f"{metric!r} {NO_VOTE}", help=_help())
    return list(found.values())


def _help() -> str:
    """What votes are on, and metrics that name it."""
    voted = [each for each in families() if type(each).vote is not Family.vote]
    *titles, last = (each.title for each in voted)
    usual = [metric for each in voted for metric in each.metrics.get("audit", ())[:1]]
    return f"votes are on {', '.join(titles)} and {last}: {', '.join(usual)}"


@dataclass(frozen=True, eq=False)
class JointOutput:
    """What systems decided together.

    `corpus` is the first system's with other layers where there was a vote, `layers` the names of
    these; `notes` says what stayed as it was and who could not vote.
    """

    corpus: Corpus
    layers: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it in the format that the base was read from, compressed by the suffix of `path`;
        data that came from Python has none."""
        if not registry.knows("formats", self.corpus.format):
            raise UsageError(
                "the first system was not read from a file; name the format to write",
                help=f"there are {', '.join(registry.names('formats'))}",
            )
        write_file(self.corpus, path, format=make(self.corpus.format))


def combine(
    systems: Sequence[Corpus],
    metrics: Sequence[Metric],
    weights: Weights | None = None,
    *,
    method: str = "auto",
) -> JointOutput:
    """One output from those of several systems; gold is not looked at.

    The first system is the base: its tokens, sentences and whatever is not voted on are those of
    the result, and ties are decided for systems that stand earlier. `metrics` name the layers,
    and their families count the votes. Without `weights` every vote counts the same. The other
    systems are aligned to the base by `method`, and a token without partner casts no vote. A system
    without the layer does not vote on it.
    """
    if not systems:
        raise UsageError("there is no system to vote")
    notes = list(weights.notes) if weights is not None else []
    keep = shared_sentences(systems[0], systems[1:])
    if keep is not None:
        systems = [system.take(keep) for system in systems]
        weights = weights.take(keep) if weights is not None else None
        notes.append(f"{int((~keep).sum()):,} sentences that a file lacks are left out of the vote")
    base = systems[0]
    if base.forms is None and all(s.sentence_count == base.sentence_count for s in systems):
        base = base.with_room(np.max([np.diff(s.offsets) for s in systems], axis=0))
    systems = [base, *systems[1:]]
    chosen = ballots(metrics, systems)
    alignments = [align(base, system, method=method) for system in systems]
    votes = [_vote(ballot, systems, alignments, weights) for ballot in chosen]
    for number, (system, alignment) in enumerate(zip(systems, alignments, strict=True)):
        notes += [lost[number] for _, lost in votes if lost[number]]
        lacking, _ = alignment.unaligned()
        if lacking:
            notes.append(
                f"{system.origin} has no partner for {lacking:,} tokens of {base.origin}: "
                "it casts no vote there"
            )
    notes += [note for vote, _ in votes for note in vote.notes]
    names = tuple(ballot.column for ballot in chosen)
    layers = {**base.layers, **{n: vote.layer for n, (vote, _) in zip(names, votes, strict=True)}}
    further = [n for n in ("enhanced",) if n in base.extras]
    kept = [n for n in (*base.layers, *further) if n not in names]
    if kept:
        notes.append(f"not voted on, and as in {base.origin}: {', '.join(kept)}")
    corpus = replace(base, layers=layers, origin=NAME, lines=None, problems=(), repaired=0)
    return JointOutput(corpus, names, tuple(dict.fromkeys(notes)))


def _vote(
    ballot: Ballot,
    systems: Sequence[Corpus],
    alignments: Sequence[Alignment],
    weights: Weights | None,
) -> tuple[Vote, list[str]]:
    """The vote on one layer, and for every system why it says nothing, or less than it could."""
    base = systems[0]
    there = {number: ballot.name_in(system) for number, system in enumerate(systems)}
    voters = {n: Voter(systems[n], name, alignments[n]) for n, name in there.items() if name}

    def worth(names: Sequence[str]) -> Worth:
        if weights is None:
            return equal_worth(len(voters), len(names))
        return weights.worth(text_of(ballot.metric), [*voters], names)

    fold = np.zeros(base.sentence_count, np.int32) if weights is None else weights.folds(base)
    vote = ballot.count(Poll(base, [*voters.values()], fold, worth))
    told = [f"{s.origin} has no '{ballot.column}' and does not vote on it" for s in systems]
    for number, lost in zip(voters, vote.lost or [""] * len(voters), strict=True):
        told[number] = lost
    return vote, told
