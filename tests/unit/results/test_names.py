"""Systems go by names without the endings of their files wherever they are shown, and by whole ones
in data."""

from typing import Any

import pytest

import tertium
from tertium.comparison.conventions import conventions
from tertium.results.blocks import Bars, Column, Excerpt, Missing, Ranks, Table, Text
from tertium.results.names import called

pytestmark = pytest.mark.usefixtures("few_samples")

NAMES = {"a-dev.bio": "a", "b-dev.bio": "b"}
GOLD = [["B-PER", "O", "B-LOC"]] * 4
A, B = [["B-PER", "O", "O"]] * 4, [["B-LOC", "O", "B-LOC"]] * 4
SPANS = {"metric": "spans.f1"}


@pytest.mark.parametrize(
    ("verb", "sides", "more"),
    [
        (tertium.score, (GOLD, A, B), SPANS),
        (tertium.compare, (GOLD, A, B), {**SPANS, "trials": 50}),
        (tertium.errors, (GOLD, A, B), SPANS),
        (tertium.audit, (GOLD, A, B), {**SPANS, "trials": 50, "samples": 2}),
        (tertium.power, (GOLD, A, B), {**SPANS, "trials": 50}),
        (conventions, (GOLD, A, B), {}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_every_verb_shows_short_names(verb: Any, sides: Any, more: Any) -> None:
    found = verb(*sides, names=[*NAMES], **more)
    for format in ("text", "html"):
        shown = tertium.render(found, format)
        assert "b" in shown
        for line in shown.split("\n"):
            if "shown without" not in line:
                assert "-dev.bio" not in line
    assert "a-dev.bio" in tertium.render(found, "json")


def test_diff_and_draw_show_short_names(tmp_path: Any) -> None:
    files = [tmp_path / name for name in ("gold-dev.bio", *NAMES)]
    for file, labels in zip(files, (GOLD, A, B), strict=True):
        file.write_text("".join(f"w {tag}\n" for tag in labels[0]) + "\n")
    assert "a (A) and b (B)" in tertium.render(tertium.diff(*files[1:], **SPANS))
    assert "a and b agree on" in tertium.render(tertium.diff(*files[1:], **SPANS))
    three = tertium.render(tertium.diff(*files, **SPANS))
    assert "gold       a" in three
    assert "-dev.bio" not in three
    drawn = tertium.draw(files[0], files[1])
    assert "only a-dev<" in tertium.render(drawn, "svg")  # one system: nothing is common
    assert drawn.to_dict()["system"] == "a-dev.bio"


def test_names_that_would_be_the_same_or_were_given_stay() -> None:
    for names in (["a.bio", "a.conllu"], ["v1.0", "v2.0"]):
        shown = tertium.render(tertium.errors(GOLD, A, B, names=names, **SPANS))
        assert all(name in shown for name in names)


def test_names_change_in_all_kinds_of_blocks() -> None:
    table = Table(
        (Column("a-dev.bio"), Column("m", "b-dev.bio")),
        (("a-dev.bio", Missing("b-dev.bio has none")), ("see a-dev.bio", 1)),
        title="a-dev.bio and b-dev.bio",
    )
    found = called([table], NAMES)[0]
    assert [(each.header, each.group) for each in found.columns] == [("a", ""), ("m", "b")]
    assert found.rows == (("a", Missing("b has none")), ("see a-dev.bio", 1))
    assert found.title == "a and b"
    assert called([Bars((*NAMES,), ("x",), ((1,), (2,)))], NAMES)[0].names == ("a", "b")
    ranks = Ranks((*NAMES,), (1.0, 2.0), groups=((*NAMES,),))
    assert called([ranks], NAMES)[0].groups == (("a", "b"),)


def test_sentences_places_and_signatures_stay() -> None:
    excerpt = Excerpt(("FP", "a-dev.bio", "a-dev.bio:3"), "Open a-dev.bio now", ())
    found = called([excerpt], NAMES)[0]
    assert found.heading == ("FP", "a", "a-dev.bio:3")
    assert found.text == excerpt.text
    told = Text("a-dev.bio: d/a-dev.bio, line 2 of a-dev.bio:2; a-dev.biology", whose="b-dev.bio")
    assert called([told], NAMES) == [
        Text("a: d/a-dev.bio, line 2 of a-dev.bio:2; a-dev.biology", whose="b")
    ]
    for role in ("gold", "code", "signature"):
        assert called([Text("a-dev.bio", role)], NAMES)[0].text == "a-dev.bio"  # type: ignore[arg-type]
