"""Differences between two annotations as one table of single numbers (CSV)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tertium.report.render.tidy import header, table
from tertium.results.scores import flatten

if TYPE_CHECKING:
    from tertium.comparison.disagreement import Difference, LayerDifference
    from tertium.comparison.errors.instances import Instance

_Row = dict[str, Any]


def render(found: Difference) -> str:
    """Every number in a row of its own, then the differences in their sentences, if there are any.
    An undefined value is empty, and so is what does not concern a row.

    `section` says what the row is about. Columns are those of a comparison of systems
    (`compare_csv`), as far as they have a meaning without a gold standard.
    """
    return table(header("kind", "label"), _rows(found))


def _rows(found: Difference) -> Iterator[_Row]:
    names = {"a": found.a, "b": found.b}
    for layer in found.layers:
        for row in _layer(layer):
            yield {**names, "metric": layer.metric, **row}
    for each in found.instances or ():
        yield {**names, **_example(each)}


def _layer(layer: LayerDifference) -> Iterator[_Row]:
    whole = {
        "items": layer.items,
        "different": layer.different,
        "diff": layer.diff,
        "agreement": layer.agreement,
        f"{layer.unit}s": {"all": layer.sentences, "same": layer.same_sentences},
        "coverage": layer.coverage,
    }
    yield from _parts({"section": "layer"}, whole)
    for name, group in layer.groups.items():
        figures = {k: v for k, v in group.to_dict().items() if k != "reason"}
        yield from _parts({"section": "layer", "group": name}, figures)
    for kind, count in layer.kinds.items():
        yield {"section": "kind", "kind": kind, "part": "count", "value": count}
    for change in layer.transitions:
        ends = {"from": change.a, "to": change.b}
        yield {"section": "transition", **ends, "part": "count", "value": change.count}
    for row in layer.labels:
        figures = {"a": row.a, "b": row.b, "same": row.same}
        yield from _parts({"section": "label", "label": row.label}, figures)


def _parts(head: _Row, figures: dict[str, Any]) -> Iterator[_Row]:
    for part, value in flatten(figures).items():
        yield {**head, "part": part, "value": value}


def _example(instance: Instance) -> _Row:
    from tertium.comparison.errors.tables import described, marked

    return {
        "section": "example",
        "metric": instance.metric,
        "kind": instance.type,
        "from": described(instance.gold_item),
        "to": described(instance.system_item),
        "sentence": instance.sentence,
        "text": "" if instance.context.numbers else marked(instance.context),
    }
