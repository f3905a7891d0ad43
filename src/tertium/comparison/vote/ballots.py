"""Which layers are voted on: those that metrics name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric
from tertium.families.deps.attachment import TreeMetric
from tertium.families.deps.base import DepsMetric
from tertium.families.spans.base import SpanMetric
from tertium.families.tags import Accuracy

TREES = "deps"


@dataclass(frozen=True, eq=False)
class Ballot:
    """One layer to be voted on: its kind ("tags", "spans", "deps"), its name in the base, the
    metric that named it, and the name under which that metric's weights stand."""

    kind: str
    column: str
    metric: Metric
    weighed_by: str

    def name_in(self, corpus: Corpus) -> str | None:
        """The layer's name in a file, None where the file has none."""
        try:
            if isinstance(self.metric, Accuracy | SpanMetric):
                return self.metric.name_in(corpus)
            corpus.layer(self.column, Arcs if self.kind == TREES else Tags)
        except LayerError:
            return None
        return self.column


def ballots(metrics: Sequence[Metric], systems: Sequence[Corpus]) -> list[Ballot]:
    """The layers that these metrics judge, each once.

    Of several metrics that judge the same layer the first gives the weights, for trees the first
    that looks at heads and relations, since the vote is on both. Raises UsageError for a metric
    that judges no layer on which a vote is possible, LayerError where no system has the layer.
    """
    found: dict[str, Ballot] = {}
    for metric in metrics:
        named, text = 0, text_of(metric)
        for kind, name in _layers(metric):
            ballot = Ballot(kind, name, metric, text)
            there = [n for n in (ballot.name_in(s) for s in systems) if n is not None]
            if not there:
                metric.facts(systems[0])  # raises, with what there is
                continue
            named += 1
            column = ballot.name_in(systems[0]) or name
            if column not in found or _weighs_more(metric, found[column].metric):
                found[column] = Ballot(kind, column, metric, text)
        if not named:
            raise UsageError(
                f"{metric!r} judges no layer on which systems could vote",
                help="votes are on tags, spans and trees: tags.accuracy, spans.f1, deps.las",
            )
    return list(found.values())


def text_of(metric: Metric) -> str:
    """The name under which a metric's weights stand: as in JSON, of a member of a set its id."""
    return metric.id if metric.member else repr(metric)


def _layers(metric: Metric) -> Iterator[tuple[str, str]]:
    if isinstance(metric, Accuracy):
        yield "tags", metric.column or "upos"
    elif isinstance(metric, SpanMetric):
        yield "spans", metric.column or "spans"
    elif isinstance(metric, DepsMetric):
        for name in sorted(metric.columns - {"enhanced"}):
            yield (TREES, name) if name == TREES else ("tags", name)


def _weighs_more(metric: Metric, other: Metric) -> bool:
    """Does a metric look at heads and relations where the other looks at one of them?"""
    return _whole_arcs(metric) and not _whole_arcs(other)


def _whole_arcs(metric: Metric) -> bool:
    return isinstance(metric, TreeMetric) and metric.uses_head and metric.uses_label
