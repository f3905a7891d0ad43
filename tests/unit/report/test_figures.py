"""Figures of boxes, links and nodes: drawn in every format, marked as they were judged."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import tertium
from result_samples import HOSTILE
from tertium.comparison.pictures import Drawing
from tertium.report.layout import levels
from tertium.report.render import FORMATS
from tertium.report.render.figures import FigureText
from tertium.results.figures import Box, Figure, Link, Node, figure_of
from tertium.results.items import ROOT
from tertium.results.scenes import OUTSIDE, Mark, Scene, Word

WORDS = tuple("She turned the old lamp off again .".split())


def figure(*shapes: Any, words: tuple[str, ...] = WORDS, sides: int = 2) -> Figure:
    tokens = tuple(Word(word, number) for number, word in enumerate(words, 1))
    boxes = tuple(each for each in shapes if type(each) is Box)
    links = tuple(each for each in shapes if isinstance(each, Link))
    nodes = tuple(each for each in shapes if isinstance(each, Node))
    return Figure(words, (tokens,) * sides, boxes, links, nodes)


def drawing(*figures: Figure, **more: Any) -> Drawing:
    scenes = [
        Scene(f"s{n}", f.words, ((), ())[: len(f.tokens)], tokens=f.tokens, figure=f)
        for n, f in enumerate(figures)
    ]
    return Drawing("g", tuple(scenes), **more)


def drawn(figure: Figure, **look: Any) -> list[str]:
    return FigureText(**look).draw(figure).rstrip("\n").split("\n")


GAPS = Box(places=(1, 5), label="MWE", outcome="missing", text="MWE(turned-2 off-6)")
FIGURES = {
    "gaps": figure(GAPS, Box(places=(2, 3, 4), label="NP", outcome="correct")),
    "sides": figure(
        Box(places=(2, 3, 4), label="NP", outcome="wrong"),
        Box(places=(3, 4), label="NP", outcome="wrong", side="system"),
        Box(places=(6,), label="ADV", outcome="extra", side="system"),
        Box(places=(0,), label="PRON", outcome=None),
    ),
    "links": figure(
        GAPS,
        Link(source=4, target=0, label="same"),
        Link(source=OUTSIDE, target=2, label="far", outcome="missing"),
        Link(source=ROOT, target=1, label="top"),
        Link(source=3, target=3, label="loop", side="system", outcome="extra"),
    ),
    "nodes": figure(
        Node(name="s", places=(0, 1, 2, 3, 4, 5, 6, 7), label="S"),
        Node(name="vp", parent="s", places=(1, 2, 3, 4, 5), label="VP", outcome="correct"),
        Node(name="v", parent="vp", places=(1, 5), label="V", outcome="missing"),
        Node(name="np", parent="vp", places=(2, 3, 4), label="NP"),
        Node(name="nx", parent="np", places=(2, 3, 4), label="NX"),
        Node(name="x", places=(4, 5), label="XP", outcome="extra", side="system"),
    ),
    "one side": figure(Box(places=(0, 1), label="a"), sides=1),
    "leftward": figure(Box(places=(0, 2), label="ORG", outcome="missing"), words=("כלב", "x", "ב")),
    "nothing": figure(words=()),
    **{
        f"hostile {n}": figure(Box(places=(0, 1), label=text, outcome="wrong"), words=(text, "b"))
        for n, text in enumerate(HOSTILE)
    },
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_in_every_format(name: str, format: str) -> None:
    page = drawing(FIGURES[name]).render(format)
    if format in ("svg", "html") and name in ("gaps", "links", "nodes"):
        shapes = FIGURES[name].shapes
        assert all(f">{each.label}" in page for each in shapes)
    if format == "svg":
        ElementTree.fromstring(page.encode("utf-8"))
    if format == "latex" and name == "nodes":
        assert page.count("\\begin{forest}") == 2
        assert page.count("\\draw (n2.south) -- +(0,-4pt) -| (w5.north);") == 1


def test_brackets_stand_over_the_words_and_dots_over_gaps() -> None:
    assert drawn(FIGURES["gaps"]) == [
        "gold        ┌MWE −┄┄┄┄┄┄┄┄┄┄┄┄┄┄──┐",
        "gold               ┌NP────────┐",
        "        She turned the old lamp off again .",
    ]
    assert drawn(FIGURES["sides"]) == [
        "gold    PRON        ┌NP ≠──────┐",
        "        She  turned the old lamp off again .",
        "system                  └NP ≠──┘     ADV +",
    ]
    assert drawn(FIGURES["gaps"], ascii=True)[0] == "gold        .MWE -::::::::::::::--."


def test_links_beside_boxes() -> None:
    lines = drawn(FIGURES["links"])
    assert any("▼same" in line for line in lines)
    assert any("●top" in line for line in lines)
    assert any("┄far −" in line for line in lines)


def test_right_to_left_words_stand_last() -> None:
    assert drawn(FIGURES["leftward"])[1].startswith("gold    ORG −")


def test_long_sentences_are_folded_and_cut() -> None:
    words = tuple(f"word{n}" for n in range(60))
    errors = [
        Box(places=(50,), label="A", outcome="wrong", side=side) for side in ("gold", "system")
    ]
    found = figure(*errors, Box(places=tuple(range(5, 30)), label="long"), words=words)
    lines = drawn(found, width=60)
    assert sum("other words" in line for line in lines) == 2
    assert max(map(cell_len, lines)) <= 60
    whole = drawn(found, width=60, whole=True)
    assert all(any(word in line for line in whole) for word in words)
    assert max(map(cell_len, whole)) <= 60
    assert "… 600 more words, not drawn" in drawn(figure(words=("w",) * 1000))


def test_the_legend_says_what_the_signs_mean() -> None:
    look = FigureText()
    assert look.legend([FIGURES["gaps"]]) == "− only in gold"
    assert look.legend([FIGURES["sides"]]) == "≠ differs   + only in the system"
    assert look.legend([FIGURES["one side"]]) == ""


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), max_size=12))
def test_stretches_of_one_level_do_not_meet(found: list[tuple[int, int]]) -> None:
    stretches = [(first, first + size) for first, size in found]
    taken = set()
    for (first, last), level in zip(stretches, levels(stretches, 20), strict=True):
        for place in range(first, last):
            assert (place, level) not in taken
            taken.add((place, level))


def test_the_usual_figure_of_a_scene() -> None:
    tokens = tuple(Word(word, n) for n, word in enumerate(WORDS, 1))
    gold = (
        Mark("A", (0,), outcome="correct", compared="A"),
        Mark("B:x", (1, 2), 4, outcome="wrong", compared="B", second_number=5),
        Mark("C", (3,), OUTSIDE, outcome="missing", second_number=9),
        Mark("D", (5,), outcome=None, compared="D"),
    )
    system = (
        Mark("A:y", (0,), outcome="correct", compared="A"),
        Mark("B:z", (1, 2), 5, outcome="wrong", compared="B", second_number=6),
        None,
        Mark("E", (6,), outcome=None, compared="E"),
    )
    found = figure_of(Scene("s", WORDS, (gold, system), tokens=(tokens, tokens)))
    boxes = [(box.label, box.side, box.is_shared, box.parts) for box in found.boxes]
    assert boxes == [
        ("A", "gold", True, ()),
        ("A:y", "system", True, ()),
        ("B:x", "gold", False, ("place",)),
        ("B:z", "system", False, ("place",)),
        ("D", "gold", False, ()),
        ("E", "system", False, ()),
    ]
    assert [(link.source, link.target, link.label) for link in found.links] == [
        (4, 1, ""), (5, 1, ""), (OUTSIDE, 3, "C"),
    ]  # fmt: skip
    assert found.links[2].text == "C(word 9 in a different sentence, old-4)"
    assert [shape.label for shape in found.errors] == ["B:x", "B:z", "", "", "C"]
    assert not found.has_heads


GOLD = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tslept\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
GOLD += "3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A system with another label and different head of the full stop."""
    system = GOLD.replace("nsubj", "obj").replace("2\tpunct", "1\tpunct")
    for name, text in (("gold", GOLD), ("system", system)):
        (tmp_path / f"{name}.conllu").write_text(text)
    return str(tmp_path / "gold.conllu"), str(tmp_path / "system.conllu")


