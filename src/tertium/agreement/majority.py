"""Majority vote: every annotator is trusted alike."""

from __future__ import annotations

import numpy as np

from tertium.agreement.crowd_labels import Estimate, entropy_of
from tertium.corpus.labels import Int32
from tertium.families.ballots import majority
from tertium.results.votes import Bools, Floats, Votes

RUNS = 100  # as Hovy, Plank and Søgaard (2014)


def vote(votes: Votes) -> Estimate:
    """The label with most votes. Of labels with equally many, the one whose voters agree more often
    with others, then the first in the order of characters."""
    label, tied = majority(votes)
    item, _, count = votes.cells
    share = count / votes.size[item]
    confidence = np.zeros(len(votes))
    np.maximum.at(confidence, item, share)
    entropy = entropy_of(share, item, len(votes))
    given = np.bincount(votes.side, minlength=len(votes.sides))
    with_most = np.bincount(votes.side, votes.label == label[votes.item], len(votes.sides))
    with np.errstate(invalid="ignore"):
        competence = with_most / given  # nan for who gave none
    return Estimate(label, share, confidence, entropy, competence, tied)


def chances(votes: Votes) -> Floats:
    """How probable each label of an item (`votes.cells`) is to win where ties are broken at random:
    1 / n for every one of n that have most votes."""
    item, _, count = votes.cells
    most = np.zeros(len(votes), np.int64)
    np.maximum.at(most, item, count)
    wins = count == most[item]
    found: Floats = wins / np.maximum(np.bincount(item, wins, len(votes)), 1)[item]
    return found


def expected_accuracy(votes: Votes, gold: Int32, judged: Bools) -> float:
    """The accuracy of a majority vote as expected if ties were broken at random, over the judged
    items."""
    item, label, _ = votes.cells
    credit = np.bincount(item, chances(votes) * (label == gold[item]), len(gold))
    return float(credit[judged].mean())


def random_accuracy(votes: Votes, gold: Int32, judged: Bools, seed: int) -> float:
    """The same with ties broken at random, averaged over 100 runs."""
    rng = np.random.default_rng(seed)
    wins = np.flatnonzero(chances(votes) > 0)
    item, label = (column[wins] for column in votes.cells[:2])
    begins = np.flatnonzero(np.diff(item, prepend=-1))
    found = []
    for _ in range(RUNS):
        order = np.lexsort((rng.random(len(wins)), item))
        chosen = np.full(len(gold), -1, np.int64)
        chosen[item[begins]] = label[order[begins]]
        found.append((chosen == gold)[judged].mean())
    return float(np.mean(found))
