"""One result in the format asked for: its data, its rows, or its blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.results.blocks import Block


def in_format(
    format: str,
    *,
    data: Callable[[], Mapping[str, Any]],
    csv: Callable[[], str],
    blocks: Callable[[], Sequence[Block]],
    title: str,
    **look: Any,
) -> str:
    """JSON of `data`, what `csv` gives, or `blocks` under a title; only one of them is made."""
    if format == "json":
        from tertium.report.render.json import dump

        return dump(dict(data()))
    if format == "csv":
        return csv()
    from tertium.report.render import render_blocks

    return render_blocks(list(blocks()), format, title=title, **look)
