"""Histograms, and the table of their numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from tertium.results.blocks.cells import Column, Kind
from tertium.results.blocks.figures import check_shape
from tertium.results.blocks.tables import Table


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many values lie between which edges, once or for several sets on a common scale.

    - `edges`: one more than there are bins, increasing; a value at an edge is in the bin above it,
      one at the last edge in the last bin
    - `counts`: one tuple a name, one number a bin
    - `axis`: what the values are; `kind`: as the kind of a column; `unit`: what is counted
    - `mark`: a value to be shown on the axis, and its label
    """

    edges: tuple[float, ...]
    names: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    title: str = ""
    axis: str = ""
    kind: Kind = "number"
    unit: str = "count"
    mark: tuple[float, str] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.edges) < 2 or any(not a < b for a, b in pairwise(self.edges)):
            raise ValueError("edges must increase, and there must be two or more")
        check_shape(self.counts, len(self.names), len(self.edges) - 1)
        if any(not 0 <= count < math.inf for row in self.counts for count in row):
            raise ValueError("a bin cannot hold a negative number")
        if self.mark and not self.edges[0] <= self.mark[0] <= self.edges[-1]:
            raise ValueError("a mark must stand within the edges")

    @property
    def largest(self) -> float:
        """The highest bar of all."""
        return max((count for row in self.counts for count in row), default=0)

    def table(self) -> Table:
        """A row a bin, a column a name."""
        kind: Kind = "number" if self.kind == "p" else self.kind  # no bin begins at "< .0001"
        columns = [Column("from", self.axis, kind), Column("to", self.axis, kind)]
        columns += [
            Column(name or self.unit, self.unit if name else "", "count") for name in self.names
        ]
        rows = [
            (low, high, *(row[place] for row in self.counts))
            for place, (low, high) in enumerate(pairwise(self.edges))
        ]
        return Table(tuple(columns), tuple(rows), title=self.title, keys=2, note=self.note)
