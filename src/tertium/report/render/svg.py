"""SVG: the figures among the blocks, one above the other in one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tertium.exceptions import UsageError
from tertium.report.svg.counts import HeatMap, SetBars, StackedBars
from tertium.report.svg.curves import Curves
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.images import Image, Plate, document
from tertium.report.svg.ranks import RankLine
from tertium.results.blocks import (
    Bars,
    Block,
    Excerpt,
    Graphic,
    Intersections,
    Lines,
    Matrix,
    Picture,
    Ranks,
    Table,
    Text,
)

_CHARTS: dict[type[Graphic], type[Any]] = {
    Matrix: HeatMap,
    Bars: StackedBars,
    Intersections: SetBars,
    Lines: Curves,
    Ranks: RankLine,
}


def draw(figure: Graphic, links: Sequence[str] = ()) -> Image:
    """The picture of a figure, without its title and note.

    `links` are addresses, empty where there is none: one a cell of a matrix or part of a bar,
    row by row, one a point, curve by curve, or one a combination of sets or a name.
    """
    if isinstance(figure, Picture):
        return draw_figure(figure.figure, figure.names)
    image: Image = _CHARTS[type(figure)](figure, links).image()
    return image


def _note(figure: Graphic) -> str:
    rest = figure.rest if isinstance(figure, Intersections) else ""
    return "; ".join(filter(None, (rest, figure.note)))


def render(blocks: Sequence[Block], *, title: str = "Tertium") -> str:
    """One file. Where there is nothing to draw, it shows the notes, which say why.

    Coverage and signatures are in the description of the file. Tables have no place in a picture.
    """
    plates = [
        Plate(draw(block), block.title, _note(block))
        for block in blocks
        if not isinstance(block, Text | Table | Excerpt)
    ]
    texts = [block for block in blocks if isinstance(block, Text)]
    notes = [Plate(note=text.text) for text in texts if text.role == "note"]
    if not plates and not notes:
        raise UsageError("there is no figure to draw; SVG has no tables")
    told = [
        f"{t.role}: {t.name}{' ' * bool(t.name)}{t.text}{f' for {t.whose}' if t.whose else ''}"
        for t in texts
    ]
    return document(plates or notes, title=title, description=told)
