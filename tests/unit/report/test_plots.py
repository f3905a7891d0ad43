"""Curves and ranks: their numbers, their drawings, what they refuse."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from block_samples import BANDS, CURVES, LOGARITHMIC, ODD_PLOTS, RANKS
from tertium.report.render import render_blocks, text
from tertium.report.render.svg import draw
from tertium.report.svg.elements import text_width
from tertium.results.blocks import (
    Bars,
    Column,
    Lines,
    Missing,
    Range,
    Ranks,
    Series,
    Table,
    as_table,
)
from tertium.results.texts import p_value, shown

SVG = "{http://www.w3.org/2000/svg}"


def parsed(figure: Any) -> ElementTree.Element:
    return ElementTree.fromstring(render_blocks([figure], "svg").encode("utf-8"))


def tips(figure: Any, name: str) -> list[str]:
    """The tooltips of all elements of a name."""
    found = [child for e in parsed(figure).iter(f"{SVG}{name}") for child in e]
    return [child.text or "" for child in found if child.tag == f"{SVG}title"]


def drawn(figure: Any, **options: Any) -> list[str]:
    """The lines of text below the numbers."""
    return text.render([figure], **options).split("\n")


# cells


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (0, "<.001"), (0.0004999, "<.001"), (0.0005, ".001"), (0.001, ".001"), (0.05, ".050"),
        (0.3, ".300"), (0.9994, ".999"), (0.9996, ">.999"), (1, "1.00"), (1.0, "1.00"),
        (1 + 1e-15, "1.00"), (-1e-15, "<.001"),
    ],
)  # fmt: skip
def test_p_values(value: float, found: str) -> None:
    assert p_value(value) == shown(value, "p") == found


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        p_value(value)


def test_intervals_have_the_digits_of_their_values() -> None:
    assert shown(Range(0.941, 0.952), "interval") == "[94.10, 95.20]"
    assert shown(Range(-0.003, 0.012), "interval_delta") == "[-0.30, +1.20]"
    assert shown(Range(-0.00001, 0.0), "interval_delta") == "[0.00, 0.00]"
    assert shown(Range(0.123456, 7), "interval_number") == "[0.1235, 7]"


def test_an_interval_has_two_ends_in_order() -> None:
    assert Range(1, 1)
    for low, high in ((2, 1), (float("nan"), 1), (0, float("inf"))):
        with pytest.raises(ValueError, match="interval"):
            Range(low, high)


def test_intervals_stand_in_their_columns_alone() -> None:
    with pytest.raises(ValueError, match="of kind percent"):
        Table((Column("x", "", "percent"),), ((Range(0, 1),),))
    with pytest.raises(ValueError, match="of kind interval"):
        Table((Column("x", "", "interval"),), ((0.5,),))
    assert Table((Column("x", "", "interval"),), ((None,), (Missing("why"),)))


def test_letters_are_not_torn_from_their_value() -> None:
    names = [f"system number {n}" for n in range(3)]
    columns = [Column("label"), *(c for n in names for c in (Column(n, "", "percent"), LETTERS))]
    table = Table(tuple(columns), (("NOUN", 0.9, "a", 0.8, "b", 0.7, "abc"),))
    for width in range(24, 60):
        rows = [line for line in drawn(table, width=width) if line.startswith("NOUN")]
        assert all(re.fullmatch(r"NOUN( +\d\d\.00 +[abc]+)+", row) for row in rows)


LETTERS = Column("", "", "letters")


# curves


def test_the_numbers_of_curves() -> None:
    table = as_table(CURVES)
    assert [(c.group, c.header, c.kind) for c in table.columns] == [
        ("", "sentences", "count"), ("p", "accuracy", "p"), ("p", "F1, bootstrap", "p"),
        ("p", "complete", "p"),
    ]  # fmt: skip
    assert table.rows[1] == (250, 0.31, 0.29, Missing("one unit only"))
    assert table.note == "10,000 trials"


def test_places_of_other_curves_are_empty() -> None:
    figure = Lines((Series("a", (1, 3), (5, 6)), Series("b", (2, 3), (7, None))))
    assert as_table(figure).rows == ((1, 5, None), (2, None, 7), (3, 6, Missing("undefined")))


def test_bands_are_intervals() -> None:
    table = as_table(BANDS)
    assert [(c.group, c.header, c.kind) for c in table.columns[1:3]] == [
        ("arbor", "accuracy", "percent"), ("arbor", "interval", "interval"),
    ]  # fmt: skip
    assert table.rows[0][2] == Range(0.87, 0.95)
    assert table.rows[1][4] == Missing("undefined")
    kinds = {"delta": "interval_delta", "p": "interval_number", "count": "interval_number"}
    for kind, found in kinds.items():
        assert replace(BANDS, y_kind=kind).band_kind == found  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Series("a", (1, 2), (1,)), "not as many values"),
        (lambda: Series("a", (1,), (1,), (1, 2), (1, 2)), "not as many values"),
        (lambda: Series("a", (1,), (1,), (1,)), "one end"),
        (lambda: Series("a", (2, 2), (1, 1)), "increase"),
        (lambda: Series("a", (1,), (float("nan"),)), "use None for a missing"),
        (lambda: Lines((Series("a", (0,), (1,)),), log_x=True), "no place at or below 0"),
        (lambda: Lines((), log_y=True, y_range=(0, 1)), "cannot end"),
        (lambda: Ranks(("a",), ()), "one rank"),
        (lambda: Ranks(("a", "a"), (1, 2)), "one rank"),
        (lambda: Ranks(("a", "b"), (1, 2.5)), "between 1 and 2"),
        (lambda: Ranks(("a", "b"), (0.5, 2)), "between 1 and 2"),
        (lambda: Ranks(("a",), (1,), groups=(("b",),)), "without a rank"),
        (lambda: Ranks(("a",), (1,), 0), "critical"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()


def test_curves_in_text() -> None:
    figure = Lines(
        (Series("a", (0, 5, 10), (0, 30, 100)), Series("b", (0, 5), (100, 100))),
        x_axis="n",
        y_axis="score",
        title="t",
        numbers=False,
    )
    assert drawn(figure, width=60) == [
        "t",
        "              score",
        "   ────────────────────────────",
        "   first  last  lowest  highest  n 0 to 10",
        "──────────────────────────────────────────",
        "a      0   100       0      100  ▁▃█",
        "b    100   100     100      100  ██",
        "",
    ]
    assert drawn(figure, width=60, ascii=True)[5].endswith("100  _-#")
    assert drawn(replace(figure, numbers=True), width=60)[3:7] == [
        " n    a    b", "────────────", " 0    0  100", " 5   30  100",
    ]  # fmt: skip


def test_a_line_of_blocks_is_never_wider_than_a_third() -> None:
    figure = Lines((Series("a", tuple(range(500)), tuple(range(500))),), numbers=False)
    for width, size in ((30, 10), (80, 26), (200, 40)):
        blocks = "".join(re.findall("[▁-█]+", "".join(drawn(figure, width=width))))
        assert len(blocks) == size
        assert [*blocks] == sorted(blocks)


def test_values_beyond_the_axis_are_arrows() -> None:
    assert any(line.endswith("▁▁▇") for line in drawn(ODD_PLOTS["p of 0"])), "at the edge"
    assert ">below .0001<" in render_blocks([ODD_PLOTS["p of 0"]], "svg")
    page = render_blocks([ODD_PLOTS["a range that leaves values out"]], "svg")
    assert ">above 1<" in page
    assert ">below 0<" in page
    assert ">inside<" in page
    assert "beyond" not in page


def test_a_curve_is_not_drawn_through_a_gap() -> None:
    figure = Lines((Series("a", (0, 1, 2), (1, None, 1), reason="why"),), numbers=False)
    (row,) = [line for line in drawn(figure) if line.startswith("a (gaps: why)")]
    assert re.search("([▁-█]) \\1$", row)
    assert not [e for e in parsed(figure).iter(f"{SVG}path") if e.get("stroke-width") == "1.8"][1:]


def test_shade_is_where_it_belongs() -> None:
    frame = [e for e in parsed(LOGARITHMIC).iter(f"{SVG}rect") if e.get("class") == "shade"]
    heights = [round(float(e.get("height", 0))) for e in frame]
    assert heights == [175, 10], "2.7 of 4 powers of ten, and in the legend"
    assert "p &lt; .05" in render_blocks([LOGARITHMIC], "svg")


def test_points_of_a_drawing_are_at_their_values() -> None:
    figure = Lines((Series("a", (0, 5, 10), (0, 50, 100)),), x_axis="n", y_axis="%", x_kind="count")
    body = "".join(draw(figure).body)
    (curve,) = re.findall('d="M([^"]*)" stroke="[^"]*" fill="none" stroke-width="1.8"/>', body)[:1]
    points = [tuple(map(float, point.split())) for point in curve.split("L")]
    (x1, y1), (x2, y2), (x3, y3) = points
    assert x2 - x1 == pytest.approx(x3 - x2)
    assert (x3 - x1, y1 - y3) == (pytest.approx(544), pytest.approx(260))
    assert y1 - y2 == pytest.approx(130)
    assert tips(figure, "path") == ["a, n 0: % 0", "a, n 5: % 50", "a, n 10: % 100"]


def test_numbers_along_an_axis_do_not_touch() -> None:
    for most in (10, 10**4, 10**8, 10**12):
        figure = Lines((Series("a", (1, most), (1, 2)),), x_kind="count")
        numbers = [e for e in parsed(figure).iter(f"{SVG}text") if e.get("text-anchor") == "middle"]
        places = [(float(e.get("x", 0)), text_width(e.text or "", 11) / 2) for e in numbers]
        assert len(places) > 1
        assert all(a + half < b - other for (a, half), (b, other) in pairwise(places))


def test_steps_hold_a_value_until_the_next_place() -> None:
    body = "".join(draw(BANDS).body)
    (path,) = re.findall('class="curve0" d="M([^"]*)" [^>]*stroke-width="1.8"/>', body)[:1]
    points = [tuple(map(float, point.split())) for point in path.split("L")]
    assert len(points) == 5
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))
    assert points[0][1] == points[1][1]
    assert "arbor, 1: accuracy 91.00% [87.00, 95.00]" in tips(BANDS, "path")


def test_points_lead_somewhere() -> None:
    links = [f"#{n}" for n in range(6)]
    for figure, count in ((BANDS, 5), (RANKS, 4)):
        found = re.findall('<a href="(.*?)">', "".join(draw(figure, links).body))
        assert len(found) == count
    by_point = re.findall(
        '<a href="#(.)"><path[^>]*><title>(.*?):', "".join(draw(BANDS, links).body)
    )
    assert by_point == [
        ("0", "arbor, 1"), ("1", "arbor, 2"), ("2", "arbor, 4"), ("3", "breeze, 1"),
        ("5", "breeze, 4"),
    ], "the value in between does not exist"  # fmt: skip
    by_name = "".join(draw(RANKS, links).body)
    assert re.findall('<a href="(.*?)"><g><title>(\\w+)', by_name) == [
        ("#1", "arbor"), ("#3", "breeze"), ("#2", "dogwood"), ("#0", "cedar"),
    ]  # fmt: skip


def test_a_drawing_is_described() -> None:
    assert draw(CURVES).description.startswith(
        "Curves of p by sentences. accuracy: from .620 to <.001, between <.001 and .620; "
    )
    assert draw(RANKS).description == (
        "Mean ranks, the best first: arbor 1.3, breeze 2.4, cedar 2.6, dogwood 3.7. CD = 1.48. "
        "Not significantly different: arbor and breeze and cedar; cedar and dogwood and breeze."
    )


# ranks


def test_ranks_are_sorted_and_have_letters() -> None:
    table = as_table(RANKS)
    assert table.rows == (
        ("arbor", 1.3, "a"), ("breeze", 2.4, "ab"), ("cedar", 2.6, "ab"), ("dogwood", 3.7, "b"),
    )  # fmt: skip
    assert table.note.startswith("critical difference 1.48; systems that share a bar or a letter")
    alone = Ranks(("a", "b", "c"), (1, 2.4, 2.6), 1.0, (("b", "c"),))
    assert alone.letters() == {"a": "a", "b": "b", "c": "b"}
    assert len(as_table(Ranks(("a",), (1,))).columns) == 2, "no groups, no letters"
    assert len(set(ODD_PLOTS["many ranks"].letters().values())) == 60  # type: ignore[union-attr]


def test_the_best_rank_is_at_the_right() -> None:
    x = [
        float(x) for x in re.findall(r'class="faint-line" d="M([\d.]+) ', "".join(draw(RANKS).body))
    ]
    assert x[0] > x[1] > x[3] > x[2], "arbor, breeze; then from the left dogwood, cedar"
    assert [line.split()[0] for line in drawn(RANKS)[3:7]] == [
        "arbor",
        "breeze",
        "cedar",
        "dogwood",
    ]


def test_bars_join_groups_without_touching_each_other() -> None:
    bars = re.findall(
        r'd="M([\d.]+) ([\d.]+)H([\d.]+)"[^>]*stroke-width="4"', "".join(draw(RANKS).body)
    )
    assert len(bars) == 2
    assert bars[0][1] != bars[1][1], "they overlap, so they are on two levels"
    apart = Ranks(tuple("abcd"), (1, 1.5, 3, 3.5), 1.0, (("a", "b"), ("c", "d")))
    bars = re.findall(r'd="M[\d.]+ ([\d.]+)H[^>]*stroke-width="4"', "".join(draw(apart).body))
    assert len(set(bars)) == 1
    assert Ranks(("a", "b"), (1, 2), groups=(("a",), ("a", "a"))).bars == []


def test_a_critical_difference_longer_than_the_axis_is_told() -> None:
    figure = ODD_PLOTS["a critical difference beyond the axis"]
    assert "CD = 4 (exceeds the axis)" in render_blocks([figure], "svg")


def test_a_figure_without_numbers_keeps_its_note() -> None:
    bars = Bars(("x",), ("p",), ((1,),), note="10,000 trials", numbers=False)
    for figure in (replace(CURVES, numbers=False), bars):
        assert drawn(figure)[-2] == "10,000 trials"
    assert not any("──" in line for line in drawn(bars)), "no table"
