"""Both trees with the words between them, fitted to the width of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tertium.report.render.plain import counted, visible
from tertium.report.render.trees.art import ASCII, UNICODE, Art, Scale, Tree, mirrored
from tertium.report.render.trees.buses import buses_of
from tertium.report.render.trees.lines import Line, lines_of
from tertium.results.items import NOWHERE
from tertium.results.scenes import OUTSIDE, Mark, Scene

NARROWEST = 40
# Cells of words and relations at most, and cells a level: what is tried, one after the other.
_TRIED = ((24, 14, 2), (14, 10, 2), (14, 10, 1), (10, 8, 1))
# Where levels are left out: cells of words and relations, until so many levels a side can be drawn.
_CUT, _LEAST = ((14, 10), (10, 7), (6, 4)), 4
_COLOURS = {"gold": "94", "system": "33", "mark": "1", "faint": "2"}
_Piece = tuple[str, str]  # text and colour


@dataclass(frozen=True)
class TreeText:
    """How trees are drawn as text at most `width` cells wide (not less than 40).

    `whole` draws every word, also in long runs that are alike.
    """

    width: int = 80
    color: bool = False
    ascii: bool = False
    whole: bool = False

    def draw(
        self,
        scene: Scene,
        *,
        names: tuple[str, str] = ("gold", "system"),
        keep: Collection[int] = (),
    ) -> str:
        """The trees of a sentence; rows in `keep` are shown whatever they are like.

        Where words run from right to left a terminal may turn them around, and with them what
        stands beside them: there the trees stand below each other and words last in their lines.
        """
        page = _Page(self, scene, names, keep)
        lines: list[list[_Piece]]
        if scene.has_system and page.leftward:
            lines = [line for side in ("gold", "system") for line in page.lines((side,))]
        else:
            lines = list(page.lines(("gold", "system") if scene.has_system else ("gold",)))
        return "".join(f"{self._painted(line)}\n" for line in lines)

    def legend(self, scenes: Sequence[Scene], drawn: str = "") -> str:
        """What the signs mean that the drawings of some scenes have; empty where all are plain."""
        signs = ASCII if self.ascii else UNICODE
        found = [(p.only_in(n), p.items[n]) for p in scenes for n in p.differing]
        both = [mark for only, mark in found if not only]
        alone = {only for only, _ in found}
        told = (
            (f"{signs.differs} head or relation differs", bool(both)),
            (
                f"{signs.arrow[1]} {signs.root[1]} another head",
                any(not m.same_second for m in both),
            ),
            (f"{signs.only_gold} only in gold", "gold" in alone),
            (f"{signs.only_system} only in the system", "system" in alone),
            (f"{signs.dotted}{signs.arrow[0]} head in another sentence", _lead_out(scenes)),
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

    def _painted(self, pieces: Sequence[_Piece]) -> str:
        if not self.color:
            return "".join([text for text, _ in pieces]).rstrip()
        parts = []
        for text, colour in pieces:
            bare = text.strip()
            if colour and bare:
                text = text.replace(bare, f"\x1b[{_COLOURS[colour]}m{bare}\x1b[0m", 1)
            parts.append(text)
        return "".join(parts).rstrip()


def runs_right_to_left(text: str) -> bool:
    """Does a text hold letters of a script that runs from right to left?"""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in text)


@dataclass(frozen=True)
class _Fit:
    """Cells of the words and relations, and how much is drawn of each side's tree."""

    word: int
    relation: int
    scales: tuple[Scale, ...]


