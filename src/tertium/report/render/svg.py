"""SVG: the figures among the blocks, one above the other in one file."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.exceptions import UsageError
from tertium.report.svg.counts import heat_map
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.histograms import panels
from tertium.report.svg.images import Drawing, Plate, document
from tertium.report.svg.intersections import intersections
from tertium.report.svg.plots import curves
from tertium.report.svg.ranks import critical_difference
from tertium.report.svg.stacks import stacked_bars
from tertium.results.blocks import (
    Block,
    Graphic,
    Histogram,
    Intersections,
    Lines,
    Matrix,
    Picture,
    Ranks,
    Table,
    Text,
)


def draw(figure: Graphic, links: Sequence[str] = ()) -> Drawing:
    """The picture of a figure, without its title and note.

    `links` are addresses, empty where there is none: one a cell of a matrix, part of a bar or bar
    of a histogram, row by row, one a point, curve by curve, or one a combination of sets or a name.
    """
    if isinstance(figure, Picture):
        return draw_figure(figure.figure, figure.names)
    if isinstance(figure, Intersections):
        return intersections(figure, links)
    if isinstance(figure, Matrix):
        return heat_map(figure, links)
    if isinstance(figure, Lines):
        return curves(figure, links)
    if isinstance(figure, Ranks):
        return critical_difference(figure, links)
    if isinstance(figure, Histogram):
        return panels(figure, links)
    return stacked_bars(figure, links)


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
        if not isinstance(block, Text | Table)
    ]
    texts = [block for block in blocks if isinstance(block, Text)]
    notes = [Plate(note=text.text) for text in texts if text.role == "note"]
    if not plates and not notes:
        raise UsageError("there is no figure to draw; SVG has no tables")
    return document(
        plates or notes, title=title, description=[f"{text.role}: {text.text}" for text in texts]
    )
