"""What is wrong in each file of a study, counted, filtered and drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tertium.comparison.errors.findings import Filters, Findings
from tertium.comparison.errors.instances import Instance
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, has_items
from tertium.study.files import File, SystemFile
from tertium.study.judgement import Judgement
from tertium.study.study import Study


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
    """The errors of one system's file: how many, and those that are wanted, in the order of the
    text. Of a sample each has its random number and its place among the errors of the file."""

    tally: Tally
    instances: Iterable[Instance]
    draws: tuple[tuple[float, int], ...] = ()


@dataclass(frozen=True)
class Search:
    """Looks for the errors of every system in a file. All systems are judged by the same metric.

    - `most`: how many of each system are wanted at most, None for all; with `seed` they are drawn
      at random
    - `context`: how many characters around an error come along
    - `lazy`: instances are made one by one when they are needed, which cannot travel
    """

    filters: Filters
    most: int | None = None
    seed: int | None = None
    context: int = 0
    lazy: bool = False

    def __call__(self, file: File) -> Iterable[Found]:
        found = self._each(file)
        return found if self.lazy else [*found]

    def _each(self, file: File) -> Iterator[Found]:
        for system in file.systems():
            yield self._found(chosen(file, system))

    def _found(self, judged: Judgement) -> Found:
        file, fitted = judged.file, judged.fitted
        metric = file.metrics[file.fitted.index(fitted)]
        notes = (*file.notes, *fitted.remarks(file.gold, judged.corpus))
        if not has_items(fitted):
            notes += (f"{metric!r} judges no single items, so it has no errors to list",)
            nothing: frozenset[tuple[str, str]] = frozenset()
            tally = Tally(
                *(judged.system.name, metric, fitted, {}, {}, judged.coverage, judged.facts),
                *(nothing, frozenset[str](), notes),
            )
            return Found(tally, ())
        findings = Findings(judged, repr(metric))
        rows, unmet = findings.matching(self.filters), findings.unmet(self.filters)
        tally = Tally(
            system=judged.system.name,
            metric=metric,
            fitted=fitted,
            counts=findings.counts(rows),
            unfiltered=findings.counts(findings.wrong),
            coverage=judged.coverage,
            facts=judged.facts,
            unmet=unmet,
            labels=frozenset(findings.decisions.names if unmet else ()),
            notes=notes,
        )
        draws: tuple[tuple[float, int], ...] = ()
        if self.seed is None:
            rows = rows[: self.most]
        else:
            # Another sequence for each file, the same whatever process it is in.
            number = file.shard.number
            random = np.random.default_rng([self.seed, number] if number else self.seed)
            numbers = random.random(len(rows))
            places = np.sort(np.argsort(numbers, kind="stable")[: self.most])
            rows, draws = rows[places], tuple(zip(numbers[places], places.tolist(), strict=True))
        instances = findings.instances(rows.tolist(), self.context)
        return Found(tally, instances if self.lazy else [*instances], draws)


def check_items(study: Study) -> None:
    """A set is not judged item by item; its members are."""
    if study.sets:
        text = next(iter(study.sets.values()))
        raise UsageError(
            f"{text} is a set of metrics, which have items of their own",
            help=f"choose one of them: {', '.join(metric.id for metric in study.sets)}",
        )


def chosen(file: File, system: SystemFile) -> Judgement:
    """By the first metric that the system has a layer for."""
    every = [*system.judge()]
    for judged in every:
        if judged.missing is None:
            return judged
    if len(every) == 1:
        every[0].fitted.facts(system.corpus)  # raises, with what there is
    raise LayerError(
        f"{file.gold.origin} and {system.corpus.origin} share no layer that can be judged",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


class Sample:
    """Errors drawn at random, `size` of each system.

    Every error gets a random number, and those with the smallest ones are taken. So no more than
    `size` instances per system are kept, however many files there are.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.best: dict[str, list[_Draw]] = {}
        self.files = 0

    def add(self, found: Found) -> None:
        """Let the errors of one more file take part."""
        best = self.best.setdefault(found.tally.system, [])
        for (draw, place), instance in zip(found.draws, found.instances, strict=True):
            best.append((draw, (self.files, place), instance))
        best.sort(key=lambda draw: draw[:2])
        del best[self.size :]
        self.files += 1

    def instances(self) -> list[Instance]:
        """What was drawn, in the order in which it was met."""
        drawn = [draw for best in self.best.values() for draw in best]
        return [instance for _, _, instance in sorted(drawn, key=lambda draw: draw[1])]


_Draw = tuple[float, tuple[int, int], Instance]  # random number, file and place, error
