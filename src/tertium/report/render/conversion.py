"""Figures as PDF and PNG, where the package cairosvg is installed (the extra `figures`)."""

from __future__ import annotations

from types import ModuleType

from tertium.exceptions import UsageError

CONVERTED = ("pdf", "png")
_SCALE = 3  # pixels of a PNG per unit of the drawing: sharp at the width of a column on paper


def converter(format: str) -> ModuleType:
    """The package that converts; refused with what to install where there is none."""
    instead = f"or write an SVG file and convert it, as with 'rsvg-convert -f {format}'"
    try:
        import cairosvg
    except ImportError:
        raise UsageError(
            f"writing {format.upper()} needs the package cairosvg, which is not installed",
            help=f"pip install 'tertium[figures]', {instead}",
        ) from None
    except OSError:
        raise UsageError(
            f"writing {format.upper()} needs the cairo library, which cairosvg cannot find",
            help=f"install it (apt install libcairo2, brew install cairo), {instead}",
        ) from None
    module: ModuleType = cairosvg
    return module


def converted(svg: str, format: str) -> bytes:
    """An SVG file in one of these formats, or as it is."""
    data = svg.encode("utf-8", "backslashreplace")
    if format == "svg":
        return data
    cairosvg = converter(format)
    if format == "pdf":
        return bytes(cairosvg.svg2pdf(bytestring=data))
    return bytes(cairosvg.svg2png(bytestring=data, scale=_SCALE))
