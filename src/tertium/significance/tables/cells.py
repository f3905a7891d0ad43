"""Intervals, letters and p-values as cells of tables."""

from __future__ import annotations

from tertium.results.assessment import Assessment, Interval, Test
from tertium.results.blocks import Cell, Missing, Range
from tertium.results.texts import p_value

NOT_TESTED = "without counts that could be resampled"


def level_text(level: float) -> str:
    """The level of an interval as a header.

    >>> level_text(0.95), level_text(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:.10g} %"


def interval_cell(interval: Interval | None) -> Cell:
    """An interval; where there is none, why."""
    if interval is None:
        return Missing(NOT_TESTED)
    if interval.low is None or interval.high is None:
        return Missing(interval.reason)
    return Range(interval.low, interval.high)


def p_cell(p: float | None, test: Test, tests: int = 1) -> Cell:
    """A p-value of a test, or the one corrected for so many `tests`; where there is none, why."""
    if p is None:
        return Missing(test.reason or "undefined")
    return p_value(p, tests * test.least) if p == 0 else p


def delta_cell(test: Test) -> Cell:
    """The difference that was tested."""
    return Missing(test.reason or "undefined") if test.delta is None else test.delta


def has_letters(assessment: Assessment, metric: str) -> bool:
    """Are there systems to tell apart?"""
    return any(each == metric for _, each in assessment.letters)
