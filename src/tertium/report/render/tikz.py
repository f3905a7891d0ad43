"""LaTeX: figures for the package tikz-dependency, what only the system has below the words; trees
for the package forest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tertium.report.layout import MOST, halves, stacked
from tertium.report.render.forest import STYLE, trees
from tertium.report.render.latex import escape
from tertium.results.blocks import Block, Picture, Text
from tertium.results.figures import Box, Figure, Link
from tertium.results.items import ROOT, runs
from tertium.results.texts import counted

_STYLES = {
    "both": "",
    "gold": "edge style={blue, thick}, label style={text=blue}",
    "system": "edge below, edge style={orange!80!black, thick, dashed}, "
    "label style={text=orange!80!black}",
}
_LINES = {"both": "gray", "gold": "blue, thick", "system": "orange!80!black, thick, dashed"}
_LEVEL = 11  # points from one level to the next


def render(blocks: Sequence[Block]) -> str:
    """One environment a picture, or a tree, ready for `\\input`; a comment says which package is
    needed."""
    drawn = [block for block in blocks if isinstance(block, Picture)]
    packages = {"forest" if b.figure.nodes else "tikz-dependency" for b in drawn}
    needed = [f"\\usepackage{{{name}}}" for name in sorted(packages or {"tikz-dependency"})]
    parts = [f"% needs {' and '.join(needed)}"]
    parts += [STYLE] if "forest" in packages else []
    parts += ["\n".join(_picture(block)) for block in drawn]
    parts += [f"% {_comment(block.text)}" for block in blocks if isinstance(block, Text)]
    return "\n\n".join(parts) + "\n"


def _picture(picture: Picture) -> Iterator[str]:
    yield f"% sentence {_comment(picture.sentence)}"
    if picture.figure.nodes:
        yield from trees(picture.figure, picture.names)
    else:
        yield from _sentence(picture.figure)


def _sentence(whole: Figure) -> Iterator[str]:
    figure = whole.cut(MOST)
    size = len(figure.words)
    if size < len(whole.words):
        yield f"% {counted(len(whole.words) - size, 'more word')}, not drawn"
    yield "\\begin{dependency}"
    yield "\\begin{deptext}"
    yield " \\& ".join(escape(word) or "{}" for word in figure.words) + " \\\\"
    yield "\\end{deptext}"
    for links in halves(figure.links):
        yield from map(_edge, links)
    for shapes, side in zip(halves(figure.boxes), (1, -1), strict=True):
        for shape, level in stacked(shapes, size):
            yield from _bracket(shape, side * level)
    yield "\\end{dependency}"


def _edge(link: Link) -> str:
    style = _STYLES[link.kind]
    if link.side == "system" and not style:
        style = "edge below"
    style = f"[{style}]" if style else ""
    label = escape(link.label)
    if link.source >= 0:
        return f"\\depedge{style}{{{link.source + 1}}}{{{link.target + 1}}}{{{label}}}"
    label = label if link.source == ROOT else f"{label} \\ldots"
    return f"\\deproot{style}{{{link.target + 1}}}{{{label}}}"


def _bracket(shape: Box, level: int) -> Iterator[str]:
    """A line over the words (below them for negative levels), dotted over gaps, and the label."""
    edge, shift = ("north" if level > 0 else "south"), f"yshift={level * _LEVEL}pt"
    style, there = _LINES[shape.kind], runs(shape.places)

    def corner(place: int, side: str) -> str:
        return f"([{shift}]\\wordref{{1}}{{{place + 1}}}.{edge} {side})"

    for first, last in there:
        yield f"\\draw[{style}] {corner(first, 'west')} -- {corner(last, 'east')};"
    for (_, end), (begin, _) in pairwise(there):
        yield f"\\draw[{style}, dotted] {corner(end, 'east')} -- {corner(begin, 'west')};"
    first, last = shape.places[0], shape.places[-1]
    text = f"node[midway, fill=white, inner sep=1pt, font=\\scriptsize] {{{escape(shape.label)}}}"
    yield f"\\path {corner(first, 'west')} -- {text} {corner(last, 'east')};"


def _comment(text: str) -> str:
    return escape(text).replace("\n", " ")
