"""Errors in text: each with its words, or those of a sentence once around its arcs."""

from __future__ import annotations

from tertium.comparison.errors.instances import Instance
from tertium.report.render.excerpts import ExcerptText
from tertium.report.render.figures import FigureText
from tertium.report.sections.errors import described
from tertium.results.blocks import Excerpt, Underline


class ArcExamples:
    """Writes errors one by one; those of arcs are gathered until their sentence is complete.

    - `sides`: what the two sides are called; `names`: what stands above their arcs, by default
      "gold" and the system's name
    - `several` puts the system's name into each error without arcs
    """

    def __init__(
        self,
        *,
        width: int = 80,
        color: bool = False,
        ascii: bool = False,
        several: bool = False,
        sides: tuple[str, str] = ("gold", "system"),
        names: tuple[str, str] | None = None,
    ) -> None:
        self.several, self.sides, self.names = several, sides, names
        self.words = ExcerptText(width=width, color=color, ascii=ascii)
        self.figures = FigureText(width=width, color=color, ascii=ascii)
        self.waiting: list[Instance] = []

    def example(self, instance: Instance) -> str:
        """What can be written now: the sentence before this one, or nothing."""
        if instance.scene is None:
            return self.rest() + self.words.draw(self._excerpt(instance))
        done = ""
        if self.waiting and _key(instance) != _key(self.waiting[0]):
            done = self.rest()
        self.waiting.append(instance)
        return done

    def rest(self) -> str:
        """The sentence that is waiting, with an empty line after it."""
        if not self.waiting:
            return ""
        errors, self.waiting = self.waiting, []
        first = errors[0]
        scene = first.scene
        assert scene is not None
        assert scene.figure is not None
        numbers = {error.gold_item.first for error in errors if error.gold_item}
        keep = [n for n, word in enumerate(scene.tokens[0]) if word and word.number in numbers]
        where = f"{first.file}:{scene.line}" if scene.line else first.file
        heading = self.words.show(f"{where}, sentence '{first.sentence}'")
        names = self.names or ("gold", first.system)
        lines = [line for error in errors for line in self.words.heading(self._told(error))]
        return "".join(
            (
                f"\x1b[1m{heading}\x1b[0m\n" if self.words.color else f"{heading}\n",
                self.figures.draw(scene.figure, names=names, keep=keep),
                *(f"{line.rstrip()}\n" for line in lines),
                "\n",
            )
        )

    def _told(self, instance: Instance) -> tuple[str, ...]:
        """Type, both sides, and where to find it: in the gold file, or in the system's if only that
        has something. Below arcs, system, file and sentence are known from what stands above."""
        alone = instance.scene is None
        items = zip(self.sides, (instance.gold_item, instance.system_item), strict=True)
        told = [f"{side} {described(item)}" for side, item in items if item is not None]
        found = instance.gold_item or instance.system_item
        file = found.file if found else instance.file
        line = found.line if found else None
        where = f"{file}:{line}" if line else file
        if alone:
            where += f", sentence '{found.sentence if found else instance.sentence}'"
        elif line and file == instance.file:
            where = f"line {line}"
        system = [instance.system] if self.several and alone else []
        return instance.type, *system, *told, where

    def _excerpt(self, instance: Instance) -> Excerpt:
        context = instance.context
        marks = [
            Underline(side, places, item.label, head, item.head is not None)
            for side, item, places, head in (
                (self.sides[0], instance.gold_item, context.gold, context.gold_head),
                (self.sides[1], instance.system_item, context.system, context.system_head),
            )
            if item is not None
        ]
        before, after = context.left_out
        cut = before > 0, after > 0
        return Excerpt(self._told(instance), context.text, tuple(marks), cut, context.numbers)


def _key(instance: Instance) -> tuple[str, str, int]:
    return instance.system, instance.file, instance.unit
