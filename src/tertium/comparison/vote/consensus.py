"""Who votes, and how often systems vote alike: what decides ties, and whose text is voted on.

Nothing here depends on the order in which systems are given, and gold is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import blake2b
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.comparison.vote.weights import equal_worth, text_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Names
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot, Poll, Voter, shared_votes
from tertium.families.base import Metric
from tertium.families.family import Family, families, family_of

NO_VOTE = "judges no layer that systems could vote on"
_ELSEWHERE = ("origin", "lines", "problems", "digest")  # of a corpus, what is not its content
Bools = npt.NDArray[np.bool_]
Key = tuple[str, str]  # of a vote: the metric that gives the weights, and its column


def ballots(metrics: Sequence[Metric], systems: Sequence[Corpus]) -> dict[Key, Ballot]:
    """The layers that these metrics judge, each once, with the metric that gives the weights.

    Raises UsageError for a metric that judges no layer on which a vote is possible, LayerError
    where no system has the layer.
    """
    found: dict[str, tuple[Key, Ballot]] = {}
    for metric in metrics:
        named = 0
        for ballot in family_of(metric).vote(metric):
            names = [ballot.name_in(system) for system in systems]
            if not any(names):
                metric.facts(systems[0])  # raises, with what there is
                continue
            named += 1
            column = names[0] or ballot.column
            if column not in found or ballot.rank > found[column][1].rank:
                key = text_of(metric), ballot.column
                found[column] = key, replace(ballot, column=column)
        if not named:
            raise UsageError(f"{metric!r} {NO_VOTE}", help=_help())
    return dict(found.values())


def _help() -> str:
    """What votes are on, and metrics that name it."""
    voted = [each for each in families() if type(each).vote is not Family.vote]
    *titles, last = (each.title for each in voted)
    usual = [metric for each in voted for metric in each.metrics.get("audit", ())[:1]]
    return f"votes are on {', '.join(titles)} and {last}: {', '.join(usual)}"


@dataclass(frozen=True, eq=False)
class Assembly:
    """Systems that vote over the text of the first, with their alignments to it and what is voted
    on; `keep` are the sentences that are left where a file lacks some, None for all."""

    systems: tuple[Corpus, ...]
    alignments: tuple[Alignment, ...]
    ballots: Mapping[Key, Ballot]
    keep: Bools | None = None

    @classmethod
    def of(cls, systems: Sequence[Corpus], metrics: Sequence[Metric], method: str) -> Assembly:
        """Systems without sentences that one of them lacks, and the first with room for all."""
        if not systems:
            raise UsageError("there is no system to vote")
        systems, keep = _without_lacking(systems)
        base = systems[0]
        if base.forms is None and all(s.sentence_count == base.sentence_count for s in systems):
            base = base.with_room(np.max([np.diff(s.offsets) for s in systems], axis=0))
        systems = (base, *systems[1:])
        chosen = ballots(metrics, systems)
        alignments = tuple(align(base, system, method=method) for system in systems)
        return cls(systems, alignments, chosen, keep)

    def voters(self, ballot: Ballot) -> dict[int, Voter]:
        """By their numbers, the systems that have the layer."""
        there = {number: ballot.name_in(system) for number, system in enumerate(self.systems)}
        return {
            n: Voter(self.systems[n], name, self.alignments[n]) for n, name in there.items() if name
        }

    def poll(self, voters: Mapping[int, Voter], agreement: Int64) -> Poll:
        """The poll of these voters, all worth the same; `agreement` is that of all systems."""
        base = self.systems[0]
        return Poll(
            base,
            [*voters.values()],
            np.zeros(base.sentence_count, np.int32),
            lambda names: equal_worth(len(voters), len(names)),
            agreement[[*voters]],
        )


@dataclass(frozen=True, eq=False)
class Consensus:
    """How often systems vote as others do.

    - `shared`: by vote, for each system how often another one says the same: once for every place
      and other system
    - `content`: a digest of all that each system's file holds, for systems that agree equally often
    """

    shared: Mapping[Key, Int64]
    content: tuple[bytes, ...]

    @classmethod
    def of(cls, systems: Sequence[Corpus], metrics: Sequence[Metric], method: str) -> Consensus:
        """The agreement of systems over the tokens that suit all of them best."""
        ballots(metrics, systems)  # is there anything to vote on?
        content = tuple(map(content_digest, systems))
        order = cls({}, content).order(systems, method)
        assembly = Assembly.of([systems[n] for n in order], metrics, method)
        shared = {}
        for key, ballot in assembly.ballots.items():
            voters = assembly.voters(ballot)
            votes = ballot.votes(assembly.poll(voters, np.zeros(len(systems), np.int64)))
            shared[key] = np.zeros(len(systems), np.int64)
            shared[key][[order[n] for n in voters]] = shared_votes(votes)
        return cls(shared, content)

    def __add__(self, other: Consensus) -> Consensus:
        """That of several files."""
        keys = dict.fromkeys([*self.shared, *other.shared])
        shared = {key: self.of_vote(key) + other.of_vote(key) for key in keys}
        content = zip(self.content, other.content, strict=True)
        return Consensus(shared, tuple(one + two for one, two in content))

    def of_vote(self, key: Key) -> Int64:
        """How often each system votes as another does."""
        found = self.shared.get(key)
        return np.zeros(len(self.content), np.int64) if found is None else found

    def take(self, order: Sequence[int]) -> Consensus:
        """The systems in another order."""
        shared = {key: each[[*order]] for key, each in self.shared.items()}
        return Consensus(shared, tuple(self.content[n] for n in order))

    def order(self, systems: Sequence[Corpus], method: str) -> list[int]:
        """The systems by number, the one that lends the text first: those with the tokens that suit
        all best, then those that agree most with others, then by content."""
        has_text = with_best_tokens(systems, method)
        total = sum(self.shared.values(), np.zeros(len(systems), np.int64))
        return sorted(
            range(len(systems)), key=lambda n: (not has_text[n], -total[n], self.content[n])
        )


def _without_lacking(systems: Sequence[Corpus]) -> tuple[Sequence[Corpus], Bools | None]:
    """Without sentences that a file lacks; those that are left, None for all."""
    keep = shared_sentences(systems[0], systems[1:])
    return (systems if keep is None else [system.take(keep) for system in systems]), keep


def with_best_tokens(systems: Sequence[Corpus], method: str) -> list[bool]:
    """Which systems have the tokens that leave fewest tokens of all systems without a partner; of
    equal ones, the larger number of tokens, then those that come first by their content."""
    systems, _ = _without_lacking(systems)
    kinds: list[int] = []  # the first system with the same tokens
    for number, system in enumerate(systems):
        same = (k for k in dict.fromkeys(kinds) if _same_tokens(systems[k], system))
        kinds.append(next(same, number))
    lacking = dict.fromkeys(kinds, 0)
    for one, other in combinations(lacking, 2):
        count = sum(align(systems[one], systems[other], method=method).unaligned())
        lacking[one] += count * kinds.count(other)
        lacking[other] += count * kinds.count(one)

    def rank(kind: int) -> tuple[int, int, bytes]:
        text = replace(systems[kind], layers={}, extras={}, format="")
        return lacking[kind], -text.token_count, content_digest(text)

    best = min(lacking, key=rank) if len(lacking) > 1 else kinds[0]
    return [kind == best for kind in kinds]


def _same_tokens(one: Corpus, other: Corpus) -> bool:
    """Files of spans alone do not say how long their sentences are: they are given room."""
    if one.forms is None or other.forms is None:
        return one.forms is other.forms and one.sentence_count == other.sentence_count
    return np.array_equal(one.offsets, other.offsets) and one.forms == other.forms


def content_digest(corpus: Corpus) -> bytes:
    """A digest of everything that a corpus holds, wherever it came from."""
    found = blake2b(digest_size=16)
    for piece in _pieces(corpus):
        found.update(piece)
    return found.digest()


def _pieces(value: Any) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield str(value.shape).encode()
        yield value.tobytes()
    elif isinstance(value, Names):
        yield from _pieces(value.blob)
        yield from _pieces(value.bounds)
    elif isinstance(value, Mapping):
        for name in sorted(value):
            yield name.encode(errors="surrogatepass")
            yield from _pieces(value[name])
    elif is_dataclass(value):
        for each in fields(value):
            if each.name not in _ELSEWHERE:
                yield from _pieces(getattr(value, each.name))
    else:
        yield repr(value).encode(errors="surrogatepass")
