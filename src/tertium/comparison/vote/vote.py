"""`combine`: several systems' outputs become one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tertium import registry
from tertium.comparison.vote.consensus import Assembly, Consensus
from tertium.comparison.vote.weights import Weights, text_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot, Vote
from tertium.families.base import Metric
from tertium.formats.files import make, write_file

NAME = "vote"


@dataclass(frozen=True, eq=False)
class JointOutput:
    """What systems decided together.

    `corpus` is the first system's with other layers where there was a vote, `layers` the names of
    these; `notes` says what stayed as it was and who could not vote; `ties` counts, by layer, where
    votes alone did not decide.
    """

    corpus: Corpus
    layers: tuple[str, ...]
    notes: tuple[str, ...] = ()
    ties: Mapping[str, int] = field(default_factory=dict)

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
    agreement: Consensus | None = None,
) -> JointOutput:
    """One output from those of several systems; gold is not looked at.

    The first system is the base: its tokens, sentences and whatever is not voted on are those of
    the result. The order of systems decides nothing else: ties go to systems that agree more often
    with others (`agreement`, by default that in these files). `metrics` name the layers,
    and their families count the votes. Without `weights` every vote counts the same. The other
    systems are aligned to the base by `method`, and a token without partner casts no vote. A system
    without the layer does not vote on it.
    """
    assembly = Assembly.of(systems, metrics, method)
    agreement = agreement or Consensus.of(systems, metrics, method)
    notes = list(weights.notes) if weights is not None else []
    keep, base = assembly.keep, assembly.systems[0]
    if keep is not None:
        weights = weights.take(keep) if weights is not None else None
        notes.append(
            f"{int((~keep).sum()):,} sentences are missing from a file and left out of the vote"
        )
    votes = {
        ballot.column: _vote(ballot, assembly, weights, agreement.of_vote(key))
        for key, ballot in assembly.ballots.items()
    }
    sides = zip(assembly.systems, assembly.alignments, strict=True)
    for number, (system, alignment) in enumerate(sides):
        notes += [lost[number] for _, lost in votes.values() if lost[number]]
        lacking, _ = alignment.unaligned()
        if lacking:
            notes.append(
                f"{system.origin} has no partner for {lacking:,} tokens of {base.origin}: "
                "it casts no vote there"
            )
    notes += [note for vote, _ in votes.values() for note in vote.notes]
    layers = {**base.layers, **{name: vote.layer for name, (vote, _) in votes.items()}}
    further = [n for n in ("enhanced",) if n in base.extras]
    kept = [n for n in (*base.layers, *further) if n not in votes]
    if kept:
        notes.append(f"columns copied unchanged from {base.origin}: {', '.join(kept)}")
    corpus = replace(base, layers=layers, origin=NAME, lines=None, problems=(), repaired=0)
    ties = {name: vote.ties for name, (vote, _) in votes.items()}
    return JointOutput(corpus, tuple(votes), tuple(dict.fromkeys(notes)), ties)


def _vote(
    ballot: Ballot, assembly: Assembly, weights: Weights | None, agreement: Int64
) -> tuple[Vote, list[str]]:
    """The vote on one layer, and for every system why it says nothing, or less than it could."""
    systems, voters = assembly.systems, assembly.voters(ballot)
    poll = assembly.poll(voters, agreement)
    if weights is not None:
        known, text = weights, text_of(ballot.metric)
        poll = replace(
            poll,
            fold=known.folds(systems[0]),
            worth=lambda names: known.worth(text, [*voters], names),
        )
    vote = ballot.count(poll)
    told = [f"{s.origin} has no '{ballot.column}' and does not vote on it" for s in systems]
    for number, lost in zip(voters, vote.lost or [""] * len(voters), strict=True):
        told[number] = lost
    return vote, told
