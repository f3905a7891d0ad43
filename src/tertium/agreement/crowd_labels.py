"""What a method makes of the votes of a crowd: labels of items, and the worth of annotators; and
the layer that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.families.ballots import NOTHING as ABSENT
from tertium.families.ballots import Ballot, Candidates, Vote
from tertium.results.votes import NOTHING, SILENT, Bools, Floats, Votes

FREE, FOREIGN = -1, -2  # of control items: not one; with a label that no annotator gave


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a method found.

    - `label`: of every item, -1 for none; `chance`: of every cell (`Votes.cells`), how probable the
      label is there or, by majority, its share of the votes; `confidence`: that of an item's label
    - `entropy`: that of all labels of an item in nats, -inf without votes
    - `competence`: of every annotator: how probable it is that they know, give the right label or,
      by majority, vote with it
    - `tied`: items whose label was as good as a second one
    """

    label: Int32
    chance: Floats
    confidence: Floats
    entropy: Floats
    competence: Floats
    tied: Bools
    log_likelihood: float | None = None

    def within(self, threshold: float) -> Estimate:
        """Without labels of items whose entropy is above that of the share of items asked for.
        Items without votes count, as in MACE."""
        place = int(len(self.entropy) * threshold)
        if place >= len(self.entropy):
            return self
        limit = np.sort(self.entropy)[place]
        kept = self.entropy <= limit
        return replace(self, label=np.where(kept, self.label, np.int32(SILENT)))

    def labels(self, votes: Votes, known: Labels | None = None) -> Labels:
        """By name, `_` for none; a control item has its known label, also if nobody gave that."""
        missing = [ABSENT] if votes.labels.find(ABSENT) < 0 else []
        names = Names.of([*votes.labels, *missing])
        code = np.where(self.label < 0, names.find(ABSENT), self.label)
        found = Labels(names, code.astype(np.int32))
        if known is None:
            return found
        names, (code, given) = unite(found, known)
        return Labels(names, np.where(given == names.find(""), code, given).astype(np.int32))


def elect(ballot: Ballot, text: Corpus, votes: Votes, found: Estimate, labels: Labels) -> Vote:
    """The layer over a text that is made of the labels of items, where some are known and all
    others are as probable as was found."""
    item, code, count = votes.cells
    voters = np.zeros((len(item), len(votes.sides)), np.bool_)
    voters[np.repeat(np.arange(len(item)), count), votes.side] = True
    chance, is_best = found.chance, found.label[item] == code
    names, (own, chosen) = unite(Labels(votes.labels, code.astype(np.int32)), labels)
    new = np.setdiff1d(np.arange(len(votes)), item[own == chosen[item]])
    new = new[~np.isin(chosen[new], [names.find(name) for name in (ABSENT, NOTHING)])]
    if len(new):  # known labels that nobody gave
        every = np.ones((len(new), len(votes.sides)), np.bool_)
        item, own = np.append(item, new), np.append(own, chosen[new])
        voters, is_best = np.vstack([voters, every]), np.append(is_best, every[:, 0])
        chance = np.append(chance, np.ones(len(new)))
    kept = np.flatnonzero(own != names.find(NOTHING))
    items = votes.items_of(item[kept], Labels(names, own[kept].astype(np.int32)))
    return ballot.elect(
        text, Candidates(items, voters[kept], chance[kept], is_best[kept], votes.agreement)
    )


def entropy_of(shares: Floats, of_item: Int64, items: int) -> Floats:
    """The entropy of items, given the shares of labels and their items."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, -shares * np.log(shares), 0.0)
    found = np.full(items, -np.inf)
    there = np.bincount(of_item, minlength=items) > 0
    found[there] = np.bincount(of_item, terms, items)[there]
    return found


def codes_of(known: Labels, votes: Votes) -> Int32:
    """The codes of known labels, one per item: FREE for none (''), FOREIGN for one that nobody
    gave."""
    codes = np.array(
        [FREE if not name else votes.labels.find(name) for name in known.names] or [FREE]
    )
    foreign = np.array([bool(name) for name in known.names] or [False]) & (codes < 0)
    return np.where(foreign, FOREIGN, codes)[known.codes].astype(np.int32)


def best(votes: Votes, value: Floats) -> tuple[Int32, Bools]:
    """For every item the label whose votes have the largest value, the label that was seen first
    where several do, -1 without votes; and whether several do. Values of one label are equal."""
    found = np.full(len(votes), SILENT, np.int32)
    tied = np.zeros(len(votes), np.bool_)
    if not len(value):
        return found, tied
    item, label, _ = votes.cells
    value = value[votes.first_of_cell]
    begins = np.diff(item, prepend=-1) != 0
    of_item = np.cumsum(begins) - 1
    wins = np.flatnonzero(
        value >= np.maximum.reduceat(value, np.flatnonzero(begins))[of_item] - 1e-12
    )
    tied[item[begins]] = np.bincount(of_item[wins]) > 1
    found[item[wins[::-1]]] = label[wins[::-1]]  # the first of equal ones stays
    return found, tied
