"""Which layers are voted on: those that metrics name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot
from tertium.families.base import Metric
from tertium.families.family import Family, families, family_of


def ballots(metrics: Sequence[Metric], systems: Sequence[Corpus]) -> tuple[list[Ballot], list[str]]:
    """The layers that these metrics judge, each once, with the metric that gives the weights; and a
    note on every metric that judges no layer on which a vote is possible.

    Raises UsageError if that is so of all metrics, LayerError where no system has the layer.
    """
    found: dict[str, Ballot] = {}
    left: list[str] = []
    for metric in metrics:
        named = 0
        for ballot in family_of(metric).vote(metric):
            names = [ballot.name_in(system) for system in systems]
            if not any(names):
                metric.facts(systems[0])  # raises, with what there is
                continue
            named += 1
            column = names[0] or ballot.column
            if column not in found or ballot.rank > found[column].rank:
                found[column] = replace(ballot, column=column)
        if not named:
            left.append(f"{metric!r} judges no layer on which systems could vote")
    if left and not found:
        voted = [each for each in families() if type(each).vote is not Family.vote]
        titles = [each.title for each in voted]
        usual = [metric for each in voted for metric in each.metrics.get("audit", ())[:1]]
        raise UsageError(
            left[0],
            help=f"votes are on {', '.join(titles[:-1])} and {titles[-1]}: {', '.join(usual)}",
        )
    return list(found.values()), [f"{text}: as in {systems[0].origin}" for text in left]


def text_of(metric: Metric) -> str:
    """The name under which a metric's weights stand: as in JSON, of a member of a set its id."""
    return metric.id if metric.member else repr(metric)
