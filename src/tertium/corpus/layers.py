"""The layers of annotation over a text, each a small frozen dataclass of numpy arrays.

Every field says in its role how it moves when sentences are chosen or reordered, so one
implementation of `take` serves all layers, including those of third parties:

- `per_token`: one entry per token; the other roles are columns of rows
- `position`: token offsets in the corpus
- `place`: a token's number, or the number of tokens plus k for the k-th empty node of the corpus;
  -1 the root, -2 none
- `sentence`: the row's sentence; without such a field the first position decides
- `row`: number of another row, negative for none
- `value`: anything else

A layer with rows of two sorts, such as nodes and edges, names the `table` of a field, and the table
`to` which a row number leads. A row number or place may lead to another sentence only if that
sentence is chosen as well, once; otherwise `take` raises LayerError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tertium.corpus.cut import Cut, TableRows
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of, concatenate, ranges

Bools = npt.NDArray[np.bool_]


def role(name: str, *, table: str = "", to: str = "", **options: Any) -> Any:
    """A dataclass field with a role (see the module's text)."""
    return field(metadata={"role": name, "table": table, "to": to}, **options)


@dataclass(frozen=True, eq=False)
class Layer:
    """Base of all layers."""

    def lend(self, partner: Int32) -> Layer | None:
        """The layer as another text sees it whose tokens have these partners (-1 for none); None if
        it holds together and cannot be lent token by token."""
        return None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Every row as Python values, in the order of the fields (layers with one table only)."""
        columns = (getattr(self, f.name) for f in fields(self))
        lists = (c.to_list() if isinstance(c, Labels) else c.tolist() for c in columns)
        return zip(*lists, strict=True)

    def sentence_of_row(self, offsets: Int64, table: str = "") -> Int64:
        """The sentence of each row (layers of rows only)."""
        columns = {
            f.metadata["role"]: getattr(self, f.name)
            for f in reversed(fields(self))  # of several positions the first one decides
            if f.metadata["table"] == table
        }
        if "sentence" in columns:
            return np.asarray(columns["sentence"], np.int64)
        if "position" in columns:
            found = np.searchsorted(offsets, columns["position"], side="right") - 1
            return np.asarray(found, np.int64)
        raise TypeError(f"{type(self).__name__} has no rows")

    def take(self, cut: Cut) -> Self:
        """The same layer over the chosen sentences."""
        tables: dict[str, TableRows] = {}

        def rows_of(table: str) -> TableRows:
            if table not in tables:
                tables[table] = TableRows(self.sentence_of_row(cut.old_offsets, table), cut)
            return tables[table]

        changed: dict[str, Any] = {}
        for f in fields(self):
            value, kind = getattr(self, f.name), f.metadata["role"]
            if value is None:
                continue
            if kind == "per_token":
                changed[f.name] = _pick(value, cut.tokens)
                continue
            rows = rows_of(f.metadata["table"])
            picked = _pick(value, rows.kept)
            if kind == "position":
                moved = cut.move(picked, rows.sentence, self._row_of(f.name))
                picked = moved.astype(value.dtype)
            elif kind == "sentence":
                picked = rows.sentence.astype(value.dtype)
            elif kind == "row":
                to, there = rows_of(f.metadata["to"]), picked >= 0
                pointed = to.rank[picked[there]], rows.sentence[there]
                picked[there] = cut.follow(*pointed, to.old, to.new, self._row_of(f.name))
            elif kind == "place":
                self._move_places(picked, rows.sentence, cut, f.name)
            changed[f.name] = picked
        return replace(self, **changed)

    def _row_of(self, name: str) -> str:
        return f"'{name}' of a row of {type(self).__name__}"

    def _move_places(self, places: Int64, sentence: Int64, cut: Cut, name: str) -> None:
        what, size = self._row_of(name), int(cut.old_offsets[-1])
        empty = places >= size
        token = (places >= 0) & ~empty
        tokens = cut.follow(places[token], sentence[token], cut.old_offsets, cut.new_offsets, what)
        nodes = cut.follow(
            places[empty] - size, sentence[empty], cut.old_empty, cut.new_empty, what
        )
        places[token] = tokens
        places[empty] = nodes + cut.new_offsets[-1]

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        pairs = [(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)]
        return all(
            np.array_equal(mine, theirs)
            if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray)
            else mine == theirs
            for mine, theirs in pairs
        )

    __hash__ = None  # type: ignore[assignment]


def _pick(value: Any, rows: Int64) -> Any:
    return value.take(rows) if isinstance(value, Labels | Ragged) else value[rows]


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
        return Ragged(bounds_of(last - first), self.values[ranges(first, last)])

    @classmethod
    def whole(cls, sizes: npt.NDArray[np.integer]) -> Ragged:
        """Rows of so many numbers, counted from 0: the tokens of stretches without gaps."""
        sizes = sizes.astype(np.int64)
        return cls(bounds_of(sizes), ranges(np.zeros_like(sizes), sizes).astype(np.int32))

    @classmethod
    def concatenate(cls, parts: Sequence[Ragged]) -> Ragged:
        """Rows one after another."""
        sizes = np.concatenate([np.diff(p.bounds) for p in parts])
        return cls(bounds_of(sizes), np.concatenate([p.values for p in parts]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ragged):
            return NotImplemented
        return np.array_equal(self.bounds, other.bounds) and np.array_equal(
            self.values, other.values
        )

    __hash__ = None  # type: ignore[assignment]


def covered(start: Int32, end: Int32, tokens: Ragged | None) -> Int64:
    """How many tokens each row covers, without those in its gaps."""
    sizes = end - start if tokens is None else np.diff(tokens.bounds)
    return sizes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Tags(Layer):
    """One label per token: part of speech, a feature bundle, a raw BIO tag."""

    labels: Labels = role("per_token")

    def lend(self, partner: Int32) -> Tags:
        """`_` where there is no partner."""
        there = dict.fromkeys([*self.labels.names, "_"])
        codes = np.append(self.labels.codes, np.int32([*there].index("_")))
        return Tags(Labels(Names.of(there), codes[partner]))


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

    @staticmethod
    def join(parts: Sequence[Spans]) -> Spans:
        """Spans of one and the same text; token sets are spelt out for all if one part has them."""
        has_sets = any(p.tokens is not None for p in parts)
        return Spans(
            np.concatenate([p.start for p in parts]),
            np.concatenate([p.end for p in parts]),
            concatenate([p.label for p in parts]),
            Ragged.concatenate([p.token_sets() for p in parts]) if has_sets else None,
        )

    def token_sets(self) -> Ragged:
        """The covered tokens of each span, counted from its start."""
        return Ragged.whole(self.end - self.start) if self.tokens is None else self.tokens


@dataclass(frozen=True, eq=False, kw_only=True)
class Trees(Spans):
    """Constituent trees: spans with parents (-1 above the topmost) and function labels.

    Rows stand in preorder, which is also the order of siblings. A constituent may cover no token
    (`start` is `end`), so every row says its sentence.
    """

    function: Labels = role("value")
    parent: Int32 = role("row")
    sentence: Int32 = role("sentence")


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionTrees(Layer):
    """Trees as a theory has them, of dependencies or constituents, with a row for every node.

    Rows stand in preorder. A row has one function or none ("") and one category or none; a node
    with several labels is several rows over the same tokens, each of them the only child of the one
    before. Every word has a row of its own (`is_word`), the lowest over it. `tokens` is there only
    for nodes with gaps: the covered tokens of each row, counted from its `start`.
    """

    start: Int32 = role("position")
    end: Int32 = role("position")
    function: Labels = role("value")
    category: Labels = role("value")
    is_word: Bools = role("value")
    parent: Int32 = role("row")
    sentence: Int32 = role("sentence")
    tokens: Ragged | None = role("value", default=None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Chains(Spans):
    """Coreference: mentions, and the entity that each belongs to.

    Entities are numbered in each document, so two documents may both have an entity 1: an
    entity is identified by its document and its number. `name` is how the file writes the entity,
    `label` its type, empty where the file gives none. A mention may consist of empty nodes alone,
    so every row says its sentence.

    - `head`: the place of the mention's head, where the file names it; NOWHERE (-2) for none
    - `zeros`: the empty nodes that each mention covers, counted from the first one of its sentence
    """

    entity: Int32 = role("value")
    name: Labels = role("value")
    sentence: Int32 = role("sentence")
    head: Int32 | None = role("place", default=None)
    zeros: Ragged | None = role("value", default=None)


@dataclass(frozen=True, eq=False, kw_only=True)
class Graph(Layer):
    """Labelled graphs: nodes that stand for tokens, for empty nodes or for nothing in the text, and
    edges between them.

    - `place`: what a node stands for (see the module's text), -2 for nothing
    - `top`: is the node a top node of its graph?
    - `source`, `target`: rows of nodes; -1 is the root, -2 a node that the file does not have
    """

    place: Int32 = role("place", table="nodes")
    top: Bools = role("value", table="nodes")
    node_sentence: Int32 = role("sentence", table="nodes")
    node_label: Labels | None = role("value", table="nodes", default=None)
    source: Int32 = role("row", to="nodes")
    target: Int32 = role("row", to="nodes")
    label: Labels = role("value")
    sentence: Int32 = role("sentence")


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
    """Nodes without surface form (CoNLL-U ids such as 8.1), in the order of the text.

    The k-th of them, counted from 0, has the place `token_count + k`.
    """

    sentence: Int32 = role("sentence")
    after: Int32 = role("value")
    minor: Int32 = role("value")
    fields: Labels = role("value")  # the nine columns after ID as written, tab-separated


@dataclass(frozen=True, eq=False)
class Spaces(Layer):
    """Is a token followed by white space in the text?"""

    after: Bools = role("per_token")
