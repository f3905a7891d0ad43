"""How much of a comparison is shown, and of which pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.exceptions import UsageError, suggestion
from tertium.options import option
from tertium.results.names import short_names
from tertium.results.output import LongLook

TABLES = (
    "scores", "significance", "criteria", "changes", "golds", "differences", "transitions",
    "labels", "examples", "oracle", "solvers", "ensembles", "groups",
)  # fmt: skip
# What text shows if nothing is named. Some of these are there only if something else is asked for.
SHORT = (
    "scores", "significance", "criteria", "changes", "golds", "examples", "ensembles", "groups",
)  # fmt: skip
IN_FULL = ("differences", "transitions", "labels")  # of a pair that is named
ARROW = "→"
ALL = "(all)"


@dataclass(frozen=True)
class CompareLook(LongLook):
    """What to show of a comparison.

    - `pairs`: those shown in full, `A:B` or two names; none given, the only one or that of the two
      best
    - `sort`: order of labels; None is what suits each table
    - `limit`: rows of a table; None for the usual number, 0 for all
    - `examples`: so many of each class; None for none, 0 for all
    - `tables`: names of `TABLES` to show alone; none given, text shows those of `SHORT`
    - `report`: where the shell writes the interactive page
    """

    pairs: tuple[str | tuple[str, str], ...] = option(
        (), "Show this pair in full; repeatable. Default: the two best systems.",
        flag="--pair", metavar="A:B", objects=True
    )  # fmt: skip
    tables: tuple[str, ...] = option(
        (), "Show only this table: scores, significance, criteria, changes, golds, differences, "
        "transitions, labels, examples, oracle, solvers, ensembles or groups; repeatable.",
        flag="--table", metavar="NAME",
    )  # fmt: skip
    sort: str | None = option(
        None, "Order of labels. Default: by net change in the table of labels, by frequency in "
        "that of the oracle.",
        choices=("frequency", "difference"),
    )  # fmt: skip
    limit: int | None = option(
        None, "Rows per table, 0 for all. Default: 5 changes, 5 transitions per class, 10 "
        "labels and 30 tests.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    examples: int | None = option(
        None, "Show the first N examples of each class in their sentences, 0 for all.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    report: str | None = option(
        None, "Also write an interactive HTML page with every example, in a single file.",
        metavar="FILE", path="written",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.tables:
            if name not in TABLES:
                raise UsageError(
                    f"there is no table '{name}'.{suggestion(name, TABLES)}",
                    help=f"tables: {', '.join(TABLES)}",
                )

    @property
    def is_short(self) -> bool:
        """Does it show only what fits on a screen?"""
        return self.is_text and not self.all and not self.tables

    def has(self, table: str) -> bool:
        """Is a table to be shown?"""
        if self.tables:
            return table in self.tables
        if not self.is_short:
            return table != "changes"  # which transitions say
        is_named = (self.pairs and table in IN_FULL) or (self.sort and table == "labels")
        return table in SHORT or bool(is_named)

    def rows(self, usual: int) -> int | None:
        """How many rows a table may have; None for any number."""
        if self.limit is None:
            return None if self.all else usual
        return self.limit or None


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
            f"the pair '{text}' is ambiguous: it can be read in {len(found)} ways",
            help="give the systems names without colons: NAME=path",
        )
    if found[0][0] == found[0][1]:
        raise UsageError(f"the pair '{text}' names one system twice")
    return found[0]


def chosen_pairs(
    systems: Sequence[str], pairs: Sequence[str | tuple[str, str]]
) -> list[tuple[str, str]]:
    """The systems of some pairs, each of which is `A:B` or two names; these may be as short as
    tables show them."""
    full = {short: name for name, short in short_names(systems).items()}
    full |= {name: name for name in systems}
    found = []
    for pair in pairs:
        a, b = named_pair(pair, [*full]) if isinstance(pair, str) else pair
        for name in (a, b):
            if name not in full:
                raise UsageError(
                    f"there is no system '{name}'.{suggestion(name, systems)}",
                    help=f"systems: {', '.join(systems)}",
                )
        found.append((full[a], full[b]))
    return list(dict.fromkeys(found))
