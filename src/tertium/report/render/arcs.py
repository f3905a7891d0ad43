"""Heads of words for terminals and logs: one word per line, gold to its left, system to its right.

Each side's heads are upright lines at levels (`report/layout.py`), drawn with the words to their
right; a mirror serves the other side. A page has both sides, fitted to the width of a terminal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tertium.report.layout import WordLine, buses_of, lines_of
from tertium.report.render.signs import Signs, TextLook
from tertium.results.figures import GOLD, LABEL, PLACE, SYSTEM, Figure, Link
from tertium.results.items import NOWHERE, ROOT
from tertium.results.scenes import OUTSIDE
from tertium.results.texts import Piece, counted, cut_to, fitted, runs_right_to_left

NARROWEST = 40
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_ACROSS = _LEFT | _RIGHT
# Cells of words and relations at most, and cells a level: what is tried, one after the other.
_TRIED = ((24, 14, 2), (14, 10, 2), (14, 10, 1), (10, 8, 1))
# Where levels are left out: cells of words and relations, until so many levels a side can be drawn.
_CUT, _LEAST = ((14, 10), (10, 7), (6, 4)), 4


_MIRROR = str.maketrans("┌┐└┘├┤►◄▷◁‹›><{}", "┐┌┘└┤├◄►◁▷›‹<>}{")


def mirrored(text: str) -> str:
    """The drawing for the other side of the words."""
    return text[::-1].translate(_MIRROR)


@dataclass(frozen=True)
class Room:
    """How much is drawn: cells per level (2 or 1), and the outermost level that there is room for.

    `margin` is the number of cells outside of all levels, for lines that lead out of the drawing.
    """

    step: int
    levels: int
    margin: int = 0

    @property
    def width(self) -> int:
        """Cells in all. Two cells a level leave room for arrows, one does not."""
        return max(self.levels * self.step + (self.step == 1), 1) + self.margin


class SideArcs:
    """The heads of one side, by the place of the word, as lines of signs."""

    def __init__(self, heads: Mapping[int, Link], size: int, lines: Sequence[WordLine]) -> None:
        self.heads, self.lines = heads, lines
        sources = [heads[row].source if row in heads else NOWHERE for row in range(size)]
        self.buses = buses_of(sources, lines)
        self.levels = max((bus.level for bus in self.buses.values()), default=0)
        self.leads_out = any(link.source == OUTSIDE for link in heads.values())

    def beyond(self, room: Room) -> set[int]:
        """Heads whose buses are left out."""
        return {row for row, bus in self.buses.items() if bus.level > room.levels}

    def art(self, room: Room, signs: Signs) -> list[tuple[str, int]]:
        """The signs of every line, and from which column on they belong to the line's word. Every
        line is `room.width` cells wide."""
        columns = {
            row: room.margin + (room.levels - bus.level) * room.step
            if bus.level <= room.levels
            else -1
            for row, bus in self.buses.items()
        }
        cells = [bytearray(room.width) for _ in self.lines]
        for row, column in columns.items():
            if column >= 0:
                bus = self.buses[row]
                cells[bus.first][column] |= _DOWN
                cells[bus.last][column] |= _UP
                for number in range(bus.first + 1, bus.last):
                    cells[number][column] |= _UP | _DOWN
        return [
            self._row(line.first, row, columns, room, signs)
            if line.is_row
            else ("".join([signs.lines[cell] for cell in row]), len(row))
            for line, row in zip(self.lines, cells, strict=True)
        ]

    def _row(
        self, place: int, cells: bytearray, columns: Mapping[int, int], room: Room, signs: Signs
    ) -> tuple[str, int]:
        """The line of a word. In `columns` -1 is a bus that there is no room for."""
        width = len(cells)
        over: dict[int, str] = {}
        begin, end = width, width  # of the line from the head, which ends at the own bus or word
        own = columns.get(place)
        if own is not None:
            begin = _across(cells, over, own, width, signs)
            end = own if own > 0 and room.step > 1 else width
        link = self.heads.get(place)
        kind = 1 if link and PLACE in link.parts else 0
        if link is None:
            pass
        elif link.source == place:
            over[width - 1] = signs.circle
        elif link.source >= 0:
            column = columns[link.source]
            if own is not None and column >= own:
                end = width  # on a cycle each of two levels would have to be outside the other
            begin = min(begin, _across(cells, over, column, end, signs))
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


def _across(cells: bytearray, over: dict[int, str], start: int, end: int, signs: Signs) -> int:
    """A line from a bus, or from the edge if that is left out, towards the word."""
    if start < 0:
        over[0] = signs.beyond
    else:
        cells[start] |= _RIGHT
    for column in range(start + 1, end):
        cells[column] |= _ACROSS
    return max(start, 0)


@dataclass(frozen=True)
class _Fit:
    """Cells of the words and relations, and how much is drawn of each side."""

    word: int
    relation: int
    rooms: tuple[Room, ...]


class ArcPage:
    """What stands on the lines of one drawing."""

    def __init__(
        self, look: TextLook, figure: Figure, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.figure, self.show = figure, look.show
        self.names = {"gold": look.show(names[0]), "system": look.show(names[1])}
        self.signs = look.signs
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
        count = len(self.figure.words)
        arcs = [SideArcs(self.figure.heads[side == SYSTEM], count, self.folded) for side in sides]
        fit = self._fit(arcs)
        if self.figure.has_system:
            yield self._header(sides, fit)
        pairs = [*zip(arcs, fit.rooms, strict=True)]
        arts = [each.art(room, self.signs) for each, room in pairs]
        beyond = [each.beyond(room) for each, room in pairs]
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

    def _differs(self, place: int, part: str) -> bool:
        """Is a part of a link to this word wrong?"""
        return any(place in heads and part in heads[place].parts for heads in self.figure.heads)

    def _fit(self, arcs: Sequence[SideArcs]) -> _Fit:
        """Everything if there is room, else less and less of it: at last the outermost levels."""
        sides = len(arcs)
        words = max((cell_len(self.show(word.form)) for word in self.words), default=1)
        relations = max((cell_len(self.show(link.label)) for link in self.links), default=1)
        counts = max((cell_len(text) + 2 for text in self.counts.values()), default=0)

        def columns(most_word: int, most_relation: int) -> tuple[int, int, int]:
            word, relation = min(words, most_word), min(relations, most_relation)
            word += max(counts - self._room(word, relation, sides), 0)
            return word, relation, self.width - self._room(word, relation, sides)

        for most_word, most_relation, step in _TRIED:
            word, relation, room = columns(most_word, most_relation)
            rooms = [Room(step, each.levels, step * each.leads_out) for each in arcs]
            if sum(each.width for each in rooms) <= room:
                return _Fit(word, relation, tuple(rooms))
        # Words whose arc is left out have the number of the head behind the relation.
        number = self.digits + len("()")
        outside = sides * Room(1, 0, margin=1).width
        for most_word, most_relation in _CUT:
            word, relation, room = columns(most_word, most_relation)
            relation += number
            room -= sides * number + outside
            if room >= _LEAST * sides:
                break
        levels = [0] * sides
        for _ in range(room):
            lacking = [each.levels - now for each, now in zip(arcs, levels, strict=True)]
            if max(lacking):
                levels[lacking.index(max(lacking))] += 1
        return _Fit(word, relation, tuple(Room(1, level, margin=1) for level in levels))

    def _room(self, word: int, relation: int, sides: int) -> int:
        """Cells of everything that is not an arc."""
        left = 1 + relation + 2 * self.figure.has_system + 1 + self.digits + 1 + word
        if sides < 2:
            tags = [cell_len(self.show(word.upos or "")) for word in self.words]
            return left + (1 + max(tags, default=0)) * self.tags
        return left + (1 + self.digits) * self.apart + 1 + relation + 1

    def _header(self, sides: Sequence[str], fit: _Fit) -> list[Piece]:
        if len(sides) < 2:
            return [(fitted(self.names[sides[0]], self.width, self.signs.cut), "mark")]
        before = fit.rooms[0].width + self._room(fit.word, fit.relation, 2) - fit.relation - 1
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
        first = gold if sides[0] == GOLD else system
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

    def _count(self, line: WordLine) -> str:
        if line.is_rest:
            return f"{self.signs.cut} {counted(line.count, 'more word')}, not drawn"
        return f"{self.signs.cut} {counted(line.count, 'other word')}"
