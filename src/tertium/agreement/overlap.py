"""Annotators who cover parts of a text: which sentences they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.align.words import matched, sentence_codes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import AlignmentError
from tertium.results.items import occurrence
from tertium.study.files import read_side
from tertium.study.sides import Shard
from tertium.study.study import Study

Sides = tuple[int, ...]  # numbers of sides; the first is the base


def in_memory(study: Study) -> Study:
    """The same with all files read, for sides that are compared more than once."""

    def corpora(shard: Shard) -> Shard:
        readers = study.gold_reader, *[study.system_reader] * len(shard.systems)
        sides = zip((shard.gold, *shard.systems), readers, strict=True)
        gold, *systems = (read_side(*side, study, study.needs(), digest=True) for side in sides)
        return replace(shard, gold=gold, systems=tuple(systems))

    return replace(study, shards=tuple(map(corpora, study.shards)))


def divided(study: Study) -> dict[Sides, Study]:
    """The study cut into stretches of text that the same sides have, those of more sides first.

    Sentences are paired by their characters: in order, and those left over by their text alone.
    Raises AlignmentError where a side has no sentence in common with any other.
    """
    names = study.gold, *study.systems
    shards: dict[Sides, list[Shard]] = {}
    for shard in in_memory(study).shards:
        corpora = [each for each in (shard.gold, *shard.systems) if isinstance(each, Corpus)]
        if any(corpus.forms is None for corpus in corpora):
            return {tuple(range(len(names))): study}
        for sides, parts in _parts(corpora).items():
            cut = replace(shard, gold=parts[0], systems=tuple(parts[1:]))
            shards.setdefault(sides, []).append(cut)
    for number, name in enumerate(names):
        if not any(number in sides and len(sides) > 1 for sides in shards):
            raise AlignmentError(
                f"'{name}' has no sentence in common with the other annotators",
                help="all annotators must have annotated the same sentences, or some of them; "
                "'tertium diff' shows where two texts differ first",
            )
    order = sorted(shards, key=lambda sides: (-len(sides), sides))
    return {sides: _of_sides(study, sides, shards[sides]) for sides in order}


def _of_sides(study: Study, sides: Sides, shards: Sequence[Shard]) -> Study:
    names = study.gold, *study.systems
    gold, *systems = (names[side] for side in sides)
    return replace(study, gold=gold, systems=tuple(systems), shards=tuple(shards), runs={})


def _parts(corpora: Sequence[Corpus]) -> dict[Sides, list[Corpus]]:
    """Stretches of the text by who has them."""
    codes = sentence_codes(corpora)
    if all(np.array_equal(codes[0], each) for each in codes):
        return {tuple(range(len(corpora))): [*corpora]}
    return {
        sides: [corpora[side].take(own) for side, own in zip(sides, sentences, strict=True)]
        for sides, sentences in shared_sentences(corpora).items()
    }


def shared_sentences(corpora: Sequence[Corpus]) -> dict[Sides, Int64]:
    """The numbers of sentences, sides by sentences, by who has them."""
    places = _common_places(sentence_codes(corpora))
    count = 1 + max((int(place.max(initial=-1)) for place in places), default=-1)
    sentence = np.full((len(corpora), count), -1, np.int64)
    for side, place in enumerate(places):
        sentence[side, place] = np.arange(len(place))
    found: dict[Sides, list[int]] = {}
    for number, has in enumerate((sentence >= 0).T):
        found.setdefault(tuple(np.flatnonzero(has).tolist()), []).append(number)
    return {sides: sentence[np.ix_(sides, numbers)] for sides, numbers in found.items()}


def _common_places(codes: Sequence[Int64]) -> list[Int64]:
    """The place of every sentence in a text that has all sentences of all sides."""
    text = codes[0]
    places = [np.arange(len(text))]
    for own in codes[1:]:
        place = matched(own, text)
        free = np.setdiff1d(np.arange(len(text)), place)
        left = np.flatnonzero(place < 0)
        place[left] = _by_text(own[left], text[free], free)
        new = np.flatnonzero(place < 0)
        place[new] = len(text) + np.arange(len(new))
        text = np.concatenate([text, own[new]])
        places.append(place)
    return places


def _by_text(own: Int64, other: Int64, places: Int64) -> Int64:
    """Sentences paired by text alone: the n-th of one text with the n-th of the other."""
    rows = zip(other.tolist(), occurrence(other).tolist(), places.tolist(), strict=True)
    known = {(code, nth): place for code, nth, place in rows if code >= 0}
    keys = zip(own.tolist(), occurrence(own).tolist(), strict=True)
    return np.array([known.get(key, -1) for key in keys], np.int64)
