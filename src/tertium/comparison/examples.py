"""Single items on which two systems differ, in their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.comparison.differences import CLASSES, Pair
from tertium.comparison.sheets import Material, Sentence, Sheet
from tertium.comparison.views import View

ROOT, NO_HEAD = -1, -2


@dataclass(frozen=True, slots=True)
class Claim:
    """What gold or a system has on an item.

    - `label`: None where there is none; `type`: the error type, None of gold and of what is right
    - `first`, `last`: the item's words in the sentence, counted from 1; None for nowhere in it
    - `head`: the head's number, 0 for the root; None where there is none in the sentence
    """

    label: str | None
    type: str | None = None
    first: int | None = None
    last: int | None = None
    head: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The claim in JSON."""
        found = {"label": self.label, "type": self.type, "first": self.first, "last": self.last}
        return {**found, "head": self.head}


@dataclass(frozen=True, slots=True)
class Example:
    """An item on which two systems differ.

    - `kind`: its class, such as `corrections`; `item`: its number in the view
    - `first`, `last`: its words, as in `Claim`; of an extra item those that a system has
    - `gold`, `said_a`, `said_b`: None where there is nothing
    """

    metric: str
    a: str
    b: str
    kind: str
    item: int
    sentence: Sentence
    first: int | None
    last: int | None
    gold: Claim | None
    said_a: Claim | None
    said_b: Claim | None

    @property
    def text(self) -> str:
        """The words of the item."""
        return self.words_at(self.first, self.last)

    def words_at(self, first: int | None, last: int | None) -> str:
        """Some words of the sentence by their numbers."""
        if first is None or last is None:
            return ""
        return " ".join(self.sentence.words[first - 1 : last])

    def to_dict(self) -> dict[str, Any]:
        """The entry in `examples` of the JSON output."""
        of = self.sentence
        return {
            "metric": self.metric,
            "a": self.a,
            "b": self.b,
            "class": self.kind,
            "file": of.file,
            "document": of.document,
            "sentence": of.id,
            "words": list(of.words),
            "first": self.first,
            "last": self.last,
            "text": self.text,
            "gold": None if self.gold is None else self.gold.to_dict(),
            "said": {
                "a": None if self.said_a is None else self.said_a.to_dict(),
                "b": None if self.said_b is None else self.said_b.to_dict(),
            },
        }


@dataclass(frozen=True, eq=False)
class Examples:
    """The examples of one view, made when they are asked for."""

    material: Material
    view: View
    sheet: Sheet

    @classmethod
    def of(cls, material: Material, view: View) -> Examples:
        """Those of a view of a comparison that was made with `examples=True`."""
        return cls(material, view, material.sheet(view))

    def all(self, pair: Pair, limit: int | None = None) -> Iterator[Example]:
        """Class by class, the first `limit` of each."""
        for kind in CLASSES:
            yield from self.in_class(pair, kind, limit)

    def in_class(self, pair: Pair, kind: str, limit: int | None = None) -> Iterator[Example]:
        """The first `limit` items of a class in the order of the text; None for all."""
        items = pair.items_of(kind)
        sheet = self.sheet
        order = np.lexsort((items, sheet.first[items], sheet.sentence[items]))
        for item in items[order][:limit].tolist():
            yield self._example(pair, kind, item)

    def _example(self, pair: Pair, kind: str, item: int) -> Example:
        sheet = self.sheet
        sentence = self.material.sentence(int(sheet.sentence[item]))
        size = len(sentence.words)
        first, last = _places(int(sheet.first[item]), int(sheet.last[item]), size)
        gold = None
        if not sheet.extra[item]:
            code = int(sheet.gold[item])
            label = sheet.labels[code] if code >= 0 else None
            gold = Claim(label, None, first, last, _head(int(sheet.gold_head[item]), size))
        said = [self._said(row, item, size) for row in pair.rows]
        return Example(
            self.view.metric, pair.a, pair.b, kind, item, sentence, first, last, gold, *said
        )

    def _said(self, row: int, item: int, size: int) -> Claim | None:
        sheet = self.sheet
        if sheet.extra[item] and not sheet.answered[row, item]:
            return None
        code, type = int(sheet.label[row, item]), int(sheet.type[row, item])
        return Claim(
            sheet.labels[code] if code >= 0 else None,
            sheet.types[type] if not sheet.right[row, item] else None,
            *_places(int(sheet.said_first[row, item]), int(sheet.said_last[row, item]), size),
            _head(int(sheet.head[row, item]), size),
        )


def _places(first: int, last: int, size: int) -> tuple[int | None, int | None]:
    """Words counted from 1, those outside the sentence left out; None for nowhere in it."""
    if (first < 0 and last < 0) or first >= size:
        return None, None
    return max(first, 0) + 1, min(max(last, first), size - 1) + 1


def _head(head: int, size: int) -> int | None:
    """A head counted from 1, with 0 for the root."""
    return 0 if head == ROOT else head + 1 if 0 <= head < size else None
