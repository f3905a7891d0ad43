"""Majority vote: every annotator is trusted alike."""

from __future__ import annotations

import numpy as np

from tertium.agreement.crowd_votes import Bools, CrowdVotes, Estimate, Floats, entropy_of
from tertium.corpus.labels import Int32
from tertium.families.ballots import majority

RUNS = 100  # as Hovy, Plank and Søgaard (2014)


def vote(ratings: CrowdVotes) -> Estimate:
    """The label with most votes. Of labels with equally many, the one whose voters agree more often
    with others, then the first in the order of characters."""
    votes = ratings
    label, tied = majority(
        *(votes.labels.strings, votes.start, votes.annotator, votes.label, votes.agreement)
    )
    size = np.diff(votes.start)
    at, item = votes.first_of_cell, votes.item
    share = votes.cell_votes / size[item[at]]
    confidence = np.zeros(len(size))
    np.maximum.at(confidence, item[at], share)
    entropy = entropy_of(share, item[at].astype(np.int64), len(size))
    given = np.bincount(votes.annotator, minlength=len(votes.sides))
    with_most = np.bincount(votes.annotator, votes.label == label[item], len(votes.sides))
    with np.errstate(invalid="ignore"):
        competence = with_most / given  # nan for who gave none
    return Estimate(label, confidence, entropy, competence, tied)


def chances(ratings: CrowdVotes) -> Floats:
    """How probable each vote is to win where ties are broken at random: 1 / n for every label of n
    that have most votes."""
    count, item = ratings.cell_votes[ratings.cell], ratings.item
    most = np.zeros(len(ratings.items), np.int64)
    np.maximum.at(most, item, count)
    wins = count == most[item]
    at = ratings.first_of_cell
    winners = np.bincount(item[at], wins[at], len(most))
    found: Floats = np.where(wins, 1 / np.maximum(winners[item], 1), 0.0)
    return found


def expected_accuracy(ratings: CrowdVotes, gold: Int32, judged: Bools) -> float:
    """The accuracy of a majority vote as expected if ties were broken at random, over the judged
    items."""
    at = ratings.first_of_cell
    right = ratings.label[at] == gold[ratings.item[at]]
    credit = np.bincount(ratings.item[at], chances(ratings)[at] * right, len(gold))
    return float(credit[judged].mean())


def random_accuracy(ratings: CrowdVotes, gold: Int32, judged: Bools, seed: int) -> float:
    """The same with ties broken at random, averaged over 100 runs."""
    rng = np.random.default_rng(seed)
    at = ratings.first_of_cell
    item, label = ratings.item[at], ratings.label[at]
    wins = np.flatnonzero(chances(ratings)[at] > 0)
    item, label = item[wins], label[wins]
    begins = np.flatnonzero(np.diff(item, prepend=-1))
    found = []
    for _ in range(RUNS):
        order = np.lexsort((rng.random(len(wins)), item))
        chosen = np.full(len(gold), -1, np.int32)
        chosen[item[begins]] = label[order[begins]]
        found.append((chosen == gold)[judged].mean())
    return float(np.mean(found))
