"""Curves and mean ranks, each with the table of its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_letters

from tertium.results.blocks.tables import Cell, Column, Kind, Missing, Range, Table

_INTERVALS: dict[Kind, Kind] = {
    "percent": "interval",
    "delta": "interval_delta",
    "value": "interval_value",
    "value_delta": "interval_value_delta",
}


@dataclass(frozen=True, slots=True)
class Series:
    """One curve.

    - `xs`: in increasing order; `ys`: None where there is no value, for which `reason` says why
    - `low`, `high`: the ends of a band around the curve; both empty where there is none
    """

    name: str
    xs: tuple[float, ...]
    ys: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    reason: str = "undefined"

    def __post_init__(self) -> None:
        bands = [band for band in (self.low, self.high) if band]
        if len(self.ys) != len(self.xs) or any(len(band) != len(self.xs) for band in bands):
            raise ValueError(f"'{self.name}' has {len(self.xs)} positions, but not as many values")
        if len(bands) == 1:
            raise ValueError(f"the band of '{self.name}' has one end only")
        if any(a >= b for a, b in pairwise(self.xs)):
            raise ValueError(f"the positions of '{self.name}' do not increase")
        values = (*self.xs, *self.ys, *self.low, *self.high)
        if any(value is not None and not math.isfinite(value) for value in values):
            raise ValueError(
                f"'{self.name}' has a value that is not a number; use None for a missing one"
            )

    @property
    def label(self) -> str:
        """The name, and why some or all of the curve is not seen."""
        if None not in self.ys:
            return self.name
        return f"{self.name} ({'gaps: ' if self.points else ''}{self.reason})"

    @property
    def points(self) -> list[tuple[float, float]]:
        """The values that exist, with their places."""
        return [(x, y) for x, y in zip(self.xs, self.ys, strict=True) if y is not None]

    @property
    def ends(self) -> tuple[float, ...]:
        """The first, last, lowest and highest value; nothing where there is none."""
        ys = [y for _, y in self.points]
        return (ys[0], ys[-1], min(ys), max(ys)) if ys else ()

    @property
    def runs(self) -> list[list[tuple[float, float]]]:
        """Points without a gap between them: a curve is not drawn through what is undefined."""
        runs: list[list[tuple[float, float]]] = [[]]
        for x, y in zip(self.xs, self.ys, strict=True):
            if y is not None:
                runs[-1].append((x, y))
            elif runs[-1]:
                runs.append([])
        return [run for run in runs if run]

    @property
    def band(self) -> list[tuple[float, Range | None]]:
        """The interval at each place; None where an end is."""
        ends = zip(self.xs, self.low, self.high, strict=True) if self.low else ()
        return [(x, None if a is None or b is None else Range(a, b)) for x, a, b in ends]


@dataclass(frozen=True, slots=True)
class Lines:
    """Curves over a common axis.

    - `x_axis`, `y_axis`: what is along an axis; `x_kind`, `y_kind`: as the kind of a column
    - `log_x`, `log_y`: is the axis logarithmic? Places must be above 0 then. Values that are not,
      and p-values below .0001, are drawn at the lower edge, as beyond it
    - `x_range`, `y_range`: where the axis ends; None leaves an end to the values
    - `thresholds`: horizontal lines, each with a label; `marks`: vertical ones. Not drawn where a
      range leaves them out
    - `shade_below`: the region below this value is shaded
    - `steps`: a value holds until the next place, instead of a straight line to it
    - `numbers`: are they shown in a text? Not where another table there has them
    """

    series: tuple[Series, ...]
    title: str = ""
    x_axis: str = ""
    y_axis: str = ""
    x_kind: Kind = "number"
    y_kind: Kind = "number"
    log_x: bool = False
    log_y: bool = False
    x_range: tuple[float | None, float | None] = (None, None)
    y_range: tuple[float | None, float | None] = (None, None)
    thresholds: tuple[tuple[float, str], ...] = ()
    marks: tuple[tuple[float, str], ...] = ()
    shade_below: float | None = None
    steps: bool = False
    note: str = ""
    numbers: bool = True

    def __post_init__(self) -> None:
        if self.log_x and any(x <= 0 for series in self.series for x in series.xs):
            raise ValueError("a logarithmic axis has no place at or below 0")
        for log, ends in ((self.log_x, self.x_range), (self.log_y, self.y_range)):
            if log and any(end is not None and end <= 0 for end in ends):
                raise ValueError("a logarithmic axis cannot end at or below 0")

    @property
    def band_kind(self) -> Kind:
        """The kind of a column of bands."""
        return _INTERVALS.get(self.y_kind, "interval_number")

    def table(self) -> Table:
        """A row a place, a column a curve, and one for its band. Empty: the curve does not have
        the place."""
        has_bands = any(series.low for series in self.series)
        header = self.y_axis or "value"
        columns = [Column(self.x_axis, "", self.x_kind)]
        found: list[dict[float, Cell]] = []
        for series in self.series:
            name, group = (header, series.name) if has_bands else (series.name, self.y_axis)
            columns.append(Column(name, group if group != name else "", self.y_kind))
            why = Missing(series.reason)
            found.append(
                {x: why if y is None else y for x, y in zip(series.xs, series.ys, strict=True)}
            )
            if series.low:
                columns.append(Column("interval", series.name, self.band_kind))
                found.append({x: why if ends is None else ends for x, ends in series.band})
        places = sorted({x for series in self.series for x in series.xs})
        rows = tuple((x, *(cells.get(x) for cells in found)) for x in places)
        return Table(tuple(columns), rows, title=self.title, note=self.note)


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
            notes.append("systems that share a bar or a letter do not differ significantly")
        note = "; ".join(filter(None, (*notes, self.note)))
        return Table(tuple(columns), tuple(rows), title=self.title, note=note)


def _letter(number: int) -> str:
    """a to z, A to Z, and for those who have more groups numbers in brackets."""
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
