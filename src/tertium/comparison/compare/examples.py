"""Items on which two systems differ, in their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.examples import Examples
from tertium.comparison.pairs import CLASSES as KINDS
from tertium.comparison.pairs import Pair
from tertium.comparison.compare.look import ARROW, Choice
from tertium.comparison.compare.changes import CLASSES
from tertium.comparison.compare.transitions import NONE
from tertium.results.blocks import Block, Column, Table, Text
from tertium.results.items import ROOT
from tertium.results.scenes import Mark, Scene
from tertium.results.texts import visible

AROUND = 28  # characters on either side
CUT = "…"


def example_blocks(
    comparison: Comparison, view: View, pairs: Iterable[Pair], choice: Choice
) -> list[Block]:
    """The first examples of every class of some pairs."""
    if choice.examples is None or comparison.material is None:
        return []
    source = Examples(comparison.material, view)
    blocks: list[Block] = []
    for pair in pairs:
        found = list(source.all(pair, choice.examples or None))
        if found and choice.is_text:
            blocks.append(Text(f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples", role="title"))
            blocks.append(Text("\n".join(_lines(pair, found)), role="code"))
        elif found:
            blocks.append(_table(pair, found))
    return blocks


def claimed(mark: Mark | None, scene: Scene) -> str:
    """What is said in words: `NOUN`, `obl(reopen-4)`, `BEs PER 3-4`; `none` for nothing.

    The place of a span is told where it is not that of the item.
    """
    if mark is None:
        return NONE
    if mark.second >= ROOT:
        second = mark.second
        head = "ROOT" if second == ROOT else f"{scene.words[second]}-{second + 1}"
        return f"{mark.label or ''}({head})"
    is_told = mark.type is not None and mark.type not in ("label", "unaligned")
    parts = [mark.type if is_told else None, mark.label]
    if is_told and mark.first is not None and mark.last is not None:
        first, last = mark.first, mark.last
        if (first, last) != scene.focus:
            parts.append(f"{first + 1}" if first == last else f"{first + 1}-{last + 1}")
    return " ".join(part for part in parts if part is not None) or NONE


def claims(scene: Scene) -> list[str]:
    """What gold and both systems have, in words."""
    return [claimed(side[0], scene) for side in scene.marks]


def in_context(scene: Scene, around: int | None = AROUND) -> str:
    """The words near an item, which stands in square brackets; all of them for None."""
    words, item = scene.words, scene.text
    left, right = "", " ".join(words)
    if scene.focus is not None:
        first, last = scene.focus
        left, right = " ".join(words[:first]), " ".join(words[last + 1 :])
    if around is not None and len(left) > around:
        left = f"{CUT} {left[-around:].partition(' ')[2] or left[-around:]}"
    if around is not None and len(right) > around:
        right = f"{right[:around].rpartition(' ')[0] or right[:around]} {CUT}"
    return " ".join(filter(None, (left, f"[{item}]" if item else "", right)))


def transition(scene: Scene) -> str:
    """`gold G: A → B` in words."""
    gold, a, b = claims(scene)
    return f"gold {gold}: {a} {ARROW} {b}"


def _lines(pair: Pair, found: Sequence[tuple[str, Scene]]) -> Iterator[str]:
    """Two lines an example, below the names of its class and its sentence."""
    for kind in KINDS:
        scenes = [scene for each, scene in found if each == kind]
        if not scenes:
            continue
        count = getattr(pair, kind)
        partly = f"{len(scenes):,} of {count:,}" if len(scenes) < count else f"{count:,}"
        yield f"{CLASSES[kind]} ({partly})"
        above = None
        for scene in scenes:
            if (scene.file, scene.id, scene.words) != above:
                yield f"  sentence '{visible(scene.id)}'"
            above = scene.file, scene.id, scene.words
            yield f"      {visible(in_context(scene))}"
            yield f"          {visible(transition(scene))}"


def _table(pair: Pair, found: Sequence[tuple[str, Scene]]) -> Table:
    return Table(
        (
            Column("difference"),
            Column("[item] in context"),
            Column("gold"),
            Column(pair.a),
            Column(pair.b),
            Column("sentence"),
        ),
        tuple((CLASSES[kind], in_context(s), *claims(s), s.id) for kind, s in found),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples",
        contests=tuple(kind for kind, _ in found),
    )
