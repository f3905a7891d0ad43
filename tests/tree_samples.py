"""Small dependency trees, and any of them for property tests."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tertium.align.trees import ROOT, Row, TreePair, Word


def word(number: int, head: int, relation: str = "x", form: str = "", **more: Any) -> Word:
    return Word(
        form or f"w{number}", number, relation, head, head + 1 if head >= -1 else -1, **more
    )


def one(heads: Sequence[int], forms: Sequence[str] = (), relation: str = "x") -> TreePair:
    """A tree by the rows of its heads."""
    rows = [
        Row(word(n + 1, head, relation, forms[n] if forms else ""), None, True, True)
        for n, head in enumerate(heads)
    ]
    return TreePair("s", tuple(rows))


def two(
    gold: Sequence[int], system: Sequence[int], forms: Sequence[str] = (), **relations: Any
) -> TreePair:
    """Two trees over the same words; relations that differ are given by `w3="y"`."""
    rows = []
    for n, (ours, theirs) in enumerate(zip(gold, system, strict=True)):
        form = forms[n] if forms else ""
        other = relations.get(f"w{n + 1}", "x")
        rows.append(
            Row(
                word(n + 1, ours, "x", form),
                word(n + 1, theirs, other, form),
                ours == theirs,
                other == "x",
            )
        )
    return TreePair("s", tuple(rows), has_system=True)


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Any tree, projective or not, with one or more roots."""
    count = draw(st.integers(1, 14))
    order = draw(st.permutations(range(count)))
    heads = [ROOT] * count
    for place, row in enumerate(order):
        if place:
            choice = draw(st.integers(-1 if draw(st.booleans()) else 0, place - 1))
            heads[row] = order[choice] if choice >= 0 else ROOT
    return heads
