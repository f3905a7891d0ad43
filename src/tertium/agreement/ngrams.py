"""Variation n-grams (Dickinson and Meurers 2003): the same words, annotated differently.

A *nucleus* is a stretch of words that is annotated in more than one way in a corpus. Together with
the words around it that recur with the variation it is a variation n-gram. All nuclei grow at once,
as arrays: a group of occurrences with the same words splits by the next word on either side, and a
part goes on if its labels vary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.labels import Int64, bounds_of, ranges
from tertium.results.votes import Bools, Ints

UNANNOTATED = -1  # the label of words that are not annotated there
LEFT, RIGHT = 0, 1


@dataclass(frozen=True, eq=False)
class Nuclei:
    """Occurrences of all stretches of words that vary, those of one stretch together, in the order
    of the text: their tokens, what they are labelled (a code, or UNANNOTATED), and where each
    stretch begins among them."""

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

    def take(self, chosen: Ints | Bools) -> Groups:
        """Some of them, by their numbers or a mask."""
        first, last = self.bounds[:-1][chosen], self.bounds[1:][chosen]
        rows = self.rows[ranges(first, last)]
        return Groups(rows, bounds_of(last - first), self.left[chosen], self.right[chosen])

    def by_promise(self, nuclei: Nuclei, *, non_fringe: bool) -> Int64:
        """The numbers of groups, the most promising first: those with words on both sides, or these
        alone, then the longest, then the most frequent, then as the text has them."""
        fringe = np.minimum(self.left, self.right) == 0
        member = self.rows[self.bounds[:-1]]
        length = self.left + self.right + (nuclei.end - nuclei.start)[member]
        order = np.lexsort((self.left, nuclei.start[member], -self.sizes, -length, fringe))
        return order[~fringe[order]] if non_fringe else order

    @staticmethod
    def join(parts: list[Groups]) -> Groups:
        """Several one after another."""
        bounds = bounds_of(np.concatenate([part.sizes for part in parts]))
        columns = ("rows", "left", "right")
        rows, left, right = (np.concatenate([getattr(p, c) for p in parts]) for c in columns)
        return Groups(rows, bounds, left, right)


def find_nuclei(
    words: Ints, sentences: Int64, items: Int64, label: Ints, *, nested: bool = True
) -> Nuclei:
    """The nuclei of a text, given its words as codes, the words at which sentences begin and the
    last ends, and the items with their labels: a row of their first words and one of those behind
    their last, no two the same, each within a sentence. Words that are an item somewhere and none
    elsewhere vary, too, but not where they are part of an item, unless items are `nested`."""
    reach = np.zeros(len(words), np.int64)  # the end of the farthest item that began
    np.maximum.at(reach, items[0], 0 if nested else items[1])
    reach = np.maximum.accumulate(reach)
    sentence_end = np.repeat(sentences[1:], np.diff(sentences))
    size, most = items[1] - items[0], int(words.max(initial=0)) + 1
    place = np.arange(len(words), dtype=np.int64)
    code = np.zeros_like(place)
    found = [(place[:0],) * 4]
    for length in range(1, int(size.max(initial=0)) + 1):
        there = place + length <= sentence_end[place]
        place = place[there]
        longer = code[there] * most + words[place + length - 1]
        code = np.unique(longer, return_inverse=True)[1]
        again = np.bincount(code)[code] > 1
        place, code = place[again], code[again]
        if not len(place):
            break
        chosen = np.flatnonzero(size == length)
        if len(chosen):
            given = np.full(len(words), UNANNOTATED, np.int64)
            given[items[0, chosen]] = label[chosen]
            # What is no item lies in no other one.
            free = np.flatnonzero((given[place] != UNANNOTATED) | (reach[place] < place + length))
            rows, bounds = _varied(code[free], given[place[free]])
            first = place[free][rows]
            found.append((first, first + length, given[first], np.diff(bounds)))
    first, last, labels, sizes = (np.concatenate(column) for column in zip(*found, strict=True))
    return Nuclei(first, last, labels, bounds_of(sizes))


def longest(nuclei: Nuclei, words: Ints, texts: Int64, most: int) -> Groups:
    """The groups whose labels vary and would not with a further word on either side.

    `texts` are the words at which the sentences or files begin in which contexts lie, and the end
    of the last; `most` is the greatest number of words on a side. Contexts grow on the left, and
    each of these grows on the right. What shares a further word on the left then is left out: it
    also grows from the context with that word, so none is found twice.
    """
    of = np.searchsorted(texts, nuclei.start, side="right")
    grow = _Growth(nuclei, words, texts[of - 1], texts[of], most)
    rows = np.arange(len(nuclei.start), dtype=np.int64)
    reach = (np.zeros(len(nuclei.bounds) - 1, np.int64) for _ in (LEFT, RIGHT))
    started = grow.closed(Groups(rows, nuclei.bounds, *reach), LEFT)
    found = [started.take(rows[:0])]
    while len(started):
        groups = grow.closed(started, RIGHT)
        while len(groups):
            _, longer_left = grow.parts(groups, LEFT)
            parts, longer_right = grow.parts(groups, RIGHT)
            is_longest = np.ones(len(groups), np.bool_)
            is_longest[longer_left] = is_longest[longer_right] = False
            found.append(groups.take(is_longest))
            groups = grow.closed(parts.take(~grow.shared(parts, LEFT)), RIGHT)
        started = grow.closed(grow.parts(started, LEFT)[0], LEFT)
    return Groups.join(found)


@dataclass(frozen=True, eq=False)
class _Growth:
    """Makes contexts of nuclei longer; `low` and `high` are those of each occurrence."""

    nuclei: Nuclei
    words: Ints
    low: Int64
    high: Int64
    most: int

    def next_words(self, groups: Groups, side: int) -> Ints:
        """Of every row the next word on a side, -1 where there is none."""
        rows = groups.rows
        reach = np.repeat((groups.left, groups.right)[side], groups.sizes)
        beside = (self.nuclei.start[rows] - 1 - reach, self.nuclei.end[rows] + reach)[side]
        there = (reach < self.most) & (self.low[rows] <= beside) & (beside < self.high[rows])
        return np.where(there, self.words[np.where(there, beside, 0)], -1)

    def shared(self, groups: Groups, side: int) -> Bools:
        """Of every group: does the whole of it share the next word?"""
        word, first = self.next_words(groups, side), groups.bounds[:-1]
        lowest = np.minimum.reduceat(word, first)
        same: Bools = (lowest >= 0) & (lowest == np.maximum.reduceat(word, first))
        return same

    def closed(self, groups: Groups, side: int) -> Groups:
        """The same groups, each now with all further words on a side that the whole of it shares:
        in place, since whatever becomes a part of it shares them as well."""
        width, active = (groups.left, groups.right)[side], np.arange(len(groups))
        while len(active):
            active = active[self.shared(groups.take(active), side)]
            width[active] += 1
        return groups

    def parts(self, groups: Groups, side: int) -> tuple[Groups, Ints]:
        """Those with the same next word whose labels vary, and the group that each is of."""
        word = self.next_words(groups, side)
        there = np.flatnonzero(word >= 0)
        of = np.repeat(np.arange(len(groups)), groups.sizes)[there]
        key = of * (int(self.words.max(initial=0)) + 1) + word[there]
        rows = groups.rows[there]
        chosen, bounds = _varied(key, self.nuclei.label[rows])
        parent = of[chosen[bounds[:-1]]]
        reach = groups.left[parent] + (side == LEFT), groups.right[parent] + (side == RIGHT)
        return Groups(rows[chosen], bounds, *reach), parent


def _varied(key: Int64, label: Int64) -> tuple[Int64, Int64]:
    """Rows by their keys, those of keys that have different labels, and where each key begins."""
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    sizes, label = np.diff(first, append=len(key)), label[order]
    differ = np.minimum.reduceat(label, first) != np.maximum.reduceat(label, first)
    return order[np.repeat(differ, sizes)], bounds_of(sizes[differ])
