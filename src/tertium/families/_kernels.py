"""Hot loops that families share: the label with most votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

EQUAL = 1e-9  # sums of the same weights in another order differ by less


@kernel
def most_votes(votes: Any, fold: Any, table: Any, column: Any) -> Any:
    """The label with most votes for every token, -1 where nobody votes.

    `votes` has a row of label codes for every system, -1 for no vote; what a vote is worth is
    `table[fold of the token, system, column of the label]`. Of equal labels the one whose first
    voter comes first wins.
    """
    systems, tokens = votes.shape
    found = np.full(tokens, -1, np.int32)
    for token in range(tokens):
        most = -1.0
        for first in range(systems):
            label = votes[first, token]
            if label < 0:
                continue
            total = 0.0
            counted = False
            for system in range(systems):
                if votes[system, token] == label:
                    if system < first:
                        counted = True
                        break
                    total += table[fold[token], system, column[label]]
            if not counted and total > most + EQUAL:
                most = total
                found[token] = label
    return found
