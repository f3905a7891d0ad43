"""Lists of errors as they look: marks under the words, tables, and what stands below."""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import tertium
from tertium.comparison.errors.blocks import example_blocks
from tertium.comparison.errors.instances import COLUMNS, Context, Head, Instance, Item
from tertium.comparison.errors.result import Errors
from tertium.report.render import render
from tertium.report.render.excerpts import strip_of
from tertium.report.render.signs import TextLook
from tertium.report.render.text import draw
from tertium.results.blocks import Text
from tertium.results.output import Look
from tertium.results.texts import visible
from tertium.signature import Signature


def item(label: str, **known: Any) -> Item:
    given: dict[str, Any] = {"file": "gold.bio", "sentence": "w12", "line": 57}
    return Item(label, **{**given, "first": 3, "last": 5, **known})


BOUNDARY = Instance(
    system="a.bio",
    metric="spans.f1",
    type="BEs",
    outcome="wrong",
    gold_label="ORG",
    system_label="ORG",
    unit=11,
    sentence="w12",
    file="gold.bio",
    document=None,
    gold_item=item("ORG"),
    system_item=item("ORG", last=4),
    context=Context("The new Acme Labs Oslo office opened", ((8, 22),), ((8, 17),)),
)


def drawn(error: Instance, *, several: bool = False, **look: Any) -> list[str]:
    (block,) = example_blocks([error], several=several)
    return draw(block, TextLook(**look)).rstrip("\n").split("\n")


def with_context(error: Instance, *context: Any, **more: Any) -> Instance:
    return replace(error, context=Context(*context, **more))


def test_both_spans_are_marked_under_the_words() -> None:
    assert drawn(BOUNDARY) == [
        "BEs  gold ORG 3-5  system ORG 3-4  gold.bio:57, sentence 'w12'",
        "        The new Acme Labs Oslo office opened",
        "gold            └────────────┘ ORG",
        "system          └───────┘ ORG",
    ]


def test_one_line_where_only_the_label_differs() -> None:
    error = replace(
        with_context(BOUNDARY, BOUNDARY.context.text, ((8, 17),), ((8, 17),)),
        system_item=item("LOC"),
    )
    assert drawn(error)[1:] == [
        "        The new Acme Labs Oslo office opened",
        "                └───────┘ gold ORG, system LOC",
    ]


def test_only_the_side_that_has_something() -> None:
    error = replace(with_context(BOUNDARY, "a b c", (), ((2, 3),)), type="FP", gold_item=None)
    assert drawn(error) == [
        "FP  system ORG 3-4  gold.bio:57, sentence 'w12'",
        "        a b c",
        "system    ▲ ORG",
    ]


def test_gaps_are_joined() -> None:
    gold = item("A", first=1, last=5, tokens=(1, 2, 5))
    error = replace(
        with_context(BOUNDARY, "ab cd ef gh ij", ((0, 5), (12, 14)), ((0, 2),)), gold_item=gold
    )
    assert drawn(error)[0].startswith("BEs  gold A 1-2,5  system")
    assert drawn(error)[2:] == ["gold    └───┘┄┄┄┄┄┄┄└┘ A", "system  └┘ ORG"]


@pytest.mark.parametrize(
    ("heads", "gold", "system"),
    [
        (((0, 3), (14, 19)), "gold     └───────▲ obl", "system           ▲──────┘ nmod"),
        (((0, 3), None), "gold     └───────▲ obl", "system           ▲ nmod"),
    ],
)
def test_arcs_lead_from_the_head_to_the_word(heads: Any, gold: str, system: str) -> None:
    ours = item("obl", first=3, last=3, text="home", head=Head(1, "She"))
    theirs = item("nmod", first=3, last=3, text="home", head=Head(4, "again"))
    if heads[1] is None:
        theirs = replace(theirs, head=Head(0))
    error = replace(
        with_context(
            BOUNDARY,
            "She at  home  again",
            ((8, 12),),
            ((8, 12),),
            gold_head=heads[0],
            system_head=heads[1],
        ),
        type="both",
        gold_item=ours,
        system_item=theirs,
    )
    lines = drawn(error, width=100)
    there = "nmod(again-4, home-3)" if heads[1] else "nmod(ROOT-0, home-3)"
    assert lines[0] == f"both  gold obl(She-1, home-3)  system {there}  gold.bio:57, sentence 'w12'"
    assert lines[2:] == [gold, system]


def test_numbers_stand_for_words() -> None:
    error = with_context(BOUNDARY, "1 2 3 4 5", ((4, 9),), ((4, 7),), numbers=True)
    error = replace(error, gold_item=item("ORG", line=None))
    assert drawn(error) == [
        "BEs  gold ORG 3-5  system ORG 3-4  gold.bio, sentence 'w12'",
        "tokens  1 2 3 4 5",
        "gold        └───┘ ORG",
        "system      └─┘ ORG",
    ]


