"""Where the items of both sides stand in one sentence, whatever their tokens."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from tertium.align.tokens import Alignment
from tertium.comparison.errors.instances import Context, Range
from tertium.comparison.errors.texts import KEPT, Line, Texts, has_words
from tertium.corpus.corpus import Corpus

FARTHEST = 5  # times the size of a context: a head beyond is named, but not shown


@dataclass(frozen=True, slots=True)
class Marks:
    """What is to be shown of one side, as tokens of its corpus.

    `runs` are the first and last token of each stretch without gaps, `head` is the head of a word,
    -1 where there is none.
    """

    runs: tuple[tuple[int, int], ...] = ()
    head: int = -1


class Contexts:
    """Sentences with both sides' items marked in them.

    The words are those of the gold side. If it has none they are the system's, and if neither has
    any, the numbers of the tokens stand for them; all such corpora are paired by number.
    """

    def __init__(self, gold: Corpus, system: Corpus, alignment: Alignment, size: int) -> None:
        self.gold, self.system, self.alignment, self.size = gold, system, alignment, size
        self.has_gold, self.has_system = has_words(gold), has_words(system)
        self.gold_texts = Texts(gold) if self.has_gold else None
        self.system_texts = Texts(system) if self.has_system else None

    def context(self, unit: int, gold: Marks, system: Marks) -> Context:
        """The sentence with the marks, cut to `size` characters around them."""
        line = self._line(unit)
        ours = partial(self._numbered, self.gold)
        theirs = self._over_gold if self.has_gold else partial(self._numbered, self.system)
        marked = {
            "gold": _ranges(gold, ours, unit, line),
            "system": _ranges(system, theirs, unit, line),
        }
        heads = {
            "gold_head": ours(gold.head, unit, line),
            "system_head": theirs(system.head, unit, line),
        }
        items = [*marked["gold"], *marked["system"]]
        # A head far away would bring along all that stands between.
        far = self.size * FARTHEST
        low = min((a for a, _ in items), default=0) - far
        high = max((z for _, z in items), default=0) + far
        heads = {n: h if h and low <= h[0] and h[1] <= high else None for n, h in heads.items()}
        first, last = self._window(line, [*items, *(h for h in heads.values() if h)])
        return Context(
            text=line.text[first:last],
            gold=tuple((a - first, z - first) for a, z in marked["gold"]),
            system=tuple((a - first, z - first) for a, z in marked["system"]),
            **{n: (h[0] - first, h[1] - first) if h else None for n, h in heads.items()},
            left_out=(first, len(line.text) - last),
            numbers=not (self.has_gold or self.has_system),
        )

    def _line(self, unit: int) -> Line:
        if self.gold_texts is not None:
            return self.gold_texts.line(unit)
        if self.system_texts is not None:
            return self.system_texts.line(unit)
        sizes = [int(c.offsets[unit + 1] - c.offsets[unit]) for c in (self.gold, self.system)]
        return _numbers(max(sizes))

    def _numbered(self, corpus: Corpus, token: int, unit: int, line: Line) -> Range | None:
        """A token by its number in the sentence; None if it stands in another one."""
        place = token - int(corpus.offsets[unit])
        if token < 0 or not 0 <= place < int(corpus.offsets[unit + 1] - corpus.offsets[unit]):
            return None
        return line.start[place], line.end[place]

    def _over_gold(self, token: int, unit: int, line: Line) -> Range | None:
        """A token of the system among the gold words: its partner, or the same characters."""
        if token < 0:
            return None
        partner = int(self.alignment.gold_of_system[token])
        if partner >= 0:
            return self._numbered(self.gold, partner, unit, line)
        a, z = int(self.gold.offsets[unit]), int(self.gold.offsets[unit + 1])
        start, end = self.alignment.gold_start[a:z], self.alignment.gold_end[a:z]
        atom = int(self.alignment.system_start[token])
        stop = int(self.alignment.system_end[token])
        if a == z or stop <= start[0] or atom >= end[-1]:
            return None
        first = int(np.searchsorted(end, atom, side="right"))
        last = int(np.searchsorted(start, stop - 1, side="right")) - 1
        places = _characters(line.text[line.start[first] : line.end[first]])
        begin = line.start[first]
        if len(places) == end[first] - start[first] and atom > start[first]:
            begin += places[atom - int(start[first])]
        places = _characters(line.text[line.start[last] : line.end[last]])
        finish = line.end[last]
        if len(places) == end[last] - start[last] and stop < end[last]:
            finish = line.start[last] + places[stop - 1 - int(start[last])] + 1
        return begin, finish

    def _window(self, line: Line, ranges: Sequence[Range]) -> Range:
        """The characters to show: whole tokens, at most `size` characters beyond the marks."""
        first = min((a for a, _ in ranges), default=0)
        last = max((z for _, z in ranges), default=0)
        low, high = first - self.size, last + self.size
        if low > 0:
            at = bisect_left(line.start, low)
            first = min(first, line.start[at]) if at < len(line.start) else first
        else:
            first = 0
        if high < len(line.text):
            at = bisect_right(line.end, high) - 1
            last = max(last, line.end[at]) if at >= 0 else last
        else:
            last = len(line.text)
        return first, last


def _ranges(
    marks: Marks, place: Callable[[int, int, Line], Range | None], unit: int, line: Line
) -> list[Range]:
    """The characters of every run; what lies outside the sentence is cut off."""
    found: list[Range] = []
    for first, last in marks.runs:
        begin, end = place(first, unit, line), place(last, unit, line)
        if begin or end:
            found.append((begin[0] if begin else 0, end[1] if end else len(line.text)))
    return found


@lru_cache(KEPT)
def _numbers(count: int) -> Line:
    """The numbers of tokens with spaces between."""
    words = [str(number) for number in range(1, count + 1)]
    ends = np.cumsum([len(word) + 1 for word in words]) - 1 if words else np.zeros(0, np.int64)
    starts = ends - np.array([len(word) for word in words], np.int64)
    return Line(" ".join(words), tuple(starts.tolist()), tuple(ends.tolist()))


def _characters(form: str) -> list[int]:
    """Where the characters of a form stand that are no spaces: what alignment counts."""
    return [i for i, c in enumerate(form) if unicodedata.category(c) != "Zs"]
