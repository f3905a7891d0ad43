"""A canvas of characters, on which figures for terminals are drawn, and its axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from rich.cells import cell_len
from rich.text import Text as Line

from tertium.report.scales import Scale
from tertium.results.texts import COLOURS


@dataclass(frozen=True)
class Signs:
    """What lines and points are made of.

    - `several`: a place where points of several curves fall together
    - `join`: between points; `leader`: from a name to its point
    - `across`, `upright`, `corner`, `tick`: of axes; `begin`, `end`: of a bar
    - `over`, `under`: a value above or below what the axis shows
    """

    markers: str
    several: str
    join: str
    leader: str
    threshold: str
    mark: str
    shade: str
    across: str
    upright: str
    corner: str
    tick: str
    begin: str
    end: str
    over: str
    under: str
    cut: str

    def marker(self, place: int) -> str:
        """The sign of a curve; letters come to help where signs run out."""
        signs = self.markers + ascii_lowercase
        return signs[place % len(signs)]


UNICODE = Signs(
    "●○▲△■□◆◇", "✱", "·", "·", "─", "┆", "░", "─", "│", "└", "┴", "├", "┤", "↑", "↓", "…"
)
ASCII = Signs("ox+@%&=~", "*", "'", ".", "-", ":", ".", "-", "|", "+", "+", "|", "|", "^", "v", "~")


def signs_of(*, ascii: bool) -> Signs:
    """Signs that the terminal can show."""
    return ASCII if ascii else UNICODE


def colour(place: int) -> str:
    """The colour of a curve."""
    return COLOURS[place % len(COLOURS)]


class Canvas:
    """Cells by column and row; row 0 is the lowest. What is put later hides what was there."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def put(self, column: int, row: int, sign: str, style: str = "") -> None:
        """One sign."""
        self._cells[column, row] = sign, style

    def column(self, scale: Scale, value: float) -> int:
        """The column in which a value falls on a scale across the canvas."""
        return round(scale.place(value) * (self.width - 1))

    def row(self, scale: Scale, value: float) -> int:
        """The row in which a value falls on a scale up the canvas."""
        return round(scale.place(value) * (self.height - 1))

    def line(self, row: int) -> Line:
        """One row of cells."""
        line = Line()
        for column in range(self.width):
            sign, style = self._cells.get((column, row), (" ", ""))
            line.append(sign, style=style or None)
        return line


def axis_below(
    scale: Scale,
    canvas: Canvas,
    signs: Signs,
    *,
    begin: str,
    left: int,
    right: int,
    ticks: Sequence[float] | None = None,
) -> Iterator[Line]:
    """A line with ticks, and the numbers below it, of which none runs into its neighbour.

    `begin` stands in front of the line, `left` cells before the canvas and `right` cells after it
    may be used by numbers.
    """
    ticks = scale.ticks(max(canvas.width // 10, 2)) if ticks is None else ticks
    ticks = sorted(ticks, key=scale.place)
    places = [canvas.column(scale, tick) for tick in ticks]
    shown: dict[int, str] = {}
    free = -left
    for place, label in zip(places, scale.labels(ticks), strict=True):
        start = max(place - (cell_len(label) - 1) // 2, -left)
        start = min(start, canvas.width + right - cell_len(label))
        if start >= free:
            shown[start] = label
            free = start + cell_len(label) + 2
    line = [signs.across] * canvas.width
    for place in places:
        line[place] = signs.tick
    yield Line(" " * (left - len(begin)) + begin + "".join(line))
    yield Line(_set(shown, left))


def _set(texts: dict[int, str], left: int) -> str:
    """Texts at their columns."""
    line = ""
    for start, text in sorted(texts.items()):
        line += " " * (left + start - cell_len(line)) + text
    return line


def shortened(text: str, room: int, signs: Signs) -> str:
    """The text, or its beginning and a sign that something is cut off."""
    if cell_len(text) <= room:
        return text
    kept = ""
    for letter in text:
        if cell_len(kept + letter) > room - 1:
            break
        kept += letter
    return kept + signs.cut
