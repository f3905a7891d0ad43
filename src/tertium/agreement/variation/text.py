"""The words of a corpus and what is annotated over them, as columns: where variation is sought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.agreement.ngrams import UNANNOTATED, Nuclei
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, bounds_of, concatenate
from tertium.exceptions import LayerError, counted
from tertium.families.base import has_items
from tertium.families.family import family_of
from tertium.families.keys import NONE
from tertium.formats.questions import Questions
from tertium.results.items import Items
from tertium.results.sentences import sentence_ids
from tertium.study.files import File


@dataclass(frozen=True)
class Occurrence:
    """One place of an n-gram.

    - `sentence`: its id, or its number in the file; `line`: where the nucleus begins
    - `first`, `last`: the words of the nucleus in their sentence, counted from 1
    - `label`: what is annotated there
    - `context`: the sentence with the nucleus in brackets
    """

    file: str
    sentence: str
    line: int | None
    first: int
    last: int
    label: str
    context: str


def marked(words: Sequence[str], first: int, last: int) -> str:
    """Words with some of them in brackets.

    >>> marked(["get", "out", "of"], 1, 2)
    'get [out] of'
    """
    return " ".join([*words[:first], f"[{' '.join(words[first:last])}]", *words[last:]])


@dataclass(frozen=True, eq=False)
class VariationText:
    """The text of a file, or of several one after another.

    - `files`: their names; `bounds`: the tokens at which they begin, and the end of the last
    - `words`, `lines`: a row per token; 0 where lines are not known
    - `offsets`: as `bounds`, of sentences; `sentences`, `numbers`: their ids, or their numbers in
      the file where they have none, and these numbers, counted from 1
    - `spans`, `label`: the items, no two over the same tokens: two rows, of their first tokens and
      of those behind their last; `items`: how many there were
    - `metric`: the metric whose items they are; `nested`: may these lie in each other?
    """

    files: tuple[str, ...]
    bounds: Int64
    words: Labels
    lines: Int64
    offsets: Int64
    sentences: Labels
    numbers: Int64
    spans: Int64
    label: Labels
    items: int
    metric: str
    nested: bool
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: File) -> VariationText:
        """The items of the first metric that fits."""
        corpus, metric = file.gold, file.fitted[0]
        if not has_items(metric):
            raise LayerError(f"{metric!r} does not judge single items, so nothing can vary")
        if corpus.forms is None or not corpus.has_words or corpus.atoms != "words":
            help = "'tertium convert' writes spans over characters as columns"
            raise LayerError(f"{corpus.origin} has no words, only characters or numbers", help=help)
        size, kept = corpus.token_count, file.kept
        numbers = (np.arange(corpus.sentence_count) if kept is None else kept) + 1
        sentences = Labels.of(sentence_ids(corpus, kept))
        lines = np.zeros(size, np.int64) if corpus.lines is None else corpus.lines.astype(np.int64)
        items = metric.items(corpus)
        spans, label, left_out = _stretches(items, corpus)
        notes = [*file.notes]
        if left_out:
            notes.append(
                f"{corpus.origin}: left out {counted(left_out, 'item')} that are not consecutive "
                "words of one sentence"
            )
        name, bounds = file.shard.name or corpus.origin, np.array([0, size], np.int64)
        nested = family_of(metric).layout == "nested" or items.second is not None
        told = (spans, label, len(items), repr(metric), nested, tuple(notes))
        return cls((name,), bounds, corpus.forms, lines, corpus.offsets, sentences, numbers, *told)

    @classmethod
    def join(cls, texts: Sequence[VariationText]) -> VariationText:
        """Files one after another, with tokens counted from the first; every note once."""
        bounds = bounds_of([len(each.words) for each in texts])
        moved = [*zip(texts, bounds.tolist(), strict=False)]
        offsets = [each.offsets[:-1] + by for each, by in moved]
        return cls(
            tuple(name for each in texts for name in each.files),
            bounds,
            concatenate([each.words for each in texts]),
            np.concatenate([each.lines for each in texts]),
            np.concatenate([*offsets, bounds[-1:]]),
            concatenate([each.sentences for each in texts]),
            np.concatenate([each.numbers for each in texts]),
            np.concatenate([each.spans + by for each, by in moved], axis=1),
            concatenate([each.label for each in texts]),
            sum(each.items for each in texts),
            ", ".join(dict.fromkeys(each.metric for each in texts)),
            any(each.nested for each in texts),
            tuple(dict.fromkeys(note for each in texts for note in each.notes)),
        )

    @property
    def where(self) -> list[str]:
        """The fields of an occurrence that say where it is."""
        return [*["file"] * (len(self.files) > 1), "line" if self.lines.all() else "sentence"]

    def label_name(self, code: int) -> str:
        """What a label is called; `(none)` for no annotation."""
        return NONE if code == UNANNOTATED else self.label.names[code]

    def words_of(self, start: int, end: int) -> list[str]:
        """Some of the words."""
        return self.words.names.some(self.words.codes[start:end])

    def _find(self, start: Any, end: Any) -> tuple[Any, Any, Any, Any]:
        """Of a stretch of words, or of many: the number of its file, that of its sentence, and its
        first and last word there, counted from 1."""
        file = np.searchsorted(self.bounds, start, side="right") - 1
        sentence = np.searchsorted(self.offsets, start, side="right") - 1
        before = self.offsets[sentence]
        return file, sentence, start - before + 1, end - before

    def occurrences(self, nuclei: Nuclei, rows: Int64) -> tuple[Occurrence, ...]:
        """Those in some rows."""
        found = self._find(nuclei.start[rows], nuclei.end[rows])
        file, sentence, first, last = (place.tolist() for place in found)
        names = [self.files[number] for number in file]
        sentences = self.sentences.take(found[1]).to_list()
        lines = [line or None for line in self.lines[nuclei.start[rows]].tolist()]
        labels = map(self.label_name, nuclei.label[rows].tolist())
        contexts = map(self._context, sentence, first, last)
        return tuple(map(Occurrence, names, sentences, lines, first, last, labels, contexts))

    def _context(self, sentence: int, first: int, last: int) -> str:
        return marked(self.words_of(*self.offsets[sentence : sentence + 2]), first - 1, last)

    def questions(self, start: int, end: int, given: int, labels: Iterable[int]) -> Questions:
        """Whether each of these labels is plausible for some words. Their place is called by the
        numbers of sentence and words, after the file where there are several."""
        file, sentence, first, last = self._find(start, end)
        name = f"{self.files[file]}:" * (len(self.files) > 1)
        place = f"{name}{self.numbers[sentence]}.{first}{f'-{last}' if last > first else ''}"
        names, context = sorted(map(self.label_name, labels)), self._context(sentence, first, last)
        return Questions(place, context, tuple(names), self.label_name(given))


def _stretches(items: Items, corpus: Corpus) -> tuple[Int64, Labels, int]:
    """Items as stretches of words with one label each, and how many have no such stretch. An item
    with a second anchor, such as an arc, reaches from the one to the other; its label says on which
    side the second is. Those of the root have no second word, and tell nothing."""
    start, end = items.start.astype(np.int64), items.end.astype(np.int64)
    label, kept = items.label, np.ones(len(items), np.bool_)
    if items.second is not None:
        second = items.second
        kept = second >= 0
        side = np.where(second < start, 0, 1).astype(np.int32)
        names = [f"{name}-{way}" for name in label.names for way in "LR"]
        label = Labels(Labels.of(names).names, (label.codes * 2 + side).astype(np.int32))
        start, end = np.minimum(start, second), np.maximum(end, second + 1)
    good = (end > start) & (end <= corpus.token_count) & kept
    if items.tokens is not None:
        good &= np.diff(items.tokens.bounds) == items.end - items.start
    at = np.flatnonzero(good)
    at = at[corpus.sentence_of(start[at]) == corpus.sentence_of(end[at] - 1)]
    order = at[np.lexsort((end[at], start[at]))]
    spans = np.stack((start[order], end[order]))
    return *joined(spans, label.take(order)), int(kept.sum()) - len(at)


def joined(spans: Int64, label: Labels) -> tuple[Int64, Labels]:
    """Stretches once each: several labels of one are one, with a plus sign between them."""
    first = np.append(True, np.diff(spans).any(axis=0))[: len(label)]
    if first.all():
        return spans, label
    group = np.cumsum(first) - 1
    texts: list[list[str]] = [[] for _ in range(int(group[-1]) + 1)]
    for number, name in zip(group.tolist(), label.to_list(), strict=True):
        texts[number].append(name)
    return spans[:, first], Labels.of("+".join(sorted(each)) for each in texts)
