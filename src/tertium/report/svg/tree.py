"""Constituents as SVG: a tree for each side, with its words below it."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.report.layout import MOST, leftward, spread, told
from tertium.report.svg.colours import GROUND, LINES, LOOKS
from tertium.report.svg.elements import SIZE, element, shortened, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.report.tree import SIGNS, Branch, Tree
from tertium.results.figures import GOLD, SYSTEM, Figure, Node
from tertium.results.texts import counted, runs_right_to_left, visible

_SMALL, _LABEL = 10.0, 11.0
_LEVEL, _FRAME = 26.0, 15.0  # from one level to the next; height of the frame around a label
_GAP, _PAD = 10.0, 8.0  # between words; beside labels
_WIDEST = 200.0  # of a word
_ABREAST, _BETWEEN = 1_000.0, 40.0  # width of two trees side by side, and what is between them
_MEANINGS = {
    "missing": "not in {system}", "extra": "not in {gold}", "wrong": "different",
    "excused": "not in {other}, but not an error",
}  # fmt: skip


def draw_trees(figure: Figure, names: tuple[str, str] = ("gold", "system")) -> Image:
    """The trees of both sides, side by side where there is room, else gold above the system.

    Lines lead from a node across and down to what is under it. What is not wrong is thin. What gold
    has and the system has not has thick lines and a frame, what the system has instead dashed ones;
    signs beside the labels tell the same. Words stand at the same places in both trees and run the
    way the text does. Only the first 400 words are drawn, and the drawing says how many more there
    are.
    """
    return _Trees(figure, names).image()


class _Trees:
    """Where everything stands; distances follow from words and labels."""

    def __init__(self, figure: Figure, names: tuple[str, str]) -> None:
        self.whole, self.figure = figure, figure.cut(MOST)
        figure = self.figure
        sides = (GOLD, SYSTEM) if figure.has_system else (GOLD,)
        self.trees = [Tree(figure, side) for side in sides]
        self.names = dict(zip(sides, (shortened(visible(n), _WIDEST) for n in names), strict=False))
        self.wide = [self._half(place) for place in range(len(figure.words))]
        needs = [need for tree in self.trees for b in tree.branches for need in self._need(b)]
        self.middles = spread(self.wide, _GAP, needs)
        self.length = self.middles[-1] + self.wide[-1] if self.middles else 0.0
        more = len(self.whole.words) - len(figure.words)
        self.rest = f"… {counted(more, 'more word')}" if more else ""
        if more:
            self.length += _GAP + text_width(self.rest)
        self.leftward = leftward(figure.words)

    def _half(self, place: int) -> float:
        """Half the room of a word and its tags."""
        there = [side[place] for side in self.figure.tokens]
        tags = [text_width(visible(word.upos or ""), _SMALL) for word in there if word]
        forms = [visible(word.form) for word in there if word] or [self.figure.words[place]]
        return max(*tags, *(text_width(shortened(f, _WIDEST)) for f in forms), 8.0) / 2

    def _need(self, branch: Branch) -> Iterator[tuple[int, int, float]]:
        """Words that must be so far apart that a label has room; a single one must be so wide."""
        width = _width(branch.node)
        first, last = branch.run
        if first == last:
            self.wide[first] = max(self.wide[first], width / 2)
        else:
            yield first, last, width

    def image(self) -> Image:
        """All trees."""
        body: list[str] = []
        x = y = width = height = 0.0
        is_abreast = len(self.trees) * self.length + _BETWEEN <= _ABREAST
        highest = max(tree.height for tree in self.trees)
        for tree in self.trees:
            drawn = _Drawn(self, tree, x, y, highest if is_abreast else tree.height)
            body += drawn.elements()
            width, height = max(width, x + drawn.width), max(height, y + drawn.height)
            x, y = (x + drawn.width + _BETWEEN, 0.0) if is_abreast else (0.0, height + SIZE)
        return Image(width, height, tuple(body), told(self.whole))


class _Drawn:
    """One tree with its upper left corner at a place of the picture."""

    def __init__(self, page: _Trees, tree: Tree, left: float, top: float, levels: int) -> None:
        self.page, self.tree, self.left = page, tree, left
        self.tokens = page.figure.tokens[tree.side == SYSTEM] if page.figure.tokens else ()
        self.has_tags = any(word is not None and word.upos for word in self.tokens)
        self.title = [*self._title()] if page.figure.has_system else []
        self.top = top + (SIZE * 1.6 if self.title else 0.0)
        self.leaves = self.top + levels * _LEVEL  # where the lines to words end
        self.base = self.leaves + (_SMALL * 1.2 if self.has_tags else 0) + SIZE
        self.height = self.base + _SMALL * 1.5 + 2 - top
        titled = sum(text_width(text, size) + _PAD for text, size, _ in self.title)
        self.width = max(page.length + 4, titled)

    def elements(self) -> Iterator[str]:
        """Its name, words, lines and labels; thick lines lie over thin ones and labels over all."""
        x = self.left + 2
        for text, size, look in self.title:
            yield words(text, x, self.top - SIZE * 0.6, size=size, look=look)
            x += text_width(text, size) + _PAD
        yield from self._words()
        branches = sorted(self.tree.branches, key=lambda branch: branch.node.is_error)
        yield from map(self._fan, branches)
        for branch in branches:
            yield from self._label(branch)

    def _title(self) -> Iterator[tuple[str, float, str]]:
        """The side's name and what the signs in its tree mean."""
        names, side = self.page.names, self.tree.side
        other = names.get(GOLD if side == SYSTEM else SYSTEM, "")
        yield names[side], SIZE, side
        outcomes = {branch.node.outcome for branch in self.tree.branches}
        for outcome, meaning in _MEANINGS.items():
            if outcome in outcomes:
                yield f"{SIGNS[outcome]} {meaning.format(**names, other=other)}", _LABEL, "faint"

    def _x(self, run: tuple[int, int]) -> float:
        """The middle of some words."""
        page, (first, last) = self.page, run
        ends = page.middles[first] - page.wide[first], page.middles[last] + page.wide[last]
        at = sum(ends) / 2
        return self.left + 2 + (page.length - at if page.leftward else at)

    def _y(self, level: int) -> float:
        """The middle of the labels of a level."""
        return self.leaves - level * _LEVEL + _FRAME / 2

    def _words(self) -> Iterator[str]:
        page = self.page
        for place, word in enumerate(self.tokens):
            if word is None:
                continue
            x, form = self._x((place, place)), shortened(visible(word.form), _WIDEST)
            if word.upos:
                tag, y = visible(word.upos), self.leaves + _SMALL
                yield words(tag, x, y, anchor="middle", size=_SMALL, look="faint")
            way = "rtl" if runs_right_to_left(form) else "ltr"
            look = page.figure.only_in(place) or "ink"
            text = words(
                form, x, self.base, anchor="middle", look=look, direction=way,
                unicode_bidi="isolate",
            )  # fmt: skip
            yield text if form == visible(word.form) else titled(word.form, text)
            number, y = str(word.number), self.base + _SMALL * 1.3
            yield words(number, x, y, anchor="middle", size=_SMALL, look="faint")
        if page.rest:
            at = page.length - text_width(page.rest) / 2
            x = self.left + 2 + (page.length - at if page.leftward else at)
            yield words(page.rest, x, self.base, anchor="middle", look="faint")

    def _fan(self, branch: Branch) -> str:
        """Lines from a node across and down to what is under it."""
        node, x = branch.node, self._x(branch.run)
        start = self._y(branch.level) + _FRAME / 2
        across = start + (_LEVEL - _FRAME) / 2
        below = [
            (self._x(run), self._y(level) - _FRAME / 2 if level else self.leaves)
            for run, level in self.tree.below(branch)
        ]
        ends = sorted([x, *(to for to, _ in below)])
        path = f"M{x:.1f} {start:.1f}V{across:.1f}M{ends[0]:.1f} {across:.1f}H{ends[-1]:.1f}"
        path += "".join(f"M{to:.1f} {across:.1f}V{y:.1f}" for to, y in below)
        line = element("path", d=path, fill="none", **LINES[node.kind])
        text = f"{node.kind}: {node.text}" if self.page.figure.has_system else node.text
        return titled(text, line)

    def _label(self, branch: Branch) -> Iterator[str]:
        """The label on a ground of its own, framed where it is wrong."""
        node, x, y = branch.node, self._x(branch.run), self._y(branch.level)
        if not (text := _labelled(node)):
            return
        width = text_width(text, _LABEL) + _PAD
        frame: dict[str, str | float] = {"class_": "ground"}
        if node.is_error:
            frame = {**LINES[node.kind], "rx": 3.0, "stroke_width": 1.2}
            frame["class_"] = f"ground {frame['class_']}"
        frame |= {"x": x - width / 2, "y": y - _FRAME / 2, "width": width, "height": _FRAME}
        yield element("rect", fill=GROUND, **frame)
        yield words(text, x, y + _LABEL * 0.34, anchor="middle", size=_LABEL, look=LOOKS[node.kind])


def _labelled(node: Node) -> str:
    """The label, with the sign of its outcome."""
    text = shortened(visible(node.label), _WIDEST, _LABEL)
    return f"{text} {SIGNS.get(node.outcome or '', '')}".rstrip()


def _width(node: Node) -> float:
    return text_width(_labelled(node), _LABEL) + _PAD + 2
