"""JSON: the result as it is. Fractions unrounded, undefined values null with their reasons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.significance.score.against import Against
    from tertium.significance.score.result import Scores


def render(scores: Scores, *, against: Against | None = None) -> str:
    """The JSON of `score`, as report/schema/score.schema.json describes it."""
    data = scores.to_dict()
    if against:
        data["against"] = {"file": against.origin, "notes": [*against.warnings, *against.notes]}
        for result, entry in zip(scores, data["scores"], strict=True):
            entry["against"] = _change(against, result.system, result.metric, "")
            for name, group in entry.get("groups", {}).items():
                group["against"] = _change(against, result.system, result.metric, name)
    return dump(data)


def _change(against: Against, system: str, metric: str, group: str) -> dict[str, Any]:
    change = against.changes[system, metric, group]
    entry: dict[str, Any] = {"value": change.earlier, "delta": change.delta}
    return {**entry, "reason": change.reason} if change.reason else entry


def dump(data: object) -> str:
    """One way to write JSON for all verbs: readable, in the order given, nan refused."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return text + "\n"


def _plain(value: Any) -> Any:
    """A numpy number as Python's own; anything else has no place in a result."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
