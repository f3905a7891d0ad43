"""Drawings: valid, inside their frame, true to the numbers, readable in any colours."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import resources
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from block_samples import BLOCKS, SHARES
from result_samples import HOSTILE, entity_scores, fair_scores, grouped_scores, hostile_scores
from tertium.exceptions import UsageError
from tertium.report.render import render, render_blocks
from tertium.report.render.svg import draw
from tertium.report.svg import colours
from tertium.report.svg.elements import element, shortened, text_width, wrapped
from tertium.results.blocks import (
    Bars,
    Block,
    Intersections,
    Lines,
    Matrix,
    Ranks,
    Shares,
    Text,
    table_of,
)
from tertium.significance.score.result import Scores

SVG = "{http://www.w3.org/2000/svg}"
ALL = {"confusion": True, "error_types": True}

LONG = "Case=Nom|Definite=Def|Gender=Masc|Number=Sing|PronType=Art"
FIGURES: dict[str, Block] = {
    "nothing": Matrix((), (), ()),
    "coloured from a number on": Matrix(
        ("A",), ("A", "B"), ((0.4, 0.6),), kind="percent", largest=0.6, smallest=0.35
    ),
    "one label": Matrix(("A",), ("A",), ((3,),), "t"),
    "one label and nothing": Matrix(("A", None), ("A", None), ((None, 0), (0, None)), "t"),
    "zeros": Matrix(("A", "B"), ("A", "B"), ((0, 0), (0, 0)), "t", "gold label", "system label"),
    "long labels": Matrix((LONG, "B"), ("B", LONG), ((1, 2), (3, 4)), LONG * 3, note=LONG * 9),
    "wide letters": Matrix(("日本語" * 9,), ("日本語", "שלום"), ((1, 2),), "مرحبا"),
    "large numbers": Matrix(("A",), ("B", "C"), ((10**9, -(10**6)),)),
    "percent": Matrix(("A",), ("B",), ((0.5,),), kind="percent"),
    "many labels": Matrix(
        tuple(f"label{i}" for i in range(30)),
        tuple(f"label{i}" for i in range(30)),
        tuple(tuple(i * j for i in range(30)) for j in range(30)),
    ),
    "hostile labels": Matrix(
        HOSTILE, HOSTILE, ((1,) * len(HOSTILE),) * len(HOSTILE), HOSTILE[1], *HOSTILE[2:4]
    ),
    "no sets": Intersections((), (), ()),
    "one set": Intersections(("A",), ((True,), (False,)), (3, 0), "t"),
    "many sets": Intersections(
        (LONG, *"BCDEF"),
        tuple(tuple(bool(i >> bit & 1) for bit in range(6)) for i in range(64)),
        tuple(10 ** (i % 7) for i in range(64)),
    ),
    "hostile sets": Intersections(
        HOSTILE,
        (tuple(i % 2 == 0 for i in range(len(HOSTILE))), (True,) * len(HOSTILE)),
        (3, 2),
        HOSTILE[1],
        *HOSTILE[2:4],
        most=1,
    ),
    "no bars": Bars((), (), ()),
    "an empty bar": Bars(("x",), ("p",), ((0,),)),
    "one bar": Bars(("x",), ("p",), ((5,),), "t"),
    "long names": Bars((LONG, "y"), (LONG, "q"), ((1, 2), (3, None)), LONG * 3, note=LONG * 9),
    "many categories": Bars(
        tuple(f"system{i}" for i in range(14)),
        tuple(f"type{i}" for i in range(40)),
        tuple(tuple(range(40)) for _ in range(14)),
    ),
    **{name: block for name, block in BLOCKS.items() if isinstance(block, Lines | Ranks | Shares)},
    "hostile names": Bars(
        HOSTILE, HOSTILE, ((1,) * len(HOSTILE),) * len(HOSTILE), HOSTILE[1], *HOSTILE[2:5]
    ),
}


def parsed(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page.encode("utf-8"))


def texts(root: ElementTree.Element, name: str = "text") -> list[str]:
    return [e.text or "" for e in root.iter(f"{SVG}{name}")]


def placed(
    root: ElementTree.Element, x: float = 0, y: float = 0
) -> Iterator[tuple[ElementTree.Element, float, float]]:
    """Every element with the origin it is drawn from."""
    move = re.fullmatch(r"translate\((\S+) (\S+)\)", root.get("transform", ""))
    if move:
        x, y = x + float(move[1]), y + float(move[2])
    yield root, x, y
    for child in root:
        yield from placed(child, x, y)


def drawn_texts(body: Iterable[str]) -> Iterator[str]:
    for part in body:
        yield from re.findall("<text[^>]*>([^<]*)", part)


@pytest.mark.parametrize("name", FIGURES)
def test_everything_is_valid_and_inside_the_frame(name: str) -> None:
    page = render_blocks([FIGURES[name]], "svg")
    assert page.endswith("</svg>\n")
    root = parsed(page)
    assert root.tag == f"{SVG}svg"
    width, height = map(float, root.get("viewBox", "").split()[2:])
    assert (float(root.get("width", 0)), float(root.get("height", 0))) == (width, height)
    for each, left, top in placed(root):
        if each.tag == f"{SVG}rect" and each.get("width") != "100%":
            x, y, w, h = (float(each.get(key, 0)) for key in ("x", "y", "width", "height"))
            assert 0 <= left + x <= left + x + w <= width
            assert 0 <= top + y <= top + y + h <= height
        elif each.tag == f"{SVG}text":
            x, y = left + float(each.get("x", 0)), top + float(each.get("y", 0))
            size = text_width(each.text or "", float(each.get("font-size", 13)))
            assert 0 < y <= height
            if "rotate" in each.get("transform", ""):
                assert x + size * 0.71 <= width
                assert y - size * 0.71 >= 0
            else:
                before = {"middle": size / 2, "end": size}.get(each.get("text-anchor", ""), 0)
                assert -0.01 <= x - before <= x - before + size <= width


@pytest.mark.parametrize("make", [entity_scores, fair_scores, grouped_scores, hostile_scores])
def test_nothing_refers_to_anything_and_nothing_runs(make: type[Scores]) -> None:
    page = render(make(), "svg", **ALL)
    root = parsed(page)
    used = {e.tag.removeprefix(SVG) for e in root.iter()}
    assert used <= {"svg", "title", "desc", "rect", "g", "text", "path"}
    names = {name for e in root.iter() for name in e.attrib}
    assert not {n for n in names if n.startswith("on") or n in ("href", "style", "id")}
    assert page.count("http://www.w3.org") == 1
    assert "url(" not in page
    assert page == render(make(), "svg", **ALL), "the same figure is the same file"


def test_hostile_texts_are_shown_as_they_are() -> None:
    found = texts(parsed(render_blocks([FIGURES["hostile labels"]], "svg")))
    assert "日本語" in found
    assert '=HYPERLINK("http://x")' in found
    whole = texts(parsed(render_blocks([FIGURES["hostile labels"]], "svg")), "title")
    assert any("gold" not in text and "<script>alert(1)</script>" in text for text in whole)
    with pytest.raises(ElementTree.ParseError):
        ElementTree.fromstring(element("text", "<script>"))


def test_a_matrix_shows_labels_numbers_and_nothing() -> None:
    root = parsed(render(fair_scores(), "svg", confusion_cells="errors"))
    found = texts(root)
    assert found[:8] == [
        "system label", "LOC", "ORG", "OTH", "PER", "none", "gold label", "LOC",
    ]  # fmt: skip
    assert found[7:12] == ["LOC", "ORG", "OTH", "PER", "none"]
    assert found[12:17] == ["57", "54", "14", "28", "98"]
    assert len(found[12:]) == 24 + 3, "24 cells, and three lines of the note"
    tips = [e.text for g in root.iter(f"{SVG}g") for e in g if e.tag == f"{SVG}title"]
    assert "gold label ORG, system label none: 167" in tips
    description = next(e.text or "" for e in root.iter(f"{SVG}desc"))
    assert "largest number is at gold label ORG, system label none: 167" in description
    assert "signature: spans.fair|" in description


def test_rows_are_gold_and_columns_are_system() -> None:
    matrix = Matrix(("A", "B"), ("A", "B"), ((1, 2), (3, 4)))
    root = parsed(render_blocks([matrix], "svg"))
    where = {e.text: (float(e.get("x", 0)), float(e.get("y", 0))) for e in root.iter(f"{SVG}text")}
    assert where["1"][1] == where["2"][1] < where["3"][1]
    assert where["1"][0] == where["3"][0] < where["2"][0]


def test_larger_numbers_are_denser() -> None:
    matrix = Matrix(("A",), tuple("ABCDE"), ((0, 1, 30, 60, 100),))
    root = parsed(render_blocks([matrix], "svg"))
    dense = [float(e.get("fill-opacity", 0)) for e in root.iter(f"{SVG}rect") if e.get("class")]
    assert dense[0] == 0
    assert dense[-1] == 1
    assert all(a < b for a, b in pairwise(dense))
    scaled = Matrix(("A",), ("B", "C"), ((5, 20),), largest=10)
    root = parsed(render_blocks([scaled], "svg"))
    dense = [float(e.get("fill-opacity", 0)) for e in root.iter(f"{SVG}rect") if e.get("class")]
    assert dense == [colours.DENSITIES[3], 1]


def test_colours_may_begin_at_a_number() -> None:
    assert colours.density(0.39, 0.6, 0.35) < colours.density(0.57, 0.6, 0.35)
    assert colours.density(0.39, 0.6) > 0.5, "from 0 on both would be dark"
    assert colours.density(3, 3, 3) == colours.DENSITIES[0]
    from_zero = Matrix(("A",), ("B",), ((0.5,),), kind="percent")
    assert len(list(drawn_texts(draw(from_zero).body))) == 3
    scaled = replace(from_zero, smallest=0.35, largest=0.6)
    assert list(drawn_texts(draw(scaled).body))[-2:] == ["35.00", "60.00"]


def test_the_rest_of_combinations_is_told_once() -> None:
    figure = Intersections(("A", "B"), ((True, True), (True, False)), (3, 2), "t", most=1)
    assert not any("rarer" in part for part in draw(figure).body)
    for format in ("svg", "html"):
        page = render_blocks([figure], format)
        assert page.count("and 1 rarer combination with 2 items") == 1


def test_bars_are_as_long_as_their_shares() -> None:
    bars = Bars(("x", "y"), ("p", "q", "r"), ((1, 3, 0), (2, None, 2)), unit="errors")
    root = parsed(render_blocks([bars], "svg"))
    parts = [e for e in root.iter(f"{SVG}rect") if e.get("class") == "part"]
    widths = [float(e.get("width", 0)) for e in parts if e.get("height") == "34"]
    assert widths == [130, 390, 260, 260]
    assert {"25.0%", "75.0%", "50.0%", "4 errors"} <= set(texts(root))
    first, third = parts[0].get("fill"), parts[3].get("fill")
    assert parts[2].get("fill") == first != third, "a category has one colour in all bars"
    swatches = [e.get("fill") for e in parts if e.get("height") == "16"]
    assert swatches == list(colours.PARTS[:3])
    assert texts(root)[-3:] == ["p", "q", "r"]


def test_a_part_too_narrow_for_its_name_has_none() -> None:
    root = parsed(render_blocks([Bars(("x",), ("wide", "n"), ((99, 1),))], "svg"))
    assert "99.0%" in texts(root)
    assert "1.0%" not in texts(root)
    assert texts(root).count("n") == 1, "in the legend"


def test_shares_are_bars_side_by_side_on_one_scale() -> None:
    root = parsed(render_blocks([SHARES], "svg"))
    bars = [e for e in root.iter(f"{SVG}rect") if e.get("class") == "share"]
    sizes = [float(e.get("width", 0)) for e in bars if e.get("height") == "12"]
    assert sizes == [262.5, 349.99, 105, 420, 52.5], "the whole scale is 420 wide"
    dense = [e.get("fill-opacity") for e in bars]
    assert dense[:2] == ["1", "0.3"], "the legend"
    assert dense[2:] == ["1", "0.3", "1", "0.3", "1"]
    tops = [float(e.get("y", 0)) for e in bars[2:]]
    assert tops[1] - tops[0] == 13 < tops[2] - tops[1]
    found = texts(root)
    assert {"62.50", "100.00", "–", "0%", "100%", "and 1 more pair; three annotators"} <= set(found)
    assert "ADV-NOUN" not in found, "only three are shown"
    tips = [g[0].text for g in root.iter(f"{SVG}g") if g[0].tag == f"{SVG}title"]
    assert "ADP-PRT, of all hard cases: 62.50%" in tips
    assert "DET-PRON, hard cases of the pair: no case" in tips
    description = next(e.text or "" for e in root.iter(f"{SVG}desc"))
    assert "ADJ-NOUN: of all hard cases 25.00%, hard cases of the pair 100.00%;" in description


def test_many_series_are_told_apart_without_colour() -> None:
    drawn = "".join(draw(Shares(("a",), tuple("bcdef"), ((0.5,) * 5,))).body)
    legend = drawn.partition("<g>")[0].split('<rect class="ground"')[1:]
    assert [look.count("ink-line") for look in legend] == [0, 0, 1, 1, 1]
    assert [look.count('fill-opacity="0.3"') for look in legend] == [0, 1, 1, 1, 1]
    hatchings = [re.sub(r"\d+\.\d", "", path) for path in re.findall('ink-line" d="(.*?)"', drawn)]
    assert len({*hatchings}) >= 3


def test_figures_stand_one_above_the_other() -> None:
    root = parsed(render(fair_scores("a", "b"), "svg", **ALL))
    plates = [g for g in root if g.tag == f"{SVG}g"]
    tops = [float(re.findall(r"[\d.]+", g.get("transform", ""))[1]) for g in plates]
    assert len(plates) == 3
    assert all(a + 100 < b for a, b in pairwise(tops))
    alone = parsed(render(fair_scores(), "svg", error_types=True))
    assert [g for g in alone if g.tag == f"{SVG}g"].__len__() == 1


def test_where_there_is_nothing_to_draw_the_notes_say_why() -> None:
    found = texts(parsed(render(grouped_scores(), "svg", **ALL)))
    assert found[0] == "deps.uas: no labels were confused"


def test_a_picture_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no figure to draw") as caught:
        render(entity_scores(), "svg", labels=True)
    assert "confusion=True" in (caught.value.help or "")
    with pytest.raises(UsageError, match="no figure"):
        render_blocks([table_of([], []), Text("t", "title")], "svg")


def test_combinations_are_bars_over_dots() -> None:
    members = ((True, False, True), (False, False, False), (True, True, True))
    figure = Intersections(("A", "B", "C"), members, (10, 5, 20), axis="right", unit="words")
    root = parsed(render_blocks([figure], "svg"))
    bars = [e for e in root.iter(f"{SVG}rect") if e.get("class") == "bar"]
    heights = [float(e.get("height", 0)) for e in bars]
    assert heights == [130, 65, 32.5]
    assert len({float(e.get("y", 0)) + h for e, h in zip(bars, heights, strict=True)}) == 1
    columns = [g for g in root.iter(f"{SVG}g") if g.get("class") == "column"]
    dots = [[e.get("class") for e in g if e.tag == f"{SVG}path"] for g in columns]
    assert dots == [
        ["ink-line", "ink", "ink", "ink"], ["ink-line", "ink", "faint", "ink"], ["faint"] * 3,
    ]  # fmt: skip
    tips = [g[0].text for g in columns]
    assert tips == ["all right: 20 words", "only A, C right: 10 words", "none right: 5 words"]
    assert {"30 (85.7%)", "20 (57.1%)", "words right"} <= set(texts(root))


def test_parts_of_figures_lead_somewhere() -> None:
    matrix = Matrix(("A", "B"), ("A", "B"), ((None, 1), (2, None)))
    drawn = "".join(draw(matrix, ("", "#x=1&y=2", '#"', "")).body)
    assert re.findall('<a href="(.*?)"><g><title>(.*?)<', drawn) == [
        ("#x=1&amp;y=2", "A, B: 1"), ("#&quot;", "B, A: 2"),
    ]  # fmt: skip
    bars = draw(Bars(("x", "y"), ("p", "q"), ((1, 1), (0, 2))), ("#1", "#2", "#3", "#4")).body
    assert re.findall('<a href="(.*?)">', "".join(bars)) == ["#1", "#2", "#4"]
    shares = draw(Shares(("x", "y"), ("p", "q"), ((1, 0), (None, 1))), ("#1", "", "#3", "#4"))
    assert re.findall('<a href="(.*?)"><g><title>(.*?):', "".join(shares.body)) == [
        ("#1", "x, p"), ("#3", "y, p"), ("#4", "y, q"),
    ]  # fmt: skip
    sets = draw(Intersections(("A",), ((True,), (False,)), (1, 2)), ("#none", "#A")).body
    assert re.findall('<a href="(.*?)"><g class="column"><title>(.*?):', "".join(sets)) == [
        ("#none", "none right"), ("#A", "A right"),
    ]  # fmt: skip
    assert "<a" not in "".join(draw(matrix).body)


# colours


def luminance(colour: tuple[float, ...]) -> float:
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def rgb(text: str) -> tuple[float, ...]:
    digits = text.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


def themes() -> list[dict[str, str]]:
    """The colours of the page, by light and by dark."""
    css = (resources.files("tertium") / "report" / "assets" / "page.css").read_text("utf-8")
    light, dark = (dict(re.findall(r"--(\w+): (#\w+);", part)) for part in css.split("@media")[:2])
    return [light, dark]


def test_a_file_has_the_light_colours_of_the_page() -> None:
    light = themes()[0]
    assert light["hue"] == colours.HUE
    assert light["ink"] == colours.INK
    assert rgb(light["ground"]) == rgb(colours.GROUND)
    assert (light["faint"], light["line"]) == (colours.FAINT, colours.LINE)


@pytest.mark.parametrize("theme", [0, 1])
def test_letters_can_be_read_on_every_cell(theme: int) -> None:
    page = themes()[theme]
    hue, ground = rgb(page["hue"]), rgb(page["ground"])
    assert contrast(rgb(page["faint"]), ground) >= 4.5
    for dense in colours.DENSITIES:
        cell = tuple(dense * h + (1 - dense) * g for h, g in zip(hue, ground, strict=True))
        assert contrast(cell, rgb(page[colours.letters_on(dense)])) >= 4.5


@pytest.mark.parametrize("theme", [0, 1])
def test_curves_can_be_seen(theme: int) -> None:
    page = themes()[theme]
    drawn = [page[f"curve{n}"] for n in range(len(colours.CURVES))]
    assert theme or drawn == list(colours.CURVES)
    # What WCAG 2.1 asks of lines in a picture (1.4.11).
    assert all(contrast(rgb(colour), rgb(page["ground"])) >= 3 for colour in drawn)
    assert len({colours.pen_of(n) for n in range(24)}) == 24


# How colours look to those who lack a sort of cones (Machado et al. 2009, severity 1.0).
VISIONS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip
TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))


def lab(colour: str, vision: str) -> tuple[float, ...]:
    """The colour in CIELAB, where distances are about as large as they look."""
    parts = [c / 255 for c in rgb(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [sum(w * c for w, c in zip(row, linear, strict=True)) for row in VISIONS[vision]]
    seen = [min(max(c, 0), 1) for c in seen]
    xyz = [sum(w * c for w, c in zip(row, seen, strict=True)) for row in TO_XYZ]
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [0, 1])
def test_curves_are_told_apart(theme: int, vision: str) -> None:
    page = themes()[theme]
    seen = [lab(page[f"curve{n}"], vision) for n in range(len(colours.CURVES))]
    assert min(math.dist(a, b) for a, b in combinations(seen, 2)) > 25


def test_letters_can_be_read_on_every_part_of_a_bar() -> None:
    assert all(contrast(rgb(part), rgb(colours.INK)) >= 4.5 for part in colours.PARTS)


def test_colour_and_hatching_tell_dozens_of_categories_apart() -> None:
    assert len({colours.part(place) for place in range(60)}) == 60
    neighbours = [(colours.part(i)[1], colours.part(i + 1)[1]) for i in range(60)]
    assert all(a != b for a, b in neighbours), "without colour, too"


@pytest.mark.parametrize("kind", colours.HATCHES[1:])
@pytest.mark.parametrize("size", [(3.0, 34.0), (200.0, 34.0), (16.0, 16.0)])
def test_a_hatching_stays_inside(kind: str, size: tuple[float, float]) -> None:
    path = colours.hatching(kind, 10, 20, *size)
    points = re.findall(r"[ML](\S+?) ([\d.]+)", path)
    assert points or size[0] < 4
    for x, y in points:
        assert 10 <= float(x) <= 10 + size[0]
        assert 20 <= float(y) <= 20 + size[1]
    assert colours.hatching("", 0, 0, *size) == ""


# sizes


def test_what_is_cut_keeps_both_ends_and_the_whole_as_a_tooltip() -> None:
    short = shortened(LONG, 150)
    assert text_width(short) <= 150
    assert short[:3] + short[-3:] == "CasArt"
    root = parsed(render_blocks([Matrix((LONG,), ("A",), ((1,),))], "svg"))
    (row,) = [e for e in root.iter(f"{SVG}text") if "…" in (e.text or "")]
    assert [e.text for e in row] == [LONG]


def test_lines_fit_and_lose_nothing() -> None:
    lines = wrapped(f"a few words and {LONG}", 120)
    assert "".join(lines).replace(" ", "") == f"afewwordsand{LONG}"
    assert all(text_width(line) <= 120 for line in lines)
    assert wrapped("", 100) == []
