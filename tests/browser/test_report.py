"""The interactive report in a real browser, opened from disk."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from report_samples import report_of
from tertium.comparison.compare.verb import compare
from tertium.report.layout import arcs_of
from tertium.report.page import write_report
from tertium.report.tree import Tree
from tertium.results.figures import Link
from tertium.results.texts import counted
from theory_samples import theory_corpus
from tree_samples import CROSSED, tree_figures
from trees import corpus_of

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def comparison(samples: Path) -> Any:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar")]
    names = ["arbor", "breeze", "cedar"]
    return compare(*map(str, files), names=names, examples=True)


@pytest.fixture(scope="module")
def report(comparison: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_of(comparison, "Three systems"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def spans(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze", "cedar")]
    found = compare(*map(str, files), names=["arbor", "breeze", "cedar"], examples=True)
    path = tmp_path_factory.mktemp("spans") / "report.html"
    path.write_text(report_of(found), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def grouped(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of `compare --report` itself, with groups."""
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar")]
    found = compare(*map(str, files), metric="deps.las", by="genre", examples=True)
    path = tmp_path_factory.mktemp("grouped") / "report.html"
    write_report(found, path, title="Three <parsers>")
    return path


def items(count: int, view: Any) -> str:
    return f"{count:,} of {len(view.answers):,} {view.item}s"


def visible_parts(page: Any) -> list[str]:
    return [
        part.inner_text()
        for part in page.query_selector_all("section.part h2")
        if part.is_visible()
    ]


# opening


def test_it_opens_with_its_first_view(opened: Open, report: Path, comparison: Any) -> None:
    watched = opened(report)
    page = watched.page
    assert page.title() == "Three systems"
    first = comparison.views[0]
    assert page.get_attribute("[role=tab][aria-selected=true]", "data-view") == first.metric
    pair = first.pairs[0]
    assert watched.count() == items(pair.different, first)
    assert page.locator(".example").count() == min(20, pair.different)
    kinds = page.locator(".example .kind").all_inner_texts()
    one_right = pair.corrections + pair.new_errors
    assert set(kinds[:one_right]) == {"correction", "new error"}
    assert set(kinds[one_right:]) <= {"changed error"}, "these come last"
    assert page.locator("#pair a").all_inner_texts() == [
        counted(pair.corrections, "correction"),
        counted(pair.new_errors, "new error"),
        counted(pair.changed_errors, "changed error"),
    ]
    assert visible_parts(page)[:4] == [
        "Overview", "Differences", "Corrections and errors", "From arbor to breeze",
    ]  # fmt: skip


def test_without_scripts_everything_but_examples_is_there(opened: Open, report: Path) -> None:
    page = opened(report, scripts=False).page
    assert page.is_visible("noscript")
    assert "From breeze to cedar" in visible_parts(page)
    assert not page.is_visible("#examples")
    assert not page.is_visible("[role=tab]")


def test_tabs_are_moved_by_arrows(opened: Open, report: Path, comparison: Any) -> None:
    watched = opened(report)
    page = watched.page
    names = [view.metric for view in comparison.views]
    assert len(names) > 1
    page.focus("[role=tab][aria-selected=true]")
    for key, place in (("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", -1), ("Home", 0)):
        page.keyboard.press(key)
        chosen = page.locator("[role=tab][aria-selected=true]")
        assert chosen.get_attribute("data-view") == names[place]
        assert chosen.evaluate("tab => document.activeElement === tab")
        assert page.locator(".view:visible").count() == 1
        assert f"view={names[place]}" in watched.fragment()


# filters


@pytest.mark.parametrize("a", ["arbor", "cedar"])
def test_classes_have_as_many_items_as_the_comparison(
    opened: Open, report: Path, comparison: Any, a: str
) -> None:
    for view in comparison.views:
        pair = view.pair(a, "breeze")
        address = f"#view={view.metric}&a={a}&b=breeze&class="
        watched = opened(report, f"{address}different")
        assert watched.count() == items(pair.different, view)
        for kind in ("corrections", "new_errors", "changed_errors"):
            watched.follow(address + kind.removesuffix("_errors"))
            watched.has(f"{getattr(pair, kind)}")
            assert watched.count() == items(getattr(pair, kind), view)


def test_classes_of_spans_count_what_either_system_adds(
    opened: Open, spans: Path, samples: Path
) -> None:
    files = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze", "cedar")]
    view = compare(*map(str, files), names=["arbor", "breeze", "cedar"]).view
    watched = opened(spans)
    assert any(pair.items < len(view.answers) for pair in view.pairs), "the third adds something"
    for pair in view.pairs:
        watched.page.locator("[data-key=a]").select_option(pair.a)
        watched.page.locator("[data-key=b]").select_option(pair.b)
        watched.choose("class", "new")
        watched.has(f"{pair.new_errors}")
        watched.choose("class", "same")
        watched.has(f"{pair.items - pair.different}")
    watched.choose("class", "all")
    watched.choose("of", "gold")
    watched.has(f"{view.oracle.items}")


