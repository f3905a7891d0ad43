"""The sentences of the page: as JSON that no markup can break, and a sample of them where they are
too many."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.report.binary import smallest
from tertium.report.chains import Sample
from tertium.results.scenes import Scene
from tertium.results.texts import visible

# What could end a script element or begin a comment in it, and what UTF-8 or older JavaScript
# cannot take.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")

Columns = dict[str, NDArray[Any]]  # by items, or systems x items


def embedded(data: object) -> str:
    r"""JSON for a script element.

    >>> print(embedded("</script>&"))
    "\u003c/script\u003e\u0026"
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def all_visible(texts: Sequence[str]) -> list[str]:
    """The same with signs for control characters."""
    return [visible(text) for text in texts]


@dataclass(frozen=True)
class PageTexts:
    """Sentences as pieces of JSON: number of document, number of file, id, words, spaces.

    A string of 0 and 1 says which words a space follows; where all do, there is none.
    """

    pieces: tuple[str, ...]
    documents: tuple[str, ...]
    files: tuple[str, ...]

    def data(self, kept: Sample) -> str:
        """The sentences that are kept, as JSON for a script element."""
        head = embedded({"documents": self.documents, "files": self.files})
        return f'{head[:-1]},"sentences":[{",".join(self.pieces[i] for i in kept)}]}}'


def texts_of(sentences: Sequence[Scene]) -> PageTexts:
    """All sentences, with documents and files numbered; control characters are made visible."""
    documents: dict[str, int] = {}
    files: dict[str, int] = {}
    pieces = []
    for each in sentences:
        document = -1
        if each.document is not None:
            document = documents.setdefault(visible(each.document), len(documents))
        entry: list[object] = [
            document,
            files.setdefault(visible(each.file), len(files)),
            visible(each.id),
            all_visible(each.words),
        ]
        if each.spaces is not None and not all(each.spaces):
            entry.append("".join("1" if space else "0" for space in each.spaces))
        pieces.append(embedded(entry))
    return PageTexts(tuple(pieces), tuple(documents), tuple(files))


def sampled(
    texts: PageTexts, views: Sequence[Columns], limit: int, seed: int, *, whole: bool = False
) -> Sample:
    """The sentences to embed: all, or as many as fit into `limit` bytes, drawn at random; `whole`
    documents if these are the units.

    Every sentence or document has the same chance, and the same seed draws the same ones.
    """
    sizes = np.array([len(p.encode("utf-8")) + 1 for p in texts.pieces], dtype=np.float64)
    for columns in views:
        each = 4 / 3 * sum(map(_width, columns.values()))
        sizes += each * np.bincount(columns["sentence"], minlength=len(sizes))
    if sizes.sum() <= limit:
        return np.arange(len(sizes), dtype=np.int64)
    lot = np.arange(len(sizes))  # what each sentence is drawn with
    if whole:
        places = [(file, document) for document, file, *_ in map(json.loads, texts.pieces)]
        lot = np.cumsum([0, *(a != b for a, b in pairwise(places))])
    drawn = np.random.default_rng(seed).permutation(int(lot[-1]) + 1)
    size = np.bincount(lot, weights=sizes)
    fitting = int(np.searchsorted(np.cumsum(size[drawn]), limit, side="right"))
    return np.flatnonzero(np.isin(lot, drawn[:fitting]))


def _width(values: NDArray[Any]) -> int:
    """Bytes an item takes in a column, over all systems."""
    rows = values.shape[0] if values.ndim > 1 else 1
    return rows * np.dtype(smallest(values)).itemsize
