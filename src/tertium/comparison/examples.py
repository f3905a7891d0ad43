"""Single items on which two systems differ, in their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tertium.comparison.compare.views import View
from tertium.comparison.pairs import CLASSES, Pair
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.families.keys import NONE, document_names
from tertium.results.answers import Bools
from tertium.results.items import ROOT
from tertium.results.scenes import OUTSIDE, Mark, Scene
from tertium.results.sentences import has_words, sentence_ids


class Material:
    """The gold sentences of all files. `kept` are the numbers that the sentences of each have in
    their file, None if none was skipped."""

    def __init__(self, golds: Sequence[Corpus], kept: Sequence[Int64 | None] = ()) -> None:
        self.golds = tuple(golds)
        self.kept = kept or (None,) * len(golds)
        self.first_sentence = np.cumsum([0, *(g.sentence_count for g in golds)])

    @property
    def count(self) -> int:
        """How many sentences there are."""
        return int(self.first_sentence[-1])

    @cached_property
    def starts(self) -> Int64:
        """The first word of every sentence, counted through all files."""
        first = np.cumsum([0, *(g.token_count for g in self.golds)])
        return np.concatenate(
            [g.offsets[:-1] + base for g, base in zip(self.golds, first, strict=False)]
        )

    @cached_property
    def _ids(self) -> list[list[str]]:
        return [sentence_ids(g, kept) for g, kept in zip(self.golds, self.kept, strict=True)]

    @cached_property
    def _documents(self) -> list[list[str]]:
        return [document_names(g) for g in self.golds]

    @cached_property
    def _has_words(self) -> list[bool]:
        return [has_words(g) for g in self.golds]

    @cached_property
    def _spaces(self) -> list[Bools]:
        return [g.space_after for g in self.golds]

    def scene(self, number: int) -> Scene:
        """A sentence by its number through all files, without items. Numbers stand for the words in
        files that have none."""
        file = int(np.searchsorted(self.first_sentence, number, side="right")) - 1
        gold, kept, at = self.golds[file], self.kept[file], number - self.first_sentence[file]
        a, z = gold.offsets[at : at + 2].tolist()
        if gold.forms is not None and self._has_words[file]:
            names = gold.forms.names.strings
            words = tuple(names[code] for code in gold.forms.codes[a:z].tolist())
        else:
            words = tuple(str(n) for n in range(1, z - a + 1))
        document = self._documents[file][at]
        spaces = self._spaces[file][a:z]
        return Scene(
            self._ids[file][at],
            words,
            number=int(at if kept is None else kept[at]) + 1,
            document=None if document == NONE else document,
            file=gold.origin,
            spaces=None if spaces.all() else tuple(spaces.tolist()),
        )


@dataclass(frozen=True, eq=False)
class Examples:
    """The examples of a view of a comparison that was made with `examples=True`.

    Each is a scene with one item as gold and the two systems have it; its places are in focus, of
    an extra item those that a system has.
    """

    material: Material
    view: View

    @cached_property
    def _sentence(self) -> Int32:
        return self.view.answers.sentences(self.material.starts, self.view.unit)

    @cached_property
    def _places(self) -> list[tuple[Int32, Int32, Int32]]:
        of, base = self.view.answers, self.material.starts[self._sentence]
        return [of.place_in(side, base) for side in range(of.systems + 1)]

    def all(self, pair: Pair, limit: int | None = None) -> Iterator[tuple[str, Scene]]:
        """Class by class, the first `limit` of each, with the name of the class."""
        for kind in CLASSES:
            yield from ((kind, scene) for scene in self.in_class(pair, kind, limit))

    def in_class(self, pair: Pair, kind: str, limit: int | None = None) -> Iterator[Scene]:
        """The first `limit` items of a class in the order of the text; None for all."""
        items = pair.items_of(kind)
        first, _, _ = self._places[0]
        order = np.lexsort((items, first[items], self._sentence[items]))
        for item in items[order][:limit].tolist():
            yield self._example(item, [0, *(row + 1 for row in pair.rows)])

    def _example(self, item: int, sides: Sequence[int]) -> Scene:
        scene = self.material.scene(int(self._sentence[item]))
        first, last, _ = (int(column[item]) for column in self._places[0])
        return replace(
            scene,
            marks=tuple((self._mark(item, side, len(scene.words)),) for side in sides),
            focus=_inside(first, last, len(scene.words)),
        )

    def _mark(self, item: int, side: int, size: int) -> Mark | None:
        of, row = self.view.answers, side - 1
        code, type, outcome = int(of.gold[item]), None, None
        if item >= of.gold_items and not (side and of.answered[row, item]):
            return None
        if side:
            code = int(of.label[row, item])
            type = None if of.right[row, item] else of.types[of.type[row, item]]
            wrong = "extra" if item >= of.gold_items else "wrong"
            wrong = wrong if of.answered[row, item] else "missing"
            outcome = "correct" if of.right[row, item] else wrong
        at, to, second = (int(column[item]) for column in self._places[side])
        inside = _inside(at, to, size)
        places = tuple(range(inside[0], inside[1] + 1)) if inside else ()
        label = of.names[code] if code >= 0 else None
        return Mark(label, places, second if second < size else OUTSIDE, type, outcome)


def entry(pair: Pair, kind: str, scene: Scene) -> dict[str, Any]:
    """The entry of an example in `examples` of the JSON output. Words are counted from 1."""
    gold, a, b = (_told(side[0]) for side in scene.marks)
    first, last = scene.focus or (None, None)
    return {
        "metric": pair.metric,
        "a": pair.a,
        "b": pair.b,
        "class": kind,
        "file": scene.file,
        "document": scene.document,
        "sentence": scene.id,
        "words": list(scene.words),
        "first": _number(first),
        "last": _number(last),
        "text": scene.text,
        "gold": gold,
        "said": {"a": a, "b": b},
    }


def _told(mark: Mark | None) -> dict[str, Any] | None:
    return mark and {
        "label": mark.label,
        "type": mark.type,
        "first": _number(mark.first),
        "last": _number(mark.last),
        "head": mark.second + 1 if mark.second >= ROOT else None,  # 0 for the root
    }


def _number(place: int | None) -> int | None:
    return None if place is None else place + 1


def _inside(first: int, last: int, size: int) -> tuple[int, int] | None:
    """Places without those outside the sentence; None for nowhere in it."""
    if (first < 0 and last < 0) or first >= size:
        return None
    return max(first, 0), min(max(last, first), size - 1)