def test_what_a_system_lost_is_no_item_of_its_pairs(opened: Open, tmp_path: Path) -> None:
    dog, cat = "(S (NP (D the) (N dog)) (VP (V barks)))", "(S (NP (D a) (N cat)) (VP (V naps)))"
    gold = corpus_of(dog, cat, dog, origin="gold")
    a = corpus_of(dog, cat.replace("cat", "hat"), dog.replace("VP", "X"), origin="a")
    b = corpus_of(dog.replace("NP", "Y"), cat.replace("VP", "X"), "", origin="b")
    c = corpus_of(dog, cat, dog, origin="c")
    found = compare(gold, a, b, c, names="abc", metric="trees.parseval", examples=True)
    view, path = found.view, tmp_path / "report.html"
    path.write_text(report_of(found), encoding="utf-8")
    classes = {"corrections": "corrections", "new_errors": "new", "changed_errors": "changed"}
    watched = opened(path)
    for pair in view.pairs:
        for kind, name in classes.items():
            watched.follow(f"#view=trees.parseval&a={pair.a}&b={pair.b}&class={name}")
            watched.has(f"{getattr(pair, kind)}")
            assert watched.count() == items(getattr(pair, kind), view)
    for many, count in enumerate(view.oracle.by_solvers):
        watched.follow(f"#view=trees.parseval&of=gold&class=all&many={many}")
        watched.has(f"{count}")
        assert watched.count() == items(count, view)


def test_every_transition_leads_to_its_items(opened: Open, report: Path, spans: Path) -> None:
    for path in (report, spans):
        watched = opened(path)
        page = watched.page
        rows = page.locator("section.part[data-part=pair]:visible tr.linked")
        assert rows.count() > 3
        for i in range(rows.count()):
            expected = rows.nth(i).locator("td").inner_text()
            if i == 0:
                rows.nth(i).locator("td").click(force=True)  # the link covers the row
            else:
                rows.nth(i).locator("a").evaluate("link => link.click()")
            watched.has(expected)
            assert watched.fragment().count("from=") == 1


def test_a_link_followed_twice_leads_there_twice(opened: Open, report: Path) -> None:
    watched = opened(report)
    page = watched.page
    row = page.locator("section.part[data-part=pair]:visible tr.linked a").first
    for _ in range(2):
        row.click(force=True)
        watched.until("document.getElementById('examples').getBoundingClientRect().top < 200")
        page.evaluate("scrollTo(0, 0)")


def test_filters_are_told_in_words(opened: Open, report: Path) -> None:
    watched = opened(report, "#view=deps.las&class=new&from=nsubj&right=arbor&wrong=cedar&text=The")
    assert watched.page.inner_text("#filtered") == (
        "new errors; arbor says nsubj, breeze says anything; correct: arbor; "
        "wrong: cedar; sentence with “The”"
    )


def test_parts_of_figures_lead_to_their_items(opened: Open, report: Path, comparison: Any) -> None:
    watched = opened(report)
    page = watched.page
    view = comparison.views[0]
    page.click("section.part[data-part=sets] svg a >> nth=0")
    counts = page.locator("section.part[data-part=sets] table tbody tr >> nth=0")
    cells = counts.locator("td").all_text_contents()
    watched.has(cells[-2])
    page.go_back()
    page.click("section.part[data-part=heat] svg a >> nth=1")
    watched.has(f"{view.pair('arbor', 'cedar').different}")
    assert "a=arbor" in watched.fragment()
    assert "b=cedar" in watched.fragment()
    page.click("section.part[data-part=classes] svg a >> nth=0")
    watched.has(f"{view.pairs[0].corrections}")


def test_filters_narrow_each_other_down(opened: Open, report: Path, comparison: Any) -> None:
    view = comparison["deps.las"]
    watched = opened(report, "#view=deps.las&class=all")
    page = watched.page
    label = view.answers.names[view.answers.gold[0]]
    watched.choose("gold", label)
    expected = int(view.answers.gold_per_label[view.answers.gold[0]])
    assert watched.count() == items(expected, view)
    page.locator("#filters [data-system=arbor]").select_option("wrong")
    wrong = expected - int(view.answers.right_per_label[0, view.answers.gold[0]])
    assert watched.count() == items(wrong, view)
    watched.choose("many", "3")
    assert watched.count() == items(0, view)
    assert page.locator(".example").count() == 0
    page.click("#clear")
    assert watched.count() == items(view.pairs[0].different, view)
    assert watched.fragment() == "#view=deps.las&a=arbor&b=breeze"


def test_texts_are_searched_without_regard_to_case(opened: Open, report: Path) -> None:
    watched = opened(report)
    page = watched.page
    word = page.locator(".example mark").first.inner_text()
    watched.choose("item", word.upper())
    assert all(
        word.lower() in text.lower() for text in page.locator(".example mark").all_inner_texts()
    )
    narrowed = int(watched.count().split()[0].replace(",", ""))
    watched.choose("item", "")
    watched.choose("text", word.upper())
    assert int(watched.count().split()[0].replace(",", "")) > narrowed
    name = page.locator(".example .where bdi").first.inner_text()
    watched.choose("id", name)
    found = page.locator(".example .where bdi:first-of-type").all_inner_texts()
    assert found
    assert all(name in text for text in found)


