"""Scenes: items in the words of their sentence, as pictures and examples show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Tags
from tertium.results.items import NOWHERE, ROOT, Items

OUTSIDE = -3  # in place of a second anchor: in another sentence


# A named tuple and no dataclass because that takes three times as long to make.
class Mark(NamedTuple):
    """An item as one side has it.

    - `label`: None where there is none; `type`: the error type, None of what is right or not judged
    - `first`, `last`: places in the scene, None for nowhere in it
    - `second`: the place of the second anchor; ROOT, NOWHERE or OUTSIDE
    - `same_label`, `same_second`: does the other side have the same? True if there is no other
    - `form`, `upos`, `line`: of the first word in the side's own file, and `number` and
      `second_number`: in the side's own sentence, counted from 1; 0 for the root, -1 for none
    """

    label: str | None
    first: int | None = None
    last: int | None = None
    second: int = NOWHERE
    type: str | None = None
    same_label: bool = True
    same_second: bool = True
    form: str = ""
    number: int = 0
    second_number: int = -1
    upos: str | None = None
    line: int | None = None

    @property
    def differs(self) -> bool:
        """Is anything about it not the same on both sides?"""
        return not (self.same_label and self.same_second)

    def to_dict(self) -> dict[str, Any]:
        """The word of a tree in the JSON output of `tertium draw`."""
        return {
            "number": self.number,
            "form": self.form,
            "head": self.second_number if self.second_number >= 0 else None,
            "relation": self.label,
            **({"outside": True} if self.second == OUTSIDE else {}),
            **({"upos": self.upos} if self.upos is not None else {}),
            **({"line": self.line} if self.line is not None else {}),
        }


@dataclass(frozen=True)
class Scene:
    """A sentence of gold, and items that one or several sides have in it.

    - `id`: the sentence's id or number; `number`: its place in the file, counted from 1; `file` and
      `line` say where it begins
    - `words`: what stands at every place of the text; `spaces`: which of them a space follows, None
      where all do. In drawings a system's words without a partner have places of their own
    - `marks`: sides x items, gold first; None where a side does not have the item
    - `focus`: the first and last place of what the scene is about
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

    @property
    def has_system(self) -> bool:
        """Is there another side than gold?"""
        return len(self.marks) > 1

    @cached_property
    def rows(self) -> tuple[tuple[Mark | None, Mark | None], ...]:
        """Every item as gold and the first system have it."""
        gold = self.marks[0]
        system = self.marks[1] if self.has_system else (None,) * len(gold)
        return tuple(zip(gold, system, strict=True))

    @cached_property
    def items(self) -> tuple[Mark, ...]:
        """Every item as gold has it, or else the first system that has it."""
        return _items(self.marks)

    @cached_property
    def differing(self) -> tuple[int, ...]:
        """Numbers of the items on which the sides differ."""
        return tuple(n for n, mark in enumerate(self.items) if mark.differs)

    def only_in(self, item: int) -> str:
        """The side that has an item alone, `gold` or `system`; empty if there is none."""
        gold, system = self.rows[item]
        return "" if (gold and system) or not self.has_system else "gold" if gold else "system"

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
            "words": [*self._told()],
        }

    def _told(self) -> Iterator[dict[str, Any]]:
        for (gold, system), mark in zip(self.rows, self.items, strict=True):
            found: dict[str, Any] = {"gold": gold and gold.to_dict()}
            if self.has_system:
                found["system"] = system and system.to_dict()
                found |= {"same_head": mark.same_second, "same_relation": mark.same_label}
            yield found


def _items(sides: Sequence[Sequence[Mark | None]]) -> tuple[Mark, ...]:
    found, *others = sides
    for side in others:
        found = [mark or other for mark, other in zip(found, side, strict=True)]
    return tuple(mark for mark in found if mark)


def sentence_ids(corpus: Corpus, kept: Int64 | None) -> list[str]:
    """The id of every sentence, or its number in the file, counted from 1; `kept` are the numbers
    that the sentences have there, None if none was left out."""
    numbers: Sequence[int] = range(corpus.sentence_count) if kept is None else kept.tolist()
    given = corpus.metadata("sent_id")
    return [id or str(number + 1) for id, number in zip(given, numbers, strict=True)]


