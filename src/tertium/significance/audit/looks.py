"""Looks: one number, on some units, tested once. An audit is many of them at the same outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.corpus.labels import Int64
from tertium.families.base import Metric
from tertium.results.assessment import TIE, Test, Testing
from tertium.results.parts import PartKind, Way
from tertium.results.scores import Result, flatten
from tertium.results.texts import unit_noun
from tertium.significance.audit.evidence import Bools, Evidence, gather
from tertium.significance.resample import Number
from tertium.significance.tests import MCNEMAR, TESTS, Contrast, item_test
from tertium.significance.tests import TITLE as OVER_ITEMS
from tertium.study.study import Study, WalkOptions

# Thresholds of the paper: the usual one, and the one it proposes (section 4).
USUAL, STRICT = 0.05, 0.0025
LEVELS = (USUAL, STRICT)
# What can be chosen freely, and so changes from look to look.
FAMILIES = {
    "main": "the main result",
    "metric": "other metrics",
    "label": "single labels",
    "test": "other tests",
    "size": "sample sizes",
    "length": "length cut-offs",
    "group": "parts of the data",
}
TEST_NAMES = {**TESTS, MCNEMAR: OVER_ITEMS}
WITH_ENTITIES = "with entities"


@dataclass(frozen=True)
class AuditLook:
    """A test of one number on some of the data, B minus A.

    - `family`: which choice it stands for, a key of FAMILIES
    - `values`: the number of A and of B; None where undefined
    - `part`, `label`: what of the metric it is, if not its headline value of all items
    - `key`, `group`: the part of the data, and what parts are by
    - `units`: how many units there are to be tested; `words`: how many words these have, where that
      is known
    - `most_words`: the cut-off, where sentences up to a length are looked at
    - `wins`: is it "higher" or "lower" values that are better, or "none"?
    - `kind`: what the number is, as its part says
    """

    family: str
    metric: str
    test: Test
    values: tuple[float | None, float | None]
    units: int
    words: int | None = None
    part: str = ""
    label: str | None = None
    key: str = ""
    group: str | None = None
    most_words: int | None = None
    wins: Way = "higher"
    kind: PartKind = "share"

    @property
    def p(self) -> float | None:
        """The p-value, None where undefined."""
        return self.test.p

    @property
    def better(self) -> str | None:
        """`a` or `b`, whichever has the better value, or in a test that goes by single units is
        better there; None if neither."""
        sign = self.test.sign
        if not sign or self.wins == "none":
            return None
        return "b" if (sign > 0) == (self.wins == "higher") else "a"

    def is_significant(self, level: float = USUAL) -> bool:
        """Is p below a level? Never where it is undefined."""
        return self.p is not None and self.p < level

    @property
    def name(self) -> str:
        """What sets it apart from the main result, in words."""
        if self.family == "label":
            return f"{_in_words(self.part)} of {self.label}"
        if self.family == "test":
            return TEST_NAMES[self.test.method]
        if self.family == "size":
            return f"the first {self.units:,} {unit_noun(self.test.unit)}s"
        if self.family == "length":
            return f"up to {self.most_words} {'word' if self.most_words == 1 else 'words'}"
        if self.family == "group":
            return f"{self.test.unit}s {self.group}" if not self.key else f"{self.key} {self.group}"
        return f"{self.metric} {_in_words(self.part)}".strip()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        a, b = self.values
        given = {
            "part": self.part,
            "label": self.label,
            "key": self.key,
            "group": self.group,
            "most_words": self.most_words,
            "words": self.words,
        }
        return {
            "family": self.family,
            "name": self.name,
            "metric": self.metric,
            **{name: value for name, value in given.items() if value not in (None, "")},
            "a": a,
            "b": b,
            **self.test.to_dict(),
            "units": self.units,
            "better": self.better,
        }


@dataclass(frozen=True)
class AuditTally:
    """How many looks of a family were significant, and for whom; those that are undefined are
    counted apart.

    `significant` has for each of LEVELS how many favour A and how many favour B; a test of ranks
    may be significant where the values themselves are equal, which favours neither.
    """

    family: str
    looks: int
    undefined: int
    significant: tuple[tuple[int, int, int], ...]
    smallest: AuditLook | None

    def at(self, level: float) -> int:
        """How many are significant at one of LEVELS, whoever is better."""
        return sum(self.significant[LEVELS.index(level)])

    def for_side(self, side: str, level: float = USUAL) -> int:
        """How many of these favour `a` or `b`."""
        return self.significant[LEVELS.index(level)]["ab".index(side)]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "family": self.family,
            "looks": self.looks,
            "undefined": self.undefined,
            "significant": [
                {"level": level, "a": a, "b": b, "all": a + b + neither}
                for level, (a, b, neither) in zip(LEVELS, self.significant, strict=True)
            ],
            "smallest_p": None if self.smallest is None else self.smallest.p,
        }


def tally(family: str, looks: Sequence[AuditLook]) -> AuditTally:
    """Count the looks of a family."""
    defined = [look for look in looks if look.p is not None]
    counts = []
    for level in LEVELS:
        who = [look.better for look in defined if look.is_significant(level)]
        counts.append((who.count("a"), who.count("b"), who.count(None)))
    return AuditTally(
        family,
        looks=len(defined),
        undefined=len(looks) - len(defined),
        significant=tuple(counts),
        smallest=min(defined, key=lambda look: look.p or 0.0, default=None),
    )


def _in_words(part: str) -> str:
    return part.replace("_", " ").replace(".", " ").replace("f1", "F1")


# The tests that a paper could have used instead; the others need a direction.
OTHER_TESTS = ("randomisation", "bootstrap", "wilcoxon", "sign")


def main_look(material: Evidence, testing: Testing) -> AuditLook:
    """The headline value of the main metric on all units."""
    return _look("main", material, *material.main, Number(), testing)


def metric_looks(material: Evidence, testing: Testing) -> list[AuditLook]:
    """The headline values of the other metrics, and parts of all metrics.

    A part that has the values of another number here is that number under another name, such as
    precision where both systems have all tokens. Over other units it is another number.
    """
    return [
        look
        for unit in material.scores.sizes
        for look in _numbers(
            material, [pair for pair in material.pairs if pair[0].unit == unit], testing
        )
    ]


def _numbers(
    material: Evidence, pairs: Sequence[tuple[Result, Result]], testing: Testing
) -> Iterator[AuditLook]:
    """Those of metrics with the same kind of unit."""
    seen = [(a.value, b.value) for a, b in pairs]
    for place, (a, b) in enumerate(pairs):
        is_main = (a, b) == material.main
        if not is_main and seen[place] not in seen[:place]:
            yield _look("metric", material, a, b, Number(), testing)
        ours, theirs = flatten(a.parts), flatten(b.parts)
        for part in dict.fromkeys((*ours, *theirs)):
            values = ours.get(part), theirs.get(part)
            if _is_new(values, seen, (a, b), part):
                seen.append(values)
                yield _look("metric", material, a, b, Number(part), testing)


def _is_new(
    values: tuple[float | None, float | None],
    seen: Sequence[tuple[float | None, float | None]],
    results: tuple[Result, Result],
    part: str,
) -> bool:
    if part == results[0].headline:
        return False
    a, b = values
    if a is None or b is None:
        # Parts that mean nothing for the metric have no value whatever the data.
        return results[0].part(part).over is not None
    return not any(
        x is not None and y is not None and abs(x - a) <= TIE and abs(y - b) <= TIE for x, y in seen
    )


def label_looks(material: Evidence, testing: Testing) -> list[AuditLook]:
    """The main metric's F1, or its value, of every label that gold or a system has."""
    a, b = material.main
    names = sorted({*a.labels, *b.labels})
    parts = [flatten(row) for row in (*a.labels.values(), *b.labels.values())]
    if not parts:
        return []
    means = (each.name for each in a.declared if each.mean_of and each.name in parts[0])
    part = next(means, a.headline)
    return [
        _look("label", material, a, b, Number(part, label=name), testing)
        for name in names
        if part in parts[0]
    ]