def test_rows_of_groups_lead_to_their_items(opened: Open, grouped: Path) -> None:
    watched = opened(grouped)
    page = watched.page
    assert page.title() == page.inner_text("h1") == "Three <parsers>"
    for part, column in (("groups", 0), ("group-pair", 1)):
        rows = page.locator(f"section[data-part={part}]:visible tr.linked")
        assert rows.count() > 2
        for i in range(rows.count()):
            expected = rows.nth(i).locator("td").nth(column).inner_text()
            rows.nth(i).locator("a").evaluate("link => link.click()")
            watched.has(expected)
    name = rows.last.locator("a").inner_text()
    assert page.locator("[data-group=genre]").input_value() == f"genre={name}"
    assert f"genre={name}" in page.inner_text("#filtered")
    page.locator("[data-group=genre]").select_option("")
    watched.has(rows.first.locator("td").nth(1).inner_text())


def test_a_transition_shows_its_reverse(opened: Open, grouped: Path) -> None:
    page = opened(grouped).page
    tables = page.locator("section[data-part=pair]:visible figure table")
    rows = [
        [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
        for table in tables.all()[:2]
    ]
    corrected, spoilt = ({row[0]: row[1:4] for row in each} for each in rows)
    both = {" → ".join(reversed(name.split(" → "))) for name in corrected} & {*spoilt}
    assert both
    for name in both:
        there, back, net = corrected[" → ".join(reversed(name.split(" → ")))]
        assert spoilt[name] == [back, there, net]
        assert int(net) == int(there) - int(back)


# tables and figures


def test_tables_are_sorted_by_click_and_by_key(opened: Open, grouped: Path) -> None:
    page = opened(grouped).page
    table = page.locator("section[data-part=labels] table").first
    head = table.locator("thead th", has_text="words")

    def numbers() -> list[int]:
        cells = table.locator("tbody tr").all()
        return [int(row.locator("td").first.inner_text().replace(",", "")) for row in cells]

    before = numbers()
    ways = (("descending", sorted(before)[::-1]), ("ascending", sorted(before)), (None, before))
    for way, expected in ways:
        head.locator("button").press("Enter") if way == "ascending" else head.locator(
            "button"
        ).click()
        assert head.get_attribute("aria-sort") == way
        assert numbers() == expected
    first = table.locator("thead tr:last-child th").first
    first.locator("button").click()
    names = table.locator("tbody tr th").all_inner_texts()
    assert names == sorted(names, key=str.lower)


def test_a_figure_is_saved_as_a_file(opened: Open, grouped: Path, tmp_path: Path) -> None:
    page = opened(grouped).page
    figures = page.locator("figure > .scroll > svg").count()
    assert page.locator(".save").count() == figures > 1
    with page.expect_download() as waiting:
        page.locator(".save").first.click()
    assert waiting.value.suggested_filename.endswith(".svg")
    waiting.value.save_as(tmp_path / "figure.svg")
    root = ElementTree.parse(tmp_path / "figure.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not root.findall(".//{*}a"), "links lead nowhere outside the page"
    assert root.findall(".//{*}text")


@pytest.mark.parametrize("width", [1300, 700, 390])
def test_the_pair_stays_in_sight(opened: Open, grouped: Path, width: int) -> None:
    page = opened(grouped, "#part=labels", width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(
        "[...document.querySelectorAll('nav a, #pair a')]"
        f".every(link => link.getBoundingClientRect().right <= {width})"
    ), "nothing is cut off"
    heading = page.locator("section[data-part=labels] h2").bounding_box()
    bar = page.locator("#pair").bounding_box()
    assert 0 <= bar["y"] <= bar["y"] + bar["height"] <= heading["y"] + 1
    page.locator("#pair a").first.click()
    assert "class=corrections" in page.evaluate("location.hash")
    assert page.locator("#examples h2").bounding_box()["y"] < 300


def test_the_transition_list_has_counts(opened: Open, report: Path, comparison: Any) -> None:
    pair = comparison["deps.las"].pairs[0]
    top = pair.transitions("new_errors")[0]
    watched = opened(report, "#view=deps.las&class=new")
    entry = watched.page.locator("#filters [name=transition] option >> nth=1")
    assert entry.inner_text() == f"{top.a} → {top.b} ({top.count})"
    watched.choose("transition", entry.get_attribute("value"))
    assert watched.count().split()[0] == f"{top.count}"


# the pair


def test_the_tables_of_the_chosen_pair_are_shown(opened: Open, report: Path) -> None:
    watched = opened(report)
    page = watched.page
    page.locator("[data-key=b]").select_option("cedar")
    assert "From arbor to cedar" in visible_parts(page)
    assert "From arbor to breeze" not in visible_parts(page)
    page.click("#pair button")
    assert "From arbor to cedar (tables; examples: cedar → arbor)" in visible_parts(page)
    assert "The tables go from arbor to cedar:" in page.inner_text("#pair")
    assert page.locator("nav a").all_inner_texts()[-1] == "Examples"
    assert page.inner_text("#examples h2") == "Examples: cedar → arbor"
    assert "a=cedar&b=arbor" in watched.fragment()
    assert page.evaluate("document.activeElement.dataset.key") == "turn"
    page.locator("[data-key=a]").select_option("arbor")
    assert "a=arbor&b=cedar" in watched.fragment(), "a system is not compared with itself"
    assert "From arbor to cedar" in visible_parts(page)


def test_it_opens_with_the_pair_of_the_view(opened: Open, samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "cedar", "breeze", "arbor")]
    names = ["cedar", "breeze", "arbor"]
    found = compare(*map(str, files), names=names, metric="tags.accuracy", examples=True)
    path = tmp_path / "report.html"
    write_report(found, path)
    best = sorted(found.scores, key=lambda result: -result.value)[:2]
    first = found.view.pair(*sorted((each.system for each in best), key=names.index))
    assert first.rows != (0, 1), "else it shows nothing"
    chosen = "[...document.querySelectorAll('#pair select')].map(s => s.value)"
    assert opened(path).page.evaluate(chosen) == [first.a, first.b]
    assert opened(path, "#a=cedar&b=arbor").page.evaluate(chosen) == ["cedar", "arbor"]
    given = opened(path, f"#b={first.a}").page.evaluate(chosen)
    assert given == [first.b, first.a], "what the address leaves open comes from that pair"


# the address


UNKNOWN = {
    "#a=zzz&class=new errors": "system “zzz”, class “new errors”",
    "#view=nope&part=heat": "metric “nope”",
    "#part=nope&of=x&many=9": "section “nope”, side “x”, number of systems “9”",
    "#right=x&wrong=x&right=arbor": "system “x”",
    "#gold=nope&from=xy&by=a=b": "gold label “nope”, answer “xy”, group “a=b”",
    "#at=999999": "example “999999”",
    "#colour=red": "key “colour”",
}


@pytest.mark.parametrize("way", ["opened", "followed"])
def test_it_says_what_of_an_address_it_does_not_have(opened: Open, report: Path, way: str) -> None:
    watched = opened(report)
    line = watched.page.locator("#unknown")
    assert line.get_attribute("role") == "status"
    for fragment, told in [*UNKNOWN.items()][: 2 if way == "opened" else None]:
        watched.show(report, fragment) if way == "opened" else watched.follow(fragment)
        watched.until("document.getElementById('unknown').textContent !== ''")
        assert line.inner_text() == f"Unknown {told} in the URL."
        assert line.evaluate(
            "line => { const { top, bottom } = line.getBoundingClientRect();"
            " return top >= 0 && bottom <= innerHeight + 1; }"
        ), "it is in sight wherever one is"
        watched.choose("text", "e")
        assert line.text_content() == ""


def test_it_says_nothing_of_an_address_it_can_show(opened: Open, report: Path) -> None:
    for fragment in (
        "", "#view=deps.las&a=cedar&b=arbor&class=new&of=gold&many=0&right=cedar&wrong=arbor",
        "#part=examples", "#part=sets", "#gold=(none)&text=zzz&item=zzz&id=zzz", "#at=3",
    ):  # fmt: skip
        assert opened(report, fragment).page.text_content("#unknown") == ""


def test_an_address_restores_everything(opened: Open, report: Path) -> None:
    first = opened(report)
    page = first.page
    page.click("[role=tab] >> nth=1")
    first.choose("class", "different")
    first.choose("text", "the")
    page.locator("#filters [data-system=breeze]").select_option("right")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = "[...document.querySelectorAll('.example')].indexOf(document.activeElement)"
    assert page.evaluate(focused) == 1
    count, fragment = first.count(), first.fragment()
    again = opened(report, page.evaluate("location.hash"))
    assert again.count() == count
    assert again.fragment() == fragment
    assert re.search("text=the&at=[0-9]+&right=breeze", fragment)
    assert again.page.locator("#filters [name=text]").input_value() == "the"
    assert again.page.locator("#filters [name=class]").input_value() == "different"
    assert again.page.evaluate(focused) == 1


def test_back_and_forward(opened: Open, report: Path) -> None:
    watched = opened(report)
    counts = [watched.count()]
    for kind in ("new", "changed"):
        watched.choose("class", kind)
        counts.append(watched.count())
    assert len(set(counts)) == 3
    watched.page.go_back()
    watched.has(counts[1].split()[0])
    watched.page.go_back()
    watched.has(counts[0].split()[0])
    assert watched.page.locator("#filters [name=class]").input_value() == "different"
    watched.page.go_forward()
    watched.has(counts[1].split()[0])


@pytest.mark.parametrize(
    "fragment",
    ["#", "#view=nothing", "#a=x&b=y&class=z&gold=none+such&from=x&to=y", "#at=99999999&part=x",
     "#%%%", "#constructor=1&class=constructor", "#many=many&right=x&wrong="],
)  # fmt: skip
def test_an_address_that_fits_nothing_does_no_harm(
    opened: Open, report: Path, fragment: str
) -> None:
    watched = opened(report, fragment)
    assert re.fullmatch("[0-9]+ of 847 tokens", watched.count())
    watched.page.click("[role=tab] >> nth=1")
    assert re.fullmatch("[0-9]+ of 847 words", watched.count())


def test_a_part_can_be_cited(opened: Open, report: Path) -> None:
    page = opened(report, "#part=labels").page
    top = page.locator("section.part[data-part=labels] >> visible=true").bounding_box()["y"]
    assert 0 <= top < 150
    page.click("nav a >> text=Overview")
    assert "part=overview" in page.evaluate("location.hash")


# keys


def test_keys(opened: Open, report: Path) -> None:
    page = opened(report).page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.type("?j")
    assert page.locator("#filters [name=text]").input_value() == "?j", "letters are letters there"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.name") is None, "Escape leaves the field"
    page.locator("#filters [name=text]").fill("")
    page.evaluate("document.activeElement.blur()")
    for key, place in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        page.keyboard.press(key)
        assert page.evaluate("[...list.children].indexOf(document.activeElement)") == place
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    assert not page.is_visible("#keys")
    page.keyboard.press("?")
    page.click("#keys button")
    assert not page.is_visible("#keys")


def test_more_examples_by_scrolling_and_by_the_button(opened: Open, report: Path) -> None:
    watched = opened(report, "#class=all&part=overview")
    page = watched.page
    watched.until("list.children.length === 20")
    page.focus("#more")
    page.keyboard.press("Enter")
    watched.until("list.children.length >= 40")
    assert page.evaluate("[...list.children].indexOf(document.activeElement)") >= 20
    before = page.evaluate("list.children.length")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    watched.until(f"list.children.length > {before}")


def test_everything_is_reached_with_tab_and_named(opened: Open, report: Path) -> None:
    page = opened(report).page
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, select, input')]"
        ".filter(e => !e.textContent.trim() && !e.labels?.length && !e.ariaLabel).length"
    )
    assert unnamed == 0
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName"))
    assert {"BUTTON", "A", "SELECT"} <= {name.upper() for name in seen}
    page.focus("#filters [name=class]")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


# copying


@pytest.mark.parametrize("way", ["clipboard", "fallback"])
def test_tables_are_copied(opened: Open, report: Path, comparison: Any, way: str) -> None:
    watched = opened(report)
    page = watched.page
    watched.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if way == "fallback":
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject('no'); }")
    first = page.locator("section.part[data-part=overview] >> nth=0")
    first.locator("[data-form=latex]").click()
    watched.until("document.getElementById('told').textContent === 'copied'")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("% Made by Tertium; needs \\usepackage{booktabs}\n")
    assert "\\begin{tabular}{lrr}" in text
    assert "arbor &" in text
    first.locator("[data-form=csv]").click()
    watched.until("navigator.clipboard.readText().then(text => text.startsWith('system,'))")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    right = int(comparison.views[0].oracle.right[0])
    assert lines[1] == f"arbor,{right},{right / comparison.views[0].oracle.items}"
    watched.until("document.querySelector('[data-form=csv]').textContent === 'copy CSV'")


