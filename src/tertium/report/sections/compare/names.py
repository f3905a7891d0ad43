"""Short names of systems for tables and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tertium.compare.comparison import Comparison
from tertium.compare.views import View
from tertium.corpus.result import Result


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


def with_names(comparison: Comparison, names: Mapping[str, str]) -> Comparison:
    """The same comparison with other names of systems."""

    def result(each: Result) -> Result:
        groups = {group: result(inner) for group, inner in each.groups.items()}
        return replace(each, system=names[each.system], groups=groups)

    def view(each: View) -> View:
        groups = {group: view(inner) for group, inner in each.groups.items()}
        return replace(each, systems=tuple(names[s] for s in each.systems), groups=groups)

    scores = replace(comparison.scores, results=tuple(map(result, comparison.scores)))
    golds = None if comparison.golds is None else comparison.golds.named(names)
    return replace(comparison, scores=scores, views=tuple(map(view, comparison.views)), golds=golds)
