"""Two dependency trees over one sentence, row by row, whatever the tokens and sentences of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Arcs, Tags

ROOT, NO_HEAD, OUTSIDE = -1, -2, -3  # in place of the row of a head


# Words and rows are named tuples and no dataclasses because these take three times as long to make.
class Word(NamedTuple):
    """A word as one side has it.

    - `number`: in its own sentence, counted from 1; `head_number` likewise, 0 for the root, -1
      where the file gives none
    - `head`: the row of the head; ROOT, NO_HEAD, or OUTSIDE where it stands in another gold
      sentence
    - `line`: in its file, None if not known
    """

    form: str
    number: int
    relation: str
    head: int
    head_number: int
    upos: str | None = None
    line: int | None = None


class Row(NamedTuple):
    """A word of gold, of the system, or an aligned pair; never neither.

    With one tree alone there is nothing to differ from: both judgements are True then.
    """

    gold: Word | None
    system: Word | None
    same_head: bool
    same_relation: bool

    @property
    def word(self) -> Word:
        """The gold word, or the system's where gold has none."""
        word = self.gold or self.system
        assert word is not None
        return word

    @property
    def differs(self) -> bool:
        """Is anything about it not the same on both sides?"""
        return not (self.same_head and self.same_relation)


@dataclass(frozen=True)
class TreePair:
    """One gold sentence with its tree and, unless `has_system` is False, a system's.

    Rows are in the order of the text. `sentence` is the id or number of the sentence, `number` its
    place in the file, counted from 1; `file` and `line` say where it begins.
    """

    sentence: str
    rows: tuple[Row, ...]
    has_system: bool = False
    number: int = 0
    file: str = ""
    line: int | None = None

    def words(self, side: str) -> Iterator[tuple[int, Word]]:
        """The words of "gold" or "system" with their rows."""
        for place, row in enumerate(self.rows):
            word = row.gold if side == "gold" else row.system
            if word is not None:
                yield place, word

    def heads(self, side: str) -> list[int]:
        """The head's row of every row; NO_HEAD where the side has no word."""
        found = [NO_HEAD] * len(self.rows)
        for place, word in self.words(side):
            found[place] = word.head
        return found

    @cached_property
    def differing(self) -> tuple[int, ...]:
        """Rows on which the trees differ."""
        return tuple(place for place, row in enumerate(self.rows) if row.differs)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium draw` (docs/verbs/draw.md)."""
        return {
            "sentence": self.sentence,
            "number": self.number,
            "file": self.file,
            **({"line": self.line} if self.line is not None else {}),
            "words": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        found: dict[str, Any] = {"gold": _told(row.gold)}
        if self.has_system:
            found["system"] = _told(row.system)
            found |= {"same_head": row.same_head, "same_relation": row.same_relation}
        return found


def _told(word: Word | None) -> Mapping[str, Any] | None:
    if word is None:
        return None
    return {
        "number": word.number,
        "form": word.form,
        "head": word.head_number if word.head_number >= 0 else None,
        "relation": word.relation,
        **({"outside": True} if word.head == OUTSIDE else {}),
        **({"upos": word.upos} if word.upos is not None else {}),
        **({"line": word.line} if word.line is not None else {}),
    }


class TreePairs:
    """Makes a `TreePair` of any sentence of a gold corpus.

    Relations are compared without what follows a colon, unless `subtypes`. `kept` are the numbers
    that the sentences have in their files, where some were left out.
    """

    def __init__(
        self,
        gold: Corpus,
        system: Corpus | None = None,
        alignment: Alignment | None = None,
        *,
        subtypes: bool = False,
        kept: Int64 | None = None,
    ) -> None:
        if (system is None) != (alignment is None):
            raise ValueError("a system and its alignment come together")
        self.corpus, self.alignment, self.subtypes, self.kept = gold, alignment, subtypes, kept
        self.gold = _Side(gold)
        self.system = _Side(system) if system is not None else None

    @cached_property
    def ids(self) -> list[str]:
        """The id of every sentence, or its number in the file, counted from 1."""
        given = self.corpus.metadata("sent_id")
        return [id or str(self.number(sentence)) for sentence, id in enumerate(given)]

    def number(self, sentence: int) -> int:
        """The place of a sentence in its file, counted from 1."""
        return (sentence if self.kept is None else int(self.kept[sentence])) + 1

    def pair(self, sentence: int) -> TreePair:
        """The trees over a gold sentence, counted from 0.

        A system's word stands in the sentence of its partner; without one in the sentence that
        holds its first character.
        """
        corpus = self.corpus
        first, last = corpus.offsets[sentence : sentence + 2].tolist()
        places = [(token, -1) for token in range(first, last)]
        if self.alignment is not None:
            places = _merged(self.alignment, sentence, first, last)
        ours = self.gold.words([g for g, _ in places])
        theirs = self.system.words([s for _, s in places]) if self.system else [None] * len(places)
        return TreePair(
            sentence=self.ids[sentence],
            rows=tuple(self._row(g, s) for g, s in zip(ours, theirs, strict=True)),
            has_system=self.system is not None,
            number=self.number(sentence),
            file=corpus.origin,
            line=int(corpus.lines[first]) if corpus.lines is not None and last > first else None,
        )

    def _row(self, gold: Word | None, system: Word | None) -> Row:
        """Judged as the metrics judge: a missing head is never right."""
        if self.system is None:
            return Row(gold, None, same_head=True, same_relation=True)
        if gold is None or system is None:
            return Row(gold, system, same_head=False, same_relation=False)
        same_relation = gold.relation == system.relation
        if not same_relation and not self.subtypes:
            same_relation = gold.relation.split(":")[0] == system.relation.split(":")[0]
        return Row(gold, system, gold.head == system.head and gold.head >= ROOT, same_relation)


class _Side:
    """Columns of one corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.arcs = corpus.layer("deps", Arcs)
        self.upos = corpus.layers.get("upos")

    def words(self, tokens: list[int]) -> list[Word | None]:
        """The words of some tokens; heads are places in the list. None for token -1."""
        row_of = {token: row for row, token in enumerate(tokens) if token >= 0}
        if not row_of:
            return [None] * len(tokens)
        there = np.fromiter(row_of, np.int64, len(row_of))
        corpus, count = self.corpus, len(there)
        base = corpus.offsets[corpus.sentence_of_token[there]]
        head = self.arcs.head[there]
        unknown: list[Any] = [None] * count
        columns = zip(
            there.tolist(),
            _strings(corpus.forms, there) if corpus.forms is not None else ["_"] * count,
            (there - base + 1).tolist(),
            _strings(self.arcs.label, there),
            head.tolist(),
            (base + head - 1).tolist(),
            _strings(self.upos.labels, there) if isinstance(self.upos, Tags) else unknown,
            corpus.lines[there].tolist() if corpus.lines is not None else unknown,
            strict=True,
        )
        found: list[Word | None] = [None] * len(tokens)
        for token, form, number, relation, head_number, at, upos, line in columns:
            row = row_of.get(at, OUTSIDE)
            if head_number <= 0:
                row = ROOT if head_number == 0 else NO_HEAD
            found[row_of[token]] = Word(form, number, relation, row, head_number, upos, line)
        return found


def _strings(labels: Labels, rows: Int64) -> list[str]:
    names = labels.names.strings
    return [names[code] for code in labels.codes[rows].tolist()]


def _merged(alignment: Alignment, sentence: int, first: int, last: int) -> list[tuple[int, int]]:
    """The tokens of a gold sentence and of the system over it in the order of the text, -1 for the
    side that has none. What begins at the same character: gold first."""
    partner = alignment.system_of_gold[first:last].tolist()
    a, z = np.searchsorted(alignment.unit_of_system, [sentence, sentence + 1]).tolist()
    alone = [
        token for token, other in enumerate(alignment.gold_of_system[a:z].tolist(), a) if other < 0
    ]
    starts = alignment.system_start[alone].tolist() if alone else []
    places: list[tuple[int, int]] = []
    done = 0
    for token, other in zip(range(first, last), partner, strict=True):
        start = int(alignment.gold_start[token])
        # Tokens of one multiword token begin alike: what the system has before the partner there
        # goes before the pair.
        while done < len(alone) and (alone[done] < other if other >= 0 else starts[done] < start):
            places.append((-1, alone[done]))
            done += 1
        places.append((token, other))
    return [*places, *((-1, token) for token in alone[done:])]
