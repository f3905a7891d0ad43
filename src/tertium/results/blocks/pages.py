"""What rows and parts of figures choose among the examples of the page.

A choice has the keys of the page's address: `a` and `b` (systems), `class` (corrections, new,
changed, different, same), `gold` (label), `from` and `to` (what the two systems say), `right` and
`wrong` (lists of systems), `many` (how many systems are right), `of` (gold for items of gold,
systems for those that only systems have).
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.pairs import Pair, Transition
from tertium.results.blocks import NOTHING, Intersections

Choice = dict[str, str | list[str]]

# The classes of `compare.differences`, as the page's address names them.
NAMES = {"corrections": "corrections", "new_errors": "new", "changed_errors": "changed"}


def transition_link(pair: Pair, kind: str, found: Transition) -> Choice:
    """The items behind a row of transitions of a class."""
    choice: Choice = {"a": pair.a, "b": pair.b, "class": NAMES[kind]}
    choice["from"], choice["to"] = _named(found.a), _named(found.b)
    # Only changed errors are told apart by gold labels, and only where labels are shown.
    with_gold = kind == "changed_errors" and pair.mode != "types"
    return {**choice, "gold": _named(found.gold)} if with_gold else choice


def _named(name: str | None) -> str:
    return NOTHING if name is None else name


def difference_link(a: str, b: str, kind: str = "different", gold: str = "") -> Choice | None:
    """All differences of two systems or a class of them (`corrections`, `new_errors`,
    `changed_errors`), perhaps of the gold items of one label; none between a system and itself."""
    if a == b:
        return None
    label: Choice = {"of": "gold", "gold": gold} if gold else {}
    return {"a": a, "b": b, "class": NAMES.get(kind, kind), **label}


def matrix_links(rows: Sequence[str], columns: Sequence[str]) -> list[Choice | None]:
    """For a matrix of systems, the differences of each two, row by row."""
    return [difference_link(a, b) for a in rows for b in columns]


def combination_links(figure: Intersections) -> list[Choice | None]:
    """For sets of the gold items that systems have right, the items of each combination."""
    return [
        {
            "of": "gold",
            "right": [name for name, has in zip(figure.sets, row, strict=True) if has],
            "wrong": [name for name, has in zip(figure.sets, row, strict=True) if not has],
        }
        for row in figure.members
    ]
