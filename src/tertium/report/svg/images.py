"""From drawings to SVG: one inside a page, or several one above the other in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.report.svg.colours import GROUND
from tertium.report.svg.elements import element, escape, words
from tertium.report.svg.sizes import LINE, SIZE, wrapped
from tertium.results.texts import visible

_MARGIN, _BETWEEN, _SMALL = 16.0, 36.0, 11.5
_NARROWEST = 420.0  # what titles and notes may take in any case
_FONT: dict[str, str | float] = {"font-family": "sans-serif", "font-size": SIZE}


@dataclass(frozen=True)
class Drawing:
    """The elements of a picture, its size, and what it shows in words."""

    width: float
    height: float
    body: tuple[str, ...]
    description: str = ""


@dataclass(frozen=True)
class Plate:
    """A drawing with the texts around it; without a drawing, texts alone."""

    drawing: Drawing | None = None
    title: str = ""
    note: str = ""


def inline(drawing: Drawing, *, title: str, name: str) -> str:
    """An element for an HTML page; `name` makes ids that occur once on the page."""
    ids = f"{name}-title", f"{name}-text"
    return element(
        "svg",
        {"role": "img", "aria-labelledby": " ".join(ids), **_frame(drawing.width, drawing.height)},
        "\n" + element("title", {"id": ids[0]}, escape(title)),
        element("desc", {"id": ids[1]}, escape(drawing.description)),
        "\n" + "\n".join(drawing.body) + "\n",
    )


def document(plates: Sequence[Plate], *, title: str, description: Sequence[str] = ()) -> str:
    """A file with all plates on a white ground. `description` is not drawn: it says what the
    numbers are, for programs and for whoever finds the file again."""
    width = max((p.drawing.width for p in plates if p.drawing), default=_NARROWEST)
    width = max(width, _NARROWEST)
    parts: list[str] = []
    y = _MARGIN
    for plate in plates:
        body, height = _plate(plate, width)
        move = {"transform": f"translate({_MARGIN:.0f} {y:.1f})", "role": "img"}
        parts.append(element("g", move, "\n" + "\n".join(body) + "\n"))
        y += height + _BETWEEN
    total = width + 2 * _MARGIN, y - (_BETWEEN if plates else 0) + _MARGIN
    told = [*(p.drawing.description for p in plates if p.drawing), *description]
    ground: dict[str, str | float] = {"width": "100%", "height": "100%", "fill": GROUND}
    root = element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **_frame(*total)},
        "\n" + element("title", {}, escape(title)),
        "\n" + element("desc", {}, "\n".join(map(escape, told))),
        "\n" + element("rect", ground),
        "\n" + "\n".join(parts) + "\n",
    )
    return root + "\n"


def _plate(plate: Plate, width: float) -> tuple[list[str], float]:
    """Title, drawing and note one below the other, and how high they are together."""
    body, y = [], 0.0
    if plate.title:
        body.append(element("title", {}, escape(plate.title)))
    for line in wrapped(visible(plate.title), width, SIZE * 1.1):
        body.append(words(line, 0, y + SIZE, size=SIZE * 1.1, font_weight="bold"))
        y += SIZE * 1.1 * LINE
    if plate.drawing:
        y += SIZE * 0.6
        move = {"transform": f"translate(0 {y:.1f})"}
        body.append(element("g", move, "\n" + "\n".join(plate.drawing.body) + "\n"))
        y += plate.drawing.height + SIZE * 0.6
    for line in wrapped(visible(plate.note), width, _SMALL):
        body.append(words(line, 0, y + _SMALL, size=_SMALL, look="faint"))
        y += _SMALL * LINE
    return body, y


def _frame(width: float, height: float) -> dict[str, str | float]:
    """Size in pixels, and the same as the picture's own measure, so that it can be scaled."""
    size: dict[str, str | float] = {"width": width, "height": height}
    return {**size, "viewBox": f"0 0 {width:.2f} {height:.2f}", **_FONT}
