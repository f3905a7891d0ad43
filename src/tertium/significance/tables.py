"""Intervals, letters and p-values as cells of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.results.assessment import (
    TWO_SIDED,
    Assessment,
    Interval,
    PairTest,
    Test,
    TestFamily,
    Testing,
    summary,
)
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Range,
    Table,
    Text,
    kind_of,
    or_missing,
    own_kind,
)
from tertium.results.parts import Part
from tertium.results.texts import (
    counted,
    interval_header,
    level,
    level_text,
    listed,
    p_text,
    p_value,
    rest_text,
    shown,
)
from tertium.significance.corrections import METHODS as CORRECTIONS
from tertium.significance.intervals import METHODS as INTERVALS
from tertium.significance.rank_tables import across_blocks, across_notes
from tertium.significance.score.result import Scores
from tertium.significance.tests import TEST_NAMES

NOT_TESTED = "without counts that could be resampled"


def interval_cell(interval: Interval | None) -> Cell:
    """An interval; where there is none, why."""
    if interval is None:
        return Missing(NOT_TESTED)
    if interval.low is None or interval.high is None:
        return Missing(interval.reason)
    return Range(interval.low, interval.high)


def p_cell(p: float | None, test: Test, tests: int = 1) -> Cell:
    """A p-value of a test, or the one corrected for so many `tests`; where there is none, why."""
    return p_value(p, tests * test.least) if p == 0 else or_missing(p, test.reason)


_EXACT = {"randomisation": "paired randomisation"}  # which is then no longer approximate


def significance_line(assessment: Assessment) -> str:
    """Tests, their number and correction, intervals, what is resampled, and what letters mean;
    empty where nothing could be tested."""
    there = [each for each in assessment.comparisons if each.test.p is not None]
    tests = [each.test for each in there]
    testing = assessment.testing
    pieces = []
    if tests:
        methods = dict.fromkeys(test.method for test in tests)
        named = [test_text([t for t in tests if t.method == m], testing) for m in methods]
        pieces += ["; ".join(named), _corrected(assessment)]
    pieces += _intervals(assessment)
    if not pieces:
        return ""
    if assessment.units is not None:
        pieces.append(f"resampled by document ({counted(assessment.units, 'document')})")
    pieces.append(f"seed {testing.seed}")
    if assessment.letters:
        pieces.append(
            f"systems that share a letter do not differ significantly at {level(testing.alpha)}"
        )
    return " · ".join(pieces)


def test_text(tests: Sequence[Test], testing: Testing) -> str:
    """What tests of one kind were, and whether they were exact."""
    exact = [test.exact for test in tests]
    method = tests[0].method
    name = _EXACT.get(method, TEST_NAMES[method]) if all(exact) else TEST_NAMES[method]
    side = direction_text(testing.direction)
    if all(exact):
        return f"{name}, {side}, exact"
    trials = next((test.trials for test in tests if not test.exact), None)
    told = [name, side, *([counted(trials, "trial")] if trials is not None else [])]
    return ", ".join([*told, *(["exact for few sentences"] if any(exact) else [])])


def direction_text(direction: str) -> str:
    """Two-sided, or what was stated beforehand."""
    if direction == TWO_SIDED:
        return direction
    side = "above" if direction == "greater" else "below"
    return f"one-sided (the later system {side} the earlier, as stated beforehand)"


def _corrected(assessment: Assessment) -> str:
    """How p-values were corrected, and which together."""
    found = [each for each in assessment.families if each.tests]
    if [each.tests for each in found] == [1]:
        return "1 test"
    told = [_family(each, assessment.names) for each in found]
    if not is_corrected(assessment):
        name = CORRECTIONS["none"] if max(each.tests for each in found) > 1 else ""
        return ", ".join(filter(None, ("; ".join(told), name)))
    name = CORRECTIONS[assessment.testing.correction].partition(" (")[0]
    return f"{name} over {'; separately over '.join(told)}"


def _family(family: TestFamily, names: Mapping[str, str]) -> str:
    """Which tests they are.

    >>> _family(TestFamily(("METRIC",), 3, 3), {"METRIC": "NAME"})
    '3 tests: 3 pairs of systems × NAME'
    """
    called = listed([names.get(metric, metric) for metric in family.metrics])
    times = [counted(family.pairs, "pair") + " of systems"]
    several = len(family.metrics) > 1
    times.append(f"{len(family.metrics)} metrics ({called})" if several else called)
    times += [counted(family.groups, "group")] if family.groups else []
    every = family.pairs * len(family.metrics) * max(family.groups, 1)
    left = f", {every - family.tests:,} undefined" if every > family.tests else ""
    added = " (added for explanation)" if family.is_added else ""
    return f"{counted(family.tests, 'test')}: {' × '.join(times)}{left}{added}"


def _intervals(assessment: Assessment) -> list[str]:
    found = [*assessment.intervals.values()]
    found += [each.interval for each in assessment.comparisons if each.interval is not None]
    there = [each for each in found if each.low is not None]
    if not there:
        return []
    methods = [INTERVALS[name] for name in dict.fromkeys(each.method for each in there)]
    trials = counted(there[0].trials, "resample")
    return [f"intervals {' and '.join(methods)} {level_text(there[0].level)}, {trials}"]


ROWS = 30  # of a table at a terminal
DIFFERENCE = "difference"
# Headers of corrected p-values.
SHORT = {"holm": "Holm", "bh": "BH", "bonferroni": "Bonferroni"}


def tested_metrics(assessment: Assessment) -> list[str]:
    """The metrics by which systems were tested, in order."""
    return list(dict.fromkeys(each.metric for each in assessment.comparisons))


def difference_tests(
    assessment: Assessment, metrics: Sequence[str], *, rows: int | None = None
) -> list[Table]:
    """All pairs of systems by some metrics, on all units; at most so many `rows`."""
    whole = [c for c in assessment.comparisons if c.group is None and c.metric in metrics]
    if not whole:
        return []
    if len(metrics) == 1:
        title = f"{assessment.name(metrics[0])}: tests of differences"
        return [_table(assessment, whole, ["from", "to"], title, rows)]
    return [_table(assessment, whole, ["metric", "from", "to"], "Tests of differences", rows)]


def group_tests(
    assessment: Assessment, metrics: Sequence[str], by: str, *, rows: int | None = None
) -> list[Table]:
    """The same inside groups, a table a metric."""
    found = []
    for metric in metrics:
        inside = [c for c in assessment.comparisons if c.metric == metric and c.group is not None]
        title = f"{assessment.name(metric)}: tests of differences by {by}"
        found.append(_table(assessment, inside, [by, "from", "to"], title, rows))
    return [table for table in found if table.rows]


def pair_text(assessment: Assessment | None, a: str, b: str, metric: str) -> str:
    """The test of two systems in a line, from A to B; empty where there is none."""
    found = None if assessment is None else assessment.of(a, b, metric)
    if assessment is None or found is None:
        return ""
    found = found if found.a == a else found.turned()
    if found.test.p is None:
        return f"difference not tested: {found.test.reason}"
    kind = assessment.part(metric).kind
    change = shown(or_missing(found.test.delta), kind_of(kind, "delta"))
    told = f"{assessment.name(metric)} {change}"
    if found.interval is not None and found.interval.low is not None:
        told += f" {shown(interval_cell(found.interval), kind_of(kind, 'interval_delta'))}"
    told += f", {p_text(found.test.p, found.test.least)}"
    if is_corrected(assessment) and found.adjusted is not None:
        told += f", {SHORT[assessment.testing.correction]} {p_text(found.adjusted)}"
    return told


def is_corrected(assessment: Assessment) -> bool:
    """Does a correction change any p?"""
    most = max((each.tests for each in assessment.families), default=0)
    return assessment.testing.correction != "none" and most > 1


def _table(
    assessment: Assessment,
    found: Sequence[PairTest],
    keys: Sequence[str],
    title: str,
    rows: int | None,
) -> Table:
    corrects = is_corrected(assessment)
    has_intervals = any(each.interval is not None for each in found)
    some = found if rows is None else found[:rows]
    first = assessment.part(found[0].metric) if found else Part("")
    change = Column("change", DIFFERENCE, kind_of(first.kind, "delta"))
    interval = Column(
        interval_header(assessment.testing.level), DIFFERENCE, kind_of(first.kind, "interval_delta")
    )
    cells: list[tuple[Cell, ...]] = []
    for each in some:
        names: dict[str, Cell] = {
            "metric": assessment.name(each.metric),
            "from": each.a,
            "to": each.b,
        }
        kind = assessment.part(each.metric).kind
        ends = own_kind(interval_cell(each.interval), kind, interval)
        numbers = [
            own_kind(or_missing(each.test.delta, each.test.reason), kind, change),
            *([ends] if has_intervals else []),
            p_cell(each.test.p, each.test),
            *([_adjusted(assessment, each)] if corrects else []),
        ]
        cells.append((*(names.get(key, each.group) for key in keys), *numbers))
    return Table(
        (
            *(Column(key) for key in keys),
            change,
            *([interval] if has_intervals else []),
            Column("p", DIFFERENCE, "p"),
            *([Column(SHORT[assessment.testing.correction], DIFFERENCE, "p")] if corrects else []),
        ),
        tuple(cells),
        title=title,
        keys=len(keys),
        contests=tuple(str(row[0]) for row in cells) if len(keys) > 1 else (),
        omitted=rest_text(len(found) - len(some), noun="more test"),
    )


def _adjusted(assessment: Assessment, each: PairTest) -> Cell:
    return p_cell(each.adjusted, each.test, assessment.family(each).tests)


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
        if assessment is not None and any(each == metric for _, each in assessment.letters):
            found.append((Column("", group, "letters"), LETTERS))
        if self.has_runs:
            found.append((Column("sd", group, kind_of(part.kind)), SD))
        if assessment is not None:
            level = interval_header(assessment.testing.level)
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

    def change(self, system: str, metric: str, group: str = "") -> Cell:
        """How a value changed since an earlier run."""
        assert self.scores.against is not None
        runs = self.scores.runs.get(system, (system,))
        found = self.scores.against.change(runs, metric, group)
        return or_missing(found.delta, found.reason)

    def _sd(self, system: str, metric: str, group: str) -> Cell:
        if system not in self.scores.runs:
            return None
        names = self.scores.runs[system]
        runs = [r for r in self.scores if r.system in names and r.metric == metric]
        held = [r.groups.get(group) if group else r for r in runs]
        there = [each for each in held if each is not None]
        sd = summary(system, there).sd if there else None
        return or_missing(sd, "fewer than two runs have a value")


def run_notes(scores: Scores) -> list[str]:
    """That values are means, and which runs have none."""
    if not scores.runs:
        return []
    notes = ["values of systems with several runs are means; sd: standard deviation over runs"]
    for each in scores.run_summaries:
        if each.undefined:
            notes.append(
                f"{each.system}: {each.metric} is undefined in {each.undefined} of "
                f"{len(each.runs)} runs, which are left out of the mean"
            )
    return notes


def significance_blocks(
    assessment: Assessment | None,
    by: str | None,
    *,
    metrics: Sequence[str] | None = None,
    rows: int | None = None,
) -> list[Block]:
    """Tables of tests by all metrics or some, inside groups as well, and what holds across groups;
    nothing where there is nothing to test. A table has at most so many `rows`."""
    if assessment is None:
        return []
    if metrics is None:
        metrics = tested_metrics(assessment)
    tests = difference_tests(assessment, metrics, rows=rows)
    return [*tests, *group_significance(assessment, by, metrics=metrics, rows=rows)]


def group_significance(
    assessment: Assessment | None,
    by: str | None,
    *,
    metrics: Sequence[str] | None = None,
    rows: int | None = None,
) -> list[Block]:
    """What of that is about groups."""
    if assessment is None or not by:
        return []
    if metrics is None:
        metrics = tested_metrics(assessment)
    tests = group_tests(assessment, metrics, by, rows=rows)
    return [*tests, *across_blocks(assessment, metrics, by)]


def group_notes(assessment: Assessment | None, whole: Assessment | None) -> list[str]:
    """What is to be noted about tests in groups and not about the whole."""
    if assessment is None or whole is None:
        return []
    said = {*whole.notes, *across_notes(whole)}
    return [n for n in (*assessment.notes, *across_notes(assessment)) if n not in said]


def significance_lines(assessment: Assessment | None) -> list[Text]:
    """How it was made, and warnings."""
    if assessment is None:
        return []
    line = significance_line(assessment)
    return [
        *([Text(line, role="tests")] if line else []),
        *(Text(note) for note in (*assessment.notes, *across_notes(assessment))),
    ]