def test_every_table_can_be_copied(opened: Open, report: Path) -> None:
    page = opened(report).page
    for form in ("latex", "csv"):
        assert (
            page.locator(f"[data-form={form}]").count()
            == page.locator("main > .view table").count()
        )


# looks


def test_trees_are_drawn_with_what_differs(opened: Open, report: Path, comparison: Any) -> None:
    pair = comparison["deps.las"].pairs[0]
    watched = opened(report, "#view=deps.las&class=changed")
    assert pair.changed_errors
    tree = watched.page.locator(".example .art svg").first
    assert tree.locator(".arc.gold.this").count() == 1
    assert tree.locator("g.arc.a, g.arc.ab").count() >= 1
    assert tree.locator("g.arc.b, g.arc.ab").count() >= 1
    dashes = tree.locator("g.arc.a path").first.get_attribute("stroke-dasharray")
    assert dashes != tree.locator("g.arc.gold path").first.get_attribute("stroke-dasharray")
    assert "gold: " in tree.get_attribute("aria-label")


def test_spans_are_drawn_as_boxes(opened: Open, spans: Path) -> None:
    page = opened(spans, "#class=different&of=gold").page
    picture = page.locator(".example .art svg").first
    assert picture.locator("g.arc.gold.this").count() == 1
    assert picture.locator("g.arc .tip").count() == 0
    assert picture.locator("g.arc.a, g.arc.b, g.arc.ab").count() >= 1


