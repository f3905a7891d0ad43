"""Boxes, nodes and links over lines of words: gold above, what only the system has below."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tertium.report.layout import MOST, extent, halves, stacked
from tertium.report.render.arcs.art import ASCII, UNICODE
from tertium.results.figures import Box, Figure, Link, Shape
from tertium.results.items import ROOT, runs
from tertium.results.texts import Piece, counted, cut_to, fitted, runs_right_to_left

if TYPE_CHECKING:
    from tertium.report.render.figures import FigureText

SHORT = 15  # words of a sentence that is drawn whole in any case
_LONGEST = 16  # cells of the name of a side
_Row = list[tuple[Shape, str]]  # of one level, with the text of each label


@dataclass(frozen=True)
class _Signs:
    """Corners above and below the words, lines, gaps, arrows above and below."""

    above: str = "┌┐▼"
    below: str = "└┘▲"
    line: str = "─"
    gap: str = "┄"


class Brackets:
    """The lines of one figure, as wide as the look has it; only unbroken words may be wider."""

    def __init__(
        self, look: FigureText, figure: Figure, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.whole, self.figure, self.show = figure, figure.cut(MOST), look.show
        self.signs = ASCII if look.ascii else UNICODE
        self.art = _Signs("..v", "''^", "-", ":") if look.ascii else _Signs()
        self.names = [cut_to(look.show(name), _LONGEST, self.signs.cut) for name in names]
        self.indent = max(map(cell_len, self.names)) + 2 if figure.has_system else 0
        self.room = max(look.width, 40) - self.indent
        size = len(self.figure.words)
        self.halves = [self._rows(half, size) for half in halves(self.figure.shapes)]
        self.starts, self.sizes = self._columns()
        # As in arcs, only what is alike in long sentences is left out.
        self.folds = not look.whole and size > SHORT and bool(figure.errors)
        self.kept = {*keep} | {
            place for shape in self.figure.errors for place in range(*extent(shape))
        }

    def lines(self) -> Iterator[list[Piece]]:
        """The words in as many lines as they need, with what stands over and under them."""
        if any(map(runs_right_to_left, self.figure.words)):
            yield from self._listed()
        else:
            chunks = [*self._chunks()]
            for is_shown, group in groupby(chunks, lambda chunk: self._is_shown(*chunk)):
                there = [*group]
                if is_shown:
                    for number, chunk in enumerate(there):
                        yield from [[]] if number else []
                        yield from self._chunk(*chunk)
                else:
                    count = there[-1][1] - there[0][0]
                    text = f"{self.signs.cut} {counted(count, 'other word')}"
                    yield [(" " * self.indent + text, "faint")]
        if rest := len(self.whole.words) - len(self.figure.words):
            yield [(f"{self.signs.cut} {counted(rest, 'more word')}, not drawn", "faint")]

    def _rows(self, shapes: Sequence[Shape], size: int) -> list[_Row]:
        """What stands at each level, 1 first, in the order of the text."""
        found: dict[int, _Row] = {}
        for shape, level in stacked(shapes, size):
            found.setdefault(level, []).append((shape, self._label(shape)))
        return [sorted(found[n], key=lambda each: extent(each[0])) for n in sorted(found)]

    def _label(self, shape: Shape) -> str:
        sign = self.signs.of(shape.outcome).strip()
        before = ""
        if isinstance(shape, Link) and shape.source < 0:
            before = self.signs.root[0] if shape.source == ROOT else self.art.gap
        return before + self.show(shape.label) + (f" {sign}" if sign else "")

    def _columns(self) -> tuple[list[int], list[int]]:
        """Where the words begin and how wide they are, so that labels have room over them."""
        ending: dict[int, list[tuple[int, int]]] = {}
        for shape, text in (each for half in self.halves for row in half for each in row):
            first, end = extent(shape)
            ends = 2 if end - first > 1 else 0
            ending.setdefault(end - 1, []).append((first, cell_len(text) + ends))
        starts, sizes, at = [], [], 0
        for place, word in enumerate(self.figure.words):
            starts.append(at)
            needs = [starts[first] + cells - at for first, cells in ending.get(place, ())]
            sizes.append(max([cell_len(self.show(word)), 1, *needs]))
            at += sizes[-1] + 1
        return starts, sizes

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Words that fit on a line: the first, and the one behind the last."""
        first = 0
        for place, (start, size) in enumerate(zip(self.starts, self.sizes, strict=True)):
            if place > first and start + size - self.starts[first] > self.room:
                yield first, place
                first = place
        if self.starts:
            yield first, len(self.starts)

    def _is_shown(self, first: int, end: int) -> bool:
        return not self.folds or not self.kept.isdisjoint(range(first, end))

    def _chunk(self, first: int, end: int) -> Iterator[list[Piece]]:
        above, below = self.halves
        for row in reversed(above):
            yield from self._line(row, self.names[0], self.art.above, first, end)
        forms = zip(self.figure.words[first:end], self.sizes[first:end], strict=True)
        colours = (self.figure.only_in(place) for place in range(first, end))
        words = [(fitted(self.show(form), size + 1, ""), colour)
                 for (form, size), colour in zip(forms, colours, strict=True)]  # fmt: skip
        yield [(" " * self.indent, ""), *words]
        for row in below:
            yield from self._line(row, self.names[1], self.art.below, first, end)

    def _line(
        self, row: _Row, name: str, corners: str, first: int, end: int
    ) -> Iterator[list[Piece]]:
        """The shapes of one level as far as they stand over these words; none if none does."""
        pieces: list[Piece] = []
        at = self.starts[first]
        for shape, label in row:
            low, high = extent(shape)
            if high <= first or low >= end:
                continue
            begin = self.starts[max(low, first)]
            last = min(high, end) - 1
            cells = self._drawn(shape, label, corners, begin, self.starts[last] + self.sizes[last])
            pieces.append((" " * (begin - at), ""))
            pieces.append((cells, shape.side if shape.is_error else ""))
            at = begin + cell_len(cells)
        if pieces:
            side = fitted(name, self.indent, "") if self.indent else ""
            yield [(side, "mark"), *pieces]

    def _drawn(self, shape: Shape, label: str, corners: str, begin: int, end: int) -> str:
        """A shape between two columns; one that goes on in another line has no corner there."""
        low, high = extent(shape)
        if high - low == 1:
            return label
        opens, closes = (
            self.starts[low] == begin,
            self.starts[high - 1] + self.sizes[high - 1] == end,
        )
        left, right, arrow = (*corners,)
        if isinstance(shape, Link):
            left, right = (left, arrow) if shape.source == low else (arrow, right)
            covered = [(begin, end)]
        elif isinstance(shape, Box):
            covered = [
                (self.starts[a], self.starts[z] + self.sizes[z]) for a, z in runs(shape.places)
            ]
        head = left + label if opens else ""
        body = "".join(
            self.art.line if any(a <= column < z for a, z in covered) else self.art.gap
            for column in range(begin + cell_len(head), end - closes)
        )
        return head + body + (right if closes else "")

    def _listed(self) -> Iterator[list[Piece]]:
        """Every shape in a line of its own, its words last: signs over words that a terminal turns
        around would point at others."""
        yield [(self.show(" ".join(self.figure.words)), "")]
        for name, half in zip(self.names, self.halves, strict=True):
            for shape, text in sorted(
                (each for row in half for each in row), key=lambda each: extent(each[0])
            ):
                side = fitted(name, self.indent, "") if self.indent else ""
                said = self.show(shape.text)
                yield [
                    (side, "mark"),
                    (text, shape.side if shape.is_error else ""),
                    (f"  {said}", ""),
                ]
