"""`tertium.show`: a result as a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from tertium.report.render import render

if TYPE_CHECKING:
    from tertium.results.output import Output as Result

HEIGHT = 640  # pixels


@dataclass(frozen=True)
class NotebookPage:
    """A page in a frame of its own, so that its style and a notebook's do not meet; printed, it is
    text."""

    html: str = field(repr=False)
    text: str = field(repr=False)
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self.height}" '
            'style="border: 0" title="Tertium"></iframe>'
        )

    def __repr__(self) -> str:
        return self.text


def show(
    result: Result,
    *,
    height: int = HEIGHT,
    **options: Any,
) -> NotebookPage:
    """A result with its tables and figures for a notebook, `height` pixels high.

    `options` are those of `tertium.render`. A comparison that was made with `examples=True` is the
    interactive report.

    >>> import tertium
    >>> shown = show(tertium.score([["N", "V"]], [["N", "N"]]))
    >>> "50.00" in repr(shown), "50.00" in shown._repr_html_()
    (True, True)
    """
    from tertium.report.page import render_page
    from tertium.results.output import Output

    text = render(result, "text", **options)
    page = result.page() if isinstance(result, Output) else None
    if page is not None:
        titled = replace(page, title=options.get("title") or page.title)
        return NotebookPage(render_page(titled), text, height)
    return NotebookPage(render(result, "html", **options), text, height)
