"""Sentences or documents of one system that could not be compared with gold's, counted and the
first named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tertium.results.stats import UnitKind
from tertium.results.texts import counted, listed

NAMED = 5  # sentences or documents that a note names


@dataclass(frozen=True)
class Named:
    """How many sentences or documents there are, and the names of the first."""

    count: int = 0
    first: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str]) -> Named:
        """All of these."""
        return cls(len(names), tuple(names[:NAMED]))

    @staticmethod
    def added(parts: Sequence[Named]) -> Named:
        """Those of several files."""
        names = tuple(name for part in parts for name in part.first)
        return Named(sum(part.count for part in parts), names[:NAMED])

    def __str__(self) -> str:
        left = self.count - len(self.first)
        return ", ".join(self.first) + (f" and {left:,} more" if left else "")


@dataclass(frozen=True)
class Lost:
    """What one metric found lost in a system's file; files add up.

    - `differing`: sentences whose words are not gold's; `missing`: those that the system lacks;
      `other`: those that only this metric lost, because of the words that it compares
    - `ignored`: those of the system that gold lacks
    - `is_judged`: were lost sentences judged all the same, as wrong?
    - `unit`: what all of this is about; a missing document is judged as an empty one
    """

    differing: Named = field(default_factory=Named)
    missing: Named = field(default_factory=Named)
    other: Named = field(default_factory=Named)
    ignored: Named = field(default_factory=Named)
    is_judged: bool = False
    unit: UnitKind = "sentence"

    @staticmethod
    def added(parts: Sequence[Lost]) -> Lost:
        """Those of several files."""
        return Lost(
            Named.added([p.differing for p in parts]),
            Named.added([p.missing for p in parts]),
            Named.added([p.other for p in parts]),
            Named.added([p.ignored for p in parts]),
            any(p.is_judged for p in parts),
            parts[0].unit if parts else "sentence",
        )

    @property
    def coverage(self) -> dict[str, int]:
        """The same for the coverage of a result, where there are any."""
        count = self.differing.count + self.missing.count + self.other.count
        found = {
            "penalised" if self.is_judged else "left_out": count,
            "ignored": self.ignored.count,
        }
        if self.unit == "document":
            found = {"missing_documents": count, "ignored_documents": self.ignored.count}
        return {name: count for name, count in found.items() if count}

    def notes(self, system: str, gold: str, metric: str = "") -> list[str]:
        """What a reader must know; with the metric where others lost something else."""
        done = "counted as wrong" if self.is_judged else "left out"
        absent = "missing or empty"
        if self.unit == "document":
            done, absent = "scored as empty", "missing"
        by = f" by {metric}" if metric else ""
        both = [
            (self.differing, done, f"words differ from those in {gold}", "its", "their"),
            (self.missing, done, absent, "it is", "they are"),
            (self.other, done, f"compared words differ from those in {gold}", "the", "the"),
            (self.ignored, "ignored", f"not in {gold}", "it is", "they are"),
        ]
        return [
            f"{system}: {counted(named.count, self.unit)} {what}{by} because "
            f"{one if named.count == 1 else many} {why}: {named}"
            for named, what, why, one, many in both
            if named.count
        ]


def lost_notes(system: str, gold: str, found: Sequence[tuple[str, Lost]]) -> list[str]:
    """What a reader must know about one system, given the names of metrics and what each lost. What
    several lost is told once."""
    metrics: dict[Lost, list[str]] = {}
    for name, lost in found:
        metrics.setdefault(lost, []).append(name)
    notes = []
    for lost, names in metrics.items():
        by = listed([*dict.fromkeys(names)]) if len(metrics) > 1 else ""
        notes += lost.notes(system, gold, by)
    return notes
