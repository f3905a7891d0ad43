"""`tertium.diff`: two annotations of one text, without a gold standard.

A takes gold's place, so that everything comes from the decisions of the metrics; what these say of
A against itself tells whether an answer of B is A's own. What gold would leave out, such as
punctuation, is left out if A and B both say so (`Alignment.peer`).
"""

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
    DiffLook,
    GroupCounts,
    LayerDifference,
)
from tertium.comparison.errors.columns import ErrorColumns
from tertium.comparison.errors.instances import Instance
from tertium.comparison.errors.verb import CONTEXT, check_items
from tertium.corpus.labels import Int64
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, has_items, union
from tertium.families.family import compared_metrics, family_of
from tertium.families.keys import counted_units, group_order
from tertium.options import GATES, Verb, fill, option, take
from tertium.results.confusions import Confusion, confusion_of, summed
from tertium.results.decisions import EXTRA, MISSING, Bools, Decisions
from tertium.significance.score.counts import signature_of, texts_of
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import File
from tertium.study.judgement import Finding, Judgement
from tertium.study.study import Study, Way
from tertium.study.walk import walk

ANOTHER = "another answer"  # where a metric takes several for right


@dataclass(frozen=True)
class DiffOptions:
    """What `diff` takes besides how files are read."""

    examples: int | None = option(
        None, "Show the first N differences of each metric in their sentences, 0 for all.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    exit_code: bool = option(False, "Exit with 1 if A and B differ.", group=GATES)


OPTIONS = (Study, DiffOptions, Way, DataOptions)


@reads_data(2)
def diff(a: Any, b: Any, **options: Any) -> Difference:
    """Where two annotations of one text differ: two outputs, two annotators, two versions.

    Takes data as `score` does, `system_format` and `system_columns` being those of B. Without
    `metric` tags are compared by accuracy, arcs by LAS and spans by fair F1: what these look at
    is what may differ. With `examples` the first so many differences of each metric are given in
    their sentences; 0 or True for all. All options are those of the command line.

    >>> found = diff([["N", "V", "N"]], [["N", "N", "N"]]).layer
    >>> found.different, found.agreement, found.transitions
    (1, 0.6666666666666666, [Transition(a='V', b='N', count=1, gold=None)])
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(DiffOptions, rest, verb="diff", others=OPTIONS)
    wanted = own.examples is not None and own.examples is not False
    most = None if own.examples is True else own.examples or None
    study = Study.of(
        None,
        [a, b],
        defaults=compared_metrics,
        also=frozenset({"comments", "misc"}) if wanted else frozenset(),
        **{**reading, "labels": False},
    )
    check_items(study)
    found = _added_up(study, [*walk(study, _Diff(wanted, most), **way)], wanted, most)
    counting = _Diff(examples=False, most=None)
    others = [
        _added_up(each, [*walk(each, counting, **{**way, "progress": None})], False, None)
        for each in study.regrouped
    ]
    notes = dict.fromkeys(note for each in (found, *others) for note in each.notes)
    return replace(found, regrouped=tuple(others), notes=tuple(notes), is_gate=own.exit_code)


@dataclass(frozen=True, eq=False)
class _LayerCounts:
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
class _FileCounts:
    """What one pair of files gives, by the number of the metric."""

    metrics: tuple[Metric, ...]
    layers: dict[int, _LayerCounts]
    units: int
    tokens: int | None
    groups: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Diff:
    """Counts what differs in a file; with `examples` also the first `most` differences."""

    examples: bool
    most: int | None

    def __call__(self, file: File) -> _FileCounts:
        (other,) = file.systems()
        other = other.facing(other)
        texts = texts_of(file.metrics)
        layers = {
            m: self._layer(judged, texts[m])
            for m, judged in enumerate(other.judge())
            if file.study.compares(file.metrics[m])
        }
        notes = [*file.notes]
        notes += [
            f"{metric!r} judges no single items, so nothing is compared by it"
            for metric in file.metrics
            if not has_items(metric)
        ]
        return _FileCounts(
            file.metrics, layers, file.gold.sentence_count, file.tokens, file.groups, tuple(notes)
        )

    def _layer(self, judged: Judgement, metric: str) -> _LayerCounts:
        """Everything there is to count between A and B under one metric."""
        finding = replace(judged.finding, stats=None, groups={})
        if judged.missing:
            return _LayerCounts(judged.fitted, finding)
        rows = judged.decisions
        differs = _differs(judged)
        kinds = _kinds(judged, differs)
        units = counted_units(judged.gold, judged.fitted.unit)
        same = units & (np.bincount(rows.unit[differs], minlength=len(units)) == 0)
        return _LayerCounts(
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


def _added_up(
    study: Study, parts: Sequence[_FileCounts], examples: bool, most: int | None
) -> Difference:
    layers, instances = [], []
    notes = [note for part in parts for note in part.notes]
    for m, text in enumerate(texts_of(parts[0].metrics)):
        files = [part.layers[m] for part in parts if m in part.layers]
        if not files:
            continue
        notes += [remark for each in files for remark in each.finding.remarks]
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
    )


def _layer(
    study: Study, text: str, files: Sequence[_LayerCounts], parts: Sequence[_FileCounts]
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


def _check_files(files: Sequence[Any]) -> None:
    if len(files) != 2:
        raise UsageError(
            f"give two annotations, A and B. Got {len(files)} instead.",
            help="'tertium compare' compares any number of systems with a gold standard",
        )


VERB = Verb(
    "diff",
    diff,
    """Show where two annotations of one text differ: two outputs, two annotators, two versions.

    A and B are given as files are to 'tertium score'. Neither is taken to be right.

    \b
    tertium diff anna.tsv ben.tsv
    tertium diff old.conllu new.conllu --metric {LAS} --examples 3
    tertium diff yesterday.bio today.bio --exit-code
    """,
    arguments="A B",
    options=OPTIONS,
    look=DiffLook,
    words={
        "metric": "A metric that judges single items, such as {LAS}; repeatable. What it looks at "
        "is what may differ. By default those that fit the layers present.",
        "by": "Also compare groups: length, document, file, a key of A's comments, or a property "
        "of words such as upos; repeatable.",
        "lexicon": "Training data, for --by known; repeatable.",
        "input_format": "Format of A and B.",
        "system_format": "Format of B, if another.",
        "system_columns": "B's columns, if others.",
    },
    check=_check_files,
    has_gold=False,
    cite=("tuggener-2017-method",),
)
