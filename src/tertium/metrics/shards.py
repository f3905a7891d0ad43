"""Map shards to stats, add: the work of scoring, one pair of files at a time.

A shard is a gold file with the systems' files of the same name. `run` maps a shard to what can be
added over shards; it takes and returns plain picklable values, so that any executor of
`concurrent.futures` can do it anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.decisions import Decisions
from tertium.corpus.labels import Int64
from tertium.corpus.stats import Stats, add
from tertium.exceptions import AlignmentError, InputError, LayerError, UsageError
from tertium.formats.base import Format
from tertium.formats.read import read_file
from tertium.formats.resources import LabelMap, Lexicon
from tertium.formats.sources import Source
from tertium.metrics.base import Metric, union
from tertium.metrics.confusions import (
    Confusion,
    ErrorTypes,
    confusion_of,
    error_types_of,
    summed,
)
from tertium.metrics.defaults import default_metrics
from tertium.metrics.groups.buckets import NONE
from tertium.metrics.groups.sides import Grouped, grouped_members
from tertium.metrics.groups.units import is_by_length, unit_keys
from tertium.metrics.groups.words import WordKey, check_layer, has_layer, word_key
from tertium.metrics.prepare import check_maps, join_layers, map_labels

Input = Source | Corpus


@dataclass(frozen=True)
class Options:
    """How to read, align and score; the same for every shard.

    - `metrics`: None for those that `defaults` finds for a gold file
    - `settled`: the metrics with what depends on facts about all gold files, where that is needed
    - `also`: columns to be read besides those that metrics need
    - `any_roots`: take sentences with several roots, since nothing is counted
    """

    metrics: tuple[Metric, ...] | None = None
    settled: tuple[Metric, ...] | None = None
    gold_format: Format | None = None
    system_format: Format | None = None
    align: str = "auto"
    on_error: str = "fail"
    by: str | None = None
    lexicon: Lexicon | None = None
    maps: tuple[LabelMap, ...] = ()
    with_files: tuple[str, ...] = ()
    labels: bool = True
    confusion: bool = False
    defaults: Callable[[Corpus], tuple[Metric, ...]] = default_metrics
    also: frozenset[str] = frozenset()
    any_roots: bool = False

    @property
    def word_key(self) -> WordKey | None:
        """What `by` says about words, None if it is about units."""
        return word_key(self.by)

    def needs(self) -> frozenset[str] | None:
        """Columns that readers must provide, None for all."""
        key = self.word_key
        by_size = self.by in (None, "file") or is_by_length(self.by)
        if self.metrics is None or not (key or by_size):
            return None
        found = [*(m.needs() for m in self.metrics), frozenset(m.layer for m in self.maps)]
        found += [self.also, frozenset({key.layer} if key else ())]
        return None if any(n is None for n in found) else union(n for n in found if n is not None)

    @property
    def forests(self) -> bool:
        """Are sentences with several roots fine? They are if nothing is counted (`any_roots`), or
        if metrics are named and every one that looks at trees accepts them."""
        if self.any_roots or self.metrics is None:
            return self.any_roots
        needed = [(m, m.needs()) for m in self.metrics]
        return all(m.accepts_forests for m, names in needed if names is None or "deps" in names)


@dataclass(frozen=True)
class Shard:
    """One unit of work: a gold file or corpus and its systems' counterparts."""

    gold: str | Corpus
    systems: tuple[str | Corpus, ...]
    name: str = ""


