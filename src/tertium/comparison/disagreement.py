"""Two annotations of one text, neither of which is gold: where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium._version import __version__
from tertium.comparison.errors.findings import Findings
from tertium.comparison.errors.instances import Context, Instance
from tertium.comparison.pairs import Transition, share, transition_order
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError, suggestion
from tertium.families.base import Metric
from tertium.families.family import family_of
from tertium.families.groups.units import counted_units
from tertium.results.confusions import confusion_of
from tertium.results.decisions import EXTRA, MISSING, Bools, Decisions
from tertium.results.stats import UnitKind
from tertium.signature import Signature
from tertium.study.judgement import Judgement

SAME, ONLY_A, ONLY_B = "same", "only A", "only B"
NOTHING = "there is nothing to compare"  # why a share is undefined


class LabelCounts(NamedTuple):
    """How often A and B have a label, and on how many items both give the same answer with it."""

    label: str
    a: int
    b: int
    same: int


class GroupCounts(NamedTuple):
    """Items of a group, and those on which the two differ; of a group of whole sentences (or other
    units) also these, and how many of them have no difference."""

    items: int = 0
    different: int = 0
    sentences: int | None = None
    same_sentences: int | None = None

    @property
    def diff(self) -> float | None:
        """The share on which they differ; None in an empty group."""
        return share(self.different, self.items)

    def plus(self, other: GroupCounts) -> GroupCounts:
        """The same group of another file added."""
        has_sentences = other.sentences is not None
        return GroupCounts(
            self.items + other.items,
            self.different + other.different,
            (self.sentences or 0) + (other.sentences or 0) if has_sentences else None,
            (self.same_sentences or 0) + (other.same_sentences or 0) if has_sentences else None,
        )

    def to_dict(self, unit: UnitKind = "sentence") -> dict[str, Any]:
        """The entry in `groups` of the JSON output."""
        sentences = {"all": self.sentences, "same": self.same_sentences}
        return {
            "items": self.items,
            "different": self.different,
            "diff": self.diff,
            **({} if self.sentences is None else {f"{unit}s": sentences}),
            **({} if self.items else {"reason": NOTHING}),
        }


@dataclass(frozen=True, eq=False)
class LayerDifference:
    """Two annotations under one metric.

    - `items`: what A has, and what only B has; `different`: those on which answers differ
    - `kinds`: items by how the two differ, `same` among them
    - `counts`: how often A's label became B's on items that differ; None for nothing
    - `label_counts`: of every label A's, B's, and the same of both
    - `sentences`, `same_sentences`: how many there are, and how many have no difference; documents
      where these are the metric's `unit`
    - `one_way`: what a reader must know where kinds may be others from B to A; else empty
    """

    metric: str
    layer: str
    items: int
    different: int
    kinds: Mapping[str, int]
    counts: Mapping[tuple[str | None, str | None], int]
    label_counts: Mapping[str, tuple[int, int, int]]
    sentences: int
    same_sentences: int
    coverage: Mapping[str, int]
    signature: Signature
    groups: Mapping[str, GroupCounts] = field(default_factory=dict)
    one_way: str = ""
    unit: UnitKind = "sentence"

    @property
    def diff(self) -> float | None:
        """Share of items on which the two differ (Tuggener 2017, equation 1)."""
        return share(self.different, self.items)

    @property
    def agreement(self) -> float | None:
        """Share of items on which they do not."""
        return share(self.items - self.different, self.items)

    @property
    def transitions(self) -> list[Transition]:
        """What A has and what B has instead, most frequent first, then by name."""
        found = [Transition(a, b, count) for (a, b), count in self.counts.items()]
        return sorted(found, key=transition_order)

    @property
    def labels(self) -> list[LabelCounts]:
        """Every label, most frequent first (A's and B's together), then by name."""
        found = [LabelCounts(label, *counts) for label, counts in self.label_counts.items()]
        return sorted(found, key=lambda row: (-row.a - row.b, row.label))

    def to_dict(self) -> dict[str, Any]:
        """The entry in `layers` of the JSON output."""
        groups = {name: group.to_dict(self.unit) for name, group in self.groups.items()}
        return {
            "metric": self.metric,
            "layer": self.layer,
            "items": self.items,
            "different": self.different,
            "diff": self.diff,
            "agreement": self.agreement,
            f"{self.unit}s": {"all": self.sentences, "same": self.same_sentences},
            "kinds": dict(self.kinds),
            "transitions": [{"a": t.a, "b": t.b, "count": t.count} for t in self.transitions],
            "labels": {
                row.label: {"a": row.a, "b": row.b, "same": row.same} for row in self.labels
            },
            **({"groups": groups} if groups else {}),
            "coverage": dict(self.coverage),
            "signature": str(self.signature),
            **({} if self.items else {"reason": NOTHING}),
        }

    def __repr__(self) -> str:
        return f"<{self.metric}: {self.different:,} of {self.items:,} differ>"


@dataclass(frozen=True, eq=False)
class Difference:
    """Where two annotations of one text differ.

    - `a`, `b`: their names; `layers`: one for each metric
    - `instances`: differences in their sentences, where these were asked for; the `gold` side of
      each is A, the `system` side B
    """

    a: str
    b: str
    layers: tuple[LayerDifference, ...]
    units: int
    tokens: int | None
    by: str | None = None
    instances: tuple[Instance, ...] | None = None
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    @property
    def metrics(self) -> list[str]:
        """The metrics, in order."""
        return [layer.metric for layer in self.layers]

    def __getitem__(self, metric: str) -> LayerDifference:
        for layer in self.layers:
            if layer.metric == metric:
                return layer
        raise UsageError(
            f"nothing was compared by '{metric}'.{suggestion(metric, self.metrics)}",
            help=f"compared: {', '.join(self.metrics)}",
        )

    @property
    def layer(self) -> LayerDifference:
        """The only one."""
        if len(self.layers) != 1:
            raise UsageError(
                f"there are {len(self.layers)} layers; choose one: difference['METRIC']",
                help=f"compared: {', '.join(self.metrics)}",
            )
        return self.layers[0]

    @property
    def is_different(self) -> bool:
        """Do the two differ anywhere?"""
        return any(layer.different for layer in self.layers)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium diff` (docs/verbs/diff.md)."""
        return {
            "tertium": self.version,
            "a": self.a,
            "b": self.b,
            "units": self.units,
            "tokens": self.tokens,
            **({"by": self.by} if self.by else {}),
            "layers": [layer.to_dict() for layer in self.layers],
            **(
                {"examples": [instance_dict(each) for each in self.instances]}
                if self.instances is not None
                else {}
            ),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __repr__(self) -> str:
        found = "; ".join(repr(layer).strip("<>") for layer in self.layers)
        return f"<{self.a} and {self.b}: {found}>"


def instance_dict(instance: Instance) -> dict[str, Any]:
    """One difference in its sentence, for JSON."""
    return {
        "metric": instance.metric,
        "kind": instance.type,
        "sentence": instance.sentence,
        "file": instance.file,
        **({"document": instance.document} if instance.document is not None else {}),
        "a": instance.gold_item.to_dict() if instance.gold_item else None,
        "b": instance.system_item.to_dict() if instance.system_item else None,
        "context": None if instance.context.numbers else _context(instance.context),
    }


def _context(context: Context) -> dict[str, Any]:
    names = {"gold": "a", "system": "b", "gold_head": "a_head", "system_head": "b_head"}
    return {names.get(name, name): value for name, value in context.to_dict().items()}


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
