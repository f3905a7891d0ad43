"""Sides of a panel scored against each other: agreement as F1, or whatever a metric's value is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tertium.results.assessment import Interval, Testing
from tertium.results.blocks import Table, table_of_records
from tertium.results.confusions import summed
from tertium.results.output import picked
from tertium.results.scores import Result
from tertium.significance.intervals import interval
from tertium.significance.resample import unit_counts
from tertium.significance.score.counts import FileScores, scores_of
from tertium.study.files import File
from tertium.study.panel import Panel
from tertium.study.sides import Shard
from tertium.study.walk import walk

NO_ITEMS = "neither of the two has such annotation"  # why a share is undefined


@dataclass(frozen=True, eq=False)
class PairScore:
    """The score of B where A plays gold, by one metric; `types` are the ways in which they differ,
    by neutral names."""

    a: str
    b: str
    result: Result
    types: Mapping[str, int]
    interval: Interval | None = None

    @classmethod
    def of(cls, a: str, b: str, result: Result, testing: Testing | None) -> PairScore:
        """With names of differences, and a reason for no value, that do not speak of gold."""
        neutral = {"missing": "only A", "extra": "only B"}
        neutral |= {each.name: each.between for each in result.types if each.between}
        counts = summed({neutral.get(t, t): n} for (t, _, _), n in result.error_types.items())
        types = dict(sorted(counts.items(), key=lambda e: (-e[1], e[0])))
        if result.value is None:
            return cls(a, b, replace(result, reasons={**result.reasons, "value": NO_ITEMS}), types)
        made = None if testing is None else interval(unit_counts([result]), testing)
        return cls(a, b, result, types, made)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `scores` of a pair in the JSON output."""
        names = ("metric", "value", "parts", "reason", "signature")
        (found,) = picked([self.result.to_dict()], *names)
        made = {"interval": self.interval.to_dict()} if self.interval else {}
        return {**found, "types": dict(self.types), **made}


def type_tables(scores: Sequence[PairScore]) -> Iterator[Table]:
    """How two sides differ, by metrics that tell kinds apart."""
    for metric in dict.fromkeys(score.result.metric for score in scores):
        rows = [
            {"A": score.a, "B": score.b, "difference": kind, "count": count}
            for score in scores
            if score.result.metric == metric
            for kind, count in score.types.items()
        ]
        if len({row["difference"] for row in rows}) > 1:
            yield table_of_records(rows, title=f"{metric}: how B differs from A", keys=3)


def pair_scores(panel: Panel, testing: Testing | None, *, parts: bool) -> list[PairScore]:
    """How every two sides score against each other, the first in gold's place: with `parts` on the
    sentences that both have, else on all."""
    found, study = [], panel.study
    # Labels have been mapped and layers joined.
    plain = replace(
        study, confusion=True, by=None, more_keys=(), map_labels=(), with_files=(), runs={}
    )
    for a, b in combinations(range(len(panel.sides)), 2):
        sides = panel.in_common(a, b) if parts else (panel.sides[a], panel.sides[b])
        if sides is None:
            continue
        names = {"gold": panel.names[a], "systems": (panel.names[b],)}
        two = replace(plain, **names, shards=(Shard(sides[0], sides[1:]),))  # type: ignore[arg-type]
        named = replace(two, map_labels=study.map_labels, with_files=study.with_files)
        results = scores_of(named, [*walk(two, _counts_of_two)]).results
        pair = panel.names[a], panel.names[b]
        found += [PairScore.of(*pair, each, testing) for each in results if each.stats is not None]
    return found


def _counts_of_two(file: File) -> FileScores:
    (other,) = file.systems()
    return FileScores.of(file, [[each.finding for each in other.facing(other).judge()]])