class Scenes:
    """Makes scenes of sentences whose words are the items, as in trees.

    `ours` and `theirs` are the items of gold and system. Labels are compared without what follows a
    colon, unless `subtypes`. `kept` is as in `sentence_ids`.
    """

    def __init__(
        self,
        gold: Corpus,
        ours: Items,
        system: Corpus | None = None,
        theirs: Items | None = None,
        alignment: Alignment | None = None,
        *,
        subtypes: bool = False,
        kept: Int64 | None = None,
    ) -> None:
        self.corpus, self.alignment, self.subtypes, self.kept = gold, alignment, subtypes, kept
        self.sides = [(gold, ours)]
        if system is not None and theirs is not None:
            self.sides.append((system, theirs))

    @cached_property
    def ids(self) -> list[str]:
        """The id or number of every sentence."""
        return sentence_ids(self.corpus, self.kept)

    def number(self, sentence: int) -> int:
        """The place of a sentence in its file, counted from 1."""
        return (sentence if self.kept is None else int(self.kept[sentence])) + 1

    def scene(self, sentence: int) -> Scene:
        """A gold sentence, counted from 0.

        A system's word stands in the sentence of its partner; without one in the sentence that
        holds its first character.
        """
        corpus = self.corpus
        first, last = corpus.offsets[sentence : sentence + 2].tolist()
        places = [np.arange(first, last)]
        if self.alignment is not None:
            merged = _merged(self.alignment, sentence, first, last)
            places = [*np.array(merged, np.int64).reshape(-1, 2).T]
        sides = [_marks(*side, at) for side, at in zip(self.sides, places, strict=True)]
        if len(sides) > 1:
            pairs = [self._compared(*pair) for pair in zip(*sides, strict=True)]
            sides = [[gold for gold, _ in pairs], [system for _, system in pairs]]
        marks = tuple(map(tuple, sides))
        return Scene(
            id=self.ids[sentence],
            words=tuple(mark.form for mark in _items(marks)),
            marks=marks,
            number=self.number(sentence),
            file=corpus.origin,
            line=int(corpus.lines[first]) if corpus.lines is not None and last > first else None,
        )

    def _compared(self, gold: Mark | None, system: Mark | None) -> tuple[Mark | None, Mark | None]:
        """A word of each side with what is the same; a missing head never is."""
        same_label = same_second = False
        if gold is not None and system is not None:
            same_label = gold.label == system.label
            if not same_label and not self.subtypes:
                same_label = _universal(gold) == _universal(system)
            same_second = gold.second == system.second >= ROOT
            if same_label and same_second:
                return gold, system
        return (
            gold and gold._replace(same_label=same_label, same_second=same_second),
            system and system._replace(same_label=same_label, same_second=same_second),
        )


def _universal(mark: Mark) -> str:
    return (mark.label or "").split(":")[0]


def _marks(corpus: Corpus, items: Items, tokens: Int64) -> list[Mark | None]:
    """The items of some tokens; their second anchors are places in the list. None for token -1."""
    found: list[Mark | None] = [None] * len(tokens)
    place = np.flatnonzero(tokens >= 0)
    there = tokens[place]
    if not len(there):
        return found
    assert items.second is not None
    place_of = dict(zip(there.tolist(), place.tolist(), strict=True))
    base = corpus.offsets[corpus.sentence_of_token[there]]
    second = items.second[there]
    upos = corpus.layers.get("upos")
    unknown: list[Any] = [None] * len(there)
    columns = zip(
        place.tolist(),
        _strings(items.label, there),
        second.tolist(),
        _strings(corpus.forms, there) if corpus.forms is not None else ["_"] * len(there),
        (there - base + 1).tolist(),
        np.where(second >= 0, second - base + 1, second + 1).tolist(),
        _strings(upos.labels, there) if isinstance(upos, Tags) else unknown,
        corpus.lines[there].tolist() if corpus.lines is not None else unknown,
        strict=True,
    )
    for at, label, other, form, number, second_number, tag, line in columns:
        if other >= 0:
            other = place_of.get(other, OUTSIDE)
        found[at] = Mark(
            label, at, at, other, None, True, True, form, number, second_number, tag, line
        )
    return found


def _strings(labels: Labels, rows: Int64) -> list[str]:
    names = labels.names.strings
    return [names[code] for code in labels.codes[rows].tolist()]


def _merged(alignment: Alignment, sentence: int, first: int, last: int) -> list[tuple[int, int]]:
    """The tokens of a gold sentence and of the system over it in the order of the text, -1 for the
    side that has none. What begins at the same character: gold first."""
    partner = alignment.system_of_gold[first:last].tolist()
    a, z = np.searchsorted(alignment.unit_of_system, [sentence, sentence + 1]).tolist()
    alone = [
        token for token, other in enumerate(alignment.gold_of_system[a:z].tolist(), a) if other < 0
    ]
    starts = alignment.system_start[alone].tolist() if alone else []
    places: list[tuple[int, int]] = []
    done = 0
    for token, other in zip(range(first, last), partner, strict=True):
        start = int(alignment.gold_start[token])
        # Tokens of one multiword token begin alike: what the system has before the partner there
        # goes before the pair.
        while done < len(alone) and (alone[done] < other if other >= 0 else starts[done] < start):
            places.append((-1, alone[done]))
            done += 1
        places.append((token, other))
    return [*places, *((-1, token) for token in alone[done:])]
