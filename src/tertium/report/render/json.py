"""JSON: the result as it is. Fractions unrounded, undefined values null with their reasons."""

from __future__ import annotations

import json
from typing import Any


def dump(data: object) -> str:
    """One way to write JSON for all verbs: readable, in the order given, nan refused."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)
    return text + "\n"


def _plain(value: Any) -> Any:
    """A numpy number as Python's own; anything else has no place in a result."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
