"""A metric inside groups of words: recall by the gold side's groups, precision by the system's.

An item is in the group of its first word. It has one group by the gold annotation and one by the
system's, which need not be the same. So a group has two sets of counts, both by the metric's own
`stats`: over the rows whose gold item is in it, and over those whose system item is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, unite
from tertium.families.base import Floats, Metric, Scored, divide, part_of
from tertium.families.keys import Key
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, Totals, join

Grouped = dict[str, Stats]


def grouped_stats(
    metric: Metric, gold: Corpus, system: Corpus, decisions: Decisions, key: Key
) -> Grouped:
    """Counts of every group that has an item on either side, over the units that have one.

    They are joined: `gold.*` are the metric's stats over gold items in the group, `system.*` those
    over system items in it, `items.gold` is the number of gold items.
    """
    own, other = decisions.sides()
    names, (ours, theirs) = unite(key.of_items(gold, own), key.of_items(system, other))
    mine, yours = decisions.of_items(ours, theirs)
    of_gold, of_system = _rows_by_group(mine, len(names)), _rows_by_group(yours, len(names))
    judged = {
        code
        for code in range(len(names))
        if decisions.in_gold[of_gold[code]].any() or decisions.in_system[of_system[code]].any()
    }
    if not judged and decisions.lost is not None:  # the groups are there, though nothing in them
        judged = {*ours[ours >= 0].tolist()}
    return {
        names[code]: _stats(metric, decisions, of_gold[code], of_system[code])
        for code in sorted(judged)
    }


def _rows_by_group(group: Int32, count: int) -> list[Int64]:
    """The rows of each group, in their order."""
    # Short integers are sorted by counting, which is much faster.
    short = group.astype(np.int16) if count < 2**15 else group
    order = np.argsort(short, kind="stable")
    bounds = np.cumsum(np.bincount(group + 1, minlength=count + 1)).tolist()
    return [order[bounds[code] : bounds[code + 1]] for code in range(count)]


def _stats(metric: Metric, decisions: Decisions, gold: Int64, system: Int64) -> Stats:
    has_any = np.zeros(decisions.units, np.bool_)
    has_any[decisions.unit[gold]] = True
    has_any[decisions.unit[system]] = True
    units = np.flatnonzero(has_any)
    ours, theirs = decisions.take(gold, units), decisions.take(system, units)
    joined = join(
        {
            "gold": metric.stats(ours, labels=False),
            "system": metric.stats(theirs, labels=False),
            "items": Stats(("gold",), ours.per_unit(ours.in_gold)[:, None]),
        }
    )
    return replace(joined, kind=metric.unit, place=units, out_of=decisions.units)


def gold_items(grouped: Grouped) -> dict[str, int]:
    """How many gold items each group has."""
    return {name: int(stats.totals()["items.gold"]) for name, stats in grouped.items()}


def sided_scores(metric: Metric, totals: Totals) -> Scored:
    """The metric's numbers in a group: what divides by system items over the system's items in it,
    harmonic means of such parts and others; any other part over both sides from the counts of both,
    everything else over the gold items.

    Parts over units are left out. F1 is undefined where one side has no items in the group and the
    other has something right: there is no second number for the mean.
    """
    ours, theirs = (metric.score(totals.part(side)) for side in ("gold", "system"))
    found = {}
    for name, value in ours.items():
        part = part_of(metric, name)
        if part.over == "units":
            continue
        if part.over == "system":
            value = theirs[name]
        elif part.mean_of is not None:
            precision, recall = part.mean_of
            value = harmonic_mean(theirs[precision], ours[recall])
        elif part.over == "both":
            value = metric.score(_of_both(metric, totals))[name]
        found[name] = value
    return found


def _of_both(metric: Metric, totals: Totals) -> Totals:
    """Counts of a group: each of the side whose items it counts, what is counted on both added."""
    ours, theirs = totals.part("gold"), totals.part("system")
    sides = {count.name: count.side for count in metric.counts}
    of_gold = np.array([sides.get(name) != "system" for name in ours.columns])
    of_system = np.array([sides.get(name, "gold") != "gold" for name in ours.columns])
    return replace(ours, dense=ours.dense * of_gold + theirs.dense * of_system)


def sided_counts(metric: Metric, totals: Totals) -> dict[str, float]:
    """The metric's counts in a group, those of system items from the system's side; what is counted
    on both stands beside, as in `correct_system`."""
    ours, theirs = totals.part("gold"), totals.part("system")
    counts = {
        each.name: float((theirs if each.side == "system" else ours)[each.name])
        for each in metric.counts
    }
    both = (each.name for each in metric.counts if each.side == "both")
    return {**counts, **{f"{name}_system": float(theirs[name]) for name in both}}


def sided_reason(metric: Metric, part: str, totals: Totals) -> str:
    """Why a part is undefined in a group: a side has no items there, or what the metric says."""
    over = part_of(metric, part).over
    gold, theirs = float(totals["items.gold"]), totals.part("system")
    counts = [c.name for c in metric.counts if c.is_total and c.side == "system"]
    system = float(theirs[counts[0]]) if counts else 0.0
    if over == "system" and not system:
        return "the system has nothing in this group"
    if over == "both" and not (gold and system):
        return "gold or system has nothing in this group"
    if over == "gold" and not gold:
        return "the gold standard has nothing in this group"
    return metric.reason(part)


def harmonic_mean(precision: Floats, recall: Floats) -> Floats:
    """F1 of precision and recall that are not over the same items.

    It is 0 if one of them is 0 and the other undefined or 0 too, and undefined if one is undefined
    and the other is not 0.

    >>> harmonic_mean(np.array([0.5, 0.0, np.nan]), np.array([1.0, 0.0, 0.5])).round(2).tolist()
    [0.67, 0.0, nan]
    """
    mean = divide(2 * precision * recall, precision + recall)
    return np.where((precision == 0) | (recall == 0), 0.0, mean)
