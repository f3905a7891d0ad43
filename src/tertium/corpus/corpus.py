"""`Corpus`: one text with many layers, as columns of integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.cut import Cut
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, concatenate
from tertium.corpus.layers import Bools, Comments, EmptyNodes, Layer, Spaces, Spans
from tertium.exceptions import LayerError, Problem, suggestion


class _Source(Protocol):
    @property
    def derived(self) -> dict[object, Any]: ...


D = TypeVar("D", bound=_Source)
L = TypeVar("L", bound=Layer)
P = ParamSpec("P")
T = TypeVar("T")

_DOCUMENT_FIELDS = ("documents", "document_names", "document_marks")
_DERIVED: Any = None  # a field that is worked out from others unless it is given


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences of tokens with layers over them. Frozen: every change gives a new corpus.

    - `offsets`: where each sentence's tokens begin; one more than there are sentences
    - `forms`: the tokens' forms; None for files that hold spans over token numbers only
    - `layers`: what is annotated, by name: `upos`, `deps`, `ner`, ...
    - `extras`: what a file holds besides and must not lose: comments, multiword tokens, ...
    - `documents`: the sentences at which documents begin. A reader gives those that the file marks
      (by default those with a comment `newdoc`); what stands before the first mark is a document
      too, so there is one wherever there is a sentence
    - `document_names`: their names, empty for one without; by default as the comments say
    - `document_marks`: is each document marked in the file?
    - `atoms`: what a token is: "words", "characters" (white space left out) or "indices"
    - `lines`: the line of each token in its file, for messages
    - `skipped`: sentences left out by `--on-error skip`; they hold no tokens but keep their place
    - `problems`: what the reader met, repaired or noted
    - `digest`: SHA-256 of the file it was read from, where that was asked for
    """

    offsets: Int64
    forms: Labels | None
    layers: Mapping[str, Layer] = field(default_factory=dict)
    extras: Mapping[str, Layer] = field(default_factory=dict)
    documents: Int64 = _DERIVED
    document_names: Labels = _DERIVED
    document_marks: Bools = _DERIVED
    atoms: str = "words"
    origin: str = "corpus"
    format: str = ""
    lines: Int32 | None = None
    skipped: npt.NDArray[np.bool_] | None = None
    problems: tuple[Problem, ...] = ()
    repaired: int = 0
    digest: str = ""

    def __post_init__(self) -> None:
        starts, names, marks = (getattr(self, name) for name in _DOCUMENT_FIELDS)
        if marks is not None:
            return
        if starts is None:
            starts = _marked(self.extra("comments", Comments))
        unmarked = int(self.sentence_count > 0 and not (len(starts) and starts[0] == 0))
        starts = np.append(np.zeros(unmarked, np.int64), starts)
        marks = np.arange(len(starts)) >= unmarked
        if names is None:
            given = self._given("newdoc") if marks.any() else {}
            names = Labels.of(given.get(start, "") for start in starts.tolist())
        elif unmarked:
            names = concatenate([Labels.of([""]), names])
        for name, value in zip(_DOCUMENT_FIELDS, (starts, names, marks), strict=True):
            object.__setattr__(self, name, value)

    @property
    def sentence_count(self) -> int:
        """Number of sentences, skipped ones included."""
        return len(self.offsets) - 1

    @property
    def token_count(self) -> int:
        """Number of tokens."""
        return int(self.offsets[-1])

    @property
    def has_words(self) -> bool:
        """Are there words, other than placeholders (`_`)?"""
        return self.forms is not None and not self.forms.is_constant("_")

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

    def extra(self, name: str, kind: type[L]) -> L | None:
        """The extra `name`; None where the corpus has none of that kind."""
        found = self.extras.get(name)
        return found if isinstance(found, kind) else None

    def rows_of(self, name: str, kind: type[Layer]) -> Iterable[tuple[Any, ...]]:
        """The rows of the extra `name` as Python values; none where there is no such extra."""
        found = self.extra(name, kind)
        return found.rows() if found is not None else ()

    def of_kind(self, kind: type[L]) -> dict[str, L]:
        """All layers of a kind, in the order of the file's columns."""
        return {n: layer for n, layer in self.layers.items() if isinstance(layer, kind)}

    @cached_property
    def sentence_of_token(self) -> Int32:
        """The sentence number of every token."""
        sizes = np.diff(self.offsets).astype(np.int64)
        return np.repeat(np.arange(self.sentence_count, dtype=np.int32), sizes)

    def sentence_of(self, tokens: npt.ArrayLike) -> Int64:
        """The sentence numbers of some tokens, without those of all others."""
        return np.asarray(np.searchsorted(self.offsets, tokens, side="right") - 1, np.int64)

    @cached_property
    def derived(self) -> dict[object, Any]:
        """A place for what is computed from this corpus once and used again, such as spans decoded
        from tags. A changed corpus is a new one, so that nothing here goes stale."""
        return {}

    @property
    def space_after(self) -> npt.NDArray[np.bool_]:
        """Is a token followed by white space? True where the file does not say."""
        spaces = self.extra("spaces", Spaces)
        return np.ones(self.token_count, np.bool_) if spaces is None else spaces.after

    def metadata(self, key: str) -> list[str | None]:
        """The value of `# key = value` for every sentence.

        A sentence without the key has that of its document's first sentence, so that what is said
        once per document holds for all of it; `newdoc` and `newpar` ids have these names.
        """
        if key == "sent_id":
            ids = self.sentence_ids.to_list() if self.sentence_ids is not None else []
            return [id or None for id in ids] or [None] * self.sentence_count
        given = self._given(key)
        of_document: list[str | None] = [given.get(start) for start in self.documents.tolist()]
        if key == "newdoc":  # the first sentence may be gone
            names = self.document_names.to_list()
            of_document = [
                name or None if value is None else value
                for value, name in zip(of_document, names, strict=True)
            ]
        for unmarked in np.flatnonzero(~self.document_marks).tolist():
            of_document[unmarked] = None
        return [
            given.get(sentence, of_document[document])
            for sentence, document in enumerate(self.document_of_sentence.tolist())
        ]

    def _given(self, key: str) -> dict[int, str]:
        """The sentences that have `# key = value` themselves, and their values; the last holds."""
        comments = self.extra("comments", Comments)
        if comments is None:
            return {}
        names, of_row = comments.text.names, comments.text.codes
        codes = names.perhaps_with(key)
        texts = zip(codes.tolist(), names.some(codes), strict=True)
        values = {code: value for code, text in texts if (value := _value(text, key)) is not None}
        wanted = np.zeros(len(names), np.bool_)
        wanted[list(values)] = True
        rows = np.flatnonzero(wanted[of_row])
        where = zip(comments.sentence[rows].tolist(), of_row[rows].tolist(), strict=True)
        return {sentence: values[code] for sentence, code in where}

    @cached_property
    def sentence_ids(self) -> Labels | None:
        """The ids of sentences from `# sent_id = ...`, empty where there is none; None where no
        sentence has one."""
        given = self._given("sent_id")
        if not any(given.values()):
            return None
        return Labels.of(given.get(i, "") for i in range(self.sentence_count))

    def sentence_id(self, sentence: int) -> str:
        """The id of a sentence, or its number, counted from 1, where the file gives none."""
        given = self.sentence_ids[sentence] if self.sentence_ids is not None else ""
        return given or str(sentence + 1)

    @property
    def document_count(self) -> int:
        """Number of documents; at least one, unless there is no sentence."""
        return len(self.documents)

    @cached_property
    def document_of_sentence(self) -> Int32:
        """The document of every sentence."""
        sizes = np.diff(self.documents, append=self.sentence_count)
        return np.repeat(np.arange(self.document_count, dtype=np.int32), sizes)

    def take(self, sentences: npt.ArrayLike) -> Corpus:
        """The chosen sentences (numbers in any order, or a mask) as a corpus of their own."""
        chosen = np.asarray(sentences)
        chosen = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.int64)
        cut = Cut.of(chosen, self.offsets, self._empty_offsets)
        begins = self._documents_begin(chosen)
        documents = self.document_of_sentence[chosen[begins]]
        return replace(
            self,
            offsets=cut.new_offsets,
            forms=self.forms.take(cut.tokens) if self.forms is not None else None,
            layers={n: layer.take(cut) for n, layer in self.layers.items()},
            extras={n: layer.take(cut) for n, layer in self.extras.items()},
            documents=begins,
            document_names=self.document_names.take(documents),
            document_marks=self.document_marks[documents],
            lines=self.lines[cut.tokens] if self.lines is not None else None,
            skipped=self.skipped[chosen] if self.skipped is not None else None,
        )

    def with_room(self, sizes: Int64) -> Corpus:
        """With sentences of these sizes, for files of spans over token numbers, which do not say
        how long their sentences are. Only spans can be kept where a size changes."""
        offsets = bounds_of(sizes)
        if np.array_equal(offsets, self.offsets):
            return self
        layers: dict[str, Layer] = {}
        for name, layer in self.of_kind(Spans).items():
            sentence = layer.sentence_of_row(self.offsets)
            shift = (offsets[:-1] - self.offsets[:-1])[sentence].astype(np.int32)
            layers[name] = replace(layer, start=layer.start + shift, end=layer.end + shift)
        return replace(self, offsets=offsets, layers=layers, lines=None)

    def _documents_begin(self, chosen: Int64) -> Int64:
        """Where documents begin among the chosen sentences: wherever the document changes, or
        another copy of a sentence is chosen, so a repeated document is two."""
        changes = np.diff(self.document_of_sentence[chosen], prepend=-1) != 0
        order = np.argsort(chosen, kind="stable")
        found = chosen[order]
        if (np.diff(found) == 0).any():
            copy = np.empty(len(chosen), np.int64)
            copy[order] = np.arange(len(found)) - np.searchsorted(found, found)
            changes |= np.diff(copy, prepend=0) != 0
        return np.flatnonzero(changes).astype(np.int64)

    @property
    def _empty_offsets(self) -> Int64:
        """Where the empty nodes of each sentence begin."""
        empty = self.extra("empty", EmptyNodes)
        sentence = np.zeros(0, np.int32) if empty is None else empty.sentence
        return np.searchsorted(sentence, np.arange(self.sentence_count + 1)).astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        # What was derived can be derived again and need not travel.
        return {name: value for name, value in self.__dict__.items() if name != "derived"}

    def __eq__(self, other: object) -> bool:
        """Same text, same annotation, same extras; where it was read from does not matter."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return (
            self.atoms == other.atoms
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.documents, other.documents)
            and np.array_equal(self.document_marks, other.document_marks)
            and self.document_names == other.document_names
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


def once(find: Callable[Concatenate[D, P], T]) -> Callable[Concatenate[D, P], T]:
    """Let a function of a corpus, or of anything else with a place for what is derived from it,
    compute what it finds once; it is kept in `derived`."""
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def found(source: D, /, *args: P.args, **options: P.kwargs) -> T:
        key = (name, args, tuple(options.items()))
        if key not in source.derived:
            source.derived[key] = find(source, *args, **options)
        kept: T = source.derived[key]
        return kept

    return found


def _marked(comments: Comments | None) -> Int64:
    """The sentences at which documents begin: those with a `newdoc` or `newdoc id = ...`."""
    if comments is None:
        return np.zeros(0, np.int64)
    names = comments.text.names
    codes = names.perhaps_with("newdoc")
    codes = codes[np.array([_is_newdoc(t) for t in names.some(codes)], np.bool_)]
    return np.unique(comments.sentence[np.isin(comments.text.codes, codes)]).astype(np.int64)


def _is_newdoc(text: str) -> bool:
    return text.strip() == "newdoc" or text.split("=")[0].split() == ["newdoc", "id"]


def _value(comment: str, key: str) -> str | None:
    """The value if the comment is `key = value`; for newdoc and newpar also `newdoc id = value`."""
    name, equals, value = comment.partition("=")
    name = name.strip()
    if not equals:
        return "" if name == key else None
    if name == key or (key in ("newdoc", "newpar") and name == f"{key} id"):
        return value.strip()
    return None
