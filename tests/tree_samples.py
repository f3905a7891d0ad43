"""Small dependency trees, and any of them for property tests."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tertium.results.items import ROOT
from tertium.results.scenes import Mark, Scene

ALONE = {"same_label": False, "same_second": False}  # on the other side there is no such word


def word(number: int, head: int, relation: str = "x", form: str = "", **more: Any) -> Mark:
    return Mark(
        relation,
        second=head,
        form=form or f"w{number}",
        number=number,
        second_number=head + 1 if head >= -1 else -1,
        **more,
    )


def scene(*sides: Sequence[Mark | None]) -> Scene:
    """The items of one side or two."""
    words = [next(mark.form for mark in row if mark) for row in zip(*sides, strict=True)]
    return Scene("s", tuple(words), tuple(map(tuple, sides)))


def one(heads: Sequence[int], forms: Sequence[str] = (), relation: str = "x") -> Scene:
    """A tree by the rows of its heads."""
    return scene(
        [word(n + 1, head, relation, forms[n] if forms else "") for n, head in enumerate(heads)]
    )


def two(
    gold: Sequence[int], system: Sequence[int], forms: Sequence[str] = (), **relations: Any
) -> Scene:
    """Two trees over the same words; relations that differ are given by `w3="y"`."""
    ours_of, theirs_of = list[Mark](), list[Mark]()
    for n, (ours, theirs) in enumerate(zip(gold, system, strict=True)):
        form = forms[n] if forms else ""
        other = relations.get(f"w{n + 1}", "x")
        same = {"same_second": ours == theirs, "same_label": other == "x"}
        ours_of.append(word(n + 1, ours, "x", form, **same))
        theirs_of.append(word(n + 1, theirs, other, form, **same))
    return scene(ours_of, theirs_of)


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
