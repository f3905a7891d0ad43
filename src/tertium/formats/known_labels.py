"""Files beside judgements: labels of items that are known, and the tags that words may have."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Labels, Names
from tertium.exceptions import InputError, counted
from tertium.formats.judgements import read_known_table
from tertium.formats.resources import Resource, text_lines

FOREIGN = -2  # the code of a label that others lack


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """Labels of items, '' for none; `foreign` are the items of the file that nobody judged."""

    labels: Labels
    foreign: int
    name: str

    def renamed(self, names: Mapping[str, str]) -> KnownLabels:
        """With new names for labels."""
        return replace(self, labels=self.labels.rename(names))

    @property
    def file(self) -> str:
        """What messages call it."""
        return self.name.partition("@")[0]

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        found = f"{self.file} has {counted(self.foreign, 'item')} that nobody judged"
        none = [] if any(self.labels.used_names()) else [f"{self.file} has no labels"]
        return [*none, *[found] * (self.foreign > 0)]


@dataclass(frozen=True, slots=True)
class TagDictionary(Resource):
    """The tags that words may have."""

    tags: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, hash=False)

    def of(self, word: str) -> frozenset[str]:
        """Those of a word as written, else in lower case; none for an unknown word."""
        return self.tags.get(word) or self.tags.get(word.lower()) or frozenset()

    def allows(self, words: Names, labels: Names) -> npt.NDArray[np.bool_]:
        """Which labels, in columns, it has for each word, in rows."""
        rows = [[label in found for label in labels] for found in map(self.of, words)]
        return np.array(rows, np.bool_).reshape(len(words), len(labels))


def read_known_labels(data: Any, items: Names, columns: str | None = None) -> KnownLabels:
    """Labels from a file: a table with the columns `item` and `gold` or `label`, or a label per
    line, in the order of the items, a blank line for none. In Python also a list of labels."""
    if isinstance(data, list | tuple) and all(isinstance(each, str | None) for each in data):
        given = [each or "" for each in data]
        return KnownLabels(_in_order("the list of labels", given, items), 0, "list")
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        lines, digest = text_lines(path)
        if not any(map(_is_of_table, lines[:1])):
            return KnownLabels(_in_order(path, lines, items), 0, _named(path, digest))
    origin, item, label, digest = read_known_table(data, columns)
    place = np.array([items.find(name) for name in item.names] or [-1])[item.codes]
    known = place >= 0
    given = [""] * len(items)
    for row, name in zip(place[known].tolist(), label.take(known).to_list(), strict=True):
        given[row] = name
    if not known.any():
        raise InputError(f"{origin} has no item that was judged")
    foreign = len({*item.codes[~known].tolist()})
    return KnownLabels(Labels.of(given), foreign, _named(origin, digest))


def _is_of_table(line: str) -> bool:
    """Are there several columns, and not just a label such as the tag of commas?"""
    return len(line.strip()) > 1 and (not {*"\t,;"}.isdisjoint(line) or line.startswith("{"))


def _named(path: str, digest: str) -> str:
    """As a signature names files."""
    return f"{Path(path).name}@{digest[:8]}" if digest else path


def codes_among(labels: Labels, names: Names) -> Int32:
    """The codes that known labels have among others: -1 for '', FOREIGN for one that these lack."""
    codes = [names.find(n) if n in names else FOREIGN if n else -1 for n in labels.names]
    return np.array(codes or [-1], np.int32)[labels.codes]


def _in_order(path: str, lines: list[str], items: Names) -> Labels:
    found = [line.strip() for line in lines]
    if len(found) != len(items):
        raise InputError(
            f"{path} has {counted(len(found), 'line')} for {counted(len(items), 'item')}",
            help="give one label per line, a blank line for none, or a table with the columns item "
            "and label",
        )
    return Labels.of(found)


def load_dictionary(path: Any) -> TagDictionary:
    """A dictionary from words to tags, or that of a file: two columns, a word and a tag, separated
    by a tab, spaces or a comma (CSV). A word with several tags has several lines; after a tab or
    spaces there may be several tags with spaces between them. `# ` begins a comment."""
    if isinstance(path, TagDictionary):
        return path
    if isinstance(path, Mapping):
        each = ((word, {tags} if isinstance(tags, str) else tags) for word, tags in path.items())
        return TagDictionary("dictionary", "", {word: frozenset(tags) for word, tags in each})
    lines, digest = text_lines(path)
    found: dict[str, set[str]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or (line.startswith("# ") and "\t" not in line):
            continue
        if "\t" in line:
            word, *rest = line.split("\t")
            tags = rest[0].split() if len(rest) == 1 else []
        else:
            word, *tags = line.split() if " " in line.strip() else next(csv.reader([line.strip()]))
        if not word.strip() or not tags:
            raise InputError(f"{path}:{number}: expected a word and a tag. Got '{line}' instead.")
        found.setdefault(word.strip(), set()).update(tags)
    if not found:
        raise InputError(f"{path} has no words")
    return TagDictionary(path, digest, {word: frozenset(tags) for word, tags in found.items()})
