"""Items on which two systems differ, in their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium.comparison.comparison import Comparison
from tertium.comparison.differences import CLASSES as KINDS
from tertium.comparison.differences import Pair
from tertium.comparison.examples import Claim, Example, Examples
from tertium.comparison.views import View
from tertium.report.blocks import Block, Column, Table, Text
from tertium.report.render.plain import visible
from tertium.report.sections.compare.choice import ARROW, Choice
from tertium.report.sections.compare.pairs import CLASSES
from tertium.report.sections.compare.transitions import NONE

AROUND = 28  # characters on either side
CUT = "…"


def example_blocks(
    comparison: Comparison, view: View, pairs: Iterable[Pair], choice: Choice
) -> list[Block]:
    """The first examples of every class of some pairs."""
    if choice.examples is None or comparison.material is None:
        return []
    source = Examples.of(comparison.material, view)
    blocks: list[Block] = []
    for pair in pairs:
        found = list(source.all(pair, choice.examples or None))
        if found and choice.is_text:
            blocks.append(Text(f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples", role="title"))
            blocks.append(Text("\n".join(_lines(pair, found)), role="code"))
        elif found:
            blocks.append(_table(pair, found))
    return blocks


def claimed(claim: Claim | None, example: Example) -> str:
    """What is said in words: `NOUN`, `obl(reopen-4)`, `BEs PER 3-4`; `none` for nothing.

    The place of a span is told where it is not that of the item.
    """
    if claim is None:
        return NONE
    if claim.head is not None:
        words = example.sentence.words
        head = "ROOT" if claim.head == 0 else f"{words[claim.head - 1]}-{claim.head}"
        return f"{claim.label or ''}({head})"
    parts = []
    of_spans = claim.type is not None and claim.type not in ("label", "unaligned")
    if of_spans and claim.type is not None:
        parts.append(claim.type)
    parts += [claim.label] if claim.label is not None else []
    place = (claim.first, claim.last)
    if of_spans and claim.first is not None and place != (example.first, example.last):
        parts.append(
            f"{claim.first}" if claim.first == claim.last else f"{claim.first}-{claim.last}"
        )
    return " ".join(parts) or NONE


def in_context(example: Example, around: int | None = AROUND) -> str:
    """The words near an item, which stands in square brackets; all of them for None."""
    words, first, last = example.sentence.words, example.first, example.last
    if first is None or last is None:
        left, item, right = "", "", " ".join(words)
    else:
        left = " ".join(words[: first - 1])
        item = " ".join(words[first - 1 : last])
        right = " ".join(words[last:])
    if around is not None and len(left) > around:
        left = f"{CUT} {left[-around:].partition(' ')[2] or left[-around:]}"
    if around is not None and len(right) > around:
        right = f"{right[:around].rpartition(' ')[0] or right[:around]} {CUT}"
    return " ".join(filter(None, (left, f"[{item}]" if item else "", right)))


def transition(example: Example) -> str:
    """`gold G: A → B` in words."""
    a, b = (claimed(said, example) for said in (example.said_a, example.said_b))
    return f"gold {claimed(example.gold, example)}: {a} {ARROW} {b}"


def _lines(pair: Pair, found: Iterable[Example]) -> Iterator[str]:
    """Two lines an example, below the names of its class and its sentence."""
    by_kind: dict[str, list[Example]] = {kind: [] for kind in KINDS}
    for example in found:
        by_kind[example.kind].append(example)
    for kind, examples in by_kind.items():
        if not examples:
            continue
        count = getattr(pair, kind)
        partly = f"{len(examples):,} of {count:,}" if len(examples) < count else f"{count:,}"
        yield f"{CLASSES[kind]} ({partly})"
        above = None
        for example in examples:
            if example.sentence != above:
                yield f"  sentence '{visible(example.sentence.id)}'"
            above = example.sentence
            yield f"      {visible(in_context(example))}"
            yield f"          {visible(transition(example))}"


def _table(pair: Pair, found: Sequence[Example]) -> Table:
    return Table(
        (
            Column("difference"),
            Column("[item] in context"),
            Column("gold"),
            Column(pair.a),
            Column(pair.b),
            Column("sentence"),
        ),
        tuple(
            (
                CLASSES[e.kind],
                in_context(e),
                claimed(e.gold, e),
                claimed(e.said_a, e),
                claimed(e.said_b, e),
                e.sentence.id,
            )
            for e in found
        ),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, examples",
        contests=tuple(e.kind for e in found),
    )
