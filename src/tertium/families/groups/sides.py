"""A metric inside groups of words: recall by the gold side's groups, precision by the system's.

An item is in the group of its first word. It has one group by the gold annotation and one by the
system's, which need not be the same. So a group has two sets of counts, both by the metric's own
`stats`: over the rows whose gold item is in it, and over those whose system item is.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, unite
from tertium.exceptions import UsageError
from tertium.families.base import Floats, Metric, Scored, divide
from tertium.families.groups.words import WordKey, word_groups
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, Totals, join

Grouped = dict[str, Stats]
_SIDED = re.compile(r"(.*?)(precision|recall|f1)")
_CORRECT = ("correct", "tp")


def grouped_stats(
    metric: Metric, gold: Corpus, system: Corpus, decisions: Decisions | None, key: WordKey
) -> Grouped:
    """Counts of every group that has an item on either side, over the units that have one.

    They are joined: `gold.*` are the metric's stats over gold items in the group, `system.*` those
    over system items in it, `items.gold` is the number of gold items.
    """
    if decisions is None or decisions.gold_items is None or decisions.system_items is None:
        raise UsageError(f"{metric!r} judges no single items that could be grouped by {key.text}")
    if metric.headline in metric.unit_parts:
        raise UsageError(f"{metric!r} judges sentences; its value has no groups by {key.text}")
    names, (ours, theirs) = unite(word_groups(gold, key), word_groups(system, key))
    mine, yours = decisions.of_first(ours, theirs)
    of_gold, of_system = _rows_by_group(mine, len(names)), _rows_by_group(yours, len(names))
    return {
        names[code]: _stats(metric, decisions, of_gold[code], of_system[code])
        for code in range(len(names))
        if decisions.in_gold[of_gold[code]].any() or decisions.in_system[of_system[code]].any()
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
    ours = decisions.take(gold, units)
    joined = join(
        {
            "gold": metric.stats(ours, labels=False),
            "system": metric.stats(decisions.take(system, units), labels=False),
            "items": Stats(("gold",), ours.per_unit(ours.in_gold)[:, None]),
        }
    )
    return replace(joined, kind=metric.unit, place=units, out_of=decisions.units)


def gold_items(grouped: Grouped) -> dict[str, int]:
    """How many gold items each group has."""
    return {name: int(stats.totals()["items.gold"]) for name, stats in grouped.items()}


def sided_scores(metric: Metric, totals: Totals) -> Scored:
    """The metric's numbers in a group: precision of the system's items in it, recall of the gold
    items, F1 as their harmonic mean; other parts are those of the gold items.

    Parts over units are left out. F1 is undefined where one side has no items in the group and the
    other has something right: there is no second number for the mean.
    """
    ours, theirs = (metric.score(totals.part(side)) for side in ("gold", "system"))
    found = {}
    for name, value in ours.items():
        if name in metric.unit_parts:
            continue
        prefix, kind = _sided(name)
        if kind == "precision":
            value = theirs[name]
        elif kind == "f1" and f"{prefix}precision" in ours and f"{prefix}recall" in ours:
            value = harmonic_mean(theirs[f"{prefix}precision"], ours[f"{prefix}recall"])
        found[name] = value
    return found


def sided_counts(metric: Metric, totals: Totals) -> dict[str, float]:
    """The metric's counts in a group, those of system items from the system's side; what is right
    among these stands beside, as `correct_system`."""
    ours, theirs = totals.part("gold"), totals.part("system")
    counts = {
        name: float((theirs if name in metric.system_counts else ours)[name])
        for name in metric.counted
    }
    beside = {f"{n}_system": float(theirs[n]) for n in _CORRECT if n in metric.counted}
    return {**counts, **beside}


def sided_reason(part: str) -> str:
    """Why a part is undefined in a group."""
    _, kind = _sided(part)
    if kind == "precision":
        return "the system has nothing in this group"
    if kind == "f1":
        return "gold or system has nothing in this group"
    return "the gold standard has nothing in this group"


def _sided(part: str) -> tuple[str, str]:
    match = _SIDED.fullmatch(part)
    return (match[1], match[2]) if match else ("", "")


def harmonic_mean(precision: Floats, recall: Floats) -> Floats:
    """F1 of precision and recall that are not over the same items.

    It is 0 if one of them is 0 and the other undefined or 0 too, and undefined if one is undefined
    and the other is not 0.

    >>> harmonic_mean(np.array([0.5, 0.0, np.nan]), np.array([1.0, 0.0, 0.5])).round(2).tolist()
    [0.67, 0.0, nan]
    """
    mean = divide(2 * precision * recall, precision + recall)
    return np.where((precision == 0) | (recall == 0), 0.0, mean)
