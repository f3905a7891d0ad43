"""Which words are punctuation."""

from __future__ import annotations

import unicodedata


def is_punctuation(form: str) -> bool:
    """Does a word consist of punctuation alone (Unicode category P)?

    >>> is_punctuation("..."), is_punctuation("$"), is_punctuation("")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(c).startswith("P") for c in form)
