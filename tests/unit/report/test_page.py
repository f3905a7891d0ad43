"""The interactive page: what is embedded, what is sampled, what leads where."""

import json
import re
from base64 import b64decode
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from report_samples import large_view, plain_sentences, report_of
from result_samples import HOSTILE
from tertium.comparison.compare.page import (
    combination_links,
    difference_link,
    matrix_links,
    transition_link,
)
from tertium.comparison.compare.verb import compare
from tertium.comparison.compare.views import View as Compared
from tertium.comparison.pairs import CLASSES
from tertium.report.page import (
    columns_of,
    fragment,
    packed,
    page_of,
    render_page,
    view_data,
)
from tertium.report.sentences import embedded, sampled, texts_of
from tertium.results.blocks import (
    Column,
    Intersections,
    Matrix,
    Missing,
    Table,
    Text,
    table_of,
)
from tertium.results.blocks.pages import Page, PagePart, PageView
from tertium.results.scenes import Scene
from tree_samples import CROSSED

GOLD = [["N", "V", "N"], ["V", "X"]]
SYSTEMS = [["N", "N", "N"], ["V", "V"]], [["V", "V", "N"], ["X", "X"]]


def unpacked(column: dict[str, str]) -> list[int]:
    return np.frombuffer(b64decode(column["data"]), f"<{column['type']}").tolist()


def scripts(page: str) -> dict[str, Any]:
    """The data of a page by id."""
    found = re.findall('<script type="application/json" id="(.*?)">(.*?)</script>', page, re.DOTALL)
    return {name: json.loads(text) for name, text in found}


def small_report(**options: Any) -> str:
    found = compare(GOLD, *SYSTEMS, metric="tags.accuracy", examples=True, names=["A", "B"])
    return report_of(found, **options)


# data


def test_no_markup_is_left_in_data() -> None:
    texts = [*HOSTILE, "</script>", "<!--", "]]>", "\u2028", "\ud800", "\x00"]
    text = embedded(texts)
    assert not re.search("[<>&\u2028\u2029\ud800-\udfff\x00-\x1f]", text)
    assert json.loads(text) == texts
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "u1"),
        ([-1, 127], "i1"),
        ([-1, 128], "i2"),
        ([0, 65535], "u2"),
        ([-1, 70000], "i4"),
    ],
)
def test_numbers_take_as_little_room_as_they_need(values: list[int], kind: str) -> None:
    column = packed(np.array(values))
    assert column["type"] == kind
    assert unpacked(column) == values


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bits"):
        packed(np.array([1 << 40]))


def test_constituents_have_their_order_and_their_gaps(tmp_path: Path) -> None:
    """Over the same word gold has Y above X, and b has X above Y; in two files each."""
    texts = {"gold": "(S (Y (X (N 0=x))))", "b": "(S (X (Y (N 0=x))))"}
    for (name, text), file in product(texts.items(), "12"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / f"{file}.dbr").write_text(f"{CROSSED}\n{text}\n", encoding="utf-8")
    gold, b = (str(tmp_path / name) for name in texts)
    found = compare(gold, gold, b, names=["a", "b"], metric="trees.parseval", examples=True)
    page = page_of(found)
    data = view_data(
        page.views[0], columns_of(page.views[0], page.sentences), np.arange(4), page.sentences
    )
    names = [data["labels"][code] for code in unpacked(data["columns"]["gold"])]
    sentence = unpacked(data["columns"]["sentence"])
    order = np.reshape(unpacked(data["columns"]["order"]), (3, -1))
    for side, above in enumerate(("SYX", "SYX", "SXY")):
        for number in (1, 3):
            here = [item for item, of in enumerate(sentence) if of == number]
            assert (
                "".join(names[item] for item in sorted(here, key=order[side].__getitem__)) == above
            )
        gaps = data["gaps"][side]
        assert sorted(gaps.values()) == [[0, 1, 3, 4]] * 2 + [[0, 1, 4]] * 2
        assert {names[item] for item in gaps} == {"VP"}


def test_words_are_no_constituents() -> None:
    page = page_of(compare(GOLD, *SYSTEMS, metric="tags.accuracy", examples=True))
    columns = columns_of(page.views[0], page.sentences)
    assert "order" not in columns
    assert "gaps" not in view_data(page.views[0], columns, np.arange(2), page.sentences)


