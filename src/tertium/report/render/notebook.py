"""HTML for notebooks: pictures that bring their own colours and scroll where they are wide."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from tertium.report.svg.drawing import inline
from tertium.report.svg.elements import element, escape
from tertium.report.svg.trees import dependency_trees
from tertium.results.scenes import Scene

# A notebook's own theme cannot be asked for, so the piece has a ground of its own. Where a notebook
# takes the style out, the attributes of the drawing's elements are left, which are for a light one.
_STYLE = """\
.tertium-trees { --ground: #fff; --ink: #1b1f24; --faint: #59636e; --gold: #0b5cad;
  --system: #a85000; background: var(--ground); color: var(--ink); padding: .5rem; }
@media (prefers-color-scheme: dark) { .tertium-trees { --ground: #12161b; --ink: #e6e9ed;
  --faint: #9aa4af; --gold: #79b8ff; --system: #ffb26b; } }
.tertium-trees .ink { fill: var(--ink); }
.tertium-trees .faint { fill: var(--faint); }
.tertium-trees .ground { fill: var(--ground); }
.tertium-trees .gold { fill: var(--gold); }
.tertium-trees .system { fill: var(--system); }
.tertium-trees .both-line { stroke: var(--faint); }
.tertium-trees .gold-line { stroke: var(--gold); }
.tertium-trees .system-line { stroke: var(--system); }
.tertium-trees svg { max-width: none; }
"""


def trees(
    scenes: Sequence[Scene],
    names: tuple[str, str],
    titles: Sequence[str],
    notes: Sequence[str] = (),
) -> str:
    """The trees of some sentences, each in a box that scrolls instead of shrinking it."""
    parts = [element("style", {}, f"\n{_STYLE}")]
    for scene, title in zip(scenes, titles, strict=True):
        drawing = dependency_trees(scene, names)
        name = f"tertium-{crc32(repr((title, names, drawing.body)).encode('utf-8', 'replace')):08x}"
        svg = inline(drawing, title=title, name=name)
        parts.append(element("p", {}, escape(title)))
        parts.append(element("div", {"style": "overflow-x: auto"}, svg))
    parts += [element("p", {}, escape(note)) for note in notes]
    ground = {"class": "tertium-trees", "style": "background: #fff; color: #1b1f24"}
    return element("div", ground, "\n" + "\n".join(parts) + "\n")
