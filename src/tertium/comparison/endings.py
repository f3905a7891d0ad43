"""Names of systems without what all of them end in."""

from __future__ import annotations

import re
from collections.abc import Sequence


def common_ending(names: Sequence[str]) -> str:
    """What all names of files end in and none needs to be told apart; empty if there is nothing.

    It begins at a dash, underscore or dot and holds the suffix of a file, so that names a person
    gave stay as they are.

    >>> common_ending(["crf-test.conllu", "spacy-test.conllu"]), common_ending(["v1.0", "v2.0"])
    ('-test.conllu', '')
    """
    if len(set(names)) < 2:
        return ""
    size = min(map(len, names))
    while any(not name.endswith(names[0][len(names[0]) - size :]) for name in names):
        size -= 1
    found = re.search(r"[-_.].*", names[0][len(names[0]) - size :], re.DOTALL)
    if found is None or not re.search(r"\.[A-Za-z]\w*$", found[0]) or found[0] in names:
        return ""
    return found[0]


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name without the common ending."""
    ending = common_ending(names)
    return {name: name.removesuffix(ending) for name in names}
