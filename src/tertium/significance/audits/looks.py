"""Looks: one number, on some units, tested once. An audit is many of them at the same outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.results.assessment import Test
from tertium.results.parts import PartKind, Way
from tertium.results.texts import unit_noun
from tertium.significance.by_items import MCNEMAR
from tertium.significance.by_items import TITLE as OVER_ITEMS
from tertium.significance.paired import TESTS

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
class Look:
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
class Tally:
    """How many looks of a family were significant, and for whom; those that are undefined are
    counted apart.

    `significant` has for each of LEVELS how many favour A and how many favour B; a test of ranks
    may be significant where the values themselves are equal, which favours neither.
    """

    family: str
    looks: int
    undefined: int
    significant: tuple[tuple[int, int, int], ...]
    smallest: Look | None

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


def tally(family: str, looks: Sequence[Look]) -> Tally:
    """Count the looks of a family."""
    defined = [look for look in looks if look.p is not None]
    counts = []
    for level in LEVELS:
        who = [look.better for look in defined if look.is_significant(level)]
        counts.append((who.count("a"), who.count("b"), who.count(None)))
    return Tally(
        family,
        looks=len(defined),
        undefined=len(looks) - len(defined),
        significant=tuple(counts),
        smallest=min(defined, key=lambda look: look.p or 0.0, default=None),
    )


def _in_words(part: str) -> str:
    return part.replace("_", " ").replace(".", " ").replace("f1", "F1")
