"""Sentences chosen from a corpus, and where what belongs to them goes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tertium.corpus.labels import Int64, bounds_of, ranges
from tertium.exceptions import LayerError


@dataclass(frozen=True, eq=False)
class Cut:
    """Sentences chosen from a corpus, in a new order: what `take` needs to move a layer.

    Offsets say where the tokens and the empty nodes of every sentence begin, before and after.
    """

    sentences: Int64
    old_offsets: Int64
    new_offsets: Int64
    old_empty: Int64
    new_empty: Int64

    @classmethod
    def of(cls, sentences: Int64, offsets: Int64, empty: Int64) -> Cut:
        """The cut that chooses these sentences of a corpus with these offsets."""
        new = [_gathered(bounds, sentences) for bounds in (offsets, empty)]
        return cls(sentences, offsets, new[0], empty, new[1])

    @cached_property
    def tokens(self) -> Int64:
        """The tokens of the chosen sentences."""
        return ranges(self.old_offsets[self.sentences], self.old_offsets[self.sentences + 1])

    def move(self, positions: Int64, seen_from: Int64, what: str) -> Int64:
        """New offsets of rows in the new sentences `seen_from`. A row that ends in a later sentence
        keeps its length only if all sentences between are chosen with it, in order."""
        shift = self.new_offsets[:-1] - self.old_offsets[self.sentences]
        moved: Int64 = positions + shift[seen_from]
        beyond = np.flatnonzero(positions > self.old_offsets[self.sentences + 1][seen_from])
        if len(beyond):
            last, start = positions[beyond] - 1, seen_from[beyond]
            ends = self.follow(last, start, self.old_offsets, self.new_offsets, what) + 1
            if not np.array_equal(ends, moved[beyond]):
                row = int((ends != moved[beyond]).argmax())
                raise LayerError(
                    f"{what} in sentence {self.sentences[start[row]] + 1} leads over sentences "
                    "that are not chosen in their order",
                    help="choose sentences together with those that their annotation leads to",
                )
        return moved

    def follow(self, numbers: Int64, seen_from: Int64, old: Int64, new: Int64, what: str) -> Int64:
        """New numbers of things that stand sentence by sentence, `old` and `new` saying where those
        of each sentence begin. `seen_from` is the new sentence from which each is pointed at: of a
        repeated sentence every copy points into itself."""
        target = np.searchsorted(old, numbers, side="right") - 1
        inside = self.sentences[seen_from] == target
        at = seen_from
        if not inside.all():
            place = np.full(len(old) - 1, -1, np.int64)
            place[self.sentences] = np.arange(len(self.sentences))
            place[np.bincount(self.sentences, minlength=len(place)) > 1] = -1
            at = np.where(inside, seen_from, place[target])
            if (at < 0).any():
                row = int((at < 0).argmax())
                raise LayerError(
                    f"{what} in sentence {self.sentences[seen_from[row]] + 1} leads to sentence "
                    f"{target[row] + 1}, which is not among the chosen sentences, or not just once",
                    help="choose sentences together with those that their annotation leads to",
                )
        moved: Int64 = numbers - old[target] + new[at]
        return moved


class TableRows:
    """The rows of one table that a cut keeps, sentence by sentence: sentences may be repeated."""

    def __init__(self, of_row: Int64, cut: Cut) -> None:
        order = np.argsort(of_row, kind="stable")
        self.old = np.searchsorted(of_row[order], np.arange(len(cut.old_offsets)))
        self.new = _gathered(self.old, cut.sentences)
        self.kept = order[ranges(self.old[cut.sentences], self.old[cut.sentences + 1])]
        self.sentence = np.repeat(np.arange(len(cut.sentences)), np.diff(self.new))
        self.rank = np.empty(len(order), np.int64)
        self.rank[order] = np.arange(len(order))


def _gathered(bounds: Int64, chosen: Int64) -> Int64:
    """Where each of the chosen stretches begins when they stand one after another."""
    return bounds_of(bounds[chosen + 1] - bounds[chosen])
