"""What a cell of a table can hold, and what a column says about its cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast

from tertium.results.parts import PartKind, Way

Kind = Literal[
    "text", "percent", "count", "value", "number", "flag", "p", "letters",
    "delta", "count_delta", "value_delta",
    "interval", "interval_count", "interval_value", "interval_number",
    "interval_delta", "interval_count_delta", "interval_value_delta",
]  # fmt: skip
Form = Literal["percent", "delta", "interval", "interval_delta"]
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist, and why: shown as a dash with a footnote."""

    reason: str


@dataclass(frozen=True, slots=True)
class Range:
    """An interval. A bound that does not exist makes the whole interval Missing. `kind` is its own
    one, where the rows of a column are of different kinds."""

    low: float
    high: float
    kind: Kind | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise ValueError(f"an interval from {self.low} to {self.high} has no ends")
        if self.low > self.high:
            raise ValueError(f"an interval cannot go from {self.low} down to {self.high}")


class Amount(float):
    """A number that has a kind of its own, where the rows of a column are of different kinds."""

    kind: Kind

    def __new__(cls, value: float, kind: Kind) -> Amount:
        made = super().__new__(cls, value)
        made.kind = kind
        return made


Cell = str | int | float | Range | Missing | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    - `group`: what stands above several neighbouring columns, such as the metric
    - `kind`: "percent" and "delta" are fractions shown times 100 (a delta with its sign), "count" a
      whole number, "value" what a measure has that is neither, "flag" 1 or 0 shown as a dot or
      nothing, "p" a p-value, "number" any other; "count_delta" and "value_delta" have a sign;
      "interval" holds a Range of percentages, and "interval_..." one of that kind; "letters" stand
      beside the value on their left, and rows that share one do not differ
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


def is_interval(kind: Kind) -> bool:
    """Does a column of that kind hold intervals?"""
    return kind.startswith("interval")


def kind_of(part: PartKind, form: Form = "percent") -> Kind:
    """The kind in which parts of a kind are shown: what a share has as `form`, others have in their
    own way.

    >>> kind_of("share", "delta"), kind_of("mean", "delta")
    ('delta', 'value_delta')
    """
    if part == "share":
        return form
    own = "count" if part == "count" else "value"
    names = {
        "percent": own,
        "delta": f"{own}_delta",
        "interval": f"interval_{own}",
        "interval_delta": f"interval_{own}_delta",
    }
    return cast(Kind, names[form])


def better_of(way: Way) -> Better | None:
    """Which values win, as columns have it."""
    return None if way == "none" else way


def own_kind(value: Cell, part: PartKind, column: Column) -> Cell:
    """A number or interval of such a part in a column that may be made for parts of another kind.

    >>> own_kind(0.5, "mean", Column("change", kind="delta")).kind
    'value_delta'
    """
    signed, ends = column.kind.endswith("delta"), is_interval(column.kind)
    form: Form = ("interval_delta" if ends else "delta") if signed else "percent"
    kind = kind_of(part, "interval" if ends and not signed else form)
    if kind == column.kind:
        return value
    if isinstance(value, Range):
        return Range(value.low, value.high, kind)
    return Amount(value, kind) if isinstance(value, int | float) else value