def test_wide_characters_take_two_columns() -> None:
    error = with_context(BOUNDARY, "東京 都 知事 が", ((0, 4),), ((5, 7),))
    assert drawn(error)[1:] == [
        "        東京 都 知事 が",
        "gold    └─────┘ ORG",
        "system          └──┘ ORG",
    ]


def test_right_to_left_words_have_brackets_among_them() -> None:
    error = with_context(BOUNDARY, "قال محمد علي اليوم", ((4, 12),), ((4, 8),))
    assert drawn(error)[1:] == [
        "gold    قال [محمد علي] اليوم",
        "system  قال [محمد] علي اليوم",
    ]


def test_control_characters_are_written_out() -> None:
    text = "a \x1b[31mred\u202e b\nc"
    label = "X\x1b[0m"
    error = replace(
        with_context(BOUNDARY, text, ((2, 11),), ()),
        gold_item=item(label, file="g\n.bio", sentence="\x07"),
        system_item=None,
        type="\x1b[1m",
    )
    lines = drawn(error)
    assert lines == [
        r"\x1b[1m  gold X\x1b[0m 3-5  g\n.bio:57, sentence '\x07'",
        r"        a \x1b[31mred\u202e b\nc",
        r"gold      └───────────────┘ X\x1b[0m",
    ]


def test_ascii_keeps_columns_true() -> None:
    error = with_context(BOUNDARY, "in Zürich now", ((3, 9),), ((3, 13),), left_out=(4, 4))
    assert drawn(error, ascii=True)[1:] == [
        r"        ... in Z\xfcrich now ...",
        "gold           +-------+ ORG",
        "system         +-----------+ ORG",
    ]


def test_bold_is_the_only_style() -> None:
    (heading, *rest) = drawn(BOUNDARY, color=True)
    assert heading == "\x1b[1mBEs\x1b[0m  gold ORG 3-5  system ORG 3-4  gold.bio:57, sentence 'w12'"
    assert rest == drawn(BOUNDARY)[1:]


def test_several_systems_are_named() -> None:
    assert drawn(BOUNDARY, several=True)[0].startswith("BEs  a.bio  gold ORG 3-5")


def test_a_long_sentence_is_cut_around_the_marks() -> None:
    words = [f"w{n}" for n in range(100)]
    text = " ".join(words)
    start = text.index("w50")
    error = with_context(BOUNDARY, text, ((start, start + 7),), ((start, start + 3),))
    lines = drawn(error, width=60)
    assert lines[0] == "BEs  gold ORG 3-5  system ORG 3-4"
    assert lines[1] == "        gold.bio:57, sentence 'w12'"
    assert lines[2] == "        … w45 w46 w47 w48 w49 w50 w51 w52 w53 w54 w55 w56 …"
    assert lines[3] == "gold                          └─────┘ ORG"
    far = with_context(BOUNDARY, text, ((0, 2),), ((len(text) - 3, len(text)),))
    lines = drawn(far, width=60)
    assert lines[2].startswith("        w0 w1 ")
    assert lines[2].endswith(" w98 w99")
    assert lines[2].count("…") == 1
    assert lines[4].endswith("ORG └─┘")  # no room behind it


def test_a_long_span_loses_its_middle() -> None:
    text = " ".join(f"w{n}" for n in range(100))
    error = with_context(BOUNDARY, text, ((0, len(text)),), ((3, len(text)),))
    lines = drawn(error)
    assert len(lines) == 4
    assert all(len(line) <= 80 for line in lines)
    assert re.fullmatch(r" {8}w0 w1 .* … .*w98 w99", lines[1])
    assert re.fullmatch(r"gold    └─+┘ ORG", lines[2])
    assert re.fullmatch(r"system     └─+┘ ORG", lines[3])


def test_an_item_of_another_sentence_has_only_its_label() -> None:
    error = with_context(BOUNDARY, "a b", (), ((0, 1),))
    assert drawn(error)[1:] == ["        a b", "gold    ORG", "system  ▲ ORG"]


def test_a_word_longer_than_the_line_is_folded() -> None:
    word = "x" * 15 + " " + "y" * 300
    error = replace(with_context(BOUNDARY, word, ((16, 316),), ()), system_item=None)
    lines = drawn(error, width=40)
    assert all(len(line) <= 40 for line in lines)
    assert sum("y" in line for line in lines) >= 1


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (14, "aaaa … eeee …"),
        (22, "aaaa … y z eeee ff …"),  # no islands such as "aaaa … c … z eeee ff …"
        (36, "aaaa bbbbbbbbbbbb c x y z eeee ff …"),
    ],
)
def test_words_are_added_around_the_marks(width: int, line: str) -> None:
    text = "aaaa bbbbbbbbbbbb c x y z eeee ff gggggggggggg"
    at = text.index("eeee")
    shown = strip_of(text, [(0, 4), (at, at + 4)], width, cut=(False, False), sign="…", show=str)
    assert shown.line == line


