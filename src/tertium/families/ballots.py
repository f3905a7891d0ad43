"""Votes of several systems on a layer: what a family is given, and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Layer
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric
from tertium.results.items import Items
from tertium.results.votes import Votes

BLANK = "_"  # where nobody votes
SCALE = 2**20  # weights become integers, so that equal totals are equal


@dataclass(frozen=True, eq=False)
class Worth:
    """What votes on one layer are worth: `values[fold, voter, column]`, and each label's column.

    Column 0 is what a voter is worth whatever the label; the last fold is that of sentences which
    belong to none, where all are worth the same.
    """

    values: npt.NDArray[np.float64]
    column: Int64

    @property
    def overall(self) -> npt.NDArray[np.float64]:
        """Folds x voters, whatever the label."""
        return self.values[:, :, 0]

    @property
    def whole(self) -> Int64:
        """The values as integers."""
        return np.rint(self.values * SCALE).astype(np.int64)


class Voter(NamedTuple):
    """A system that votes on a layer: what the layer is called there, and how its tokens (as those
    of the system) lie over those of the base (as those of gold)."""

    corpus: Corpus
    layer: str
    alignment: Alignment


@dataclass(frozen=True, eq=False)
class Poll:
    """Who votes on a layer. The order of voters decides nothing.

    - `base`: the corpus whose tokens and sentences are voted on, usually the first voter's
    - `fold`: of each sentence of the base, as a row of `Worth.values`
    - `worth`: what votes are worth, given the names of all labels by their codes
    - `agreement`: how often each voter votes as another does, in all files; of what has equally
      many votes, that wins whose voters have more of it together
    """

    base: Corpus
    voters: Sequence[Voter]
    fold: Int32
    worth: Callable[[Sequence[str]], Worth]
    agreement: Int64


class Vote(NamedTuple):
    """The layer that voters decided on together; `lost` says of every voter what of its layer is no
    vote (empty if all is), `notes` what else a reader should know. `ties` counts places where votes
    alone do not decide."""

    layer: Layer
    lost: Sequence[str] = ()
    notes: Sequence[str] = ()
    ties: int = 0


@dataclass(frozen=True, eq=False)
class Proposals:
    """What annotators propose over a text, each distinct proposal once.

    - `items`: the proposals; `voters`: proposals x annotators
    - `chance`: how probable each is; `is_best`: is it the best in its place?
    - `agreement`: how reliable each annotator is, as `Poll.agreement` says of a voter
    """

    items: Items
    voters: npt.NDArray[np.bool_]
    chance: npt.NDArray[np.float64]
    is_best: npt.NDArray[np.bool_]
    agreement: Int64

    @classmethod
    def of(
        cls,
        votes: Votes,
        best: Int32,
        chance: npt.NDArray[np.float64],
        confidence: npt.NDArray[np.float64],
        nothing: str,
    ) -> Proposals:
        """What was voted for in the places of the votes' base, and what was found: the `best` label
        of every item, as a code, and its `confidence`; the `chance` of all that have votes
        (`Votes.cells`). `nothing` is the label of no item."""
        item, label, count = votes.cells
        voters = np.zeros((len(item), len(votes.sides)), np.bool_)
        voters[np.repeat(np.arange(len(item)), count), votes.side] = True
        is_best = best[item] == label
        # Labels that nobody gave have no voters.
        new = np.setdiff1d(np.flatnonzero(best >= 0), item[is_best])
        item, label = np.append(item, new), np.append(label, best[new])
        voters = np.vstack([voters, np.zeros((len(new), len(votes.sides)), np.bool_)])
        chance = np.append(chance, confidence[new])
        is_best = np.append(is_best, np.ones(len(new), np.bool_))
        rows = np.flatnonzero(label != votes.labels.find(nothing))
        items = votes.items_of(item[rows], label[rows])
        return cls(items, voters[rows], chance[rows], is_best[rows], reliability(votes))


@dataclass(frozen=True, eq=False)
class Ballot(ABC):
    """A layer on which systems can vote, because a metric judges it.

    - `column`: the layer's name in the base
    - `rank`: of several metrics that judge the layer the first of the highest rank gives weights
    """

    metric: Metric
    column: str

    @property
    def rank(self) -> int:
        """How far the metric looks at everything that is voted on."""
        return 0

    @abstractmethod
    def find(self, corpus: Corpus) -> str:
        """The layer's name in a file. Raises LayerError where the file has none."""

    @abstractmethod
    def votes(self, poll: Poll) -> Int64:
        """What every voter says at each place, as a row of numbers, -1 for nothing: two voters
        agree where their numbers are the same. Neither worth nor agreement is known yet."""

    @abstractmethod
    def count(self, poll: Poll) -> Vote:
        """Count the votes."""

    def elect(self, base: Corpus, found: Proposals) -> Vote:
        """A legal layer over the base of the best proposals."""
        raise UsageError(f"annotators cannot vote on what {self.metric!r} judges")

    def merge(self, base: Corpus, found: Proposals, origin: str) -> tuple[Corpus, list[str]]:
        """The base with a layer of the best proposals (`elect`) in place of its own, and notes."""
        vote = self.elect(base, found)
        layers = {**base.layers, self.column: vote.layer}
        made = replace(base, layers=layers, origin=origin, lines=None, problems=(), repaired=0)
        kept = [name for name in base.layers if name != self.column]
        copied = [f"copied unchanged from {base.origin}: {', '.join(kept)}"] if kept else []
        return made, [*vote.notes, *copied]

    def name_in(self, corpus: Corpus) -> str | None:
        """The layer's name in a file, None where the file has none."""
        try:
            return self.find(corpus)
        except LayerError:
            return None


