"""Panels: several sides that annotated one text, or parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.words import matched, sentence_codes
from tertium.corpus.corpus import Corpus
from tertium.corpus.join import join
from tertium.corpus.labels import Int64, ranges
from tertium.exceptions import AlignmentError
from tertium.results.items import Items, occurrence


@dataclass(frozen=True, eq=False)
class Panel:
    """Sides over one text.

    - `text`: the first side, followed by the sentences that only others have
    - `sides`: what each has; `sentences`: which sentences of the text these are
    - `alignments`: how each side lies over its sentences of the text
    """

    text: Corpus
    sides: tuple[Corpus, ...]
    sentences: tuple[Int64, ...]
    alignments: tuple[Alignment, ...]

    @classmethod
    def of(cls, sides: Sequence[Corpus], names: Sequence[str], method: str) -> Panel:
        """Raises AlignmentError where a side has no sentence in common with any other."""
        text = sides[0]
        sizes = [np.diff(side.offsets) for side in sides]
        if text.forms is None and len({*map(len, sizes)}) == 1:
            text = text.with_room(np.max(sizes, axis=0))  # the file does not say how long they are
        try:
            over = tuple(align(text, side, method=method) for side in sides)
            whole = np.arange(text.sentence_count)
            return cls(text, tuple(sides), (whole,) * len(sides), over)
        except AlignmentError as error:
            if method == "position" or any(side.forms is None for side in sides):
                raise
            text, sentences = _united(sides)
            count = np.bincount(np.concatenate(sentences), minlength=text.sentence_count)
            for name, own in zip(names, sentences, strict=True):
                if (count[own] > 1).any():
                    continue
                if len(names) == 2:
                    raise  # the first difference says it
                raise AlignmentError(
                    f"'{name}' has no sentence in common with the other annotators",
                    help="all annotators must have annotated the same sentences, or some of them; "
                    "'tertium diff' shows where two texts differ first",
                ) from error
        words = replace(text, layers={})
        parts = zip(sentences, sides, strict=True)
        over = tuple(align(words.take(own), side, method=method) for own, side in parts)
        return cls(text, tuple(sides), tuple(sentences), over)

    def tokens(self, side: int) -> Int64:
        """The tokens of the text that a side's alignment speaks of, in order."""
        own, bounds = self.sentences[side], self.text.offsets
        return ranges(bounds[own], bounds[own + 1])

    def partner(self, side: int) -> Int64:
        """Of every token of the text the side's, -1 for none."""
        found = np.full(self.text.token_count, -1, np.int64)
        found[self.tokens(side)] = self.alignments[side].system_of_gold
        return found

    def over(self, side: int, items: Items) -> Items:
        """A side's items over the tokens of the text, without tokens that have no partner."""
        alignment, tokens = self.alignments[side], self.tokens(side)
        if items.is_token:
            items = items.take(np.flatnonzero(alignment.gold_of_system[items.start] >= 0))
        found = items.over(alignment)
        start, size, second = tokens[found.start], found.end - found.start, found.second
        if second is not None:
            second = np.where(second >= 0, tokens[np.maximum(second, 0)], second)
        return replace(
            found,
            start=start.astype(np.int32),
            end=(start + size).astype(np.int32),
            second=second,
        )


def _united(sides: Sequence[Corpus]) -> tuple[Corpus, list[Int64]]:
    """All sentences of several corpora as one text, and which of them each corpus has.

    Sentences are paired by their characters: in order, and those left over by their text alone.
    """
    first, *codes = sentence_codes(sides)
    text, parts, places = first, [sides[0]], [np.arange(len(first))]
    for side, own in zip(sides[1:], codes, strict=True):
        place = matched(own, text)
        free = np.setdiff1d(np.arange(len(text)), place)
        left = np.flatnonzero(place < 0)
        place[left] = _by_text(own[left], text[free], free)
        new = np.flatnonzero(place < 0)
        place[new] = len(text) + np.arange(len(new))
        text = np.concatenate([text, own[new]])
        parts += [side.take(new)] if len(new) else []
        places.append(place)
    return join(parts), places


def _by_text(own: Int64, other: Int64, places: Int64) -> Int64:
    """Sentences paired by text alone: the n-th of one text with the n-th of the other."""
    rows = zip(other.tolist(), occurrence(other).tolist(), places.tolist(), strict=True)
    known = {(code, nth): place for code, nth, place in rows if code >= 0}
    keys = zip(own.tolist(), occurrence(own).tolist(), strict=True)
    return np.array([known.get(key, -1) for key in keys], np.int64)
