"""What metrics find in a shard, and how findings of shards add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.exceptions import LayerError, UsageError
from tertium.metrics.base import Metric, union
from tertium.metrics.confusions import (
    Confusion,
    ErrorTypes,
    confusion_of,
    error_types_of,
    summed,
)
from tertium.metrics.groups.buckets import NONE
from tertium.metrics.groups.sides import Grouped, grouped_stats
from tertium.metrics.groups.words import has_layer
from tertium.metrics.shards.opening import Opened
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, add


@dataclass(frozen=True)
class Judged:
    """What one metric found in one system's shard; parts of several shards add up. `groups` are
    counts by a property of words."""

    stats: Stats | None
    coverage: dict[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusion: Confusion = field(default_factory=dict)
    error_types: ErrorTypes = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: Grouped = field(default_factory=dict)


def judge(
    fitted: Metric, gold: Corpus, system: Corpus, alignment: Alignment, opened: Opened
) -> Judged:
    """One system by one metric; nothing but a reason where the system lacks the layer."""
    return examine(fitted, gold, system, alignment, opened)[0]


def examine(
    fitted: Metric, gold: Corpus, system: Corpus, alignment: Alignment, opened: Opened
) -> tuple[Judged, Decisions | None]:
    """The same, and the decisions behind it where the metric makes any in order to count."""
    options = opened.options
    try:
        fitted.check(system)
    except LayerError as error:
        text = options.sets.get(opened.asked(fitted), repr(fitted))
        return Judged(None, missing=f"{text}: {error.message}"), None
    labels = fitted.member is None if options.labels == "single" else options.labels
    stats, decisions = fitted.measure(gold, system, alignment, labels=labels)
    rows = decisions
    if rows is None and fitted.has_items and (options.word_key or options.confusion):
        rows = fitted.decide(gold, system, alignment)
    remarks = fitted.remarks(gold, system)
    groups: Grouped = {}
    if key := options.word_key:
        try:
            groups = grouped_stats(fitted.plain, gold, system, rows, key)
        except UsageError as error:
            if opened.asked(fitted) in options.sets:
                remarks.append(f"{fitted.id} is not grouped by {key.text}: {error.message}")
            elif options.metrics is not None:
                raise
            else:
                return Judged(None, remarks=(error.message,), missing=error.message), None
        if not has_layer(system, key):
            remarks.append(
                f"{system.origin} has no '{key.layer}', so that all its items are in '{NONE}'"
            )
    told = rows if options.confusion else None
    judged = Judged(
        stats,
        coverage_of(fitted, opened, system, alignment, decisions),
        fitted.facts(gold) | fitted.facts(system),
        {} if told is None else confusion_of(told),
        {} if told is None else error_types_of(told),
        tuple(remarks),
        groups=groups,
    )
    return judged, rows


def coverage_of(
    fitted: Metric,
    opened: Opened,
    system: Corpus,
    alignment: Alignment,
    decisions: Decisions | None,
) -> dict[str, int]:
    """What was judged and what was not, and whatever is odd about it."""
    odd = {
        "skipped": opened.skipped,
        "repaired": opened.gold.repaired + system.repaired,
        "differing_forms": alignment.differing_forms,
    }
    return {
        "scored": 0,
        **fitted.unaligned(alignment),
        **{k: v for k, v in odd.items() if v},
        **fitted.coverage(decisions, opened.gold, system),
    }


def merge(parts: Sequence[Judged]) -> Judged:
    """One metric's findings on one system over all shards."""
    whole = [p.stats for p in parts if p.stats is not None]
    missing = next((p.missing for p in parts if p.missing), None)
    if missing or not whole:
        remarks = tuple(dict.fromkeys(r for p in parts if p.missing for r in p.remarks))
        return Judged(None, remarks=remarks, missing=missing or "there is nothing to score")
    return Judged(
        add(whole),
        summed(p.coverage for p in parts),
        union(p.facts for p in parts),
        summed(p.confusion for p in parts),
        summed(p.error_types for p in parts),
        tuple(dict.fromkeys(r for p in parts for r in p.remarks)),
        groups=_added([p.groups for p in parts], [s.units for s in whole]),
    )


def _added(parts: Sequence[Grouped], units: Sequence[int]) -> Grouped:
    """Groups of the same name in one; a shard that lacks one adds its units without counts."""
    if len(parts) == 1:
        return parts[0]
    found: Grouped = {}
    for part in parts:
        for name, stats in part.items():
            found.setdefault(name, stats)
    nobody = np.zeros(0, np.int64)
    return {
        name: add(
            [
                part.get(name) or replace(one.take(nobody), out_of=size)
                for part, size in zip(parts, units, strict=True)
            ]
        )
        for name, one in found.items()
    }
