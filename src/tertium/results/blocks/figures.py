"""Figures of counts and of sentences, each with a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING

from tertium.exceptions import counted
from tertium.results.blocks.tables import Cell, Column, Kind, Missing, Table, or_missing

if TYPE_CHECKING:
    from tertium.results.figures import Figure

NOTHING = "none"  # a label on one side where the other has nothing
Stretch = tuple[int, int]  # characters of a text, end exclusive
MOST_ABREAST = 6  # bars whose numbers stand side by side


@dataclass(frozen=True, slots=True)
class Matrix:
    """Numbers by two sets of labels, drawn as a heat map where a format has pictures.

    - `rows`, `columns`: the labels; None stands for nothing on that side
    - `values`: one tuple a row; None where there can be no number
    - `row_axis`, `column_axis`: what the labels are, such as "gold label"
    - `largest`: the number that is coloured most, for matrices that are to be compared; by default
      the largest there is
    - `smallest`: the number from which colours begin; if it is not 0, the scale is drawn
    - `name`: what tells it from the other figures of a result, as a part of a file's name
    """

    rows: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    values: tuple[tuple[float | None, ...], ...]
    title: str = ""
    row_axis: str = ""
    column_axis: str = ""
    kind: Kind = "count"
    note: str = ""
    largest: float | None = None
    smallest: float = 0
    name: str = ""

    def __post_init__(self) -> None:
        _check_shape(self.values, len(self.rows), len(self.columns))

    def table(self, nothing: str = NOTHING, *, grouped: bool = True) -> Table:
        """The numbers as a table.

        `nothing` is how a label that is None is written. What the columns are stands above them,
        or in the corner where a format cannot group columns.
        """
        names = [nothing if name is None else name for name in self.columns]
        axis = self.column_axis if grouped else ""
        corner = " \\ ".join(filter(None, (self.row_axis, "" if grouped else self.column_axis)))
        return Table(
            (Column(corner), *(Column(name, axis, self.kind) for name in names)),
            tuple(
                (nothing if name is None else name, *row)
                for name, row in zip(self.rows, self.values, strict=True)
            ),
            title=self.title,
            note=self.note,
        )


@dataclass(frozen=True, slots=True)
class Hinton(Matrix):
    """A matrix drawn as squares: the area of each is its number as a share of the largest."""

    @property
    def sides(self) -> tuple[tuple[float, ...], ...]:
        """How long the sides of squares are, from 0 to 1; 0 for nothing."""
        sizes = [abs(value) for row in self.values for value in row if value]
        largest = max(sizes, default=0) if self.largest is None else self.largest
        return tuple(
            tuple(min(1.0, (abs(v) / largest) ** 0.5) if v and largest else 0.0 for v in row)
            for row in self.values
        )

    def squares(self, signs: str) -> Table:
        """Signs for squares, from none over the smallest to the largest, in place of numbers."""
        numbers = self.table()
        steps = len(signs) - 1
        return Table(
            tuple(replace(column, kind="text") for column in numbers.columns),
            tuple(
                (name[0], *(signs[ceil(steps * side - 1e-9)].strip() for side in row))
                for name, row in zip(numbers.rows, self.sides, strict=True)
            ),
            title=self.title,
            note=self.note,
        )


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars of equal length: how each of a few wholes is made up of the same categories.

    - `names`: what the bars are, such as systems
    - `values`: one tuple a bar, one number a category; None where a bar cannot have the category
    - `axis`: what the categories are; `unit`: what is counted
    - `numbers`: are they shown in a text? Not where another table there has them
    - `name`: as of a matrix
    """

    names: tuple[str, ...]
    categories: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    title: str = ""
    axis: str = "category"
    unit: str = "count"
    note: str = ""
    numbers: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        _check_shape(self.values, len(self.names), len(self.categories))
        if any(value is not None and value < 0 for row in self.values for value in row):
            raise ValueError("a part of a bar cannot be negative")

    def totals(self) -> list[float]:
        """The whole of each bar."""
        return [sum(value or 0 for value in row) for row in self.values]

    def shares(self) -> list[list[float | None]]:
        """Each category's share of its bar; None where there is no number or nothing to share."""
        return [
            [None if value is None or not total else value / total for value in row]
            for row, total in zip(self.values, self.totals(), strict=True)
        ]

    def table(self) -> Table:
        """Numbers and shares, a pair of columns a bar, and the whole in the last row; of many bars
        a row each."""
        if len(self.names) > MOST_ABREAST:
            return self._long_table()
        several = len(self.names) > 1
        columns = [Column(self.axis)]
        rows: list[list[Cell]] = [[name] for name in (*self.categories, "all")]
        for name, cells, total in zip(self.names, self._cells(), self.totals(), strict=True):
            group = name if several else ""
            columns += [Column(self.unit, group, "count"), Column("share", group, "percent")]
            whole = (total, 1.0 if total else self._empty)
            for row, pair in zip(rows, (*cells, whole), strict=True):
                row += pair
        return Table((*columns,), tuple(map(tuple, rows)), title=self.title, note=self.note)

    @property
    def _empty(self) -> Missing:
        return Missing(f"no {self.unit} to share out")

    def _cells(self) -> list[list[tuple[Cell, Cell]]]:
        """Number and share of each category of each bar."""
        return [
            [
                (n, share if total or n is None else self._empty)
                for n, share in zip(*row, strict=True)
            ]
            for *row, total in zip(self.values, self.shares(), self.totals(), strict=True)
        ]

    def _long_table(self) -> Table:
        columns = [Column("")]
        for category in self.categories:
            columns += [Column(self.unit, category, "count"), Column("share", category, "percent")]
        columns.append(Column(self.unit, "all", "count"))
        bars = zip(self.names, self._cells(), self.totals(), strict=True)
        rows = [(name, *chain.from_iterable(cells), total) for name, cells, total in bars]
        return Table((*columns,), tuple(rows), title=self.title, note=self.note)


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of different wholes: for every name a bar per series, side by side, all on one scale
    from 0 to 1.

    - `names`: what has the shares, such as pairs of labels; they stay in the order given
    - `series`: what the shares are of; the bars of the first have the full colour, others are light
    - `values`: one tuple a name, one share a series; None where there is none, for which `reason`
      says why
    - `axis`: what a name is, such as "annotator"
    - `most`: so many names are shown, the rest is counted; None for all
    - `name`: as of a matrix
    """

    names: tuple[str, ...]
    series: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    title: str = ""
    axis: str = "name"
    most: int | None = 24
    note: str = ""
    reason: str = "undefined"
    name: str = ""

    def __post_init__(self) -> None:
        _check_shape(self.values, len(self.names), len(self.series))
        if any(value is not None and not 0 <= value <= 1 for row in self.values for value in row):
            raise ValueError("a share lies between 0 and 1")

    @property
    def shown(self) -> list[tuple[str, tuple[float | None, ...]]]:
        """The names that are shown, each with its shares."""
        return [*zip(self.names, self.values, strict=True)][: self.most]

    @property
    def rest(self) -> str:
        """What is not shown, in words."""
        left = len(self.names) - len(self.shown)
        return f"and {counted(left, f'more {self.axis}')}" if left else ""

    def table(self) -> Table:
        """A row a name, a column a series."""
        columns = (Column(self.axis), *(Column(name, "", "percent") for name in self.series))
        rows = tuple(
            (name, *(or_missing(value, self.reason) for value in row)) for name, row in self.shown
        )
        return Table(columns, rows, title=self.title, omitted=self.rest, note=self.note)


@dataclass(frozen=True, slots=True)
class Intersections:
    """How many items are in which of a few sets at once, such as what each system got right.

    Drawn as bars over a grid of dots (Lex et al. 2014, "UpSet"), the most frequent combination
    first, then the one of more sets, then of earlier ones.

    - `members`: one tuple a combination, one entry a set; no combination occurs twice
    - `axis`: what it is to be in a set; `unit`: what is counted
    - `most`: so many combinations are shown, the rest is counted; None for all
    - `name`: as of a matrix
    """

    sets: tuple[str, ...]
    members: tuple[tuple[bool, ...], ...]
    counts: tuple[int, ...]
    title: str = ""
    axis: str = "right"
    unit: str = "items"
    most: int | None = 24
    note: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        _check_shape(self.members, len(self.counts), len(self.sets))
        if len(set(self.members)) < len(self.members):
            raise ValueError("a combination occurs twice")
        order = sorted(
            range(len(self.counts)),
            key=lambda i: (
                -self.counts[i],
                -sum(self.members[i]),
                [not m for m in self.members[i]],
            ),
        )
        object.__setattr__(self, "members", tuple(self.members[i] for i in order))
        object.__setattr__(self, "counts", tuple(self.counts[i] for i in order))

    @property
    def sizes(self) -> list[int]:
        """How much each set holds in all."""
        return [
            sum(n for row, n in zip(self.members, self.counts, strict=True) if row[place])
            for place in range(len(self.sets))
        ]

    @property
    def shown(self) -> int:
        """How many combinations are shown."""
        return len(self.counts) if self.most is None else min(self.most, len(self.counts))

    @property
    def rest(self) -> str:
        """What is not shown, in words."""
        left = self.counts[self.shown :]
        if not left:
            return ""
        many = "combination" if len(left) == 1 else "combinations"
        return f"and {len(left):,} rarer {many} with {sum(left):,} {self.unit}"

    def table(self) -> Table:
        """A row a combination: which sets, how many sets, how many items, and their share."""
        total = sum(self.counts)
        columns = [Column(name, self.axis, "flag") for name in self.sets]
        columns += [
            Column("sets", "", "count"),
            Column(self.unit, "", "count"),
            Column("share", "", "percent"),
        ]
        rows: list[tuple[Cell, ...]] = [
            (*map(int, row), sum(row), n, n / total if total else Missing(f"no {self.unit}"))
            for row, n in zip(self.members, self.counts, strict=True)
        ]
        return Table(
            tuple(columns),
            tuple(rows[: self.shown]),
            title=self.title,
            keys=0,
            omitted=self.rest,
            note=self.note,
        )


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure over the words of a sentence, and a table of what there is to say about it.

    - `names`: of gold and system
    - `summary`: what the table holds; it is folded up unless it `is_open`
    - `sentence`: its id; `where`: where to find it, which text has above
    - `lines`: what text has below, each in parts
    - `keep`: words that text shows whatever they are like; `is_whole`: it shows all
    - `has_legend`: are the signs of text to be explained?
    """

    figure: Figure
    rows: Table
    names: tuple[str, str] = ("gold", "system")
    title: str = ""
    summary: str = "Words"
    is_open: bool = False
    note: str = ""
    sentence: str = ""
    where: str = ""
    lines: tuple[tuple[str, ...], ...] = ()
    keep: tuple[int, ...] = ()
    is_whole: bool = False
    has_legend: bool = False

    def table(self) -> Table:
        """The table; for formats without pictures it is all there is."""
        return self.rows


