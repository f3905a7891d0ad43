"""Elements of SVG as strings: attributes and texts escaped, numbers as short as they can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape as escape_markup

from tertium.report.svg.colours import FAINT, GOLD, GROUND, INK, SYSTEM
from tertium.report.svg.sizes import SIZE, shortened
from tertium.results.texts import visible

Attributes = Mapping[str, str | float]


def escape(text: str) -> str:
    """Text that XML and HTML show as it is, control characters written out.

    >>> escape('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape_markup(visible(text))


def number(value: float) -> str:
    """At most two decimals: a hundredth of a pixel cannot be seen.

    >>> number(12.0), number(1 / 3), number(-0.001)
    ('12', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, attributes: Attributes, *children: str) -> str:
    """An element; `children` are elements or escaped texts."""
    given = "".join(
        f' {key}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    if not children:
        return f"<{name}{given}/>"
    return f"<{name}{given}>{''.join(children)}</{name}>"


def linked(links: Sequence[str], place: int, *children: str) -> str:
    """Elements that lead to the address at `place`, if there is one."""
    address = links[place] if place < len(links) else ""
    return element("a", {"href": address}, *children) if address else "\n".join(children)


def words(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "start",
    size: float = SIZE,
    room: float | None = None,
    look: str = "ink",
    **more: str,
) -> str:
    """A line of text with its base line at `y`.

    What is longer than `room` is cut, with the whole text as a tooltip. The base direction is left
    to right for every script, so that `anchor` means the same side of all labels; letters inside
    still run their own way.
    """
    shown = text if room is None else shortened(visible(text), room, size)
    attributes: dict[str, str | float] = {"class": look, "x": x, "y": y}
    if anchor != "start":
        attributes["text-anchor"] = anchor
    if size != SIZE:
        attributes["font-size"] = size
    attributes["fill"] = _FILLS[look]
    attributes.update({key.replace("_", "-"): value for key, value in more.items()})
    tip = [element("title", {}, escape(text))] if shown != visible(text) and room else []
    return element("text", attributes, escape(shown), *tip)


_FILLS = {
    "ink": INK,
    "faint": FAINT,
    "ground": GROUND,
    "on-part": INK,
    "gold": GOLD,
    "system": SYSTEM,
}