def test_items_are_embedded_in_the_order_of_the_text() -> None:
    view, sentences = large_view(100, 2), plain_sentences(5)
    answers = view.answers
    order = np.random.default_rng(3).permutation(100)
    names = ("unit", "gold", "answered", "right", "label", "type", "answer", "row")
    mixed = replace(
        view, answers=replace(answers, **{n: getattr(answers, n)[..., order] for n in names})
    )

    row = np.zeros(100, np.int32)

    def data_of(view: Compared, kept: Any) -> dict[str, Any]:
        shown = PageView("m", "m", [], view, tests={("a", "b"): "p\n"}, groups={"k": (["x"], row)})
        return view_data(shown, columns_of(shown, sentences), kept, sentences)

    assert data_of(mixed, np.arange(5)) == data_of(view, np.arange(5))
    data = data_of(view, np.array([1, 3]))
    assert data["items"] == 40
    assert data["tests"] == [["a", "b", "p\\n"]]
    assert data["groups"] == [{"key": "k", "names": ["x"]}]
    assert unpacked(data["columns"]["group0"]) == [0] * 40
    assert unpacked(data["columns"]["sentence"]) == [0] * 20 + [1] * 20
    kept = np.r_[20:40, 60:80]
    assert unpacked(data["columns"]["gold"]) == answers.gold[kept].tolist()
    assert unpacked(data["columns"]["label"]) == answers.label[:, kept].ravel().tolist()
    flags = answers.answered[:, kept] + 2 * answers.right[:, kept]
    assert unpacked(data["columns"]["flags"]) == flags.ravel().tolist()
    assert "said_first" not in data["columns"], "boundaries tell nothing about single words"


def test_sentences_share_documents_and_files() -> None:
    sentences = [
        Scene("1", ("a", "b"), document="d", file="f"),
        Scene("2", ("c\n", "d"), file="f", spaces=(False, True)),
        Scene("3", (), document="d", file="g", spaces=()),
    ]
    data = json.loads(texts_of(sentences).data(np.arange(3)))
    assert data == {
        "documents": ["d"],
        "files": ["f", "g"],
        "sentences": [
            [0, 0, "1", ["a", "b"]],
            [-1, 0, "2", ["c\\n", "d"], "01"],
            [0, 1, "3", []],
        ],
    }


# sampling


def test_what_fits_is_not_sampled() -> None:
    page = small_report()
    assert "drawn with seed" not in page
    assert len(scripts(page)["texts"]["sentences"]) == 2


def test_a_sample_keeps_to_its_size_and_says_so() -> None:
    compared, sentences = large_view(20_000, 3), plain_sentences(1000)
    table = table_of([Column("n", kind="count")], [(20_000,)])
    view = PageView("m", "m", [PagePart("p", "P", [table])], compared)
    whole = len(render_page(Page("t", [view], sentences)))
    empty = len(render_page(Page("t", [replace(view, compared=None)])))
    limit = (whole - empty) // 4
    page = render_page(Page("t", [view], sentences, seed=7), limit=limit)
    kept = len(scripts(page)["texts"]["sentences"])
    assert f"examples: {kept:,} of 1,000 sentences, drawn with seed 7" in page
    assert 0.8 * limit < len(page) - empty <= 1.02 * limit
    assert scripts(page)["sheet-0"]["items"] == 20 * kept
    assert "20,000" in page, "tables are never sampled"


