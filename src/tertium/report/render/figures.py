"""Figures for terminals and logs: arcs around a column of words, all else over lines of words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tertium.report.render.arcs.art import ASCII, UNICODE
from tertium.report.render.arcs.page import Page
from tertium.report.render.brackets import Brackets
from tertium.results.figures import PLACE, Figure
from tertium.results.scenes import OUTSIDE
from tertium.results.texts import Piece, visible

_COLOURS = {"gold": "94", "system": "33", "mark": "1", "faint": "2"}


@dataclass(frozen=True)
class FigureText:
    """How figures are drawn as text at most `width` cells wide (not less than 40).

    `whole` draws every word, also in long runs that are alike.
    """

    width: int = 80
    color: bool = False
    ascii: bool = False
    whole: bool = False

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
        if not figure.has_heads:
            lines = [*Brackets(self, figure, names, keep).lines()]
        else:
            page = Page(self, figure, names, keep)
            sides = ("gold", "system") if figure.has_system else ("gold",)
            if page.leftward:
                lines = [line for side in sides for line in page.lines((side,))]
            else:
                lines = [*page.lines(sides)]
        return "".join(f"{self._painted(line)}\n" for line in lines)

    def legend(self, figures: Sequence[Figure], drawn: str = "") -> str:
        """What the signs mean that the drawings of some figures have; empty where all are plain."""
        signs = ASCII if self.ascii else UNICODE
        alone = {f.only_in(place) for f in figures for place in range(len(f.words))}
        errors = [shape for f in figures for shape in f.errors]
        alone |= {"gold" for shape in errors if shape.outcome == "missing"}
        alone |= {"system" for shape in errors if shape.outcome == "extra"}
        wrong = [shape for shape in errors if shape.outcome == "wrong"]
        arcs = [link for f in figures if f.has_heads for link in f.links]
        moved = any(PLACE in link.parts for link in arcs if link.outcome == "wrong")
        leads_out = any(link.source == OUTSIDE for link in arcs)
        told = (
            (f"{signs.differs} {'head or relation ' if arcs else ''}differs", bool(wrong)),
            (f"{signs.arrow[1]} {signs.root[1]} another head", moved),
            (f"{signs.only_gold} only in gold", "gold" in alone),
            (f"{signs.only_system} only in the system", "system" in alone),
            (f"{signs.dotted}{signs.arrow[0]} head in another sentence", leads_out),
            (f"{signs.beyond} no room for the line, (n) is its head", signs.beyond in drawn),
        )
        lines = [""]
        for text in (text for text, there in told if there):
            joined = f"{lines[-1]}   {text}" if lines[-1] else text
            lines = [*lines[:-1], joined] if len(joined) <= self.width else [*lines, text]
        return "\n".join(lines)

    def show(self, text: str) -> str:
        """Text that cannot move the cursor; in ASCII with escapes, so that columns stay true."""
        text = visible(text)
        return text.encode("ascii", "backslashreplace").decode() if self.ascii else text

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