def test_looks(material: Evidence, testing: Testing) -> list[AuditLook]:
    """The main number under other tests; McNemar's where the metric judges single items."""
    return [*_other_tests(material, testing), *_mcnemar(material, testing)]


test_looks.__test__ = False  # type: ignore[attr-defined]  # no test of ours, whatever pytest thinks


def _other_tests(material: Evidence, testing: Testing) -> Iterator[AuditLook]:
    for test in OTHER_TESTS:
        if test != testing.test:
            yield _look("test", material, *material.main, Number(), replace(testing, test=test))


def _mcnemar(material: Evidence, testing: Testing) -> Iterator[AuditLook]:
    if material.right is None:
        return
    a, b = material.right
    shares = [float(each.mean()) if len(a) else None for each in (a, b)]
    test = item_test(
        int((a & ~b).sum()),
        int((b & ~a).sum()),
        len(a),
        None if shares[0] is None or shares[1] is None else shares[1] - shares[0],
        direction=testing.direction,
    )
    metric = material.main[0].metric
    yield AuditLook("test", metric, test, (shares[0], shares[1]), len(a))


def _look(
    family: str, material: Evidence, a: Result, b: Result, number: Number, testing: Testing
) -> AuditLook:
    test, values = Contrast(a, b, testing, number).test()
    if test.p is None and None in values:
        test = replace(test, reason=_reason(a, b, number) or test.reason)
    return AuditLook(
        family,
        a.metric,
        test,
        values,
        test.units,
        material.scores.tokens,
        number.part,
        number.label,
        wins=a.part(number.part).better,
        kind=a.part(number.part).kind,
    )


