"""HTML for notebooks: pictures that bring their own colours and scroll where they are wide."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from tertium.report.svg.elements import element, escape
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.images import inline
from tertium.results.figures import Figure

# A notebook's own theme cannot be asked for, so the piece has a ground of its own. Where a notebook
# takes the style out, the attributes of the drawing's elements are left, which are for a light one.
_STYLE = """\
.tertium-figures { --ground: #fff; --ink: #1b1f24; --faint: #59636e; --gold: #0b5cad;
  --system: #a85000; background: var(--ground); color: var(--ink); padding: .5rem; }
@media (prefers-color-scheme: dark) { .tertium-figures { --ground: #12161b; --ink: #e6e9ed;
  --faint: #9aa4af; --gold: #79b8ff; --system: #ffb26b; } }
.tertium-figures .ink { fill: var(--ink); }
.tertium-figures .faint { fill: var(--faint); }
.tertium-figures .ground { fill: var(--ground); }
.tertium-figures .gold { fill: var(--gold); }
.tertium-figures .system { fill: var(--system); }
.tertium-figures .both-line { stroke: var(--faint); }
.tertium-figures .gold-line { stroke: var(--gold); }
.tertium-figures .system-line { stroke: var(--system); }
.tertium-figures svg { max-width: none; }
"""


def pieces(
    figures: Sequence[Figure],
    names: tuple[str, str],
    titles: Sequence[str],
    notes: Sequence[str] = (),
) -> str:
    """Figures, each in a box that scrolls instead of shrinking it."""
    parts = [element("style", f"\n{_STYLE}")]
    for figure, title in zip(figures, titles, strict=True):
        drawing = draw_figure(figure, names)
        name = f"tertium-{crc32(repr((title, names, drawing.body)).encode('utf-8', 'replace')):08x}"
        svg = inline(drawing, title=title, name=name)
        parts.append(element("p", escape(title)))
        parts.append(element("div", svg, style="overflow-x: auto"))
    parts += [element("p", escape(note)) for note in notes]
    return element(
        "div",
        "\n" + "\n".join(parts) + "\n",
        class_="tertium-figures",
        style="background: #fff; color: #1b1f24",
    )
