"""Variation n-grams (Dickinson and Meurers 2003): the same words, annotated differently.

A *nucleus* is a stretch of words that is annotated in more than one way in a corpus. Together with
the words around it that recur with the variation it is a variation n-gram. All nuclei grow at once,
as arrays: a group of occurrences with the same words splits by the next word on either side, and a
part goes on if its labels vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int64, bounds_of, ranges

NOTHING = -1  # the label of words that are not annotated there
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Nuclei:
    """Occurrences of all stretches of words that vary, those of one stretch together, in the order
    of the text: their tokens, what they are labelled (a code, or NOTHING), and where each stretch
    begins among them."""

    start: Int64
    end: Int64
    label: Int64
    bounds: Int64


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of occurrences that share the words around them.

    - `rows`: the numbers of occurrences, rising within a group; `bounds`: where groups begin
    - `left`, `right`: how many words on each side of the nucleus they share
    """

    rows: Int64
    bounds: Int64
    left: Int64
    right: Int64

    def __len__(self) -> int:
        return len(self.left)

    @property
    def sizes(self) -> Int64:
        """How many occurrences each has."""
        return np.diff(self.bounds)

    def take(self, chosen: Ints) -> Groups:
        """Some of them, by their numbers."""
        first, last = self.bounds[chosen], self.bounds[chosen + 1]
        rows = self.rows[ranges(first, last)]
        return Groups(rows, bounds_of(last - first), self.left[chosen], self.right[chosen])

    @staticmethod
    def join(parts: list[Groups]) -> Groups:
        """Several one after another."""
        bounds = bounds_of(np.concatenate([part.sizes for part in parts]))
        columns = ("rows", "left", "right")
        rows, left, right = (np.concatenate([getattr(p, c) for p in parts]) for c in columns)
        return Groups(rows, bounds, left, right)


def find_nuclei(words: Ints, sentence_end: Int64, start: Ints, end: Ints, label: Ints) -> Nuclei:
    """The nuclei of a text, given its words as codes, where the sentence of each word ends, and the
    items: no two over the same words, each within a sentence. Words that are an item somewhere and
    none elsewhere vary, too."""
    size, most = end - start, int(words.max(initial=0)) + 1
    place = np.arange(len(words), dtype=np.int64)
    code = words.astype(np.int64)
    found: list[tuple[Int64, Int64, Int64, Int64]] = []
    for length in range(1, int(size.max(initial=0)) + 1):
        if length > 1:
            there = place + length <= sentence_end[place]
            place, code = place[there], code[there]
            code = _dense(code * most + words[place + length - 1])
        again = np.bincount(code)[code] > 1 if len(code) else np.zeros(0, np.bool_)
        place, code = place[again], code[again]
        if not len(place):
            break
        items = np.flatnonzero(size == length)
        if len(items):
            given = np.full(len(words), NOTHING, np.int64)
            given[start[items]] = label[items]
            found.append(_varying(place, code, given[place], length))
    none = np.zeros(0, np.int64)
    first, last, said, sizes = (
        np.concatenate(column) for column in zip(*found or [(none,) * 4], strict=True)
    )
    return Nuclei(first, last, said, bounds_of(sizes))


def _varying(
    place: Int64, code: Int64, label: Int64, length: int
) -> tuple[Int64, Int64, Int64, Int64]:
    """Of stretches of one length, sorted by place: those whose words have several labels, and how
    often each stretch occurs."""
    order = np.argsort(code, kind="stable")
    place, label = place[order], label[order]
    bounds = _bounds_of_runs(code[order])
    chosen = np.flatnonzero(_vary(label, bounds))
    rows = ranges(bounds[chosen], bounds[chosen + 1])
    place = place[rows]
    return place, place + length, label[rows], np.diff(bounds)[chosen]


