"""The items of one side of a comparison, shown as its own file has them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from tertium.comparison.errors.contexts import Marks
from tertium.comparison.errors.instances import Head, Item
from tertium.comparison.errors.texts import Texts
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.results.items import NOWHERE, ROOT, Items
from tertium.results.sentences import sentence_ids

GAP = " … "  # between the parts of a span with gaps


class Side:
    """The items of one corpus. `texts` is None where there are no words."""

    def __init__(self, corpus: Corpus, items: Items, kept: Int64 | None) -> None:
        self.corpus, self.items, self.kept = corpus, items, kept
        self.texts: Texts | None = None

    @cached_property
    def ids(self) -> list[str]:
        """The id of every sentence, or its number in the file, counted from 1."""
        return sentence_ids(self.corpus, self.kept)

    def runs(self, row: int) -> list[tuple[int, int]]:
        """First and last token of every stretch of an item without gaps."""
        start, end = int(self.items.start[row]), int(self.items.end[row])
        if self.items.tokens is None or len(self.items.tokens[row]) == end - start:
            return [(start, end - 1)]
        tokens = (start + self.items.tokens[row]).tolist()
        breaks = [i for i, (a, b) in enumerate(pairwise(tokens), 1) if b != a + 1]
        bounds = [0, *breaks, len(tokens)]
        return [(tokens[a], tokens[b - 1]) for a, b in pairwise(bounds)]

    def marks(self, row: int) -> Marks:
        """What is to be marked in the sentence; nothing for row -1."""
        if row < 0:
            return Marks()
        return Marks(tuple(self.runs(row)), max(self._head(row), -1))

    def item(self, row: int) -> Item | None:
        """One item; None for row -1."""
        if row < 0:
            return None
        corpus, runs = self.corpus, self.runs(row)
        first, last = runs[0][0], runs[-1][1]
        sentence = int(corpus.sentence_of_token[first])
        base = int(corpus.offsets[sentence])
        numbered = corpus.atoms != "characters"
        text, start, end = self._text(sentence, [(a - base, z - base) for a, z in runs])
        return Item(
            label=self.items.label[row],
            file=corpus.origin,
            sentence=self.ids[sentence],
            line=int(corpus.lines[first]) if corpus.lines is not None else None,
            first=first - base + 1 if numbered else None,
            last=last - base + 1 if numbered else None,
            tokens=tuple(t - base + 1 for a, z in runs for t in range(a, z + 1))
            if len(runs) > 1 and numbered
            else None,
            start=start,
            end=end,
            text=text,
            head=self._named(self._head(row), sentence),
            detail=self.items.detail(row),
        )

    def _text(
        self, sentence: int, runs: Sequence[tuple[int, int]]
    ) -> tuple[str | None, int | None, int | None]:
        """The words of some runs, and their characters in the text where that is known."""
        if self.texts is None:
            return None, None, None
        line, written = self.texts.line(sentence), self.texts.written(sentence)
        text = GAP.join(line.text[line.start[a] : line.end[z]] for a, z in runs)
        if written is None:
            return text, None, None
        return text, written.start[runs[0][0]], written.end[runs[-1][1]]

    def _head(self, row: int) -> int:
        """The head's token, ROOT or NOWHERE."""
        return NOWHERE if self.items.second is None else int(self.items.second[row])

    def _named(self, head: int, sentence: int) -> Head | None:
        """The head of an item in a sentence by its number in its own."""
        if head == NOWHERE:
            return None
        if head == ROOT:
            return Head(0)
        own = int(self.corpus.sentence_of_token[head])
        number = head - int(self.corpus.offsets[own]) + 1
        words = None if self.texts is None else self.corpus.forms
        form = None if words is None else words[head]
        return Head(number, form, None if own == sentence else self.ids[own])