def test_what_is_excused_has_a_sign(opened: Open, tmp_path: Path) -> None:
    shared = ("y", 2, 3)
    gold = theory_corpus([3], dep=[[("root", 0, 3), ("hd", 1, 2), shared]], ps=[[shared]])
    a = theory_corpus([3], dep=[[("root", 0, 3), ("hd", 1, 2), ("x", 0, 1)]])
    b = theory_corpus([3], ps=[[shared]])
    found = compare(gold, a, b, names="ab", metric="theories.tedeval", examples=True)
    path = tmp_path / "report.html"
    path.write_text(report_of(found), encoding="utf-8")
    gold_tree, first, second = opened(path).page.locator(".example .art").first.locator("svg").all()
    assert {"root ≈", "hd ≈", "x +"} <= {*first.locator("text").all_text_contents()}
    for tree in (gold_tree, second):
        assert "≈" not in tree.inner_html()
    plain = compare(gold, a, b, names="ab", metric="theories.tedeval(labeled=no)", examples=True)
    path.write_text(report_of(plain), encoding="utf-8")
    first = opened(path).page.locator(".example .art").first.locator("svg").nth(1)
    assert "• ≈" in first.locator("text").all_text_contents()


def test_constituents_are_drawn_as_trees(opened: Open, tmp_path: Path) -> None:
    """Gold and both systems, laid out as `report/tree.py` does it, gaps included."""
    trees = CROSSED, CROSSED.replace("(NP", "(XP", 1), CROSSED.replace("(PPER 5=er)", "(N 5=er)")
    files = [tmp_path / f"{name}.dbr" for name in ("gold", "a", "b")]
    for file, tree in zip(files, trees, strict=True):
        file.write_text(f"{tree}\n", encoding="utf-8")
    found = compare(*map(str, files), metric="trees.parseval", examples=True)
    write_report(found, tmp_path / "report.html")
    page = opened(tmp_path / "report.html", "#view=trees.parseval&class=different").page
    drawn = page.locator(".example").first.locator(".art svg")
    labels = [[*drawn.nth(n).locator(".label").all_text_contents()] for n in range(drawn.count())]
    assert labels == [["S", "VP", "VP", "NP ≠", "NP"], ["S", "VP", "VP", "XP ≠", "NP"], labels[2]]
    assert labels[2] == ["S", "VP", "VP", "NP", "NP"]
    assert drawn.nth(0).locator("g.arc.gold.this").count() == 1
    assert drawn.nth(1).locator("g.arc.a").count() == 1
    assert drawn.nth(0).locator(".word.this").all_text_contents() == ["gold", "Den", "Mann"]
    nodes = "nodesOf(sheetOf('trees.parseval'), 0, -1, 6)"
    places = page.evaluate(f"{nodes}.map((n) => [n.places, n.level, n.first, n.last])")
    branches = Tree(tree_figures(CROSSED), "gold").branches
    assert sorted(places) == sorted([[*b.node.places], b.level, *b.run] for b in branches)


