"""Items: what a metric judges on one side, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int32, Int64, Labels, concatenate
from tertium.corpus.layers import Ragged

ROOT, NOWHERE = -1, -2  # in place of a second anchor
V = TypeVar("V", bound=np.generic)


class Detail(NamedTuple):
    """Something that a metric looks at besides label and anchors, and how it is written behind what
    stands before it: `form` holds the text at the place of {}; nothing is written for no text."""

    name: str
    meaning: str
    form: str = "{}"

    def written(self, text: str) -> str:
        """The text of one item."""
        return self.form.format(text) if text else ""


class TextColumn(Protocol):
    """A column of texts, or what can be asked like one."""

    def __getitem__(self, row: int, /) -> str: ...


@dataclass(frozen=True)
class _TextRows:
    texts: TextColumn
    rows: Int64

    def __getitem__(self, row: int) -> str:
        return self.texts[int(self.rows[row])]


@dataclass(frozen=True, eq=False)
class Items:
    """The items of one side. Errors, comparisons, drawings and examples see these, nothing else.

    - `start`, `end`: the anchor's first token and the one behind its last; an item over no token
      has a token of its sentence as both
    - `label`: what the item is called
    - `tokens`: the covered tokens of each item counted from its start, only where there are gaps
    - `second`: the second anchor where there is one (a head, an antecedent): a place, ROOT or
      NOWHERE
    - `details`: whatever else the metric looks at, a column of texts for each detail it declares
    - `is_token`: is there one item per token, in order?
    - `chain`: the name of the chain that each item belongs to, where items of a document form
      chains, such as the mentions of an entity
    """

    start: Int32
    end: Int32
    label: Labels
    tokens: Ragged | None = None
    second: Int64 | None = None
    details: Mapping[Detail, TextColumn] = field(default_factory=dict)
    is_token: bool = False
    chain: Labels | None = None

    @classmethod
    def of_tokens(
        cls,
        labels: Labels,
        second: Int64 | None = None,
        details: Mapping[Detail, TextColumn] | None = None,
    ) -> Items:
        """Every token is an item."""
        place = np.arange(len(labels), dtype=np.int32)
        end = place + np.int32(1)
        return cls(place, end, labels, second=second, details=details or {}, is_token=True)

    def __len__(self) -> int:
        return len(self.start)

    def is_over(self, other: Items) -> bool:
        """Are these the same stretches with the same second anchors?"""
        columns = (self.start, other.start), (self.end, other.end), (self.second, other.second)
        return all(
            a is b or (a is not None and b is not None and np.array_equal(a, b)) for a, b in columns
        )

    def of_first(self, column: npt.NDArray[V]) -> npt.NDArray[V]:
        """What the first token of each item has in a column of tokens."""
        return column if self.is_token else column[self.start]

    def over(self, alignment: Alignment) -> Items:
        """A system's items as stretches of gold tokens. A token without a partner lies where the
        gold token is that holds its first character, or at the end of an item its last."""
        last, starts = np.maximum(self.end - 1, self.start), alignment.system_start
        second = self.second
        if second is not None and len(self):
            heads = np.maximum(second, 0)
            second = np.where(second >= 0, _over_gold(alignment, heads, starts[heads]), second)
        start = _over_gold(alignment, self.start, starts[self.start]).astype(np.int32)
        tokens = self.tokens
        if tokens is not None:
            sizes = np.diff(tokens.bounds)
            there = np.repeat(self.start, sizes) + tokens.values
            values = _over_gold(alignment, there, starts[there]) - np.repeat(start, sizes)
            tokens = Ragged(tokens.bounds, values.astype(np.int32))
        end = (_over_gold(alignment, last, alignment.system_end[last] - 1) + 1).astype(np.int32)
        end = np.where(self.end > self.start, end, start)
        return Items(start, end, self.label, tokens, second=second, chain=self.chain)

    def sets(self) -> Ragged:
        """The covered tokens of each item, also where there are no gaps."""
        return Ragged.whole(self.end - self.start) if self.tokens is None else self.tokens

    def gaps(self) -> tuple[Int64, ...]:
        """One column that tells sets of tokens with the same ends apart; none without gaps."""
        if self.tokens is None:
            return ()
        sets = (self.tokens[row].tobytes() for row in range(len(self)))
        full = np.diff(self.tokens.bounds) == self.end - self.start
        return (np.array([0 if whole else crc32(s) for s, whole in zip(sets, full, strict=True)]),)

    def take(self, rows: Int64) -> Items:
        """Some of the items, by their numbers."""
        return Items(
            self.start[rows],
            self.end[rows],
            self.label.take(rows),
            None if self.tokens is None else self.tokens.take(rows),
            None if self.second is None else self.second[rows],
            {name: _TextRows(texts, rows) for name, texts in self.details.items()},
            chain=None if self.chain is None else self.chain.take(rows),
        )

    @staticmethod
    def join(parts: Sequence[Items], tokens: Sequence[int]) -> Items:
        """The items of several corpora, one after another; `tokens` is where each one begins."""
        seconds = [
            np.where(p.second >= 0, p.second + base, p.second)
            for p, base in zip(parts, tokens, strict=True)
            if p.second is not None
        ]
        chains = [p.chain for p in parts if p.chain is not None]
        bases = [np.int32(base) for base in tokens]
        has_gaps = any(p.tokens is not None for p in parts)
        return Items(
            np.concatenate([p.start + base for p, base in zip(parts, bases, strict=True)]),
            np.concatenate([p.end + base for p, base in zip(parts, bases, strict=True)]),
            concatenate([p.label for p in parts]),
            Ragged.concatenate([p.sets() for p in parts]) if has_gaps else None,
            second=np.concatenate(seconds) if len(seconds) == len(parts) else None,
            chain=concatenate(chains) if len(chains) == len(parts) else None,
        )

    def detail(self, row: int) -> str | None:
        """All details of an item in words; None if there are none."""
        found = [detail.written(texts[row]) for detail, texts in self.details.items()]
        return "".join(found).strip() or None

    def __getstate__(self) -> dict[str, Any]:
        # Details may look things up in a corpus, which must not travel.
        return {**self.__dict__, "details": {}}


def runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """First and last place of every stretch without gaps.

    >>> runs((1, 2, 5))
    [(1, 2), (5, 5)]
    """
    breaks = [0, *(i for i, (a, b) in enumerate(pairwise(places), 1) if b != a + 1), len(places)]
    return [(places[a], places[z - 1]) for a, z in pairwise(breaks)] if places else []


def run_text(runs: Iterable[tuple[int, int]]) -> str:
    """The same in a few characters.

    >>> run_text([(1, 2), (5, 5)])
    '1-2,5'
    """
    return ",".join(str(a) if a == z else f"{a}-{z}" for a, z in runs)


def occurrence(values: Int64) -> Int64:
    """How many equal values stand before each.

    >>> occurrence(np.array([7, 5, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    begins = np.flatnonzero(np.diff(ranked, prepend=ranked[:1] - 1))
    nth = np.empty(len(values), np.int64)
    nth[order] = np.arange(len(values)) - np.repeat(begins, np.diff([*begins, len(values)]))
    return nth


def of_partner(values: npt.NDArray[V], partner: npt.NDArray[Any], missing: int) -> npt.NDArray[V]:
    """What each row's partner has, `missing` where there is no partner (-1)."""
    found = np.full(len(partner), missing, values.dtype)
    paired = partner >= 0
    found[paired] = values[partner[paired]]
    return found


def _over_gold(alignment: Alignment, tokens: Int32 | Int64, atoms: Int64) -> Int64:
    """The gold tokens over some tokens of the system: partners, or what holds their atoms."""
    paired = alignment.gold_of_system[tokens].astype(np.int64)
    if not (paired < 0).any():
        return paired
    place = alignment.gold_start.searchsorted(atoms, side="right") - 1
    return np.where(paired >= 0, paired, np.maximum(place, 0))
