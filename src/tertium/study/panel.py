"""Panels: several sides that annotated one text, or parts of it, none of whom is gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.words import matched, sentence_codes
from tertium.corpus.corpus import Corpus
from tertium.corpus.join import join
from tertium.corpus.labels import Int64, Labels, concatenate, ranges
from tertium.exceptions import AlignmentError, LayerError, UsageError, counted
from tertium.families.base import Metric, lacks
from tertium.families.family import families
from tertium.families.keys import Key, check_key, group_order, unit_keys, word_groups
from tertium.formats.resources import LabelMap
from tertium.options import OUTPUT, option
from tertium.results.items import Items, occurrence
from tertium.results.names import teller
from tertium.results.texts import listed
from tertium.study.files import File
from tertium.study.prepare import map_labels
from tertium.study.study import Study
from tertium.study.walk import walk

ANY_SPAN = "SPAN"
NO_CHANCE = 20  # so many sentences do not have equal lengths by chance
Texts = tuple[Corpus, list[Int64], list[Alignment], Labels]


@dataclass(frozen=True)
class PanelOptions:
    """How annotators are called."""

    pseudonyms: bool = option(
        False,
        "Call annotators A1, A2, ... in the order in which they are given or first occur.",
        group=OUTPUT,
    )


@dataclass(frozen=True, eq=False)
class Panel:
    """Sides as they were read, all files of each as one corpus.

    - `metrics`: as requested, or those that fit; `fitted`: the same, fitted to the first side
    - `files`: the name of the file of every sentence of each side
    """

    study: Study
    sides: tuple[Corpus, ...]
    files: tuple[Labels, ...]
    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    notes: tuple[str, ...]

    @classmethod
    def read(
        cls,
        sides: Sequence[Any],
        defaults: Callable[[Corpus], tuple[Metric, ...]],
        reading: Mapping[str, Any],
        way: Mapping[str, Any],
    ) -> Panel:
        """Annotators, each as `score` takes a system; `defaults` finds metrics where none is
        named."""
        study = Study.of(None, sides, defaults=defaults, **{**reading, "labels": False})
        names = study.gold, *study.systems
        if twice := [name for name in names if names.count(name) > 1]:
            raise UsageError(
                f"two annotators are named '{twice[0]}'", help="give each its own name: NAME=FILE"
            )
        found = [*walk(study, _read, **way)]
        files = [[Labels.constant(f.name, s.sentence_count) for s in f.sides] for f in found]
        corpora = tuple(join(each) for each in zip(*(f.sides for f in found), strict=True))
        notes = [note for each in found for note in each.notes]
        chosen = [*zip(found[0].metrics, found[0].fitted, strict=True)]
        if study.metrics is None:  # those that every side has a layer for, if there are any
            common = [(m, f) for m, f in chosen if not any(lacks(f, side) for side in corpora)]
            left = [fitted.header for metric, fitted in chosen if metric not in dict(common)]
            notes += (
                [f"left out, because not all annotators have it: {listed(left)}"] if left else []
            )
            chosen = common or chosen
        return cls(
            replace(study, shards=()),
            corpora,
            tuple(concatenate(each) for each in zip(*files, strict=True)),
            tuple(metric for metric, _ in chosen),
            tuple(fitted for _, fitted in chosen),
            tuple(dict.fromkeys(notes)),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the sides."""
        return self.study.gold, *self.study.systems

    @property
    def new_names(self) -> dict[str, str]:
        """Of labels that are renamed on all sides and in all layers."""
        maps = [each for each in self.study.map_labels if not each.side and not each.layer]
        return {old: new for each in maps for old, new in each.mapping.items()}

    @property
    def sizes(self) -> dict[str, int]:
        """How many sentences each side has."""
        return {n: s.sentence_count for n, s in zip(self.names, self.sides, strict=True)}

    def check(self, fitted: Metric) -> None:
        """Refuse sides without the layer that a metric judges."""
        for side in self.sides:
            if (why := lacks(fitted, side)) is not None:
                raise LayerError(f"{fitted!r}: {why}")

    @property
    def text(self) -> Corpus:
        """The first side, followed by the sentences that only others have."""
        return self._over[0]

    @property
    def sentences(self) -> list[Int64]:
        """Which sentences of the text each side has."""
        return self._over[1]

    @property
    def file_of_sentence(self) -> Labels:
        """The name of the file of every sentence of the text."""
        return self._over[3]

    @cached_property
    def _over(self) -> Texts:
        """The text, the sentences of it that sides have, how they lie over these, and files.
        Raises AlignmentError where a side has no sentence in common with any other."""
        sides, method = self.sides, self.study.align
        text, sizes = sides[0], [np.diff(side.offsets) for side in sides]
        if text.forms is None and len({*map(len, sizes)}) == 1:
            text = text.with_room(np.max(sizes, axis=0))  # the file does not say how long they are
        try:
            over = [align(text, side, method=method) for side in sides]
            return text, [np.arange(text.sentence_count)] * len(sides), over, self.files[0]
        except AlignmentError as error:
            if method == "position" or not all(side.has_words for side in sides):
                raise
            codes = sentence_codes(sides)
            if any(_is_altered(text, codes[0], *each) for each in zip(sides, codes, strict=True)):
                raise
            text, sentences, files = _united(sides, codes, self.files)
            count = np.bincount(np.concatenate(sentences), minlength=text.sentence_count)
            for name, own in zip(self.names, sentences, strict=True):
                if (count[own] > 1).any():
                    continue
                if len(sides) == 2:
                    raise  # the first difference says it
                raise AlignmentError(
                    f"'{name}' has no sentence in common with the other annotators",
                    help="all annotators must have annotated the same sentences, or some of them; "
                    "'tertium diff' shows where two texts differ first",
                ) from error
        words = replace(text, layers={})
        pairs = zip(sentences, sides, strict=True)
        over = [align(words.take(own), side, method=method) for own, side in pairs]
        return text, sentences, over, files

    def partner(self, side: int) -> Int64:
        """Of every token of the text the side's, -1 for none."""
        found = np.full(self.text.token_count, -1, np.int64)
        found[self._tokens(side)] = self._over[2][side].system_of_gold
        return found

    def over(self, side: int, items: Items) -> Items:
        """A side's items over the tokens of the text, without tokens that have no partner and items
        with a second anchor in a different sentence."""
        alignment, tokens = self._over[2][side], self._tokens(side)
        if items.is_token:
            items = items.take(np.flatnonzero(alignment.gold_of_system[items.start] >= 0))
        found = items.over(alignment)
        start, second = tokens[found.start].astype(np.int32), found.second
        if second is not None:
            second = np.where(second >= 0, tokens[np.maximum(second, 0)], second)
        found = replace(found, start=start, end=start + found.end - found.start, second=second)
        if second is None:
            return found
        of = self.text.sentence_of
        inside = (second < 0) | ((of(np.maximum(second, 0)) == of(start)) & (second != start))
        return found.take(np.flatnonzero(inside))

    def in_common(self, a: int, b: int) -> tuple[Corpus, Corpus] | None:
        """Two sides on the sentences that both have; None if there are none."""
        own = self.sentences[a], self.sentences[b]
        _, *rows = np.intersect1d(*own, return_indices=True)
        if not len(rows[0]):
            return None
        one, other = self.sides[a], self.sides[b]
        is_same = np.array_equal(*own)
        return (one, other) if is_same else (one.take(rows[0]), other.take(rows[1]))

    def groups(self, study: Study) -> tuple[Labels, list[str]]:
        """The group of every word of the text by the key of a study, and all groups in order."""
        key, text, by = study.key, self.text, study.by or ""
        if key is None:
            of_unit = self.file_of_sentence if by == "file" else Labels.of(unit_keys(text, by))
            return of_unit.take(text.sentence_of_token), group_order(by, of_unit.to_list())
        if type(key).of_words is Key.of_words:
            raise LayerError(f"annotators cannot be grouped by {key.text}: words do not have it")
        check_key(text, key)
        groups = word_groups(text, key)
        return groups, key.in_order(dict.fromkeys(groups.used_names(), 1.0))

    def renamed(self, names: Mapping[str, str]) -> Panel:
        """With other names of sides, also in notes, signatures and names of files."""
        study, told = self.study, teller(names)
        maps = (replace(m, side=names.get(m.side, m.side)) for m in study.map_labels)
        gold, *systems = (names.get(name, name) for name in self.names)
        sides = zip(self.sides, (gold, *systems), strict=True)
        return replace(
            self,
            study=replace(study, gold=gold, systems=tuple(systems), map_labels=tuple(maps)),
            sides=tuple(replace(side, origin=name) for side, name in sides),
            files=tuple(each.rename(names) for each in self.files),
            notes=tuple(map(told, self.notes)),
        )

    def unlabelled(self) -> Panel:
        """The same where all items that are to be found, not given, have one label."""
        found = [each for each in families() if each.share == "recall"]
        maps = [
            LabelMap("unlabelled", "", layer=name, mapping=dict.fromkeys(labels.names, ANY_SPAN))
            for side in self.sides
            for each in found
            for name in each.find(side)
            for labels in (each.items(side, name).label,)
        ]
        if not maps:
            raise UsageError("'--unlabelled' compares spans, and there are none")
        told = LabelMap("unlabelled", "", mapping={ANY_SPAN: ANY_SPAN})  # for the signature
        study = replace(self.study, map_labels=(*self.study.map_labels, told))
        sides = tuple(map_labels(each, maps) for each in self.sides)
        return replace(self, study=study, sides=sides)

    def _tokens(self, side: int) -> Int64:
        """The tokens of the text that a side's alignment speaks of, in order."""
        own, bounds = self.sentences[side], self.text.offsets
        return ranges(bounds[own], bounds[own + 1])

    @property
    def coverage(self) -> list[str]:
        """Which sides have only some of the sentences, and which have other words."""
        total = self.text.sentence_count
        shared = int((np.bincount(np.concatenate(self.sentences), minlength=total) > 1).sum())
        sizes = [(f"'{name}' has", own) for name, own in self.sizes.items() if own < total]
        sizes += [("two or more annotators have", shared)] if shared < total else []
        first, *others = zip(self.names, self._over[2], strict=True)
        left = [int((over.gold_of_system < 0).sum()) for _, over in others]
        return [
            *(f"{who} {own:,} of {total:,} sentences" for who, own in sizes),
            *(
                f"the words of '{name}' and '{first[0]}' differ in "
                f"{counted(over.differing_forms, 'place')}"
                for name, over in others
                if over.differing_forms
            ),
            *(
                f"{counted(count, 'word')} of '{name}' left out: '{first[0]}' has other words there"
                for (name, _), count in zip(others, left, strict=True)
                if count
            ),
        ]


