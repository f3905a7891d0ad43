"""Colours that people with any colour vision tell apart, and patterns for those who see none.

Numbers are one hue, laid over the ground the more densely the larger they are: a page that sets
other colours for hue and ground (see `page.css`) has a scale for the dark at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

GROUND, INK, FAINT, LINE = "#ffffff", "#1b1f24", "#59636e", "#d5dae0"
HUE = "#084594"
# What one of two sides has alone. Lines of the system are dashed besides, its arrows hollow.
GOLD, SYSTEM = "#0b5cad", "#a85000"
# How lines and letters look, by the kind of a shape.
LINES: dict[str, dict[str, str | float]] = {
    "both": {"class_": "both-line", "stroke": FAINT, "stroke_width": 1.0},
    "gold": {"class_": "gold-line", "stroke": GOLD, "stroke_width": 1.8},
    "system": {"class_": "system-line", "stroke": SYSTEM, "stroke_width": 1.8},
}
LINES["system"]["stroke_dasharray"] = "5 3"
LOOKS = {"both": "ink", "gold": "gold", "system": "system"}
# No step lies where neither light nor dark letters can be read well.
DENSITIES = (0.1, 0.2, 0.3, 0.42, 0.75, 0.83, 0.91, 1.0)
# Paul Tol's "light" scheme: letters in INK can be read on all of them.
PARTS = (
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#dddddd",
    "#aaaa00",
)  # fmt: skip
HATCHES = ("", "/", "\\", "-", "|", "x", "+")
# Curves: they differ in lightness as much as in hue, so that they are told apart without red, green
# or blue; those of a dark page are in `page.css`.
CURVES = ("#0b5cad", "#a85000", "#12123f", "#9a7f98", "#7d14e8", "#5a2418")
DASHES = ("", "7 3", "2 3", "9 3 2 3")
# With a capital letter: hollow.
SHAPES = ("circle", "Square", "up", "Diamond", "square", "Circle", "diamond", "Up")
DOT = "a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z"  # the path of a dot, from its left edge on
_STEP = 7.0  # between the lines of a hatching, in pixels


def density(value: float, largest: float, smallest: float = 0) -> float:
    """How densely a number is coloured, linear between the smallest and the largest size; 0 for
    nothing at all.

    >>> density(0, 8), density(1, 80), density(8, 8), density(-4, 8), density(4, 8, 4)
    (0.0, 0.1, 1.0, 0.42, 0.1)
    """
    if not value or not largest:
        return 0.0
    reach = largest - smallest
    step = math.ceil(len(DENSITIES) * (abs(value) - smallest) / reach) if reach > 0 else 1
    return DENSITIES[min(max(step, 1), len(DENSITIES)) - 1]


def letters_on(dense: float) -> str:
    """The class of letters that can be read on a cell."""
    return "ground" if dense > 0.5 else "ink"


def part(place: int) -> tuple[str, str]:
    """Colour and hatching of a category; both together repeat only after dozens."""
    return PARTS[place % len(PARTS)], HATCHES[place % len(HATCHES)]


@dataclass(frozen=True)
class Pen:
    """What tells a curve from others. `line` and `fill` are the classes of what is drawn and what
    is filled in its colour."""

    colour: str
    dashes: str
    shape: str
    line: str
    fill: str


def pen_of(place: int) -> Pen:
    """The pen of a curve; pens repeat after two dozen."""
    number = place % len(CURVES)
    dashes, shape = DASHES[place % len(DASHES)], SHAPES[place % len(SHAPES)]
    return Pen(CURVES[number], dashes, shape, f"curve{number}", f"point{number}")


def hatching(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Lines that fill a rectangle, as the data of a path.

    They are drawn and not a pattern of SVG, which several programs ignore.
    """
    kinds = {"x": "/\\", "+": "-|"}.get(kind, kind)
    lines = [line for sign in kinds for line in _lines(sign, width, height)]
    return "".join(
        f"M{_point(x + x1, y + y1)}L{_point(x + x2, y + y2)}" for x1, y1, x2, y2 in lines
    )


def _lines(kind: str, width: float, height: float) -> Iterator[tuple[float, float, float, float]]:
    """Lines of one direction inside a rectangle at the origin."""
    if kind == "-":
        for y in _steps(height):
            yield 0, y, width, y
    elif kind == "|":
        for x in _steps(width):
            yield x, 0, x, height
    else:
        # Along a diagonal that begins at (across, 0), x falls as fast as y rises.
        for across in _steps(width + height):
            top, bottom = max(0.0, across - width), min(height, across)
            x1, x2 = across - top, across - bottom
            if kind == "\\":
                x1, x2 = width - x1, width - x2
            yield x1, top, x2, bottom


def _steps(length: float) -> Iterator[float]:
    count = int((length - 1e-9) // _STEP)
    return (_STEP * (n + 0.5) for n in range(count + 1) if _STEP * (n + 0.5) < length)


def _point(x: float, y: float) -> str:
    return f"{x:.1f} {y:.1f}"
