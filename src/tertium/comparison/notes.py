"""What a comparison notes about its data."""

from __future__ import annotations

from collections.abc import Iterable

from tertium.results.scores import Result, Scores

_METRIC = "\0"


def condensed(scores: Scores) -> list[str]:
    """The notes of scores, with those that say the same of several metrics put into one."""
    said = {f"{r.system}: {reason}": r for r in scores if (reason := r.reasons.get("value"))}
    return _condensed((note, said.get(note)) for note in scores.notes)


def about_layers(scores: Scores) -> set[str]:
    """Those among them that say that a system has nothing for a metric."""
    return set(
        _condensed(
            (f"{r.system}: {r.reasons.get('value')}", r)
            for r in scores
            if r.value is None and not r.parts
        )
    )


def _condensed(notes: Iterable[tuple[str, Result | None]]) -> list[str]:
    metrics: dict[str, list[str]] = {}
    for note, result in notes:
        metric = "" if result is None else result.metric
        key = note.replace(metric, _METRIC) if metric else note
        metrics.setdefault(key, []).append(metric)
    return [note.replace(_METRIC, ", ".join(names)) for note, names in metrics.items()]
