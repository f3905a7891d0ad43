"""What one metric finds between two annotations of one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment, align
from tertium.compare.difference import KINDS, ONE_WAY, ONLY_A, ONLY_B, SAME, GroupCounts
from tertium.compare.running import counted_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.metrics.base import Metric
from tertium.metrics.defaults import SPAN_ERRORS
from tertium.metrics.errors.findings import Findings
from tertium.metrics.errors.instances import Instance
from tertium.metrics.groups.words import word_groups
from tertium.metrics.shards.judging import examine
from tertium.metrics.shards.opening import Opened
from tertium.results.answers import Bools
from tertium.results.decisions import EXTRA, MISSING, Decisions
from tertium.results.items import Items

CONTEXT = 200  # characters on either side of a difference that is shown
ANOTHER = "another answer"  # where a metric takes several for right


@dataclass(frozen=True, eq=False)
class Tally:
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
class FilePair:
    """A and B in one file, under one metric."""

    opened: Opened
    fitted: Metric
    other: Corpus
    alignment: Alignment

    def tally(self, metric: str, name: str, examples: bool, most: int | None) -> Tally:
        """Everything there is to count."""
        gold = self.opened.gold
        judged, rows = examine(self.fitted, gold, self.other, self.alignment, self.opened)
        if judged.stats is None:
            return Tally(self.fitted, missing=judged.missing, remarks=judged.remarks)
        assert rows is not None, "a metric without items finds no differences"
        differs = self._differs(rows)
        kinds = _kinds(rows, differs)
        labels: list[str | None] = [*rows.names, None]
        pairs = zip(rows.gold[differs].tolist(), rows.system[differs].tolist(), strict=True)
        counted = counted_sentences(gold)
        same = counted & (np.bincount(rows.unit[differs], minlength=len(counted)) == 0)
        return Tally(
            fitted=self.fitted,
            items=len(rows),
            different=int(differs.sum()),
            kinds=Counter(kinds),
            counts=Counter((labels[x], labels[y]) for x, y in pairs),
            labels=_label_counts(rows, differs),
            groups=dict(self._groups(rows, differs, counted, same)),
            sentences=int(counted.sum()),
            same_sentences=int(same.sum()),
            coverage=_sides_named(judged.coverage),
            facts=judged.facts,
            remarks=judged.remarks,
            instances=self._instances(metric, name, differs, kinds, most) if examples else (),
            one_way=self._is_one_way(),
        )

    def _is_one_way(self) -> bool:
        """May items be paired otherwise from B to A? Fair pairs are the same both ways unless spans
        of one side overlap."""
        if self.fitted.id not in ONE_WAY:
            return False
        sides = (self.fitted.items(corpus) for corpus in (self.opened.gold, self.other))
        return self.fitted.id != SPAN_ERRORS or any(_overlap(items) for items in sides)

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

    def _groups(
        self, rows: Decisions, differs: Bools, sentences: Bools, same: Bools
    ) -> Iterator[tuple[str, GroupCounts]]:
        """Groups of words, or of sentences, which these are counted in as well."""
        if key := self.opened.options.word_key:
            sides = word_groups(self.opened.gold, key), word_groups(self.other, key)
            group = rows.with_group(*sides).group
            assert group is not None
            for code, name in enumerate(group.names):
                here = group.codes == code
                if here.any():
                    yield name, GroupCounts(int(here.sum()), int((here & differs).sum()))
            return
        codes = {name: code for code, name in enumerate(dict.fromkeys(self.opened.groups))}
        of_unit = np.array([codes[name] for name in self.opened.groups], np.int32)
        for name, code in codes.items():
            whole = of_unit == code
            here = whole[rows.unit]
            counts = (here, here & differs, whole & sentences, whole & same)
            yield name, GroupCounts(*(int(each.sum()) for each in counts))

    def _instances(
        self, metric: str, name: str, differs: Bools, kinds: Sequence[str], most: int | None
    ) -> tuple[Instance, ...]:
        findings = Findings(self.opened, self.fitted, metric, name, self.other, self.alignment)
        rows = findings.in_order(np.flatnonzero(differs))[:most].tolist()
        return tuple(
            replace(each, type=kinds[row])
            for row, each in zip(rows, findings.instances(rows, CONTEXT), strict=True)
        )


def _overlap(items: Items) -> bool:
    order = np.lexsort((items.end, items.start))
    return bool((items.start[order][1:] < np.maximum.accumulate(items.end[order])[:-1]).any())


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