class _Page:
    """What stands on the lines of one drawing."""

    def __init__(
        self, look: TreeText, scene: Scene, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.scene, self.show = scene, look.show
        self.names = {"gold": look.show(names[0]), "system": look.show(names[1])}
        self.signs = ASCII if look.ascii else UNICODE
        self.width = max(look.width, NARROWEST)
        self.folded = lines_of(scene, whole=look.whole, keep=keep)
        shown = [line.first for line in self.folded if line.is_row]
        rows = [scene.rows[place] for place in shown]
        self.items = [scene.items[place] for place in shown]
        self.marks = [mark for row in rows for mark in row if mark]
        self.leftward = any(runs_right_to_left(mark.form) for mark in self.items)
        self.counts = {line: self._count(line) for line in self.folded if not line.is_row}
        self.digits = len(str(max((mark.number for mark in self.marks), default=0)))
        # Behind words that run from right to left nothing would stay in its place.
        self.tags = not scene.has_system and not self.leftward
        # Each side has its numbers beside the word where they are not the same.
        self.apart = any(
            not gold or (system and gold.number != system.number) for gold, system in rows
        )

    def lines(self, sides: Sequence[str]) -> Iterator[list[_Piece]]:
        """Every line with one side at the left of the words, or with both around them."""
        trees = [self._tree(side) for side in sides]
        fit = self._fit(trees)
        if self.scene.has_system:
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
            same = self.scene.items[line.first].same_second
            colour = "" if same else sides[0]
            pieces = [(art[:begin], ""), (art[begin:], colour)]
            if line.is_row:
                pieces += self._middle(line.first, sides, fit, beyond)
            else:
                room = self._room(fit.word, fit.relation, len(sides)) - 1
                pieces.append((" " + _fitted(self.counts[line], room, self.signs.cut), "faint"))
            if len(sides) == 2:
                art, begin = arts[1][number]
                colour = "" if same else "system"
                pieces += [(mirrored(art[begin:]), colour), (mirrored(art[:begin]), "")]
            yield pieces

    def _tree(self, side: str) -> Tree:
        words = self.scene.marks[side == "system"]
        heads = [word.second if word else NOWHERE for word in words]
        return Tree(
            words=words,
            buses=buses_of(heads, self.folded),
            lines=self.folded,
        )

    def _fit(self, trees: Sequence[Tree]) -> _Fit:
        """Everything if there is room, else less and less of it: at last the outermost levels."""
        sides = len(trees)
        words = max((cell_len(self.show(mark.form)) for mark in self.items), default=1)
        relations = max((cell_len(self.show(mark.label or "")) for mark in self.marks), default=1)
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
        left = 1 + relation + 2 * self.scene.has_system + 1 + self.digits + 1 + word
        if sides < 2:
            tags = [cell_len(self.show(mark.upos or "")) for mark in self.items]
            return left + (1 + max(tags, default=0)) * self.tags
        return left + (1 + self.digits) * self.apart + 1 + relation + 1

    def _header(self, sides: Sequence[str], fit: _Fit) -> list[_Piece]:
        if len(sides) < 2:
            return [(_fitted(self.names[sides[0]], self.width, self.signs.cut), "mark")]
        before = fit.scales[0].width + self._room(fit.word, fit.relation, 2) - fit.relation - 1
        rest = self.width - before
        return [
            (_fitted(self.names["gold"], before - 1, self.signs.cut) + " ", "mark"),
            (_fitted(self.names["system"], rest, self.signs.cut), "mark"),
        ]

    def _middle(
        self, place: int, sides: Sequence[str], fit: _Fit, beyond: Sequence[Collection[int]]
    ) -> Iterator[_Piece]:
        """Relation, sign of a difference, number, word, and the same of the other side."""
        mark, only = self.scene.items[place], self.scene.only_in(place)
        gold, system = self.scene.rows[place]
        first = gold if sides[0] == "gold" else system
        colour = "" if mark.same_label else sides[0]
        yield " " + self._relation(first, fit.relation, beyond[0]), colour
        if self.scene.has_system:
            sign = {"gold": self.signs.only_gold, "system": self.signs.only_system}.get(
                only, self.signs.differs if mark.differs else " "
            )
            yield f" {sign}", "mark"
        number = first.number if first else ""
        yield f" {number:>{self.digits}} ", ""
        yield _fitted(self.show(mark.form), fit.word, self.signs.cut), only
        if len(sides) < 2:
            if self.tags:
                yield f" {self.show(mark.upos or '')}", "faint"
            return
        if self.apart:
            yield f" {system.number if system else '':>{self.digits}}", ""
        colour = "" if mark.same_label else "system"
        yield f" {self._relation(system, fit.relation, beyond[1])} ", colour

    def _relation(self, mark: Mark | None, room: int, beyond: Collection[int]) -> str:
        if mark is None:
            return " " * room
        text = self.show(mark.label or "")
        if mark.second in beyond:
            number = f"({mark.second_number})"
            return _fitted(_cut(text, room - len(number), self.signs.cut) + number, room, "")
        return _fitted(text, room, self.signs.cut)

    def _count(self, line: Line) -> str:
        if line.is_rest:
            return f"{self.signs.cut} {counted(line.count, 'more word')}, not drawn"
        return f"{self.signs.cut} {counted(line.count, 'word')} alike"


def _lead_out(scenes: Sequence[Scene]) -> bool:
    marks = (mark for scene in scenes for side in scene.marks for mark in side)
    return any(mark is not None and mark.second == OUTSIDE for mark in marks)


def _fitted(text: str, cells: int, sign: str) -> str:
    """The text in exactly so many cells: filled with spaces, or its beginning and a sign."""
    text = _cut(text, cells, sign)
    return text + " " * (cells - cell_len(text))


def _cut(text: str, cells: int, sign: str) -> str:
    if cell_len(text) <= cells:
        return text
    room, end = cells - cell_len(sign), 0
    while end < len(text) and cell_len(text[: end + 1]) <= room:
        end += 1
    return text[:end] + sign
