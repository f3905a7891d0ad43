"""HTML for notebooks: pictures that bring their own colours and scroll where they are wide."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from tertium.report.render.html import asset
from tertium.report.svg.elements import element, escape
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.images import inline
from tertium.results.blocks import Block, Picture, Text


def render(blocks: Sequence[Block]) -> str:
    """Pictures, each in a box that scrolls instead of shrinking it, and notes."""
    # A notebook's own theme cannot be asked for, so the piece has a ground of its own. Where a
    # notebook takes the style out, the attributes of the drawing's elements are left, which are
    # for a light one.
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
        style="background: #fff; color: #1b1f24",
    )