@pytest.mark.parametrize("format", ["text", "markdown", "svg", "html", "latex"])
@pytest.mark.parametrize("metric", ["deps.uas(punct='deprel')", "deps.clas", "deps.las"])
def test_pictures_mark_what_the_metric_judged(
    files: tuple[str, str], metric: str, format: str
) -> None:
    """UAS does not look at labels, and neither metric but LAS at punctuation."""
    page = tertium.draw(*files, metric=metric, sentence=1).render(format)
    marks = {
        "text": ("≠",), "markdown": ("≠",), "latex": ("[edge style={blue", "dashed"),
        "svg": ('"gold gold-line"', '"ground system-line"'),
        "html": ('"gold gold-line"', '"ground system-line"'),
    }[format]  # fmt: skip
    wrong = {"deps.uas(punct='deprel')": 0, "deps.clas": 1, "deps.las": 2}[metric]
    extra = 1 if wrong and format in ("text", "markdown") else 0  # the legend
    for mark in marks:
        assert page.count(mark) == wrong + extra


@pytest.mark.parametrize("format", FORMATS)
def test_metrics_without_items_draw_nothing_and_say_so(
    files: tuple[str, str], format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = tertium.metric("deps.las")
    monkeypatch.setattr("tertium.comparison.draw.has_items", lambda metric: False)
    found = tertium.draw(*files, metric=metric)
    assert found.notes == ("deps.las does not judge single items, so there is nothing to draw",)
    assert found.pairs == ()
    assert format == "csv" or "nothing to draw" in found.render(format)


def test_metrics_that_find_nothing_wrong_say_so(files: tuple[str, str]) -> None:
    found = tertium.draw(*files, metric="deps.uas(punct='deprel')")
    assert found.notes == ("there are no errors in 1 sentence",)
    assert tertium.draw(*files).metric == "deps.las"
    assert tertium.draw(*files, subtypes=True).metric == "deps.las(subtypes=True)"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("metric", [
    "spans.fair", "spans.f1", "spans.partial", "tags.accuracy", "deps.upos", "deps.words",
])  # fmt: skip
def test_every_metric_with_items_is_drawn(metric: str, format: str, samples: Path) -> None:
    names = ("entities-gold.bio", "entities-arbor.bio")
    if not metric.startswith("spans"):
        names = ("gold.conllu", "arbor.conllu")
    gold, system = (str(samples / name) for name in names)
    page = tertium.draw(gold, system, metric=metric, sentence=[1, 3]).render(format)
    assert "Halden" in page
    assert "Halden" in tertium.draw(gold, metric=metric, sentence=1).render(format)


@pytest.mark.parametrize("format", FORMATS)
def test_graphs_have_several_links_to_a_word(tmp_path: Path, format: str) -> None:
    lines = [("She", "2:nsubj|3:nsubj"), ("sat", "0:root"), ("slept", "2:conj")]
    heads = ("2\tnsubj", "0\troot", "2\tconj")
    for name, edge in (("gold", "3:nsubj"), ("system", "3:obj")):
        text = "".join(
            f"{n}\t{form}\t_\t_\t_\t_\t{head}\t{deps.replace('3:nsubj', edge)}\t_\n"
            for n, ((form, deps), head) in enumerate(zip(lines, heads, strict=True), 1)
        )
        (tmp_path / f"{name}.conllu").write_text(f"{text}\n")
    files = str(tmp_path / "gold.conllu"), str(tmp_path / "system.conllu")
    page = tertium.draw(*files, metric="deps.elas").render(format)
    assert "slept" in page
    if format == "text":
        assert "▼nsubj ≠──────┐" in page
        assert "▲obj ≠────────┘" in page
        assert page.count("nsubj") == 2
