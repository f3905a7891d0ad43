"""Reading a shard: gold first, then system by system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import InputError
from tertium.formats.base import Format
from tertium.formats.read import read_file
from tertium.metrics.base import Metric
from tertium.metrics.groups.units import unit_keys
from tertium.metrics.groups.words import WordKey, check_layer
from tertium.metrics.prepare import check_maps, join_layers, map_labels
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard

WORTH_A_THREAD = 16_000_000  # bytes; below that nothing is gained but memory used


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
    first: list[Future[Corpus]] = field(default_factory=list)

    def asked(self, fitted: Metric) -> Metric:
        """A fitted metric as it was asked for."""
        return self.metrics[self.fitted.index(fitted)]

    def systems(self, method: str | None = None) -> Iterator[tuple[Corpus, Alignment]]:
        """Every system's corpus and how it lies over the gold standard, read one by one. `method`
        is a way of pairing tokens other than the one asked for."""
        options = self.options
        for number, given in enumerate(self.shard.systems):
            if number == 0 and self.first:
                system = self.first.pop().result()  # not kept: it may be large
            else:
                format = options.system_format or options.gold_format
                system = _read(given, format, options, self.needs)
            system = map_labels(system, options.maps)
            if self.kept is not None:
                system = system.take(self.kept)
            yield system, align(self.gold, system, method=method or options.align)
            del system  # before the next is read: both may be large


def open_shard(shard: Shard, options: Options, needs: frozenset[str] | None) -> Opened:
    """Read the gold file, leave out what any side had to skip, and fit the metrics to it.

    The first system is read at the same time: most of reading is done by compiled code, which does
    not stop other threads.
    """
    first = _begin_to_read(shard, options, needs)
    gold, notes = gold_of(shard, options, needs)
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
                f"{gold.origin}: every sentence was skipped, here or in a file beside it",
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
        fitted=tuple(fitted_to(m, gold, options) for m in options.settled or metrics),
        notes=tuple(notes),
        first=[] if first is None else [first],
    )


def _begin_to_read(
    shard: Shard, options: Options, needs: frozenset[str] | None
) -> Future[Corpus] | None:
    given = shard.systems[0] if shard.systems else None
    if not isinstance(given, str) or not Path(given).is_file():
        return None
    if Path(given).stat().st_size < WORTH_A_THREAD:
        return None
    reader = ThreadPoolExecutor(1)
    format = options.system_format or options.gold_format
    first = reader.submit(_read, given, format, options, needs)
    reader.shutdown(wait=False)
    return first


def _about_words(metrics: Sequence[Metric], key: WordKey) -> tuple[tuple[Metric, ...], list[str]]:
    """Those of the usual metrics that a property of words is asked of, and a note on the others:
    what is a property of arcs, of metrics of trees only."""
    kept = [m for m in metrics if m.layer == "deps"] if key.is_of_trees else metrics
    left = [m for m in metrics if m not in kept]
    if not left:
        return tuple(kept), []
    return tuple(kept), [
        f"{key.text} is a property of dependencies, so that other layers are left out unless "
        f"'--metric' names them: {listed(left)}"
    ]


def _read(
    given: str | Corpus, format: Format | None, options: Options, needs: frozenset[str] | None
) -> Corpus:
    if isinstance(given, Corpus):
        return given
    return read_file(
        given, format=format, on_error=options.on_error, needs=needs, forests=options.forests
    )


def gold_of(
    shard: Shard, options: Options, needs: frozenset[str] | None
) -> tuple[Corpus, list[str]]:
    """The gold file with further layers joined and labels mapped, and notes on that."""
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


def fitted_to(metric: Metric, gold: Corpus, options: Options) -> Metric:
    """The metric fitted to the gold data, with `--lexicon` where it has such a parameter."""
    fitted = metric.fit(gold)
    if options.lexicon is not None and any(f.name == "lexicon" for f in fields(fitted)):
        fitted = replace(fitted, lexicon=options.lexicon)  # type: ignore[call-arg]
    return fitted


def listed(metrics: Sequence[Metric]) -> str:
    """Texts of metrics in one line."""
    return ", ".join(repr(m) for m in metrics)
