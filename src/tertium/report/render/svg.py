"""SVG: the figures among the blocks, one above the other in one file or one per file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, count
from typing import Any

from tertium.exceptions import UsageError
from tertium.report.svg.bars import ShareBars, StackedBars
from tertium.report.svg.curves import Curves
from tertium.report.svg.figures import draw_figure
from tertium.report.svg.images import Image, Plate, document
from tertium.report.svg.matrices import HeatMap, Squares
from tertium.report.svg.ranks import RankLine
from tertium.report.svg.sets import SetBars
from tertium.results.blocks import (
    Bars,
    Block,
    Graphic,
    Hinton,
    Intersections,
    Lines,
    Matrix,
    Picture,
    Ranks,
    Shares,
    Text,
)

_CHARTS: dict[type[Graphic], type[Any]] = {
    Matrix: HeatMap,
    Hinton: Squares,
    Bars: StackedBars,
    Shares: ShareBars,
    Intersections: SetBars,
    Lines: Curves,
    Ranks: RankLine,
}


_LONGEST = 80  # letters of a name in the name of a file


def draw(figure: Graphic, links: Sequence[str] = ()) -> Image:
    """The picture of a figure, without its title and note.

    `links` are addresses, empty where there is none: one a cell of a matrix, part of a bar or
    share, row by row, one a point, curve by curve, or one a combination of sets or a name.
    """
    if isinstance(figure, Picture):
        return draw_figure(figure.figure, figure.names)
    image: Image = _CHARTS[type(figure)](figure, links).image()
    return image


def _note(figure: Graphic) -> str:
    rest = figure.rest if isinstance(figure, Intersections | Shares) else ""
    return "; ".join(filter(None, (rest, figure.note)))


def render(blocks: Sequence[Block], *, title: str = "Tertium", heading: str = "") -> str:
    """One file. Where there is nothing to draw, it shows the notes, which say why.

    `heading` is drawn above, `title` is not; figures have titles where there are several. Coverage
    and signatures are in the description of the file. Tables have no place in a picture.
    """
    drawn = [block for block in blocks if isinstance(block, Graphic)]
    plates = [
        Plate(draw(each), each.title if len(drawn) > 1 else heading, _note(each), each.title)
        for each in drawn
    ]
    if heading and len(drawn) > 1:
        plates.insert(0, Plate(title=heading))
    texts = [block for block in blocks if isinstance(block, Text)]
    notes = [Plate(note=text.text) for text in texts if text.role == "note"]
    if not plates and not notes:
        raise UsageError("there is no figure to draw, and SVG cannot hold tables")
    told = [
        f"{t.role}: {t.name}{' ' * bool(t.name)}{t.text}{f' for {t.whose}' if t.whose else ''}"
        for t in texts
    ]
    own = drawn[0].title if len(drawn) == 1 else ""
    return document(plates or notes, title=heading or own or title, description=told)


def files(blocks: Sequence[Block], *, title: str = "Tertium", heading: str = "") -> dict[str, str]:
    """One file per figure, each with what tells it from the others as a part of a file's name;
    where there is at most one figure, one file without such a name."""
    drawn = [block for block in blocks if isinstance(block, Graphic)]
    if len(drawn) < 2:
        return {"": render(blocks, title=title, heading=heading)}
    texts = [block for block in blocks if isinstance(block, Text)]
    names = [_name(block) for block in drawn]
    found: dict[str, str] = {}
    for block, own in zip(drawn, names, strict=True):
        name = own if names.count(own) == 1 else _plain(block.title)
        name = next(n for n in chain([name], (f"{name}-{i}" for i in count(2))) if n not in found)
        found[name] = render([block, *texts], title=title, heading=heading)
    return found


def _name(block: Graphic) -> str:
    """What tells a figure from others: its own name, its sentence, or its title without the metric,
    fit for the name of a file."""
    own = getattr(block, "name", "") or getattr(block, "sentence", "")
    return _plain(own or block.title.rpartition(": ")[2].lower())


def _plain(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.")[:_LONGEST] or "figure"