@dataclass(frozen=True)
class Judged:
    """What one metric found in one system's shard; parts of several shards add up.

    `groups` are counts by a property of words, for the metric ("") or each member of a composite.
    """

    stats: Stats | None
    coverage: dict[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusion: Confusion = field(default_factory=dict)
    error_types: ErrorTypes = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: dict[str, Grouped] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What came out of a shard: per system and metric, and the groups of its units.

    `fitted` are the metrics with everything settled that depends on the data.
    """

    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    judged: tuple[tuple[Judged, ...], ...]
    groups: tuple[str, ...]
    units: int
    tokens: int | None
    notes: tuple[str, ...]


def pair(gold: Input, systems: Sequence[Input]) -> list[Shard]:
    """Shards by name where gold or a system is several files, else the one pair there is."""
    if isinstance(gold, Corpus) or not any(
        isinstance(s, Source) and s.is_sharded for s in (gold, *systems)
    ):
        if isinstance(gold, Source) and gold.is_sharded:
            raise InputError(
                f"'{gold.name}' is {len(gold.files)} files, but a system is data in memory"
            )
        return [Shard(_single(gold), tuple(_single(s) for s in systems))]
    sides: list[tuple[Source, dict[str, str]]] = []
    for source in (gold, *systems):
        if isinstance(source, Corpus):
            raise InputError("several files cannot be paired with data in memory")
        sides.append((source, source.keys()))
    wanted = sides[0][1]
    for source, keys in sides[1:]:
        lacking, surplus = sorted(wanted.keys() - keys), sorted(keys.keys() - wanted)
        if lacking or surplus:
            what = [f"'{source.name}' lacks {_some(lacking)}"] if lacking else []
            what += (
                [f"'{source.name}' has {_some(surplus)}, which '{sides[0][0].name}' lacks"]
                if surplus
                else []
            )
            raise InputError(
                "; ".join(what),
                help="files of gold and system are paired by name, so the sets must be equal; "
                "several systems are given one by one, not as one folder or pattern",
            )
    return [
        Shard(wanted[key], tuple(keys[key] for _, keys in sides[1:]), key) for key in sorted(wanted)
    ]


def _single(source: Input) -> str | Corpus:
    return source if isinstance(source, Corpus) else source.files[0]


def _some(names: list[str]) -> str:
    shown = ", ".join(f"'{n}'" for n in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more files"


def run_all(
    shards: Sequence[Shard], options: Options, *, jobs: int = 1, executor: Executor | None = None
) -> Iterator[Outcome]:
    """The outcome of every shard, in order.

    Without named metrics each shard is scored by those that fit its layers; shards must agree on
    them, or numbers would be over different parts of the data.
    """
    first: Outcome | None = None
    with _executor(jobs, executor) as pool:
        each = pool.map if pool is not None and len(shards) > 1 else map
        options = settled_on_all(shards, options, each)
        found = each(run, shards, [options] * len(shards))
        for shard, outcome in zip(shards, found, strict=True):
            first = first or outcome
            if outcome.metrics != first.metrics:
                raise LayerError(
                    f"'{shard.name}' and '{shards[0].name}' have different layers: "
                    f"{_listed(outcome.metrics)} fit the one, {_listed(first.metrics)} the other",
                    help="'--metric' names what is to be scored",
                )
            yield outcome


def settled_on_all(shards: Sequence[Shard], options: Options, each: Any) -> Options:
    """Metrics that depend on a fact about all gold data, settled before any shard is scored."""
    if options.metrics is None or len(shards) < 2:
        return options
    if not any(m.needs_all_facts() for m in options.metrics):
        return options
    facts = list(each(gold_facts, shards, [options] * len(shards)))
    settled = [
        m.settle(union(f[i] for f in facts)) if m.needs_all_facts() else m
        for i, m in enumerate(options.metrics)
    ]
    return replace(options, settled=tuple(settled))


def gold_facts(shard: Shard, options: Options) -> list[frozenset[str]]:
    """What each metric notices about a shard's gold file."""
    gold, _ = _gold(shard, options, options.needs())
    return [_fitted(m, gold, options).facts(gold) for m in options.metrics or ()]


def _listed(metrics: Sequence[Metric]) -> str:
    return ", ".join(repr(m) for m in metrics)


@contextmanager
def _executor(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    if executor is not None or jobs <= 1:
        yield executor
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, never forked: a fork after polars has started its threads hangs.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def run(shard: Shard, options: Options) -> Outcome:
    """Read one shard's files and judge every system by every metric."""
    try:
        return _run(shard, options, options.needs())
    except AlignmentError:
        if options.needs() is None:
            raise
        # Once more with everything read: the message can then name sentences by their ids.
        return _run(shard, options, None)


def _run(shard: Shard, options: Options, needs: frozenset[str] | None) -> Outcome:
    opened = open_shard(shard, options, needs)
    gold, judged = opened.gold, []
    for system, alignment in opened.systems():
        judged.append(tuple(_judge(m, gold, system, alignment, opened) for m in opened.fitted))
    return Outcome(
        metrics=opened.metrics,
        fitted=opened.fitted,
        judged=tuple(judged),
        groups=opened.groups,
        units=gold.sentence_count,
        tokens=None if gold.forms is None else gold.token_count,
        notes=opened.notes,
    )


@dataclass(frozen=True, eq=False)
class Opened:
    """A shard whose gold file has been read and can be compared with its systems.

    `kept` are the numbers that the sentences have in their files, None if none was skipped.
    """

    shard: Shard
    options: Options
    needs: frozenset[str] | None
    gold: Corpus
    kept: Int64 | None
    skipped: int
    groups: tuple[str, ...]
    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    notes: tuple[str, ...]

    def systems(self) -> Iterator[tuple[Corpus, Alignment]]:
        """Every system's corpus and how it lies over the gold standard, read one by one."""
        options = self.options
        for given in self.shard.systems:
            system = _read(given, options.system_format or options.gold_format, options, self.needs)
            system = map_labels(system, options.maps)
            if self.kept is not None:
                system = system.take(self.kept)
            yield system, align(self.gold, system, method=options.align)


def open_shard(shard: Shard, options: Options, needs: frozenset[str] | None) -> Opened:
    """Read the gold file, leave out what any side had to skip, and fit the metrics to it."""
    gold, notes = _gold(shard, options, needs)
    key, groups = options.word_key, []
    if key:
        check_layer(gold, key)
    elif options.by:
        groups = unit_keys(gold, options.by, file=shard.name)
    keep = _kept(shard, gold, options)
    kept, skipped = None, 0
    if keep is not None:
        kept = np.flatnonzero(keep)
        skipped = len(keep) - len(kept)
        if not len(kept):
            raise InputError(
                f"{gold.origin}: every sentence was skipped, here or in a system's file",
                help="'tertium validate' lists what is wrong with a file",
            )
        groups = [groups[sentence] for sentence in kept.tolist()] if groups else []
        gold = gold.take(kept)
    metrics = options.defaults(gold) if options.metrics is None else options.metrics
    if key and options.metrics is None:
        metrics, more = _about_words(metrics, key)
        notes += more
    return Opened(
        shard=shard,
        options=options,
        needs=needs,
        gold=gold,
        kept=kept,
        skipped=skipped,
        groups=tuple(groups),
        metrics=metrics,
        fitted=tuple(_fitted(m, gold, options) for m in options.settled or metrics),
        notes=tuple(notes),
    )


def _about_words(metrics: Sequence[Metric], key: WordKey) -> tuple[tuple[Metric, ...], list[str]]:
    """Those of the usual metrics that a property of words is asked of, and a note on the others:
    what is a property of arcs, of metrics of trees only."""
    kept = [m for m in metrics if m.layer == "deps"] if key.is_of_trees else metrics
    left = [m for m in metrics if m not in kept]
    if not left:
        return tuple(kept), []
    return tuple(kept), [
        f"{key.text} is a property of dependencies, so that other layers are left out unless "
        f"'--metric' names them: {_listed(left)}"
    ]


def _read(
    given: str | Corpus, format: Format | None, options: Options, needs: frozenset[str] | None
) -> Corpus:
    if isinstance(given, Corpus):
        return given
    return read_file(
        given, format=format, on_error=options.on_error, needs=needs, forests=options.forests
    )


def _gold(shard: Shard, options: Options, needs: frozenset[str] | None) -> tuple[Corpus, list[str]]:
    gold = _read(shard.gold, options.gold_format, options, needs)
    further = [
        read_file(path, on_error=options.on_error, forests=options.forests)
        for path in options.with_files
    ]
    gold, notes = join_layers(gold, further)
    notes += check_maps(gold, options.maps)
    return map_labels(gold, options.maps), notes


def _kept(shard: Shard, gold: Corpus, options: Options) -> np.ndarray | None:
    """Sentences that no side had to skip: all systems are judged on the same ones."""
    if options.on_error == "fail":
        return None
    format = options.system_format or options.gold_format
    return shared_sentences(
        gold, (_read(given, format, options, options.needs()) for given in shard.systems)
    )


def _judge(
    fitted: Metric, gold: Corpus, system: Corpus, alignment: Alignment, opened: Opened
) -> Judged:
    try:
        fitted.check(system)
    except LayerError as error:
        return Judged(None, missing=f"{fitted!r}: {error.message}")
    options = opened.options
    stats, decisions = fitted.measure(gold, system, alignment, labels=options.labels)
    remarks = fitted.remarks(gold, system)
    groups: dict[str, Grouped] = {}
    if key := options.word_key:
        try:
            groups, more = grouped_members(fitted, gold, system, alignment, decisions, key)
        except UsageError as error:
            if options.metrics is not None:
                raise
            return Judged(None, remarks=(error.message,), missing=error.message)
        remarks += more
        if not has_layer(system, key):
            remarks.append(
                f"{system.origin} has no '{key.layer}', so that all its items are in '{NONE}'"
            )
    return Judged(
        stats,
        coverage_of(fitted, opened, system, alignment, decisions),
        fitted.facts(gold) | fitted.facts(system),
        *_confused(decisions if options.confusion else None),
        tuple(remarks),
        groups=groups,
    )


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


def _confused(decisions: Decisions | None) -> tuple[Confusion, ErrorTypes]:
    return ({}, {}) if decisions is None else (confusion_of(decisions), error_types_of(decisions))


def _fitted(metric: Metric, gold: Corpus, options: Options) -> Metric:
    """The metric fitted to the gold data, with `--lexicon` where it has such a parameter."""
    fitted = metric.fit(gold)
    if options.lexicon is not None and any(f.name == "lexicon" for f in fields(fitted)):
        fitted = replace(fitted, lexicon=options.lexicon)  # type: ignore[call-arg]
    return fitted


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
        groups=_added([p.groups for p in parts]),
    )


def _added(parts: Sequence[dict[str, Grouped]]) -> dict[str, Grouped]:
    """Groups of the same name in one."""
    if len(parts) == 1:
        return parts[0]
    found: dict[str, dict[str, list[Stats]]] = {}
    for part in parts:
        for member, groups in part.items():
            for name, stats in groups.items():
                found.setdefault(member, {}).setdefault(name, []).append(stats)
    return {
        member: {name: add(stats) for name, stats in groups.items()}
        for member, groups in found.items()
    }
