"""Brackets that open and close mentions, and the numbers of their entities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tertium.corpus.labels import Int32, Int64, Labels
from tertium.corpus.layers import Bools

CLOSES, OPENS, BOTH = 0, 1, 2


class ChainBrackets(NamedTuple):
    """The brackets of a text in order: token, what each does, and the name of its chain."""

    token: Int64
    does: Int64
    name: Labels

    def some(self, chosen: Bools) -> ChainBrackets:
        """The chosen ones."""
        return ChainBrackets(self.token[chosen], self.does[chosen], self.name.take(chosen))

    def partners(self, document: Int64) -> Int64:
        """The bracket that closes or opens the same mention, -1 for none; a closing bracket belongs
        to the last one of its chain that is open in the document."""
        from tertium.formats.coref._kernels import pair_brackets

        count = len(self.does)
        top, before, partner = (np.full(n, -1) for n in (len(self.name.names), count, count))
        pair_brackets(self.does, self.name.codes, document, top, before, partner)
        return partner


def numbered(document: Int64, entity: Int64 | Int32) -> Int32:
    """Entities numbered in every document from 0 on, in the order of their first mentions.

    >>> numbered(np.array([0, 0, 0, 1]), np.array([7, 3, 7, 3])).tolist()
    [0, 1, 0, 0]
    """
    if not len(document):
        return np.zeros(0, np.int32)
    key = document * (int(entity.max()) + 1) + entity
    _, first, of_row = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # of entities, by their first mention
    of_entity = document[first[order]]
    number = np.empty(len(first), np.int32)
    number[order] = np.arange(len(first)) - np.searchsorted(of_entity, of_entity)
    return number[of_row]
