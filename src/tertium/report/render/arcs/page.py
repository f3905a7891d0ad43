"""The arcs of both sides with the words between them, fitted to the width of a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tertium.report.render.arcs.art import ASCII, UNICODE, Art, Scale, Tree, mirrored
from tertium.report.render.arcs.buses import buses_of
from tertium.report.render.arcs.lines import Line, lines_of
from tertium.results.figures import LABEL, PLACE, SYSTEM, Figure, Link
from tertium.results.items import NOWHERE
from tertium.results.texts import Piece, counted, cut_to, fitted, runs_right_to_left

if TYPE_CHECKING:
    from tertium.report.render.figures import FigureText

NARROWEST = 40
# Cells of words and relations at most, and cells a level: what is tried, one after the other.
_TRIED = ((24, 14, 2), (14, 10, 2), (14, 10, 1), (10, 8, 1))
# Where levels are left out: cells of words and relations, until so many levels a side can be drawn.
_CUT, _LEAST = ((14, 10), (10, 7), (6, 4)), 4


@dataclass(frozen=True)
class _Fit:
    """Cells of the words and relations, and how much is drawn of each side's tree."""

    word: int
    relation: int
    scales: tuple[Scale, ...]


class Page:
    """What stands on the lines of one drawing."""

    def __init__(
        self, look: FigureText, figure: Figure, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.figure, self.show = figure, look.show
        self.names = {"gold": look.show(names[0]), "system": look.show(names[1])}
        self.signs = ASCII if look.ascii else UNICODE
        self.width = max(look.width, NARROWEST)
        self.folded = lines_of(figure, whole=look.whole, keep=keep)
        shown = [line.first for line in self.folded if line.is_row]
        self.words = [figure.word(place) for place in shown]
        self.links = [heads[place] for place in shown for heads in figure.heads if place in heads]
        self.leftward = any(runs_right_to_left(word.form) for word in self.words)
        self.counts = {line: self._count(line) for line in self.folded if not line.is_row}
        rows = [[side[place] for side in figure.tokens] for place in shown]
        numbers = [[word.number for word in row if word] for row in rows]
        self.digits = len(str(max((n for row in numbers for n in row), default=0)))
        # Behind words that run from right to left nothing would stay in its place.
        self.tags = not figure.has_system and not self.leftward
        # Each side has its numbers beside the word where they are not the same.
        self.apart = any(
            not row[0] or len({*of}) > 1 for row, of in zip(rows, numbers, strict=True)
        )

    def lines(self, sides: Sequence[str]) -> Iterator[list[Piece]]:
        """Every line with one side at the left of the words, or with both around them."""
        trees = [self._tree(side) for side in sides]
        fit = self._fit(trees)
        if self.figure.has_system:
            yield self._header(sides, fit)
        arts = [
            Art(tree, scale, self.signs).lines()
            for tree, scale in zip(trees, fit.scales, strict=True)
        ]
        beyond = [
            {row for row, bus in tree.buses.items() if bus.level > scale.levels}
            for tree, scale in zip(trees, fit.scales, strict=True)
        ]
        for number, line in enumerate(self.folded):
            art, begin = arts[0][number]
            differs = line.is_row and self._differs(line.first, PLACE)
            colour = sides[0] if differs else ""
            pieces = [(art[:begin], ""), (art[begin:], colour)]
            if line.is_row:
                pieces += self._middle(line.first, sides, fit, beyond)
            else:
                room = self._room(fit.word, fit.relation, len(sides)) - 1
                pieces.append((" " + fitted(self.counts[line], room, self.signs.cut), "faint"))
            if len(sides) == 2:
                art, begin = arts[1][number]
                colour = "system" if differs else ""
                pieces += [(mirrored(art[begin:]), colour), (mirrored(art[:begin]), "")]
            yield pieces

    def _tree(self, side: str) -> Tree:
        links = self.figure.heads[side == SYSTEM]
        rows = range(len(self.figure.words))
        sources = [links[row].source if row in links else NOWHERE for row in rows]
        return Tree(heads=links, buses=buses_of(sources, self.folded), lines=self.folded)

    def _differs(self, place: int, part: str) -> bool:
        """Is a part of a link to this word wrong?"""
        return any(place in heads and part in heads[place].parts for heads in self.figure.heads)

    def _fit(self, trees: Sequence[Tree]) -> _Fit:
        """Everything if there is room, else less and less of it: at last the outermost levels."""
        sides = len(trees)
        words = max((cell_len(self.show(word.form)) for word in self.words), default=1)
        relations = max((cell_len(self.show(link.label)) for link in self.links), default=1)
        counts = max((cell_len(text) + 2 for text in self.counts.values()), default=0)

        def columns(most_word: int, most_relation: int) -> tuple[int, int, int]:
            word, relation = min(words, most_word), min(relations, most_relation)
            word += max(counts - self._room(word, relation, sides), 0)
            return word, relation, self.width - self._room(word, relation, sides)

        for most_word, most_relation, step in _TRIED:
            word, relation, room = columns(most_word, most_relation)
            scales = [Scale(step, tree.levels, step * tree.leads_out) for tree in trees]
            if sum(scale.width for scale in scales) <= room:
                return _Fit(word, relation, tuple(scales))
        # Words whose arc is left out have the number of the head behind the relation.
        number = self.digits + len("()")
        outside = sides * Scale(1, 0, margin=1).width
        for most_word, most_relation in _CUT:
            word, relation, room = columns(most_word, most_relation)
            relation += number
            room -= sides * number + outside
            if room >= _LEAST * sides:
                break
        levels = [0] * sides
        for _ in range(room):
            lacking = [tree.levels - now for tree, now in zip(trees, levels, strict=True)]
            if max(lacking):
                levels[lacking.index(max(lacking))] += 1
        return _Fit(word, relation, tuple(Scale(1, level, margin=1) for level in levels))

    def _room(self, word: int, relation: int, sides: int) -> int:
        """Cells of everything that is no tree."""
        left = 1 + relation + 2 * self.figure.has_system + 1 + self.digits + 1 + word
        if sides < 2:
            tags = [cell_len(self.show(word.upos or "")) for word in self.words]
            return left + (1 + max(tags, default=0)) * self.tags
        return left + (1 + self.digits) * self.apart + 1 + relation + 1

    def _header(self, sides: Sequence[str], fit: _Fit) -> list[Piece]:
        if len(sides) < 2:
            return [(fitted(self.names[sides[0]], self.width, self.signs.cut), "mark")]
        before = fit.scales[0].width + self._room(fit.word, fit.relation, 2) - fit.relation - 1
        rest = self.width - before
        return [
            (fitted(self.names["gold"], before - 1, self.signs.cut) + " ", "mark"),
            (fitted(self.names["system"], rest, self.signs.cut), "mark"),
        ]

    def _middle(
        self, place: int, sides: Sequence[str], fit: _Fit, beyond: Sequence[Collection[int]]
    ) -> Iterator[Piece]:
        """Relation, sign of a difference, number, word, and the same of the other side."""
        word, only = self.figure.word(place), self.figure.only_in(place)
        gold, system = self.figure.heads[0].get(place), self.figure.heads[1].get(place)
        token = self.figure.tokens[sides[0] == SYSTEM][place]
        colour = sides[0] if self._differs(place, LABEL) else ""
        first = gold if sides[0] == "gold" else system
        yield " " + self._relation(first, fit.relation, beyond[0]), colour
        if self.figure.has_system:
            errors = [link for link in (gold, system) if link and link.is_error]
            sign = self.signs.of(only or (errors[0].outcome if errors else None))
            yield f" {sign}", "mark"
        yield f" {token.number if token else '':>{self.digits}} ", ""
        yield fitted(self.show(word.form), fit.word, self.signs.cut), only
        if len(sides) < 2:
            if self.tags:
                yield f" {self.show(word.upos or '')}", "faint"
            return
        if self.apart:
            token = self.figure.tokens[1][place]
            yield f" {token.number if token else '':>{self.digits}}", ""
        colour = "system" if self._differs(place, LABEL) else ""
        yield f" {self._relation(system, fit.relation, beyond[1])} ", colour

    def _relation(self, link: Link | None, room: int, beyond: Collection[int]) -> str:
        if link is None:
            return " " * room
        text = self.show(link.label)
        if link.source in beyond:
            number = f"({link.number})"
            return fitted(cut_to(text, room - len(number), self.signs.cut) + number, room, "")
        return fitted(text, room, self.signs.cut)

    def _count(self, line: Line) -> str:
        if line.is_rest:
            return f"{self.signs.cut} {counted(line.count, 'more word')}, not drawn"
        return f"{self.signs.cut} {counted(line.count, 'other word')}"
