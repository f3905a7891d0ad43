"""`tertium.diff`: two annotations of one text, without a gold standard.

A takes gold's place, so that everything comes from the decisions of the metrics; what these say of
A against itself tells whether an answer of B is A's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from tertium.compare.difference import (
    ONE_WAY,
    SAME,
    Difference,
    GroupCounts,
    LayerDifference,
)
from tertium.compare.tallies import FilePair, Tally
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.metrics.base import Metric, union
from tertium.metrics.confusions import summed
from tertium.metrics.defaults import compared_metrics
from tertium.metrics.groups.units import group_order
from tertium.metrics.request import ReadingOptions, Request, input_of, request
from tertium.metrics.results import signature_of, texts_of
from tertium.metrics.shards.opening import open_shard
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard
from tertium.metrics.shards.running import settled_on_all


def diff(
    a: Any,
    b: Any,
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    examples: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Difference:
    """Where two annotations of one text differ: two outputs, two annotators, two versions.

    Takes data as `score` does, `system_format` and `system_columns` being those of B. Without
    `metric` tags are compared by accuracy, trees by LAS and spans by fair F1: what these look at
    is what may differ. With `examples` the first so many differences of each metric are given in
    their sentences; 0 or True for all.

    >>> found = diff([["N", "V", "N"]], [["N", "N", "N"]], metric="tags.accuracy").layer
    >>> found.different, found.agreement, found.transitions
    (1, 0.6666666666666666, [Transition(a='V', b='N', count=1, gold=None)])
    """
    if examples is not None and examples < 0:
        raise UsageError(f"examples must not be negative. Got {examples} instead.")
    wanted = examples is not None and examples is not False
    most = None if examples is True else examples or None
    inputs = [input_of(a, "A"), input_of(b, "B")]
    asked = request(
        inputs[0][0],
        [inputs[1][0]],
        metric=metric,
        **reading,
        labels=False,
        defaults=compared_metrics,
        also=frozenset({"comments", "misc"}) if wanted else frozenset(),
    )
    names = _short([name for _, name in inputs])
    options = settled_on_all(asked.shards, asked.options, map)
    parts: list[_Part] = []
    for shard in asked.shards:
        parts.append(_read_and_run(shard, options, names, wanted, most))
        if parts[-1].opened_metrics != parts[0].opened_metrics:
            raise LayerError(
                f"'{shard.name}' and '{asked.shards[0].name}' have different layers",
                help="'--metric' names what is to be compared",
            )
        if progress is not None:
            progress(len(parts), len(asked.shards))
    return _added_up(asked, options, names, parts, wanted, most)


@dataclass(frozen=True, eq=False)
class _Part:
    """What one pair of files gives."""

    opened_metrics: tuple[Metric, ...]
    tallies: dict[int, Tally]
    units: int
    tokens: int | None
    unit_groups: tuple[str, ...]
    notes: tuple[str, ...]


def _read_and_run(
    shard: Shard, options: Options, names: Sequence[str], examples: bool, most: int | None
) -> _Part:
    try:
        return _run(shard, options, options.needs(), names, examples, most)
    except AlignmentError:
        if options.needs() is None:
            raise
        # Once more with everything read: the message can then name sentences by their ids.
        return _run(shard, options, None, names, examples, most)


def _run(
    shard: Shard,
    options: Options,
    needs: frozenset[str] | None,
    names: Sequence[str],
    examples: bool,
    most: int | None,
) -> _Part:
    opened = open_shard(shard, options, needs)
    (other, alignment), *_ = opened.systems()
    texts = texts_of(opened.metrics)
    tallies = {}
    for m, (metric, fitted) in enumerate(zip(opened.metrics, opened.fitted, strict=True)):
        if metric in options.sets or not metric.has_items:
            text = options.sets.get(metric, repr(metric))
            raise UsageError(
                f"{text} judges no single items: two annotations cannot be compared by it",
                help="choose a metric that does, such as deps.las",
            )
        if options.compares(metric):
            pair = FilePair(opened, fitted, other, alignment)
            tallies[m] = pair.tally(texts[m], names[1], examples, most)
    return _Part(
        opened.metrics,
        tallies,
        opened.gold.sentence_count,
        None if opened.gold.forms is None else opened.gold.token_count,
        opened.groups,
        opened.notes,
    )


def _added_up(
    asked: Request,
    options: Options,
    names: Sequence[str],
    parts: Sequence[_Part],
    examples: bool,
    most: int | None,
) -> Difference:
    layers, instances = [], []
    notes = [note for part in parts for note in part.notes]
    for m, first in parts[0].tallies.items():
        tallies = [part.tallies[m] for part in parts]
        notes += [remark for t in tallies for remark in t.remarks]
        metric = parts[0].opened_metrics[m]
        missing = next((t.missing for t in tallies if t.missing), None)
        if missing and options.metrics is not None:
            raise LayerError(missing)
        if missing:
            notes.append(missing)
            continue
        name = texts_of(parts[0].opened_metrics)[m]
        layer = LayerDifference(
            metric=name,
            layer=metric.layer,
            items=sum(t.items for t in tallies),
            different=sum(t.different for t in tallies),
            kinds=_in_order(summed(t.kinds or {} for t in tallies)),
            counts=summed(t.counts or {} for t in tallies),
            label_counts=_labels_added([t.labels or {} for t in tallies]),
            sentences=sum(t.sentences for t in tallies),
            same_sentences=sum(t.same_sentences for t in tallies),
            coverage=summed(t.coverage or {} for t in tallies),
            signature=signature_of(first.fitted, union(t.facts for t in tallies), options),
            groups=_groups_added(tallies, parts, options),
            one_way=any(t.one_way for t in tallies),
        )
        layers.append(layer)
        instances += [each for t in tallies for each in t.instances][:most]
        if layer.one_way and layer.different:
            notes.append(f"{name}: {ONE_WAY[metric.id]}")
    if not layers:
        raise LayerError(
            f"{names[0]} and {names[1]} share no layer that can be compared",
            help="'--columns' names the columns of a file, '--system-columns' those of B",
        )
    tokens = [part.tokens for part in parts]
    return Difference(
        a=names[0],
        b=names[1],
        layers=tuple(layers),
        units=sum(part.units for part in parts),
        tokens=None if None in tokens else sum(t or 0 for t in tokens),
        by=asked.options.by,
        instances=tuple(instances) if examples else None,
        notes=tuple(dict.fromkeys(notes)),
    )


def _in_order(kinds: dict[str, int]) -> dict[str, int]:
    """What is the same, then the most frequent first, then by name."""
    order = sorted(kinds, key=lambda kind: (kind != SAME, -kinds[kind], kind))
    return {kind: kinds[kind] for kind in order}


def _labels_added(
    parts: Sequence[dict[str, tuple[int, int, int]]],
) -> dict[str, tuple[int, int, int]]:
    found: dict[str, tuple[int, int, int]] = {}
    for part in parts:
        for label, (a, b, same) in part.items():
            before = found.get(label, (0, 0, 0))
            found[label] = before[0] + a, before[1] + b, before[2] + same
    return found


def _groups_added(
    tallies: Sequence[Tally], parts: Sequence[_Part], options: Options
) -> dict[str, GroupCounts]:
    if options.by is None:
        return {}
    found: dict[str, GroupCounts] = {}
    for tally in tallies:
        for name, counts in (tally.groups or {}).items():
            found[name] = found.get(name, GroupCounts()).plus(counts)
    key = options.word_key
    if key is not None:
        order = key.in_order({name: counts.items for name, counts in found.items()})
    else:
        order = group_order(options.by, [group for part in parts for group in part.unit_groups])
    return {name: found[name] for name in order}


def _short(names: Sequence[str]) -> list[str]:
    """File names without their folders, where that leaves them distinct."""
    short = [Path(name).name or name for name in names]
    return short if short[0] != short[1] else list(names)
