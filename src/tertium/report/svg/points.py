"""The points of curves, and the signs of their legend."""

from __future__ import annotations

from tertium.report.svg.axes import line
from tertium.report.svg.colours import FAINT, GROUND, look_of
from tertium.report.svg.elements import element, escape
from tertium.report.svg.sizes import SIZE

POINT = 3.6  # half the size of a point
SWATCH = 30.0  # the width of a sign in a legend


def piece(place: int, x: float, y: float) -> list[str]:
    """A piece of a curve with a point."""
    look = look_of(place)
    path = f"M{x:.1f} {y:.1f}h{SWATCH:.0f}"
    drawn = line(path, look.line, look.colour, 1.8, look.dashes)
    return [drawn, point(place, x + SWATCH / 2, y, POINT)]


def arrow(side: int, x: float, y: float) -> list[str]:
    """The sign of values beyond an end of the axis."""
    path = _outline("up" if side > 0 else "down", x + SWATCH / 2, y, POINT)
    return [element("path", {"class": "faint", "d": path, "fill": FAINT})]


def patch(x: float, y: float) -> list[str]:
    """A piece of the shade."""
    return [shaded(x, y - SIZE * 0.4, SWATCH, SIZE * 0.8)]


def shaded(x: float, y: float, width: float, height: float) -> str:
    """A rectangle in the shade."""
    box: dict[str, str | float] = {"class": "shade", "x": x, "y": y, "width": width}
    return element("rect", {**box, "height": height, "fill": FAINT, "fill-opacity": 0.16})


def point(place: int, x: float, y: float, size: float, *, beyond: int = 0, tip: str = "") -> str:
    """The point of a curve; an arrow head if the value lies beyond the axis."""
    look = look_of(place)
    shape = {1: "up", -1: "down"}.get(beyond, look.shape)
    given: dict[str, str | float] = {
        "d": _outline(shape.lower(), x, y, size),
        "class": look.fill,
        "fill": look.colour,
    }
    if shape[0].isupper() and size == POINT:
        given |= {"class": f"ground {look.line}", "fill": GROUND, "stroke": look.colour}
        given["stroke-width"] = 1.5
    return element("path", given, *([element("title", {}, escape(tip))] if tip else []))


_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "up": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    "down": ((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
}


def _outline(shape: str, x: float, y: float, size: float) -> str:
    if shape == "circle":
        arc = f"a{size} {size} 0 1 0"
        return f"M{x - size:.1f} {y:.1f}{arc} {2 * size} 0{arc} {-2 * size} 0z"
    corners = [(x + size * dx, y + size * dy) for dx, dy in _CORNERS[shape]]
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "z"
