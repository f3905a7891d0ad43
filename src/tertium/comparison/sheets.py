"""Items in their sentences, for those who want to see them: the examples behind every number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.comparison.errors.texts import has_words
from tertium.comparison.views import View
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.exceptions import UsageError
from tertium.families.groups.buckets import NONE
from tertium.families.groups.units import document_names
from tertium.results.answers import Answers, Bools, Codes

ELSEWHERE = -2  # in an earlier sentence; never -1, which is the root


@dataclass(frozen=True, slots=True)
class Sentence:
    """The gold words of a sentence; numbers stand for them in files that have none.

    `spaces` says which words a space follows; None where all do.
    """

    id: str
    document: str | None
    file: str
    words: tuple[str, ...]
    spaces: tuple[bool, ...] | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """The items of one view with their places in sentences, as columns.

    - `sentence`: of every item, its number among the sentences of the material
    - `first`, `last`: its words, counted from 0 in the sentence; `gold_head`: the head's word, -1
      for the root, -2 for none
    - `said_first`, `said_last`, `head`: the same as each system has it (systems x items)
    - `answer`: systems x items, small numbers that differ on an item iff the answers do
    - `types`: names of error types, the first of which means right
    """

    metric: str
    systems: tuple[str, ...]
    mode: str
    labels: tuple[str, ...]
    types: tuple[str, ...]
    draws_trees: bool
    spans: bool
    sentence: Int32
    gold: Int32
    extra: Bools
    first: Int32
    last: Int32
    gold_head: Int32
    answered: Bools
    right: Bools
    label: npt.NDArray[np.int32]
    type: Codes
    said_first: npt.NDArray[np.int32]
    said_last: npt.NDArray[np.int32]
    head: npt.NDArray[np.int32]
    answer: npt.NDArray[np.unsignedinteger[Any]]


class Material:
    """The gold sentences of all files. `kept` are the numbers that the sentences of each have in
    their file, None if none was skipped."""

    def __init__(self, golds: Sequence[Corpus], kept: Sequence[Int64 | None] = ()) -> None:
        self.golds = tuple(golds)
        self.kept = kept or (None,) * len(golds)
        self.first_sentence = np.cumsum([0, *(g.sentence_count for g in golds)])
        self.first_token = np.cumsum([0, *(g.token_count for g in golds)])

    @property
    def count(self) -> int:
        """How many sentences there are."""
        return int(self.first_sentence[-1])

    @cached_property
    def starts(self) -> Int64:
        """The first word of every sentence, counted through all files."""
        return np.concatenate(
            [g.offsets[:-1] + base for g, base in zip(self.golds, self.first_token, strict=False)]
        )

    @cached_property
    def _documents(self) -> list[list[str]]:
        return [document_names(g) for g in self.golds]

    @cached_property
    def _ids(self) -> list[list[str | None]]:
        return [g.metadata("sent_id") for g in self.golds]

    @cached_property
    def _has_words(self) -> list[bool]:
        return [has_words(g) for g in self.golds]

    @cached_property
    def _spaces(self) -> list[Bools]:
        return [g.space_after for g in self.golds]

    def sentence(self, number: int) -> Sentence:
        """A sentence by its number through all files."""
        file = int(np.searchsorted(self.first_sentence, number, side="right")) - 1
        gold, at = self.golds[file], number - int(self.first_sentence[file])
        a, z = int(gold.offsets[at]), int(gold.offsets[at + 1])
        if gold.forms is not None and self._has_words[file]:
            names = gold.forms.names.strings
            words = tuple(names[code] for code in gold.forms.codes[a:z].tolist())
        else:
            words = tuple(str(n) for n in range(1, z - a + 1))
        document = self._documents[file][at]
        spaces = self._spaces[file][a:z]
        kept = self.kept[file]
        return Sentence(
            self._ids[file][at] or str((at if kept is None else int(kept[at])) + 1),
            None if document == NONE else document,
            gold.origin,
            words,
            None if spaces.all() else tuple(spaces.tolist()),
        )

    def _sentences_of(self, of: Answers) -> Int32:
        """The sentence of every item whose unit is a document: that of its first word."""
        firsts = np.array([of.place(side)[0] for side in range(of.systems + 1)])
        nowhere = self.first_token[-1]
        first = np.where(firsts >= 0, firsts, nowhere).min(axis=0)
        found = np.searchsorted(self.starts, first, side="right") - 1
        begins = [
            g.documents + base for g, base in zip(self.golds, self.first_sentence, strict=False)
        ]
        return np.where(first < nowhere, found, np.concatenate(begins)[of.unit]).astype(np.int32)

    def sheet(self, view: View) -> Sheet:
        """The items of a view in their sentences."""
        of = view.answers
        if of.row is None:
            raise UsageError("where items stand was not asked for: compare with examples=True")
        sentence = of.unit if view.unit == "sentence" else self._sentences_of(of)
        base = self.starts[sentence]

        def inside(column: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int32]:
            """Words of the sentence; a head or span that lies in another one is nowhere."""
            moved = np.where(column - base < 0, ELSEWHERE, column - base)
            return np.where(column >= 0, moved, column).astype(np.int32)

        first, last, head = (inside(column) for column in of.place(0))
        said = [of.place(system + 1) for system in range(of.systems)]
        said_first, said_last, said_head = (
            inside(np.array(columns)) for columns in zip(*said, strict=True)
        )
        return Sheet(
            metric=view.metric,
            systems=view.systems,
            mode=view.mode,
            labels=of.names,
            types=of.types,
            draws_trees=view.draws_trees,
            spans=view.layer == "spans",
            sentence=sentence,
            gold=of.gold,
            extra=np.arange(len(of)) >= of.gold_items,
            first=first,
            last=last,
            gold_head=head,
            answered=of.answered,
            right=of.right,
            label=of.label,
            type=of.type,
            said_first=said_first,
            said_last=said_last,
            head=said_head,
            answer=of.answer,
        )
