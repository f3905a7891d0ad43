"""Errors in dependency trees: both trees of a sentence once, and below them a line for each."""

from __future__ import annotations

from dataclasses import replace

from tertium.comparison.errors.instances import Instance
from tertium.report.render.examples import Examples
from tertium.report.render.trees.page import TreeText


class TreeExamples:
    """Writes errors one by one; those of trees are gathered until their sentence is complete.

    Whatever has no trees is written at once, as `examples` does it. `names` stand beside the two
    trees, by default "gold" and the system's name.
    """

    def __init__(self, examples: Examples, names: tuple[str, str] | None = None) -> None:
        self.examples, self.names = examples, names
        self.one = replace(examples, several=False)  # the system stands above its tree
        self.look = TreeText(width=examples.width, color=examples.color, ascii=examples.ascii)
        self.waiting: list[Instance] = []

    def example(self, instance: Instance) -> str:
        """What can be written now: the sentence before this one, or nothing."""
        if instance.trees is None:
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
        assert first.trees is not None
        numbers = {error.gold_item.first for error in errors if error.gold_item}
        keep = [n for n, word in enumerate(first.trees.marks[0]) if word and word.number in numbers]
        where = f"{first.file}:{first.trees.line}" if first.trees.line else first.file
        heading = self.look.show(f"{where}, sentence '{first.sentence}'")
        lines = [line for error in errors for line in self.one.heading(error, alone=False)]
        return "".join(
            (
                f"\x1b[1m{heading}\x1b[0m\n" if self.examples.color else f"{heading}\n",
                self.look.draw(first.trees, names=self.names or ("gold", first.system), keep=keep),
                *(f"{line.rstrip()}\n" for line in lines),
                "\n",
            )
        )


def _key(instance: Instance) -> tuple[str, str, int]:
    return instance.system, instance.file, instance.unit