def longest(nuclei: Nuclei, words: Ints, low: Int64, high: Int64, most: int) -> Groups:
    """The groups whose labels vary and would not with a further word on either side.

    `low` and `high` are, for every token, where the text begins and ends that its context may come
    from; `most` is the greatest number of words on a side.
    """
    grow = _Growth(nuclei, words, low[nuclei.start], high[nuclei.start], most)
    none = np.zeros(len(nuclei.bounds) - 1, np.int64)
    rows = np.arange(len(nuclei.start), dtype=np.int64)
    waiting: dict[int, list[Groups]] = {}
    _put(waiting, grow.closed(Groups(rows, nuclei.bounds, none, none.copy())))
    found = [Groups(rows[:0], np.zeros(1, np.int64), none[:0], none[:0])]
    while waiting:
        # By length: whatever leads to a group is shorter, so all its copies are here together.
        groups = _distinct(Groups.join(waiting.pop(min(waiting))))
        has_longer = np.zeros(len(groups), np.bool_)
        for side in (-1, 1):
            parts, parent = grow.split(groups, side)
            has_longer[parent] = True
            _put(waiting, grow.closed(parts))
        found.append(groups.take(np.flatnonzero(~has_longer)))
    return Groups.join(found)


@dataclass(frozen=True, eq=False)
class _Growth:
    """Makes contexts of nuclei longer; `low` and `high` are those of each occurrence."""

    nuclei: Nuclei
    words: Ints
    low: Int64
    high: Int64
    most: int

    def next_words(self, groups: Groups, side: int) -> Int64:
        """Of every row the next word on a side, -1 where there is none."""
        rows = groups.rows
        reach = np.repeat(groups.left if side < 0 else groups.right, groups.sizes)
        if side < 0:
            place = self.nuclei.start[rows] - 1 - reach
            there = place >= self.low[rows]
        else:
            place = self.nuclei.end[rows] + reach
            there = place < self.high[rows]
        there &= reach < self.most
        found = np.full(len(rows), -1, np.int64)
        found[there] = self.words[place[there]]
        return found

    def closed(self, groups: Groups) -> Groups:
        """With all words that the whole of a group shares."""
        for side, width in ((-1, groups.left), (1, groups.right)):
            active = np.arange(len(groups))
            while len(active):
                part = groups.take(active)
                word = self.next_words(part, side)
                lowest = np.minimum.reduceat(word, part.bounds[:-1])
                highest = np.maximum.reduceat(word, part.bounds[:-1])
                active = active[(lowest == highest) & (lowest >= 0)]
                width[active] += 1
        return groups

    def split(self, groups: Groups, side: int) -> tuple[Groups, Int64]:
        """The parts with the same next word whose labels vary, and the group that each is of."""
        word = self.next_words(groups, side)
        of = np.repeat(np.arange(len(groups)), groups.sizes)
        there = np.flatnonzero(word >= 0)
        key = of[there] * (int(self.words.max(initial=0)) + 1) + word[there]
        order = np.argsort(key, kind="stable")
        rows, of = groups.rows[there[order]], of[there[order]]
        bounds = _bounds_of_runs(key[order])
        chosen = np.flatnonzero(_vary(self.nuclei.label[rows], bounds))
        parent = of[bounds[chosen]]
        parts = Groups(rows, bounds, *(np.zeros(len(bounds) - 1, np.int64) for _ in "lr"))
        parts = parts.take(chosen)
        parts.left[:], parts.right[:] = groups.left[parent], groups.right[parent]
        (parts.left if side < 0 else parts.right)[:] += 1
        return parts, parent


def _put(waiting: dict[int, list[Groups]], groups: Groups) -> None:
    """Sort groups into those of each length of context."""
    length = groups.left + groups.right
    for each in np.unique(length).tolist():
        waiting.setdefault(each, []).append(groups.take(np.flatnonzero(length == each)))


def _distinct(groups: Groups) -> Groups:
    """Each once, of groups of one length: a member and the words on its left tell them apart."""
    first = groups.rows[groups.bounds[:-1]]
    _, chosen = np.unique(first * (int(groups.left.max()) + 1) + groups.left, return_index=True)
    return groups.take(chosen)


def _bounds_of_runs(key: Int64) -> Int64:
    """Where runs of equal keys begin, and the end of the last."""
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return np.append(starts, len(key)).astype(np.int64)


def _vary(label: Int64, bounds: Int64) -> Bools:
    """Of every group of rows: does it have different labels?"""
    if len(bounds) == 1:
        return np.zeros(0, np.bool_)
    first = bounds[:-1]
    different: Bools = np.minimum.reduceat(label, first) != np.maximum.reduceat(label, first)
    return different


def _dense(key: Int64) -> Int64:
    """Keys as numbers from 0."""
    return np.unique(key, return_inverse=True)[1].astype(np.int64)