def test_arcs_lie_as_in_other_pictures(opened: Open, report: Path) -> None:
    """The page lays arcs out as `report/layout.py` does."""
    page = opened(report).page
    random = np.random.default_rng(0)
    for size in (1, 2, 5, 12, 30):
        sources = [int(n) for n in random.integers(-1, size, size)]
        links = [Link(source=s, target=t) for t, s in enumerate(sources) if s != t]
        given = [
            {
                "first": min(link.target, link.source) if link.source >= 0 else link.target,
                "last": max(link.target, link.source),
                "source": link.source if link.source >= 0 else link.target,
                "target": link.target,
            }
            for link in links
        ]
        found = page.evaluate(
            "([arcs, size]) => half(arcs, size, -1).shapes.map((e) => [e.level, e.leaves ?? 0])",
            [given, size],
        )
        assert found == [[arc.level, arc.leaves] for arc in arcs_of(links, size)]


def test_boundaries_that_differ_are_underlined(opened: Open, spans: Path) -> None:
    watched = opened(spans, "#class=different&of=gold")
    page = watched.page
    assert page.locator(".example mark").count()
    assert page.locator(".answers .place u").count()
    types = set(page.locator(".answers .type").all_inner_texts())
    assert types & {"BEs", "BEl", "BEo", "LE", "LBE", "FN"}
    added = opened(spans, "#of=systems").page
    assert added.locator(".example mark").count() == 0
    assert added.locator(".sentence u").count()


