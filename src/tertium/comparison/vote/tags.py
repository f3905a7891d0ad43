"""Votes on one label per token (van Halteren, Daelemans and Zavrel 2001, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.comparison.vote.weights import Table
from tertium.corpus.labels import Int32, Labels, Names, unite
from tertium.corpus.layers import Tags
from tertium.results.items import of_partner

NOTHING = "_"  # where nobody votes


@dataclass(frozen=True, eq=False)
class TagVotes:
    """One system's labels, and its token for each token of the base (-1 for none)."""

    labels: Labels
    partner: Int32


def vote_tags(
    votes: Sequence[TagVotes], fold: Int32, table_of: Callable[[Sequence[str]], Table]
) -> Tags:
    """The label with most votes for every token of the base; `fold` is that of each token."""
    names, codes = unite(*(v.labels for v in votes))
    said = np.stack([of_partner(code, v.partner, -1) for code, v in zip(codes, votes, strict=True)])
    return Tags(winners(names, said, fold, table_of(names)))


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