def test_no_word_is_left_out_for_a_sign_as_wide() -> None:
    text = "aaaa b cccc dddddddd"
    shown = strip_of(text, [(0, 4), (7, 11)], 14, cut=(False, False), sign="…", show=str)
    assert shown.line == "aaaa b cccc …"


@given(
    st.lists(st.text("abcé東 京x", min_size=1, max_size=7), min_size=1, max_size=40),
    st.data(),
)
def test_marks_cover_the_cells_of_their_words(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    width = data.draw(st.integers(30, 90))
    shown = strip_of(text, [(start, end)], width, cut=(False, False), sign="…", show=visible)
    first, last = shown.columns((start, end))
    assert 0 <= first < last <= shown.width
    assert cell_len(shown.line) == shown.width
    cells = "".join(c * cell_len(c) for c in shown.line)
    between = cells[first:last]
    assert between.startswith(text[start])
    assert between.endswith(text[end - 1])
    if "…" not in shown.line:
        assert between == "".join(c * cell_len(c) for c in text[start:end])
    if width >= 70:  # two words of 16 wide characters and three signs
        assert shown.width <= width


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (((8, 22),), ((8, 17),), "The new [<Acme Labs> Oslo] office opened"),
        (((8, 17),), ((13, 22),), "The new [Acme <Labs] Oslo> office opened"),
        (((8, 12),), ((8, 12),), "The new [<Acme>] Labs Oslo office opened"),
        (((0, 3), (8, 12)), (), "[The] new [Acme] Labs Oslo office opened"),
        ((), (), ""),
    ],
)
def test_both_sides_in_one_text(gold: Any, system: Any, expected: str) -> None:
    assert Context(BOUNDARY.context.text, gold, system).marked() == expected


def test_tables_show_the_words_near_by() -> None:
    text = " ".join(f"w{n}" for n in range(100))
    start = text.index("w50")
    found = Context(text, ((start, start + 3),), ()).marked()
    assert found == "… w43 w44 w45 w46 w47 w48 w49 [w50] w51 w52 w53 w54 w55 w56 w57 …"


def errors(*instances: Instance, **known: Any) -> Errors:
    given: dict[str, Any] = {
        "gold": "gold.bio",
        "metric": "spans.f1",
        "signatures": {
            name: Signature.make("spans.f1", {"version": 1}) for name in ("a.bio", "b.bio")
        },
        "counts": {"a.bio": {"BEs": 3, "FN": 1200}},
        "unfiltered": {"a.bio": {"BEs": 3, "FN": 1200}},
        "coverage": {"a.bio": {"scored": 9}},
        "shown": {"a.bio": len(instances)},
    }
    return Errors(instances=instances, **{**given, **known})


def test_the_summary_counts_types_and_what_is_shown() -> None:
    page = render(errors(BOUNDARY), "text")
    assert page.startswith("a: 1,203 errors by F1, most often FN (1,200).\n")
    assert page.split("\n")[7:] == [
        "Errors by type",
        "system  BEs     FN  errors  shown",
        "─────────────────────────────────",
        "a         3  1,200   1,203      1",
        "",
        "gold       gold.bio",
        "coverage   scored 9",
        "note       1,202 more errors; all=True shows all",
        "signature  spans.f1|version:1",
        "",
    ]


def lines_of(found: Errors) -> Sequence[str]:
    return [block.text for block in found.blocks(Look()) if isinstance(block, Text)]


def test_the_summary_says_when_there_is_nothing() -> None:
    none = errors(counts={"a.bio": {}}, unfiltered={"a.bio": {}})
    assert lines_of(none)[0] == "no errors"
    other = errors(counts={"a.bio": {}})
    told = "no errors match the filters; there are 1,203 errors: BEs 3, FN 1,200"
    assert lines_of(other)[0] == told


def test_the_summary_names_systems_whose_coverage_differs() -> None:
    two = {"a.bio": {"BEs": 1}, "b.bio": {"LE": 2}}
    found = errors(
        counts=two,
        unfiltered=two,
        shown={"a.bio": 0, "b.bio": 0},
        coverage={"a.bio": {"scored": 9}, "b.bio": {"scored": 8}},
        seed=7,
        notes=("odd",),
    )
    assert lines_of(found) == [
        "gold.bio",
        "a.bio: scored 9",
        "b.bio: scored 8",
        "3 more errors; '--all' shows all",
        "drawn at random with seed 7",
        "odd",
        "spans.f1|version:1",
    ]
    page = render(found, "text")
    assert "a         1   0       1      0" in page
    assert "b         0   2       2      0" in page


