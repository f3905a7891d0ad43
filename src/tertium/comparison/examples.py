"""Single items on which two systems differ, in their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tertium.comparison.compare.changes import NONE
from tertium.comparison.compare.look import ARROW, CompareLook
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import CLASSES, Pair
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.families.keys import NONE as NO_DOCUMENT
from tertium.families.keys import document_names
from tertium.results.answers import Bools
from tertium.results.blocks import Block, Column, Table, Text
from tertium.results.items import ROOT, run_text
from tertium.results.scenes import MOST_NUMBERS, OUTSIDE, Mark, Scene, numbers_at, shown_tokens
from tertium.results.sentences import sentence_ids
from tertium.results.texts import in_words, visible

AROUND = 28  # characters on either side of an item
CUT = "…"


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
        return [g.has_words for g in self.golds]

    @cached_property
    def _spaces(self) -> list[Bools | None]:
        return [None if g.forms is None else g.space_after for g in self.golds]

    def scenes(self, views: Iterable[View]) -> list[Scene]:
        """All sentences, with places for the items of some views."""
        touched: dict[int, set[int]] = {}
        if any(g.forms is None and (np.diff(g.offsets) > MOST_NUMBERS).any() for g in self.golds):
            for view in views:
                for sentence, tokens in Examples(self, view).touched():
                    touched.setdefault(sentence, set()).update(tokens)
        return [self.scene(number, touched.get(number, ())) for number in range(self.count)]

    def scene(self, number: int, touched: Iterable[int] = ()) -> Scene:
        """A sentence by its number through all files, without items. Numbers stand for the words in
        files that have none; of many, only the `touched` tokens have places of their own."""
        file = int(np.searchsorted(self.first_sentence, number, side="right")) - 1
        gold, kept, at = self.golds[file], self.kept[file], number - self.first_sentence[file]
        a, z = gold.offsets[at : at + 2].tolist()
        shown = None if gold.forms is not None else shown_tokens(z - a, touched)
        if gold.forms is not None and self._has_words[file]:
            names = gold.forms.names.strings
            words = tuple(names[code] for code in gold.forms.codes[a:z].tolist())
        else:
            words = tuple(numbers_at(shown or range(z - a)))
        document = self._documents[file][at]
        spaces = self._spaces[file]
        after = () if spaces is None else spaces[a:z].tolist()
        return Scene(
            self._ids[file][at],
            words,
            number=int(at if kept is None else kept[at]) + 1,
            document=None if document == NO_DOCUMENT else document,
            file=gold.origin,
            spaces=None if all(after) else tuple(after),
            shown=shown,
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

    def touched(self) -> Iterator[tuple[int, list[int]]]:
        """The sentence of every item, and the tokens there that any side has as an end of it."""
        columns = np.array([column for side in self._places for column in side])
        return zip(self._sentence.tolist(), columns.T.tolist(), strict=True)

    def all(self, pair: Pair, limit: int | None = None) -> Iterator[tuple[str, Scene]]:
        """Class by class, the first `limit` of each, with the name of the class."""
        for kind in CLASSES:
            yield from ((kind, scene) for scene in self.in_class(pair, kind, limit))

    def in_class(self, pair: Pair, kind: str, limit: int | None = None) -> Iterator[Scene]:
        """The first `limit` items of a class in the order of the text; None for all."""
        items = pair.items_of(kind)
        if pair.answers.number is not None:  # as they are numbered in the view
            items = pair.answers.number[items]
        first, _, _ = self._places[0]
        order = np.lexsort((items, first[items], self._sentence[items]))
        for item in items[order][:limit].tolist():
            yield self._example(item, [0, *(row + 1 for row in pair.rows)])

    def _example(self, item: int, sides: Sequence[int]) -> Scene:
        touched = [int(column[item]) for side in (0, *sides) for column in self._places[side]]
        scene = self.material.scene(int(self._sentence[item]), touched)
        first, last, *_ = touched
        return replace(
            scene,
            marks=tuple((self._mark(item, side, scene),) for side in sides),
            focus=_inside(first, last, scene),
        )

    def _mark(self, item: int, side: int, scene: Scene) -> Mark | None:
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
        inside = _inside(at, to, scene)
        places = tuple(range(inside[0], inside[1] + 1)) if inside else ()
        label = of.names[code] if code >= 0 else None
        if second >= 0:
            second = scene.place_of(second) if second < scene.size else OUTSIDE
        return Mark(label, places, second, type, outcome)


def entry(pair: Pair, kind: str, scene: Scene) -> dict[str, Any]:
    """The entry of an example in `examples` of the JSON output. Words are counted from 1."""
    gold, a, b = (_told(side[0], scene) for side in scene.marks)
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
        "first": _number(first, scene),
        "last": _number(last, scene),
        "text": scene.text,
        "gold": gold,
        "said": {"a": a, "b": b},
    }


def to_row(pair: Pair, kind: str, scene: Scene) -> dict[str, Any]:
    """The row of an example in CSV."""
    gold, a, b = claims(pair, scene)
    return {
        "section": "examples",
        "metric": pair.metric,
        "a": pair.a,
        "b": pair.b,
        "class": kind,
        "gold": gold,
        "from": a,
        "to": b,
        "sentence": scene.id,
        "text": in_context(scene, around=None),
    }


def _told(mark: Mark | None, scene: Scene) -> dict[str, Any] | None:
    return mark and {
        "label": mark.label,
        "type": mark.type,
        "first": _number(mark.first, scene),
        "last": _number(mark.last, scene),
        "head": 0 if mark.second == ROOT else _number(mark.second, scene),
    }


def _number(place: int | None, scene: Scene) -> int | None:
    return None if place is None or place < 0 else scene.number_at(place)


def _inside(first: int, last: int, scene: Scene) -> tuple[int, int] | None:
    """The places of tokens without those outside the sentence; None for nowhere in it."""
    if (first < 0 and last < 0) or first >= scene.size:
        return None
    end = min(max(last, first), scene.size - 1)
    return scene.place_of(max(first, 0)), scene.place_of(end)


def example_blocks(
    material: Material | None, view: View, pairs: Iterable[Pair], look: CompareLook
) -> list[Block]:
    """The first examples of every class of some pairs."""
    if look.examples is None or material is None:
        return []
    source = Examples(material, view)
    blocks: list[Block] = []
    for pair in pairs:
        found = list(source.all(pair, look.examples or None))
        if found and look.is_text:
            blocks.append(Text(f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples", role="title"))
            blocks.append(Text("\n".join(_lines(pair, found)), role="code"))
        elif found:
            blocks.append(_table(pair, found))
    return blocks


def claimed(mark: Mark | None, scene: Scene, mode: str = "labels", nothing: str = NONE) -> str:
    """What is said in words: `NOUN`, `obl(reopen-4)`, `BEs PER 3-4`; `none` for nothing, or what
    else it is called.

    The place of a span is told where it is not that of the item, and what is wrong about a second
    anchor where transitions show types.
    """
    if mark is None:
        return nothing
    is_told = mark.type is not None and mark.type not in ("label", "unaligned")
    if mark.second >= ROOT:
        second = mark.second
        head = "ROOT" if second == ROOT else f"{scene.words[second]}-{scene.number_at(second)}"
        kind = f"{mark.type} " if is_told and mode != "labels" else ""
        return f"{kind}{mark.label or ''}({head})"
    parts = [mark.type if is_told else None, mark.label]
    if is_told and mark.first is not None and mark.last is not None:
        first, last = mark.first, mark.last
        if (first, last) != scene.focus:
            parts.append(run_text([(scene.number_at(first), scene.number_at(last))]))
    return " ".join(part for part in parts if part is not None) or NONE


def claims(pair: Pair, scene: Scene) -> list[str]:
    """What gold and both systems have, in words."""
    gold, *systems = (side[0] for side in scene.marks)
    nothing = pair.answers.silence if pair.mode != "labels" else ""
    return [
        claimed(gold, scene),
        *(claimed(mark, scene, pair.mode, nothing or NONE) for mark in systems),
    ]


def in_context(scene: Scene, around: int | None = AROUND) -> str:
    """The words near an item, which stands in square brackets; all of them for None."""
    words, item = scene.words, scene.text
    left, right = "", " ".join(words)
    if scene.focus is not None:
        first, last = scene.focus
        left, right = " ".join(words[:first]), " ".join(words[last + 1 :])
    if around is not None and len(left) > around:
        left = f"{CUT} {left[-around:].partition(' ')[2] or left[-around:]}"
    if around is not None and len(right) > around:
        right = f"{right[:around].rpartition(' ')[0] or right[:around]} {CUT}"
    return " ".join(filter(None, (left, f"[{item}]" if item else "", right)))


def transition(pair: Pair, scene: Scene) -> str:
    """`gold G: A → B` in words."""
    gold, a, b = claims(pair, scene)
    return f"gold {gold}: {a} {ARROW} {b}"


def _lines(pair: Pair, found: Sequence[tuple[str, Scene]]) -> Iterator[str]:
    """Two lines an example, below the names of its class and its sentence."""
    for kind in CLASSES:
        scenes = [scene for each, scene in found if each == kind]
        if not scenes:
            continue
        count = getattr(pair, kind)
        partly = f"{len(scenes):,} of {count:,}" if len(scenes) < count else f"{count:,}"
        yield f"{in_words(kind)} ({partly})"
        above = None
        for scene in scenes:
            if (scene.file, scene.id, scene.number) != above:
                yield f"  sentence '{visible(scene.id)}'"
            above = scene.file, scene.id, scene.number
            yield f"      {visible(in_context(scene))}"
            yield f"          {visible(transition(pair, scene))}"


def _table(pair: Pair, found: Sequence[tuple[str, Scene]]) -> Table:
    return Table(
        (
            Column("difference"),
            Column("[item] in context"),
            Column("gold"),
            Column(pair.a),
            Column(pair.b),
            Column("sentence"),
        ),
        tuple((in_words(kind), in_context(s), *claims(pair, s), s.id) for kind, s in found),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples",
        contests=tuple(kind for kind, _ in found),
    )
