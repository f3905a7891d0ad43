"""`Drawing`: dependency trees as text, SVG, HTML, LaTeX or data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tertium._version import __version__
from tertium.report.blocks import Block, Cell, Column, Table, Text, TreeFigure
from tertium.report.render.plain import counted
from tertium.results.scenes import Mark, Scene


@dataclass(frozen=True, eq=False)
class Drawing:
    """The trees of some sentences. Printed it is text, in a notebook a picture.

    - `pairs`: a `Scene` for each sentence, with gold's tree and, unless there is none, a system's
    - `names`: what gold and system are called
    - `notes`: what is worth knowing besides, such as how many sentences are not drawn
    """

    gold: str
    pairs: tuple[Scene, ...]
    names: tuple[str, str] = ("gold", "system")
    notes: tuple[str, ...] = ()

    def text(
        self, *, width: int = 80, ascii: bool = False, color: bool = False, whole: bool = False
    ) -> str:
        """For a terminal: one word a line, gold to the left of the words, system to the right.

        In long sentences runs of words that are alike on both sides are only counted, unless
        `whole`.
        """
        from tertium.report.render import text
        from tertium.report.render.trees.page import TreeText

        look = TreeText(width=width, color=color, ascii=ascii, whole=whole)
        parts = []
        for scene in self.pairs:
            heading = look.show(heading_of(scene))
            parts.append(f"\x1b[1m{heading}\x1b[0m\n" if color else f"{heading}\n")
            parts.append(look.draw(scene, names=self.names) + "\n")
        legend = look.legend(self.pairs, "".join(parts))
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
            from tertium.report.render.trees.tikz import render

            return render(self)
        if format == "csv":
            return render_blocks([self._words()], "csv")
        return self.html() if format == "html" else self.svg()

    def to_dict(self) -> dict[str, Any]:
        """What the JSON output of `tertium draw` holds."""
        has_system = any(scene.has_system for scene in self.pairs)
        return {
            "tertium": __version__,
            "gold": self.gold,
            **({"system": self.names[1]} if has_system else {}),
            "sentences": [scene.to_dict() for scene in self.pairs],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Drawing of {counted(len(self.pairs), 'sentence')}, {self.gold}>"

    def _repr_html_(self) -> str:
        from tertium.report.render.notebook import trees

        return trees(
            self.pairs, self.names, [heading_of(scene) for scene in self.pairs], self.notes
        )

    @property
    def _title(self) -> str:
        return f"Dependency trees of {self.gold}"

    def _blocks(self) -> list[Block]:
        figures: list[Block] = [
            TreeFigure(scene, words_table(scene), self.names, title=f"Sentence '{scene.id}'")
            for scene in self.pairs
        ]
        return [*figures, *(Text(note) for note in self.notes)]

    def _code_blocks(self) -> list[Block]:
        from tertium.report.render.trees.page import TreeText

        look = TreeText()
        blocks: list[Block] = []
        for scene in self.pairs:
            art = look.draw(scene, names=self.names)
            legend = look.legend([scene], art)
            blocks.append(Text(heading_of(scene), role="title"))
            blocks.append(Text(f"{art}\n{legend}".rstrip("\n"), role="code"))
        return [*blocks, *(Text(note) for note in self.notes)]

    def _words(self) -> Table:
        """All sentences in one table."""
        tables = [(scene, words_table(scene)) for scene in self.pairs]
        columns = tables[0][1].columns if tables else words_table(Scene("", (), ((),))).columns
        rows = [(scene.id, *row) for scene, table in tables for row in table.rows]
        return Table((Column("sentence"), *columns), tuple(rows))


def heading_of(scene: Scene) -> str:
    """Where a sentence is to be found."""
    where = f"{scene.file}:{scene.line}" if scene.line else scene.file
    return ", ".join(filter(None, (where, f"sentence '{scene.id}'")))


def words_table(scene: Scene) -> Table:
    """A row for each word, with what each side says about it."""
    sides = ("gold", "system") if scene.has_system else ("gold",)
    names = ("number", "form", "upos", "head", "relation")
    columns = [
        Column(name, side if scene.has_system else "", "text") for side in sides for name in names
    ]
    rows = [
        tuple(cell for mark in row[: len(sides)] for cell in _cells(mark)) for row in scene.rows
    ]
    return Table(tuple(columns), tuple(rows), keys=1)


def _cells(mark: Mark | None) -> tuple[Cell, ...]:
    if mark is None:
        return (None,) * 5
    head = str(mark.second_number) if mark.second_number >= 0 else None
    return str(mark.number), mark.form, mark.upos, head, mark.label