def test_json_is_one_object_a_line() -> None:
    page = render(errors(BOUNDARY, BOUNDARY), "json")
    lines = page.splitlines()
    assert [json.loads(line) for line in lines] == [BOUNDARY.to_dict()] * 2
    assert render(errors(), "json") == ""


def test_csv_has_a_row_for_each() -> None:
    head, row = csv.reader(io.StringIO(render(errors(BOUNDARY), "csv")))
    assert tuple(head) == COLUMNS
    found = dict(zip(head, row, strict=True))
    assert (found["type"], found["gold_first"], found["gold_tokens"]) == ("BEs", "3", "")
    assert found["context"] == BOUNDARY.context.text


def test_markdown_latex_and_html_are_tables() -> None:
    hostile = replace(BOUNDARY, type="<b>|$", sentence="&_%")
    found = errors(hostile)
    page = render(found, "markdown")
    assert r"| \<b>\|$ | &\_% | ORG | 3-5 | ORG | 3-4 | The new [\<Acme Labs> Oslo]" in page
    assert "1,202 more are not shown" in page
    assert r"\textless{}b\textgreater{}\textbar{}\$ & \&\_\% & ORG" in render(found, "latex")
    html = render(found, "html")
    assert "<b>" not in html
    assert "&lt;b&gt;|$" in html
    assert "[&lt;Acme Labs&gt; Oslo]" in html


def test_tables_have_heads_and_systems_where_there_are_any() -> None:
    trees = replace(BOUNDARY, gold_item=item("obl", head=Head(2, "saw")), system_item=None)
    two = {"a.bio": {"BEs": 1}, "b.bio": {}}
    found = errors(
        trees,
        counts=two,
        unfiltered=two,
        coverage={n: {} for n in two},
        shown=dict.fromkeys(two, 0),
    )
    page = render(found, "markdown")
    assert "| system | type | sentence | gold label | gold tokens | gold head |" in page
    assert "| a | BEs | w12 | obl | 3-5 | 2 saw |  |  |  |" in page


def test_render_takes_what_errors_gives(samples: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(samples)
    found = tertium.errors("gold.conllu", "arbor.conllu", limit=3)
    groups = tertium.render(found).split("\n\n")
    assert groups.pop(0).startswith("arbor: 112 errors by LAS, most often ")
    assert groups[0].startswith("gold.conllu:5, sentence 'news-1-s1'\ngold  ")
    assert groups[0].split("\n")[-4:] == [
        "both:sibling  gold obl(reopen-4, Monday-9)  system nmod(line-7, Monday-9)",
        "        line 13",
        "both:sibling  gold obl(reopen-4, closure-15)  system nmod(Monday-9, closure-15)",
        "        line 19",
    ]
    assert groups[1].startswith("gold.conllu:25, sentence 'news-1-s2'")
    assert groups[2].startswith("Errors by type")


def test_trees_are_drawn_once_for_each_sentence_and_system(samples: Any) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    found = tertium.errors(*files, metric="deps.las", sentences="news-1-s2")
    assert len(found) == 3
    page = render(found, "text")
    headers = [line for line in page.split("\n") if line.startswith("gold  ")][:2]
    assert [line.split()[1] for line in headers] == ["arbor", "cedar"]
    assert page.count("sentence 'news-1-s2'") == 2
    lines = page.split("\n")
    first = lines.index(headers[1])
    last = lines.index("Errors by type")
    assert sum(line.startswith("both:") for line in lines[:first]) == 2
    assert sum(line.startswith("both:") for line in lines[first:last]) == 1


def test_words_with_an_error_are_drawn_though_the_trees_agree(samples: Any) -> None:
    found = tertium.errors(samples / "gold.conllu", samples / "arbor.conllu", limit=1)
    (error,) = found
    other = replace(error, gold_item=replace(error.gold_item, first=12, last=12, text="two"))
    assert " two " not in render(found, "text")
    assert " two " in render(replace(found, instances=(other,)), "text")


def test_html_has_pictures_of_trees(samples: Any) -> None:
    found = tertium.errors(samples / "gold.conllu", samples / "arbor.conllu", limit=3)
    page = render(found, "html")
    assert page.count("<svg ") == 2
    assert "<summary>2 errors</summary>" in page
    assert "<bdi>obl(reopen-4, Monday-9)</bdi>" in page
    assert "<svg" not in render(errors(BOUNDARY), "html")
    assert "[&lt;" not in page
    assert "| both:sibling | news-1-s1 | obl | 9 | 4 reopen |" in render(found, "markdown")
