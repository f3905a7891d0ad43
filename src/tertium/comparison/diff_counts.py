"""What differs between two annotations in one pair of files, and how that adds up over files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.comparison.disagreement import (
    ONLY_A,
    ONLY_B,
    SAME,
    Difference,
    GroupCounts,
    LayerDifference,
)
from tertium.comparison.errors.columns import ErrorColumns
from tertium.comparison.errors.instances import Instance
from tertium.comparison.errors.verb import CONTEXT
from tertium.comparison.side_scores import SideScore
from tertium.corpus.labels import Int64
from tertium.exceptions import LayerError
from tertium.families.base import Metric, has_items, union
from tertium.families.family import family_of, why_not_scored
from tertium.families.keys import counted_units, group_order
from tertium.results.confusions import Confusion, confusion_of, summed
from tertium.results.decisions import EXTRA, MISSING, Bools, Decisions
from tertium.results.lost import Lost, lost_notes
from tertium.results.stats import add
from tertium.significance.score.counts import signature_of, texts_of
from tertium.study.files import File
from tertium.study.judgement import Finding, Judgement
from tertium.study.study import Study

ANOTHER = "different answer"  # where a metric takes several for right


@dataclass(frozen=True, eq=False)
class LayerCounts:
    """What one metric finds in one pair of files; counts add up. `finding` is what it noticed about
    the files, or why there is nothing."""

    fitted: Metric
    finding: Finding
    whole: GroupCounts = GroupCounts()
    kinds: Mapping[str, int] = field(default_factory=dict)
    counts: Confusion = field(default_factory=dict)
    labels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    groups: Mapping[str, GroupCounts] = field(default_factory=dict)
    instances: tuple[Instance, ...] = ()
    one_way: str = ""


@dataclass(frozen=True, eq=False)
class FileCounts:
    """What one pair of files gives, by the number of the metric; `scored` has the counts of B
    where A is gold, also by metrics that only score."""

    metrics: tuple[Metric, ...]
    layers: dict[int, LayerCounts]
    units: int
    tokens: int | None
    groups: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]
    scored: Mapping[int, tuple[Metric, Finding]]


@dataclass(frozen=True)
class CountDifferences:
    """Counts what differs in a file; with `examples` also the first `most` differences."""

    examples: bool
    most: int | None

    def __call__(self, file: File) -> FileCounts:
        (other,) = file.systems()
        other = other.facing(other)
        texts = texts_of(file.metrics)
        judgements = [*other.judge()]
        layers = {
            m: self._layer(judged, texts[m])
            for m, judged in enumerate(judgements)
            if file.study.compares(file.metrics[m])
        }
        scored = {
            m: (each.fitted, replace(each.finding, confusion={}, groups={}))
            for m, each in enumerate(judgements)
            if not each.missing
        }
        notes = [*file.notes]
        notes += [
            f"{metric!r} is scored, not compared: it does not judge single items"
            for metric in file.metrics
            if not has_items(metric)
        ]
        return FileCounts(
            file.metrics,
            layers,
            file.gold.sentence_count,
            file.tokens,
            file.groups,
            tuple(notes),
            scored,
        )

    def _layer(self, judged: Judgement, metric: str) -> LayerCounts:
        """Everything there is to count between A and B under one metric."""
        finding = replace(judged.finding, stats=None, groups={})
        if judged.missing:
            return LayerCounts(judged.fitted, finding)
        rows = judged.decisions
        differs = _differs(judged)
        kinds = _kinds(judged, differs)
        units = counted_units(judged.gold, judged.fitted.unit)
        if rows.lost is not None:
            units = units & ~rows.lost
        same = units & (np.bincount(rows.unit[differs], minlength=len(units)) == 0)
        return LayerCounts(
            judged.fitted,
            replace(finding, coverage=_sides_named(finding.coverage)),
            whole=_group(np.ones(len(rows), np.bool_), differs, units, same),
            kinds=Counter(kinds),
            counts=confusion_of(rows.take(np.flatnonzero(differs))),
            labels=_label_counts(rows, differs),
            groups=dict(_groups(judged, differs, units, same)),
            instances=self._instances(judged, metric, differs, kinds),
            one_way=rows.one_way,
        )

    def _instances(
        self, judged: Judgement, metric: str, differs: Bools, kinds: Sequence[str]
    ) -> tuple[Instance, ...]:
        if not self.examples:
            return ()
        findings = ErrorColumns(judged, metric)
        rows = findings.in_order(np.flatnonzero(differs))[: self.most].tolist()
        return tuple(
            replace(each, type=kinds[row])
            for row, each in zip(rows, findings.instances(rows, CONTEXT), strict=True)
        )


def _differs(judged: Judgement) -> Bools:
    """Rows on which B's answer is not A's own: what A against itself says, and all that B adds."""
    file, rows, way = judged.file, judged.decisions, judged.system.way
    itself = file.beside(file.gold, file.study.gold, {"tokens": "auto"}.get(way, way))
    own = Judgement(itself.facing(judged.system), judged.fitted).decisions
    order = np.argsort(own.item, kind="stable")
    item, answer = own.item[order], own.answer[order]
    found = np.ones(len(rows), np.bool_)
    asked = np.flatnonzero(rows.in_gold)
    at = np.searchsorted(item, rows.item[asked])
    found[asked] = answer[at] != rows.answer[asked]
    return found


def _groups(
    judged: Judgement, differs: Bools, units: Bools, same: Bools
) -> Iterator[tuple[str, GroupCounts]]:
    """Groups of words, or of units, which these are counted in as well."""
    rows = judged.decisions
    if rows.group is not None:
        for code, name in enumerate(rows.group.names):
            here = rows.group.codes == code
            if here.any():
                yield name, _group(here, differs)
        return
    groups = judged.file.groups.get(judged.fitted.unit, ())
    codes = {name: code for code, name in enumerate(dict.fromkeys(groups))}
    of_unit = np.array([codes[name] for name in groups], np.int32)
    for name, code in codes.items():
        whole = of_unit == code
        yield name, _group(whole[rows.unit], differs, whole & units, whole & same)


def _group(here: Bools, differs: Bools, *units: Bools) -> GroupCounts:
    """Of some rows, how many there are and how many differ; so of units, those without difference
    last."""
    return GroupCounts(*(int(each.sum()) for each in (here, here & differs, *units)))


def _kinds(judged: Judgement, differs: Bools) -> list[str]:
    """How A and B differ on every row, in words that take no side."""
    rows = judged.decisions
    neutral = {"missing": ONLY_A, "extra": ONLY_B}
    neutral |= {t.name: t.between for t in family_of(judged.fitted).types if t.between}
    neutral |= dict.fromkeys((rows.error_types[0], judged.fitted.right_type, "correct"), SAME)
    names = [neutral.get(name, name) for name in rows.error_types]
    found = [names[code] for code in rows.error_type.tolist()]
    for row in np.flatnonzero((rows.outcome == EXTRA) | (rows.outcome == MISSING)).tolist():
        if found[row] in (SAME, "unaligned"):
            found[row] = ONLY_B if rows.outcome[row] == EXTRA else ONLY_A
    for row in np.flatnonzero(differs).tolist():
        if found[row] == SAME:
            found[row] = ANOTHER
    return found


def _label_counts(rows: Decisions, differs: Bools) -> dict[str, tuple[int, ...]]:
    """Of every label A's items, B's, and those on which both say the same."""
    size = len(rows.names)

    def counted(codes: npt.NDArray[np.int32]) -> Int64:
        return np.bincount(codes[codes >= 0], minlength=size)

    theirs = np.flatnonzero(rows.in_system)
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


def _sides_named(coverage: Mapping[str, int]) -> dict[str, int]:
    """Coverage with the sides called A and B."""
    found = {}
    for name, count in coverage.items():
        for side, ours in (("_gold", "_a"), ("_system", "_b")):
            if name.endswith(side):
                name = name.removesuffix(side) + ours
        found["compared" if name == "scored" else name] = count
    return found


def added_up(
    study: Study, parts: Sequence[FileCounts], examples: bool, most: int | None
) -> Difference:
    """The differences of all files together; with `examples`, at most so many of each metric."""
    layers, instances, lost = [], [], []
    notes = [note for part in parts for note in part.notes]
    for m, text in enumerate(texts_of(parts[0].metrics)):
        files = [part.layers[m] for part in parts if m in part.layers]
        if not files:
            continue
        notes += [remark for each in files for remark in each.finding.remarks]
        lost.append((files[0].fitted.header, Lost.added([each.finding.lost for each in files])))
        missing = next((each.finding.missing for each in files if each.finding.missing), None)
        if missing and study.metrics is not None:
            raise LayerError(missing)
        if missing:
            notes.append(missing)
            continue
        layer = _layer(study, text, files, parts)
        layers.append(layer)
        instances += [instance for each in files for instance in each.instances][:most]
        if layer.one_way and layer.different:
            notes.append(f"{layer.metric}: {layer.one_way}")
        if layer.different and study.metrics is None:
            notes += filter(None, [why_not_scored(parts[0].metrics[m], "differences")])
    notes += lost_notes(study.systems[0], study.gold, lost)
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
        by=study.by_name,
        instances=tuple(instances) if examples else None,
        notes=tuple(dict.fromkeys(notes)),
        scores=tuple(_scores(study, parts)),
    )


def _scores(study: Study, parts: Sequence[FileCounts]) -> Iterator[SideScore]:
    """The value of B where A is gold, by every metric that all files have."""
    metrics = parts[0].metrics
    headers = {m: fitted.header for m, (fitted, _) in parts[0].scored.items()}
    several = Counter(headers.values())
    for m, text in enumerate(texts_of(metrics)):
        found = [part.scored[m] for part in parts if m in part.scored]
        stats = [finding.stats for _, finding in found if finding.stats is not None]
        if len(stats) < len(parts):
            continue
        fitted = found[0][0]
        value = float(fitted.score(add(stats).totals())[fitted.headline])
        signature = signature_of(fitted, union(each.facts for _, each in found), study)
        shown = None if np.isnan(value) else value
        header = text if several[headers[m]] > 1 else headers[m]
        yield SideScore(text, fitted.headline, shown, str(signature), header)


def _layer(
    study: Study, text: str, files: Sequence[LayerCounts], parts: Sequence[FileCounts]
) -> LayerDifference:
    """One metric over all files."""
    fitted = files[0].fitted
    whole = GroupCounts(*_columns_added([{"": each.whole} for each in files])[""])
    kinds = summed(each.kinds for each in files)
    groups = _columns_added([each.groups for each in files])
    order: Sequence[str] = ()
    if study.key is not None:
        order = study.key.in_order({name: counts[0] or 0 for name, counts in groups.items()})
    elif study.by is not None:
        units = [group for part in parts for group in part.groups[fitted.unit]]
        order = group_order(study.by, units)
    return LayerDifference(
        metric=text,
        layer=fitted.family,
        items=whole.items,
        different=whole.different,
        # What is the same, then the most frequent first, then by name.
        kinds=dict(sorted(kinds.items(), key=lambda kind: (kind[0] != SAME, -kind[1], kind[0]))),
        counts=summed(each.counts for each in files),
        label_counts=_columns_added([each.labels for each in files]),
        sentences=whole.sentences or 0,
        same_sentences=whole.same_sentences or 0,
        coverage=summed(each.finding.coverage for each in files),
        signature=signature_of(fitted, union(each.finding.facts for each in files), study),
        groups={name: GroupCounts(*groups[name]) for name in order},
        one_way=next((each.one_way for each in files if each.one_way), ""),
        unit=fitted.unit,
        item=fitted.item,
    )


def _columns_added(parts: Iterable[Mapping[str, tuple[Any, ...]]]) -> dict[str, tuple[Any, ...]]:
    """Rows of several files added up by name, column by column; None where there are no numbers."""
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for part in parts:
        for name, row in part.items():
            rows.setdefault(name, []).append(row)
    return {
        name: tuple(None if None in c else sum(c) for c in zip(*each, strict=True))
        for name, each in rows.items()
    }
