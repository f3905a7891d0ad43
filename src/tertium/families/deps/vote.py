"""Votes on trees: the best tree of the arcs that systems propose (Sagae and Lavie 2006).

Every arc is worth what the systems are worth together that have it; the tree is the maximum
spanning tree of these arcs (Chu and Liu 1965, Edmonds 1967). Its relations are voted on afterwards
by those who have the arc.

- Where a system's tree of a sentence has exactly one root, the result has exactly one, also if
  several would have more votes. Where every system has several, votes alone decide on them.
- Of trees with equally many votes the one wins whose arcs come from systems that agree more often
  with others (`Poll.agreement`), then one with smaller heads.
- A head that lies outside the base's sentence or has no partner in the base is no vote.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Arcs
from tertium.families.ballots import (
    BLANK,
    SCALE,
    Ballot,
    Poll,
    Proposals,
    Vote,
    Voter,
    winners,
)
from tertium.families.deps.attachment import ArcMetric
from tertium.families.deps.words import relations, token_heads
from tertium.formats.problems import check_heads
from tertium.results.items import ROOT, of_partner


@dataclass(frozen=True, eq=False)
class ArcBallot(Ballot):
    """Votes on trees."""

    @property
    def rank(self) -> int:
        """The vote is on heads and relations: a metric that looks at both comes first."""
        metric = self.metric
        return int(isinstance(metric, ArcMetric) and metric.uses_head and metric.uses_label)

    def find(self, corpus: Corpus) -> str:
        """There is one name for trees."""
        corpus.layer(self.column, Arcs)
        return self.column

    def votes(self, poll: Poll) -> Int64:
        """Head and relation of every word."""
        heads, _, names, codes = _said(poll)
        return np.where(heads >= 0, heads.astype(np.int64) * len(names) + codes, -1)

    def count(self, poll: Poll) -> Vote:
        """The tree with most votes for every sentence, then the relation with most for each arc."""
        from tertium.families._kernels import best_heads

        base, voters = poll.base, poll.voters
        heads, lost, names, codes = _said(poll)
        # Weights know relations as the metric compares them.
        way = self.metric.way if isinstance(self.metric, ArcMetric) else "universal"
        known = relations(Labels(names, np.arange(len(names), dtype=np.int32)), way)
        worth = poll.worth(known.to_list())
        weight = worth.whole[:, :, 0]
        fold = poll.fold[base.sentence_of_token]
        head, tied = best_heads(heads, base.offsets, fold, weight, poll.agreement)
        said = np.where((heads == head) & (head >= 0), codes, np.int32(-1))
        label, tied_labels = winners(names, said, fold, worth, poll.agreement)
        ties = int((tied | tied_labels).sum())
        told = [
            f"{count:,} arcs of {voter.corpus.origin} leave a sentence of {base.origin} or lead to "
            "a word it does not have: they do not vote"
            if count
            else ""
            for count, voter in zip(lost, voters, strict=True)
        ]
        return Vote(Arcs(head, label), told, _headless(head), ties)

    def elect(self, base: Corpus, found: Proposals) -> Vote:
        """The likeliest tree of every sentence, given the chances of its arcs, then the likeliest
        relation of each arc."""
        from tertium.families._kernels import best_heads

        items, sides = found.items, found.voters.shape[1]
        assert items.second is not None
        sentence = base.sentence_of(items.start)
        first, size = base.offsets[sentence], np.diff(base.offsets)[sentence]
        number = np.where(items.second == ROOT, 0, items.second - first + 1).astype(np.int32)
        # Kernels trust heads to lie inside their sentences.
        fine = (number >= 0) & (number <= size) & (items.second != items.start)
        items, number = items.take(np.flatnonzero(fine)), number[fine]
        voters, chance = found.voters[fine], found.chance[fine]
        heads = np.full((sides, base.token_count), -1, np.int32)
        weight = np.zeros((base.token_count, sides), np.int64)
        row, side = np.nonzero(voters)
        heads[side, items.start[row]] = number[row]
        share = chance / np.maximum(voters.sum(1), 1)
        weight[items.start[row], side] = np.rint(share * SCALE)[row]
        fold = np.arange(base.token_count, dtype=np.int32)
        head, _ = best_heads(heads, base.offsets, fold, weight, found.agreement)
        chosen = np.flatnonzero(number == head[items.start])
        chosen = chosen[np.lexsort((-chosen, chance[chosen]))]  # the best comes last
        names, (codes, none) = unite(items.label, Labels.of([BLANK]))
        label = np.full(base.token_count, none[0], np.int32)
        label[items.start[chosen]] = codes[chosen]
        return Vote(Arcs(head, Labels(names, label)), notes=_headless(head))


def _headless(head: Int32) -> list[str]:
    count = int((head < 0).sum())
    note = f"{count:,} words have no head, because the votes form no tree there"
    return [note] if count else []


def _said(poll: Poll) -> tuple[Int32, list[int], Names, Int32]:
    """Heads by voters and words of the base, how many arcs of each are no votes, and relations in
    the same way as heads, as codes of names."""
    voters = poll.voters
    for voter in voters:  # kernels trust heads to lie inside their sentences
        check_heads(voter.corpus, checks=frozenset())
    heads, lost = zip(*(_heads(poll.base, voter) for voter in voters), strict=True)
    names, codes = unite(*(v.corpus.layer(v.layer, Arcs).label for v in voters))
    partners = (voter.alignment.system_of_gold for voter in voters)
    said = [of_partner(code, at, -1) for code, at in zip(codes, partners, strict=True)]
    return np.stack(heads), [*lost], names, np.stack(said)


def _heads(base: Corpus, voter: Voter) -> tuple[Int32, int]:
    """A voter's heads for the words of the base, counted from 1 in the base's sentence, 0 for the
    root, -1 for no vote; and how many arcs of words with a partner are no votes."""
    system, alignment = voter.corpus, voter.alignment
    if system is base:
        return system.layer(voter.layer, Arcs).head, 0
    heads = of_partner(token_heads(system), alignment.system_of_gold, -2)
    inside = np.flatnonzero(heads >= 0)
    met = alignment.gold_of_system[heads[inside]].astype(np.int64)
    sentence = base.sentence_of_token[inside]
    is_vote = (met >= base.offsets[sentence]) & (met < base.offsets[sentence + 1]) & (met != inside)
    found = np.full(base.token_count, -1, np.int32)
    found[heads == -1] = 0
    found[inside[is_vote]] = (met - base.offsets[sentence] + 1)[is_vote]
    return found, int((~is_vote).sum())
