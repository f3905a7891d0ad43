"""What metrics find in a shard, and how findings of shards add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.exceptions import LayerError, UsageError
from tertium.metrics.base import Metric, union
from tertium.metrics.composite import Composite
from tertium.metrics.confusions import (
    Confusion,
    ErrorTypes,
    confusion_of,
    error_types_of,
    summed,
)
from tertium.metrics.groups.buckets import NONE
from tertium.metrics.groups.sides import Grouped, grouped_members
from tertium.metrics.groups.words import has_layer
from tertium.metrics.shards.opening import Opened
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, add


@dataclass(frozen=True)
class Judged:
    """What one metric found in one system's shard; parts of several shards add up.

    `confusions`, `error_types` and `groups` (counts by a property of words) are those of the metric
    under "", of a composite's members under their names.
    """

    stats: Stats | None
    coverage: dict[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusions: dict[str, Confusion] = field(default_factory=dict)
    error_types: dict[str, ErrorTypes] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: dict[str, Grouped] = field(default_factory=dict)


def judge(
    fitted: Metric, gold: Corpus, system: Corpus, alignment: Alignment, opened: Opened
) -> Judged:
    """One system by one metric; nothing but a reason where the system lacks the layer."""
    return examine(fitted, gold, system, alignment, opened)[0]


def examine(
    fitted: Metric, gold: Corpus, system: Corpus, alignment: Alignment, opened: Opened
) -> tuple[Judged, Decisions | None]:
    """The same, and the decisions behind it where the metric makes any in order to count."""
    try:
        fitted.check(system)
    except LayerError as error:
        return Judged(None, missing=f"{fitted!r}: {error.message}"), None
    options = opened.options
    labels = not isinstance(fitted, Composite) if options.labels == "single" else options.labels
    stats, decisions = fitted.measure(gold, system, alignment, labels=labels)
    remarks = fitted.remarks(gold, system)
    groups: dict[str, Grouped] = {}
    if key := options.word_key:
        try:
            groups, more = grouped_members(fitted, gold, system, alignment, decisions, key)
        except UsageError as error:
            if options.metrics is not None:
                raise
            return Judged(None, remarks=(error.message,), missing=error.message), None
        remarks += more
        if not has_layer(system, key):
            remarks.append(
                f"{system.origin} has no '{key.layer}', so that all its items are in '{NONE}'"
            )
    rows = _rows(fitted, gold, system, alignment, decisions) if options.confusion else {}
    judged = Judged(
        stats,
        coverage_of(fitted, opened, system, alignment, decisions),
        fitted.facts(gold) | fitted.facts(system),
        {name: confusion_of(each) for name, each in rows.items()},
        {name: error_types_of(each) for name, each in rows.items()},
        tuple(remarks),
        groups=groups,
    )
    return judged, decisions


def _rows(
    fitted: Metric,
    gold: Corpus,
    system: Corpus,
    alignment: Alignment,
    decisions: Decisions | None,
) -> dict[str, Decisions]:
    """The rows of a metric, or of the members of a composite that have any."""
    if not isinstance(fitted, Composite):
        return {} if decisions is None else {"": decisions}
    alignment = fitted.aligned(gold, system, alignment)
    return {
        name: member.decide(gold, system, alignment)
        for name, member in fitted.fitted_members(gold).items()
        if member.has_items
    }


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
        {name: summed(p.confusions.get(name, {}) for p in parts) for name in parts[0].confusions},
        {name: summed(p.error_types.get(name, {}) for p in parts) for name in parts[0].error_types},
        tuple(dict.fromkeys(r for p in parts for r in p.remarks)),
        groups=_added([p.groups for p in parts], [s.units for s in whole]),
    )


def _added(parts: Sequence[dict[str, Grouped]], units: Sequence[int]) -> dict[str, Grouped]:
    """Groups of the same name in one; a shard that lacks one adds its units without counts."""
    if len(parts) == 1:
        return parts[0]
    found: dict[str, dict[str, Stats]] = {}
    for part in parts:
        for member, groups in part.items():
            for name, stats in groups.items():
                found.setdefault(member, {}).setdefault(name, stats)
    nobody = np.zeros(0, np.int64)
    return {
        member: {
            name: add(
                [
                    part.get(member, {}).get(name) or replace(one.take(nobody), out_of=size)
                    for part, size in zip(parts, units, strict=True)
                ]
            )
            for name, one in groups.items()
        }
        for member, groups in found.items()
    }
