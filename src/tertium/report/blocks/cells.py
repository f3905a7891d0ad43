"""What a cell of a table can hold, and what a column says about its cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "text", "percent", "count", "number", "delta", "flag", "p", "letters",
    "interval", "interval_number", "interval_delta",
]  # fmt: skip
INTERVALS: tuple[Kind, ...] = ("interval", "interval_number", "interval_delta")
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist, and why: shown as a dash with a footnote."""

    reason: str


@dataclass(frozen=True, slots=True)
class Range:
    """An interval. A bound that does not exist makes the whole interval Missing."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise ValueError(f"an interval from {self.low} to {self.high} has no ends")
        if self.low > self.high:
            raise ValueError(f"an interval cannot go from {self.low} down to {self.high}")


Cell = str | int | float | Range | Missing | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    - `group`: what stands above several neighbouring columns, such as the metric
    - `kind`: "percent" and "delta" are fractions shown times 100 (a delta with its sign), "count" a
      whole number, "flag" 1 or 0 shown as a dot or nothing, "p" a p-value, "number" any other;
      "interval", "interval_delta" and "interval_number" hold a Range of percentages, deltas and
      numbers; "letters" stand beside the value on their left, and rows that share one do not differ
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
