"""Parts of the data that somebody could have singled out: sentences with entities, groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tertium.corpus.labels import Int64
from tertium.families.base import Metric
from tertium.results.assessment import Testing
from tertium.significance.audits.gathering import Bools, Material, gather
from tertium.significance.audits.looks import WITH_ENTITIES, Look
from tertium.significance.paired import Pair
from tertium.significance.samples import Number
from tertium.study.study import Study, WalkOptions


def entity_look(pair: Pair, has_any: Bools, lengths: Int64 | None) -> Look | None:
    """The main number without sentences that have no gold entity, which favours recall (section 3.5
    of the paper); None if there is no such sentence."""
    if has_any.all():
        return None
    chosen = np.flatnonzero(has_any)
    test, values = pair.test(chosen)
    return Look(
        "group",
        pair.a.metric,
        test,
        values,
        len(chosen),
        None if lengths is None else int(lengths[chosen].sum()),
        group=WITH_ENTITIES,
        wins=pair.a.better,
    )


def group_looks(
    study: Study, metric: Metric, name: str, keys: Sequence[str], testing: Testing, way: WalkOptions
) -> tuple[list[Look], list[str]]:
    """The main number in every group of every key, and notes on these; `name` is that of the main
    number among the results of its metric."""
    looks: list[Look] = []
    notes: list[str] = []
    for key in keys:
        found = gather(study, [metric], way, by=key)
        notes += [note for note in found.scores.notes if note not in notes]
        looks += _in_groups(found, name, key, testing)
    return looks, notes


def _in_groups(found: Material, name: str, key: str, testing: Testing) -> Iterator[Look]:
    a, b = found.results(name)
    for group in a.groups:
        held = [result.groups[group].stats for result in (a, b)]
        sizes = [stats.units for stats in held if stats is not None]
        if len(sizes) < 2 or not max(sizes):
            continue
        test, values = Pair(a, b, testing, Number(group=group)).test()
        # Of a group of words, only units with such a word: the others have no counts in it.
        yield Look("group", name, test, values, max(sizes), key=key, group=group, wins=a.better)
