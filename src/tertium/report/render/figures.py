"""Figures for terminals and logs: arcs around a column of words, constituents as indented trees,
all else over lines of words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from tertium.report.layout import MOST, SHORT, extent, halves, stacked
from tertium.report.render.arcs import NARROWEST, ArcPage
from tertium.report.render.signs import TextLook
from tertium.report.render.tree import TreePage
from tertium.results.figures import PLACE, Box, Figure, Link, Shape
from tertium.results.items import ROOT, runs
from tertium.results.scenes import OUTSIDE
from tertium.results.texts import Piece, counted, cut_to, fitted, runs_right_to_left

_LONGEST = 16  # cells of the name of a side
_Row = list[tuple[Shape, str]]  # of one level, with the text of each label
_COLOURS = {"gold": "94", "system": "33", "mark": "1", "faint": "2"}


class FigureText(TextLook):
    """How figures are drawn as text; a `width` of less than 40 cells is taken for 40."""

    def draw(
        self,
        figure: Figure,
        *,
        names: tuple[str, str] = ("gold", "system"),
        keep: Collection[int] = (),
    ) -> str:
        """A figure; the words of `keep` are shown whatever they are like.

        Where words run from right to left a terminal may turn them around, and with them what
        stands beside them: there the sides stand below each other and words last in their lines.
        """
        lines: Sequence[list[Piece]]
        if figure.nodes:
            lines = [*TreePage(self, figure, names).lines()]
        elif not figure.has_heads:
            lines = [*_Brackets(self, figure, names, keep).lines()]
        else:
            page = ArcPage(self, figure, names, keep)
            sides = ("gold", "system") if figure.has_system else ("gold",)
            if page.leftward:
                lines = [line for side in sides for line in page.lines((side,))]
            else:
                lines = [*page.lines(sides)]
        return "".join(f"{self._painted(line)}\n" for line in lines)

    def legend(self, figures: Sequence[Figure], drawn: str = "") -> str:
        """What the signs mean that the drawings of some figures have; empty where all are plain."""
        signs = self.signs
        alone = {f.only_in(place) for f in figures for place in range(len(f.words))}
        errors = [shape for f in figures for shape in f.errors]
        alone |= {"gold" for shape in errors if shape.outcome == "missing"}
        alone |= {"system" for shape in errors if shape.outcome == "extra"}
        wrong = [shape for shape in errors if shape.outcome == "wrong"]
        excused = any(shape.outcome == "excused" for f in figures for shape in f.shapes)
        arcs = [link for f in figures if f.has_heads for link in f.links]
        moved = any(PLACE in link.parts for link in arcs if link.outcome == "wrong")
        leads_out = any(link.source == OUTSIDE for link in arcs)
        told = (
            (f"{signs.differs} {'head or relation ' if arcs else ''}differs", bool(wrong)),
            (f"{signs.arrow[1]} {signs.root[1]} different head", moved),
            (f"{signs.only_gold} only in gold", "gold" in alone),
            (f"{signs.only_system} only in the system", "system" in alone),
            (f"{signs.excused} only on one side, but not an error", excused),
            (f"{signs.dotted}{signs.arrow[0]} head outside the sentence", leads_out),
            (f"{signs.beyond} no room for the line; (n) is the head", signs.beyond in drawn),
        )
        lines = [""]
        for text in (text for text, there in told if there):
            joined = f"{lines[-1]}   {text}" if lines[-1] else text
            lines = [*lines[:-1], joined] if len(joined) <= self.width else [*lines, text]
        return "\n".join(lines)

    def _painted(self, pieces: Sequence[Piece]) -> str:
        if not self.color:
            return "".join([text for text, _ in pieces]).rstrip()
        parts = []
        for text, colour in pieces:
            bare = text.strip()
            if colour and bare:
                text = text.replace(bare, f"\x1b[{_COLOURS[colour]}m{bare}\x1b[0m", 1)
            parts.append(text)
        return "".join(parts).rstrip()


class _Brackets:
    """Boxes and links over lines of words: gold above, what only the system has below.

    The lines are as wide as the look has it; only unbroken words may be wider.
    """

    def __init__(
        self, look: TextLook, figure: Figure, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.whole, self.figure, self.show = figure, figure.cut(MOST), look.show
        self.signs = look.signs
        self.names = [cut_to(look.show(name), _LONGEST, self.signs.cut) for name in names]
        self.indent = max(map(cell_len, self.names)) + 2 if figure.has_system else 0
        self.room = max(look.width, NARROWEST) - self.indent
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
            before = self.signs.root[0] if shape.source == ROOT else self.signs.dotted
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
            yield from self._line(row, self.names[0], self.signs.above, first, end)
        forms = zip(self.figure.words[first:end], self.sizes[first:end], strict=True)
        colours = (self.figure.only_in(place) for place in range(first, end))
        words = [(fitted(self.show(form), size + 1, ""), colour)
                 for (form, size), colour in zip(forms, colours, strict=True)]  # fmt: skip
        yield [(" " * self.indent, ""), *words]
        for row in below:
            yield from self._line(row, self.names[1], self.signs.below, first, end)

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
            self.signs.line if any(a <= column < z for a, z in covered) else self.signs.dotted
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
