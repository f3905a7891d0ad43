"""What one metric finds between two annotations of one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from tertium.comparison.difference import ONLY_A, ONLY_B, SAME, GroupCounts
from tertium.comparison.errors.findings import Findings
from tertium.comparison.errors.instances import Instance
from tertium.corpus.labels import Int64
from tertium.families.base import Metric
from tertium.families.family import family_of
from tertium.families.keys import counted_units
from tertium.results.confusions import confusion_of
from tertium.results.decisions import EXTRA, MISSING, Bools, Decisions
from tertium.study.judgement import Judgement

CONTEXT = 200  # characters on either side of a difference that is shown
ANOTHER = "another answer"  # where a metric takes several for right


@dataclass(frozen=True, eq=False)
class Tally:
    """What one metric finds in one file; tallies add up. `missing` says why there is nothing."""

    fitted: Metric
    items: int = 0
    different: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    counts: Mapping[tuple[str | None, str | None], int] = field(default_factory=dict)
    labels: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    groups: Mapping[str, GroupCounts] = field(default_factory=dict)
    sentences: int = 0
    same_sentences: int = 0
    coverage: Mapping[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    instances: tuple[Instance, ...] = ()
    one_way: str = ""
    missing: str | None = None


def tally(judged: Judgement, metric: str, examples: bool, most: int | None) -> Tally:
    """Everything there is to count between A and B in one file, under one metric."""
    finding = judged.finding
    if finding.stats is None:
        return Tally(judged.fitted, missing=finding.missing, remarks=finding.remarks)
    rows = judged.decisions
    differs = _differs(judged)
    kinds = _kinds(judged, differs)
    counted = counted_units(judged.gold, judged.fitted.unit)
    same = counted & (np.bincount(rows.unit[differs], minlength=len(counted)) == 0)
    return Tally(
        fitted=judged.fitted,
        items=len(rows),
        different=int(differs.sum()),
        kinds=Counter(kinds),
        counts=confusion_of(rows.take(np.flatnonzero(differs))),
        labels=_label_counts(rows, differs),
        groups=dict(_groups(judged, differs, counted, same)),
        sentences=int(counted.sum()),
        same_sentences=int(same.sum()),
        coverage=_sides_named(finding.coverage),
        facts=finding.facts,
        remarks=finding.remarks,
        instances=_instances(judged, metric, differs, kinds, most) if examples else (),
        one_way=rows.one_way,
    )


def _differs(judged: Judgement) -> Bools:
    """Rows on which B's answer is not A's own: what A against itself says, and all that B adds."""
    file, rows, way = judged.file, judged.decisions, judged.system.way
    itself = file.beside(file.gold, file.study.gold, {"tokens": "auto"}.get(way, way))
    own = Judgement(itself, judged.fitted).decisions
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
                yield name, GroupCounts(int(here.sum()), int((here & differs).sum()))
        return
    groups = judged.file.groups.get(judged.fitted.unit, ())
    codes = {name: code for code, name in enumerate(dict.fromkeys(groups))}
    of_unit = np.array([codes[name] for name in groups], np.int32)
    for name, code in codes.items():
        whole = of_unit == code
        here = whole[rows.unit]
        counts = (here, here & differs, whole & units, whole & same)
        yield name, GroupCounts(*(int(each.sum()) for each in counts))


def _instances(
    judged: Judgement, metric: str, differs: Bools, kinds: Sequence[str], most: int | None
) -> tuple[Instance, ...]:
    findings = Findings(judged, metric)
    rows = findings.in_order(np.flatnonzero(differs))[:most].tolist()
    return tuple(
        replace(each, type=kinds[row])
        for row, each in zip(rows, findings.instances(rows, CONTEXT), strict=True)
    )


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


def _label_counts(rows: Decisions, differs: Bools) -> dict[str, tuple[int, int, int]]:
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
