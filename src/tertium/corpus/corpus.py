"""`Corpus`: one text with many layers, as columns of integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, concatenate
from tertium.corpus.layers import Choice, Comments, Layer, Spaces, ranges
from tertium.exceptions import LayerError, Problem, suggestion

L = TypeVar("L", bound=Layer)

_NOTHING: Mapping[str, Layer] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences of tokens with layers over them. Frozen: every change gives a new corpus.

    - `offsets`: where each sentence's tokens begin; one more than there are sentences
    - `forms`: the tokens' forms; None for files that hold spans over token numbers only
    - `layers`: what is annotated, by name: `upos`, `deps`, `ner`, ...
    - `extras`: what a file holds besides and must not lose: comments, multiword tokens, ...
    - `documents`: the sentences at which documents begin; empty where the file marks none
    - `atoms`: what a token is: "words", "characters" (white space left out) or "indices"
    - `lines`: the line of each token in its file, for messages
    - `skipped`: sentences left out by `--on-error skip`; they hold no tokens but keep their place
    - `problems`: what the reader met, repaired or noted
    """

    offsets: Int64
    forms: Labels | None
    layers: Mapping[str, Layer] = field(default_factory=lambda: _NOTHING)
    extras: Mapping[str, Layer] = field(default_factory=lambda: _NOTHING)
    documents: Int64 = field(default_factory=lambda: np.zeros(0, np.int64))
    atoms: str = "words"
    origin: str = "corpus"
    format: str = ""
    lines: Int32 | None = None
    skipped: npt.NDArray[np.bool_] | None = None
    problems: tuple[Problem, ...] = ()
    repaired: int = 0

    @property
    def sentence_count(self) -> int:
        """Number of sentences, skipped ones included."""
        return len(self.offsets) - 1

    @property
    def token_count(self) -> int:
        """Number of tokens."""
        return int(self.offsets[-1])

    def layer(self, name: str, kind: type[L]) -> L:
        """The layer `name`, which must be of `kind`."""
        found = self.layers.get(name)
        if isinstance(found, kind):
            return found
        there = [n for n, layer in self.layers.items() if isinstance(layer, kind)]
        what = f"{self.origin} has no {kind.__name__.lower()} layer '{name}'."
        if there:
            what += f" It has: {', '.join(there)}.{suggestion(name, there)}"
        raise LayerError(what)

    def of_kind(self, kind: type[L]) -> dict[str, L]:
        """All layers of a kind, in the order of the file's columns."""
        return {n: layer for n, layer in self.layers.items() if isinstance(layer, kind)}

    @cached_property
    def sentence_of_token(self) -> Int32:
        """The sentence number of every token."""
        return np.repeat(
            np.arange(self.sentence_count, dtype=np.int32), np.diff(self.offsets).astype(np.int64)
        )

    @cached_property
    def derived(self) -> dict[object, Any]:
        """A place for what is computed from this corpus once and used again, such as spans decoded
        from tags. A changed corpus is a new one, so that nothing here goes stale."""
        return {}

    @property
    def space_after(self) -> npt.NDArray[np.bool_]:
        """Is a token followed by white space? True where the file does not say."""
        spaces = self.extras.get("spaces")
        if isinstance(spaces, Spaces):
            return spaces.after
        return np.ones(self.token_count, np.bool_)

    def metadata(self, key: str) -> list[str | None]:
        """The value of `# key = value` for every sentence.

        A sentence without the key has that of its document's first sentence, so that what is said
        once per document holds for all of it; `newdoc` and `newpar` ids have these names.
        """
        values: list[str | None] = [None] * self.sentence_count
        comments = self.extras.get("comments")
        if isinstance(comments, Comments):
            parsed = [_value(text, key) for text in comments.text.names]
            for sentence, code in zip(
                comments.sentence.tolist(), comments.text.codes.tolist(), strict=True
            ):
                if parsed[code] is not None:
                    values[sentence] = parsed[code]
        if key == "sent_id":
            return values
        firsts = set(self.documents.tolist())
        inherited = None
        for i, value in enumerate(values):
            if i in firsts:
                inherited = value
            if value is None:
                values[i] = inherited
        return values

    @cached_property
    def _sentence_ids(self) -> list[str | None]:
        return self.metadata("sent_id")

    def sentence_id(self, sentence: int) -> str:
        """The id of a sentence, or its number, counted from 1, where the file gives none."""
        return self._sentence_ids[sentence] or str(sentence + 1)

    def take(self, sentences: npt.ArrayLike) -> Corpus:
        """The chosen sentences (numbers in any order, or a mask) as a corpus of their own."""
        chosen = np.asarray(sentences)
        chosen = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.int64)
        first, last = self.offsets[chosen], self.offsets[chosen + 1]
        offsets = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(last - first, out=offsets[1:])
        tokens = ranges(first, last)
        choice = Choice(chosen, tokens, self.offsets, offsets)
        return replace(
            self,
            offsets=offsets,
            forms=self.forms.take(tokens) if self.forms is not None else None,
            layers={n: layer.take(choice) for n, layer in self.layers.items()},
            extras={n: layer.take(choice) for n, layer in self.extras.items()},
            documents=_documents_of(self.documents, chosen),
            lines=self.lines[tokens] if self.lines is not None else None,
            skipped=self.skipped[chosen] if self.skipped is not None else None,
        )

    def __eq__(self, other: object) -> bool:
        """Same text, same annotation, same extras; where it was read from does not matter."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return (
            self.atoms == other.atoms
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.documents, other.documents)
            and self.forms == other.forms
            and dict(self.layers) == dict(other.layers)
            and dict(self.extras) == dict(other.extras)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = ", ".join(self.layers) or "no layers"
        return (
            f"<Corpus {self.origin}: {self.sentence_count:,} sentences, "
            f"{self.token_count:,} {self.atoms}, {names}>"
        )


def concatenate_corpora(parts: Sequence[Corpus]) -> Corpus:
    """Corpora one after another; all must have the same layers."""
    if not parts:
        return Corpus(np.zeros(1, np.int64), Labels.of([]))
    first = parts[0]
    for part in parts[1:]:
        if part.atoms != first.atoms or set(part.layers) != set(first.layers):
            raise LayerError(
                f"{first.origin} and {part.origin} hold different layers "
                f"({', '.join(first.layers)} / {', '.join(part.layers)}) and cannot be joined"
            )
    tokens = np.cumsum([0, *(p.token_count for p in parts)]).tolist()
    sentences = np.cumsum([0, *(p.sentence_count for p in parts)]).tolist()
    offsets = np.concatenate(
        [[0], *(p.offsets[1:] + base for p, base in zip(parts, tokens, strict=False))]
    )

    def joined(layers: list[Mapping[str, Layer]]) -> dict[str, Layer]:
        result: dict[str, Layer] = {}
        for name in dict.fromkeys(n for some in layers for n in some):
            have = [(i, some[name]) for i, some in enumerate(layers) if name in some]
            rows: list[Any] = [layer for _, layer in have]
            where = [i for i, _ in have]
            if len(have) < len(layers) and isinstance(rows[0], Spaces):
                rows = [Spaces(p.space_after) for p in parts]
                where = list(range(len(parts)))
            elif len(have) < len(layers) and _is_per_token(rows[0]):
                raise LayerError(f"not every part has '{name}'")
            result[name] = type(rows[0]).join(
                rows, [tokens[i] for i in where], [sentences[i] for i in where]
            )
        return result

    return replace(
        first,
        offsets=offsets.astype(np.int64),
        forms=concatenate([p.forms for p in parts if p.forms is not None])
        if first.forms is not None
        else None,
        layers=joined([p.layers for p in parts]),
        extras=joined([p.extras for p in parts]),
        documents=np.concatenate(
            [p.documents + base for p, base in zip(parts, sentences, strict=False)]
        ),
        lines=None,
        skipped=np.concatenate([_skipped(p) for p in parts]),
        problems=tuple(problem for p in parts for problem in p.problems),
        repaired=sum(p.repaired for p in parts),
    )


def _is_per_token(layer: Layer) -> bool:
    return any(kind == "per_token" for _, kind, _ in layer._columns())


def _skipped(corpus: Corpus) -> npt.NDArray[np.bool_]:
    if corpus.skipped is None:
        return np.zeros(corpus.sentence_count, np.bool_)
    return corpus.skipped


def _documents_of(documents: Int64, chosen: Int64) -> Int64:
    """Where documents begin among the chosen sentences: wherever the document changes."""
    if not len(documents):
        return documents
    of = np.searchsorted(documents, chosen, side="right")
    return np.flatnonzero((np.diff(of, prepend=-1) != 0) & (of > 0)).astype(np.int64)


def _value(comment: str, key: str) -> str | None:
    """The value if the comment is `key = value`; for newdoc and newpar also `newdoc id = value`."""
    name, equals, value = comment.partition("=")
    name = name.strip()
    if not equals:
        return "" if name == key else None
    if name == key or (key in ("newdoc", "newpar") and name == f"{key} id"):
        return value.strip()
    return None
