"""Both trees with the words between them, fitted to the width of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tertium.align.trees import OUTSIDE, Row, TreePair, Word
from tertium.report.render.plain import counted, visible
from tertium.report.render.trees.art import ASCII, UNICODE, Art, Scale, Tree, mirrored
from tertium.report.render.trees.buses import buses_of
from tertium.report.render.trees.lines import Line, lines_of

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
        pair: TreePair,
        *,
        names: tuple[str, str] = ("gold", "system"),
        keep: Collection[int] = (),
    ) -> str:
        """The trees of a sentence; rows in `keep` are shown whatever they are like.

        Where words run from right to left a terminal may turn them around, and with them what
        stands beside them: there the trees stand below each other and words last in their lines.
        """
        page = _Page(self, pair, names, keep)
        lines: list[list[_Piece]]
        if pair.has_system and page.leftward:
            lines = [line for side in ("gold", "system") for line in page.lines((side,))]
        else:
            lines = list(page.lines(("gold", "system") if pair.has_system else ("gold",)))
        return "".join(f"{self._painted(line)}\n" for line in lines)

    def legend(self, pairs: Sequence[TreePair], drawn: str = "") -> str:
        """What the signs mean that the drawings of some pairs have; empty where all are plain."""
        signs = ASCII if self.ascii else UNICODE
        rows = [pair.rows[place] for pair in pairs for place in pair.differing]
        both = [row for row in rows if row.gold and row.system]
        told = (
            (f"{signs.differs} head or relation differs", bool(both)),
            (f"{signs.arrow[1]} {signs.root[1]} another head", any(not r.same_head for r in both)),
            (f"{signs.only_gold} only in gold", any(not row.system for row in rows)),
            (f"{signs.only_system} only in the system", any(not row.gold for row in rows)),
            (f"{signs.dotted}{signs.arrow[0]} head in another sentence", _lead_out(pairs)),
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
        self, look: TreeText, pair: TreePair, names: tuple[str, str], keep: Collection[int]
    ) -> None:
        self.pair, self.show = pair, look.show
        self.names = {"gold": look.show(names[0]), "system": look.show(names[1])}
        self.signs = ASCII if look.ascii else UNICODE
        self.width = max(look.width, NARROWEST)
        self.folded = lines_of(pair, whole=look.whole, keep=keep)
        self.shown = [pair.rows[line.first] for line in self.folded if line.is_row]
        self.leftward = any(runs_right_to_left(row.word.form) for row in self.shown)
        self.counts = {line: self._count(line) for line in self.folded if not line.is_row}
        numbers = [w.number for row in self.shown for w in (row.gold, row.system) if w]
        self.digits = len(str(max(numbers, default=0)))
        # Behind words that run from right to left nothing would stay in its place.
        self.tags = not pair.has_system and not self.leftward
        # Each side has its numbers beside the word where they are not the same.
        self.apart = any(
            not row.gold or (row.system and row.gold.number != row.system.number)
            for row in self.shown
        )

    def lines(self, sides: Sequence[str]) -> Iterator[list[_Piece]]:
        """Every line with one side at the left of the words, or with both around them."""
        trees = [self._tree(side) for side in sides]
        fit = self._fit(trees)
        if self.pair.has_system:
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
            row = self.pair.rows[line.first]
            colour = _colour(row, sides[0], same=row.same_head)
            pieces = [(art[:begin], ""), (art[begin:], colour)]
            if line.is_row:
                pieces += self._middle(row, sides, fit, beyond)
            else:
                room = self._room(fit.word, fit.relation, len(sides)) - 1
                pieces.append((" " + _fitted(self.counts[line], room, self.signs.cut), "faint"))
            if len(sides) == 2:
                art, begin = arts[1][number]
                colour = _colour(row, "system", same=row.same_head)
                pieces += [(mirrored(art[begin:]), colour), (mirrored(art[:begin]), "")]
            yield pieces

    def _tree(self, side: str) -> Tree:
        rows = self.pair.rows
        return Tree(
            words=[row.gold if side == "gold" else row.system for row in rows],
            same_head=[row.same_head for row in rows],
            buses=buses_of(self.pair.heads(side), self.folded),
            lines=self.folded,
        )

    def _fit(self, trees: Sequence[Tree]) -> _Fit:
        """Everything if there is room, else less and less of it: at last the outermost levels."""
        sides = len(trees)
        words = max((cell_len(self.show(row.word.form)) for row in self.shown), default=1)
        relations = max(
            (
                cell_len(self.show(word.relation))
                for row in self.shown
                for word in (row.gold, row.system)
                if word
            ),
            default=1,
        )
        counts = max((cell_len(text) + 2 for text in self.counts.values()), default=0)

        def columns(most_word: int, most_relation: int) -> tuple[int, int, int]:
            word, relation = min(words, most_word), min(relations, most_relation)
            word += max(counts - self._room(word, relation, sides), 0)
            return word, relation, self.width - self._room(word, relation, sides)

        for most_word, most_relation, step in _TRIED:
            word, relation, room = columns(most_word, most_relation)
            scales = [Scale(step, tree.levels, tree.leads_out) for tree in trees]
            if sum(scale.width for scale in scales) <= room:
                return _Fit(word, relation, tuple(scales))
        # Words whose arc is left out have the number of the head behind the relation.
        number = self.digits + len("()")
        outside = sides * Scale(1, 0, margin=True).width
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
        return _Fit(word, relation, tuple(Scale(1, level, margin=True) for level in levels))

    def _room(self, word: int, relation: int, sides: int) -> int:
        """Cells of everything that is no tree."""
        left = 1 + relation + 2 * self.pair.has_system + 1 + self.digits + 1 + word
        if sides < 2:
            tags = [cell_len(self.show(row.word.upos or "")) for row in self.shown]
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
        self, row: Row, sides: Sequence[str], fit: _Fit, beyond: Sequence[Collection[int]]
    ) -> Iterator[_Piece]:
        """Relation, sign of a difference, number, word, and the same of the other side."""
        first = row.gold if sides[0] == "gold" else row.system
        colour = _colour(row, sides[0], same=row.same_relation)
        yield " " + self._relation(first, fit.relation, beyond[0]), colour
        only = "" if row.gold and row.system else "gold" if row.gold else "system"
        if self.pair.has_system:
            sign = {"gold": self.signs.only_gold, "system": self.signs.only_system}.get(
                only, self.signs.differs if row.differs else " "
            )
            yield f" {sign}", "mark"
        number = first.number if first else ""
        yield f" {number:>{self.digits}} ", ""
        alone = only if self.pair.has_system else ""
        yield _fitted(self.show(row.word.form), fit.word, self.signs.cut), alone
        if len(sides) < 2:
            if self.tags:
                yield f" {self.show(row.word.upos or '')}", "faint"
            return
        if self.apart:
            yield f" {row.system.number if row.system else '':>{self.digits}}", ""
        colour = _colour(row, "system", same=row.same_relation)
        yield f" {self._relation(row.system, fit.relation, beyond[1])} ", colour

    def _relation(self, word: Word | None, room: int, beyond: Collection[int]) -> str:
        if word is None:
            return " " * room
        text = self.show(word.relation)
        if word.head in beyond:
            number = f"({word.head_number})"
            return _fitted(_cut(text, room - len(number), self.signs.cut) + number, room, "")
        return _fitted(text, room, self.signs.cut)

    def _count(self, line: Line) -> str:
        if line.is_rest:
            return f"{self.signs.cut} {counted(line.count, 'more word')}, not drawn"
        return f"{self.signs.cut} {counted(line.count, 'word')} alike"


def _lead_out(pairs: Sequence[TreePair]) -> bool:
    sides = [pair.heads(side) for pair in pairs for side in ("gold", "system")]
    return any(OUTSIDE in heads for heads in sides)


def _colour(row: Row, side: str, *, same: bool) -> str:
    return "" if same else side


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
