"""Other names for the systems of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tertium.comparison.comparison import Comparison
from tertium.comparison.views import View
from tertium.results.scores import Result


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
    return replace(
        comparison,
        scores=scores,
        views=tuple(map(view, comparison.views)),
        golds=golds,
        shown_as=names,
    )
