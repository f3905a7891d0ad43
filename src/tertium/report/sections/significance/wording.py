"""How tests and intervals were made, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report.sections.significance.cells import level_text
from tertium.results.assessment import TWO_SIDED, Assessment, Test, Testing
from tertium.results.texts import counted, level
from tertium.significance.corrections import METHODS as CORRECTIONS
from tertium.significance.tests import TEST_NAMES

INTERVALS = {"bca": "BCa", "percentile": "percentile", "basic": "basic"}
_EXACT = {"randomisation": "paired randomisation"}  # which is then no longer approximate


def significance_line(assessment: Assessment) -> str:
    """Tests, their number and correction, intervals, and what letters mean."""
    there = [each for each in assessment.comparisons if each.test.p is not None]
    tests = [each.test for each in there]
    testing = assessment.testing
    pieces = []
    if tests:
        methods = dict.fromkeys(test.method for test in tests)
        named = [test_text([t for t in tests if t.method == m], testing) for m in methods]
        inside = sum(each.group is not None for each in there)
        pieces += ["; ".join(named), _corrected(len(tests) - inside, inside, testing)]
    pieces += _intervals(assessment)
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
    return ", ".join([*told, *(["exact where units are few"] if any(exact) else [])])


def direction_text(direction: str) -> str:
    """Two-sided, or what was stated beforehand."""
    if direction == TWO_SIDED:
        return direction
    side = "above" if direction == "greater" else "below"
    return f"one-sided (the later system {side} the earlier, as stated beforehand)"


def _corrected(whole: int, inside: int, testing: Testing) -> str:
    """How p-values were corrected: tests inside groups by themselves."""
    name = CORRECTIONS[testing.correction].partition(" (")[0]
    tests = counted(whole, "test")
    if inside:
        tests += f" of all units and {counted(inside, 'test')} inside groups"
    if max(whole, inside) == 1:
        return tests
    if testing.correction == "none":
        return f"{tests}, {name}"
    return f"{name} over {tests}{', each by themselves' if inside else ''}"


def _intervals(assessment: Assessment) -> list[str]:
    found = [*assessment.intervals.values()]
    found += [each.interval for each in assessment.comparisons if each.interval is not None]
    there = [each for each in found if each.low is not None]
    if not there:
        return []
    methods = [INTERVALS[name] for name in dict.fromkeys(each.method for each in there)]
    trials = counted(there[0].trials, "resample")
    return [f"intervals {' and '.join(methods)} {level_text(there[0].level)}, {trials}"]
