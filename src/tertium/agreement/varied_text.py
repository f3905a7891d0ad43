"""The words of a corpus and what is annotated over them, as columns: where variation is sought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.agreement.ngrams import NOTHING
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, bounds_of, concatenate
from tertium.exceptions import LayerError, counted
from tertium.families.base import has_items
from tertium.families.keys import NONE
from tertium.results.items import Items
from tertium.study.files import File


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of one file.

    - `numbers`: the places of its sentences in the file, counted from 1
    - `start`, `end`, `label`: the items, no two over the same tokens; `items`: how many there were
    """

    name: str
    metric: str
    corpus: Corpus
    numbers: Int64
    start: Int64
    end: Int64
    label: Labels
    items: int
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: File) -> FileText:
        """The items of the first metric that fits."""
        corpus, metric = file.gold, file.fitted[0]
        if not has_items(metric):
            raise LayerError(f"{metric!r} does not judge single items, so nothing can vary")
        if corpus.forms is None or corpus.atoms != "words":
            raise LayerError(
                f"{corpus.origin} has no words, and variation is found in words",
                help="'tertium convert' writes spans over characters as columns",
            )
        kept = np.arange(corpus.sentence_count) if file.kept is None else file.kept
        items = metric.items(corpus)
        start, end, label, left_out = _stretches(items, corpus)
        notes = [*file.notes]
        if left_out:
            notes.append(
                f"{corpus.origin}: {counted(left_out, 'item')} not over neighbouring words of one "
                "sentence were left out"
            )
        name, text = file.shard.name or corpus.origin, replace(corpus, layers={})
        told = (start, end, label, len(items), tuple(notes))
        return cls(name, repr(file.metrics[0]), text, kept + 1, *told)


def _stretches(items: Items, corpus: Corpus) -> tuple[Int64, Int64, Labels, int]:
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
    rows = np.flatnonzero(kept)
    good = (end > start) & (end <= corpus.token_count) & kept
    if items.tokens is not None:
        good &= np.diff(items.tokens.bounds) == items.end - items.start
    at = np.flatnonzero(good)
    within = corpus.sentence_of(start[at]) == corpus.sentence_of(end[at] - 1)
    at = at[within]
    left_out = len(rows) - len(at)
    order = at[np.lexsort((end[at], start[at]))]
    return *joined(start[order], end[order], label.take(order)), left_out


def joined(start: Int64, end: Int64, label: Labels) -> tuple[Int64, Int64, Labels]:
    """Stretches once each: several labels of one are one, with a plus sign between them."""
    first = np.append(True, (np.diff(start) != 0) | (np.diff(end) != 0))[: len(start)]
    if first.all():
        return start, end, label
    group = np.cumsum(first) - 1
    texts: list[list[str]] = [[] for _ in range(int(group[-1]) + 1)]
    for number, name in zip(group.tolist(), label.to_list(), strict=True):
        texts[number].append(name)
    return start[first], end[first], Labels.of("+".join(sorted(each)) for each in texts)


@dataclass(frozen=True, eq=False)
class VariedText:
    """The texts of several files one after another, with tokens counted from the first; `bounds`
    are the tokens at which they begin."""

    files: tuple[FileText, ...]
    bounds: Int64
    words: Labels
    offsets: Int64
    start: Int64
    end: Int64
    label: Labels

    @classmethod
    def join(cls, files: Sequence[FileText]) -> VariedText:
        """In the order given."""
        bounds = bounds_of([each.corpus.token_count for each in files])
        moved = [*zip(files, bounds.tolist(), strict=False)]
        offsets = [each.corpus.offsets[:-1] + by for each, by in moved]
        return cls(
            tuple(files),
            bounds,
            concatenate([each.corpus.forms for each in files if each.corpus.forms is not None]),
            np.concatenate([*offsets, bounds[-1:]]),
            np.concatenate([each.start + by for each, by in moved]),
            np.concatenate([each.end + by for each, by in moved]),
            concatenate([each.label for each in files]),
        )

    @property
    def metric(self) -> str:
        """Says what is annotated."""
        return ", ".join(dict.fromkeys(each.metric for each in self.files))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, each once."""
        return tuple(dict.fromkeys(note for each in self.files for note in each.notes))

    @property
    def items(self) -> int:
        """Number of annotated items."""
        return sum(each.items for each in self.files)

    def label_name(self, code: int) -> str:
        """What a label is called; `(none)` for no annotation."""
        return NONE if code == NOTHING else self.label.names[code]

    def words_of(self, start: int, end: int) -> list[str]:
        """Some of the words."""
        return self.words.names.some(self.words.codes[start:end])

    def sentence_around(self, token: int) -> tuple[int, int]:
        """The first token of its sentence, and the one behind the last."""
        place = int(np.searchsorted(self.offsets, token, side="right"))
        first, last = self.offsets[place - 1 : place + 1].tolist()
        return first, last

    def _at(self, token: int) -> tuple[FileText, int, int]:
        """The file of a token, the number of its sentence there, and where that begins."""
        place = int(np.searchsorted(self.bounds, token, side="right")) - 1
        first = int(self.bounds[place])
        file = self.files[place]
        sentence = int(file.corpus.sentence_of(token - first))
        return file, sentence, first + int(file.corpus.offsets[sentence])

    def item_name(self, start: int, end: int) -> str:
        """A name for a stretch of words: number of the sentence and of the words there, after the
        file where there are several."""
        file, sentence, base = self._at(start)
        words = f"{start - base + 1}" + (f"-{end - base}" if end > start + 1 else "")
        name = f"{file.name}:" if len(self.files) > 1 else ""
        return f"{name}{file.numbers[sentence]}.{words}"

    def place(self, start: int, end: int, code: int) -> tuple[str, str, int | None, int, int, str]:
        """File, id of the sentence, line, first and last word there, and label of an occurrence."""
        file, sentence, base = self._at(start)
        ids, lines = file.corpus.sentence_ids, file.corpus.lines
        name = (ids[sentence] if ids else "") or str(file.numbers[sentence])
        line = 0 if lines is None else int(lines[start - base + file.corpus.offsets[sentence]])
        words = start - base + 1, end - base
        return file.name, name, line or None, *words, self.label_name(code)
