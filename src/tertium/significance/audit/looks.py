"""Looks: one number, on some units, tested once. An audit is many of them at the same outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium._progress import announce
from tertium.corpus.labels import Int64
from tertium.results.assessment import TIE, Test, Testing
from tertium.results.parts import Part, PartKind, Way
from tertium.results.scores import Result, flatten
from tertium.results.texts import counted, in_words
from tertium.significance.audit.evidence import Bools, Evidence
from tertium.significance.documents import over_documents
from tertium.significance.resample import Number
from tertium.significance.tests import TEST_NAMES, Contrast, Values, item_test

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
WITH_ENTITIES = "with entities"


@dataclass(frozen=True)
class AuditLook:
    """A test of one number on some of the data, B minus A.

    - `family`: which choice it stands for, a key of FAMILIES
    - `values`: the number of A and of B; None where undefined
    - `part`, `label`: what of the metric it is, if not its headline value of all items
    - `key`, `group`: the part of the data, and what parts are by; of a test, what other units it is
      by
    - `units`: how many units there are to be tested; `words`: how many words these have, where that
      is known
    - `most_words`: the cut-off, where sentences up to a length are looked at
    - `wins`: is it "higher" or "lower" values that are better, or "none"?
    - `kind`: what the number is, as its part says
    """

    family: str
    metric: str
    test: Test
    values: Values
    units: int
    words: int | None = None
    part: str = ""
    label: str | None = None
    key: str = ""
    group: str | None = None
    most_words: int | None = None
    wins: Way = "higher"
    kind: PartKind = "share"

    @classmethod
    def of(
        cls,
        family: str,
        pair: Contrast,
        units: Int64 | None = None,
        *,
        trials: int | None = None,
        **told: Any,
    ) -> AuditLook:
        """A look at the number of two systems on all or some units."""
        announce(f"auditing: {family}")
        test, values = pair.test(units, trials=trials)
        number, part = pair.number, pair.a.part(pair.number.part)
        told = {"part": number.part, "label": number.label, "group": number.group, **told}
        size = test.units if units is None else len(units)
        return cls(
            family, pair.a.metric, test, values, size, wins=part.better, kind=part.kind, **told
        )

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
            by = f" by {self.key}" if self.key else ""
            return f"{TEST_NAMES[self.test.method]}{by}"
        if self.family == "size":
            return counted(self.units, f"random {self.test.unit}")
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
    return in_words(part).replace("f1", "F1")


def number_look(
    family: str, evidence: Evidence, pair: tuple[Result, Result], number: Number, testing: Testing
) -> AuditLook:
    """A look at one number on all units."""
    look = AuditLook.of(family, Contrast(*pair, testing, number), words=evidence.scores.tokens)
    if look.p is None and None in look.values:
        test = replace(look.test, reason=_reason(pair, number) or look.test.reason)
        return replace(look, test=test)
    return look


def _reason(pair: tuple[Result, Result], number: Number) -> str:
    """Why the first of the two that has no value has none."""
    part = number.part or pair[0].headline
    for result in pair:
        rows = result.labels.get(number.label, {}) if number.label is not None else {}
        told = result.reasons if number.label is None else rows.get("reasons", {})
        if part in told:
            return f"{result.system}: {told[part]}"
    return ""


def metric_looks(evidence: Evidence, testing: Testing) -> Iterator[AuditLook]:
    """The headline values of the other metrics, and parts of all metrics.

    A part that has the values of another number here is that number under another name, such as
    precision where both systems have all tokens. Over other units it is another number.
    """
    for unit in evidence.scores.sizes:
        pairs = [pair for pair in evidence.pairs if pair[0].unit == unit]
        seen = [(a.value, b.value) for a, b in pairs]
        for place, pair in enumerate(pairs):
            if pair != evidence.main and seen[place] not in seen[:place]:
                yield number_look("metric", evidence, pair, Number(), testing)
            ours, theirs = (flatten(result.parts) for result in pair)
            for part in dict.fromkeys((*ours, *theirs)):
                values = ours.get(part), theirs.get(part)
                if part != pair[0].headline and _is_new(values, seen, pair[0].part(part)):
                    seen.append(values)
                    yield number_look("metric", evidence, pair, Number(part), testing)


def _is_new(values: Values, seen: Sequence[Values], part: Part) -> bool:
    a, b = values
    if a is None or b is None:
        # Parts that mean nothing for the metric have no value whatever the data.
        return part.over is not None
    return not any(
        x is not None and y is not None and abs(x - a) <= TIE and abs(y - b) <= TIE for x, y in seen
    )


def label_looks(evidence: Evidence, testing: Testing) -> list[AuditLook]:
    """The main metric's F1, or its value, of every label that gold or a system has."""
    a, b = evidence.main
    there = flatten(next(iter((*a.labels.values(), *b.labels.values())), {}))
    means = (each.name for each in a.declared if each.mean_of and each.name in there)
    part = next(means, a.headline)
    return [
        number_look("label", evidence, (a, b), Number(part, label=name), testing)
        for name in sorted({*a.labels, *b.labels})
        if part in there
    ]


