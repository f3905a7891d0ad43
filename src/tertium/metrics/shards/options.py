"""How to read, align and score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tertium.corpus.corpus import Corpus
from tertium.formats.base import Format
from tertium.formats.resources import LabelMap, Lexicon
from tertium.metrics.base import Metric, union
from tertium.metrics.defaults import default_metrics, is_compared
from tertium.metrics.groups.units import is_by_length
from tertium.metrics.groups.words import WordKey, word_key


@dataclass(frozen=True)
class Options:
    """How to read, align and score; the same for every shard.

    - `metrics`: None for those that `defaults` finds for a gold file
    - `sets`: the text of the set that was asked for, of metrics that were not named themselves
    - `settled`: the metrics with what depends on facts about all gold files, where that is needed
    - `labels`: count per label as well; "single" leaves out members of sets
    - `also`: columns to be read besides those that metrics need; None for all
    - `any_roots`: take sentences with several roots, since nothing is counted
    """

    metrics: tuple[Metric, ...] | None = None
    sets: Mapping[Metric, str] = field(default_factory=dict)
    settled: tuple[Metric, ...] | None = None
    gold_format: Format | None = None
    system_format: Format | None = None
    align: str = "auto"
    on_error: str = "fail"
    by: str | None = None
    lexicon: Lexicon | None = None
    maps: tuple[LabelMap, ...] = ()
    with_files: tuple[str, ...] = ()
    labels: bool | Literal["single"] = True
    confusion: bool = False
    defaults: Callable[[Corpus], tuple[Metric, ...]] = default_metrics
    also: frozenset[str] | None = frozenset()
    any_roots: bool = False

    def compares(self, metric: Metric) -> bool:
        """Are systems compared by it, item by item? By a member of a set only if it is named."""
        return metric not in self.sets and is_compared(metric, named=self.metrics is not None)

    @property
    def word_key(self) -> WordKey | None:
        """What `by` says about words, None if it is about units."""
        return word_key(self.by, self.lexicon)

    def needs(self) -> frozenset[str] | None:
        """Columns that readers must provide, None for all."""
        key = self.word_key
        by_size = self.by in (None, "file") or is_by_length(self.by)
        if self.metrics is None or not (key or by_size):
            return None
        found: list[frozenset[str] | None] = [m.needs() for m in self.metrics]
        found += [frozenset(m.layer for m in self.maps), self.also]
        found += [frozenset({key.layer} - {""} if key else ())]
        return None if any(n is None for n in found) else union(n for n in found if n is not None)

    @property
    def policy(self) -> str:
        """What happens to bad sentences, and what makes one bad if that is not the usual: all
        metrics are judged on the same sentences, so that one decides for the others."""
        needs = self.needs()
        found = [self.on_error]
        if self.forests and (needs is None or "deps" in needs):
            found.append("any-roots")
        if needs is not None and "enhanced" in needs:
            found.append("graphs")
        return "+".join(found)

    @property
    def forests(self) -> bool:
        """Are sentences with several roots fine? They are if nothing is counted (`any_roots`), or
        if metrics are named and every one that looks at trees accepts them."""
        if self.any_roots or self.metrics is None:
            return self.any_roots
        needed = [(m, m.needs()) for m in self.metrics]
        return all(m.accepts_forests for m, names in needed if names is None or "deps" in names)
