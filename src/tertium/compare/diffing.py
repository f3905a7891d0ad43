"""`tertium.diff`: two annotations of one text, without a gold standard.

A takes gold's place, so that everything comes from the decisions of the metrics; what these say of
A against itself tells whether an answer of B is A's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment, align
from tertium.compare.answers import Bools
from tertium.compare.comparing import metric_name
from tertium.compare.difference import (
    KINDS,
    ONE_WAY,
    ONLY_A,
    ONLY_B,
    SAME,
    Difference,
    GroupCounts,
    LayerDifference,
)
from tertium.compare.said import row_groups
from tertium.corpus.corpus import Corpus
from tertium.corpus.decisions import EXTRA, MISSING, Decisions
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Spans
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.formats.resources import Lexicon
from tertium.metrics.base import Metric, union
from tertium.metrics.confusions import summed
from tertium.metrics.defaults import SPAN_ERRORS, compared_metrics, is_compared
from tertium.metrics.errors.findings import Findings
from tertium.metrics.errors.instances import Instance
from tertium.metrics.groups.units import group_order
from tertium.metrics.request import Request, input_of, request
from tertium.metrics.results import signature_of
from tertium.metrics.shards.judging import examine
from tertium.metrics.shards.opening import Opened, open_shard
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard
from tertium.metrics.shards.running import settled_on_all

CONTEXT = 200  # characters on either side of a difference that is shown
ANOTHER = "another answer"  # where a metric takes several for right


def diff(
    a: Any,
    b: Any,
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    examples: bool = False,
    limit: int | None = None,
    input_format: str | None = None,
    system_format: str | None = None,
    columns: str | None = None,
    system_columns: str | None = None,
    align: str = "auto",
    on_error: str = "fail",
    by: str | None = None,
    lexicon: str | Lexicon | None = None,
    map_labels: Sequence[str] = (),
    with_files: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Difference:
    """Where two annotations of one text differ: two outputs, two annotators, two versions.

    Takes data as `score` does, `system_format` and `system_columns` being those of B. Without
    `metric` tags are compared by accuracy, trees by LAS and spans by fair F1: what these look at
    is what may differ. With `examples` differences are given in their sentences, with `limit` the
    first ones of each metric.

    >>> found = diff([["N", "V", "N"]], [["N", "N", "N"]], metric="tags.accuracy").layer
    >>> found.different, found.agreement, found.transitions
    (1, 0.6666666666666666, [Transition(a='V', b='N', count=1, gold=None)])
    """
    if limit is not None and limit < 0:
        raise UsageError(f"limit must not be negative. Got {limit} instead.")
    examples = examples or limit is not None
    inputs = [input_of(a, "A"), input_of(b, "B")]
    asked = request(
        inputs[0][0],
        [inputs[1][0]],
        metric=metric,
        input_format=input_format,
        system_format=system_format,
        columns=columns,
        system_columns=system_columns,
        align=align,
        on_error=on_error,
        by=by,
        lexicon=lexicon,
        map_labels=map_labels,
        with_files=with_files,
        labels=False,
        defaults=compared_metrics,
        also=frozenset({"comments", "misc"}) if examples else frozenset(),
    )
    names = _short([name for _, name in inputs])
    options = settled_on_all(asked.shards, asked.options, map)
    parts: list[_Part] = []
    for shard in asked.shards:
        parts.append(_read_and_run(shard, options, names, examples, limit))
        if parts[-1].opened_metrics != parts[0].opened_metrics:
            raise LayerError(
                f"'{shard.name}' and '{asked.shards[0].name}' have different layers",
                help="'--metric' names what is to be compared",
            )
        if progress is not None:
            progress(len(parts), len(asked.shards))
    return _added_up(asked, options, names, parts, limit if examples else 0, examples)


@dataclass(frozen=True, eq=False)
class _Tally:
    """What one metric finds in one file; tallies add up. `missing` says why there is nothing."""

    fitted: Metric
    items: int = 0
    different: int = 0
    kinds: Counter[str] | None = None
    counts: Counter[tuple[str | None, str | None]] | None = None
    labels: dict[str, tuple[int, int, int]] | None = None
    groups: dict[str, GroupCounts] | None = None
    sentences: int = 0
    same_sentences: int = 0
    coverage: dict[str, int] | None = None
    facts: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    instances: tuple[Instance, ...] = ()
    one_way: bool = False
    missing: str | None = None


@dataclass(frozen=True, eq=False)
class _Part:
    """What one pair of files gives."""

    opened_metrics: tuple[Metric, ...]
    tallies: dict[int, _Tally]
    units: int
    tokens: int | None
    unit_groups: tuple[str, ...]
    notes: tuple[str, ...]


def _read_and_run(
    shard: Shard, options: Options, names: Sequence[str], examples: bool, limit: int | None
) -> _Part:
    try:
        return _run(shard, options, options.needs(), names, examples, limit)
    except AlignmentError:
        if options.needs() is None:
            raise
        # Once more with everything read: the message can then name sentences by their ids.
        return _run(shard, options, None, names, examples, limit)


def _run(
    shard: Shard,
    options: Options,
    needs: frozenset[str] | None,
    names: Sequence[str],
    examples: bool,
    limit: int | None,
) -> _Part:
    opened = open_shard(shard, options, needs)
    (other, alignment), *_ = opened.systems()
    named = options.metrics is not None
    tallies = {}
    for m, (metric, fitted) in enumerate(zip(opened.metrics, opened.fitted, strict=True)):
        if not metric.has_items:
            raise UsageError(
                f"{metric!r} judges no single items: two annotations cannot be compared by it",
                help="choose a metric that does, such as deps.las",
            )
        if is_compared(metric, named=named):
            pair = _Pair(opened, fitted, other, alignment)
            tallies[m] = pair.tally(metric_name(metric), names[1], examples, limit)
    return _Part(
        opened.metrics,
        tallies,
        opened.gold.sentence_count,
        None if opened.gold.forms is None else opened.gold.token_count,
        opened.groups,
        opened.notes,
    )


@dataclass(frozen=True, eq=False)
class _Pair:
    """A and B in one file, under one metric."""

    opened: Opened
    fitted: Metric
    other: Corpus
    alignment: Alignment

    def tally(self, metric: str, name: str, examples: bool, limit: int | None) -> _Tally:
        """Everything there is to count."""
        gold = self.opened.gold
        judged, rows = examine(self.fitted, gold, self.other, self.alignment, self.opened)
        if judged.stats is None:
            return _Tally(self.fitted, missing=judged.missing, remarks=judged.remarks)
        if rows is None:
            rows = self.fitted.decide(gold, self.other, self.alignment)
        differs = self._differs(rows)
        kinds = _kinds(rows, differs)
        labels: list[str | None] = [*rows.names, None]
        pairs = zip(rows.gold[differs].tolist(), rows.system[differs].tolist(), strict=True)
        sizes = np.diff(gold.offsets)
        counted = np.ones(len(sizes), np.bool_) if gold.atoms == "indices" else sizes > 0
        spoilt = np.bincount(rows.unit[differs], minlength=len(sizes)) > 0
        return _Tally(
            fitted=self.fitted,
            items=len(rows),
            different=int(differs.sum()),
            kinds=Counter(kinds),
            counts=Counter((labels[x], labels[y]) for x, y in pairs),
            labels=_label_counts(rows, differs),
            groups=dict(self._groups(rows, differs)),
            sentences=int(counted.sum()),
            same_sentences=int((counted & ~spoilt).sum()),
            coverage=_sides_named(judged.coverage),
            facts=judged.facts,
            remarks=judged.remarks,
            instances=self._instances(metric, name, differs, kinds, limit) if examples else (),
            one_way=self._is_one_way(),
        )

    def _is_one_way(self) -> bool:
        """May items be paired otherwise from B to A? Fair pairs are the same both ways unless spans
        of one side overlap."""
        if self.fitted.id not in ONE_WAY:
            return False
        sides = self.fitted.items(self.opened.gold, self.other)
        return self.fitted.id != SPAN_ERRORS or any(_overlap(spans) for spans in sides)

    def _differs(self, rows: Decisions) -> Bools:
        """Rows on which B's answer is not A's own: what A against itself says, and all that B
        adds."""
        method = {"tokens": "auto"}.get(self.alignment.method, self.alignment.method)
        gold = self.opened.gold
        own = self.fitted.decide(gold, gold, align(gold, gold, method=method))
        order = np.argsort(own.item, kind="stable")
        item, answer = own.item[order], own.answer[order]
        found = np.ones(len(rows), np.bool_)
        asked = np.flatnonzero(rows.in_gold)
        at = np.searchsorted(item, rows.item[asked])
        found[asked] = answer[at] != rows.answer[asked]
        return found

    def _groups(self, rows: Decisions, differs: Bools) -> Iterator[tuple[str, GroupCounts]]:
        key = self.opened.options.word_key
        group: npt.NDArray[np.int32]
        if key is not None:
            codes, found = row_groups(self.fitted, rows, self.opened.gold, self.other, key)
            group, names = codes, list(found)
        elif self.opened.groups:
            names = list(dict.fromkeys(self.opened.groups))
            of_unit = np.array([names.index(g) for g in self.opened.groups], np.int32)
            group = of_unit[rows.unit]
        else:
            return
        for code, name in enumerate(names):
            here = group == code
            if here.any() or key is None:
                yield name, GroupCounts(int(here.sum()), int((here & differs).sum()))

    def _instances(
        self, metric: str, name: str, differs: Bools, kinds: Sequence[str], limit: int | None
    ) -> tuple[Instance, ...]:
        findings = Findings(self.opened, self.fitted, metric, name, self.other, self.alignment)
        rows = findings.in_order(np.flatnonzero(differs))[:limit].tolist()
        return tuple(
            replace(each, type=kinds[row])
            for row, each in zip(rows, findings.instances(rows, CONTEXT), strict=True)
        )


def _overlap(spans: Spans) -> bool:
    order = np.lexsort((spans.end, spans.start))
    return bool((spans.start[order][1:] < np.maximum.accumulate(spans.end[order])[:-1]).any())


def _kinds(rows: Decisions, differs: Bools) -> list[str]:
    """How A and B differ on every row."""
    names = [KINDS.get(name, name) for name in rows.error_types]
    found = [names[code] for code in rows.error_type.tolist()]
    for row in np.flatnonzero((rows.outcome == EXTRA) | (rows.outcome == MISSING)).tolist():
        if found[row] in (SAME, "unaligned"):
            found[row] = ONLY_B if rows.outcome[row] == EXTRA else ONLY_A
    for row in np.flatnonzero(differs).tolist():
        if found[row] == SAME:
            found[row] = ANOTHER
    return found


def _label_counts(rows: Decisions, differs: Bools) -> dict[str, tuple[int, int, int]]:
    """Of every label A's items, B's, and those on which both say the same."""
    size = len(rows.names)

    def counted(codes: npt.NDArray[np.int32]) -> Int64:
        return np.bincount(codes[codes >= 0], minlength=size)

    theirs = np.flatnonzero(rows.in_system)
    if rows.system_row is not None:
        # An item of B may have met several of A's.
        _, firsts = np.unique(rows.system_row[theirs], return_index=True)
        theirs = theirs[firsts]
    columns = [counted(rows.gold[rows.in_gold]), counted(rows.system[theirs])]
    columns.append(counted(rows.gold[~differs]))
    found = np.column_stack(columns)
    return {
        rows.names[label]: tuple(found[label].tolist())
        for label in np.flatnonzero(found.any(axis=1)).tolist()
    }


def _sides_named(coverage: dict[str, int]) -> dict[str, int]:
    """Coverage with the sides called A and B."""
    found = {}
    for name, count in coverage.items():
        for side, ours in (("_gold", "_a"), ("_system", "_b")):
            if name.endswith(side):
                name = name.removesuffix(side) + ours
        found["compared" if name == "scored" else name] = count
    return found


def _added_up(
    asked: Request,
    options: Options,
    names: Sequence[str],
    parts: Sequence[_Part],
    limit: int | None,
    examples: bool,
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
        name = metric_name(metric)
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
            signature=signature_of(name, first.fitted, union(t.facts for t in tallies), options),
            groups=_groups_added(tallies, parts, options),
            one_way=any(t.one_way for t in tallies),
        )
        layers.append(layer)
        instances += [each for t in tallies for each in t.instances][:limit]
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
    tallies: Sequence[_Tally], parts: Sequence[_Part], options: Options
) -> dict[str, GroupCounts]:
    if options.by is None:
        return {}
    found: dict[str, GroupCounts] = {}
    for tally in tallies:
        for name, counts in (tally.groups or {}).items():
            before = found.get(name, GroupCounts(0, 0))
            found[name] = GroupCounts(
                before.items + counts.items, before.different + counts.different
            )
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
