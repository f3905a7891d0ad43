"""The layers of annotation over a text, each a small frozen dataclass of numpy arrays.

Every field says in its role how it moves when sentences are chosen, reordered or joined, so one
implementation of `take` and `join` serves all layers, including those of third parties:

- `per_token`: one entry per token; the other roles are columns of rows
- `position`: token offsets in the corpus
- `sentence`: the row's sentence; without such a field the first position decides
- `row`: number of another row of the same layer, -1 for none
- `value`: anything else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, concatenate

Bools = npt.NDArray[np.bool_]


def role(name: str, **options: Any) -> Any:
    """A dataclass field with a role (see the module's text)."""
    return field(metadata={"role": name}, **options)


@dataclass(frozen=True, slots=True)
class Choice:
    """Sentences chosen from a corpus, in a new order: what `take` needs to move a layer."""

    sentences: Int64
    tokens: Int64
    old_offsets: Int64
    new_offsets: Int64


@dataclass(frozen=True, eq=False)
class Layer:
    """Base of all layers."""

    def _columns(self) -> list[tuple[str, str, Any]]:
        return [(f.name, f.metadata["role"], getattr(self, f.name)) for f in fields(self)]

    def sentence_of_row(self, offsets: Int64) -> Int64:
        """The sentence of each row (layers of rows only)."""
        for _, kind, value in self._columns():
            if kind == "sentence":
                return np.asarray(value, np.int64)
        for _, kind, value in self._columns():
            if kind == "position":
                found = np.searchsorted(offsets, value, side="right") - 1
                return np.asarray(found, np.int64)
        raise TypeError(f"{type(self).__name__} has no rows")

    def take(self, choice: Choice) -> Self:
        """The same layer over the chosen sentences."""
        columns = self._columns()
        changed: dict[str, Any] = {}
        if any(kind != "per_token" and v is not None for _, kind, v in columns):
            of_row = self.sentence_of_row(choice.old_offsets)
            # Sentences may be repeated (resampling), so rows are gathered sentence by sentence.
            order = np.argsort(of_row, kind="stable")
            count = len(choice.old_offsets) - 1
            bounds = np.searchsorted(of_row[order], np.arange(count + 1))
            first, last = bounds[choice.sentences], bounds[choice.sentences + 1]
            rows = order[ranges(first, last)]
            new_of_row = np.repeat(np.arange(len(choice.sentences)), last - first)
            shift = choice.new_offsets[:-1] - choice.old_offsets[choice.sentences]
            place = np.empty(len(of_row), np.int64)
            place[order] = np.arange(len(of_row))
            moved = np.repeat(np.cumsum(last - first) - last, last - first)
        for name, kind, value in columns:
            if value is None:
                continue
            if kind == "per_token":
                changed[name] = _pick(value, choice.tokens)
            elif kind == "position":
                changed[name] = (value[rows] + shift[new_of_row]).astype(value.dtype)
            elif kind == "sentence":
                changed[name] = new_of_row.astype(value.dtype)
            elif kind == "row":
                pointed = value[rows]
                there = place[pointed] + moved if len(place) else pointed
                changed[name] = np.where(pointed < 0, pointed, there).astype(value.dtype)
            else:
                changed[name] = _pick(value, rows)
        return type(self)(**{**{n: v for n, _, v in columns}, **changed})

    @classmethod
    def join(cls, parts: Sequence[Self], tokens: Sequence[int], sentences: Sequence[int]) -> Self:
        """One layer from the layers of several corpora put one after another.

        `tokens` and `sentences` are where each corpus begins in the joined one.
        """
        joined: dict[str, Any] = {}
        rows = np.cumsum([0, *(p.row_count() for p in parts)])
        for f in fields(cls):
            values = [getattr(p, f.name) for p in parts]
            if any(v is None for v in values):
                joined[f.name] = None
                continue
            kind = f.metadata["role"]
            base: Sequence[int] | Int64
            base = {"position": tokens, "sentence": sentences}.get(kind, [0] * len(parts))
            if kind == "row":
                values = [
                    np.where(v < 0, v, v + rows[i]).astype(v.dtype) for i, v in enumerate(values)
                ]
            if isinstance(values[0], Labels):
                joined[f.name] = concatenate(values)
            elif isinstance(values[0], Ragged):
                joined[f.name] = Ragged.concatenate(values)
            else:
                joined[f.name] = np.concatenate(
                    [
                        v + np.asarray(b, v.dtype) if b else v
                        for v, b in zip(values, base, strict=True)
                    ]
                )
        return cls(**joined)

    def row_count(self) -> int:
        """Number of rows; tokens, for layers with an entry per token."""
        return max((len(v) for _, _, v in self._columns() if v is not None), default=0)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        for (_, _, mine), (_, _, theirs) in zip(
            self._columns(),
            other._columns(),
            strict=True,
        ):
            if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
                if not np.array_equal(mine, theirs):
                    return False
            elif mine != theirs:
                return False
        return True

    __hash__ = None  # type: ignore[assignment]


def _pick(value: Any, rows: Int64) -> Any:
    return value.take(rows) if isinstance(value, Labels | Ragged) else value[rows]


def ranges(first: Int64, last: Int64) -> Int64:
    """first[0]..last[0]-1, first[1]..last[1]-1, ... in one array.

    >>> ranges(np.array([5, 0]), np.array([7, 1])).tolist()
    [5, 6, 0]
    """
    sizes = last - first
    starts = np.cumsum(sizes) - sizes
    moved: Int64 = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(first - starts, sizes)
    return moved


@dataclass(frozen=True, eq=False, slots=True)
class Ragged:
    """A list of integers per row."""

    bounds: Int64
    values: Int32

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, row: int) -> Int32:
        return self.values[self.bounds[row] : self.bounds[row + 1]]

    def take(self, rows: Int64) -> Ragged:
        """The chosen rows."""
        rows = np.asarray(rows)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        first, last = self.bounds[rows], self.bounds[rows + 1]
        bounds = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(last - first, out=bounds[1:])
        return Ragged(bounds, self.values[ranges(first, last)])

    @classmethod
    def concatenate(cls, parts: Sequence[Ragged]) -> Ragged:
        """Rows one after another."""
        sizes = np.concatenate([np.diff(p.bounds) for p in parts])
        bounds = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=bounds[1:])
        return cls(bounds, np.concatenate([p.values for p in parts]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ragged):
            return NotImplemented
        return np.array_equal(self.bounds, other.bounds) and np.array_equal(
            self.values, other.values
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Tags(Layer):
    """One label per token: part of speech, a feature bundle, a raw BIO tag."""

    labels: Labels = role("per_token")


@dataclass(frozen=True, eq=False)
class Arcs(Layer):
    """A dependency tree over each sentence: `head` is 1-based in the sentence, 0 for the root,
    -1 where the file gives none."""

    head: Int32 = role("per_token")
    label: Labels = role("per_token")


@dataclass(frozen=True, eq=False)
class Spans(Layer):
    """Labelled stretches of tokens, `end` exclusive; nesting, crossing and repetition are allowed.

    `tokens` is there only for discontinuous spans: the covered tokens of each row, counted from
    its `start`.
    """

    start: Int32 = role("position")
    end: Int32 = role("position")
    label: Labels = role("value")
    tokens: Ragged | None = role("value", default=None)

    @classmethod
    def join(cls, parts: Sequence[Self], tokens: Sequence[int], sentences: Sequence[int]) -> Self:
        """As every layer; token sets are spelt out for all if one part has them."""
        if any(p.tokens is not None for p in parts):
            parts = [replace(p, tokens=p.token_sets()) for p in parts]
        return super().join(parts, tokens, sentences)

    def token_sets(self) -> Ragged:
        """The covered tokens of each span, counted from its start."""
        if self.tokens is not None:
            return self.tokens
        sizes = (self.end - self.start).astype(np.int64)
        bounds = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=bounds[1:])
        return Ragged(bounds, ranges(np.zeros_like(sizes), sizes).astype(np.int32))


@dataclass(frozen=True, eq=False)
class Trees(Layer):
    """Constituent trees: spans in preorder with parents and function labels."""

    start: Int32 = role("position")
    end: Int32 = role("position")
    label: Labels = role("value")
    function: Labels = role("value")
    parent: Int32 = role("row")


@dataclass(frozen=True, eq=False)
class Chains(Layer):
    """Coreference: mentions and the entity each belongs to; entity names are unique per corpus."""

    start: Int32 = role("position")
    end: Int32 = role("position")
    entity: Labels = role("value")


@dataclass(frozen=True, eq=False)
class Graph(Layer):
    """A labelled graph over the tokens of each sentence, with marked top nodes."""

    source: Int32 = role("position")
    target: Int32 = role("position")
    label: Labels = role("value")
    tops: Bools = role("per_token")


@dataclass(frozen=True, eq=False)
class Comments(Layer):
    """Comment lines as written, without the leading '#'."""

    sentence: Int32 = role("sentence")
    text: Labels = role("value")


@dataclass(frozen=True, eq=False)
class Multiwords(Layer):
    """Surface tokens that stand for several words (CoNLL-U ranges such as 3-4)."""

    start: Int32 = role("position")
    end: Int32 = role("position")
    form: Labels = role("value")
    fields: Labels = role("value")  # the columns after FORM as written, tab-separated


@dataclass(frozen=True, eq=False)
class EmptyNodes(Layer):
    """Nodes without surface form (CoNLL-U ids such as 8.1)."""

    sentence: Int32 = role("sentence")
    after: Int32 = role("value")
    minor: Int32 = role("value")
    fields: Labels = role("value")  # the nine columns after ID as written, tab-separated


@dataclass(frozen=True, eq=False)
class Spaces(Layer):
    """Is a token followed by white space in the text?"""

    after: Bools = role("per_token")
