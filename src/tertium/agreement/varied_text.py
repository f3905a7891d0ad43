"""The words of a corpus and what is annotated over them, as columns: where variation is sought."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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

    - `words`, `lines`: of every token; no lines where the format has none
    - `offsets`: where sentences begin; `ids`: what they are called; `numbers`: their places in the
      file, counted from 1
    - `start`, `end`, `label`: the items, no two over the same tokens; `items`: how many there were
    """

    name: str
    metric: str
    words: Labels
    lines: Int64
    offsets: Int64
    ids: Labels
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
                f"{corpus.origin} has no words, and variation is sought in words",
                help="'tertium convert' writes spans over characters as columns",
            )
        count = corpus.sentence_count
        kept = np.arange(count) if file.kept is None else file.kept
        items = metric.items(corpus)
        start, end, label, left_out = _stretches(items, corpus)
        notes = [*file.notes]
        if left_out:
            notes.append(
                f"{corpus.origin}: {counted(left_out, 'item')} not over neighbouring words of one "
                "sentence were left out"
            )
        none = np.zeros(corpus.token_count, np.int64)
        names = corpus.sentence_ids
        return cls(
            file.shard.name or corpus.origin,
            repr(file.metrics[0]),
            corpus.forms,
            none if corpus.lines is None else corpus.lines.astype(np.int64),
            corpus.offsets,
            Labels.constant("", count) if names is None else names,
            kept + 1,
            start,
            end,
            label,
            len(items),
            tuple(notes),
        )


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
class VariedText(FileText):
    """The texts of several files one after another; `files` are their names, `file_bounds` the
    tokens and `sentence_bounds` the sentences at which they begin."""

    files: tuple[str, ...]
    file_bounds: Int64
    sentence_bounds: Int64

    @classmethod
    def join(cls, parts: list[FileText]) -> VariedText:
        """In the order given."""
        tokens = bounds_of([int(part.offsets[-1]) for part in parts])
        sentences = bounds_of([len(part.offsets) - 1 for part in parts])
        shift = zip(parts, tokens.tolist(), strict=False)
        moved = [
            replace(p, offsets=p.offsets + by, start=p.start + by, end=p.end + by)
            for p, by in shift
        ]
        whole: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in moved])
            for name in ("lines", "numbers", "start", "end")
        }
        whole |= {
            name: concatenate([getattr(part, name) for part in moved])
            for name in ("words", "ids", "label")
        }
        offsets = np.concatenate([*(part.offsets[:-1] for part in moved), tokens[-1:]])
        return cls(
            **whole,
            name="",
            metric=", ".join(dict.fromkeys(part.metric for part in parts)),
            offsets=offsets,
            items=sum(part.items for part in parts),
            notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
            files=tuple(part.name for part in parts),
            file_bounds=tokens,
            sentence_bounds=sentences,
        )

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.offsets) - 1

    @property
    def tokens(self) -> int:
        """Number of tokens."""
        return int(self.offsets[-1])

    def words_of(self, start: int, end: int) -> list[str]:
        """Some of the words."""
        return self.words.names.some(self.words.codes[start:end])

    def label_name(self, code: int) -> str:
        """What a label is called; `(none)` for no annotation."""
        return NONE if code == NOTHING else self.label.names[code]

    def sentence_of(self, token: int) -> int:
        """The number of a token's sentence among all."""
        return int(np.searchsorted(self.offsets, token, side="right")) - 1

    def file_of(self, sentence: int) -> str:
        """The file of a sentence."""
        return self.files[int(np.searchsorted(self.sentence_bounds, sentence, side="right")) - 1]

    def item_name(self, start: int, end: int) -> str:
        """A name for a stretch of words: number of the sentence and of the words there, after the
        file where there are several."""
        sentence = self.sentence_of(start)
        base = int(self.offsets[sentence])
        words = f"{start - base + 1}" + (f"-{end - base}" if end > start + 1 else "")
        file = f"{self.file_of(sentence)}:" if len(self.files) > 1 else ""
        return f"{file}{self.numbers[sentence]}.{words}"

    def place(self, start: int, end: int, code: int) -> tuple[str, str, int | None, int, int, str]:
        """File, id of the sentence, line, first and last word there, and label of an occurrence."""
        sentence = self.sentence_of(start)
        base = int(self.offsets[sentence])
        name = self.ids[sentence] or str(self.numbers[sentence])
        line = int(self.lines[start]) or None
        return (
            self.file_of(sentence),
            name,
            line,
            start - base + 1,
            end - base,
            self.label_name(code),
        )
