"""Which layers are voted on: those that metrics name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot
from tertium.families.base import Metric
from tertium.families.family import Family, families, family_of

NO_VOTE = "judges no layer on which systems could vote"


def ballots(metrics: Sequence[Metric], systems: Sequence[Corpus]) -> list[Ballot]:
    """The layers that these metrics judge, each once, with the metric that gives the weights.

    Raises UsageError for a metric that judges no layer on which a vote is possible, LayerError
    where no system has the layer.
    """
    found: dict[str, Ballot] = {}
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
            raise UsageError(f"{metric!r} {NO_VOTE}", help=_help())
    return list(found.values())


def _help() -> str:
    """What votes are on, and metrics that name it."""
    voted = [each for each in families() if type(each).vote is not Family.vote]
    *titles, last = (each.title for each in voted)
    usual = [metric for each in voted for metric in each.metrics.get("audit", ())[:1]]
    return f"votes are on {', '.join(titles)} and {last}: {', '.join(usual)}"


def text_of(metric: Metric) -> str:
    """The name under which a metric's weights stand: as in JSON, of a member of a set its id."""
    return metric.id if metric.member else repr(metric)
