"""What stands beside a metric's value: letters, interval, and how much runs differ."""

from __future__ import annotations

from dataclasses import dataclass

from tertium.results.assessment import RunSummary, summary
from tertium.results.blocks import Cell, Column, Missing, kind_of
from tertium.significance.score.result import Scores
from tertium.significance.tables.cells import (
    has_letters,
    interval_cell,
    level_text,
)

LETTERS, INTERVAL, SD, RUNS = "(letters)", "(interval)", "(sd)", "(runs)"
BESIDE = (LETTERS, INTERVAL, SD, RUNS)  # what a column shows besides parts


@dataclass(frozen=True)
class Beside:
    """Of scores with every run by itself, what a table shows beside the values of systems."""

    scores: Scores

    @property
    def has_runs(self) -> bool:
        """Did a system run several times?"""
        return bool(self.scores.runs)

    def columns(self, metric: str, group: str) -> list[tuple[Column, str]]:
        """Columns to the right of a metric's value, below the heading `group`. Letters stand at the
        value itself."""
        assessment, part = self.scores.assessment, self.scores.part(metric)
        found: list[tuple[Column, str]] = []
        if assessment is not None and has_letters(assessment, metric):
            found.append((Column("", group, "letters"), LETTERS))
        if self.has_runs:
            found.append((Column("sd", group, kind_of(part.kind)), SD))
        if assessment is not None:
            level = level_text(assessment.testing.level)
            found.append((Column(level, group, kind_of(part.kind, "interval")), INTERVAL))
        return found

    def cell(self, what: str, system: str, metric: str, group: str = "") -> Cell:
        """What stands there for a system, in a group or, for "", in all units."""
        if what == RUNS:
            return len(self.scores.runs.get(system, (system,)))
        if what == SD:
            return self._sd(system, metric, group)
        assessment = self.scores.assessment
        assert assessment is not None
        if what == LETTERS:
            return None if group else assessment.letters.get((system, metric))
        return interval_cell(assessment.intervals.get((system, metric, group or None)))

    def _sd(self, system: str, metric: str, group: str) -> Cell:
        if system not in self.scores.runs:
            return None
        found = self._summary(system, metric, group)
        if found is None or found.sd is None:
            return Missing("fewer than two runs have a value")
        return found.sd

    def _summary(self, system: str, metric: str, group: str) -> RunSummary | None:
        names = self.scores.runs[system]
        runs = [r for r in self.scores if r.system in names and r.metric == metric]
        held = [r.groups.get(group) if group else r for r in runs]
        there = [each for each in held if each is not None]
        return summary(system, there) if there else None


def run_notes(scores: Scores) -> list[str]:
    """That values are means, and which runs have none."""
    if not scores.runs:
        return []
    notes = ["values of a system with several runs are means, sd the standard deviation of runs"]
    for each in scores.run_summaries:
        if each.undefined:
            notes.append(
                f"{each.system}: {each.metric} is undefined in {each.undefined} of "
                f"{len(each.runs)} runs, which are left out of the mean"
            )
    return notes
