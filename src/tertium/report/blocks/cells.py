"""What a cell of a table can hold, and what a column says about its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "percent", "count", "number", "delta", "flag"]
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist, and why: shown as a dash with a footnote."""

    reason: str


Cell = str | int | float | Missing | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    - `group`: what stands above several neighbouring columns, such as the metric
    - `kind`: "percent" and "delta" are fractions shown times 100 (a delta with its sign), "count" a
      whole number, "flag" 1 or 0 shown as a dot or nothing, "number" any other
    - `better`: which values win; None where there is nothing to win
    - `contest`: columns with the same name here compete with each other within a row, such as
      systems for a label, and not with the rows above and below
    - `bound`: what no competitor can pass
    """

    header: str
    group: str = ""
    kind: Kind = "text"
    better: Better | None = None
    contest: str = ""
    bound: bool = False
