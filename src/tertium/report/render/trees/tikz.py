"""LaTeX: dependency trees for the package tikz-dependency, arcs of the system alone below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.align.trees import ROOT
from tertium.report.render.latex import escape
from tertium.report.render.plain import counted
from tertium.report.svg.arcs import Arc, arcs_of
from tertium.report.svg.trees import MOST

if TYPE_CHECKING:
    from tertium.align.trees import TreePair
    from tertium.report.drawing import Drawing

_STYLES = {
    "both": "",
    "gold": "edge style={blue, thick}, label style={text=blue}",
    "system": "edge below, edge style={orange!80!black, thick, dashed}, "
    "label style={text=orange!80!black}",
}


def render(drawing: Drawing) -> str:
    """One environment a sentence, ready for `\\input`; needs `\\usepackage{tikz-dependency}`."""
    parts = ["% needs \\usepackage{tikz-dependency}"]
    for pair in drawing.pairs:
        parts.append("\n".join(_sentence(pair)))
    parts += [f"% {_comment(note)}" for note in drawing.notes]
    return "\n\n".join(parts) + "\n"


def _sentence(pair: TreePair) -> Iterator[str]:
    rows = pair.rows[:MOST]
    yield f"% sentence {_comment(pair.sentence)}"
    if len(rows) < len(pair.rows):
        yield f"% {counted(len(pair.rows) - len(rows), 'more word')}, not drawn"
    yield "\\begin{dependency}"
    yield "\\begin{deptext}"
    yield " \\& ".join(escape(row.word.form) or "{}" for row in rows) + " \\\\"
    yield "\\end{deptext}"
    above, below = arcs_of(pair, len(rows))
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
