"""What `--by KEY` groups by: properties of items, as families declare them; and of units: comments,
length, document or file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64, Labels, Names
from tertium.corpus.layers import Comments
from tertium.exceptions import UsageError, suggestion
from tertium.families.base import Metric, which
from tertium.families.family import families
from tertium.formats.resources import Lexicon
from tertium.results.items import Items

NONE = "(none)"
UNIT_KEYS = ("length", "document", "file")
LENGTHS = (10, 20, 40)
DOCUMENT_LENGTHS = (200, 500, 1000)


def edges_of(by: str, usual: tuple[int, ...], least: int = 1) -> tuple[int, ...]:
    """The upper edges that a key gives after its colon; the usual ones without a colon.

    >>> edges_of("length", (10, 20)), edges_of("length:5,15", (10, 20))
    ((10, 20), (5, 15))
    """
    name, colon, text = by.partition(":")
    if not colon:
        return usual
    try:
        edges = tuple(int(edge) for edge in text.split(","))
    except ValueError:
        edges = ()
    if not edges or edges[0] < least or any(a >= b for a, b in pairwise(edges)):
        raise UsageError(f"'{by}': edges of {name} must be rising numbers such as {name}:5,15,30")
    return edges


def bucket_names(edges: tuple[int, ...], least: int = 1) -> list[str]:
    """What the buckets with these upper edges are called; those of one number by the number.

    >>> bucket_names((1, 2, 6))
    ['1', '2', '3-6', '7-']
    """
    lows = [least, *(edge + 1 for edge in edges)]
    closed = [str(a) if a == b else f"{a}-{b}" for a, b in zip(lows, edges, strict=False)]
    return [*closed, f"{lows[-1]}-"]


@dataclass(frozen=True)
class Key:
    """A property by which items are grouped. Subclasses give `of_words`, or `of_items`.

    - `name`: what it is called; `form`: how a list of keys shows it, where it takes an argument
    - `column`: the column that a reader must provide for it; empty where words are enough
    - `what`: what a file must have, in words
    - `known`: all groups in their natural order, for keys whose groups are known beforehand
    - `family`: the id of the family whose items have the property; empty if all can have it
    - `text`: as the user wrote it
    """

    name: ClassVar[str]
    form: ClassVar[str] = ""
    column: ClassVar[str] = ""
    what: ClassVar[str] = "words"
    known: ClassVar[tuple[str, ...]] = ()
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
        """All groups in their natural order, where they are known beforehand."""
        return [*self.known]

    @property
    def absent(self) -> str:
        """What to note if no gold item has the property at all."""
        return ""

    def needs(self) -> frozenset[str]:
        """The columns that a reader must provide for it."""
        return frozenset({self.column} - {""})

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
    known = ("known", "unknown")

    lexicon: Lexicon | None = field(default=None, compare=False)
    digest: str = ""

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """There must be a lexicon."""
        super().parse(text, argument, lexicon)
        if lexicon is None:
            raise UsageError(
                "known words need a lexicon, and none is given",
                help="'--lexicon FILE' names training data",
            )
        return cls(text, lexicon, lexicon.digest)

    def has(self, corpus: Corpus) -> bool:
        """Are there words?"""
        return corpus.forms is not None and not corpus.forms.is_constant("_")

    def of_words(self, corpus: Corpus) -> Labels:
        """By its form."""
        assert corpus.forms is not None
        assert self.lexicon is not None
        is_known = which(corpus.forms, self.lexicon.forms.__contains__)
        return Labels(Names.of(self.names), (~is_known).astype(np.int32))


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


def named_keys(by: str | Sequence[str] | None) -> dict[str, str]:
    """Keys by what their groups are called: by the key itself, or as in `NAME=KEY`. Two that bear
    one name are refused.

    >>> named_keys(["length", "genre=sent_id~^([a-z]+)-", "sent_id~a=b"])
    {'length': 'length', 'genre': 'sent_id~^([a-z]+)-', 'sent_id~a=b': 'sent_id~a=b'}
    """
    found: dict[str, str] = {}
    for text in [by] if isinstance(by, str) else by or ():
        named = re.fullmatch("([^=~:]+)=(.+)", text, re.DOTALL)
        name, key = (named[1].strip(), named[2].strip()) if named else (text, text)
        if not name or not key:
            raise UsageError(f"by must be a key such as genre or length. Got '{text}' instead.")
        if found.setdefault(name, key) != key:
            raise UsageError(f"two ways to group are called '{name}': {found[name]} and {key}")
    return found


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
        help=f"it has: {', '.join(gold.layers) or 'no layers'}; '--with FILE' adds layers of "
        "a further file over the same tokens",
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


def unit_keys(gold: Corpus, by: str, *, file: str = "") -> list[str]:
    """The group of every sentence.

    `length` (1-10, 11-20, 21-40, 41-; `length:5,15` sets other edges), `document`, `file`, or any
    `# key = value` of the gold file; `KEY~REGEX` takes only what the regular expression matches
    (its first group, if it has one): `sent_id~^[a-z]+`.
    """
    if is_by_length(by):
        return length_groups(gold, by, "sentence")
    if by == "file":
        return [file or gold.origin] * gold.sentence_count
    if by == "document":
        return document_names(gold)
    key, tilde, pattern = by.partition("~")
    values = gold.metadata(key)
    if gold.sentence_count and all(v is None for v in values):
        there = metadata_keys(gold)
        known = [*there, *UNIT_KEYS, *key_forms()]
        raise UsageError(
            f"no sentence of {gold.origin} has '# {key} = ...'.{suggestion(key, known)}",
            help=f"there are: {', '.join(known)}; 'sent_id~REGEX' takes a part of the ids",
        )
    if tilde:
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            raise UsageError(f"'{pattern}' is not a regular expression: {error}") from None
        values = [_matched(compiled, v) for v in values]
    return [NONE if v is None else v for v in values]


def counted_units(gold: Corpus, unit: str) -> npt.NDArray[np.bool_]:
    """Units that can be complete: those with tokens, or all where a file does not say how long
    sentences are."""
    sizes = unit_lengths(gold, unit)
    return np.ones(len(sizes), np.bool_) if gold.atoms == "indices" else sizes > 0


def length_groups(gold: Corpus, by: str, unit: str) -> list[str]:
    """The group of every sentence or document by its number of tokens, with the edges that are
    given; by default 1-10, 11-20, 21-40, 41- for sentences, 1-200, 201-500, 501-1000, 1001- for
    documents."""
    edges = edges_of(by, DOCUMENT_LENGTHS if unit == "document" else LENGTHS)
    return [length_bucket(n, edges) for n in unit_lengths(gold, unit).tolist()]


def unit_lengths(gold: Corpus, unit: str) -> Int64:
    """Tokens of every sentence or document."""
    bounds = gold.offsets
    if unit == "document":
        bounds = bounds[[*gold.documents.tolist(), gold.sentence_count]]
    return np.diff(bounds).astype(np.int64)


def is_by_length(by: str) -> bool:
    """`length` or `length:EDGES`."""
    return by == "length" or by.startswith("length:")


def length_bucket(length: int, edges: Sequence[int] = LENGTHS) -> str:
    """The bucket of a sentence length.

    >>> [length_bucket(n) for n in (1, 10, 11, 41)]
    ['1-10', '1-10', '11-20', '41-']
    """
    low = 1
    for high in edges:
        if length <= high:
            return f"{low}-{high}"
        low = high + 1
    return f"{low}-"


def group_order(by: str, names: Sequence[str]) -> list[str]:
    """Groups in a natural order: buckets by size, the rest by name, none last."""
    if is_by_length(by):
        return sorted(set(names), key=lambda n: int(n.split("-")[0]))
    return sorted(set(names), key=lambda n: (n == NONE, n))


def metadata_keys(corpus: Corpus) -> list[str]:
    """Keys of `# key = value` comments, except those of a single sentence."""
    comments = corpus.extras.get("comments")
    if not isinstance(comments, Comments):
        return []
    keys = {text.partition("=")[0].strip() for text in comments.text.names if "=" in text}
    return sorted(keys - {"text", "sent_id"})


def document_names(gold: Corpus) -> list[str]:
    """The document of every sentence: its id, or its number; NONE where none is marked."""
    ids = gold.metadata("newdoc")
    number = (np.cumsum(gold.document_marks) * gold.document_marks)[gold.document_of_sentence]
    return [name or (f"document {n}" if n else NONE) for name, n in zip(ids, number, strict=True)]


def _matched(pattern: re.Pattern[str], value: str | None) -> str | None:
    match = pattern.search(value) if value is not None else None
    if match is None:
        return None
    return match[1] if pattern.groups else match[0]
