"""Dependency trees as arcs: gold above the words, what only the system has below them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from tertium.report.render.plain import counted, visible
from tertium.report.svg.arcs import Arc, arcs_of, laid_out, spread
from tertium.report.svg.colours import FAINT, GOLD, GROUND, SYSTEM
from tertium.report.svg.drawing import Drawing
from tertium.report.svg.elements import element, escape, words
from tertium.report.svg.sizes import SIZE, shortened, text_width
from tertium.results.items import ROOT
from tertium.results.scenes import Scene

MOST = 400  # words of a drawing
_SMALL, _LABEL = 10.0, 11.0
_LEVEL = 17.0  # from one level to the next
_GAP, _PAD = 10.0, 7.0  # between words; beside labels
_ROUND, _TIP = 5.0, 5.0  # corners of arcs; arrowheads
_WIDEST = 200.0  # of a word
_LINES: dict[str, dict[str, str | float]] = {
    "both": {"class": "both-line", "stroke": FAINT, "stroke-width": 1.0},
    "gold": {"class": "gold-line", "stroke": GOLD, "stroke-width": 1.8},
    "system": {
        "class": "system-line",
        "stroke": SYSTEM,
        "stroke-width": 1.8,
        "stroke-dasharray": "5 3",
    },
}
_FILLS = {"both": ("faint", FAINT), "gold": ("gold", GOLD), "system": ("ground", GROUND)}
_LOOKS = {"both": "ink", "gold": "gold", "system": "system"}
_TOLD = 10  # differences in the description
_CUT = "⋯ the head is not shown"


def dependency_trees(scene: Scene, names: tuple[str, str] = ("gold", "system")) -> Drawing:
    """The trees of a sentence over its words.

    What both sides have is drawn once, thin and above. What gold has alone is thick and above, what
    the system has alone is dashed, with hollow arrows, and below. Words run the way the text does.
    Only the first 400 words are drawn, and the drawing says how many more there are.
    """
    return _Layout(scene, names).drawing()


class _Layout:
    """Where everything stands; levels and distances follow from the arcs and their labels."""

    def __init__(self, scene: Scene, names: tuple[str, str]) -> None:
        self.scene, self.names = scene, names
        count = min(len(scene.words), MOST)
        self.words = scene.words[:count]
        self.above, self.below = (laid_out(arcs, count) for arcs in arcs_of(scene, count))
        self.forms = [shortened(visible(form), _WIDEST) for form in self.words]
        self.alone = [scene.only_in(place) for place in range(count)]
        self.small = [self._small(place) for place in range(count)]
        halves = [
            max(text_width(form), text_width(small, _SMALL)) / 2
            for form, small in zip(self.forms, self.small, strict=True)
        ]
        needs: list[tuple[int, int, float]] = []
        for arc in (*self.above, *self.below):
            label = text_width(_labelled(arc), _LABEL)
            if arc.head < 0:
                halves[arc.word] = max(halves[arc.word], label / 2)
            else:
                halves[arc.head] = max(halves[arc.head], abs(arc.leaves) + 2)
                needs.append((arc.first, arc.last, label + abs(arc.leaves) + 2 * _PAD))
        self.middles = spread(halves, _GAP, needs)
        self.length = self.middles[-1] + halves[-1] if count else 0.0
        self.more = len(scene.words) - count
        self.rest = f"… {counted(self.more, 'more word')}" if self.more else ""
        if self.more:
            self.length += _GAP + text_width(self.rest)
        self.leftward = _leftward(self.scene)
        self.is_cut = any(arc.head < ROOT for arc in (*self.above, *self.below))
        self.legend = _LEVEL if scene.has_system or self.is_cut else 0.0
        self.top = self.legend + _height(self.above)
        self.base = self.top + SIZE
        self.bottom = self.base + _SMALL * 1.4 + 4

    def _small(self, place: int) -> str:
        sign = {"gold": "−", "system": "+"}.get(self.alone[place])
        mark = self.scene.items[place]
        return visible(" ".join(filter(None, (sign, str(mark.number), mark.upos))))

    def x(self, at: float) -> float:
        """A place along the text as a place in the picture."""
        return (self.length - at if self.leftward else at) + 2

    def drawing(self) -> Drawing:
        """All of it."""
        body = [*self._legend(), *self._words()]
        for arcs, below in ((self.above, False), (self.below, True)):
            # Thick lines lie over thin ones and labels over all lines.
            ordered = sorted(arcs, key=lambda arc: arc.kind != "both")
            body += [self._line(arc, below=below) for arc in ordered]
            body += [part for arc in ordered for part in self._label(arc, below=below)]
        height = self.bottom + _height(self.below) + 2
        return Drawing(
            max(self.length + 4, self._legend_width()), height, tuple(body), self._told()
        )

    def _words(self) -> Iterator[str]:
        for word, form, small, alone, at in zip(
            self.words, self.forms, self.small, self.alone, self.middles, strict=True
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
        way = "rtl" if _runs_leftward(form) else "ltr"
        text = words(form, x, y, anchor="middle", look=look, direction=way, unicode_bidi="isolate")
        if form == visible(whole):
            return text
        return element("g", {}, element("title", {}, escape(whole)), text)

    def _feet(self, arc: Arc) -> tuple[float, float]:
        """Where an arc begins and ends."""
        end = self.x(self.middles[arc.word])
        if arc.head < 0:
            return end, end
        return self.x(self.middles[arc.head] + arc.leaves), end

    def _y(self, arc: Arc, *, below: bool) -> tuple[float, float]:
        """The edge of the words, and the height of the arc."""
        if below:
            return self.bottom, self.bottom + arc.level * _LEVEL
        return self.top - 2, self.top - 2 - arc.level * _LEVEL

    def _line(self, arc: Arc, *, below: bool) -> str:
        """The line with its arrow, and what it is in words as a tooltip."""
        (start, end), (edge, y) = self._feet(arc), self._y(arc, below=below)
        away = 1.0 if below else -1.0  # from the words
        foot = edge + away * _TIP
        if arc.head < 0:
            path = f"M{end:.1f} {y:.1f}V{foot:.1f}"
        else:
            turn = _ROUND if end > start else -_ROUND
            inner = y - away * _ROUND
            path = (
                f"M{start:.1f} {edge:.1f}V{inner:.1f}Q{start:.1f} {y:.1f} {start + turn:.1f} "
                f"{y:.1f}H{end - turn:.1f}Q{end:.1f} {y:.1f} {end:.1f} {inner:.1f}V{foot:.1f}"
            )
        style = dict(_LINES[arc.kind])
        if arc.head < ROOT:
            style["stroke-dasharray"] = "1 3"
        look, colour = _FILLS[arc.kind]
        tip: dict[str, str | float] = {
            "d": f"M{end:.1f} {edge:.1f}l-{_TIP / 2} {away * _TIP:.1f}h{_TIP}z",
            "fill": colour,
            **{key: value for key, value in _LINES[arc.kind].items() if key == "stroke"},
            "class": f"{look} {_LINES[arc.kind]['class']}",
        }
        parts = [element("path", {"d": path, "fill": "none", **style}), element("path", tip)]
        if arc.head == ROOT:
            dot = f"M{end - 2.5:.1f} {y - away * 8:.1f}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z"
            parts.append(element("path", {**tip, "d": dot}))
        return element("g", {}, element("title", {}, escape(arc.told)), *parts)

    def _label(self, arc: Arc, *, below: bool) -> Iterator[str]:
        """The relation in the middle of the line, on a ground of its own."""
        (start, end), (_, y) = self._feet(arc), self._y(arc, below=below)
        text = _labelled(arc)
        width, middle = text_width(text, _LABEL) + 2, (start + end) / 2
        ground: dict[str, str | float] = {
            "class": "ground",
            "x": middle - width / 2,
            "y": y - _LABEL / 2,
            "width": width,
            "height": _LABEL,
            "fill": GROUND,
        }
        yield element("rect", ground)
        look = _LOOKS[arc.kind]
        yield words(text, middle, y + _LABEL * 0.34, anchor="middle", size=_LABEL, look=look)

    def _entries(self) -> list[tuple[str, str]]:
        if not self.scene.has_system:
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
            yield element("path", {"d": line, "fill": "none", **_LINES[kind]})
            yield words(name, x + 36, _LABEL, size=_LABEL, look=_LOOKS[kind])
            x += 36 + text_width(name, _LABEL) + 14
        if self.is_cut:
            yield words(_CUT, x, _LABEL, size=_LABEL, look="faint")

    def _told(self) -> str:
        """The sentence, and where the trees differ."""
        text = " ".join(self.words)
        told = f"A dependency tree over {counted(len(self.scene.words), 'word')}: {text}"
        if not self.scene.has_system:
            return told
        if not self.scene.differing:
            return f"{told}; both trees are the same."
        kept = [place for place in self.scene.differing if place < MOST]
        arcs = [arc.told for arc in (*self.above, *self.below) if arc.kind != "both"]
        shown = "; ".join(arcs[: 2 * _TOLD]) + ("; ..." if len(arcs) > 2 * _TOLD else "")
        return f"{told}; the trees differ at {counted(len(kept), 'word')}: {shown}."


def _labelled(arc: Arc) -> str:
    """The relation; a sign follows it where the head is not among the words drawn."""
    text = shortened(visible(arc.relation), _WIDEST, _LABEL)
    return f"{text} ⋯" if arc.head < ROOT else text


def _height(arcs: Sequence[Arc]) -> float:
    """What arcs take, with the label of the highest one."""
    return max((arc.level for arc in arcs), default=0) * _LEVEL + (_LABEL if arcs else 0)


def _leftward(scene: Scene) -> bool:
    """Does the text run from right to left? What most of its letters do."""
    letters = (unicodedata.bidirectional(c) for word in scene.words for c in word)
    votes = [kind != "L" for kind in letters if kind in ("L", "R", "AL")]
    return sum(votes) * 2 > len(votes)


def _runs_leftward(form: str) -> bool:
    return any(unicodedata.bidirectional(c) in ("R", "AL") for c in form)
