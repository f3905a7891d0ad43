"""Figures as SVG: valid, inside the frame, labels apart, every arc there, any script."""

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from arc_samples import figure, one, scene, trees, two, word
from result_samples import HOSTILE
from tertium.comparison.pictures import Drawing
from tertium.report.layout import MOST, arcs_of, halves, spread
from tertium.report.svg.elements import text_width
from tertium.report.svg.figures import draw_figure
from tertium.results.items import NOWHERE, ROOT
from tertium.results.scenes import OUTSIDE, Scene

SVG = "{http://www.w3.org/2000/svg}"


def parsed(*pairs: Scene, **more: Any) -> ElementTree.Element:
    return ElementTree.fromstring(Drawing("g", pairs, **more).svg().encode("utf-8"))


def texts(root: ElementTree.Element) -> list[str]:
    return [e.text or "" for e in root.iter(f"{SVG}text")]


def titles(root: ElementTree.Element) -> list[str]:
    return [e.text or "" for e in root.iter(f"{SVG}title")]


PAIRS = {
    "nothing": scene([]),
    "one word": one([ROOT]),
    "one tree": one([1, ROOT, 1, 2]),
    "the same": two([1, ROOT], [1, ROOT]),
    "all different": two([1, ROOT, 1, 2], [ROOT, 0, 1, 1], w3="long:relation", w4="y"),
    "roots": two([ROOT, ROOT, ROOT], [ROOT, ROOT, NOWHERE], w1="a-very-long-name", w2="another"),
    "outside": two([1, ROOT], [OUTSIDE, OUTSIDE]),
    "crossing": two([2, 3, ROOT, 2, 1], [2, 3, ROOT, 2, 0]),
    "cycle": one([1, 0, 2]),
    "sides": scene(
        [word(1, 2, form="A."), None, word(2, ROOT, form="b")],
        [None, word(1, 2, form="A"), word(2, ROOT, form="b")],
    ),
    "arabic": two([ROOT, 0, 0], [ROOT, 0, 1], ["كتب", "الولد", "UN"]),
    "chinese": two([1, ROOT], [ROOT, 0], ["日本語", "料理"]),
    "long": one([ROOT] + [0] * (MOST + 100)),
    "long word": one([ROOT, 0], ["x" * 200, "y"], relation="z" * 90),
    **{f"hostile {n}": two([1, ROOT], [ROOT, 0], [t, t], w2=t) for n, t in enumerate(HOSTILE)},
}


@pytest.mark.parametrize("name", PAIRS)
def test_everything_is_valid_and_inside_the_frame(name: str) -> None:
    drawing = draw_figure(figure(PAIRS[name]), ("gold", "sys"))
    inner = "".join(drawing.body)
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{inner}</svg>'.encode())
    for each in root.iter():
        if each.tag == f"{SVG}text":
            size = text_width(each.text or "", float(each.get("font-size", 13)))
            x, y = float(each.get("x", 0)), float(each.get("y", 0))
            before = {"middle": size / 2}.get(each.get("text-anchor", ""), 0)
            assert -0.1 <= x - before <= x - before + size <= drawing.width + 0.1
            assert 0 < y <= drawing.height
        elif each.tag == f"{SVG}path":
            path = each.get("d", "")
            assert all(float(y) <= drawing.height for y in re.findall(r"V(-?[\d.]+)", path))
            assert all(float(y) >= 0 for y in re.findall(r"V(-?[\d.]+)", path))
            assert all(0 <= float(x) <= drawing.width for x in re.findall(r"H(-?[\d.]+)", path))


@pytest.mark.parametrize("name", PAIRS)
def test_files_hold_nothing_that_runs_or_refers(name: str) -> None:
    root = parsed(PAIRS[name])
    used = {e.tag.removeprefix(SVG) for e in root.iter()}
    assert used <= {"svg", "title", "desc", "rect", "g", "text", "path"}
    names = {attribute for e in root.iter() for attribute in e.attrib}
    assert not {n for n in names if n.startswith("on") or n in ("href", "style", "id")}
    page = Drawing("g", (PAIRS[name],)).html()
    assert "<script" not in page
    piece = Drawing("g", (PAIRS[name],), ("<b>", '"'))._repr_html_()
    assert "<script" not in piece
    assert "<b>" not in piece
    ElementTree.fromstring(piece.encode("utf-8"))


