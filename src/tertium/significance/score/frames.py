"""The numbers of scores as tidy tables: what `Scores.to_frame` gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertium.exceptions import UsageError
from tertium.results.output import Rows
from tertium.results.scores import flatten

if TYPE_CHECKING:
    from tertium.results.scores import Result
    from tertium.significance.score.result import Scores


def score_rows(scores: Scores) -> Rows:
    """One row per system and metric: the value, its interval, all parts, all counts."""
    return [
        {"system": r.system, "metric": r.metric, **_numbers(scores, r, r)} for r in scores.results
    ]


def label_rows(scores: Scores) -> Rows:
    """One row per system, metric and label."""
    return _some("labels", "labels", [
        {"system": r.system, "metric": r.metric, "label": label, **_counted(row)}
        for r in scores.results
        for label, row in r.labels.items()
    ])  # fmt: skip


def group_rows(scores: Scores) -> Rows:
    """One row per system, metric and group, `by` saying by what they are grouped."""
    return _some("groups", "by", [
        {
            "system": r.system,
            "metric": r.metric,
            "by": each.by,
            "group": name,
            **_numbers(each, r, group, name),
        }
        for each in (scores, *scores.regrouped)
        for r in each.results
        for name, group in r.groups.items()
    ])  # fmt: skip


def confusion_rows(scores: Scores) -> Rows:
    """One row per system, metric and pair of labels; null is no label."""
    return _some("confusions", "confusion", [
        {
            "system": r.system,
            "metric": r.metric,
            "gold_label": cell["gold"],
            "system_label": cell["system"],
            "count": cell["count"],
        }
        for r in scores.results
        for cell in r.to_dict().get("confusion", ())
    ])  # fmt: skip


def test_rows(scores: Scores) -> Rows:
    """One row per metric, group and pair of systems."""
    found = {} if scores.assessment is None else scores.assessment.to_dict()
    rows = []
    for each in found.get("tests", ()):
        interval = each.pop("interval", None) or {}
        limits = {"low": interval.get("low"), "high": interval.get("high")}
        rows.append({"a": each.pop("a"), "b": each.pop("b"), **flatten(each), **limits})
    return _some("tests", "significance", rows)


TABLES = {
    "scores": score_rows,
    "labels": label_rows,
    "groups": group_rows,
    "confusion": confusion_rows,
    "tests": test_rows,
}


def _some(what: str, option: str, rows: Rows) -> Rows:
    if rows:
        return rows
    value = "'genre'" if option == "by" else "True"
    raise UsageError(
        f"these scores hold no {what}", help=f"score with {option}={value} to have them"
    )


def _numbers(
    scores: Scores, whole: Result, result: Result, group: str | None = None
) -> dict[str, Any]:
    """The numbers of a result, or of a group of it."""
    found: dict[str, Any] = {"value": result.value}
    if scores.assessment is not None:
        interval = scores.assessment.intervals.get((whole.system, whole.metric, group))
        found |= {
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
        }
    return {**found, **_counted({**result.parts, "counts": result.counts})}


def _counted(row: Mapping[str, Any]) -> dict[str, Any]:
    """Parts and counts side by side; counts are `n_correct` and the like, since a side is one of
    their names."""
    flat = flatten(
        {name: value for name, value in row.items() if name not in ("reason", "reasons")}
    )
    return {
        f"n_{name.removeprefix('counts.')}" if name.startswith("counts.") else name: value
        for name, value in flat.items()
    }
