"""`tertium.diff`: two annotations of one text, without a gold standard.

A takes gold's place, so that everything comes from the decisions of the metrics; what these say of
A against itself tells whether an answer of B is A's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from tertium.comparison.difference import (
    SAME,
    Difference,
    GroupCounts,
    LayerDifference,
)
from tertium.comparison.tallies import Tally, tally
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, has_items, union
from tertium.families.family import compared_metrics
from tertium.families.groups.units import group_order
from tertium.results.confusions import summed
from tertium.significance.score.counts import signature_of, texts_of
from tertium.study.files import File
from tertium.study.study import ReadingOptions, Study
from tertium.study.walk import walk, walk_options


def diff(
    a: Any,
    b: Any,
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    examples: int | None = None,
    **reading: Unpack[ReadingOptions],
) -> Difference:
    """Where two annotations of one text differ: two outputs, two annotators, two versions.

    Takes data as `score` does, `system_format` and `system_columns` being those of B. Without
    `metric` tags are compared by accuracy, trees by LAS and spans by fair F1: what these look at
    is what may differ. With `examples` the first so many differences of each metric are given in
    their sentences; 0 or True for all.

    >>> found = diff([["N", "V", "N"]], [["N", "N", "N"]]).layer
    >>> found.different, found.agreement, found.transitions
    (1, 0.6666666666666666, [Transition(a='V', b='N', count=1, gold=None)])
    """
    if examples is not None and examples < 0:
        raise UsageError(f"examples must not be negative. Got {examples} instead.")
    wanted = examples is not None and examples is not False
    most = None if examples is True else examples or None
    way, options = walk_options(reading)
    study = Study.of(
        None,
        [a, b],
        metric=metric,
        labels=False,
        defaults=compared_metrics,
        also=frozenset({"comments", "misc"}) if wanted else frozenset(),
        **options,
    )
    parts = [*walk(study, _Diff(wanted, most), **way)]
    return _added_up(study, parts, wanted, most)


@dataclass(frozen=True, eq=False)
class _Part:
    """What one pair of files gives."""

    metrics: tuple[Metric, ...]
    tallies: dict[int, Tally]
    units: int
    tokens: int | None
    groups: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Diff:
    """Counts what differs in a file; with `examples` also the first `most` differences."""

    examples: bool
    most: int | None

    def __call__(self, file: File) -> _Part:
        study = file.study
        for metric in file.metrics:
            if metric in study.sets:
                raise UsageError(
                    f"{study.sets[metric]} is a set of metrics, which have items of their own",
                    help=f"choose one of them: {', '.join(m.id for m in study.sets)}",
                )
        (other,) = file.systems()
        texts = texts_of(file.metrics)
        tallies = {
            m: tally(judged, texts[m], self.examples, self.most)
            for m, judged in enumerate(other.judge())
            if study.compares(file.metrics[m])
        }
        notes = [*file.notes]
        notes += [
            f"{metric!r} judges no single items, so nothing is compared by it"
            for metric in file.metrics
            if not has_items(metric)
        ]
        return _Part(file.metrics, tallies, file.units(), file.tokens, file.groups, tuple(notes))


def _added_up(study: Study, parts: Sequence[_Part], examples: bool, most: int | None) -> Difference:
    layers, instances = [], []
    notes = [note for part in parts for note in part.notes]
    texts = texts_of(parts[0].metrics)
    for m, first in parts[0].tallies.items():
        tallies = [part.tallies[m] for part in parts]
        notes += [remark for t in tallies for remark in t.remarks]
        metric = parts[0].metrics[m]
        missing = next((t.missing for t in tallies if t.missing), None)
        if missing and study.metrics is not None:
            raise LayerError(missing)
        if missing:
            notes.append(missing)
            continue
        layer = LayerDifference(
            metric=texts[m],
            layer=metric.family,
            items=sum(t.items for t in tallies),
            different=sum(t.different for t in tallies),
            kinds=_in_order(summed(t.kinds for t in tallies)),
            counts=summed(t.counts for t in tallies),
            label_counts=_labels_added([t.labels for t in tallies]),
            sentences=sum(t.sentences for t in tallies),
            same_sentences=sum(t.same_sentences for t in tallies),
            coverage=summed(t.coverage for t in tallies),
            signature=signature_of(first.fitted, union(t.facts for t in tallies), study),
            groups=_groups_added(tallies, parts, study, metric.unit),
            one_way=next((t.one_way for t in tallies if t.one_way), ""),
            unit=metric.unit,
        )
        layers.append(layer)
        instances += [each for t in tallies for each in t.instances][:most]
        if layer.one_way and layer.different:
            notes.append(f"{layer.metric}: {layer.one_way}")
    if not layers and any(map(has_items, parts[0].metrics)):
        raise LayerError(
            f"{study.gold} and {study.systems[0]} share no layer that can be compared",
            help="'--columns' names the columns of a file, '--system-columns' those of B",
        )
    tokens = [part.tokens for part in parts]
    return Difference(
        a=study.gold,
        b=study.systems[0],
        layers=tuple(layers),
        units=sum(part.units for part in parts),
        tokens=None if None in tokens else sum(t or 0 for t in tokens),
        by=study.by,
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
    tallies: Sequence[Tally], parts: Sequence[_Part], study: Study, unit: str
) -> dict[str, GroupCounts]:
    if study.by is None:
        return {}
    found: dict[str, GroupCounts] = {}
    for each in tallies:
        for name, counts in each.groups.items():
            found[name] = found.get(name, GroupCounts()).plus(counts)
    key = study.key
    if key is not None:
        order = key.in_order({name: counts.items for name, counts in found.items()})
    else:
        order = group_order(study.by, [group for part in parts for group in part.groups[unit]])
    return {name: found[name] for name in order}
