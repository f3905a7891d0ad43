"""Votes of several systems on a layer: what a family is given, and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Layer
from tertium.exceptions import LayerError
from tertium.families.base import Metric

NOTHING = "_"  # where nobody votes


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


class Voter(NamedTuple):
    """A system that votes on a layer: what the layer is called there, and how its tokens (as those
    of the system) lie over those of the base (as those of gold)."""

    corpus: Corpus
    layer: str
    alignment: Alignment


@dataclass(frozen=True, eq=False)
class Poll:
    """Who votes on a layer, in the order in which ties are decided.

    - `base`: the corpus whose tokens and sentences are voted on, usually the first voter's
    - `fold`: of each sentence of the base, as a row of `Worth.values`
    - `worth`: what votes are worth, given the names of all labels by their codes
    """

    base: Corpus
    voters: Sequence[Voter]
    fold: Int32
    worth: Callable[[Sequence[str]], Worth]


class Vote(NamedTuple):
    """The layer that voters decided on together; `lost` says of every voter what of its layer is no
    vote (empty if all is), `notes` what else a reader should know."""

    layer: Layer
    lost: Sequence[str] = ()
    notes: Sequence[str] = ()


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
    def count(self, poll: Poll) -> Vote:
        """Count the votes."""

    def name_in(self, corpus: Corpus) -> str | None:
        """The layer's name in a file, None where the file has none."""
        try:
            return self.find(corpus)
        except LayerError:
            return None


def winners(names: Names, said: Int32, fold: Int32, worth: Worth) -> Labels:
    """The labels with most votes (van Halteren, Daelemans and Zavrel 2001, section 3.1).

    `said` has a row of codes for every voter, -1 for no vote; `fold` is that of each column. Of
    equally many votes those win whose first voter comes first; `_` stands where nobody votes.
    """
    from tertium.families._kernels import most_votes

    found = most_votes(said, fold, worth.values, worth.column)
    silent = np.flatnonzero(found < 0)
    if not len(silent):
        return Labels(names, found)
    code = names.find(NOTHING)
    if code < 0:
        code, names = len(names), Names.of([*names, NOTHING])
    found[silent] = code
    return Labels(names, found)
