"""Scenes: items in the words of their sentence, as pictures and examples show them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.results.decisions import CORRECT, EXCUSED, OUTCOMES
from tertium.results.items import NOWHERE, ROOT, runs

if TYPE_CHECKING:
    from tertium.results.figures import Figure

OUTSIDE = -3  # in place of a second anchor: in another sentence
GAP = "…"  # in place of tokens without words that nothing touches
MOST_NUMBERS = 2_000  # of tokens without words; in longer sentences only some are shown
_RIGHT = (None, OUTCOMES[CORRECT], OUTCOMES[EXCUSED])


def is_error(outcome: str | None) -> bool:
    """Did the metric judge it, and not as right?"""
    return outcome not in _RIGHT


def shown_tokens(size: int, touched: Iterable[int]) -> tuple[int, ...] | None:
    """Where each place of a long sentence without words begins: the tokens that items touch, the
    first and the last have places of their own, and all between two of them share one. None where
    every token has its own, as the sentence is short.

    >>> shown_tokens(1_000_000, [6, 7])
    (0, 1, 6, 7, 8, 999999)
    """
    if size <= MOST_NUMBERS:
        return None
    kept = {0, size - 1, *(token for token in touched if 0 <= token < size)}
    return tuple(sorted(kept | {token + 1 for token in kept if token + 1 < size}))


def gaps_in(shown: Sequence[int]) -> list[int]:
    """The places that stand for several tokens."""
    return [place for place, (a, b) in enumerate(pairwise(shown)) if b > a + 1]


def numbers_at(shown: Sequence[int]) -> list[str]:
    """What stands at the places of a sentence without words."""
    found = [str(token + 1) for token in shown]
    for place in gaps_in(shown):
        found[place] = GAP
    return found


class Word(NamedTuple):
    """A token as one side's file has it; `number` is counted from 1 in the side's sentence."""

    form: str
    number: int
    upos: str | None = None
    line: int | None = None


# A named tuple and no dataclass because that takes three times as long to make.
class Mark(NamedTuple):
    """An item as one side has it.

    - `label`: whole, None where there is none; `compared`: as the metric compares it
    - `places`: in the scene, ascending; none for nowhere in it
    - `second`: the place of the second anchor; ROOT, NOWHERE or OUTSIDE. `second_number` is its
      number in its sentence of the side's file: 0 for the root, -1 for none; `second_form` is the
      word where it is OUTSIDE
    - `outcome`: what the metric decided, None if it did not judge the item; `type`: the error type
    - `row`: its number among the items of its side, -1 where that is not known
    - `chain`: the name of its chain, where items form chains
    """

    label: str | None
    places: tuple[int, ...] = ()
    second: int = NOWHERE
    type: str | None = None
    outcome: str | None = None
    compared: str | None = None
    second_number: int = -1
    second_form: str = ""
    row: int = -1
    chain: str | None = None

    @property
    def first(self) -> int | None:
        """The first place, None for nowhere."""
        return self.places[0] if self.places else None

    @property
    def last(self) -> int | None:
        """The last place, None for nowhere."""
        return self.places[-1] if self.places else None


@dataclass(frozen=True)
class Scene:
    """A sentence of gold, and items that one or several sides have in it.

    - `id`: the sentence's id or number; `number`: its place in the file, counted from 1; `file` and
      `line` say where it begins
    - `words`: what stands at every place of the text; `spaces`: which of them a space follows, None
      where all do. In drawings a system's words without a partner have places of their own
    - `marks`: sides x items, gold first; None where a side does not have the item
    - `tokens`: sides x places, what each file has there; None for nothing
    - `by_token`: is every word an item? `has_heads`: with its head as the second anchor?
    - `focus`: the first and last place of what the scene is about
    - `figure`: what is to be drawn, if anything is
    - `shown`: the first token of each place, counted from 0, where places stand for several tokens
      (`shown_tokens`); None where each is one
    """

    id: str
    words: tuple[str, ...]
    marks: tuple[tuple[Mark | None, ...], ...] = ()
    number: int = 0
    document: str | None = None
    file: str = ""
    line: int | None = None
    spaces: tuple[bool, ...] | None = None
    focus: tuple[int, int] | None = None
    tokens: tuple[tuple[Word | None, ...], ...] = ()
    by_token: bool = False
    has_heads: bool = False
    figure: Figure | None = None
    shown: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return len(self.words) if self.shown is None else self.shown[-1] + 1

    def place_of(self, token: int) -> int:
        """The place of a token, counted from 0; beyond all places for one beyond all tokens."""
        if self.shown is None:
            return token
        return bisect_right(self.shown, token) - 1 + max(token - self.shown[-1], 0)

    def number_at(self, place: int) -> int:
        """The number of the first token at a place, counted from 1."""
        return (place if self.shown is None else self.shown[place]) + 1

    def runs(self, mark: Mark, words: Sequence[Word | None]) -> list[tuple[int, int]]:
        """The numbers of an item's first and last token in every stretch without gaps, as the file
        of these words counts them."""
        if self.shown is None:
            return runs([word.number for place in mark.places if (word := words[place])])
        return [(self.number_at(a), self.number_at(z)) for a, z in runs(mark.places)]

    @property
    def has_system(self) -> bool:
        """Is there another side than gold?"""
        return len(self.marks) > 1

    @cached_property
    def rows(self) -> tuple[tuple[Mark | None, Mark | None], ...]:
        """Every item as gold and the first system have it."""
        return _paired(self.marks)

    @property
    def differing(self) -> tuple[int, ...]:
        """Numbers of the items that the metric does not find right."""
        return tuple(
            n
            for n, row in enumerate(self.rows)
            if any(mark is not None and is_error(mark.outcome) for mark in row)
        )

    @property
    def text(self) -> str:
        """The words in focus."""
        return "" if self.focus is None else " ".join(self.words[self.focus[0] : self.focus[1] + 1])

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium draw` (docs/verbs/draw.md)."""
        return {
            "sentence": self.id,
            "number": self.number,
            "file": self.file,
            **({"line": self.line} if self.line is not None else {}),
            "words": [*self._words()],
            "items": [*self._items()],
        }

    def _words(self) -> Iterator[dict[str, Any]]:
        for place, words in enumerate(_paired(self.tokens)):
            row = self.rows[place] if self.has_heads else (None, None)
            gold, system = (w and _word(w, mark) for w, mark in zip(words, row, strict=True))
            found: dict[str, Any] = {"gold": gold}
            if self.has_system:
                found["system"] = system
            if self.has_system and self.has_heads:
                found |= _same(*row)
            yield found

    def _items(self) -> Iterator[dict[str, Any]]:
        sides = ("gold", "system") if self.has_system else ("gold",)
        for row in self.rows:
            yield {
                side: mark and self._item(mark, self.tokens[number])
                for number, (side, mark) in enumerate(zip(sides, row, strict=False))
            }

    def _item(self, mark: Mark, words: Sequence[Word | None]) -> dict[str, Any]:
        there = [word for word in (words[place] for place in mark.places) if word]
        return {
            "label": mark.label,
            **(
                {"tokens": [word.number for word in there]}
                if self.shown is None
                else {"runs": self.runs(mark, words)}
            ),
            "text": " ".join(word.form for word in there),
            **({"second": mark.second_number} if mark.second != NOWHERE else {}),
            **({"outside": True} if mark.second == OUTSIDE else {}),
            **({} if mark.outcome is None else {"outcome": mark.outcome}),
            **({} if mark.type is None else {"type": mark.type}),
        }


def _paired(sides: Sequence[Sequence[Any]]) -> tuple[tuple[Any, Any], ...]:
    """What gold and the first system have."""
    gold = sides[0] if sides else ()
    system = sides[1] if len(sides) > 1 else (None,) * len(gold)
    return tuple(zip(gold, system, strict=True))


def _word(word: Word, mark: Mark | None) -> dict[str, Any]:
    found: dict[str, Any] = {"number": word.number, "form": word.form}
    if mark is not None:
        found["head"] = mark.second_number if mark.second_number >= 0 else None
        found["relation"] = mark.label
        found |= {"outside": True} if mark.second == OUTSIDE else {}
    found |= {"upos": word.upos} if word.upos is not None else {}
    found |= {"line": word.line} if word.line is not None else {}
    return found | ({"outcome": mark.outcome} if mark and mark.outcome is not None else {})


def _same(gold: Mark | None, system: Mark | None) -> dict[str, bool]:
    """Do two words have the same head and relation? A missing head is never the same."""
    if gold is None or system is None:
        return {"same_head": False, "same_relation": False}
    return {
        "same_head": gold.second == system.second >= ROOT,
        "same_relation": gold.compared == system.compared,
    }
