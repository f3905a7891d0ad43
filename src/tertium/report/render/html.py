"""HTML: one self-contained page, light or dark as the reader prefers, no address from outside."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.report.render.html_items import block_item, environment
from tertium.results.blocks import Block


def render(blocks: Sequence[Block], *, title: str = "Tertium") -> str:
    """The page. Everything from outside is escaped by the template engine."""
    items = [block_item(block, f"figure-{number}") for number, block in enumerate(blocks)]
    return environment().get_template("page.html.jinja").render(title=title, blocks=items)
