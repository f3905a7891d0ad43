"""LaTeX: dependency trees for the package tikz-dependency, arcs of the system alone below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.report.render.latex import escape
from tertium.report.render.plain import counted
from tertium.report.svg.arcs import Arc, arcs_of
from tertium.report.svg.trees import MOST
from tertium.results.items import ROOT

if TYPE_CHECKING:
    from tertium.report.drawing import Drawing
    from tertium.results.scenes import Scene

_STYLES = {
    "both": "",
    "gold": "edge style={blue, thick}, label style={text=blue}",
    "system": "edge below, edge style={orange!80!black, thick, dashed}, "
    "label style={text=orange!80!black}",
}


def render(drawing: Drawing) -> str:
    """One environment a sentence, ready for `\\input`; needs `\\usepackage{tikz-dependency}`."""
    parts = ["% needs \\usepackage{tikz-dependency}"]
    parts += ["\n".join(_sentence(scene)) for scene in drawing.pairs]
    parts += [f"% {_comment(note)}" for note in drawing.notes]
    return "\n\n".join(parts) + "\n"


def _sentence(scene: Scene) -> Iterator[str]:
    words = scene.words[:MOST]
    yield f"% sentence {_comment(scene.id)}"
    if len(words) < len(scene.words):
        yield f"% {counted(len(scene.words) - len(words), 'more word')}, not drawn"
    yield "\\begin{dependency}"
    yield "\\begin{deptext}"
    yield " \\& ".join(escape(word) or "{}" for word in words) + " \\\\"
    yield "\\end{deptext}"
    above, below = arcs_of(scene, len(words))
    for arc in (*above, *below):
        yield _edge(arc)
    yield "\\end{dependency}"


def _edge(arc: Arc) -> str:
    style = f"[{_STYLES[arc.kind]}]" if _STYLES[arc.kind] else ""
    label = escape(arc.relation)
    if arc.head >= 0:
        return f"\\depedge{style}{{{arc.head + 1}}}{{{arc.word + 1}}}{{{label}}}"
    label = label if arc.head == ROOT else f"{label} \\ldots"
    return f"\\deproot{style}{{{arc.word + 1}}}{{{label}}}"


def _comment(text: str) -> str:
    return escape(text).replace("\n", " ")
