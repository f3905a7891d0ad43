"""`tertium.draw` in every output format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.render import render_blocks
from tertium.report.render.figures import FigureText
from tertium.results.blocks import Block, Text
from tertium.results.scenes import Scene

if TYPE_CHECKING:
    from tertium.comparison.draw import Drawing


def render(
    drawing: Drawing,
    format: str = "text",
    *,
    whole: bool = False,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """A drawing in any format, and for notebooks as a piece of HTML. `whole` draws all words of
    long sentences."""
    if format == "text":
        return _text(drawing, FigureText(width=width, color=color, ascii=ascii, whole=whole))
    if format == "json":
        from tertium.report.render.json import dump

        return dump(drawing.to_dict())
    if format == "notebook":
        from tertium.report.render.notebook import pieces

        titles = [heading_of(scene) for scene in drawing.pairs]
        return pieces(drawing.figures, drawing.names, titles, drawing.notes)
    if format == "latex":
        from tertium.report.render import tikz

        return tikz.render(drawing.figures, [scene.id for scene in drawing.pairs], drawing.notes)
    if format == "markdown":
        return render_blocks(_code_blocks(drawing), "markdown")
    blocks = [drawing.table()] if format == "csv" else drawing.blocks()
    return render_blocks(blocks, format, title=f"Sentences of {drawing.gold}")


def _text(drawing: Drawing, look: FigureText) -> str:
    from tertium.report.render import text

    parts = []
    for scene, figure in zip(drawing.pairs, drawing.figures, strict=True):
        heading = look.show(heading_of(scene))
        parts.append(f"\x1b[1m{heading}\x1b[0m\n" if look.color else f"{heading}\n")
        parts.append(look.draw(figure, names=drawing.names) + "\n")
    legend = look.legend(drawing.figures, "".join(parts))
    notes = [Text(note) for note in drawing.notes]
    below = text.render(notes, width=look.width, color=look.color, ascii=look.ascii)
    return "".join(parts) + (f"{legend}\n" if legend else "") + (below if notes else "")


def _code_blocks(drawing: Drawing) -> list[Block]:
    look = FigureText()
    blocks: list[Block] = []
    for scene, figure in zip(drawing.pairs, drawing.figures, strict=True):
        art = look.draw(figure, names=drawing.names)
        legend = look.legend([figure], art)
        blocks.append(Text(heading_of(scene), role="title"))
        blocks.append(Text(f"{art}\n{legend}".rstrip("\n"), role="code"))
    return [*blocks, *(Text(note) for note in drawing.notes)]


def heading_of(scene: Scene) -> str:
    """Where a sentence is to be found."""
    where = f"{scene.file}:{scene.line}" if scene.line else scene.file
    return ", ".join(filter(None, (where, f"sentence '{scene.id}'")))
