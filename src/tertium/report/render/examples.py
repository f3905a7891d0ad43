"""Errors for terminals and logs: the sentence, and under its words what each side says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rich.cells import cell_len, chop_cells

from tertium.comparison.errors.instances import Context, Instance, Range
from tertium.report.render.excerpts import Excerpt, excerpt
from tertium.report.sections.errors import described
from tertium.results.texts import runs_right_to_left, visible

INDENT = len("system") + 2


@dataclass(frozen=True)
class Signs:
    """What marks are drawn with: no colour is needed to tell them apart."""

    left: str = "└"
    line: str = "─"
    right: str = "┘"
    point: str = "▲"
    gap: str = "┄"
    cut: str = "…"


ASCII = Signs("+", "-", "+", "^", ".", "...")


@dataclass(frozen=True)
class _Mark:
    """One line below the words: whose it is, where its item and its head stand, and the label.

    Words in a tree are drawn as arcs; the root's and one from outside have no head to begin at.
    """

    side: str
    ranges: tuple[Range, ...]
    head: Range | None
    label: str
    is_arc: bool


@dataclass(frozen=True)
class Examples:
    """Instances as blocks of text at most `width` cells wide; only unbroken words may be wider.

    `several` puts the system's name into each; `color` sets the type in bold; `sides` are the names
    of the two sides.
    """

    width: int = 80
    color: bool = False
    ascii: bool = False
    several: bool = False
    sides: tuple[str, str] = ("gold", "system")

    def example(self, instance: Instance) -> str:
        """One error: what it is, the sentence with both sides marked, and an empty line."""
        lines = [*self.heading(instance), *self._sentence(instance)]
        return "\n".join(line.rstrip() for line in lines) + "\n\n"

    def heading(self, instance: Instance, *, alone: bool = True) -> Iterator[str]:
        """Type, both sides, and where to find it; over several lines where it is long.

        Unless it stands `alone`, file and sentence are known from what stands above.
        """
        kind = self._show(instance.type)
        parts = [self._show(instance.system)] if self.several else []
        parts += [
            self._show(f"{side} {described(item)}")
            for side, item in zip(
                self.sides, (instance.gold_item, instance.system_item), strict=True
            )
            if item is not None
        ]
        parts.append(self._show(_place(instance, alone=alone)))
        line = kind
        for part in parts:
            if line and cell_len(f"{line}  {part}") > self.width:
                yield self._bold(line, kind)
                line, kind = " " * INDENT + part, ""
            else:
                line = f"{line}  {part}"
        yield self._bold(line, kind)

    def _bold(self, line: str, kind: str) -> str:
        if not self.color or not kind:
            return line
        return f"\x1b[1m{kind}\x1b[0m{line[len(kind) :]}"

    def _sentence(self, instance: Instance) -> Iterator[str]:
        context = instance.context
        if runs_right_to_left(context.text):
            yield from self._inline(instance)
            return
        marks = _marks(instance, self.sides)
        width = self.width - INDENT
        lines = self._drawn(context, marks, width)
        if any(cell_len(line) > width for _, line in lines):
            # A mark may take the whole line and leave no room for its label.
            longest = max((cell_len(self._show(mark.label)) for mark in marks), default=0)
            lines = self._drawn(context, marks, max(width - longest - 1, width // 2))
        yield from _folded(lines, width)

    def _drawn(self, context: Context, marks: Sequence[_Mark], room: int) -> list[tuple[str, str]]:
        """The words and the marks below them, each with the name of its side."""
        signs = ASCII if self.ascii else Signs()
        ranges = [r for mark in marks for r in (*mark.ranges, mark.head) if r is not None]
        shown = self._excerpt(context, context.text, ranges, room)
        lines = [("tokens" if context.numbers else "", shown.line)]
        for mark in marks:
            draw = _arc if mark.is_arc else _brackets
            label = self._show(mark.label)
            cells, first, last = draw(mark, shown, signs) if mark.ranges else ("", 0, 0)
            lines.append((mark.side, _labeled(cells, first, last, label, self.width - INDENT)))
        return lines

    def _inline(self, instance: Instance) -> Iterator[str]:
        """The sentence once for each side, with brackets in it.

        A terminal may turn the words of Arabic or Hebrew around, and marks below them would point
        at others; signs between the words move with them.
        """
        context = instance.context
        for mark in _marks(instance, self.sides):
            width = self.width - INDENT
            line = self._excerpt(context, *_bracketed(context.text, mark.ranges), width).line
            yield from _folded([(mark.side, line)], width)

    def _excerpt(self, context: Context, text: str, ranges: Sequence[Range], width: int) -> Excerpt:
        return excerpt(
            text,
            ranges,
            width,
            cut=(context.left_out[0] > 0, context.left_out[1] > 0),
            sign=(ASCII if self.ascii else Signs()).cut,
            show=self._show,
        )

    def _show(self, text: str) -> str:
        """Text that cannot move the cursor; in ASCII with escapes, so that columns stay true."""
        text = visible(text)
        return text.encode("ascii", "backslashreplace").decode() if self.ascii else text


def _marks(instance: Instance, sides: tuple[str, str]) -> list[_Mark]:
    """A line a side; one for both where they differ in nothing but the label."""
    context = instance.context
    found = [
        _Mark(side, ranges, head, item.label, item.head is not None)
        for side, item, ranges, head in (
            (sides[0], instance.gold_item, context.gold, context.gold_head),
            (sides[1], instance.system_item, context.system, context.system_head),
        )
        if item is not None
    ]
    if len(found) == 2:
        ours, theirs = found
        if (ours.ranges, ours.head) == (theirs.ranges, theirs.head):
            label = f"{ours.side} {ours.label}, {theirs.side} {theirs.label}"
            return [replace(ours, side="", label=label)]
    return found


def _place(instance: Instance, *, alone: bool) -> str:
    """Where the error is: in the gold file, or in the system's if only that has something."""
    item = instance.gold_item or instance.system_item
    file = item.file if item else instance.file
    line = item.line if item else None
    if not alone and line and file == instance.file:
        return f"line {line}"
    where = f"{file}:{line}" if line else file
    return f"{where}, sentence '{item.sentence if item else instance.sentence}'" if alone else where


