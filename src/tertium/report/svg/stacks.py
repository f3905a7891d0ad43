"""Stacked bars: shares as lengths, with colour and hatching, and in words where they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.svg.colours import GROUND, INK, LINE, hatching, part
from tertium.report.svg.elements import element, linked, words
from tertium.report.svg.images import Drawing
from tertium.report.svg.sizes import SIZE, text_width
from tertium.results.blocks import Bars
from tertium.results.texts import shown, visible

_LENGTH, _HEIGHT, _GAP = 520.0, 34.0, 12.0  # of a bar; between bars
_NAME, _PAD = 360.0, 8.0  # the longest name shown whole; beside texts
_SMALL = 11.0
_SWATCH = 16.0
_TICKS = (0, 25, 50, 75, 100)


def stacked_bars(bars: Bars, links: Sequence[str] = ()) -> Drawing:
    """One bar below the other on a scale of percent, the legend below.

    `links` are the addresses of parts, bar by bar; empty where there is none.
    """
    names = [visible(name) for name in bars.names]
    left = min(max(map(text_width, names), default=0), _NAME) + _PAD
    totals = [visible(f"{shown(total, 'count')} {bars.unit}") for total in bars.totals()]
    right = left + _LENGTH + _PAD + max(map(text_width, totals), default=0)
    body: list[str] = []
    y = 0.0
    size = len(bars.categories)
    rows = zip(names, bars.shares(), totals, strict=True)
    for number, (name, shares, total) in enumerate(rows):
        base = y + _HEIGHT / 2 + SIZE * 0.36
        body.append(words(name, left - _PAD, base, anchor="end", room=_NAME))
        body += _bar(bars, shares, left, y, links[number * size :])
        body.append(words(total, left + _LENGTH + _PAD, base, look="faint"))
        y += _HEIGHT + _GAP
    body += _scale(left, y - _GAP)
    y += SIZE * 1.4
    legend, height = _legend(bars, left, y, right)
    body += legend
    return Drawing(right, y + height, tuple(body), _description(bars))


def _bar(
    bars: Bars, shares: list[float | None], left: float, y: float, links: Sequence[str]
) -> Iterator[str]:
    x = left
    for place, share in enumerate(shares):
        if share:
            pieces = _piece(place, bars.categories[place], share, x, y)
            yield linked(links, place, *pieces)
            x += share * _LENGTH
    frame: dict[str, str | float] = {
        "class": "frame",
        "x": left,
        "y": y,
        "width": _LENGTH,
        "height": _HEIGHT,
        "fill": "none",
        "stroke": LINE,
    }
    yield element("rect", frame)


def _piece(place: int, category: str, share: float, x: float, y: float) -> Iterator[str]:
    """A part of a bar. Its name and share stand in it where both fit, on the bare colour."""
    width = share * _LENGTH
    yield from _filled(place, x, y, width, _HEIGHT)
    name, percent = visible(category), f"{100 * share:.1f}%"
    widest = max(text_width(name, _SMALL), text_width(percent, _SMALL))
    if widest + 6 > width:
        return
    middle = x + width / 2
    bare: dict[str, str | float] = {
        "x": middle - widest / 2 - 2,
        "y": y + 4,
        "width": widest + 4,
        "height": _HEIGHT - 8,
        "fill": part(place)[0],
    }
    yield element("rect", bare)
    yield words(name, middle, y + 15, anchor="middle", size=_SMALL, look="on-part")
    yield words(percent, middle, y + 27, anchor="middle", size=_SMALL, look="on-part")


def _filled(place: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    colour, kind = part(place)
    box: dict[str, str | float] = {
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "fill": colour,
        "stroke": GROUND,
        "class": "part",
    }
    yield element("rect", box)
    path = hatching(kind, x, y, width, height)
    if path:
        yield element("path", {"d": path, "stroke": INK, "stroke-opacity": 0.45, "fill": "none"})


def _scale(left: float, y: float) -> Iterator[str]:
    for tick in _TICKS:
        x = left + _LENGTH * tick / 100
        line: dict[str, str | float] = {"class": "tick", "d": f"M{x:.1f} {y:.1f}v4", "stroke": LINE}
        yield element("path", line)
        yield words(f"{tick}%", x, y + 16, anchor="middle", size=_SMALL, look="faint")


def _legend(bars: Bars, left: float, y: float, right: float) -> tuple[list[str], float]:
    """Swatches with the names of categories, in as many lines as they need, and their height."""
    body: list[str] = []
    x, below = left, y + _PAD
    for place, category in enumerate(bars.categories):
        width = min(text_width(visible(category)), right - left - _SWATCH - _PAD)
        if x > left and x + _SWATCH + _PAD + width > right:
            x, below = left, below + _SWATCH + _PAD
        body += _filled(place, x, below, _SWATCH, _SWATCH)
        body.append(words(category, x + _SWATCH + _PAD * 0.75, below + SIZE, room=width + 1))
        x += _SWATCH + _PAD + width + 2 * _PAD
    return body, below - y + _SWATCH + 2


def _description(bars: Bars) -> str:
    told = []
    for name, shares in zip(bars.names, bars.shares(), strict=True):
        parts = [
            f"{category} {100 * share:.1f}%"
            for category, share in zip(bars.categories, shares, strict=True)
            if share is not None
        ]
        told.append(f"{name}: {', '.join(parts) or f'no {bars.unit}'}")
    return f"Stacked bars. {'; '.join(told)}."
