"""Small dependency trees, and any of them for property tests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from hypothesis import strategies as st

from tertium.results.figures import Figure, figure_of
from tertium.results.items import ROOT
from tertium.results.scenes import Mark, Scene, Word


class Given(NamedTuple):
    """A word of one side and what is said of it."""

    mark: Mark
    word: Word


def word(
    number: int,
    head: int,
    relation: str = "x",
    form: str = "",
    upos: str | None = None,
    outcome: str | None = None,
) -> Given:
    second = head + 1 if head >= -1 else -1
    return Given(
        Mark(relation, (), head, None, outcome, relation, second),
        Word(form or f"w{number}", number, upos),
    )


def scene(*sides: Sequence[Given | None]) -> Scene:
    """The words of one side or two; one that only a side has is an error."""
    marks: list[list[Mark | None]] = [[] for _ in sides]
    for place, row in enumerate(zip(*sides, strict=True)):
        for side, given in enumerate(row):
            mark = given and given.mark._replace(places=(place,))
            if mark and len(sides) > 1 and None in row:
                mark = mark._replace(outcome=("missing", "extra")[side])
            marks[side].append(mark)
    tokens = tuple(tuple(given and given.word for given in side) for side in sides)
    words = tuple(next(each.form for each in row if each) for row in zip(*tokens, strict=True))
    made = Scene("s", words, tuple(map(tuple, marks)), tokens=tokens, has_heads=True)
    return replace(made, figure=figure_of(made))


def figure(scene: Scene) -> Figure:
    assert scene.figure is not None
    return scene.figure


def one(heads: Sequence[int], forms: Sequence[str] = (), relation: str = "x") -> Scene:
    """A tree by the rows of its heads."""
    return scene(
        [word(n + 1, head, relation, forms[n] if forms else "") for n, head in enumerate(heads)]
    )


def two(
    gold: Sequence[int], system: Sequence[int], forms: Sequence[str] = (), **relations: str
) -> Scene:
    """Two trees over the same words; relations that differ are given by `w3="y"`."""
    ours_of, theirs_of = list[Given | None](), list[Given | None]()
    for n, (ours, theirs) in enumerate(zip(gold, system, strict=True)):
        form = forms[n] if forms else ""
        other = relations.get(f"w{n + 1}", "x")
        outcome = "correct" if ours == theirs and other == "x" else "wrong"
        ours_of.append(word(n + 1, ours, "x", form, outcome=outcome))
        theirs_of.append(word(n + 1, theirs, other, form, outcome=outcome))
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
