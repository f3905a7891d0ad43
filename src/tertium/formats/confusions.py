"""Which labels annotators confuse, from the JSON output of `tertium agree`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.exceptions import InputError
from tertium.formats.resources import Resource, text_lines

KEY = "confusion"
MOST = 1e15  # so that sums stay exact
HELP = "'tertium agree A B --format json --output FILE' writes such a file"


@dataclass(frozen=True, slots=True)
class Confusions(Resource):
    """How often annotators gave two labels to one item, by labels in alphabetical order; of more
    than two annotators all pairs count, together as one item. `totals` are the labels of each name:
    2 for an item on which both agree."""

    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict, repr=False, hash=False)
    totals: Mapping[str, float] = field(default_factory=dict, repr=False, hash=False)

    def times(self, one: str, other: str) -> float:
        """How often two labels were confused."""
        return self.pairs.get((min(one, other), max(one, other)), 0.0)

    def probability(self, system: str, gold: str) -> float:
        """P(s | g) = (n_gs + n_sg) / (n_g. + n_.g), unsmoothed; 0 for a label that no annotator
        used."""
        total = self.totals.get(gold, 0.0)
        return self.times(gold, system) / total if total else 0.0


def load_confusions(path: str | os.PathLike[str]) -> Confusions:
    """A JSON object whose key `confusion` has `labels` and a square of `counts`, as `tertium agree`
    writes it, or counts by name: `{"DT": {"DT": 90, "IN": 2}}`. Rows and columns may be either
    annotator's: n_gs and n_sg are added."""
    path = os.fspath(path)
    lines, digest = text_lines(path)
    try:
        data = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}", help=HELP) from None
    found = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(found, dict) or not found:
        raise InputError(f"{path} has no counts of confused labels (key '{KEY}')", help=HELP)
    if isinstance(found.get("labels"), list):
        found = _by_name(path, found["labels"], found.get("counts"))
    pairs: dict[tuple[str, str], float] = {}
    totals: dict[str, float] = {}
    for one, other, count in _cells(path, found):
        key = min(one, other), max(one, other)
        pairs[key] = pairs.get(key, 0.0) + count
        for label in (one, other):
            totals[label] = totals.get(label, 0.0) + count
    if not any(totals.values()):
        raise InputError(f"{path}: all counts of '{KEY}' are 0", help=HELP)
    return Confusions(path, digest, pairs, totals)


def _by_name(path: str, labels: list[Any], counts: Any) -> dict[str, Any]:
    """A square of counts as rows by name."""
    size = len(labels)
    rows = counts if isinstance(counts, list) else []
    names = [each for each in labels if isinstance(each, str)]
    if len({*names}) < size:
        raise InputError(f"{path}: the labels of '{KEY}' must be different texts", help=HELP)
    if len(rows) != size or any(not isinstance(r, list) or len(r) != size for r in rows):
        raise InputError(
            f"{path}: '{KEY}' must have a row and a column of counts for each of {size:,} labels",
            help=HELP,
        )
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(names, rows, strict=True)}


def _cells(path: str, found: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    """All counts, checked."""
    for one, row in found.items():
        if not isinstance(row, dict):
            raise InputError(
                f"{path}: '{KEY}' must have an object for '{one}'. Got {row!r:.80} instead.",
                help=HELP,
            )
        for other, count in row.items():
            is_count = isinstance(count, int | float) and not isinstance(count, bool)
            if not is_count or not 0 <= count <= MOST:
                raise InputError(
                    f"{path}: the count of '{one}' and '{other}' must be a number from 0 to "
                    f"{MOST:.0e}. Got {count!r:.80} instead.",
                )
            yield one, other, float(count)