def test_samples_depend_on_the_seed_alone() -> None:
    sentences = plain_sentences(200)
    texts, views = (
        texts_of(sentences),
        [columns_of(PageView("", "", [], large_view(4000, 2)), sentences)],
    )
    drawn = [sampled(texts, views, 20_000, seed).tolist() for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == sorted(set(drawn[0]))
    assert sampled(texts, views, 0, 0).tolist() == []


# links


def test_a_fragment_escapes_names() -> None:
    found = fragment("m", {"a": "x y&z", "right": ["p+q", "\n"], "wrong": []})
    assert found == "#view=m&a=x%20y%26z&right=p%2Bq&right=%5Cn"
    assert fragment("m", None) == ""


def test_links_of_rows_cells_and_combinations() -> None:
    pair = compare(GOLD, *SYSTEMS, metric="tags.accuracy", names=["A", "B"]).view.pairs[0]
    ends = {"a": "A", "b": "B"}
    assert [transition_link(pair, kind, t) for kind in CLASSES for t in pair.transitions(kind)] == [
        {**ends, "class": "corrections", "from": "N", "to": "V"},
        {**ends, "class": "corrections", "from": "V", "to": "X"},
        {**ends, "class": "new", "from": "N", "to": "V"},
        {**ends, "class": "new", "from": "V", "to": "X"},
    ]
    nothing = replace(pair.transitions("corrections")[0], a=None, gold="G")
    assert transition_link(pair, "changed_errors", nothing) == {
        **ends, "class": "changed", "from": "(none)", "to": "V", "gold": "G",
    }  # fmt: skip
    added = transition_link(pair, "changed_errors", replace(nothing, gold=None))
    assert added["gold"] == "(none)"
    of_types = transition_link(replace(pair, mode="types"), "changed_errors", nothing)
    assert "gold" not in of_types
    assert matrix_links("AB", "AB") == [
        None, {**ends, "class": "different"}, {"a": "B", "b": "A", "class": "different"}, None,
    ]  # fmt: skip
    assert difference_link("A", "B", "new_errors", "N") == {
        **ends, "class": "new", "of": "gold", "gold": "N",
    }  # fmt: skip
    sets = Intersections(("A", "B"), ((False, True), (True, True)), (1, 2))
    assert combination_links(sets) == [
        {"of": "gold", "right": ["A", "B"], "wrong": []},
        {"of": "gold", "right": ["B"], "wrong": ["A"]},
    ]


# the page


def test_a_page_is_complete_in_itself() -> None:
    page = small_report()
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page)
    assert "@import" not in page
    assert "url(" not in page
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of SVG's elements, never opened"
    policy = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', page)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;; ") or "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]


def test_the_same_comparison_is_the_same_page() -> None:
    assert small_report() == small_report()


def test_every_table_has_its_texts_to_copy() -> None:
    page = small_report()
    copies = scripts(page)["copies"]
    numbers = [int(n) for n in re.findall('data-copy="([0-9]+)" data-form="latex"', page)]
    assert numbers == list(range(len(copies)))
    assert page.count("<table>") == len(copies)
    assert copies[0]["csv"].split("\r\n")[1].startswith("A,3,0.6")
    assert r"\begin{tabular}" in copies[0]["latex"]


def test_copied_captions_stand_by_themselves() -> None:
    reason = Missing("not there")
    nameless = Table((Column("a"), Column("b", kind="count")), (("x", reason),), omitted="and more")
    named = replace(nameless, title="corrections: 2")
    view = PageView(
        "m", "m", [PagePart("pair", "A → B", [named], ("A", "B")), PagePart("all", "All", [named])]
    )
    found = scripts(render_page(Page("The title", [view], intro=[nameless])))["copies"]
    captions = [re.findall(r"\\caption\{(.*)\}", each["latex"]) for each in found]
    end = r"And more. \textsuperscript{1}~Not there."
    assert captions == [
        [f"The title. {end}"],
        [f"m: A $\\rightarrow$ B, corrections: 2. {end}"],
        [f"corrections: 2. {end}"],
    ]


def test_links_reach_rows_and_figures() -> None:
    page = small_report()
    assert 'class="linked"' in page
    assert '<a href="#view=tags.accuracy&amp;a=A&amp;b=B&amp;class=corrections' in page
    assert '<a href="#view=tags.accuracy&amp;a=B&amp;b=A&amp;class=different"><g>' in page


def test_every_row_with_a_link_is_linked() -> None:
    columns = (Column("from"), Column("to"), Column("n", kind="count", better="higher"))
    rows = (("A", "B", 1), ("A", "C", 2), ("B", "C", 3))
    table = Table(columns, rows, keys=2, contests=("A", "A", "B"))
    part = PagePart("p", "P", [table], links={0: [None, {"a": "A"}, {"a": "B"}]})
    page = render_page(Page("t", [PageView("m", "M", [part])]))
    assert re.findall("<tr(?: class=\"(.*?)\")?>\n<th scope=\"row\">", page) == [
        "begins", "linked", "begins linked",
    ]  # fmt: skip
    assert page.count('<a href="#view=m&amp;a=') == 2, "one link a row, however many names it has"


def test_a_view_without_items_and_a_page_without_views() -> None:
    part = PagePart("p", "P", [Matrix(("A",), ("A",), ((1,),)), Text("x", "title")])
    page = render_page(Page("t", [PageView("m", "M", [part])]))
    assert scripts(page)["sheet-0"] is None
    assert "<h3>x</h3>" in page
    assert 'role="tablist"' not in page, "one view needs no tabs"
    assert "<h1>" in render_page(Page("t", []))