def shared_votes(votes: Int64) -> Int64:
    """How often each voter votes as another does: once for every place and other voter."""
    from tertium.families._kernels import shared

    return shared(votes)  # type: ignore[no-any-return]


def in_text_order(names: Sequence[str]) -> Int64:
    """The place of every name among all of them in the order of their characters."""
    found = np.empty(len(names), np.int64)
    found[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return found


def winners(
    names: Names, said: Int32, fold: Int32, worth: Worth, agreement: Int64
) -> tuple[Labels, npt.NDArray[np.bool_]]:
    """The labels with most votes (van Halteren, Daelemans and Zavrel 2001, section 3.1), and where
    several have most.

    `said` has a row of codes for every voter, -1 for no vote; `fold` is that of each column. Of
    equally many votes those win whose voters agree more often with others (`Poll.agreement`), then
    the first in the order of characters; `_` stands where nobody votes.
    """
    from tertium.families._kernels import most_votes

    order = in_text_order(names)
    found, tied = most_votes(said, fold, worth.whole, worth.column, agreement, order)
    return Labels(names, found) if (found >= 0).all() else or_nothing(names, found), tied


def or_nothing(names: Names, codes: Int32) -> Labels:
    """The labels with these codes, `_` for -1."""
    names = Names.of(dict.fromkeys([*names, BLANK]))
    return Labels(names, np.where(codes < 0, np.int32(names.find(BLANK)), codes))


def reliability(votes: Votes) -> Int64:
    """How often each side votes as another one does, as if all could do so equally often: who votes
    much is not worth more than others. In whole parts, so equal totals are equal."""
    could = np.bincount(votes.side, votes.size[votes.item] - 1, len(votes.sides)).clip(1)
    found: Int64 = np.rint(SCALE * votes.agreement * (could.max(initial=1) / could)).astype(int)
    return found


def majority(votes: Votes) -> tuple[Int32, npt.NDArray[np.bool_]]:
    """`winners` of votes one by one, which are all worth the same: the codes of labels, -1 where
    nobody votes, and where several have most."""
    from tertium.families._kernels import most_ballots

    order = in_text_order(votes.labels)
    found, tied = most_ballots(votes.start, votes.side, votes.label, reliability(votes), order)
    return found, tied
