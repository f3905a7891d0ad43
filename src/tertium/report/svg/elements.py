"""Elements of SVG as strings, and how much room their texts take.

Attributes and texts are escaped, numbers as short as they can be. Fonts are not known here, so
widths of texts are estimates on the safe side.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape as escape_markup

from tertium.report.svg.colours import FAINT, GOLD, GROUND, INK, SYSTEM
from tertium.results.texts import visible

SIZE = 13.0  # of letters, in pixels
LEADING = 1.4  # from one base line to the next, in sizes
_NARROW = frozenset("iIjlt1.,;:'|!()[] ")
_BROAD = frozenset("mwMWQ@%#&<>~^=+_—…")
_FILLS = {
    "ink": INK,
    "faint": FAINT,
    "ground": GROUND,
    "on-part": INK,
    "gold": GOLD,
    "system": SYSTEM,
}


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


def element(name: str, *children: str, **attributes: str | float) -> str:
    """An element; `children` are elements or escaped texts. Names of attributes have `_` for `-`,
    and one at the end where Python has the word for itself.

    >>> element("path", d="M0 0", class_="tick", fill_opacity=0.5)
    '<path d="M0 0" class="tick" fill-opacity="0.5"/>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}="
        f'"{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    if not children:
        return f"<{name}{given}/>"
    return f"<{name}{given}>{''.join(children)}</{name}>"


def tip(text: str) -> str:
    """What is shown when one points at the element around it."""
    return element("title", escape(text))


def titled(text: str, *children: str, **attributes: str | float) -> str:
    """Elements with a common tooltip."""
    return element("g", tip(text), *children, **attributes)


def box(
    look: str, x: float, y: float, width: float, height: float, *children: str, **more: str | float
) -> str:
    """A rectangle; `look` is its class, by which pages colour it."""
    given: dict[str, str | float] = {"class_": look} if look else {}
    return element("rect", *children, **given, x=x, y=y, width=width, height=height, **more)


def line(look: str, path: str, colour: str, width: float = 1.0, dashes: str = "") -> str:
    """A path that is not filled."""
    more: dict[str, str | float] = {"stroke_width": width} if width != 1 else {}
    if dashes:
        more["stroke_dasharray"] = dashes
    return element("path", class_=look, d=path, stroke=colour, fill="none", **more)


def linked(links: Sequence[str], place: int, *children: str) -> str:
    """Elements that lead to the address at `place`, if there is one."""
    address = links[place] if place < len(links) else ""
    return element("a", *children, href=address) if address else "\n".join(children)


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
    given: dict[str, str | float] = {"text_anchor": anchor} if anchor != "start" else {}
    if size != SIZE:
        given["font_size"] = size
    tips = [tip(text)] if shown != visible(text) and room else []
    return element(
        "text", escape(shown), *tips, class_=look, x=x, y=y, **given, fill=_FILLS[look], **more
    )


def text_width(text: str, size: float = SIZE) -> float:
    """About how wide a text is.

    >>> text_width("LOC") < text_width("LOCATION") < text_width("日本語日本語日本語")
    True
    """
    return size * sum(map(_letter, text))


def _letter(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if letter in _NARROW:
        return 0.4
    if letter in _BROAD or unicodedata.east_asian_width(letter) in "WF":
        return 1
    return 0.74 if letter.isupper() else 0.6


def shortened(text: str, room: float, size: float = SIZE) -> str:
    """The text, or its beginning and end around an ellipsis: long labels often differ at the end.

    >>> shortened("nsubj", 100), shortened("Tense=Past|VerbForm=Part", 100)
    ('nsubj', 'Tense…=Part')
    """
    if text_width(text, size) <= room:
        return text
    room -= text_width("…", size)
    begin = _fitting(text, room * 0.6, size)
    end = _fitting(text[::-1], room - text_width(begin, size), size)[::-1]
    return f"{begin}…{end}"


def _fitting(text: str, room: float, size: float) -> str:
    """As many letters as fit, from the first on."""
    for end, letter in enumerate(text):
        room -= text_width(letter, size)
        if room < 0:
            return text[:end]
    return text


def wrapped(text: str, room: float, size: float = SIZE) -> list[str]:
    """Lines that fit, broken at spaces; a word that is too long is broken anywhere.

    >>> wrapped("one two", 30)
    ['one', 'two']
    """
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if text_width(joined, size) <= room:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size) > room:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line]