@dataclass(frozen=True, slots=True)
class Underline:
    """What one side has, marked under words: where it stands in their text, and its label.

    `head` is where the head of a word in a tree stands, None for the root and for heads elsewhere.
    """

    side: str
    places: tuple[Stretch, ...]
    label: str
    head: Stretch | None = None
    has_head: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Words, and below them what each side has, in text; other formats have a table.

    - `heading`: what it is, and what else is to be said in the line above
    - `cut`: does the sentence go on before and after `text`?
    - `has_numbers`: the words are not known, and `text` has the numbers of tokens
    - `title`: what other formats have above, by default the heading
    """

    heading: tuple[str, ...]
    text: str
    marks: tuple[Underline, ...]
    cut: tuple[bool, bool] = (False, False)
    has_numbers: bool = False
    title: str = ""

    def table(self) -> Table:
        """What each side has."""
        rows = [
            (m.side, m.label, " … ".join(self.text[a:z] for a, z in m.places)) for m in self.marks
        ]
        return Table(
            (Column("side"), Column("label"), Column("words")),
            tuple(rows),
            title=self.title or "  ".join(self.heading),
        )


def _check_shape(values: Sequence[Sequence[object]], height: int, width: int) -> None:
    """Rows and columns as many as there are names for."""
    if len(values) != height or any(len(row) != width for row in values):
        raise ValueError(f"values must be {height} rows of {width}")
