"""Mean ranks, who is told apart by them, and their table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from string import ascii_letters

from tertium.results.blocks.cells import Cell, Column
from tertium.results.blocks.tables import Table


@dataclass(frozen=True, slots=True)
class Ranks:
    """Mean ranks on one axis: the critical difference diagram of Demsar (2006, section 3.2.2).

    - `ranks`: 1 is the best
    - `critical`: the difference of mean ranks from which on two differ significantly; None where a
      test has none
    - `groups`: names that are not told apart, joined by a bar
    """

    names: tuple[str, ...]
    ranks: tuple[float, ...]
    critical: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    title: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.ranks) != len(self.names) or len(set(self.names)) < len(self.names):
            raise ValueError("every name must have one rank")
        if any(not 1 <= rank <= len(self.names) for rank in self.ranks):
            raise ValueError(f"a mean rank lies between 1 and {len(self.names)}")
        if any(name not in self.names for group in self.groups for name in group):
            raise ValueError("a group has a name without a rank")
        if self.critical is not None and not (0 < self.critical < math.inf):
            raise ValueError(f"{self.critical} cannot be a critical difference")

    @property
    def ordered(self) -> list[tuple[str, float]]:
        """Names with their ranks, the best first; ties in the order given."""
        return sorted(zip(self.names, self.ranks, strict=True), key=lambda pair: pair[1])

    @property
    def bars(self) -> list[tuple[float, float]]:
        """The best and the worst rank of each group of several names, in the order of the best."""
        of = dict(zip(self.names, self.ranks, strict=True))
        ends = [[of[name] for name in group] for group in self.groups if len(set(group)) > 1]
        return sorted((min(ranks), max(ranks)) for ranks in ends)

    def letters(self) -> dict[str, str]:
        """A letter for each group; a name has those of all its groups, or a letter of its own."""
        best = dict(self.ordered)
        groups: list[set[str]] = [set(group) for group in self.groups if group]
        groups += [{name} for name in self.names if not any(name in group for group in groups)]
        groups.sort(key=lambda group: sorted(best[name] for name in group))
        return {
            name: "".join(_letter(n) for n, group in enumerate(groups) if name in group)
            for name in self.names
        }

    def table(self) -> Table:
        """A row a name, the best first, with letters of groups where there are groups."""
        columns = [Column(""), Column("mean rank", "", "number", "lower")]
        rows: list[tuple[Cell, ...]] = [(name, float(rank)) for name, rank in self.ordered]
        notes = [f"critical difference {self.critical:.4g}"] if self.critical is not None else []
        if self.groups:
            letters = self.letters()
            columns.append(Column("", "", "letters"))
            rows = [(*row, letters[str(row[0])]) for row in rows]
            notes.append("those that share a bar or a letter do not differ significantly")
        note = "; ".join(filter(None, (*notes, self.note)))
        return Table(tuple(columns), tuple(rows), title=self.title, note=note)


def _letter(number: int) -> str:
    """a to z, A to Z, and for those who have more groups numbers in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