def _reason(a: Result, b: Result, number: Number) -> str:
    """Why the first of the two that has no value has none."""
    part = number.part or a.headline
    for result in (a, b):
        rows = result.labels.get(number.label, {}) if number.label is not None else {}
        told = result.reasons if number.label is None else rows.get("reasons", {})
        if part in told:
            return f"{result.system}: {told[part]}"
    return ""


def has_entities(material: Evidence) -> Bools | None:
    """Which units have gold items, where not every word is one; None for other kinds of items."""
    unit = material.main[0].unit
    for a, _ in material.pairs:
        totals = [each.name for each in a.declared_counts if each.is_total and each.side == "gold"]
        if a.unit == unit and a.share == "recall" and a.stats is not None and totals:
            counts = a.stats.dense[:, a.stats.columns.index(totals[0])]
            found: Bools = np.asarray(counts > 0)
            return found
    return None


def entity_look(pair: Contrast, has_any: Bools, lengths: Int64 | None) -> AuditLook | None:
    """The main number without sentences that have no gold entity, which favours recall (section 3.5
    of the paper); None if there is no such sentence."""
    if has_any.all():
        return None
    chosen = np.flatnonzero(has_any)
    test, values = pair.test(chosen)
    return AuditLook(
        "group",
        pair.a.metric,
        test,
        values,
        len(chosen),
        None if lengths is None else int(lengths[chosen].sum()),
        group=WITH_ENTITIES,
        wins=pair.a.better,
        kind=pair.a.part().kind,
    )


def group_looks(
    study: Study, metric: Metric, name: str, keys: Sequence[str], testing: Testing, way: WalkOptions
) -> tuple[list[AuditLook], list[str]]:
    """The main number in every group of every key, and notes on these; `name` is that of the main
    number among the results of its metric."""
    looks: list[AuditLook] = []
    notes: list[str] = []
    for key in keys:
        found = gather(study, [metric], way, by=key)
        notes += [note for note in found.scores.notes if note not in notes]
        looks += _in_groups(found, name, key, testing)
    return looks, notes


def _in_groups(found: Evidence, name: str, key: str, testing: Testing) -> Iterator[AuditLook]:
    a, b = found.results(name)
    for group in a.groups:
        held = [result.groups[group].stats for result in (a, b)]
        sizes = [stats.units for stats in held if stats is not None]
        if len(sizes) < 2 or not max(sizes):
            continue
        test, values = Contrast(a, b, testing, Number(group=group)).test()
        # Of a group of words, only units with such a word: the others have no counts in it.
        yield AuditLook(
            "group",
            name,
            test,
            values,
            max(sizes),
            key=key,
            group=group,
            wins=a.better,
            kind=a.part().kind,
        )
