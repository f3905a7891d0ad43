"""Votes on one label per token (van Halteren, Daelemans and Zavrel 2001, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tertium.comparison.vote.weights import Table
from tertium.corpus.labels import Int32, Labels, Names
from tertium.corpus.layers import Tags
from tertium.results.votes import Votes

NOTHING = "_"  # where nobody votes


def vote_tags(votes: Votes, fold: Int32, table_of: Callable[[Sequence[str]], Table]) -> Tags:
    """The label with most votes for every token of the base; `fold` is that of each sentence."""
    said = np.ascontiguousarray(votes.codes.T)
    return Tags(winners(votes.labels, said, fold[votes.unit], table_of(votes.labels)))


def winners(names: Names, said: Int32, fold: Int32, table: Table) -> Labels:
    """The labels with most votes; `said` has a row of codes for every system, -1 for no vote."""
    from tertium.comparison.vote._kernels import most_votes

    found = most_votes(said, fold, table.values, table.column)
    silent = np.flatnonzero(found < 0)
    if not len(silent):
        return Labels(names, found)
    code = names.find(NOTHING)
    if code < 0:
        code, names = len(names), Names.of([*names, NOTHING])
    found[silent] = code
    return Labels(names, found)
