"""`Drawing`: sentences with their annotation as text, SVG, HTML, LaTeX or data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium._version import __version__
from tertium.report.layout import runs
from tertium.results.blocks import Block, Cell, Column, Picture, Table, Text
from tertium.results.figures import Figure, figure_of
from tertium.results.items import NOWHERE
from tertium.results.scenes import Mark, Scene, Word
from tertium.results.texts import counted


@dataclass(frozen=True, eq=False)
class Drawing:
    """Some sentences with what gold says and, unless there is none, what a system says. Printed it
    is text, in a notebook a picture.

    - `pairs`: a `Scene` for each sentence
    - `names`: what gold and system are called
    - `metric`: what decided what is marked
    - `notes`: what is worth knowing besides, such as how many sentences are not drawn
    """

    gold: str
    pairs: tuple[Scene, ...]
    names: tuple[str, str] = ("gold", "system")
    notes: tuple[str, ...] = ()
    metric: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What is drawn of each sentence."""
        return tuple(scene.figure or figure_of(scene) for scene in self.pairs)

    def text(
        self, *, width: int = 80, ascii: bool = False, color: bool = False, whole: bool = False
    ) -> str:
        """For a terminal. Heads are drawn one word per line, gold to the left of the words and the
        system to the right; all else stands over and under lines of words.

        In long sentences runs of words without errors are only counted, unless `whole`.
        """
        from tertium.report.render import text
        from tertium.report.render.figures import FigureText

        look = FigureText(width=width, color=color, ascii=ascii, whole=whole)
        parts = []
        for scene, figure in zip(self.pairs, self.figures, strict=True):
            heading = look.show(heading_of(scene))
            parts.append(f"\x1b[1m{heading}\x1b[0m\n" if color else f"{heading}\n")
            parts.append(look.draw(figure, names=self.names) + "\n")
        legend = look.legend(self.figures, "".join(parts))
        notes = [Text(note) for note in self.notes]
        below = text.render(notes, width=width, color=color, ascii=ascii) if notes else ""
        return "".join(parts) + (f"{legend}\n" if legend else "") + below

    def svg(self) -> str:
        """One SVG file with all sentences."""
        from tertium.report.render import render_blocks

        return render_blocks(self._blocks(), "svg", title=self._title)

    def html(self) -> str:
        """A whole HTML page."""
        from tertium.report.render import render_blocks

        return render_blocks(self._blocks(), "html", title=self._title)

    def render(self, format: str = "text", **look: Any) -> str:
        """In any output format; `look` is what `text` takes."""
        from tertium.report.render import check_format, render_blocks

        check_format(format)
        if format == "text":
            return self.text(**look)
        if format == "json":
            from tertium.report.render.json import dump

            return dump(self.to_dict())
        if format == "markdown":
            return render_blocks(self._code_blocks(), "markdown")
        if format == "latex":
            from tertium.report.render.tikz import render

            return render(self.figures, [scene.id for scene in self.pairs], self.notes)
        if format == "csv":
            return render_blocks([self._table()], "csv")
        return self.html() if format == "html" else self.svg()

    def to_dict(self) -> dict[str, Any]:
        """What the JSON output of `tertium draw` holds."""
        has_system = any(scene.has_system for scene in self.pairs)
        return {
            "tertium": __version__,
            "gold": self.gold,
            **({"system": self.names[1]} if has_system else {}),
            **({"metric": self.metric} if self.metric else {}),
            "sentences": [scene.to_dict() for scene in self.pairs],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Drawing of {counted(len(self.pairs), 'sentence')}, {self.gold}>"

    def _repr_html_(self) -> str:
        from tertium.report.render.notebook import pieces

        return pieces(
            self.figures, self.names, [heading_of(scene) for scene in self.pairs], self.notes
        )

    @property
    def _title(self) -> str:
        return f"Sentences of {self.gold}"

    def _blocks(self) -> list[Block]:
        figures: list[Block] = [
            Picture(
                figure,
                table_of(scene),
                self.names,
                title=f"Sentence '{scene.id}'",
                summary="Words" if scene.has_heads else "Items",
            )
            for scene, figure in zip(self.pairs, self.figures, strict=True)
        ]
        return [*figures, *(Text(note) for note in self.notes)]

    def _code_blocks(self) -> list[Block]:
        from tertium.report.render.figures import FigureText

        look = FigureText()
        blocks: list[Block] = []
        for scene, figure in zip(self.pairs, self.figures, strict=True):
            art = look.draw(figure, names=self.names)
            legend = look.legend([figure], art)
            blocks.append(Text(heading_of(scene), role="title"))
            blocks.append(Text(f"{art}\n{legend}".rstrip("\n"), role="code"))
        return [*blocks, *(Text(note) for note in self.notes)]

    def _table(self) -> Table:
        """All sentences in one table."""
        tables = [(scene, table_of(scene)) for scene in self.pairs]
        columns = tables[0][1].columns if tables else ()
        rows = [(scene.id, *row) for scene, table in tables for row in table.rows]
        return Table((Column("sentence"), *columns), tuple(rows))


def heading_of(scene: Scene) -> str:
    """Where a sentence is to be found."""
    where = f"{scene.file}:{scene.line}" if scene.line else scene.file
    return ", ".join(filter(None, (where, f"sentence '{scene.id}'")))


def table_of(scene: Scene) -> Table:
    """A row for each item, with what each side says about it; of words with heads, as their file
    has them."""
    sides = ("gold", "system") if scene.has_system else ("gold",)
    heads = ["number", "form", "upos", "head", "relation"]
    names = heads if scene.has_heads else ["label", "tokens", "text", "second"]
    columns = [
        Column(name, side if scene.has_system else "", "text") for side in sides for name in names
    ]
    columns += [Column("outcome")] if scene.has_system else []
    rows: list[tuple[Cell, ...]] = []
    for row in scene.rows:
        cells: list[Cell] = []
        for mark, words in zip(row, scene.tokens, strict=False):
            cells += _cells(mark, words, has_heads=scene.has_heads) if mark else [None] * len(names)
        if scene.has_system:
            cells.append(next((mark.outcome for mark in row if mark and mark.outcome), None))
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), keys=1)


def _cells(mark: Mark, words: Sequence[Word | None], *, has_heads: bool) -> list[Cell]:
    there = [word for word in (words[place] for place in mark.places) if word]
    second = str(mark.second_number) if mark.second_number >= 0 else None
    if has_heads and there:
        return [str(there[0].number), there[0].form, there[0].upos, second, mark.label]
    numbers = [word.number for word in there]
    tokens = ",".join(str(a) if a == z else f"{a}-{z}" for a, z in runs(numbers))
    text = " ".join(word.form for word in there)
    return [mark.label, tokens, text, second if mark.second != NOWHERE else None]
