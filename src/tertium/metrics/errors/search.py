"""The way through all files of all systems: what is wrong in each, counted and filtered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import LayerError, UsageError
from tertium.metrics.base import Metric
from tertium.metrics.errors.findings import Filters, Findings
from tertium.metrics.errors.instances import Instance
from tertium.metrics.request import Request
from tertium.metrics.shards.judging import coverage_of
from tertium.metrics.shards.opening import Opened, open_shard
from tertium.metrics.shards.running import settled_on_all


@dataclass(frozen=True)
class Tally:
    """What is to be said about one system's file as a whole; tallies of several files add up.

    - `counts`: errors of each type that pass the filters; `unfiltered`: all errors
    - `unmet`: what the filters name that does not occur in the file, and `labels` that do
    """

    system: str
    metric: Metric
    fitted: Metric
    counts: dict[str, int]
    unfiltered: dict[str, int]
    coverage: dict[str, int]
    facts: frozenset[str]
    unmet: frozenset[tuple[str, str]]
    labels: frozenset[str]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Found:
    """The errors of one system's file: which rows pass the filters, and the counts."""

    findings: Findings
    rows: Int64
    tally: Tally


def search(asked: Request, filters: Filters) -> Iterator[Found]:
    """Every file of every system, one at a time. All are judged by the same metric."""
    options = settled_on_all(asked.shards, asked.options, map)
    if options.sets:
        text = next(iter(options.sets.values()))
        raise UsageError(
            f"{text} judges no single items: there are no instances",
            help=f"take one of its numbers: {', '.join(metric.id for metric in options.sets)}",
        )
    for metric in options.metrics or ():
        if not metric.has_items:
            raise UsageError(f"{metric!r} judges no single items: there are no instances")
    first: Tally | None = None
    for shard in asked.shards:
        opened = open_shard(shard, options, options.needs())
        for name, (system, alignment) in zip(asked.systems, opened.systems(), strict=True):
            metric, fitted = _chosen(opened, system)
            if first is not None and metric != first.metric:
                raise LayerError(
                    f"'{system.origin}' has other layers than what came before it: {metric!r} fits "
                    f"it, {first.metric!r} the others",
                    help="'--metric' names what is to be looked at",
                )
            findings = Findings(opened, fitted, repr(metric), name, system, alignment)
            rows, unmet = findings.matching(filters), findings.unmet(filters)
            tally = Tally(
                system=name,
                metric=metric,
                fitted=fitted,
                counts=findings.counts(rows),
                unfiltered=findings.counts(findings.wrong),
                coverage=coverage_of(fitted, opened, system, alignment, findings.decisions),
                facts=fitted.facts(opened.gold) | fitted.facts(system),
                unmet=unmet,
                labels=frozenset(findings.decisions.names if unmet else ()),
                notes=(*opened.notes, *fitted.remarks(opened.gold, system)),
            )
            first = first or tally
            yield Found(findings, rows, tally)


def _chosen(opened: Opened, system: Corpus) -> tuple[Metric, Metric]:
    """The first metric that the system has a layer for, as it was named and fitted."""
    for metric, fitted in zip(opened.metrics, opened.fitted, strict=True):
        if fitted.applies(system):
            return metric, fitted
    if len(opened.fitted) == 1:
        opened.fitted[0].check(system)  # raises, with what there is
    raise LayerError(
        f"{opened.gold.origin} and {system.origin} share no layer that can be judged",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


class Sample:
    """Errors drawn at random, `size` of each system.

    Every error gets a random number, and those with the smallest ones are taken. So no more than
    `size` instances a system are kept, however many files there are.
    """

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.seed = size, seed
        self.random: dict[str, np.random.Generator] = {}
        self.best: dict[str, list[_Draw]] = {}
        self.files = 0

    def add(self, found: Found, context: int) -> None:
        """Let the errors of one more file take part."""
        system = found.tally.system
        random = self.random.setdefault(system, np.random.default_rng(self.seed))
        draws = random.random(len(found.rows))
        places = np.sort(np.argsort(draws, kind="stable")[: self.size])
        instances = found.findings.instances(found.rows[places].tolist(), context)
        best = self.best.setdefault(system, [])
        for place, instance in zip(places.tolist(), instances, strict=True):
            best.append((float(draws[place]), (self.files, place), instance))
        best.sort(key=lambda draw: draw[:2])
        del best[self.size :]
        self.files += 1

    def instances(self) -> list[Instance]:
        """What was drawn, in the order in which it was met."""
        drawn = [draw for best in self.best.values() for draw in best]
        return [instance for _, _, instance in sorted(drawn, key=lambda draw: draw[1])]


_Draw = tuple[float, tuple[int, int], Instance]  # random number, file and place, error
