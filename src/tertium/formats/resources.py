"""Files that are parameters of metrics: read here, kept by value, named in the signature."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans
from tertium.corpus.schemes import spans_of
from tertium.exceptions import InputError, UsageError
from tertium.formats.base import Reading
from tertium.formats.files import read_stream
from tertium.formats.sources import open_input


@dataclass(frozen=True, slots=True)
class Resource:
    """A file's content and identity; equal iff name and content are. Its text is its path."""

    path: str
    digest: str

    @property
    def name(self) -> str:
        """What the signature shows: file name and the first 8 digits of its SHA-256."""
        return f"{Path(self.path).name}@{self.digest[:8]}"

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Lexicon(Resource):
    """What the training data has: its forms, and the texts of its spans per layer."""

    forms: frozenset[str] = field(default=frozenset(), repr=False)
    spans: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class LabelMap(Resource):
    """Other names for labels, for the layer `layer` (all tag, span and arc layers if empty)."""

    layer: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)


def load(kind: str, name: str) -> Resource:
    """Read a resource of a kind ("lexicon", "labels") from a path."""
    if kind not in LOADERS:
        raise UsageError(f"there is no kind of resource '{kind}'")
    return LOADERS[kind](name)


def load_lexicon(path: str) -> Lexicon:
    """Any corpus in any format; what it holds is what counts as known."""
    digest = file_digest(path)
    with open_input(path) as stream:
        corpus = read_stream(stream, Reading(origin=path), path=path)
    if corpus.forms is None:
        raise InputError(f"{path} holds no words and cannot serve as a lexicon")
    return Lexicon(path, digest, frozenset(corpus.forms.names), span_texts(corpus))


def span_texts(corpus: Corpus) -> dict[str, frozenset[str]]:
    """The texts of all spans, words joined by spaces, per layer."""
    return {
        name: frozenset(words_of(corpus, spans))
        for name, layer in corpus.layers.items()
        if (spans := spans_of(layer, corpus.offsets)) is not None
    }


def words_of(corpus: Corpus, spans: Spans) -> list[str]:
    """The text of each span: its words joined by spaces."""
    assert corpus.forms is not None
    names, codes = corpus.forms.names.strings, corpus.forms.codes.tolist()
    return [
        " ".join(names[c] for c in codes[a:z])
        for a, z in zip(spans.start.tolist(), spans.end.tolist(), strict=True)
    ]


def load_labels(text: str) -> LabelMap:
    """`FILE` or `LAYER=FILE`: two columns, separated by a tab or spaces; `#` begins a comment."""
    layer, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        layer, path = "", text
    mapping: dict[str, str] = {}
    with open_input(path) as stream:
        try:
            lines = stream.read().decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not valid UTF-8: {error}") from None
    for number, line in enumerate(lines, 1):
        fields = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or (line.startswith("# ") and "\t" not in line):
            continue
        if len(fields) != 2:
            raise InputError(
                f"{path}:{number}: {len(fields)} columns, expected 2 (old and new label)"
            )
        old, new = (f.strip() for f in fields)
        if mapping.setdefault(old, new) != new:
            raise InputError(
                f"{path}:{number}: '{old}' is mapped to '{mapping[old]}' and to '{new}'"
            )
    return LabelMap(path, file_digest(path), layer, mapping)


def file_digest(path: str) -> str:
    """SHA-256 of the decompressed content."""
    with open_input(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


def text_digest(text: str) -> str:
    """SHA-256 of a string."""
    return hashlib.sha256(text.encode()).hexdigest()


LOADERS: dict[str, Callable[[str], Resource]] = {
    "lexicon": load_lexicon,
    "labels": load_labels,
}
