"""Files beside judgements: labels of items that are known, and the tags that words may have."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.exceptions import InputError, UsageError, counted
from tertium.formats.judgement_cells import PARQUET
from tertium.formats.judgements import TABLE, read_known_table
from tertium.formats.lines import BOM
from tertium.formats.resources import Resource, text_lines
from tertium.formats.sources import open_input

FOREIGN = -2  # the code of a label that others lack


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """Labels of items, '' for none; `foreign` are the items of the file that nobody judged."""

    labels: Labels
    foreign: int
    name: str

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


def read_known_labels(
    data: Any,
    items: Names,
    columns: str | None = None,
    order: Int64 | None = None,
    new_names: Mapping[str, str] | None = None,
) -> KnownLabels:
    """Labels from a file: a table with the columns `item` and `gold` or `label`, or a label per
    line, in the order of the items, a blank line for none. In Python also a list of labels.

    `order` says which item of the file of judgements each item is, if they were put in order;
    `new_names` what labels are called.
    """
    name, digest, foreign, lines = "the list of labels", "", 0, None
    if isinstance(data, list | tuple) and all(isinstance(each, str | None) for each in data):
        lines = [each or "" for each in data]
    elif isinstance(data, str | os.PathLike):
        name = os.fspath(data)
        with open_input(name) as stream:
            data = stream.read()
        if not _is_table(data, columns):
            lines, digest = text_lines(name, data)
    if lines is not None:
        found = _in_order(name, lines, items)
        found = found if order is None else found.take(order)
    else:
        item, label, digest = read_known_table(data, name, columns)
        place = np.array([items.find(each) for each in item.names] or [-1])[item.codes]
        known = place >= 0
        if not known.any():
            raise InputError(f"{name} has no item that was judged")
        given = [""] * len(items)
        for row, text in zip(place[known].tolist(), label.take(known).to_list(), strict=True):
            given[row] = text
        found, foreign = Labels.of(given), len({*item.codes[~known].tolist()})
    return KnownLabels(found.rename(new_names or {}), foreign, _named(name, digest))


def _is_table(content: bytes, columns: str | None) -> bool:
    """Is it a table, and not a label per line? Its first line then names a column of items, or all
    lines have several columns."""
    lines = [line for line in content.removeprefix(BOM).split(b"\n") if line.strip()]
    first = lines[0].decode(errors="replace").strip() if lines else ""
    if content.startswith(PARQUET) or first.startswith("{"):
        return len(first) > 1
    names = {name.strip(' "').lower() for name in re.split("[\t,;]", first)}
    named = [name.strip().lower() for name in re.findall("item=([^,]*)", columns or "")]
    if len(names) > 1 and not names.isdisjoint([*TABLE["item"], *named]):
        return True
    return len(first) > 1 and any(
        all(mark in line for line in lines) for mark in (b"\t", b",", b";")
    )


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
    by a tab, a comma (CSV, if all lines fit) or spaces. A word with several tags has several lines;
    after a tab or spaces there may be several tags with spaces between them. `# ` begins a comment.
    """
    if isinstance(path, TagDictionary):
        return path
    if isinstance(path, Mapping) and all(isinstance(t, str | Collection) for t in path.values()):
        each = ((word, {tags} if isinstance(tags, str) else tags) for word, tags in path.items())
        return TagDictionary("dictionary", "", {word: frozenset(tags) for word, tags in each})
    if not isinstance(path, str | os.PathLike):
        raise UsageError("dictionary must be a file, or a dictionary from words to tags")
    path = os.fspath(path)
    lines, digest = text_lines(path)
    found: dict[str, set[str]] = {}
    kept = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not (line.startswith("# ") and "\t" not in line)
    ]
    rows = [_csv_fields(line) for _, line in kept]
    is_csv = all(len(row) == 2 and all(row) and " " not in row[1] for row in rows)
    for (number, line), row in zip(kept, rows, strict=True):
        if "\t" in line:
            word, *rest = line.split("\t")
            tags = rest[0].split() if len(rest) == 1 else []
        else:
            word, *tags = row if is_csv or (row and " " not in line.strip()) else line.split()
        if not word.strip() or not all(tags) or not tags:
            raise InputError(f"{path}:{number}: expected a word and a tag. Got '{line}' instead.")
        found.setdefault(word.strip(), set()).update(tags)
    if not found:
        raise InputError(f"{path} has no words")
    return TagDictionary(path, digest, {word: frozenset(tags) for word, tags in found.items()})


def _csv_fields(line: str) -> list[str]:
    """The fields of a line of CSV on its own, since a quote must not reach into the next; none if
    it is not CSV."""
    try:
        return [each.strip() for each in next(csv.reader([line.strip()], skipinitialspace=True))]
    except csv.Error:
        return []