@dataclass(frozen=True, eq=False)
class _Files:
    """The sides' files that belong together, read."""

    name: str
    sides: list[Corpus]
    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    notes: tuple[str, ...]


def _read(file: File) -> _Files:
    # Without metrics no text is refused that is different.
    sides = [file.gold, *(each.corpus for each in replace(file, fitted=()).systems())]
    return _Files(file.shard.name or file.study.gold, sides, file.metrics, file.fitted, file.notes)


def _is_altered(text: Corpus, codes: Int64, side: Corpus, own: Int64) -> bool:
    """Is it the same text, sentence by sentence, with some words changed?"""
    if len(own) < NO_CHANCE or not np.array_equal(text.offsets, side.offsets):
        return False
    return not (codes == own).all()


def _united(
    sides: Sequence[Corpus], codes: Sequence[Int64], files: Sequence[Labels]
) -> tuple[Corpus, list[Int64], Labels]:
    """All sentences of several corpora as one text, which of them each corpus has, and the file of
    each. Sentences are paired by their characters: in order, and those left over by their text
    alone."""
    text, places = codes[0], [np.arange(len(codes[0]))]
    parts, names = [sides[0]], [files[0]]
    for side, own, file in zip(sides[1:], codes[1:], files[1:], strict=True):
        place = matched(own, text)
        free = np.setdiff1d(np.arange(len(text)), place)
        left = np.flatnonzero(place < 0)
        place[left] = _by_text(own[left], text[free], free)
        if len(new := np.flatnonzero(place < 0)):
            place[new] = len(text) + np.arange(len(new))
            text = np.concatenate([text, own[new]])
            parts.append(side.take(new))
            names.append(file.take(new))
        places.append(place)
    made = join(parts)
    if not any(part.document_marks.any() for part in parts):  # then parts are no documents either
        made = replace(made, document_marks=np.zeros_like(made.document_marks))
    return made, places, concatenate(names)


def _by_text(own: Int64, other: Int64, places: Int64) -> Int64:
    """Sentences paired by text alone: the n-th of one text with the n-th of the other."""
    rows = zip(other.tolist(), occurrence(other).tolist(), places.tolist(), strict=True)
    known = {(code, nth): place for code, nth, place in rows if code >= 0}
    keys = zip(own.tolist(), occurrence(own).tolist(), strict=True)
    return np.array([known.get(key, -1) for key in keys], np.int64)