def test_dark_has_other_colours(opened: Open, report: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened(report).page.evaluate(ground)
    dark = opened(report, scheme="dark").page.evaluate(ground)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(18, 22, 27)")


def test_print_has_no_controls_and_twenty_examples(opened: Open, report: Path) -> None:
    watched = opened(report)
    page = watched.page
    watched.until("list.children.length === 20")
    page.evaluate("drawMore()")
    page.emulate_media(media="print")
    for hidden in ("#filters", "nav", "[role=tab]", "[data-copy]", "#more", "#pair"):
        assert page.locator(f"{hidden} >> visible=true").count() == 0
    assert page.locator(".example >> visible=true").count() == 20
    assert "Labels" in visible_parts(page)


def test_types_are_explained(opened: Open, report: Path, spans: Path) -> None:
    page = opened(spans).page
    assert "BEs boundary error, system span smaller" in page.inner_text("#meanings")
    watched = opened(report, "#view=deps.las")
    assert ":sibling the system's head is below the right one" in watched.page.inner_text(
        "#meanings"
    )
    watched.page.locator("[role=tab][data-view='tags.accuracy']").click()
    assert watched.page.text_content("#meanings") == "", "its types explain themselves"


def test_cut_arcs_are_explained(opened: Open, tmp_path: Path) -> None:
    gold = "".join(
        f"{i}\tw{i}\t_\tX\t_\t_\t{0 if i == 1 else 1}\tdep\t_\t_\n" for i in range(1, 81)
    )
    (tmp_path / "gold.conllu").write_text(gold + "\n")
    for name in ("a", "b"):
        wrong = gold.replace("80\tw80\t_\tX\t_\t_\t1", "80\tw80\t_\tX\t_\t_\t79")
        (tmp_path / f"{name}.conllu").write_text((wrong if name == "a" else gold) + "\n")
    files = [str(tmp_path / f"{name}.conllu") for name in ("gold", "a", "b")]
    found = compare(*files, metric="deps.las", examples=True)
    path = tmp_path / "report.html"
    write_report(found, path)
    page = opened(path, "#class=different").page
    assert "dep ⋯" in page.locator(".art text.label").all_text_contents()
    assert page.locator(".art text", has_text="⋯ a word not shown").count() == 1


def test_many_columns_fit_on_paper(opened: Open, samples: Path, tmp_path: Path) -> None:
    names = ["first-system.conllu", "second_system.conllu", *(f"system_{i}.txt" for i in range(6))]
    files = [samples / f"{name}.conllu" for name in ("arbor", "breeze", "cedar", "arbor")] * 2
    found = compare(
        str(samples / "gold.conllu"),
        *map(str, files),
        names=names,
        metric="deps.las",
        examples=True,
    )
    path = tmp_path / "report.html"
    write_report(found, path)
    page = opened(path, width=718).page  # A4 without 10 mm of margin
    page.emulate_media(media="print")
    assert page.locator("table.wide:visible").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1200, "height": 800})
    assert page.evaluate(
        "[...document.querySelectorAll('.view > section[data-part=labels] .scroll')]"
        ".every(each => each.scrollWidth <= each.clientWidth)"
    )