def looks_by_other_tests(evidence: Evidence, testing: Testing) -> Iterator[AuditLook]:
    """The main number under the tests that a paper could have used instead, those that need a
    direction excepted; McNemar's where the metric judges single items."""
    for test in ("randomisation", "bootstrap", "wilcoxon", "sign"):
        if test != testing.test:
            how = replace(testing, test=test)
            yield number_look("test", evidence, evidence.main, Number(), how)
    if evidence.right is None:
        return
    a, b = evidence.right
    shares = (float(a.mean()), float(b.mean())) if len(a) else (None, None)
    found = item_test(
        int((a & ~b).sum()),
        int((b & ~a).sum()),
        len(a),
        float(b.mean()) - float(a.mean()) if len(a) else None,
        direction=testing.direction,
    )
    yield AuditLook("test", evidence.main[0].metric, found, shares, len(a))


def looks_by_other_units(sentences: tuple[Result, Result], testing: Testing) -> Iterator[AuditLook]:
    """The main number, the test being by documents if it is by sentences, and the other way round,
    where documents are known and counts are those of sentences."""
    known = [result.documents for result in sentences if result.documents is not None]
    if len(known) < 2 or len(np.unique(known[0])) < 2:
        return
    other = "sentence" if testing.unit == "document" else "document"
    pair = sentences if other == "sentence" else tuple(map(over_documents, sentences))
    yield AuditLook.of("test", Contrast(pair[0], pair[1], testing), key=other)


def entity_look(pair: Contrast, evidence: Evidence) -> AuditLook | None:
    """The main number without sentences that have no gold entity, which favours recall (section 3.5
    of the paper); None if there is no such sentence, or if every word is an item."""
    has_any = _has_entities(evidence)
    if has_any is None or has_any.all():
        return None
    chosen = np.flatnonzero(has_any)
    return AuditLook.of("group", pair, chosen, words=evidence.words(chosen), group=WITH_ENTITIES)


def _has_entities(evidence: Evidence) -> Bools | None:
    """Which units have gold items, where not every word is one; None for other kinds of items."""
    unit = evidence.main[0].unit
    for a, _ in evidence.pairs:
        totals = [each.name for each in a.declared_counts if each.is_total and each.side == "gold"]
        if a.unit == unit and a.share == "recall" and a.stats is not None and totals:
            counts = a.stats.dense[:, a.stats.columns.index(totals[0])]
            return np.asarray(counts > 0)
    return None


def group_looks(found: Evidence, metric: str, key: str, testing: Testing) -> Iterator[AuditLook]:
    """The main number in every group of a key that it was scored by."""
    a, b = found.results(metric)
    for group in a.groups:
        held = [result.groups[group].stats for result in (a, b)]
        sizes = [stats.units for stats in held if stats is not None]
        if len(sizes) == 2 and max(sizes):
            pair = Contrast(a, b, testing, Number(group=group))
            # Of a group of words, only units with such a word: the others have no counts in it.
            yield replace(AuditLook.of("group", pair, key=key), units=max(sizes))
