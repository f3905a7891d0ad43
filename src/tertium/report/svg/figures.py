"""Figures as SVG: gold above the words, what only the system has below them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tertium.report.layout import MOST, Arc, arcs_of, halves, leftward, spread, stacked, told
from tertium.report.svg.colours import DOT, FAINT, GOLD, GROUND, LINES, LOOKS
from tertium.report.svg.elements import SIZE, box, element, shortened, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.report.svg.tree import draw_trees
from tertium.results.figures import Box, Figure, Link, Shape
from tertium.results.items import ROOT, runs
from tertium.results.texts import counted, runs_right_to_left, visible

_SMALL, _LABEL = 10.0, 11.0
_LEVEL = 17.0  # from one level to the next
_GAP, _PAD = 10.0, 7.0  # between words; beside labels
_ROUND, _TIP = 5.0, 5.0  # corners of arcs; arrowheads and ends of brackets
_WIDEST = 200.0  # of a word
_DOTTED = {"stroke_dasharray": "1 3"}
_FILLS = {"both": ("faint", FAINT), "gold": ("gold", GOLD), "system": ("ground", GROUND)}
_CUT = "⋯ a word not shown"


def draw_figure(figure: Figure, names: tuple[str, str] = ("gold", "system")) -> Image:
    """Words with what stands over them.

    What is not wrong is thin, and above unless only the system has it. What gold has and the system
    has not is thick and above, what the system has instead is dashed, with hollow arrows, and
    below. Words run the way the text does. Only the first 400 words are drawn, and the drawing says
    how many more there are. Constituents are drawn as trees (`draw_trees`).
    """
    return draw_trees(figure, names) if figure.nodes else _Layout(figure, names).image()


class _Half:
    """What stands on one side of the words; `away` is the direction from them, down or up."""

    def __init__(self, figure: Figure, *, below: bool) -> None:
        size = len(figure.words)
        self.away = 1.0 if below else -1.0
        self.stack = stacked(halves(figure.boxes)[below], size)
        self.arcs = arcs_of(halves(figure.links)[below], size)
        self.rise = max((level for _, level in self.stack), default=0) * _LEVEL
        highest = max((arc.level for arc in self.arcs), default=0) * _LEVEL
        self.height = self.rise + highest + (_LABEL if self.stack or self.arcs else 0)
        self.edge = 0.0  # of the words; set when it is known

    def y(self, level: int, rise: float = 0.0) -> float:
        """The height of a level."""
        return self.edge + self.away * (level * _LEVEL + rise)


class _Layout:
    """Where everything stands; levels and distances follow from the shapes and their labels."""

    def __init__(self, figure: Figure, names: tuple[str, str]) -> None:
        self.whole, self.names = figure, names
        figure = self.figure = figure.cut(MOST)
        count = len(figure.words)
        self.above, self.below = _Half(figure, below=False), _Half(figure, below=True)
        self.forms = [shortened(visible(form), _WIDEST) for form in figure.words]
        self.alone = [figure.only_in(place) for place in range(count)]
        self.small = [self._small(place) for place in range(count)]
        self.wide = [
            max(text_width(form), text_width(small, _SMALL)) / 2
            for form, small in zip(self.forms, self.small, strict=True)
        ]
        needs = [need for half in (self.above, self.below) for need in self._needs(half)]
        self.middles = spread(self.wide, _GAP, needs)
        self.length = self.middles[-1] + self.wide[-1] if count else 0.0
        more = len(self.whole.words) - count
        self.rest = f"… {counted(more, 'more word')}" if more else ""
        if more:
            self.length += _GAP + text_width(self.rest)
        self.leftward = leftward(figure.words)
        self.is_cut = any(a.link.source < ROOT for a in (*self.above.arcs, *self.below.arcs))
        legend = _LEVEL if figure.has_system or self.is_cut else 0.0
        top = legend + self.above.height
        self.base = top + SIZE
        self.above.edge, self.below.edge = top - 2, self.base + _SMALL * 1.4 + 4

    def _needs(self, half: _Half) -> Iterator[tuple[int, int, float]]:
        """Words that must be so far apart for labels to have room; others must be so wide."""
        for arc in half.arcs:
            link, label = arc.link, text_width(_labelled(arc.link), _LABEL)
            if link.source < 0:
                self.wide[link.target] = max(self.wide[link.target], label / 2)
            else:
                self.wide[link.source] = max(self.wide[link.source], abs(arc.leaves) + 2)
                ends = sorted((link.source, link.target))
                yield ends[0], ends[1], label + abs(arc.leaves) + 2 * _PAD
        for shape, _ in half.stack:
            first, last = shape.places[0], shape.places[-1]
            label = text_width(_labelled(shape), _LABEL)
            if first == last:
                self.wide[first] = max(self.wide[first], label / 2)
            else:
                yield first, last, label + 2

    def _small(self, place: int) -> str:
        sign = {"gold": "−", "system": "+"}.get(self.alone[place])
        word = self.figure.word(place)
        return visible(" ".join(filter(None, (sign, str(word.number), word.upos))))

    def x(self, at: float) -> float:
        """A place along the text as a place in the picture."""
        return (self.length - at if self.leftward else at) + 2

    def image(self) -> Image:
        """All of it."""
        body = [*self._legend(), *self._words()]
        for half in (self.above, self.below):
            # Thick lines lie over thin ones and labels over all lines.
            stack = sorted(half.stack, key=lambda each: each[0].kind != "both")
            arcs = sorted(half.arcs, key=lambda arc: arc.link.kind != "both")
            body += [self._stretch(*each, half) for each in stack]
            body += [self._line(arc, half) for arc in arcs]
            for shape, level in stack:
                middle = (self._edges(shape)[0] + self._edges(shape)[1]) / 2
                body += _label(shape, middle, half.y(level))
            for arc in arcs:
                body += _label(arc.link, sum(self._feet(arc)) / 2, half.y(arc.level, half.rise))
        height = self.below.edge + self.below.height + 2
        width = max(self.length + 4, self._legend_width())
        return Image(width, height, tuple(body), told(self.whole))

    def _words(self) -> Iterator[str]:
        for word, form, small, alone, at in zip(
            self.figure.words, self.forms, self.small, self.alone, self.middles, strict=True
        ):
            yield self._text(form, self.x(at), self.base, alone or "ink", word)
            yield words(
                small, self.x(at), self.base + _SMALL * 1.3, anchor="middle", size=_SMALL,
                look="faint",
            )  # fmt: skip
        if self.rest:
            x = self.x(self.length - text_width(self.rest) / 2)
            yield words(self.rest, x, self.base, anchor="middle", look="faint")

    def _text(self, form: str, x: float, y: float, look: str, whole: str) -> str:
        way = "rtl" if runs_right_to_left(form) else "ltr"
        text = words(form, x, y, anchor="middle", look=look, direction=way, unicode_bidi="isolate")
        if form == visible(whole):
            return text
        return titled(whole, text)

    def _titled(self, shape: Shape, *parts: str) -> str:
        """Lines with what they are in words as a tooltip."""
        text = f"{shape.kind}: {shape.text}" if self.figure.has_system else shape.text
        return titled(text, *parts)

    def _edges(self, shape: Box) -> tuple[float, float]:
        return self._run(shape.places[0], shape.places[-1])

    def _run(self, first: int, last: int) -> tuple[float, float]:
        """From the left edge of one word to the right edge of another."""
        ends = self.middles[first] - self.wide[first], self.middles[last] + self.wide[last]
        low, high = sorted(map(self.x, ends))
        return low, high

    def _stretch(self, shape: Box, level: int, half: _Half) -> str:
        """A bracket over the words of a box, dotted over its gaps."""
        style, y = LINES[shape.kind], half.y(level)
        if len(shape.places) == 1 and not shape.is_error:
            return ""
        there = [self._run(*run) for run in runs(shape.places)]
        there.sort()
        foot = y - half.away * _TIP
        path = "".join(f"M{a:.1f} {foot:.1f}V{y:.1f}H{z:.1f}V{foot:.1f}" for a, z in there)
        dots = "".join(
            f"M{end:.1f} {y:.1f}H{begin:.1f}" for (_, end), (begin, _) in pairwise(there)
        )
        parts = [element("path", d=path, fill="none", **style)]
        if dots:
            parts.append(element("path", d=dots, fill="none", **{**style, **_DOTTED}))
        return self._titled(shape, *parts)

    def _feet(self, arc: Arc) -> tuple[float, float]:
        """Where an arc begins and ends."""
        end = self.x(self.middles[arc.link.target])
        if arc.link.source < 0:
            return end, end
        return self.x(self.middles[arc.link.source] + arc.leaves), end

    def _line(self, arc: Arc, half: _Half) -> str:
        """The line with its arrow."""
        link, away = arc.link, half.away
        (start, end), y = self._feet(arc), half.y(arc.level, half.rise)
        edge = half.y(0, half.rise)
        foot = edge + away * _TIP
        if link.source < 0:
            path = f"M{end:.1f} {y:.1f}V{foot:.1f}"
        else:
            turn = _ROUND if end > start else -_ROUND
            inner = y - away * _ROUND
            path = (
                f"M{start:.1f} {edge:.1f}V{inner:.1f}Q{start:.1f} {y:.1f} {start + turn:.1f} "
                f"{y:.1f}H{end - turn:.1f}Q{end:.1f} {y:.1f} {end:.1f} {inner:.1f}V{foot:.1f}"
            )
        style = LINES[link.kind]
        look, colour = _FILLS[link.kind]
        tip: dict[str, str | float] = {"fill": colour, "stroke": style["stroke"]}
        tip["class_"] = f"{look} {style['class_']}"
        head = f"M{end:.1f} {edge:.1f}l-{_TIP / 2} {away * _TIP:.1f}h{_TIP}z"
        dotted = _DOTTED if link.source < ROOT else {}
        parts = [
            element("path", d=path, fill="none", **{**style, **dotted}),
            element("path", d=head, **tip),
        ]
        if link.source == ROOT:
            dot = f"M{end - 2.5:.1f} {y - away * 8:.1f}{DOT}"
            parts.append(element("path", d=dot, **tip))
        return self._titled(link, *parts)

    def _entries(self) -> list[tuple[str, str]]:
        if not self.figure.has_system:
            return []
        gold, system = (shortened(visible(name), _WIDEST) for name in self.names)
        return [("both", "both"), ("gold", f"only {gold}"), ("system", f"only {system}")]

    def _legend_width(self) -> float:
        cut = text_width(_CUT, _LABEL) + 4 if self.is_cut else 0.0
        return sum(36 + text_width(name, _LABEL) + 14 for _, name in self._entries()) + cut

    def _legend(self) -> Iterator[str]:
        x = 2.0
        for kind, name in self._entries():
            line = f"M{x:.1f} {_LABEL * 0.65:.1f}h30"
            yield element("path", d=line, fill="none", **LINES[kind])
            yield words(name, x + 36, _LABEL, size=_LABEL, look=LOOKS[kind])
            x += 36 + text_width(name, _LABEL) + 14
        if self.is_cut:
            yield words(_CUT, x, _LABEL, size=_LABEL, look="faint")


def _label(shape: Shape, middle: float, y: float) -> Iterator[str]:
    """The label in the middle of its line, on a ground of its own."""
    text = _labelled(shape)
    if not text:
        return
    width = text_width(text, _LABEL) + 2
    yield box("ground", middle - width / 2, y - _LABEL / 2, width, _LABEL, fill=GROUND)
    look = LOOKS[shape.kind]
    yield words(text, middle, y + _LABEL * 0.34, anchor="middle", size=_LABEL, look=look)


def _labelled(shape: Shape) -> str:
    """The label; a sign follows it where the source is not among the words drawn."""
    text = shortened(visible(shape.label), _WIDEST, _LABEL)
    is_cut = isinstance(shape, Link) and shape.source < ROOT
    return f"{text} ⋯" if is_cut else text
