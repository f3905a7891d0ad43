"""The result of `draw`: sentences with their annotation, ready to be shown anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium._version import __version__
from tertium.options import option
from tertium.results.blocks import Block, Cell, Column, Picture, Table, Text
from tertium.results.figures import Figure, figure_of
from tertium.results.items import NOWHERE, run_text
from tertium.results.output import Look, Output
from tertium.results.scenes import Mark, Scene, Word
from tertium.results.texts import counted


@dataclass(frozen=True)
class DrawLook(Look):
    """How much of a sentence text shows."""

    whole: bool = option(False, "In text: show all words, even long stretches without errors.")


@dataclass(frozen=True, eq=False)
class Drawing(Output):
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

    look = DrawLook
    is_drawing = True

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
        return self.render("text", width=width, ascii=ascii, color=color, whole=whole)

    def svg(self) -> str:
        """One SVG file with all sentences."""
        return self.render("svg")

    def html(self) -> str:
        """A whole HTML page."""
        return self.render("html")

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

    @property
    def system_names(self) -> tuple[str, ...]:
        """The system; the other side is gold."""
        return self.names[1:]

    @property
    def title(self) -> str:
        """Whose sentences they are."""
        return f"Sentences of {self.gold}"

    def to_rows(self) -> list[dict[str, Any]]:
        """One item per row, with what each side says about it."""
        found: list[dict[str, Any]] = []
        for scene in self.pairs:
            table = table_of(scene)
            names = [f"{column.group} {column.header}".strip() for column in table.columns]
            found += [
                {"sentence": scene.id, **dict(zip(names, row, strict=True))} for row in table.rows
            ]
        return found

    def blocks(self, look: DrawLook) -> list[Block]:
        """A picture of each sentence and the table behind it, and notes."""
        found: list[Block] = [
            Picture(
                figure,
                table_of(scene),
                self.names,
                title=f"Sentence '{scene.id}'",
                summary="Words" if scene.has_heads else "Items",
                sentence=scene.id,
                where=_where(scene),
                is_whole=look.whole,
                has_legend=True,
            )
            for scene, figure in zip(self.pairs, self.figures, strict=True)
        ]
        return [*found, *map(Text, self.notes)]

    def notices(self, look: DrawLook) -> list[str]:
        """Notes, where nothing else has a place for them."""
        return [*self.notes] if look.format in ("csv", "svg") else []

    def __repr__(self) -> str:
        return f"<Drawing of {counted(len(self.pairs), 'sentence')}, {self.gold}>"


def _where(scene: Scene) -> str:
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
            cells += _cells(mark, words, scene) if mark else [None] * len(names)
        if scene.has_system:
            cells.append(next((mark.outcome for mark in row if mark and mark.outcome), None))
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), keys=1)


def _cells(mark: Mark, words: Sequence[Word | None], scene: Scene) -> list[Cell]:
    there = [word for word in (words[place] for place in mark.places) if word]
    second = str(mark.second_number) if mark.second_number >= 0 else None
    if scene.has_heads and there:
        return [str(there[0].number), there[0].form, there[0].upos, second, mark.label]
    numbers = run_text(scene.runs(mark, words))
    text = " ".join(word.form for word in there)
    return [mark.label, numbers, text, second if mark.second != NOWHERE else None]