def _brackets(mark: _Mark, shown: Excerpt, signs: Signs) -> tuple[str, int, int]:
    """`└────┘` below the words, parts of one span joined by `┄`; with its first and last column."""
    cells = [" "] * shown.width
    columns = [shown.columns(r) for r in mark.ranges]
    for (_, end), (start, _) in pairwise(columns):
        cells[end:start] = signs.gap * (start - end)
    for start, end in columns:
        size = end - start
        cells[start:end] = (
            signs.left + signs.line * (size - 2) + signs.right if size > 1 else signs.point
        )
    return "".join(cells), columns[0][0], columns[-1][1]


def _arc(mark: _Mark, shown: Excerpt, signs: Signs) -> tuple[str, int, int]:
    """`└────▲` from the head to the word, `▲` alone where the head is no word here."""
    cells = [" "] * shown.width
    word = _middle(shown.columns(mark.ranges[0]))
    head = _middle(shown.columns(mark.head)) if mark.head else word
    first, last = min(word, head), max(word, head)
    cells[first:last] = signs.line * (last - first)
    cells[head] = signs.left if head < word else signs.right
    cells[word] = signs.point
    return "".join(cells), first, last + 1


def _middle(columns: Range) -> int:
    return (columns[0] + columns[1] - 1) // 2


def _labeled(cells: str, first: int, last: int, label: str, width: int) -> str:
    """The label behind the mark, or before it where only there is room."""
    size = cell_len(label)
    if last + 1 + size > width and first > size:
        return " " * (first - 1 - size) + label + " " + cells[first:last]
    return f"{cells[:last]} {label}" if last else label


def _bracketed(text: str, ranges: Sequence[Range]) -> tuple[str, list[Range]]:
    """The text with brackets around the ranges, and where the ranges are then."""
    parts, places, done = [], [], 0
    for number, (start, end) in enumerate(ranges):
        parts += [text[done:start], "[", text[start:end], "]"]
        places.append((start + 2 * number, end + 2 * number + 2))
        done = end
    return "".join([*parts, text[done:]]), places


def _folded(lines: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Lines that belong together, cut at the same columns where they are too wide."""
    widest = max(cell_len(line) for _, line in lines)
    if widest <= width:
        yield from (f"{name:<{INDENT}}{line}" for name, line in lines)
        return
    rows = [(name, chop_cells(line, width)) for name, line in lines]
    for number in range(max(len(parts) for _, parts in rows)):
        for name, parts in rows:
            part = parts[number] if number < len(parts) else ""
            if part.strip():
                yield f"{name:<{INDENT}}{part}"
