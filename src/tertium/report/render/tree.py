"""Constituents for terminals and logs: a line for each node, with what is under it indented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest

from rich.cells import cell_len

from tertium.report.layout import MOST, MOST_LINES, SHORT
from tertium.report.render.arcs import NARROWEST
from tertium.report.render.signs import TextLook
from tertium.report.tree import Branch, Tree
from tertium.results.figures import GOLD, SYSTEM, Figure
from tertium.results.texts import Piece, counted, cut_to, runs_right_to_left

_BETWEEN = 3  # cells between two trees side by side


@dataclass(frozen=True)
class _Line:
    """A line of a tree: the first word that it is about, what stands in it, and `stem`, what stands
    above it if something is put between it and the line before. Does it go on with the words of
    that line? Was something cut for lack of room?"""

    first: int
    pieces: list[Piece]
    stem: str = ""
    goes_on: bool = False
    is_cut: bool = False

    @property
    def width(self) -> int:
        """How many cells it takes."""
        return sum(cell_len(text) for text, _ in self.pieces)


class TreePage:
    """The trees of both sides, side by side where they fit, else one below the other.

    Nodes one above the other over the same words share a line, and so do words that are alone under
    a node. In long sentences with errors, what is under a node where neither side has any is a line
    of words, unless the look has it `whole`.
    """

    def __init__(self, look: TextLook, figure: Figure, names: tuple[str, str]) -> None:
        self.whole, self.figure, self.show = figure, figure.cut(MOST), look.show
        self.signs, self.width = look.signs, max(look.width, NARROWEST)
        sides = (GOLD, SYSTEM) if figure.has_system else (GOLD,)
        self.names = dict(zip(sides, map(look.show, names), strict=False))
        self.trees = [Tree(self.figure, side) for side in sides]
        self.folds = not look.whole and len(figure.words) > SHORT and bool(figure.errors)
        self.has_gaps = any(branch.has_gaps for tree in self.trees for branch in tree.branches)
        self.leftward = any(map(runs_right_to_left, figure.words))

    def lines(self) -> Iterator[list[Piece]]:
        """All lines."""
        yield from self._abreast() or self._below()
        if rest := len(self.whole.words) - len(self.figure.words):
            yield [(f"{self.signs.cut} {counted(rest, 'more word')}, not drawn", "faint")]

    def _below(self) -> Iterator[list[Piece]]:
        """One tree after the other."""
        for number, tree in enumerate(self.trees):
            if self.figure.has_system:
                yield from [[]] if number else []
                yield [(cut_to(self.names[tree.side], self.width, self.signs.cut), "mark")]
            lines = [*_TreeLines(self, tree, self.width).all()]
            yield from (line.pieces for line in lines[:MOST_LINES])
            if (rest := len(lines) - MOST_LINES) > 0:
                yield [(f"{self.signs.cut} {counted(rest, 'more line')}, not drawn", "faint")]

    def _abreast(self) -> list[list[Piece]]:
        """Both trees, lines that begin with the same word beside each other; nothing where there is
        no room. A terminal may turn words that run from right to left around, and with them what
        stands beside them."""
        if len(self.trees) < 2 or self.leftward:
            return []
        room = (self.width - _BETWEEN) // 2
        left, right = ([*_TreeLines(self, tree, room).all()] for tree in self.trees)
        if max(len(left), len(right)) > MOST_LINES or any(x.is_cut for x in (*left, *right)):
            return []
        edge = max([cell_len(self.names[GOLD]), *(line.width for line in left)])
        if edge > room:
            return []
        alike = not any(map(self.figure.only_in, range(len(self.figure.words))))
        title = _Line(0, [(self.names[GOLD], "mark")]), _Line(0, [(self.names[SYSTEM], "mark")])
        return [
            [*ours.pieces, (" " * (edge - ours.width + _BETWEEN), ""), *theirs.pieces]
            for ours, theirs in (title, *_paired(left, right, alike=alike))
        ]


def _paired(
    left: Sequence[_Line], right: Sequence[_Line], *, alike: bool
) -> Iterator[tuple[_Line, _Line]]:
    """Lines beside each other: of those about the same word the first and the last ones, where all
    words are those of both sides and in the order of the text."""
    sides = left, right
    nothing = _Line(0, [])
    if not alike or any(a.first > b.first for side in sides for a, b in pairwise(side)):
        yield from zip_longest(left, right, fillvalue=nothing)
        return
    found = [{k: [*g] for k, g in groupby(side, lambda line: line.first)} for side in sides]
    for place in sorted({*found[0], *found[1]}):
        for halves in zip(*(_parted(side, place) for side in found), strict=True):
            size = max(len(lines) for lines, _ in halves)
            yield from zip(
                *([*lines, *[stem] * (size - len(lines))] for lines, stem in halves), strict=True
            )


def _parted(lines: Mapping[int, list[_Line]], place: int) -> list[tuple[list[_Line], _Line]]:
    """The lines about a word: those above the last node, and this with the lines that its words go
    on in; each with what is drawn below them."""
    group = lines.get(place, [])
    below = next((lines[p][0].stem for p in lines if p > place), "")
    cut = max((n for n, line in enumerate(group) if not line.goes_on), default=0)
    middle = group[cut].stem if group else below
    return [
        (half, _Line(place, [(stem, "faint")]))
        for half, stem in ((group[:cut], middle), (group[cut:], below))
    ]


class _TreeLines:
    """The lines of one tree in so much room; only unbroken words and long indents are cut."""

    def __init__(self, page: TreePage, tree: Tree, room: int) -> None:
        self.page, self.tree, self.room = page, tree, room
        self.tokens = page.figure.tokens[tree.side == SYSTEM] if page.figure.tokens else ()
        # What is wrong on either side is seen in the tree of both.
        wrong = [node.places for node in page.figure.nodes if node.is_error]
        self.is_wrong = {
            branch.node.name: any(
                branch.node.places[0] <= places[0] and places[-1] <= branch.node.places[-1]
                for places in wrong
            )
            for branch in tree.branches
        }
        lines = page.signs.lines
        self.guide, self.inner, self.last = (lines[n] + " " for n in (3, 11, 9))

    def all(self) -> Iterator[_Line]:
        """From the top down."""
        stack = [*self._below(None, "")]
        while stack:
            part, before, is_last = stack.pop()
            head = under = stem = ""
            if before is not None:
                head = before + (self.last if is_last else self.inner)
                under = before + ("  " if is_last else self.guide)
                stem = before + self.guide
            if isinstance(part, tuple):
                yield from self._written(part[0], [], part, head, under, stem)
                continue
            part, labels = self._chain(part, cell_len(head))
            places, below = part.node.places, [*self._below(part, under)]
            if not part.children or (self.page.folds and not self.is_wrong[part.node.name]):
                yield from self._written(places[0], labels, places, head, under, stem)
            else:
                yield self._line(places[0], [(head, ""), *labels], stem)
                stack += below

    def _below(
        self, branch: Branch | None, under: str
    ) -> Iterator[tuple[Branch | tuple[int, ...], str | None, bool]]:
        """What is under a branch, the last first; words beside each other are one."""
        parts: list[Branch | tuple[int, ...]] = []
        for is_word, group in groupby(self.tree.parts(branch), lambda part: isinstance(part, int)):
            each = [*group]
            parts += [tuple(p for p in each if isinstance(p, int))] if is_word else each  # type: ignore[arg-type]
        for number, part in enumerate(reversed(parts)):
            yield part, None if branch is None else under, not number

    def _chain(self, branch: Branch, used: int) -> tuple[Branch, list[Piece]]:
        """The lowest of the nodes that share a line, and their labels."""
        labels = [self._label(branch)]
        while len(branch.children) == 1 and not branch.words and not branch.node.is_error:
            lower = self.tree.branches[branch.children[0]]
            text, colour = self._label(lower)
            used += cell_len(labels[-1][0]) + 1
            if used + cell_len(text) > self.room:
                break
            labels += [(self.page.signs.line, "faint"), (text, colour)]
            branch = lower
        return branch, labels

    def _label(self, branch: Branch) -> Piece:
        node, signs = branch.node, self.page.signs
        text = self.page.show(node.label) or "()"
        text += signs.dotted if branch.has_gaps else ""
        if node.is_error:
            return f"{text} {signs.of(node.outcome)}", node.side
        return f"{text} {signs.of(node.outcome)}".rstrip(), ""

    def _written(
        self,
        first: int,
        labels: list[Piece],
        places: Sequence[int],
        head: str,
        under: str,
        stem: str,
    ) -> Iterator[_Line]:
        """Labels and words, in as many lines as they need."""
        pieces: list[Piece] = [(head, ""), *labels, *([("  ", "")] if labels else [])]
        used = begin = sum(cell_len(text) for text, _ in pieces)
        if begin > self.room // 2:
            begin = cell_len(under) + 2
        goes_on = False
        for number, place in enumerate(places):
            word = self._word(place)
            size = sum(cell_len(text) for text, _ in word)
            if number and used + size > self.room:
                yield replace(self._line(first, pieces, stem), goes_on=goes_on)
                used, goes_on = begin, True
                pieces = [(under + " " * (begin - cell_len(under)), "")]
            pieces += [*word, (" ", "")]
            used += size + 1
        yield replace(self._line(first, pieces, stem), goes_on=goes_on)

    def _word(self, place: int) -> list[Piece]:
        """The word with its tag, and a sign if only this side has it; in trees with gaps also its
        number."""
        figure, show = self.page.figure, self.page.show
        word = self.tokens[place] if self.tokens else None
        word = word or figure.word(place)
        number = f"{word.number}=" if self.page.has_gaps else ""
        tag = f"/{show(word.upos)}" if word.upos else ""
        alone = figure.only_in(place)
        sign = f" {self.page.signs.of(alone)}" if alone else ""
        return [(number, "faint"), (show(word.form), alone), (tag, "faint"), (sign, alone)]

    def _line(self, first: int, pieces: Sequence[Piece], stem: str) -> _Line:
        """A line in the room that there is: a long indent keeps its end, the rest its beginning."""
        (head, _), *rest = pieces
        cut, most = self.page.signs.cut, self.room // 2
        is_cut = len(head) > most
        if is_cut:
            head = cut + head[len(head) - most + 1 :]
        if len(stem) > most:
            stem = cut + stem[len(stem) - most + 1 :]
        found: list[Piece] = [(head, "faint")]
        room = self.room - cell_len(head)
        for text, colour in rest:
            if cell_len(text.rstrip()) > room:
                found.append((cut_to(text, room, cut), colour))
                is_cut = True
                break
            found.append((text, colour))
            room -= cell_len(text)
        while len(found) > 1 and not found[-1][0].strip():
            found.pop()
        return _Line(first, found, stem, is_cut=is_cut)