def test_what_both_have_is_drawn_once() -> None:
    pair = two([1, ROOT, 1, 2], [1, ROOT, 0, 2], w4="y")
    above, below = halves(figure(pair).links)
    assert [(link.target, link.source, link.kind) for link in above] == [
        (0, 1, "both"), (1, ROOT, "both"), (2, 1, "gold"), (3, 2, "gold"),
    ]  # fmt: skip
    assert [(link.target, link.source, link.label) for link in below] == [(2, 0, "x"), (3, 2, "y")]
    root = parsed(pair)
    told = titles(root)
    assert told.count("both: x(w2-2, w1-1)") == 1
    assert "gold: x(w2-2, w3-3)" in told
    assert "system: x(w1-1, w3-3)" in told
    assert "system: y(w3-3, w4-4)" in told
    lines = [e for e in root.iter(f"{SVG}path") if e.get("class") == "system-line"]
    assert all(e.get("stroke-dasharray") for e in lines)
    gold = [e for e in root.iter(f"{SVG}path") if e.get("class") == "gold-line"]
    assert gold
    assert not any(e.get("stroke-dasharray") for e in gold)
    assert {e.get("stroke") for e in lines}.isdisjoint({e.get("stroke") for e in gold})


def levels(pair: Scene) -> dict[int, int]:
    """The level of the arc to every word."""
    arcs = arcs_of(figure(pair).links, len(pair.words))
    return {arc.link.target: arc.level for arc in arcs if arc.link.source >= 0}


def test_levels_are_by_nesting_not_by_length() -> None:
    found = levels(one([1, ROOT, 1, *[1] * 30]))
    assert found[0] == found[2] == 1
    assert max(levels(one([9, 2, ROOT, *[2] * 7])).values()) == 8
    assert {*levels(one([ROOT, *range(30)])).values()} == {1}


@given(trees())
def test_arcs_lie_over_what_they_span(heads: list[int]) -> None:
    found = levels(one(heads))
    arcs = [(min(d, h), max(d, h), found[d]) for d, h in enumerate(heads) if h >= 0]
    assert len(found) == len(arcs)
    for (first, last, level), (other_first, other_last, other) in combinations(arcs, 2):
        if first < other_last and other_first < last:
            assert level != other
            if first <= other_first and other_last <= last:
                assert level > other


@settings(max_examples=50)
@given(trees())
def test_labels_do_not_overlap(heads: list[int]) -> None:
    pair = one(heads, relation="nmod:possessive")
    inner = "".join(draw_figure(figure(pair)).body)
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{inner}</svg>')
    boxes = [
        tuple(float(e.get(key, 0)) for key in ("x", "y", "width", "height"))
        for e in root.iter(f"{SVG}rect")
    ]
    assert len(boxes) == len(heads)
    for (x, y, w, h), (x2, y2, w2, h2) in combinations(boxes, 2):
        assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_words_keep_their_distance() -> None:
    assert spread([5, 5, 5], 10, []) == [5, 25, 45]
    assert spread([5, 5, 5], 10, [(0, 2, 100)]) == [5, 25, 105]
    assert spread([], 10, []) == []


def places(pair: Scene) -> dict[str, float]:
    return {e.text or "": float(e.get("x", 0)) for e in parsed(pair).iter(f"{SVG}text")}


def test_words_run_the_way_of_the_text() -> None:
    found = places(PAIRS["arabic"])
    assert found["كتب"] > found["الولد"] > found["UN"]
    element = next(e for e in parsed(PAIRS["arabic"]).iter(f"{SVG}text") if e.text == "كتب")
    assert (element.get("direction"), element.get("unicode-bidi")) == ("rtl", "isolate")
    found = places(two([ROOT, 0, 0], [ROOT, 0, 1], ["the", "word", "كتب"]))
    assert found["the"] < found["word"] < found["كتب"]


def test_the_description_tells_the_differences() -> None:
    drawing = draw_figure(figure(two([1, ROOT], [1, ROOT], w1="y")))
    assert drawing.description == (
        "2 words: w1 w2; marked: gold: x(w2-2, w1-1); system: y(w2-2, w1-1)."
    )
    assert draw_figure(figure(PAIRS["the same"])).description.endswith("nothing is marked.")
    assert draw_figure(figure(PAIRS["outside"])).description.count("in a different sentence") == 2


def test_a_long_sentence_is_cut_and_says_so() -> None:
    found = texts(parsed(PAIRS["long"]))
    assert f"w{MOST}" in found
    assert f"w{MOST + 1}" not in found
    assert "… 101 more words" in found


def test_pieces_for_notebooks_scroll() -> None:
    drawing = Drawing("g", (PAIRS["one tree"], PAIRS["all different"]), notes=("a & b",))
    piece = drawing._repr_html_()
    assert piece.count('<div style="overflow-x: auto"><svg role="img"') == 2
    ids = re.findall(r' id="([^"]+)"', piece)
    assert len(ids) == len(set(ids)) == 4
    assert "a &amp; b" in piece
    assert "prefers-color-scheme: dark" in piece
    page = drawing.html()
    assert page.count('<div class="scroll"') == 4