@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_window(opened: Open, report: Path, width: int) -> None:
    page = opened(report, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# documents


@pytest.fixture(scope="module")
def chains(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    files = [samples / f"coref-{name}.conll" for name in ("gold", "arbor", "breeze", "cedar")]
    names = ["arbor", "breeze", "cedar"]
    found = compare(*map(str, files), names=names, metric="coref.arcs_nom", examples=True)
    path = tmp_path_factory.mktemp("chains") / "report.html"
    write_report(found, path)
    return path, found.views[0]


MUSEUM = "doc=news/museum%3B+part+000"


def marked(page: Any, where: str) -> list[str]:
    """The items that pass the filters, with what is said of each."""
    return [
        each.inner_text().replace("\n", "") for each in page.query_selector_all(f"{where} .hit")
    ]


def test_a_document_has_all_sides_beside_each_other(opened: Open, chains: tuple[Path, Any]) -> None:
    watched = opened(chains[0], f"#{MUSEUM}&class=different&a=arbor&b=breeze")
    page = watched.page
    assert page.is_visible("#document")
    assert not page.is_visible("#list")
    sides = page.locator(".side bdi").all_inner_texts()
    assert sides == ["gold", "arbor", "breeze"]
    assert page.locator(".prose").count() == 3 * 7, "sentences"
    texts = page.locator(".prose.gold").all_inner_texts()
    assert texts[0].startswith("The Halden Museum1 closed its1")
    heights = page.evaluate("[...document.querySelectorAll('.sides > .prose')].map((x) => "
                            "x.getBoundingClientRect().top)")  # fmt: skip
    assert len({*heights}) == 7, "the same sentence stands in one row"
    assert marked(page, ".prose.gold")[:2] == ["its1fn·tp", "it1fn·wl"]
    assert page.locator(".prose.a .ghost").all_inner_texts()[0] == "itsfn", "arbor lacks it"
    assert "it9wl" in marked(page, ".prose.b"), "in a chain of its own number"


def test_a_chain_of_a_system_has_the_number_of_that_of_gold(
    opened: Open, chains: tuple[Path, Any]
) -> None:
    page = opened(chains[0], f"#{MUSEUM}&class=all&a=arbor&b=cedar").page
    numbers = (
        "[...document.querySelectorAll('.prose.%s .item:not(.ghost)')].filter((x) => "
        "x.firstChild.textContent.startsWith('%s')).map((x) => x.querySelector('sub')?.textContent)"
    )
    assert page.evaluate(numbers % ("gold", "three")) == ["3"]
    assert page.evaluate(numbers % ("b", "three")) == ["3"]
    they = page.evaluate(numbers % ("b", "They"))
    assert they != ["3"], "cedar splits the entity"
    assert they != [None]


def test_wrong_links_are_drawn(opened: Open, chains: tuple[Path, Any]) -> None:
    watched = opened(chains[0], f"#{MUSEUM}&class=all&a=arbor&b=breeze")
    page = watched.page
    wrong = page.evaluate(
        "[...document.querySelectorAll('.prose:not(.gold) .hit.wrong:not(.ghost) sup')]"
        ".filter((x) => ['wl', 'fp'].includes(x.textContent)).length"
    )
    watched.until(f"document.querySelectorAll('.links .tip').length === {wrong}")
    assert wrong > 3


def test_a_chosen_item_tells_its_chains(opened: Open, chains: tuple[Path, Any]) -> None:
    watched = opened(chains[0], f"#{MUSEUM}&class=different&a=arbor&b=breeze")
    page = watched.page
    item = page.locator(".prose.b .hit", has_text="it").nth(1)
    item.click()
    rows = page.locator(".chain tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["gold", "arbor", "breeze"]
    assert "The Halden Museum · its · the museum · it" in rows[0]
    assert "not marked here" in rows[1]
    assert rows[2].endswith("its main hall · it\twl")
    assert page.locator(".prose.b .item.on").count() == 2, "the chain"
    watched.until("document.querySelectorAll('.links .on.tip').length === 1")
    item.click()
    assert page.locator(".chain table").count() == 0


def test_a_document_is_walked_through_by_keys(opened: Open, chains: tuple[Path, Any]) -> None:
    page = opened(chains[0], f"#{MUSEUM}&class=different&a=arbor&b=breeze").page
    assert page.locator(".item[tabindex='0']").count() == 1
    page.locator(".item[tabindex='0']").focus()
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.classList.contains('hit')")
    assert page.evaluate("document.activeElement.textContent") != ""
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("Enter")
    assert page.is_visible(".chain table")
    page.keyboard.press("Escape")
    assert not page.is_visible(".chain table")


def test_types_of_a_document_choose_its_items(opened: Open, chains: tuple[Path, Any]) -> None:
    watched = opened(chains[0], f"#{MUSEUM}&class=different&a=arbor&b=cedar")
    page = watched.page
    link = page.locator(".side.b a", has_text="wl")
    count = int(link.inner_text().split()[1])
    link.click()
    watched.until("location.hash.includes('to=wl')")
    hits = "document.querySelectorAll('.prose.b .hit').length"
    watched.until(f"{hits} === {count}")
    assert page.is_visible("#document"), "of the same document"
    watched.choose("gold", "pronoun")
    watched.until(f"0 < {hits} && {hits} < {count}")


def test_examples_lead_to_their_documents_and_back(opened: Open, chains: tuple[Path, Any]) -> None:
    watched = opened(chains[0], "#class=corrections&a=arbor&b=breeze")
    page = watched.page
    example = page.locator(".example").first
    assert example.locator(".sides").count() == 1
    assert "← rye bread" in example.inner_text(), "the antecedent, all of it"
    assert example.locator("thead").first.inner_text().split() == ["label", "antecedent", "type"]
    assert "tp linked to a correct antecedent" in page.inner_text("#meanings"), "shown in documents"
    assert "kind of mention" in page.inner_text("#filters")
    example.get_by_text("in its document").click()
    watched.until("!document.getElementById('document').hidden")
    assert "doc=letters/harbour; part 000" in watched.fragment()
    watched.until("document.querySelector('.chain table') !== null")  # the item is chosen
    names = page.locator("#modes option").all_inner_texts()
    assert len(names) == 4
    page.get_by_role("button", name="next").click()
    watched.until("location.hash.includes('orchard')")
    page.get_by_role("button", name="sentences").click()
    watched.until("!document.getElementById('list').hidden")
    watched.until("document.querySelectorAll('.example').length > 3")


def test_an_unknown_document_is_told(opened: Open, chains: tuple[Path, Any], report: Path) -> None:
    page = opened(chains[0], "#doc=nowhere").page
    assert "document “nowhere”" in page.inner_text("#unknown")
    assert page.is_visible("#list")
    plain = opened(report).page
    assert not plain.is_visible("#modes"), "items without chains have no documents"


def test_an_item_without_words_is_shown(opened: Open, tmp_path: Path) -> None:
    """An empty node that refers to somebody, and a system that does not have it in the chain."""
    line = "{0}\t{1}\t{1}\t{2}\t_\t_\t{3}\t{4}\t{5}\t{6}\n"
    head = "# global.Entity = eid-etype-head-other\n# newdoc id = d\n# sent_id = 1\n"

    def text(entity: str) -> str:
        return head + "".join(
            line.format(*columns)
            for columns in (
                (1, "Anna", "PROPN", 2, "nsubj", "2:nsubj", "Entity=(e1-person-1-)"),
                (2, "came", "VERB", 0, "root", "0:root", "_"),
                ("2.1", "_", "PRON", "_", "_", "3:nsubj", f"Entity=({entity}-person-1-)"),
                (3, "sat", "VERB", 2, "conj", "2:conj", "_"),
            )
        )

    files = []
    for name, entity in (("gold", "e1"), ("a", "e2"), ("b", "e1")):
        files.append(tmp_path / f"{name}.conllu")
        files[-1].write_text(text(entity) + "\n")
    found = compare(*map(str, files), metric="coref.arcs_any", examples=True)
    write_report(found, tmp_path / "report.html")
    page = opened(tmp_path / "report.html", "#doc=d&class=all").page
    assert page.locator(".prose").all_inner_texts() == [
        "Anna1 came ∅1fn·tp sat", "Anna came ∅fn sat", "Anna1 came ∅1 sat",
    ]  # fmt: skip
