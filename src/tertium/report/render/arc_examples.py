"""Errors in arcs: those of a sentence once, on both sides, and below them a line for each."""

from __future__ import annotations

from dataclasses import replace

from tertium.comparison.errors.instances import Instance
from tertium.report.render.examples import Examples
from tertium.report.render.figures import FigureText


class ArcExamples:
    """Writes errors one by one; those of arcs are gathered until their sentence is complete.

    Whatever has no arcs is written at once, as `examples` does it. `names` stand above the two
    sides, by default "gold" and the system's name.
    """

    def __init__(self, examples: Examples, names: tuple[str, str] | None = None) -> None:
        self.examples, self.names = examples, names
        self.one = replace(examples, several=False)  # the system stands above its arcs
        self.look = FigureText(width=examples.width, color=examples.color, ascii=examples.ascii)
        self.waiting: list[Instance] = []

    def example(self, instance: Instance) -> str:
        """What can be written now: the sentence before this one, or nothing."""
        if instance.scene is None:
            return self.rest() + self.examples.example(instance)
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
        heading = self.look.show(f"{where}, sentence '{first.sentence}'")
        lines = [line for error in errors for line in self.one.heading(error, alone=False)]
        return "".join(
            (
                f"\x1b[1m{heading}\x1b[0m\n" if self.examples.color else f"{heading}\n",
                self.look.draw(scene.figure, names=self.names or ("gold", first.system), keep=keep),
                *(f"{line.rstrip()}\n" for line in lines),
                "\n",
            )
        )


def _key(instance: Instance) -> tuple[str, str, int]:
    return instance.system, instance.file, instance.unit
