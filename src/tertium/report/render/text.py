"""Text for terminals and logs: tables in the style of booktabs, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from itertools import groupby

from rich.text import Text as Line

from tertium.report.render.charts import bar_lines, curve_table, share_lines
from tertium.report.render.excerpts import ExcerptText
from tertium.report.render.figures import FigureText
from tertium.report.render.grid import footnote_lines, grid, note_lines, title_lines
from tertium.report.render.signs import TextLook
from tertium.results.blocks import (
    Bars,
    Block,
    Excerpt,
    Graphic,
    Hinton,
    Lines,
    Picture,
    Shares,
    Table,
    Text,
    as_table,
)
from tertium.results.texts import visible

# Footnotes become letters: "-1" would be a number.
_ASCII = str.maketrans("─·–•◦→▲▼◆¹²³⁴⁵⁶⁷⁸⁹⁰", "-|-*o>^v#abcdefghij")


def render(
    blocks: Sequence[Block], *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """Blocks as lines of at most `width` cells; only signatures and code may be longer.

    The best values carry a sign besides their colour, the parts of a bar patterns. `ascii` keeps
    to signs that every terminal and log can show.
    """
    look = TextLook(width, color, ascii)
    parts: list[str] = []
    for is_drawn, group in groupby(blocks, lambda block: isinstance(block, Excerpt | Picture)):
        if is_drawn and parts:
            parts.append("\n")
        show = _drawings if is_drawn else _lines_of
        parts.append(show([*group], look))
    return "".join(parts)


def draw(block: Excerpt | Picture, look: TextLook) -> str:
    """Words with what each side has, and an empty line after it."""
    words = ExcerptText(look.width, look.color, look.ascii)
    if isinstance(block, Excerpt):
        return words.draw(block)
    heading = words.show(block.where or block.title)
    figure = FigureText(look.width, look.color, look.ascii, block.is_whole)
    lines = [line.rstrip() for parts in block.lines for line in words.heading(parts)]
    return "".join(
        (
            f"\x1b[1m{heading}\x1b[0m\n" if look.color else f"{heading}\n",
            figure.draw(block.figure, names=block.names, keep=block.keep),
            *(f"{line}\n" for line in lines),
            "\n",
        )
    )


def _drawings(blocks: Sequence[Block], look: TextLook) -> str:
    """All of them, and what their signs mean where that is wanted."""
    drawn = "".join(draw(block, look) for block in blocks if isinstance(block, Excerpt | Picture))
    figures = [b.figure for b in blocks if isinstance(b, Picture) and b.has_legend]
    legend = FigureText(look.width, ascii=look.ascii).legend(figures, drawn) if figures else ""
    return f"{drawn}{legend}\n" if legend else drawn


def _lines_of(blocks: Sequence[Block], look: TextLook) -> str:
    """Tables, figures of counts, and texts."""
    from rich.console import Console

    out = StringIO()
    console = Console(
        file=out,
        width=look.width,
        force_terminal=look.color,
        color_system="standard" if look.color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    previous: Block | None = None
    for block in blocks:
        if previous is not None and not _are_lines(previous, block):
            console.print()
        if not isinstance(block, Text):
            for line in _table_or_figure(block, look.width, ascii=look.ascii):
                console.print(line, soft_wrap=True)
        else:
            again = isinstance(previous, Text) and previous.role == block.role
            for text in _lines(block, look.width, again=again):
                console.print(text, soft_wrap=True, style=_STYLES.get(block.role))
        previous = block
    # One sign stays one cell, so that columns keep their places.
    page = out.getvalue().translate(_ASCII) if look.ascii else out.getvalue()
    return "\n".join(line.rstrip() for line in page.split("\n"))


def _are_lines(*blocks: Block) -> bool:
    """Do they stand one below the other without an empty line?"""
    apart = ("summary", "paragraph")
    return all(isinstance(block, Text) and block.role not in apart for block in blocks)


def _table_or_figure(
    block: Table | Excerpt | Graphic, width: int, *, ascii: bool
) -> Iterator[Line]:
    """The numbers, and bars below them; or bars alone where the numbers stand elsewhere or beside
    them."""
    if isinstance(block, Shares):
        yield from title_lines(block, width)
        yield from share_lines(block, width, ascii=ascii)
        yield from note_lines(block.table(), width)
        yield from footnote_lines(block.table(), width)
        return
    if not isinstance(block, Bars):
        for number, table in enumerate(_tables(block, width, ascii=ascii)):
            yield from [Line()] if number else []
            yield from grid(table, width)
        return
    yield from grid(block.table(), width) if block.numbers else title_lines(block, width)
    yield from bar_lines(block, width, ascii=ascii)
    if not block.numbers:
        yield from note_lines(block.table(), width)


def _tables(block: Table | Excerpt | Graphic, width: int, *, ascii: bool) -> Iterator[Table]:
    """The table of numbers, or of squares; of curves one that is drawn, and theirs only where no
    other has it."""
    if isinstance(block, Hinton):
        yield block.squares(" .oO#" if ascii else " ·▪■█")
        return
    if not isinstance(block, Lines):
        yield as_table(block)
        return
    if block.numbers:
        yield replace(block.table(), note="")
        block = replace(block, title="")
    yield curve_table(block, width, ascii=ascii)


_PROSE = ("summary", "title", "paragraph")
_STYLES = {
    "summary": "bold", "title": "bold",
    "gold": "dim", "coverage": "dim", "tests": "dim", "signature": "dim",
}  # fmt: skip
_LABELED = ("gold", "coverage", "tests", "note", "signature")
_INDENT = max(map(len, _LABELED)) + 2


def _lines(block: Text, width: int, *, again: bool) -> Iterator[str]:
    """What stands below a table has its kind in front, once for all lines of the kind."""
    if block.role == "code":
        yield from (visible(line) for line in block.text.split("\n"))
        return
    text = visible(block.text)
    if block.role in _PROSE:
        yield from textwrap.wrap(text, width, break_on_hyphens=False)
        return
    label = ("" if again else block.role).ljust(_INDENT)
    if block.role == "signature":
        name = f"{visible(block.name)}: " if block.name else ""
        yield label + name + text  # never broken: it is there to be copied
        label, text = " " * _INDENT, f"for {visible(block.whose)}" if block.whose else ""
        if not text:
            return
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=label,
        subsequent_indent=" " * _INDENT,
        break_on_hyphens=False,
    ) or [label]
