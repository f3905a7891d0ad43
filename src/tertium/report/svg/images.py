"""Images: one inside a page, or several one above the other in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.svg.colours import GROUND
from tertium.report.svg.elements import (
    LEADING,
    SIZE,
    element,
    escape,
    text_width,
    tip,
    words,
    wrapped,
)
from tertium.results.texts import visible

_MARGIN, _BETWEEN, _SMALL = 16.0, 36.0, 11.5
_NARROWEST = 420.0  # what titles and notes may take in any case


@dataclass(frozen=True)
class Image:
    """The elements of a picture, its size, and what it shows in words."""

    width: float
    height: float
    body: tuple[str, ...]
    description: str = ""


@dataclass(frozen=True)
class Plate:
    """An image with the texts around it; without an image, texts alone. `name` is for those who
    cannot see it, `title` is drawn."""

    image: Image | None = None
    title: str = ""
    note: str = ""
    name: str = ""


def inline(image: Image, *, title: str, name: str) -> str:
    """An element for an HTML page; `name` makes ids that occur once on the page."""
    ids = f"{name}-title", f"{name}-text"
    return element(
        "svg",
        "\n" + element("title", escape(title), id=ids[0]),
        element("desc", escape(image.description), id=ids[1]),
        "\n" + "\n".join(image.body) + "\n",
        role="img",
        aria_labelledby=" ".join(ids),
        **_frame(image.width, image.height),
    )


def document(plates: Sequence[Plate], *, title: str, description: Sequence[str] = ()) -> str:
    """A file with all plates on a white ground. `description` is not drawn: it says what the
    numbers are, for programs and for whoever finds the file again."""
    # Names of sentences can be long, and are not broken.
    words_of = (word for p in plates for word in visible(p.title).split())
    widths = [p.image.width for p in plates if p.image]
    width = max([_NARROWEST, *widths, *(text_width(word, SIZE * 1.2) for word in words_of)])
    parts: list[str] = []
    y = _MARGIN
    for plate in plates:
        body, height = _plate(plate, width)
        parts.append(_moved(_MARGIN, y, body, role="img"))
        y += height + _BETWEEN
    total = width + 2 * _MARGIN, y - (_BETWEEN if plates else 0) + _MARGIN
    told = [*(p.image.description for p in plates if p.image), *description]
    root = element(
        "svg",
        "\n" + element("title", escape(title)),
        "\n" + element("desc", "\n".join(map(escape, told))),
        "\n" + element("rect", width="100%", height="100%", fill=GROUND),
        "\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        **_frame(*total),
    )
    return root + "\n"


def _moved(x: float, y: float, body: Sequence[str], **more: str) -> str:
    inside = "\n" + "\n".join(body) + "\n"
    return element("g", inside, transform=f"translate({x:.0f} {y:.1f})", **more)


def _plate(plate: Plate, width: float) -> tuple[list[str], float]:
    """Title, image and note one below the other, and how high they are together."""
    body, y = [], 0.0
    if plate.name:
        body.append(tip(plate.name))
    for text in wrapped(visible(plate.title), width, SIZE * 1.1):
        body.append(words(text, 0, y + SIZE, size=SIZE * 1.1, font_weight="bold"))
        y += SIZE * 1.1 * LEADING
    if plate.image:
        y += SIZE * 0.6
        body.append(_moved(0, y, plate.image.body))
        y += plate.image.height + SIZE * 0.6
    for text in wrapped(visible(plate.note), width, _SMALL):
        body.append(words(text, 0, y + _SMALL, size=_SMALL, look="faint"))
        y += _SMALL * LEADING
    return body, y


def _frame(width: float, height: float) -> dict[str, str | float]:
    """Size in pixels, and the same as the picture's own measure, so that it can be scaled."""
    size: dict[str, str | float] = {"width": width, "height": height}
    view = f"0 0 {width:.2f} {height:.2f}"
    return {**size, "viewBox": view, "font_family": "sans-serif", "font_size": SIZE}
