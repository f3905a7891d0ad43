"""Subsets of units for `--by KEY`: by comments, length, document or file."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Comments
from tertium.exceptions import UsageError, suggestion
from tertium.families.buckets import NONE, edges_of
from tertium.families.keys import UNIT_KEYS, key_forms

LENGTHS = (10, 20, 40)
DOCUMENT_LENGTHS = (200, 500, 1000)


def unit_keys(gold: Corpus, by: str, *, file: str = "") -> list[str]:
    """The group of every sentence.

    `length` (1-10, 11-20, 21-40, 41-; `length:5,15` sets other edges), `document`, `file`, or any
    `# key = value` of the gold file; `KEY~REGEX` takes only what the regular expression matches
    (its first group, if it has one): `sent_id~^[a-z]+`.
    """
    if is_by_length(by):
        edges = length_edges(by)
        return [length_bucket(int(n), edges) for n in np.diff(gold.offsets)]
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


def document_lengths(gold: Corpus, by: str) -> list[str]:
    """The group of every document by its number of tokens: 1-200, 201-500, 501-1000, 1001-, or by
    the edges that are given."""
    edges = edges_of(by, DOCUMENT_LENGTHS)
    return [length_bucket(n, edges) for n in unit_lengths(gold, "document").tolist()]


def unit_lengths(gold: Corpus, unit: str) -> Int64:
    """Tokens of every sentence or document."""
    bounds = gold.offsets
    if unit == "document":
        bounds = bounds[[*gold.documents.tolist(), gold.sentence_count]]
    return np.diff(bounds).astype(np.int64)


def is_by_length(by: str) -> bool:
    """`length` or `length:EDGES`."""
    return by == "length" or by.startswith("length:")


def length_edges(by: str) -> tuple[int, ...]:
    """The upper edges of length buckets.

    >>> length_edges("length"), length_edges("length:5,15")
    ((10, 20, 40), (5, 15))
    """
    return edges_of(by, LENGTHS)


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
