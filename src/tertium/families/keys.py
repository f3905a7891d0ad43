"""Keys that group items (`--by KEY`), as families declare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64, Labels, Names
from tertium.exceptions import UsageError
from tertium.families.base import Metric
from tertium.families.buckets import NONE, bucket_names, edges_of
from tertium.families.family import families
from tertium.formats.resources import Lexicon
from tertium.results.items import Items

UNIT_KEYS = ("length", "document", "file")


@dataclass(frozen=True)
class Key:
    """A property by which items are grouped. Subclasses give `of_words`, or `of_items`.

    - `name`: what it is called; `form`: how a list of keys shows it, where it takes an argument
    - `column`: the column that a reader must provide for it; empty where words are enough
    - `what`: what a file must have, in words
    - `family`: the id of the family whose items have the property; empty if all can have it
    - `text`: as the user wrote it
    """

    name: ClassVar[str]
    form: ClassVar[str] = ""
    column: ClassVar[str] = ""
    what: ClassVar[str] = "words"
    family: ClassVar[str] = ""

    text: str

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """The key as it was written, with what stands behind its colon; None without a colon."""
        if argument is not None:
            raise UsageError(f"there is no key '{text}'; write {cls.name} alone")
        return cls(text)

    @property
    def names(self) -> list[str]:
        """All groups in their natural order, for keys whose groups are known beforehand."""
        return []

    @property
    def absent(self) -> str:
        """What to note if no gold item has the property at all."""
        return ""

    def has(self, corpus: Corpus) -> bool:
        """Does the corpus have what the key looks at?"""
        return self.column in corpus.layers

    def fits(self, metric: Metric) -> bool:
        """Do the items of a metric have the property? Words have groups whatever is judged; items
        have those of their own family alone."""
        is_of_words = type(self).of_items is Key.of_items
        return is_of_words or self.family in ("", metric.family)

    def of_words(self, corpus: Corpus) -> Labels:
        """The group of every word by the corpus's own annotation; NONE where it has none, as all
        words have under a key that groups items."""
        return Labels.constant(NONE, corpus.token_count)

    def of_items(self, corpus: Corpus, items: Items) -> Labels:
        """The group of every item, in the order of `items`: that of its first word."""
        groups = word_groups(corpus, self)
        return Labels(groups.names, items.of_first(groups.codes))

    def in_order(self, sizes: Mapping[str, float]) -> list[str]:
        """Groups in a natural order, given how many gold items each has: those known beforehand as
        they follow one another, labels from the most frequent to the rarest, then by name; none
        last."""
        rank = {name: i for i, name in enumerate(self.names)}
        return sorted(sizes, key=lambda n: (n == NONE, rank[n] if n in rank else -sizes[n], n))


@dataclass(frozen=True)
class BucketKey(Key):
    """A key whose groups are buckets of numbers from `least` on; `edges` are their upper edges, by
    default `usual`. The bucket of a number is `np.searchsorted(self.edges, number)`."""

    usual: ClassVar[tuple[int, ...]]
    least: ClassVar[int] = 1

    edges: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """With the edges behind the colon."""
        return cls(text, edges_of(text, cls.usual, cls.least))

    @property
    def names(self) -> list[str]:
        """The buckets."""
        return bucket_names(self.edges, self.least)


@dataclass(frozen=True)
class KnownKey(Key):
    """Is the word in the training data?"""

    name = "known"

    lexicon: Lexicon | None = field(default=None, compare=False)
    digest: str = ""

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """There must be a lexicon."""
        super().parse(text, argument, lexicon)
        if lexicon is None:
            raise UsageError(
                "known words are those of a lexicon, and none is given",
                help="'--lexicon FILE' names training data",
            )
        return cls(text, lexicon, lexicon.digest)

    @property
    def names(self) -> list[str]:
        """Known words first."""
        return ["known", "unknown"]

    def has(self, corpus: Corpus) -> bool:
        """Are there words?"""
        return corpus.forms is not None and not corpus.forms.is_constant("_")

    def of_words(self, corpus: Corpus) -> Labels:
        """By its form."""
        assert corpus.forms is not None
        assert self.lexicon is not None
        known = self.lexicon.forms
        table = np.array([n not in known for n in corpus.forms.names] or [False], np.int32)
        return Labels(Names.of(self.names), table[corpus.forms.codes])


def key_kinds() -> dict[str, type[Key]]:
    """Every key that a family declares, by name. Two different ones may not have the same name, nor
    may one have that of a key of units."""
    found: dict[str, type[Key]] = {}
    for each in families():
        for key in each.keys:
            if key.name in UNIT_KEYS or found.get(key.name, key) is not key:
                raise UsageError(f"the family '{each.id}' has a key '{key.name}', which is taken")
            found[key.name] = key
    return found


def key_forms() -> list[str]:
    """How lists show the keys of items."""
    return [key.form or name for name, key in key_kinds().items()]


def key_of(by: str | None, lexicon: Lexicon | None = None) -> Key | None:
    """The key if it names a property of items, None for keys of units."""
    name, colon, argument = (by or "").partition(":")
    kind = key_kinds().get(name) if by else None
    if by is None or kind is None:
        return None
    return kind.parse(by, argument if colon else None, lexicon)


def check_key(gold: Corpus, key: Key) -> None:
    """The gold standard must have what the key looks at."""
    if key.has(gold):
        return
    raise UsageError(
        f"'--by {key.text}' needs {key.what}, and {gold.origin} has none",
        help=f"it has: {', '.join(gold.layers) or 'no layers'}; '--with FILE' adds those of "
        "another file over the same tokens",
    )


@once
def word_groups(corpus: Corpus, key: Key) -> Labels:
    """The group of every word; NONE where the corpus lacks what the key looks at."""
    if not key.has(corpus):
        return Labels.constant(NONE, corpus.token_count)
    return key.of_words(corpus)


def named_groups(names: list[str], codes: npt.NDArray[np.integer[Any]]) -> Labels:
    """Groups by their place among names; -1 for none."""
    place: Int64 = np.where(codes < 0, len(names), codes)
    return Labels(Names.of([*names, NONE]), place.astype(np.int32))
