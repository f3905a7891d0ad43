"""HTML for notebooks: tables and pictures that bring their own colours and scroll where they are
wide."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from tertium.report.render.html import asset, block_item, environment
from tertium.report.svg.elements import element, escape
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.images import inline
from tertium.results.blocks import Block, Picture, Text

TEMPLATE = """{% import "blocks.html.jinja" as parts with context %}
{% for block in blocks %}
{{ parts.block_of(block) }}{% endfor %}"""
GROUND = "background: #fff; color: #1b1f24"
STYLE = (
    ".tertium-result { background: var(--ground) !important; color: var(--ink) !important; "
    "font: .875rem/1.5 system-ui, sans-serif; padding: .1rem .75rem; }"
)


def render(blocks: Sequence[Block], *, title: str = "Tertium") -> str:
    """A piece of HTML for one cell."""
    # A notebook's own theme cannot be asked for, so the piece has a ground of its own. Where a
    # notebook takes the style out, the attributes of the drawing's elements are left, which are
    # for a light one.
    kinds = {type(block) for block in blocks}
    if Picture in kinds and kinds <= {Picture, Text}:
        return _pictures(blocks)
    name = f"tertium-{crc32(repr(blocks).encode('utf-8', 'replace')):08x}"
    items = [block_item(block, f"{name}-{number}") for number, block in enumerate(blocks)]
    body = environment().from_string(TEMPLATE).render(blocks=items, title=title)
    # The style of pages, for this piece alone: rules inside a rule hold below what it names.
    style = f"{STYLE} .tertium-result {{ {asset('page.css').replace(':root', '&')} }}"
    parts = [element("style", "\n" + style), body]
    return element("div", "\n" + "\n".join(parts), class_="tertium-result", style=GROUND)


def _pictures(blocks: Sequence[Block]) -> str:
    """Pictures, each in a box that scrolls instead of shrinking it, and notes."""
    parts = [element("style", "\n" + asset("notebook.css"))]
    for block in blocks:
        if isinstance(block, Picture):
            drawing = draw_figure(block.figure, block.names)
            about = repr((block.where, block.names, drawing.body)).encode("utf-8", "replace")
            svg = inline(drawing, title=block.where, name=f"tertium-{crc32(about):08x}")
            parts.append(element("p", escape(block.where)))
            parts.append(element("div", svg, style="overflow-x: auto"))
        elif isinstance(block, Text):
            parts.append(element("p", escape(block.text)))
    return element(
        "div",
        "\n" + "\n".join(parts) + "\n",
        class_="tertium-figures",
        style=GROUND,
    )
