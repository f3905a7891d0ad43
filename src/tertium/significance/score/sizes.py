"""How large groups are: units of a genre or a length, items that are words of some kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.results.scores import Result, flatten
from tertium.significance.score.result import Scores

SIZE, SYSTEM_ITEMS = "(size)", "(system items)"  # what a column shows besides parts


@dataclass(frozen=True)
class Sizes:
    """Sizes by metric and group; the group "" is the whole.

    - `are_items`: do groups hold single items, counted in gold, rather than units?
    - `shared`: are the sizes the same for all metrics, and known?
    """

    by_metric: Mapping[str, Mapping[str, int]]
    are_items: bool
    shared: bool

    def of(self, metric: str) -> Mapping[str, int]:
        """The sizes of groups as one metric sees them."""
        return self.by_metric.get(metric, {})


def group_sizes(scores: Scores) -> Sizes:
    """What results say about the sizes of their groups."""
    are_items = any("items" in group.coverage for r in scores for group in r.groups.values())
    inner, outer = ("items", "scored") if are_items else ("units", "")
    found: dict[str, dict[str, int]] = {metric: {} for metric in scores.metrics}
    for result in scores:
        mine = {g: r.coverage[inner] for g, r in result.groups.items() if inner in r.coverage}
        if mine:
            # The coverage of a set's member is that of the set; it has a count of its own.
            items = result.total("gold")
            items = result.coverage.get(outer, 0) if items is None else items
            whole = int(items) if are_items else scores.sizes[result.unit]
            found[result.metric].update({"": whole, **mine})
    if not are_items:  # units are the same for all, also where a metric has no groups
        every = {group: n for sizes in found.values() for group, n in sizes.items()}
        found = dict.fromkeys(found, every)
    first = next(iter(found.values()), {})
    return Sizes(found, are_items, bool(first) and all(s == first for s in found.values()))


def columns_of_items(results: Sequence[Result], *, alone: bool) -> list[str]:
    """The parts that a table of items by groups shows of a metric: one of several metrics only its
    value, a metric alone precision, recall and F1, where it has these, and its value if it is none
    of them."""
    headline = next((r.headline for r in results if r.headline), "value")
    means = [part for part in results[0].declared if part.mean_of]
    mean = next((part for part in means if part.name == headline), means[0] if means else None)
    if not alone:
        return [headline]
    shown = [r for result in results for r in (result, *result.groups.values())]
    flat = [flatten(r.parts) for r in shown]
    names = (*mean.mean_of, mean.name) if mean and mean.mean_of else ()
    usual = [part for part in names if any(part in parts for parts in flat)]
    # Of one label a token, accuracy is recall.
    is_there = any(all(p.get(part) == p.get(headline) for p in flat) for part in usual)
    return usual if is_there else [headline, *usual]


def no_group(sizes: Sizes) -> str:
    """Why a result has no figures for a group that others have."""
    if sizes.are_items:
        return "this metric has no items that could be grouped"
    return "this system has nothing in the group"
