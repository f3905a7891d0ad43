"""What of spaCy's objects Tertium looks at, under the names that spaCy 3 gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Token:
    doc: Doc
    i: int
    text: str
    whitespace_: str = " "
    pos_: str = ""
    tag_: str = ""
    lemma_: str = ""
    dep_: str = ""
    morph: str = ""
    head_i: int = -1
    is_sent_start: bool | None = None

    @property
    def is_space(self) -> bool:
        return self.text.isspace()

    @property
    def head(self) -> Token:
        return self.doc.tokens[self.head_i if self.head_i >= 0 else self.i]


@dataclass
class Span:
    start: int
    end: int
    label_: str


@dataclass
class Doc:
    """`ents` is None where nobody annotated entities; the columns are those of `Doc(...)`."""

    words: Sequence[str]
    entities: Sequence[tuple[int, int, str]] | None = None
    spans: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens = [Token(self, i, word) for i, word in enumerate(self.words)]
        for name, values in self.columns.items():
            for token, value in zip(self.tokens, values, strict=True):
                setattr(token, name, value)
        self.ents = tuple(Span(*each) for each in self.entities or ())

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def has_annotation(self, attr: str) -> bool:
        if attr == "ENT_IOB":
            return self.entities is not None
        names = {"POS": "pos_", "TAG": "tag_", "LEMMA": "lemma_", "MORPH": "morph", "DEP": "dep_"}
        return names.get(attr, "is_sent_start") in self.columns


@dataclass
class Example:
    predicted: Doc
    reference: Doc
