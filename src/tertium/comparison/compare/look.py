"""How much of a comparison is shown, and of which pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import Pair
from tertium.exceptions import UsageError, suggestion

ORDERS = ("frequency", "difference")
TABLES = (
    "scores", "significance", "golds", "differences", "transitions", "labels", "examples", "bounds",
    "solvers", "ensembles", "groups",
)  # fmt: skip
ARROW = "→"
ALL = "(all)"


@dataclass(frozen=True, slots=True)
class Choice:
    """What to show.

    - `pairs`: those shown in full, by names; none given, the only one or that of the two best
    - `sort`: order of labels; None is what suits each table
    - `limit`: rows of a table; None for the usual number, 0 for all
    - `examples`: so many of each class; None for none, 0 for all
    - `tables`: names of `TABLES` to show alone; none given, all
    - `pictures`: can the format draw?
    - `is_text`: is it for a terminal, where lines are short?
    """

    pairs: tuple[tuple[str, str], ...] = ()
    sort: str | None = None
    limit: int | None = None
    examples: int | None = None
    tables: tuple[str, ...] = ()
    pictures: bool = False
    is_text: bool = False

    def __post_init__(self) -> None:
        if self.sort is not None and self.sort not in ORDERS:
            raise UsageError(f"sort must be one of {', '.join(ORDERS)}. Got '{self.sort}' instead.")
        for name in self.tables:
            if name not in TABLES:
                raise UsageError(
                    f"there is no table '{name}'.{suggestion(name, TABLES)}",
                    help=f"it is one of {', '.join(TABLES)}",
                )
        for name in ("limit", "examples"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise UsageError(f"{name} must not be negative. Got {value} instead.")

    def has(self, table: str) -> bool:
        """Is a table to be shown?"""
        return not self.tables or table in self.tables

    def hidden(self, told: str) -> str:
        """What stands below a table for rows that are not shown; at a terminal also how to see
        them."""
        return f"and {told}; '--limit 0' shows all" if self.is_text else f"and {told}"

    def rows(self, usual: int) -> int | None:
        """How many rows a table may have; None for any number."""
        return usual if self.limit is None else self.limit or None


def named_pair(text: str, systems: Sequence[str]) -> tuple[str, str]:
    """Two systems written as `A:B`; names may hold colons themselves.

    >>> named_pair("a:1:b", ["a:1", "b"])
    ('a:1', 'b')
    """
    places = [i for i, sign in enumerate(text) if sign == ":"]
    if not places:
        raise UsageError(f"a pair is A:B, the names of two systems. Got '{text}' instead.")
    ways = [(text[:i], text[i + 1 :]) for i in places]
    found = [(a, b) for a, b in ways if a in systems and b in systems]
    if not found:
        # The way with most known names tells which one is not known.
        a, b = max(ways, key=lambda way: sum(name in systems for name in way))
        wrong = next(name for name in (a, b) if name not in systems)
        raise UsageError(
            f"there is no system '{wrong}' for the pair '{text}'.{suggestion(wrong, systems)}",
            help=f"systems: {', '.join(systems)}",
        )
    if len(found) > 1:
        raise UsageError(
            f"the pair '{text}' can be read in {len(found)} ways",
            help="name the systems without colons: NAME=path",
        )
    if found[0][0] == found[0][1]:
        raise UsageError(f"the pair '{text}' names one system twice")
    return found[0]


def detailed_pairs(comparison: Comparison, view: View, choice: Choice) -> list[Pair]:
    """The pairs of a view that are shown in full: those asked for, else the two best systems by the
    headline of the metric, in the order given; of equals the first, of runs the best of each
    system."""
    if choice.pairs:
        for name in (name for pair in choice.pairs for name in pair):
            if name not in comparison.systems:
                raise UsageError(
                    f"there is no system '{name}'.{suggestion(name, comparison.systems)}",
                    help=f"systems: {', '.join(comparison.systems)}",
                )
        return [view.pair(a, b) for a, b in choice.pairs if a in view.systems and b in view.systems]
    results = [comparison.result(name, view.metric) for name in view.systems]
    sign = {"higher": -1, "lower": 1, "none": 0}[comparison.scores.part(view.metric).better]

    def place(number: int) -> tuple[bool, float, int]:
        found = results[number]
        value = None if found is None else found.value
        return (value is None, 0.0 if value is None else sign * value, number)

    first, *others = sorted(range(len(view.systems)), key=place)
    of = [comparison.scores.owner(name) for name in view.systems]
    # Two runs of one system are compared if there is nothing else.
    second = next((n for n in others if of[n] != of[first]), others[0])
    a, b = sorted((first, second))
    return [view.pair(view.systems[a], view.systems[b])]
