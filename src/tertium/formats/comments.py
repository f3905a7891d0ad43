"""Comments of the form `key = value`, and the documents they mark."""

from __future__ import annotations

import numpy as np

from tertium.corpus.labels import Int64
from tertium.corpus.layers import Comments


def document_starts(comments: Comments | None) -> Int64:
    """The sentences at which documents begin: those with a `newdoc` or `newdoc id = ...`."""
    if comments is None:
        return np.zeros(0, np.int64)
    newdoc = np.array([_is_newdoc(text) for text in comments.text.names] or [False], np.bool_)
    return np.unique(comments.sentence[newdoc[comments.text.codes]]).astype(np.int64)


def _is_newdoc(text: str) -> bool:
    return text.strip() == "newdoc" or text.split("=")[0].split() == ["newdoc", "id"]
