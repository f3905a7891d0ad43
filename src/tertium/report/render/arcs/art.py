"""The lines of one tree as signs, with the words to their right; a mirror serves the other side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.report.render.arcs.buses import Bus
from tertium.report.render.arcs.lines import Line
from tertium.results.figures import PLACE, Link
from tertium.results.items import ROOT
from tertium.results.scenes import OUTSIDE

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_ACROSS = _LEFT | _RIGHT


@dataclass(frozen=True)
class Signs:
    """What trees are drawn with. Signs of differences stand beside what differs.

    - `lines`: by the directions that meet in a cell, as sums of up 1, down 2, left 4, right 8
    - `entered`: the same where a line enters a head's bus and levels have no room between
    - `arrow`, `root`: whole where both trees agree on the head, hollow where they do not
    - `beyond`: a line to a bus that is left out; `dotted`: to a head in another sentence
    """

    lines: str = " ╵╷│─┘┐┤─└┌├─┴┬┼"
    entered: str = " ╵╷│─┘┐┤─└┌├─┷┯┿"
    arrow: str = "►▷"
    root: str = "●○"
    circle: str = "↻"
    beyond: str = "‹"
    dotted: str = "┄"
    differs: str = "≠"
    only_gold: str = "−"
    only_system: str = "+"
    cut: str = "…"

    def of(self, what: str | None) -> str:
        """The sign of an outcome, or of a side that has a word alone."""
        if what in ("missing", "gold"):
            return self.only_gold
        if what in ("extra", "system"):
            return self.only_system
        return self.differs if what == "wrong" else " "


UNICODE = Signs()
ASCII = Signs(
    lines=" '.|-'.+-'.+-++|",
    entered=" '.|-'.+-'.+-^v#",
    arrow=">*",
    root="oO",
    circle="%",
    beyond="{",
    dotted=":",
    differs="!",
    only_gold="-",
    only_system="+",
    cut="~",
)
_MIRROR = str.maketrans("┌┐└┘├┤►◄▷◁‹›><{}", "┐┌┘└┤├◄►◁▷›‹<>}{")


def mirrored(text: str) -> str:
    """The drawing for the other side of the words."""
    return text[::-1].translate(_MIRROR)


@dataclass(frozen=True)
class Scale:
    """How much is drawn: cells a level (2 or 1), and the outermost level that there is room for.

    `margin` is the number of cells outside of all levels, for lines that lead out of the drawing.
    """

    step: int
    levels: int
    margin: int = 0

    @property
    def width(self) -> int:
        """Cells in all. Two cells a level leave room for arrows, one does not."""
        return max(self.levels * self.step + (self.step == 1), 1) + self.margin


@dataclass(frozen=True)
class Tree:
    """One side: the links to its words by row, the heads' buses, and the lines of the drawing."""

    heads: Mapping[int, Link]
    buses: Mapping[int, Bus]
    lines: Sequence[Line]

    @property
    def levels(self) -> int:
        """How many levels the buses take."""
        return max((bus.level for bus in self.buses.values()), default=0)

    @property
    def leads_out(self) -> bool:
        """Is a head in another sentence?"""
        return any(link.source == OUTSIDE for link in self.heads.values())


class Art:
    """One tree as signs; every line is `scale.width` cells wide."""

    def __init__(self, tree: Tree, scale: Scale, signs: Signs) -> None:
        self.tree, self.scale, self.signs = tree, scale, signs
        self.column = {
            row: scale.margin + (scale.levels - bus.level) * scale.step
            for row, bus in tree.buses.items()
            if bus.level <= scale.levels
        }

    def lines(self) -> list[tuple[str, int]]:
        """The signs of every line, and from which column on they belong to the line's word."""
        cells = [bytearray(self.scale.width) for _ in self.tree.lines]
        for row, column in self.column.items():
            bus = self.tree.buses[row]
            cells[bus.first][column] |= _DOWN
            cells[bus.last][column] |= _UP
            for number in range(bus.first + 1, bus.last):
                cells[number][column] |= _UP | _DOWN
        return [self._line(*each) for each in zip(cells, self.tree.lines, strict=True)]

    def _line(self, cells: bytearray, line: Line) -> tuple[str, int]:
        width, signs = len(cells), self.signs
        if not line.is_row:
            return "".join([signs.lines[cell] for cell in cells]), width
        over: dict[int, str] = {}
        begin, end = width, width  # of the line from the head, which ends at the own bus or word
        own = self._column(line.first)
        if own is not None:
            begin = self._across(cells, over, own, width)
            end = own if own > 0 and self.scale.step > 1 else width
        link = self.tree.heads.get(line.first)
        kind = 1 if link and PLACE in link.parts else 0
        if link is None:
            pass
        elif link.source == line.first:
            over[width - 1] = signs.circle
        elif link.source >= 0:
            column = self._column(link.source)
            assert column is not None
            if own is not None and column >= own:
                end = width  # on a cycle each of two levels would have to be outside the other
            begin = min(begin, self._across(cells, over, column, end))
            over[end - 1] = signs.arrow[kind]
        elif link.source == OUTSIDE:
            begin = 0
            for column in range(end):
                if cells[column]:
                    cells[column] |= _ACROSS
                else:
                    over[column] = signs.dotted
            over[end - 1] = signs.arrow[kind]
        elif link.source == ROOT:
            over[width - 1] = signs.root[kind]
        text = [signs.lines[cell] for cell in cells]
        if own is not None and own >= 0 and end == width:
            text[own] = signs.entered[cells[own]]
        for column, sign in over.items():
            text[column] = sign
        return "".join(text), begin

    def _column(self, row: int) -> int | None:
        """Where a row's bus is; -1 if there is no room for it, None if the row has none."""
        return self.column.get(row, -1) if row in self.tree.buses else None

    def _across(self, cells: bytearray, over: dict[int, str], start: int, end: int) -> int:
        """A line from a bus, or from the edge if that is left out, towards the word."""
        if start < 0:
            over[0] = self.signs.beyond
        else:
            cells[start] |= _RIGHT
        for column in range(start + 1, end):
            cells[column] |= _ACROSS
        return max(start, 0)
